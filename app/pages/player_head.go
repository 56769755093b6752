package pages

import (
	"context"
	"strconv"
	"strings"
	"time"

	"pitboss/app/atonce"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// PlayerHead is the head of all pages about one player. Lists that are also tabs of a player embed it. Player is empty if such
// a list shows all players.
type PlayerHead struct {
	Player   models.Player
	Packs    bool // the reader may make a dispute pack
	Launches bool // the reader may launch a game for this player

	Counts       models.PlayerCounts
	Last         *TransactionRow // the newest transaction
	Midnight     models.Amount   // the balance at midnight
	NetPlay      models.Amount   // today's bets, wins and rollbacks, net
	Uncounted    string          // in words, what else changed today's balance
	RefusedToday RefusedToday
	Restricted   []models.Restriction // restrictions in effect, if the reader may view them
	HeldGrants   []HeldGrant          // the newest of the grants that are open or of unknown outcome
	OpenGrants   int                  // the number of these grants
	Unconfirmed  int                  // how many of these have an unknown outcome
	AllLeft      int64                // spins left in the open grants

	NotEligible bool // the player may not get bonuses; the reader may not know why
}

// PlayerList is the page of a list that is a tab of a player. If the list also has a page of its own, that page has no Player.
type PlayerList struct {
	web.Page
	web.Listed
	PlayerHead
}

// LoadHead returns a list's Load function that reads the head of the player's pages.
func LoadHead[T any](s *Site) func(context.Context, *PlayerList, []T) error {
	return func(ctx context.Context, page *PlayerList, _ []T) error {
		return s.ReadHead(ctx, &page.Page, &page.PlayerHead)
	}
}

// HeldGrant is a grant that is open or of unknown outcome.
type HeldGrant struct {
	models.Grant
	Used, Left int64
	Meter      views.Meter
}

const (
	// openGrants is how many open grants of a player are added up at most, which is more than the limits allow.
	openGrants = 100
	// shownGrants is how many of them the player's page shows.
	shownGrants = 3
	// shownRestrictions is how many restrictions in effect the player's pages show.
	shownRestrictions = 5
)

// PlayerBadges returns the badge for a player's state, and one for a test player.
func PlayerBadges(p models.Player, at time.Time) []views.Badge {
	badges := []views.Badge{views.Quiet("Active")}
	switch {
	case !p.Wallet.MayPlay(at):
		badges = []views.Badge{views.Refused("Restricted")}
	case !p.Wallet.MayGetBonuses(at):
		badges = []views.Badge{views.Refused("No bonuses")}
	}
	if p.Test {
		badges = append(badges, views.Plain("Test player"))
	}
	if scripts := p.UserID.MixedScripts(); scripts != nil {
		badges = append(badges, views.Waiting("Mixed letters: "+strings.Join(scripts, ", ")))
	}
	return badges
}

// BelowZero reports whether the player's balance is negative.
func (h *PlayerHead) BelowZero() bool { return h.Player.Wallet.Balance < 0 }

// Count returns a number of rows in words, such as "1,000+" if counting stopped there.
func (h *PlayerHead) Count(n int) string {
	if n >= models.ManyRows {
		return views.Grouped(models.ManyRows) + "+"
	}
	return views.Grouped(int64(n))
}

// TabPlayer reports whether a list is shown as a tab of a player. If so, it limits the list to that player, without a filter by
// player, and exports it like the list of all players.
func (s *Site) TabPlayer(ctx context.Context, page *web.Page, h *PlayerHead) (isTab bool, err error) {
	parts := strings.Split(page.Path, "/")
	if len(parts) != 4 || parts[1] != "players" {
		return false, nil
	}
	if h.Player, err = s.PlayerNumbered(ctx, parts[2]); err != nil {
		return true, err
	}
	page.TabOf("/"+parts[3], PlayerOf(h.Player.ID))
	return true, s.ViewedOn(ctx, page, "player", h.Player.ID, h.Player.ID)
}

// PlayerOrTab returns the player whose tab the list is, or the player in its filter.
func (s *Site) PlayerOrTab(ctx context.Context, page *web.Page, h *PlayerHead) (models.Player, error) {
	if isTab, err := s.TabPlayer(ctx, page, h); isTab || err != nil {
		return h.Player, err
	}
	return s.PlayerFilter(ctx, page)
}

// PlayerNumbered returns the player with the internal ID in an address, or a web.NotFound.
func (s *Site) PlayerNumbered(ctx context.Context, text string) (models.Player, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 1 {
		return models.Player{}, web.NotFound("player")
	}
	p, found, err := s.Store.PlayerByID(ctx, id)
	if err == nil && !found {
		err = web.NotFound("player")
	}
	return p, err
}

// ReadHead reads the head of a page about one player. It does nothing if the page has no player.
func (s *Site) ReadHead(ctx context.Context, page *web.Page, h *PlayerHead) error {
	p := h.Player
	if p.ID == 0 {
		return nil
	}
	page.Badges = PlayerBadges(p, page.Now)
	h.Packs = page.Can(web.MakePacks)
	h.Launches = p.Test && page.Can(web.LaunchTest)
	h.NotEligible = !p.Wallet.MayGetBonuses(page.Now) && !page.Can(web.ReadRestrictions)
	midnight := models.DayOf(page.Now, page.Zone).Begin(page.Zone)
	return atonce.Read(
		func() (err error) {
			h.Counts, err = s.Store.PlayerCounts(ctx, p.ID)
			return err
		},
		func() error {
			found, err := s.Store.Transactions(ctx, models.TransactionFilter{PlayerID: p.ID, Span: models.Span{Limit: 1}})
			if err == nil && len(found.Rows) > 0 {
				h.Last = &TransactionRows(page, found.Rows)[0]
			}
			return err
		},
		func() error { return s.readToday(ctx, h, midnight) },
		func() error { return s.readGrants(ctx, h) },
		func() error { return s.readRestricted(ctx, page, h) },
		func() (err error) {
			h.RefusedToday, err = s.RefusedToday(ctx, page, p, midnight)
			return err
		})
}

// readToday reads by how much play, and everything else, has changed the balance since midnight.
func (s *Site) readToday(ctx context.Context, h *PlayerHead, midnight time.Time) error {
	st, err := s.Store.PlayerStatement(ctx, h.Player, midnight, endOfLedger)
	if err != nil {
		return err
	}
	h.Midnight = st.Opening.Balance
	sum := func(kinds ...models.EntryKind) (sum models.Amount) {
		for _, k := range kinds {
			sum += st.Sums[k]
		}
		return sum
	}
	h.NetPlay = sum(models.EntryBet, models.EntryWin, models.EntryBetReversed, models.EntryWinReversed)
	var parts []string
	for _, part := range []struct {
		word   string
		amount models.Amount
	}{{"opening balance", sum(models.EntryOpening)}, {"corrections", sum(models.EntryAdjustment)},
		{"cash", sum(models.EntryCashIn, models.EntryCashOut, models.EntryCashReturned, models.EntryCashBounced)}} {
		if part.amount != 0 {
			parts = append(parts, part.word+" "+part.amount.Signed())
		}
	}
	h.Uncounted = strings.Join(parts, ", ")
	return nil
}

// endOfLedger is later than any line of the ledger.
var endOfLedger = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// readRestricted reads the restrictions in effect, if the reader may view them.
func (s *Site) readRestricted(ctx context.Context, page *web.Page, h *PlayerHead) error {
	w := h.Player.Wallet
	if !page.Can(web.ReadRestrictions) || w.MayGetBonuses(page.Now) && w.MayDeposit(page.Now) {
		return nil
	}
	found, err := s.Store.Restrictions(ctx,
		models.RestrictionFilter{PlayerID: h.Player.ID, Active: new(true), Span: models.Span{Limit: shownRestrictions}})
	h.Restricted = found.Rows
	return err
}

// readGrants reads the player's grants that are open or of unknown outcome, and adds up the spins left in them.
func (s *Site) readGrants(ctx context.Context, h *PlayerHead) error {
	grants, err := s.Store.Grants(ctx, models.GrantFilter{PlayerID: h.Player.ID,
		States: []models.GrantState{models.GrantActive, models.GrantUnknown}, SpinsLeft: true, Span: models.Span{Limit: openGrants}})
	h.OpenGrants = len(grants.Rows)
	for i, g := range grants.Rows {
		used := min(g.UsedSpins(), g.Spins)
		if i < shownGrants {
			h.HeldGrants = append(h.HeldGrants, HeldGrant{g, used, g.Spins - used, views.Share(used, g.Spins)})
		}
		if g.State == models.GrantUnknown {
			h.Unconfirmed++
			continue
		}
		h.AllLeft += g.Spins - used
	}
	return err
}
