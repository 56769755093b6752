package players

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"pitboss/models"
	"pitboss/models/store/db"
)

// LastText sorts after every ID, byte by byte: it is the longest possible text of the highest character.
var LastText = strings.Repeat("\U0010FFFF", models.MaxIDBytes/4+1)

// Players returns a page of the players that f selects, in the byte order of their UserIDs.
func (s *Store) Players(ctx context.Context, f models.PlayerFilter) (page models.Page[models.Player], err error) {
	l, err := s.playerList(ctx, f)
	if err != nil {
		return page, err
	}
	from, args, err := s.db.From(ctx, &l)
	if err != nil {
		return page, err
	}
	list, err := db.All[models.Player](s.db.Read.WithContext(ctx),
		selectPlayers+" FROM "+from+s.db.Dialect.JoinInOrder()+"wallets w ON w.player_id = p.id ORDER BY "+l.Order(), args...)
	return db.PageOf(list, l), err
}

// CountPlayers returns how many players f selects, or a number above models.ManyPlayers if there are more than that.
func (s *Store) CountPlayers(ctx context.Context, f models.PlayerFilter) (n int, err error) {
	f.Page = models.Cursor{}
	l, err := s.playerList(ctx, f)
	if err != nil {
		return 0, err
	}
	read := s.db.Read.WithContext(ctx)
	some := s.db.Filtered(read, l).Select("p.id").Limit(models.ManyPlayers + 1)
	return db.Value[int](read, "SELECT COUNT(*) FROM (?) p", some)
}

// playerList declares the list of players p that f selects: in the order of user IDs, unless a filter leaves only a few
// players.
func (s *Store) playerList(ctx context.Context, f models.PlayerFilter) (l db.List, err error) {
	now := db.Micros(s.db.Now())
	few, err := s.FewOf(ctx, f.Currency)
	if err == nil && few == nil && f.Restricted != nil && *f.Restricted {
		few, err = s.fewWith(ctx, "play_from_us > ?", now)
	}
	if err != nil {
		return l, err
	}
	wallet := func(set bool, column, is string, value any) db.Filter {
		return db.If(set, "", "(SELECT w."+column+" FROM wallets w WHERE w.player_id = p.id) "+is+" ?", value)
	}
	// On SQLite one bound at each end, of which a page's place is one: given two, it may begin at the wrong one.
	begins, first, newer := f.Beginning != "", f.Page.IsZero(), f.Page.Newer
	both := first || s.db.Dialect == db.MySQL
	l = db.List{Table: "players p", Index: "players_user_id", At: "p.user_id", Up: true, ByName: true, Span: f.Span,
		Filters: append(s.did(f),
			db.If(few != nil, db.Primary, "p.id IN ?", few),
			db.If(f.Test != nil && *f.Test, "players_test", ""), db.If(f.Test != nil, "", "p.test = ?", f.Test),
			db.If(begins && (both || newer), "", "p.user_id >= ?", f.Beginning),
			db.If(begins && (both || !newer), "", "p.user_id <= ?", f.Beginning+LastText),
			db.If(begins && !first, "", "SUBSTR(p.user_id, 1, LENGTH(?)) = ?", f.Beginning, f.Beginning),
			wallet(f.Currency != "", "currency", "=", string(f.Currency)),
			wallet(f.Restricted != nil && *f.Restricted, "play_from_us", ">", now),
			wallet(f.Restricted != nil && !*f.Restricted, "play_from_us", "<=", now),
			db.If(f.Language != nil, "", "p.language = ?", f.Language))}
	return l, nil
}

// did returns the conditions on what players p did. Each is a set of players that is read once along an index, not once for
// each player of the list. Amounts come from the sums of days.
func (s *Store) did(f models.PlayerFilter) (filters []db.Filter) {
	also := func(condition string, args ...any) { filters = append(filters, db.If(true, "", condition, args...)) }
	var sums []string
	var least []any
	for _, of := range []struct {
		least *models.Amount
		sum   string
	}{{f.Turnover, "SUM(stake_minor - stake_reversed_minor)"}, {f.Deposit, "SUM(deposit_minor)"}, {f.Loss,
		"SUM(stake_minor - stake_reversed_minor - win_minor + win_reversed_minor - spin_win_minor + spin_win_reversed_minor)"}} {
		if of.least != nil {
			sums, least = append(sums, of.sum+" >= ?"), append(least, *of.least)
		}
	}
	if sums != nil {
		days := []any{f.From, cmp.Or(f.To, models.Day("9999"))}
		also("p.id IN (SELECT player_id FROM (SELECT player_id FROM daily_sums "+
			"WHERE day >= ? AND day <= ? GROUP BY player_id HAVING "+strings.Join(sums, " AND ")+") d)", append(days, least...)...)
	}
	const played = "(SELECT player_id FROM daily_sums WHERE day >= ? AND players = 1)"
	if f.PlayedSince != "" {
		also("p.id IN "+played, f.PlayedSince)
	}
	if f.NotPlayedSince != "" {
		also("p.id NOT IN "+played, f.NotPlayedSince)
	}
	used := map[models.PlayerSpins]string{
		models.SpinsGranted: fmt.Sprintf("g.state IN (%d, %d, %d)", models.GrantActive, models.GrantCompleted, models.GrantExpired),
		models.SpinsUsed:    "(g.used > 0 OR g.ours > 0)",
		models.SpinsUnused:  fmt.Sprintf("g.state IN (%d, %d) AND g.used <= 0 AND g.ours = 0", models.GrantActive, models.GrantExpired),
	}
	if f.Spins != 0 {
		grants, times := "SELECT g.player_id FROM grants g WHERE "+used[f.Spins], []any(nil)
		if !f.Since.IsZero() {
			grants, times = grants+" AND g.at_us >= ?", append(times, db.Micros(f.Since))
		}
		if !f.Until.IsZero() {
			grants, times = grants+" AND g.at_us < ?", append(times, db.Micros(f.Until))
		}
		also("p.id IN ("+grants+")", times...)
	}
	switch {
	case f.CampaignID != 0 && f.InCampaign != 0:
		also("p.id IN (SELECT g.player_id FROM grants g WHERE g.campaign_id = ? AND "+used[f.InCampaign]+")", f.CampaignID)
	case f.CampaignID != 0:
		also("p.id IN (SELECT player_id FROM campaign_lines WHERE campaign_id = ?)", f.CampaignID)
	}
	return filters
}

