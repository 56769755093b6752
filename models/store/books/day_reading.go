package books

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
	"slices"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/ledger"
	"pitboss/models/store/players"
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
		came := models.Amount(h.BeganMinor).Sub(models.Amount(h.BalanceMinor))
		row.Openings, row.Moved = row.Openings.Add(came), row.Moved.Add(came)
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

// read adds the lines from the heads to the ends of the wallets, and moves the heads. It reads one snapshot, so a purge cannot
// archive a free spin between reading the lines and looking for its wins.
func (r *dayReading) read(ctx context.Context, s *Store, heads []dayHead) error {
	of := make(map[int64]*dayHead, len(heads))
	for i := range heads {
		of[heads[i].PlayerID] = &heads[i]
	}
	snapshot, err := s.db.Snapshot(ctx)
	if err != nil {
		return err
	}
	defer snapshot.Rollback()
	read := s.db.Read.WithContext(ctx)
	read.Statement.ConnPool = snapshot
	return s.eachLine(read, heads, func(e *models.Entry, ofSpin bool) {
		h := of[e.PlayerID]
		if e.Seq != h.Seq+1 {
			r.gaps[e.PlayerID] = true
			return
		}
		day := r.of(db.Micros(e.At), h.Day)
		row := r.row(day, h)
		countLine(&row.DayFigures, e, ofSpin)
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

// eachLine calls money for each of the wallets' lines within their bounds, and tells it whether the line is a win of a free
// spin or the rollback of one. Then it calls spin for each of their free spins. Both are called in the order of players and
// numbers. Of a free spin it reads only the player, the number, the spins, the stake and the time.
func (s *Store) eachLine(read *gorm.DB, heads []dayHead, money func(e *models.Entry, ofSpin bool),
	spin func(*models.SpinEntry)) error {
	for part := range parts(heads, dayLines) {
		if err := s.eachMoneyLine(read, part, money); err != nil {
			return fmt.Errorf("read entries: %w", err)
		}
	}
	ctx, conn := read.Statement.Context, read.Statement.ConnPool
	var q db.Statement
	if q.Begin("SELECT player_id, seq, spins, stake_minor, at_us FROM spin_entries WHERE "); within(&q, "", heads, spinBounds) {
		err := q.Text(" ORDER BY player_id, seq").Query(ctx, conn, func(rows *sql.Rows) error {
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

// parts divides the wallets' lines of money into parts of up to limit lines, in their order.
func parts(heads []dayHead, limit int64) iter.Seq[[]dayHead] {
	return func(yield func([]dayHead) bool) {
		var part []dayHead
		room := limit
		for _, h := range heads {
			for end := h.WalletSeq; h.Seq < end; h.Seq = h.WalletSeq {
				h.WalletSeq = min(end, h.Seq+room)
				part, room = append(part, h), room-(h.WalletSeq-h.Seq)
				if room == 0 {
					if !yield(part) {
						return
					}
					part, room = nil, limit
				}
			}
		}
		if len(part) > 0 {
			yield(part)
		}
	}
}

// eachMoneyLine does what eachLine does for a part of the lines of money. It keeps them in memory until it knows which are wins
// of free spins.
func (s *Store) eachMoneyLine(read *gorm.DB, part []dayHead, money func(e *models.Entry, ofSpin bool)) error {
	ctx, conn := read.Statement.Context, read.Statement.ConnPool
	var q db.Statement
	within(q.Begin(ledger.SelectPostings+" WHERE free_spin = 0 AND ("), "", part, postingBounds)
	of := make(map[int64]dayHead, len(part))
	for _, h := range part {
		of[h.PlayerID] = h
	}
	var postings []models.Posting
	var wins []int64 // the postings that may be wins of free spins
	err := q.Text(") ORDER BY player_id, seq").Query(ctx, conn, func(rows *sql.Rows) error {
		p, err := ledger.ScanPosting(rows)
		if postings = append(postings, p); p.Kind == models.Win && of[p.PlayerID].WalletSpinSeq > 0 {
			wins = append(wins, p.ID)
		}
		return err
	})
	if err != nil {
		return err
	}
	ofSpins := map[[2]int64]bool{}
	for chunk := range slices.Chunk(wins, players.ImportChunk) {
		if err := s.findWinsOfSpins(read, ofSpins, "e.id IN ?", chunk); err != nil {
			return err
		}
	}
	for i := range postings {
		for _, e := range postings[i].Entries("") {
			if h := of[e.PlayerID]; e.Seq > h.Seq && e.Seq <= h.WalletSeq {
				money(&e, ofSpins[[2]int64{e.PlayerID, e.Seq}])
			}
		}
	}
	return nil
}

// findWinsOfSpins adds to wins the player and number of each posting e that matches an SQL condition and is a win of a free
// spin or the rollback of one.
func (s *Store) findWinsOfSpins(read *gorm.DB, wins map[[2]int64]bool, which string, args ...any) error {
	lines, err := s.winsInSpinRounds(read, which, args...)
	if err != nil {
		return fmt.Errorf("find wins of free spins: %w", err)
	}
	for _, l := range lines {
		wins[[2]int64{l.PlayerID, l.Seq}] = true
	}
	return nil
}
