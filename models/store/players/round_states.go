package players

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// What the states of rounds depend on besides the rounds themselves (models/round.go), and lists of rounds in rare states.
// States are not stored: each page of rounds runs a fixed number of queries, each along an index.

// endOfTime is later than every posting.
var endOfTime = time.UnixMicro(math.MaxInt64)

// roundsAtOnce is how many rounds are read in one statement.
const roundsAtOnce = 1000

// readEvidence adds what the states of rounds with a stake but no win, not even one of 0.00, depend on. The states of other
// rounds follow from their transactions.
func (s *Store) readEvidence(read *gorm.DB, rounds map[RoundKey]models.Round) error {
	var ids []string
	waiting := map[RoundKey]models.Round{}
	players, recent := map[int64]bool{}, map[int64]bool{}
	for k, r := range rounds {
		if r.Bets+r.Spins == 0 || r.HasResult() {
			continue
		}
		waiting[k] = r
		ids, players[k.Player] = append(ids, string(k.ID)), true
		if r.AsOf.Sub(r.StakedAt) < models.RoundSettles {
			recent[k.Player] = true
		}
	}
	if len(ids) == 0 {
		return nil
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	if err := s.laterRounds(read, waiting, recent); err != nil {
		return err
	}
	if err := s.casesOfRounds(read, waiting, ids); err != nil {
		return err
	}
	if err := s.settledRounds(read, waiting, ids, players); err != nil {
		return err
	}
	maps.Copy(rounds, waiting)
	return nil
}

// roundOf is a row of a query about rounds.
type roundOf struct {
	PlayerID int64
	RoundID  string
	ID       int64
	Number   int64
}

func (r roundOf) key() RoundKey { return RoundKey{r.PlayerID, models.RoundID(r.RoundID)} }

// areStakes is the condition for bets and free spins.
var areStakes = fmt.Sprintf("claim = 1 AND kind IN (%d, %d)", models.Bet, models.BetWin)

// laterRounds marks the rounds whose player has since placed a bet in another round.
func (s *Store) laterRounds(read *gorm.DB, rounds map[RoundKey]models.Round, players map[int64]bool) error {
	if len(players) == 0 {
		return nil
	}
	var rows []struct {
		PlayerID int64
		RoundID  *string
	}
	err := read.Raw("SELECT w.player_id, (SELECT round_id FROM postings"+db.Path{Index: "postings_player"}.Hint(s.db.Dialect)+
		" WHERE postings.player_id = w.player_id AND "+areStakes+
		" ORDER BY seq DESC, id DESC LIMIT 1) AS round_id FROM wallets w WHERE w.player_id IN ?",
		slices.Collect(maps.Keys(players))).Scan(&rows).Error
	if err != nil {
		return err
	}
	newest := map[int64]models.RoundID{}
	for _, r := range rows {
		if r.RoundID != nil {
			newest[r.PlayerID] = models.RoundID(*r.RoundID)
		}
	}
	for k, r := range rounds {
		if id, known := newest[k.Player]; known {
			r.Later = id != k.ID
			rounds[k] = r
		}
	}
	return nil
}

// casesOfRounds adds to each round its newest open case of RoundCaseRules, if any: the platform sees such a round differently.
func (s *Store) casesOfRounds(read *gorm.DB, rounds map[RoundKey]models.Round, ids []string) error {
	rows, err := db.All[roundOf](read, "SELECT e.player_id, e.round_id, MAX(c.id) AS id, MAX(e.id) AS number FROM postings e"+
		db.Path{Index: "postings_round"}.Hint(s.db.Dialect)+
		" CROSS JOIN cases c"+db.Path{Index: "cases_transaction"}.Hint(s.db.Dialect)+
		" ON c.transaction_number = e.id WHERE e.round_id IN ? AND e.claim = 1 AND c.state = ? AND c.rule IN ? "+
		"GROUP BY e.player_id, e.round_id",
		ids, uint8(models.CaseOpen), db.Ints(models.RoundCaseRules))
	for _, row := range rows {
		if r, ok := rounds[row.key()]; ok {
			r.CaseID, r.CaseAt = row.ID, row.Number
			rounds[row.key()] = r
		}
	}
	return err
}

// settledRounds marks the rounds that are lost according to a statement: it lists the same transactions as the ledger, and no
// win.
func (s *Store) settledRounds(read *gorm.DB, rounds map[RoundKey]models.Round, ids []string, players map[int64]bool) error {
	var first, last time.Time
	for _, r := range rounds {
		if first.IsZero() || r.At.Before(first) {
			first = r.At
		}
		if r.LastAt.After(last) {
			last = r.LastAt
		}
	}
	covers, err := statementCovers(read, first, last)
	if err != nil || len(covers) == 0 {
		return err
	}
	runs := make([]int64, len(covers))
	for i, c := range covers {
		runs[i] = c.RunID
	}
	type apart struct {
		run int64
		RoundKey
	}
	differ := map[apart]bool{}
	rows, err := db.All[roundOf](read, "SELECT DISTINCT e.player_id, e.round_id, d.run_id AS id FROM postings e"+
		db.Path{Index: "postings_round"}.Hint(s.db.Dialect)+
		" CROSS JOIN statement_differences d"+db.Path{Index: "statement_differences_ours"}.Hint(s.db.Dialect)+
		" ON d.our_number = e.id WHERE e.round_id IN ? AND e.claim = 1 AND d.run_id IN ?", ids, runs)
	if err != nil {
		return err
	}
	for _, r := range rows {
		differ[apart{r.ID, r.key()}] = true
	}
	// A transaction that only the platform has belongs to no round in the ledger. Until its difference is resolved, it may be a
	// win of any of the player's rounds.
	rows = nil
	err = read.Raw("SELECT DISTINCT player_id, run_id AS id FROM statement_differences"+
		db.Path{Index: "statement_differences_bucket"}.Hint(s.db.Dialect)+
		" WHERE run_id IN ? AND bucket = ? AND player_id IN ?", runs, uint8(models.OnlyTheirs),
		slices.Collect(maps.Keys(players))).Scan(&rows).Error
	if err != nil {
		return err
	}
	for _, r := range rows {
		differ[apart{r.ID, RoundKey{Player: r.PlayerID}}] = true
	}
	for k, r := range rounds {
		for _, c := range covers {
			if c.Settles(r) && !differ[apart{c.RunID, k}] && !differ[apart{c.RunID, RoundKey{Player: k.Player}}] {
				r.Settled = true
				rounds[k] = r
			}
		}
	}
	return nil
}

// statementCovers returns the latest finished comparison of each statement that overlaps the period and all of whose lines
// could be read.
func statementCovers(read *gorm.DB, from, to time.Time) ([]models.StatementCover, error) {
	var rows []struct{ RunID, AtUs, SinceUs, UntilUs, MarginUs int64 }
	err := read.Raw(`SELECT r.id AS run_id, s.at_us, s.since_us, s.until_us, s.margin_us FROM statements s
		JOIN statement_runs r ON r.id = (SELECT MAX(n.id) FROM statement_runs n WHERE n.statement_id = s.id AND n.state = ?)
		WHERE s.client_id = 0 AND s.since_us <= ? AND s.until_us > ? AND r.bad_lines = 0`, uint8(models.JobFinished), db.Micros(to),
		db.Micros(from)).Scan(&rows).Error
	if err != nil {
		return nil, err
	}
	covers := make([]models.StatementCover, len(rows))
	for i, r := range rows {
		margin := time.Duration(r.MarginUs) * time.Microsecond
		st := models.Statement{At: db.FromMicros(r.AtUs), Until: db.FromMicros(r.UntilUs)}
		covers[i] = models.StatementCover{RunID: r.RunID, From: db.FromMicros(r.SinceUs).Add(margin),
			Until: st.Ends().Add(-margin)}
	}
	return covers, nil
}

// pendingKeys returns the rounds of players' latest bets before at that are recent enough for a win to follow.
func (s *Store) pendingKeys(read *gorm.DB, at time.Time) ([]RoundKey, error) {
	since := at.Add(-models.RoundSettles)
	where, args, err := s.db.Numbers(read.Statement.Context, "postings", since, at)
	if err != nil {
		return nil, err
	}
	// The numbers of these postings are close together, so reading the table is faster than reading the index of times.
	newest, err := db.All[int64](read, "SELECT MAX(id) FROM postings"+db.Path{}.Hint(s.db.Dialect)+" WHERE "+where+
		" AND at_us > ? AND at_us < ? AND "+areStakes+" GROUP BY player_id",
		append(args, db.Micros(since), db.Micros(at))...)
	if err != nil {
		return nil, err
	}
	var keys []RoundKey
	for chunk := range slices.Chunk(newest, roundsAtOnce) {
		var rows []roundOf
		// A bet with its win in one transaction has its result.
		err := read.Raw("SELECT player_id, round_id FROM postings WHERE id IN ? AND kind = ?", chunk, uint8(models.Bet)).
			Scan(&rows).Error
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			keys = append(keys, r.key())
		}
	}
	return keys, nil
}