// fewWallets is the most wallets with a property that a list reads all at once.
const fewWallets = 1000

// FewOf returns the players with a currency if there are few, and nil if there are many or currency is empty.
func (s *Store) FewOf(ctx context.Context, currency models.Currency) (ids []int64, err error) {
	if currency == "" {
		return nil, nil
	}
	return s.fewWith(ctx, "currency = ?", string(currency))
}

// fewWith returns the players whose wallets meet a condition if there are few, and nil if there are many.
func (s *Store) fewWith(ctx context.Context, condition string, value any) (ids []int64, err error) {
	ids = []int64{}
	err = s.db.Read.WithContext(ctx).Raw("SELECT player_id FROM wallets WHERE "+condition+" LIMIT ?", value, fewWallets+1).
		Scan(&ids).Error
	if err != nil {
		return nil, err
	}
	if len(ids) > fewWallets {
		return nil, nil
	}
	return ids, nil
}

// LedgerAt returns the place in a player's ledger just before at, found by bisection.
func (s *Store) LedgerAt(ctx context.Context, p models.Player, at time.Time) (point models.LedgerPoint, err error) {
	if !p.CreatedAt.Before(at) {
		return point, nil
	}
	read := s.db.Read.WithContext(ctx)
	for low, high := int64(1), p.Wallet.Seq+1; low < high; {
		middle := low + (high-low)/2
		var rows []struct{ Seq, AtUs, AfterMinor int64 }
		err := read.Raw("SELECT seq, at_us, after_minor FROM postings WHERE player_id = ? AND seq >= ? AND free_spin = 0 "+
			"ORDER BY seq LIMIT 1", p.ID, middle).Scan(&rows).Error
		if err != nil {
			return point, err
		}
		if len(rows) == 0 || rows[0].AtUs >= db.Micros(at) {
			high = middle
		} else {
			low, point.Seq, point.Balance = rows[0].Seq+1, rows[0].Seq, models.Amount(rows[0].AfterMinor)
		}
	}
	return point, nil
}

// PlayerCounts counts the rows of a player's lists.
func (s *Store) PlayerCounts(ctx context.Context, id int64) (models.PlayerCounts, error) {
	newest := " FROM postings" + db.Path{Index: "postings_player"}.Hint(s.db.Dialect) +
		" WHERE player_id = ? ORDER BY seq DESC, id DESC LIMIT ?) t WHERE "
	return db.Need[models.PlayerCounts](s.db.Read.WithContext(ctx).Raw(
		"SELECT (SELECT COUNT(*) FROM (SELECT claim"+newest+"claim = 1) AS transactions, "+
			"(SELECT COUNT(DISTINCT round_id) FROM (SELECT round_id"+newest+"round_id <> '') AS rounds, "+
			"(SELECT COUNT(*) FROM (SELECT id FROM game_sessions WHERE player_id = ? LIMIT ?) s) AS sessions",
		id, models.ManyRows, id, models.ManyRows, id, models.ManyRows), models.ErrPlayerUnknown)
}

// PlayerStatement returns what a player's wallet had at two times, and the sums of the lines between them.
func (s *Store) PlayerStatement(ctx context.Context, p models.Player, since, until time.Time) (st models.PlayerStatement, err error) {
	if st.Opening, err = s.heldAt(ctx, p, since); err != nil {
		return st, err
	}
	if st.Closing, err = s.heldAt(ctx, p, until); err != nil {
		return st, err
	}
	var sums []struct {
		Kind               models.OperationKind
		Claim              models.Claim
		BetMinor, WinMinor models.Amount
	}
	err = s.db.Read.WithContext(ctx).Raw("SELECT kind, claim, SUM(bet_minor) AS bet_minor, SUM(win_minor) AS win_minor FROM postings"+
		db.Path{Index: "postings_player"}.Hint(s.db.Dialect)+
		" WHERE player_id = ? AND seq > ? AND seq <= ? AND free_spin = 0 GROUP BY kind, claim",
		p.ID, st.Opening.Seq, st.Closing.Seq).Scan(&sums).Error
	if err != nil {
		return st, err
	}
	st.Sums = map[models.EntryKind]models.Amount{}
	for _, sum := range sums { // lines are linear in the amounts, so a posting of the sums has the sums of the lines
		of := models.Posting{Kind: sum.Kind, Claim: sum.Claim, Bet: sum.BetMinor, Win: sum.WinMinor}
		for _, line := range of.Entries(p.Wallet.Currency) {
			st.Sums[line.Kind] += line.Amount
		}
	}
	return st, nil
}

