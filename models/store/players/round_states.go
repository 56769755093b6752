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

// What the states of rounds depend on besides the rounds themselves (models/round.go), and lists of the states that few rounds
// are in. Nothing here is stored: each page of rounds asks a fixed number of questions, each answered along an index.

// endOfTime is later than every posting.
var endOfTime = time.UnixMicro(math.MaxInt64)

// roundsAtOnce is how many rounds are read in one statement.
const roundsAtOnce = 1000

// signsOf fills in the signs of rounds in which stakes stand and no win does, not even one of 0.00. The others need none.
func (s *Store) signsOf(read *gorm.DB, rounds map[RoundKey]models.Round) error {
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
		return fmt.Errorf("look for later rounds: %w", err)
	}
	if err := s.casesOfRounds(read, waiting, ids); err != nil {
		return fmt.Errorf("look for cases of rounds: %w", err)
	}
	if err := s.settledRounds(read, waiting, ids, players); err != nil {
		return fmt.Errorf("look for statements about rounds: %w", err)
	}
	maps.Copy(rounds, waiting)
	return nil
}

// roundOf is a round, and something that concerns it.
type roundOf struct {
	PlayerID int64
	RoundID  string
	ID       int64
	Number   int64
}

func (r roundOf) key() RoundKey { return RoundKey{r.PlayerID, models.RoundID(r.RoundID)} }

// areStakes are bets and free spins.
var areStakes = fmt.Sprintf("claim = 1 AND kind IN (%d, %d)", models.Bet, models.BetWin)

// laterRounds notes which rounds are not the ones in which their players have placed their newest bets.
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

func roundCaseRules() []int { // GORM takes a list of bytes for one value
	list := make([]int, len(models.RoundCaseRules))
	for i, rule := range models.RoundCaseRules {
		list[i] = int(rule)
	}
	return list
}

// casesOfRounds notes which rounds have an open case by which the platform sees them differently.
func (s *Store) casesOfRounds(read *gorm.DB, rounds map[RoundKey]models.Round, ids []string) error {
	var rows []roundOf
	err := read.Raw("SELECT e.player_id, e.round_id, MAX(c.id) AS id, MAX(e.id) AS number FROM postings e"+
		db.Path{Index: "postings_round"}.Hint(s.db.Dialect)+
		" CROSS JOIN cases c"+db.Path{Index: "cases_transaction"}.Hint(s.db.Dialect)+
		" ON c.transaction_number = e.id WHERE e.round_id IN ? AND e.claim = 1 AND c.state = ? AND c.rule IN ? "+
		"GROUP BY e.player_id, e.round_id",
		ids, uint8(models.CaseOpen), roundCaseRules()).Scan(&rows).Error
	for _, row := range rows {
		if r, ok := rounds[row.key()]; ok {
			r.CaseID, r.CaseAt = row.ID, row.Number
			rounds[row.key()] = r
		}
	}
	return err
}

// settledRounds notes which rounds a statement proves to be lost: it lists their transactions as we have them, and no win.
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
	var rows []roundOf
	err = read.Raw("SELECT DISTINCT e.player_id, e.round_id, d.run_id AS id FROM postings e"+
		db.Path{Index: "postings_round"}.Hint(s.db.Dialect)+
		" CROSS JOIN statement_differences d"+db.Path{Index: "statement_differences_ours"}.Hint(s.db.Dialect)+
		" ON d.our_number = e.id WHERE e.round_id IN ? AND e.claim = 1 AND d.run_id IN ?", ids, runs).Scan(&rows).Error
	if err != nil {
		return err
	}
	for _, r := range rows {
		differ[apart{r.ID, r.key()}] = true
	}
	// A transaction that only the platform has names no round of ours. Until somebody has dealt with it, it may be any round's
	// win.
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

