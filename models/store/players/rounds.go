package players

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// Rounds have no rows of their own: a round consists of the transactions with one RoundID and player. The number of the first
// is the round's number and its place in lists.

// lookForRounds is how many transactions a page of rounds reads at most.
const lookForRounds = 3_000

// selectRounds sums the transactions of some RoundIDs. It groups them by player, because a few players may share a RoundID.
//
// The posting that applied a transaction counts 1, and the one that rolled it back counts -1.
const selectRounds = `SELECT r.*, p.user_id, p.test, w.currency FROM (
	SELECT player_id, round_id, MIN(id) AS id, MIN(at_us) AS at_us,
	MAX(CASE WHEN claim = 1 THEN at_us ELSE 0 END) AS last_at_us,
		SUM(CASE WHEN claim = 1 THEN 1 ELSE 0 END) AS transactions,
		SUM(CASE WHEN free_spin = 0 AND kind IN (%[1]d, %[3]d) THEN 3 - 2 * claim ELSE 0 END) AS bets,
		SUM(CASE WHEN free_spin = 1 THEN 3 - 2 * claim ELSE 0 END) AS spins,
		SUM(CASE WHEN kind IN (%[2]d, %[3]d) AND win_minor > 0 THEN 3 - 2 * claim ELSE 0 END) AS wins,
		SUM(CASE WHEN kind IN (%[2]d, %[3]d) AND win_minor = 0 THEN 3 - 2 * claim ELSE 0 END) AS losses,
		SUM(CASE WHEN claim = 2 THEN 1 ELSE 0 END) AS reversed,
		MAX(CASE WHEN claim = 1 AND kind IN (%[1]d, %[3]d) THEN at_us ELSE 0 END) AS staked_at_us,
		%[5]s AS staked_minor, %[6]s AS spin_stake_minor, %[7]s AS won_minor
	FROM postings%[4]s WHERE round_id IN ? AND at_us < ? GROUP BY player_id, round_id) r
	JOIN players p ON p.id = r.player_id JOIN wallets w ON w.player_id = r.player_id`

// RoundKey identifies a round: the platform may use one ID for rounds of several players.
type RoundKey struct {
	Player int64
	ID     models.RoundID
}

// ReadRounds returns these rounds with everything that their states depend on.
func (s *Store) ReadRounds(ctx context.Context, keys []RoundKey) (map[RoundKey]models.Round, error) {
	read := s.db.Read.WithContext(ctx)
	found, err := s.roundsBefore(read, keys, endOfTime, s.db.Now())
	if err != nil {
		return nil, err
	}
	return found, s.readEvidence(read, found)
}

// roundsBefore returns these rounds as of an instant, from the transactions before it.
func (s *Store) roundsBefore(read *gorm.DB, keys []RoundKey, before, now time.Time) (map[RoundKey]models.Round, error) {
	ids := make([]string, len(keys))
	for i, k := range keys {
		ids[i] = string(k.ID)
	}
	standing := func(of string) string {
		return "SUM(CASE WHEN " + of + " * (3 - 2 * claim) ELSE 0 END)"
	}
	query := fmt.Sprintf(selectRounds, models.Bet, models.Win, models.BetWin,
		db.Path{Index: "postings_round"}.Hint(s.db.Dialect),
		standing("free_spin = 0 THEN bet_minor"), standing("free_spin = 1 THEN bet_minor"), standing("1 = 1 THEN win_minor"))
	rows, err := read.Raw(query, ids, db.Micros(before)).Rows()
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := make(map[RoundKey]models.Round, len(keys))
	for rows.Next() { // one by one, because GORM takes longer to scan a list of rounds than the database takes to find them
		r := models.Round{RoundSigns: models.RoundSigns{AsOf: now}}
		var at, last, staked int64
		if err := rows.Scan(&r.PlayerID, &r.RoundID, &r.ID, &at, &last, &r.Transactions, &r.Bets, &r.Spins, &r.Wins, &r.Losses,
			&r.Reversed, &staked, &r.Staked, &r.SpinStake, &r.Won, &r.UserID, &r.Test, &r.Currency); err != nil {
			return nil, err
		}
		r.At, r.LastAt, r.StakedAt = db.FromMicros(at), db.FromMicros(last), db.FromMicros(staked)
		found[RoundKey{r.PlayerID, r.RoundID}] = r
	}
	return found, rows.Err()
}

