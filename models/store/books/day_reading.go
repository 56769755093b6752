package books

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/ledger"
)

// dayReading collects what the new lines of some wallets add to the days.
type dayReading struct {
	calendar
	sums   map[dayKey]*dailySum
	before map[int64]dayHead // the heads at the beginning
	gaps   map[int64]bool    // wallets with a missing line, whose later lines cannot be counted
}

func (r *dayReading) row(day models.Day, h *dayHead) *dailySum {
	k := dayKey{day, h.PlayerID}
	if r.sums[k] == nil {
		r.sums[k] = &dailySum{Day: string(day), PlayerID: h.PlayerID, Currency: h.Currency, Test: h.Test}
	}
	return r.sums[k]
}

// carry counts lines that a purge archived before they were summed. Only their effect on the balance is known. It counts on the
// day of the latest of them.
func (r *dayReading) carry(h *dayHead) {
	day := r.of(h.BeganUs, h.Day)
	if h.BeganSeq > h.Seq {
		row := r.row(day, h)
		came := models.SumOf(models.Amount(h.BeganMinor)).Minus(models.SumOf(models.Amount(h.BalanceMinor)))
		row.Openings, row.Moved = row.Openings.Plus(came), row.Moved.Plus(came)
		h.Seq, h.BalanceMinor, h.Day = h.BeganSeq, h.BeganMinor, string(day)
	}
	h.SpinSeq = max(h.SpinSeq, h.BeganSpins)
}

// within writes a condition for the lines of these wallets within their bounds, and reports whether there may be any.
func within(q *db.Statement, alias string, heads []dayHead, bounds func(*dayHead) (after, to int64)) (any bool) {
	for i := range heads {
		after, to := bounds(&heads[i])
		if after >= to {
			continue
		}
		if any {
			q.Text(" OR ")
		}
		any = true
		q.Text("(" + alias + "player_id = ").Number(heads[i].PlayerID).Text(" AND " + alias + "seq > ").Number(after).
			Text(" AND " + alias + "seq <= ").Number(to).Text(")")
	}
	return any
}

func moneyBounds(h *dayHead) (int64, int64) { return h.Seq, h.WalletSeq }

// postingBounds are the bounds of postings: a posting with two lines may extend past the end.
func postingBounds(h *dayHead) (int64, int64) {
	if h.Seq >= h.WalletSeq {
		return h.Seq, h.Seq
	}
	return h.Seq, h.WalletSeq + 1
}

func spinBounds(h *dayHead) (int64, int64) { return h.SpinSeq, h.WalletSpinSeq }

// read adds the lines from the heads to the ends of the wallets, and moves the heads.
func (r *dayReading) read(ctx context.Context, s *Store, heads []dayHead) error {
	of := make(map[int64]*dayHead, len(heads))
	for i := range heads {
		of[heads[i].PlayerID] = &heads[i]
	}
	wins, err := s.winsOfSpins(s.db.Read.WithContext(ctx), heads)
	if err != nil {
		return err
	}
	return eachLine(ctx, s.db.Reads, heads, func(e *models.Entry) {
		h := of[e.PlayerID]
		if e.Seq != h.Seq+1 {
			r.gaps[e.PlayerID] = true
			return
		}
		day := r.of(db.Micros(e.At), h.Day)
		row := r.row(day, h)
		countLine(&row.DayFigures, e.Kind, e.Amount, wins[[2]int64{e.PlayerID, e.Seq}])
		if row.FromSeq == 0 {
			row.FromSeq = e.Seq
		}
		row.ToSeq, h.Seq, h.BalanceMinor, h.Day = e.Seq, e.Seq, int64(e.After), string(day)
	}, func(e *models.SpinEntry) {
		h := of[e.PlayerID]
		if e.Seq != h.SpinSeq+1 {
			r.gaps[e.PlayerID] = true
			return
		}
		day := r.of(db.Micros(e.At), h.SpinDay)
		row := r.row(day, h)
		countSpin(&row.DayFigures, e)
		if row.FromSpinSeq == 0 {
			row.FromSpinSeq = e.Seq
		}
		row.ToSpinSeq, h.SpinSeq, h.SpinDay = e.Seq, e.Seq, string(day)
	})
}

// eachLine calls money for each of the wallets' lines within their bounds, then spin for each of their free spins, in order. Of
// a free spin it reads only the player, the number, the spins, the stake and the time.
func eachLine(ctx context.Context, read db.Queryer, heads []dayHead, money func(*models.Entry),
	spin func(*models.SpinEntry)) error {
	var q db.Statement
	if q.Begin(ledger.SelectPostings + " WHERE free_spin = 0 AND ("); within(&q, "", heads, postingBounds) {
		of := make(map[int64]*dayHead, len(heads))
		for i := range heads {
			of[heads[i].PlayerID] = &dayHead{Seq: heads[i].Seq, WalletSeq: heads[i].WalletSeq}
		}
		err := q.Text(") ORDER BY player_id, seq").Query(ctx, read, func(rows *sql.Rows) error {
			p, err := ledger.ScanPosting(rows)
			if err != nil {
				return err
			}
			for _, e := range p.Entries("") {
				if h := of[p.PlayerID]; e.Seq > h.Seq && e.Seq <= h.WalletSeq {
					money(&e)
				}
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("read entries: %w", err)
		}
	}
	if q.Begin("SELECT player_id, seq, spins, stake_minor, at_us FROM spin_entries WHERE "); within(&q, "", heads, spinBounds) {
		err := q.Text(" ORDER BY player_id, seq").Query(ctx, read, func(rows *sql.Rows) error {
			var e models.SpinEntry
			var at int64
			if err := rows.Scan(&e.PlayerID, &e.Seq, &e.Spins, (*int64)(&e.Stake), &at); err != nil {
				return err
			}
			e.At = db.FromMicros(at)
			spin(&e)
			return nil
		})
		if err != nil {
			return fmt.Errorf("read free spins: %w", err)
		}
	}
	return nil
}

// winsOfSpins returns which of the wallets' new lines are wins of free spins or rollbacks of such wins, by player and number.
func (s *Store) winsOfSpins(read *gorm.DB, heads []dayHead) (map[[2]int64]bool, error) {
	var q db.Statement
	spun := slices.DeleteFunc(slices.Clone(heads), func(h dayHead) bool { return h.WalletSpinSeq == 0 })
	if !within(q.Begin(""), "e.", spun, moneyBounds) {
		return nil, nil
	}
	lines, err := s.winsInSpinRounds(read, "("+string(q.Buf)+")")
	if err != nil {
		return nil, fmt.Errorf("find wins of free spins: %w", err)
	}
	wins := make(map[[2]int64]bool, len(lines))
	for _, l := range lines {
		wins[[2]int64{l.PlayerID, l.Seq}] = true
	}
	return wins, nil
}