// StakesInPlay returns the money in play at an instant, by currency and separately for test players: the stakes of rounds that
// may still get a win according to models.RoundState. It depends only on what was booked before the instant, so it returns the
// same whenever it is called. It reads only the five minutes before the instant.
func (s *Store) StakesInPlay(ctx context.Context, at time.Time) ([]models.Stakes, error) {
	return s.StakesIn(s.db.Read.WithContext(ctx), at)
}

// StakesIn is StakesInPlay in a transaction.
func (s *Store) StakesIn(read *gorm.DB, at time.Time) ([]models.Stakes, error) {
	keys, err := s.pendingKeys(read, at)
	if err != nil {
		return nil, err
	}
	var rounds []models.Round
	for chunk := range slices.Chunk(keys, roundsAtOnce) {
		found, err := s.roundsBefore(read, chunk, at, at)
		if err != nil {
			return nil, err
		}
		for _, k := range chunk { // others may have the same RoundID
			if r, ok := found[k]; ok {
				rounds = append(rounds, r)
			}
		}
	}
	list := models.SumStakes(rounds)
	slices.SortFunc(list, func(a, b models.Stakes) int {
		test := map[bool]int{true: 1}
		return cmp.Or(cmp.Compare(a.Currency, b.Currency), test[a.Test]-test[b.Test])
	})
	return list, nil
}