// Round returns a player's round with this ID, or false if there is none.
func (s *Store) Round(ctx context.Context, playerID int64, id models.RoundID) (models.Round, bool, error) {
	key := RoundKey{playerID, id}
	found, err := s.ReadRounds(ctx, []RoundKey{key})
	if err != nil {
		return models.Round{}, false, err
	}
	r, ok := found[key]
	return r, ok && id != "", nil
}

// Rounds lists the rounds that f selects in the order of their first transactions, newest first.
func (s *Store) Rounds(ctx context.Context, f models.RoundFilter) (models.Page[models.Round], error) {
	return s.listRounds(ctx, f)
}

func (s *Store) listRounds(ctx context.Context, f models.RoundFilter) (page models.Page[models.Round], err error) {
	switch {
	case f.Pending, f.State.Pending():
		return s.listPending(ctx, f)
	case f.State == models.RoundInterrupted:
		return s.siftRounds(ctx, f, f, s.transactionsWithCases)
	}
	return s.siftRounds(ctx, f, models.RoundFilter{}, s.transactionsOfRounds)
}

// siftRounds lists the rounds that f selects among those whose place in the list of by is in a list of transactions.
func (s *Store) siftRounds(ctx context.Context, f, by models.RoundFilter,
	read func(context.Context, models.RoundFilter) (models.Page[models.Cursor], error)) (models.Page[models.Round], error) {
	transactions := models.List(f, read, func(at models.Cursor) models.Cursor { return at })
	transactions.Limit = 3*f.Limit + 3
	return models.Sift(ctx, transactions, f.Span, lookForRounds, func(places []models.Cursor) ([]models.Round, error) {
		found, err := s.roundsAt(ctx, places, by)
		return slices.DeleteFunc(found, func(r models.Round) bool { return !f.Selects(r) }), err
	})
}

// transactionsOfRounds returns a page of the places of transactions with rounds, of a player if f says so.
func (s *Store) transactionsOfRounds(ctx context.Context, f models.RoundFilter) (page models.Page[models.Cursor], err error) {
	l := db.List{Table: "postings", Index: db.Primary, ID: "id", Events: true, Span: f.Span,
		Filters: []db.Filter{db.If(true, "", "round_id <> ''"), db.Most("claim = 1")}}
	if f.PlayerID != 0 {
		path, err := s.playerPath(ctx, f.PlayerID, f.Span)
		if err != nil {
			return page, err
		}
		l.Filters = append(l.Filters, db.Along(true, []db.Path{path}, ""))
	}
	return s.db.Places(ctx, l)
}

// roundsAt returns the rounds whose place in the filter's list is one of these, in the same order.
func (s *Store) roundsAt(ctx context.Context, places []models.Cursor, f models.RoundFilter) (list []models.Round, err error) {
	if len(places) == 0 {
		return nil, nil
	}
	ids := make([]int64, len(places))
	for i, at := range places {
		ids[i] = at.ID
	}
	rows, err := db.All[roundOf](s.db.Read.WithContext(ctx), "SELECT id, player_id, round_id FROM postings WHERE id IN ?", ids)
	if err != nil {
		return nil, err
	}
	at, keys := make(map[int64]RoundKey, len(ids)), make([]RoundKey, len(rows))
	for i, r := range rows {
		at[r.ID], keys[i] = r.key(), r.key()
	}
	found, err := s.ReadRounds(ctx, keys)
	for _, id := range ids {
		if r, ok := found[at[id]]; ok && f.Place(r).ID == id {
			list = append(list, r)
		}
	}
	return list, err
}