// heldAt is LedgerAt with the held amount, which only cash changes.
func (s *Store) heldAt(ctx context.Context, p models.Player, at time.Time) (models.LedgerPoint, error) {
	point, err := s.LedgerAt(ctx, p, at)
	if err != nil {
		return point, err
	}
	held, err := db.All[models.Amount](s.db.Read.WithContext(ctx),
		"SELECT held_minor FROM postings"+db.Path{Index: "postings_player"}.Hint(s.db.Dialect)+
			" WHERE player_id = ? AND seq <= ? AND kind BETWEEN ? AND ? ORDER BY seq DESC LIMIT 1",
		p.ID, point.Seq, models.CashIn, models.CashBounced)
	if len(held) > 0 {
		point.Held = held[0]
	}
	return point, err
}

// TakenPlayers returns a LineError for each player of a file that exists already. ImportPlayers checks again in its
// transaction.
func (s *Store) TakenPlayers(ctx context.Context, file models.PlayerFile) ([]models.LineError, error) {
	var taken []models.LineError
	for from := 0; from < len(file.Players); from += ImportChunk {
		to := min(from+ImportChunk, len(file.Players))
		users := make([]string, 0, ImportChunk)
		for _, p := range file.Players[from:to] {
			users = append(users, string(p.UserID))
		}
		found, err := db.All[string](s.db.Read.WithContext(ctx), "SELECT user_id FROM players WHERE user_id IN ?", users)
		if err != nil {
			return nil, err
		}
		for i, p := range file.Players[from:to] {
			if slices.Contains(found, string(p.UserID)) {
				taken = append(taken, models.LineError{Line: file.Lines[from+i],
					Err: fmt.Errorf("%q: %w", p.UserID, models.ErrPlayerExists)})
			}
		}
	}
	return taken, nil
}

// DoubtfulPlayers returns what may be wrong with players to be created, whose IDs and currencies can never change: IDs with odd
// characters, IDs that differ from another only in case, and currencies that no player has. A person has to confirm each.
func (s *Store) DoubtfulPlayers(ctx context.Context, file models.PlayerFile) (doubts []models.LineError, err error) {
	doubt := func(i int, format string, args ...any) {
		doubts = append(doubts, models.LineError{Line: file.Lines[i], Err: fmt.Errorf(format, args...)})
	}
	currencies, err := s.WalletCurrencies(ctx)
	if err != nil {
		return nil, err
	}
	first := len(currencies) == 0
	like := map[string][]string{} // the IDs that exist, by each ID of the file in lower case
	for _, p := range file.Players {
		like[models.Folded(string(p.UserID))] = nil
	}
	err = db.Each(s.db.Read.WithContext(ctx), func(r *sql.Rows) error {
		var user string
		if err := r.Scan(&user); err != nil {
			return err
		}
		if users, asked := like[models.Folded(user)]; asked {
			like[models.Folded(user)] = append(users, user)
		}
		return nil
	}, "SELECT user_id FROM players")
	if err != nil {
		return nil, err
	}
	inFile := map[string]int{}
	for i, p := range file.Players {
		folded := models.Folded(string(p.UserID))
		if slices.Contains(like[folded], string(p.UserID)) {
			continue // it exists, so it is refused
		}
		if odd := models.OddUserID(p.UserID); odd != "" {
			doubt(i, "%s", odd)
		}
		if users := like[folded]; len(users) > 0 {
			doubt(i, "There is a player “%s”. IDs are case-sensitive, so “%s” would be another player.", users[0], p.UserID)
		} else if n, there := inFile[folded]; there {
			doubt(i, "“%s” differs from “%s” in line %d only in case. They would be two players.", p.UserID,
				file.Players[n].UserID, file.Lines[n])
		}
		inFile[folded] = i
		if !first && !slices.Contains(currencies, p.Currency) {
			doubt(i, "No player has the currency %s.", p.Currency)
			currencies = append(currencies, p.Currency)
		}
	}
	return doubts, nil
}

// WalletCurrencies returns the currencies of all wallets, sorted.
func (s *Store) WalletCurrencies(ctx context.Context) ([]models.Currency, error) {
	values, err := s.db.Distinct(s.db.Read.WithContext(ctx), "wallets", "currency")
	if err != nil {
		return nil, err
	}
	list := make([]models.Currency, len(values))
	for i, v := range values {
		list[i] = models.Currency(v)
	}
	return list, nil
}