// listPending lists rounds in play. There are few, found by the latest bets.
func (s *Store) listPending(ctx context.Context, f models.RoundFilter) (page models.Page[models.Round], err error) {
	// The added second includes a bet that was placed just now.
	keys, err := s.pendingKeys(s.db.Read.WithContext(ctx), s.db.Now().Add(time.Second))
	if err != nil {
		return page, err
	}
	for chunk := range slices.Chunk(keys, roundsAtOnce) {
		found, err := s.ReadRounds(ctx, chunk)
		if err != nil {
			return page, err
		}
		for _, k := range chunk {
			if r, ok := found[k]; ok && f.Selects(r) {
				page.Rows = append(page.Rows, r)
			}
		}
	}
	return models.Merge(f.Span, f.Place, page), nil
}

// transactionsWithCases returns a page of the transactions with an open case of RoundCaseRules. The work for a list of
// interrupted rounds does not depend on the length of the ledger: a round's place is its newest transaction with such a case.
func (s *Store) transactionsWithCases(ctx context.Context, f models.RoundFilter) (page models.Page[models.Cursor], err error) {
	l := db.List{Table: "cases", ID: "transaction_number", Span: f.Span, Filters: []db.Filter{
		db.If(true, "cases_rule", "state = ? AND rule IN ?", uint8(models.CaseOpen), db.Ints(models.RoundCaseRules)),
		db.If(true, "", "transaction_number > 0"), db.If(f.PlayerID != 0, "", "player_id = ?", f.PlayerID)}}
	page, err = s.db.Places(ctx, l)
	page.Rows = slices.CompactFunc(page.Rows, func(a, b models.Cursor) bool { return a.ID == b.ID }) // a case for each of two rules
	return page, err
}