// statementCovers returns the newest finished comparison of each statement that covers any of this time and of which every line
// could be read.
func statementCovers(read *gorm.DB, from, to time.Time) ([]models.StatementCover, error) {
	var rows []struct{ RunID, AtUs, SinceUs, UntilUs, MarginUs int64 }
	err := read.Raw(`SELECT r.id AS run_id, s.at_us, s.since_us, s.until_us, s.margin_us FROM statements s
		JOIN statement_runs r ON r.id = (SELECT MAX(n.id) FROM statement_runs n WHERE n.statement_id = s.id AND n.state = ?)
		WHERE s.since_us <= ? AND s.until_us > ? AND r.bad_lines = 0`, uint8(models.RunFinished), db.Micros(to),
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

// pendingKeys returns the rounds in which players placed their newest bets before an instant, where that was so shortly before
// it that a win may still come.
func (s *Store) pendingKeys(read *gorm.DB, at time.Time) ([]RoundKey, error) {
	since := at.Add(-models.RoundSettles)
	w := &db.Walk{Table: "postings"}
	if err := s.db.Between(read.Statement.Context, w, since, at); err != nil {
		return nil, err
	}
	// Their numbers are next to each other, so the table itself is read, which is quicker than by the index of times.
	where, args := w.Window()
	var newest []int64
	err := read.Raw("SELECT MAX(id) FROM postings"+db.Path{}.Hint(s.db.Dialect)+" WHERE "+where+
		" AND at_us > ? AND at_us < ? AND "+areStakes+" GROUP BY player_id",
		append(args, db.Micros(since), db.Micros(at))...).Scan(&newest).Error
	if err != nil {
		return nil, err
	}
	var keys []RoundKey
	for chunk := range slices.Chunk(newest, roundsAtOnce) {
		var rows []roundOf
		// A bet with its win in one has its result.
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

// StakesInPlay returns the money in play at an instant, by currency and apart for test players: the stakes of rounds to which a
// win may still come by the rules of models.RoundState. It depends on the ledger alone, and on nothing booked at the instant or
// later, so it comes out the same whenever it is asked for. Only the five minutes of play before the instant are read.
func (s *Store) StakesInPlay(ctx context.Context, at time.Time) ([]models.Stakes, error) {
	return s.StakesIn(s.db.Read.WithContext(ctx), at)
}

// StakesIn is StakesInPlay within a transaction.
func (s *Store) StakesIn(read *gorm.DB, at time.Time) ([]models.Stakes, error) {
	keys, err := s.pendingKeys(read, at)
	if err != nil {
		return nil, fmt.Errorf("find rounds in play: %w", err)
	}
	var rounds []models.Round
	for chunk := range slices.Chunk(keys, roundsAtOnce) {
		found, err := s.roundsBefore(read, chunk, at, at)
		if err != nil {
			return nil, fmt.Errorf("read rounds in play: %w", err)
		}
		for _, k := range chunk { // others share the RoundID
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

// listPending lists rounds in play: they are few, and found by the newest bets.
func (s *Store) listPending(ctx context.Context, f models.RoundFilter) (page models.Page[models.Round], err error) {
	// A bet of this very instant is among them.
	keys, err := s.pendingKeys(s.db.Read.WithContext(ctx), s.db.Now().Add(time.Second))
	if err != nil {
		return page, err
	}
	var list []models.Round
	for chunk := range slices.Chunk(keys, roundsAtOnce) {
		found, err := s.ReadRounds(ctx, chunk)
		if err != nil {
			return page, err
		}
		for _, k := range chunk {
			r, ok := found[k]
			if ok && f.Selects(r) && (f.Page.ID == 0 || f.Page.Newer == (r.ID > f.Page.ID) && r.ID != f.Page.ID) {
				list = append(list, r)
			}
		}
	}
	slices.SortFunc(list, func(a, b models.Round) int { return cmp.Compare(b.ID, a.ID) })
	if page.More = len(list) > f.Limit; page.More && f.Page.Newer {
		list = list[len(list)-f.Limit:]
	} else if page.More {
		list = list[:f.Limit]
	}
	page.Rows = list
	return page, nil
}

// listInterrupted lists interrupted rounds by the transactions that their open cases are about: nothing else is looked at,
// however long the ledger is. A round's place in the list is its newest such transaction.
func (s *Store) listInterrupted(ctx context.Context, f models.RoundFilter) (page models.Page[models.Round], err error) {
	for from, chunk := f.Page.ID, 3*f.Limit+3; ; chunk = min(2*chunk, roundsAtOnce) {
		ids, err := s.transactionsWithCases(ctx, f, from, chunk)
		if err != nil {
			return page, err
		}
		found, err := s.roundsAt(ctx, ids, f)
		if err != nil {
			return page, err
		}
		for _, r := range found {
			if f.Selects(r) {
				page.Rows = append(page.Rows, r)
			}
		}
		if page.More = len(page.Rows) > f.Limit; page.More || len(ids) < chunk {
			break
		}
		from = ids[len(ids)-1]
	}
	if page.More {
		page.Rows = page.Rows[:f.Limit]
	}
	if f.Page.Newer {
		slices.Reverse(page.Rows)
	}
	return page, nil
}

// transactionsWithCases returns up to limit transactions, behind one in the direction of the filter's page, that have an open
// case by which the platform sees them differently.
func (s *Store) transactionsWithCases(ctx context.Context, f models.RoundFilter, from int64,
	limit int) (ids []int64, err error) {
	query := "SELECT DISTINCT transaction_number FROM cases" + db.Path{Index: "cases_rule"}.Hint(s.db.Dialect) +
		" WHERE state = ? AND rule IN ? AND transaction_number > 0"
	args := []any{uint8(models.CaseOpen), roundCaseRules()}
	if f.PlayerID != 0 {
		query, args = query+" AND player_id = ?", append(args, f.PlayerID)
	}
	past, order := "<", " DESC"
	if f.Page.Newer {
		past, order = ">", ""
	}
	if from != 0 {
		query, args = query+" AND transaction_number "+past+" ?", append(args, from)
	}
	err = s.db.Read.WithContext(ctx).Raw(query+" ORDER BY transaction_number"+order+" LIMIT ?", append(args, limit)...).
		Scan(&ids).Error
	return ids, err
}
