package players

import (
	"context"
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
	few, err := s.FewOf(ctx, f.Currency)
	if err == nil && few == nil && f.Restricted != nil && *f.Restricted {
		few, err = s.fewWith(ctx, "play_from_us > ?", db.Micros(s.db.Now()))
	}
	if err != nil {
		return page, err
	}
	at, err := s.db.NameAt(s.db.Read.WithContext(ctx), "players", "user_id", f.Page)
	if err != nil {
		return page, err
	}
	var conditions []string
	var args []any
	also := func(condition string, arg any) { conditions, args = append(conditions, condition), append(args, arg) }
	// One bound at each end: given two, SQLite may begin at the wrong one.
	order, last := "p.user_id", f.Beginning+LastText
	if f.Page.Newer {
		order = "p.user_id DESC"
	}
	switch {
	case f.Beginning > at || f.Page.Newer:
		also("p.user_id >= ?", f.Beginning)
	default:
		also("p.user_id > ?", at)
	}
	if f.Page.Newer && at != "" && (f.Beginning == "" || at <= last) {
		also("p.user_id < ?", at)
	} else if f.Beginning != "" {
		also("p.user_id <= ?", last)
	}
	// In the order of user IDs, unless a filter leaves only a few players.
	from := SelectPlayers
	switch yes := func(asked *bool) bool { return asked != nil && *asked }; {
	case few != nil:
		also("p.id IN ?", few)
	case yes(f.Test):
		from = fmt.Sprintf(selectPlayersAlong, db.Path{Index: "players_test"}.Hint(s.db.Dialect))
	default:
		from = fmt.Sprintf(selectPlayersAlong, db.Path{Index: "players_user_id"}.Hint(s.db.Dialect))
	}
	if f.Currency != "" {
		also("w.currency = ?", string(f.Currency))
	}
	if f.Restricted != nil {
		than := "<="
		if *f.Restricted {
			than = ">"
		}
		also("w.play_from_us "+than+" ?", db.Micros(s.db.Now()))
	}
	if f.Test != nil {
		also("p.test = ?", *f.Test)
	}
	var list []models.Player
	query := from + " WHERE " + strings.Join(conditions, " AND ") + " ORDER BY " + order + " LIMIT ?"
	if err := s.db.Read.WithContext(ctx).Raw(query, append(args, f.Limit+1)...).Scan(&list).Error; err != nil {
		return page, fmt.Errorf("list players: %w", err)
	}
	return db.PageOf(list, f.Span), nil
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
		return nil, fmt.Errorf("look for few players: %w", err)
	}
	if len(ids) > fewWallets {
		return nil, nil
	}
	return ids, nil
}

// BalanceAt returns the balance just before at, found by bisection. If at is before the first line that a purge has kept, it is
// the balance with which the ledger begins.
func (s *Store) BalanceAt(ctx context.Context, p models.Player, at time.Time) (balance models.Amount, err error) {
	if !p.CreatedAt.Before(at) {
		return 0, nil
	}
	var begin []struct{ Seq, BalanceMinor int64 }
	err = s.db.Read.WithContext(ctx).
		Raw("SELECT seq, balance_minor FROM ledger_beginnings WHERE player_id = ?", p.ID).Scan(&begin).Error
	if err != nil {
		return 0, fmt.Errorf("look up a balance: %w", err)
	}
	low := int64(1)
	for _, b := range begin {
		low, balance = b.Seq+1, models.Amount(b.BalanceMinor)
	}
	for high := p.Wallet.Seq + 1; low < high; {
		middle := low + (high-low)/2
		var rows []struct{ Seq, AtUs, AfterMinor int64 }
		err := s.db.Read.WithContext(ctx).
			Raw("SELECT seq, at_us, after_minor FROM postings WHERE player_id = ? AND seq >= ? AND free_spin = 0 "+
				"ORDER BY seq LIMIT 1", p.ID, middle).
			Scan(&rows).Error
		if err != nil {
			return 0, fmt.Errorf("look up a balance: %w", err)
		}
		if len(rows) == 0 || rows[0].AtUs >= db.Micros(at) {
			high = middle
		} else {
			low, balance = rows[0].Seq+1, models.Amount(rows[0].AfterMinor)
		}
	}
	return balance, nil
}

// TakenPlayers returns a LineError for each player of a file that exists already. ImportPlayers checks this again, in its
// transaction.
func (s *Store) TakenPlayers(ctx context.Context, file models.PlayerFile) ([]models.LineError, error) {
	var taken []models.LineError
	for from := 0; from < len(file.Players); from += ImportChunk {
		to := min(from+ImportChunk, len(file.Players))
		users := make([]string, 0, ImportChunk)
		for _, p := range file.Players[from:to] {
			users = append(users, string(p.UserID))
		}
		var found []string
		if err := s.db.Read.WithContext(ctx).Raw("SELECT user_id FROM players WHERE user_id IN ?", users).Scan(&found).
			Error; err != nil {
			return nil, fmt.Errorf("look up players: %w", err)
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

// DoubtfulPlayers returns what may be wrong about players to be created, whose IDs and currencies can never be changed: IDs with odd
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
	inFile := map[string]int{}
	for from := 0; from < len(file.Players); from += ImportChunk {
		players := file.Players[from:min(from+ImportChunk, len(file.Players))]
		parts := make([]string, len(players))
		for i, p := range players {
			parts[i] = models.PartBeginning + models.CutPart(models.Folded(string(p.UserID)))
		}
		var found []string
		if err := s.db.Read.WithContext(ctx).Raw("SELECT p.user_id FROM player_parts x JOIN players p ON p.id = x.player_id "+
			"WHERE x.part IN ?", parts).Scan(&found).Error; err != nil {
			return nil, fmt.Errorf("look for similar players: %w", err)
		}
		here := map[string]string{}
		for _, user := range found {
			here[models.Folded(user)] = user
		}
		for i, p := range players {
			if slices.Contains(found, string(p.UserID)) {
				continue // it exists, so it is refused
			}
			if odd := models.OddUserID(p.UserID); odd != "" {
				doubt(from+i, "%s", odd)
			}
			folded := models.Folded(string(p.UserID))
			if like, there := here[folded]; there && like != string(p.UserID) {
				doubt(from+i, "There is a player “%s”. IDs are case-sensitive, so “%s” would be another player.", like, p.UserID)
			} else if n, there := inFile[folded]; there {
				doubt(from+i, "“%s” differs from “%s” in line %d only in case. They would be two players.", p.UserID,
					file.Players[n].UserID, file.Lines[n])
			}
			inFile[folded] = from + i
			if !first && !slices.Contains(currencies, p.Currency) {
				doubt(from+i, "No player has the currency %s.", p.Currency)
				currencies = append(currencies, p.Currency)
			}
		}
	}
	return doubts, nil
}

// WalletCurrencies returns the currencies of all wallets, sorted.
func (s *Store) WalletCurrencies(ctx context.Context) ([]models.Currency, error) {
	values, err := s.db.Distinct(s.db.Read.WithContext(ctx), "wallets", "currency")
	if err != nil {
		return nil, fmt.Errorf("list currencies: %w", err)
	}
	list := make([]models.Currency, len(values))
	for i, v := range values {
		list[i] = models.Currency(v)
	}
	return list, nil
}
