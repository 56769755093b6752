package books

import (
	"context"
	"database/sql"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/ledger"
	"pitboss/models/store/players"
)

// dayReading collects what lines of some wallets add up to.
type dayReading struct {
	days    map[dayKey]*dailySum
	minutes map[minuteKey]*models.DayFigures
	gaps    map[int64]bool // wallets with a missing line, whose later lines cannot be counted
	// dayOf returns the day on which a line counts, or false if it does not count.
	dayOf func(h *dayHead, spin bool, seq, us int64) (models.Day, bool)
}

func newDayReading() *dayReading {
	return &dayReading{days: map[dayKey]*dailySum{}, minutes: map[minuteKey]*models.DayFigures{}, gaps: map[int64]bool{}}
}

// add counts a line of a wallet, of this time, on a day and in its minute. It returns the wallet's row of the day.
func (r *dayReading) add(day models.Day, h *dayHead, us int64, count func(*models.DayFigures)) *dailySum {
	k := dayKey{day, h.PlayerID}
	if r.days[k] == nil {
		r.days[k] = &dailySum{Day: string(day), PlayerID: h.PlayerID, Currency: h.Currency, Test: h.Test}
	}
	minute := minuteKey{us - us%time.Minute.Microseconds(), h.Currency, h.Test, day}
	if r.minutes[minute] == nil {
		r.minutes[minute] = &models.DayFigures{}
	}
	count(&r.days[k].DayFigures)
	count(r.minutes[minute])
	return r.days[k]
}

// within writes a condition for the lines of these wallets within their bounds, and reports whether there may be any.
func within(q *db.Statement, alias string, heads []dayHead, bounds func(*dayHead) (after, to int64)) (any bool) {
	for i := range heads {
		after, to := bounds(&heads[i])
		if after >= to {
			continue
		}
		if any {
			q.Add(" OR ")
		}
		any = true
		q.Add("("+alias+"player_id = ? AND "+alias+"seq > ? AND "+alias+"seq <= ?)", heads[i].PlayerID, after, to)
	}
	return any
}

// postingBounds are the bounds of postings: a posting with two lines may extend past the end.
func postingBounds(h *dayHead) (int64, int64) {
	if h.Seq >= h.WalletSeq {
		return h.Seq, h.Seq
	}
	return h.Seq, h.WalletSeq + 1
}

func spinBounds(h *dayHead) (int64, int64) { return h.SpinSeq, h.WalletSpinSeq }

// read adds the lines from the heads to the ends of the wallets, in the order of players and numbers, and moves the heads.
func (r *dayReading) read(snapshot *gorm.DB, s *Store, heads []dayHead) error {
	ctx, conn := snapshot.Statement.Context, snapshot.Statement.ConnPool
	of := make(map[int64]*dayHead, len(heads))
	for i := range heads {
		of[heads[i].PlayerID] = &heads[i]
	}
	var q db.Statement
	s.selectLines(&q).Add("e.free_spin = 0 AND (")
	if within(&q, "e.", heads, postingBounds) {
		err := scanLines(ctx, conn, q.Add(") ORDER BY e.player_id, e.seq"), func(e *models.Entry, ofSpin bool) {
			h := of[e.PlayerID]
			if e.Seq <= h.Seq || e.Seq > h.WalletSeq {
				return // the other line of a posting at one of the bounds
			}
			day, counts := r.dayOf(h, false, e.Seq, db.Micros(e.At))
			if !counts {
				return
			}
			row := r.add(day, h, db.Micros(e.At), func(f *models.DayFigures) { countLine(f, e, ofSpin) })
			row.win(e)
			if row.FromSeq == 0 {
				row.FromSeq = e.Seq
			}
			row.ToSeq, h.Seq, h.BalanceMinor, h.Day = e.Seq, e.Seq, int64(e.After), string(day)
			h.HeldMinor += int64(e.Held)
		})
		if err != nil {
			return err
		}
	}
	q.Begin("SELECT player_id, seq, spins, stake_minor, at_us FROM spin_entries WHERE ")
	if !within(&q, "", heads, spinBounds) {
		return nil
	}
	return q.Add(" ORDER BY player_id, seq").Query(ctx, conn, func(rows *sql.Rows) error {
		var e models.SpinEntry
		var at int64
		if err := rows.Scan(&e.PlayerID, &e.Seq, &e.Spins, (*int64)(&e.Stake), &at); err != nil {
			return err
		}
		h := of[e.PlayerID]
		if day, counts := r.dayOf(h, true, e.Seq, at); counts {
			row := r.add(day, h, at, func(f *models.DayFigures) { countSpin(f, &e) })
			if row.FromSpinSeq == 0 {
				row.FromSpinSeq = e.Seq
			}
			row.ToSpinSeq, h.SpinSeq, h.SpinDay = e.Seq, e.Seq, string(day)
		}
		return nil
	})
}

// selectLines begins a query for the lines of postings e, which scanLines runs. A condition has to follow. Left to its own
// estimates, MariaDB sometimes starts with all wallets and reads their whole ledgers.
func (s *Store) selectLines(q *db.Statement) *db.Statement {
	return q.Begin("SELECT " + players.OfSpins(s.db.Dialect, "e", "w.spin_seq") + ", " + ledger.SelectOf("e") + " FROM postings e" +
		s.db.Dialect.JoinInOrder() + "wallets w ON w.player_id = e.player_id WHERE ")
}

// scanLines calls line for each line of the postings that a query of selectLines finds, and tells it whether the line is a win
// of a free spin or the rollback of one.
func scanLines(ctx context.Context, conn db.Queryer, q *db.Statement, line func(e *models.Entry, ofSpin bool)) error {
	return q.Query(ctx, conn, func(rows *sql.Rows) error {
		var ofSpin bool
		p, err := ledger.ScanPosting(rows, &ofSpin)
		for _, e := range p.Entries("") {
			line(&e, ofSpin)
		}
		return err
	})
}
