package players

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// Opening balances are for the start of the books: what players had before Pitboss kept their money. Once a day has been
// signed, money enters a real player's wallet only by callbacks and corrections.

// booksOpened reports whether any day has been signed.
func booksOpened(tx *gorm.DB) (bool, error) {
	days, err := db.Value[int64](tx, "SELECT COUNT(*) FROM (SELECT day FROM day_signatures LIMIT 1) d")
	return days > 0, err
}

// CreatePlayer creates a player and a wallet. p.Balance becomes an ordinary ledger entry. It returns models.ErrPlayerExists if
// the UserID is taken, models.ErrBooksOpened for a real player with a balance if a day has been signed, or the error of
// CheckUserID.
func (s *Store) CreatePlayer(ctx context.Context, by models.Actor, p models.NewPlayer) (models.Player, error) {
	var id int64
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		ids, err := s.createPlayers(ctx, tx, by, []models.NewPlayer{p})
		if err != nil {
			return err
		}
		id = ids[0]
		return nil
	})
	if db.IsDuplicate(err) {
		return models.Player{}, models.ErrPlayerExists
	}
	if err != nil {
		return models.Player{}, err
	}
	created, _, err := s.PlayerByID(ctx, id)
	return created, err
}

// ImportChunk is how many players one statement inserts.
const ImportChunk = 500

// ImportPlayers creates all players of a file in one transaction, or none. If some players exist already, have an ID that
// CheckUserID refuses, or a balance although a day has been signed, it returns LineErrors and changes nothing. If done is not
// nil, it is called with the number of players created so far.
func (s *Store) ImportPlayers(ctx context.Context, by models.Actor, file models.PlayerFile,
	done func(int)) ([]models.LineError, error) {
	var bad []models.LineError
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		bad = nil
		opened, err := booksOpened(tx)
		if err != nil {
			return err
		}
		for from := 0; from < len(file.Players); from += ImportChunk {
			to := min(from+ImportChunk, len(file.Players))
			existing, err := existing(tx, file.Players[from:to])
			if err != nil {
				return err
			}
			for i, p := range file.Players[from:to] {
				if err := models.CheckUserID(string(p.UserID)); err != nil {
					bad = append(bad, models.LineError{Line: file.Lines[from+i], Err: fmt.Errorf("%q: %w", p.UserID, err)})
				} else if _, ok := existing[p.UserID]; ok {
					bad = append(bad, models.LineError{Line: file.Lines[from+i],
						Err: fmt.Errorf("%q: %w", p.UserID, models.ErrPlayerExists)})
				} else if opened && p.Balance != 0 && !p.Test {
					bad = append(bad, models.LineError{Line: file.Lines[from+i],
						Err: fmt.Errorf("%q, balance %s: %w", p.UserID, p.Balance, models.ErrBooksOpened)})
				}
			}
		}
		if len(bad) > 0 {
			return nil
		}
		for from := 0; from < len(file.Players); from += ImportChunk {
			to := min(from+ImportChunk, len(file.Players))
			if _, err := s.createPlayers(ctx, tx, by, file.Players[from:to]); err != nil {
				return err
			}
			if done != nil {
				done(to)
			}
		}
		return nil
	})
	if db.IsDuplicate(err) {
		return nil, fmt.Errorf("import players: another person has just created one of them. Nothing was imported; "+
			"try again: %w",
			models.ErrPlayerExists)
	}
	return bad, err
}

// createPlayers creates players with wallets, opening entries and audit events, and returns their numbers in the same order.
func (s *Store) createPlayers(ctx context.Context, tx *gorm.DB, by models.Actor, players []models.NewPlayer) ([]int64, error) {
	raw := db.Tx(tx)
	var q db.Statement
	q.Begin("INSERT INTO players (user_id, test, created_at_us, zone) VALUES ")
	for i, p := range players {
		if err := models.CheckUserID(string(p.UserID)); err != nil {
			return nil, err
		}
		if p.Zone != "" {
			if err := models.CheckZone(p.Zone); err != nil {
				return nil, err
			}
		}
		q.Row(i, "(?,?,?,?)", p.UserID, p.Test, db.Micros(s.db.Now()), p.Zone)
	}
	if err := q.Exec(ctx, raw); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(players, func(p models.NewPlayer) bool { return p.Balance != 0 && !p.Test }) {
		if opened, err := booksOpened(tx); err != nil || opened {
			return nil, cmp.Or(err, models.ErrBooksOpened)
		}
	}
	numbers, err := existing(tx, players)
	if err != nil {
		return nil, err
	}
	q.Begin("INSERT INTO wallets (player_id, currency, balance_minor, seq, head, spin_seq, spin_head) VALUES ")
	ids := make([]int64, len(players))
	openings := make([]models.Operation, len(players))
	events := make([]models.AuditEvent, len(players))
	for i, p := range players {
		id := numbers[p.UserID]
		q.Row(i, "(?,?,0,0,?,0,?)", id, p.Currency, &models.Hash{}, &models.Hash{})
		ids[i] = id
		opening := models.TransactionID("opening:" + strconv.FormatInt(id, 10))
		openings[i] = models.Operation{Source: models.SourceOwn, Kind: models.Opening, UserID: p.UserID, TransactionID: opening, Win: p.Balance}
		events[i] = models.AuditEvent{
			Actor: by, Action: "player created", Object: "player", ObjectID: strconv.FormatInt(id, 10),
			After: db.JsonText(map[string]any{"user_id": p.UserID, "currency": p.Currency, "balance": p.Balance.String(),
				"test": p.Test, "zone": p.Zone}),
		}
		s.db.Begins(tx, "player", events[i].ObjectID)
	}
	if err := q.Exec(ctx, raw); err != nil {
		return nil, err
	}
	results, err := s.ledger.Settle(ctx, raw, ids, openings)
	if err != nil {
		return nil, err
	}
	for i, r := range results {
		if r.Decline != models.None {
			return nil, fmt.Errorf("open the wallet of %q: %s", players[i].UserID, r.Decline)
		}
	}
	return ids, s.db.Record(tx, events...)
}

// existing returns the numbers of the players that exist already.
func existing(tx *gorm.DB, players []models.NewPlayer) (map[models.UserID]int64, error) {
	names := make([]models.UserID, len(players))
	for i, p := range players {
		names[i] = p.UserID
	}
	rows, err := db.All[models.Player](tx, "SELECT id, user_id FROM players WHERE user_id IN ?", names)
	numbers := make(map[models.UserID]int64, len(players))
	for _, p := range rows {
		numbers[p.UserID] = p.ID
	}
	return numbers, err
}

// UserIDs returns the UserIDs of the players with these numbers.
func (s *Store) UserIDs(ctx context.Context, ids []int64) (map[int64]models.UserID, error) {
	return db.ByNumber[models.UserID](s.db.Read.WithContext(ctx).Table("players").Select("id, user_id AS value"), ids)
}

// Player returns the player with this UserID, or false if there is none.
func (s *Store) Player(ctx context.Context, user models.UserID) (models.Player, bool, error) {
	return db.One[models.Player](s.db.Read.WithContext(ctx).Raw(SelectPlayers+" WHERE p.user_id = ?", string(user)))
}

// PlayerByID returns the player with this internal ID, or false if there is none.
func (s *Store) PlayerByID(ctx context.Context, id int64) (models.Player, bool, error) {
	return db.One[models.Player](s.db.Read.WithContext(ctx).Raw(SelectPlayers+" WHERE p.id = ?", id))
}

// ByNumber returns the players with these numbers.
func ByNumber(q *gorm.DB, ids []int64) (map[int64]models.Player, error) {
	found := make(map[int64]models.Player, len(ids))
	if len(ids) == 0 {
		return found, nil
	}
	rows, err := db.All[models.Player](q, SelectPlayers+" WHERE p.id IN ?", ids)
	for _, p := range rows {
		found[p.ID] = p
	}
	return found, err
}

// SelectPlayers selects players p with their wallets w.
const (
	SelectPlayers = selectPlayers + " FROM players p JOIN wallets w ON w.player_id = p.id"
	selectPlayers = `SELECT p.id, p.user_id, p.test, p.created_at_us, p.zone, p.language, w.player_id, w.currency,
	w.play_from_us, w.bonuses_from_us, w.deposits_from_us, w.cash_outs_from_us, w.limits, w.limit_sums, w.balance_minor, w.held_minor,
	w.seq, w.spin_seq`
)
