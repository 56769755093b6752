package books

import (
	"context"
	"errors"
	"strings"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// Sums of the ledger for reports and the overview: of each player's days (daily_sums), of days (daily_totals) and of minutes
// (money_minutes). models/report.go has the rules for which line counts when.
//
// Each wallet has a head, the line up to which it is summed. FollowDays adds the lines after it and moves it in the same
// transaction, so each line counts once, however late it commits. Lines are found by the wallets' own numbers, which have no
// gaps; a position among all postings would miss those that commit after higher numbers. Closed days are final; RebuildDays, or
// a change of the zone, recalculates the others.

// errOvertaken means that another run has locked the sums in the meantime.
var errOvertaken = errors.New("another instance did it first")

const dayFollower = db.DaySums

// The follower's position is the time up to which all lines are included, or one of these values.
const (
	daysNever     int64 = 0                // the first run has not caught up yet
	daysForgotten       = db.DaysForgotten // the rows of open days have to be deleted first
)

const (
	dayWallets = 200    // up to this many wallets are read at once
	dayLines   = 50_000 // and about this many of their lines
)

type dailySum struct {
	Day         string
	PlayerID    int64
	Currency    string
	Test        bool
	FromSeq     int64
	ToSeq       int64
	FromSpinSeq int64
	ToSpinSeq   int64
	models.DayFigures
	LargestWinMinor int64 // of one transaction, even if it was rolled back later; 0 if there was none
	LargestWinSeq   int64
}

// win notes a win if it is the largest of the row.
func (d *dailySum) win(e *models.Entry) {
	if e.Kind == models.EntryWin && int64(e.Amount) > d.LargestWinMinor {
		d.LargestWinMinor, d.LargestWinSeq = int64(e.Amount), e.Seq
	}
}

// covers reports whether a line of money or of free spins is on the row's day.
func (d *dailySum) covers(spin bool, seq int64) bool {
	if spin {
		return d.FromSpinSeq > 0 && d.FromSpinSeq <= seq && seq <= d.ToSpinSeq
	}
	return d.FromSeq > 0 && d.FromSeq <= seq && seq <= d.ToSeq
}

type dayKey struct {
	day    models.Day
	player int64
}

// minuteKey is the key of money_minutes. Minutes of a day add up to its total.
type minuteKey struct {
	us       int64
	currency string
	test     bool
	day      models.Day
}

// dayHead says up to which line a wallet has been summed, and which line is its last.
type dayHead struct {
	PlayerID      int64
	Currency      string
	Test          bool
	Seq           int64
	BalanceMinor  int64
	HeldMinor     int64
	Day           string
	SpinSeq       int64
	SpinDay       string
	WalletSeq     int64
	WalletSpinSeq int64
}

// dayRules determine on which day a line counts.
type dayRules struct {
	zone      *time.Location
	zoneName  string
	firstOpen models.Day // empty if no day is closed
	openSince time.Time  // when firstOpen begins; zero if no day is closed
}

func (s *Store) dayRules(tx *gorm.DB) (r dayRules, err error) {
	if r.zoneName, err = s.db.ReadReportZone(tx); err != nil {
		return r, err
	}
	if r.zone, err = time.LoadLocation(r.zoneName); err != nil {
		return r, models.TamperedError{Object: "setting", ObjectID: models.ReportZoneSetting}
	}
	last, err := db.Find[models.ClosedDay](tx.Order("day DESC").Limit(1))
	if err != nil {
		return r, err
	}
	if len(last) == 1 {
		if _, err := models.ParseDay(string(last[0].Day)); err != nil {
			return r, models.TamperedError{Object: "day", ObjectID: string(last[0].Day)}
		}
		r.firstOpen, r.openSince = last[0].Day.Add(1), last[0].Until
	}
	return r, nil
}

// calendar finds the days of many lines. It keeps the latest day, because most lines have the same day as the line before them.
type calendar struct {
	dayRules
	day      models.Day
	from, to int64
}

// of returns the day on which a line with this time counts. before is the day of the wallet's previous line: a line never
// counts on an earlier day than that one.
func (c *calendar) of(us int64, before string) models.Day {
	if us < c.from || us >= c.to {
		c.day = models.DayOf(db.FromMicros(us), c.zone)
		c.from, c.to = db.Micros(c.day.Begin(c.zone)), db.Micros(c.day.End(c.zone))
	}
	return max(c.day, c.firstOpen, models.Day(before))
}

// ReportZone returns the time zone of the days in reports.
func (s *Store) ReportZone(ctx context.Context) (string, error) {
	return s.db.ReadReportZone(s.db.Read.WithContext(ctx))
}

// ZonesOfDays returns the zones in which the days between from and to, inclusive, are counted. Closed days keep theirs.
func (s *Store) ZonesOfDays(ctx context.Context, from, to models.Day) ([]models.ZoneDays, error) {
	read := s.db.Read.WithContext(ctx)
	rules, err := s.dayRules(read)
	if err != nil {
		return nil, err
	}
	list, err := db.All[models.ZoneDays](read,
		"SELECT zone, MAX(day) AS last FROM closed_days WHERE day >= ? AND day <= ? GROUP BY zone ORDER BY last", from, to)
	if err == nil && to >= rules.firstOpen && (len(list) == 0 || list[len(list)-1].Zone != rules.zoneName) {
		list = append(list, models.ZoneDays{Zone: rules.zoneName})
	}
	return list, err
}

// RebuildDays recalculates the sums of all days that are not closed from the ledger. They are incomplete until it returns.
func (s *Store) RebuildDays(ctx context.Context) error {
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		if _, err := dayFollower.Lock(s.db, tx); err != nil {
			return err
		}
		return dayFollower.Move(s.db, tx, daysForgotten)
	})
	if err == nil {
		_, err = s.FollowDays(ctx)
	}
	return err
}

// DaysUpTo returns the time up to which the sums of days include every line, or zero while they are being calculated for the
// first time or recalculated.
func (s *Store) DaysUpTo(ctx context.Context) (time.Time, error) {
	place, err := dayFollower.Position(s.db, s.db.Read.WithContext(ctx))
	if err != nil || place <= daysNever {
		return time.Time{}, err
	}
	return db.FromMicros(place), nil
}

// FollowDays adds every new line to the sums of its day, and returns the time up to which they are complete. Several runs may
// overlap, on any instances; if another run was faster, this one reads again. If a line of a wallet is missing, the wallet's
// later lines cannot be counted: it counts all other wallets and returns models.ErrDayGap.
func (s *Store) FollowDays(ctx context.Context) (time.Time, error) {
	if err := s.db.ReadClock(ctx); err != nil {
		return time.Time{}, err
	}
	begun := s.db.Now()
	if err := s.forgetDays(ctx); err != nil {
		return time.Time{}, err
	}
	for last, overtaken, broken := int64(0), 0, 0; ; {
		next, gaps, done, err := s.followWallets(ctx, last)
		switch {
		case errors.Is(err, errOvertaken) && overtaken < 100:
			overtaken++
		case err != nil:
			return time.Time{}, err
		case done && broken > 0:
			return time.Time{}, models.ErrDayGap
		case done:
			return begun, s.db.Change(ctx, func(tx *gorm.DB) error {
				at, err := dayFollower.Lock(s.db, tx)
				if err == nil {
					err = s.orderEvents(tx, nil)
				}
				if err != nil || at == daysForgotten || at > db.Micros(begun) {
					return err
				}
				return dayFollower.Move(s.db, tx, db.Micros(begun))
			})
		default:
			last, overtaken, broken = next, 0, broken+gaps
		}
	}
}

// forgetDays deletes the rows of open days if RebuildDays or a change of the zone requested it, one day at a time, and moves
// the heads back. If it is killed, the next run continues.
func (s *Store) forgetDays(ctx context.Context) error {
	place, err := dayFollower.Position(s.db, s.db.Read.WithContext(ctx))
	if err != nil || place != daysForgotten {
		return err
	}
	for done := false; !done; {
		err := s.db.Change(ctx, func(tx *gorm.DB) error {
			place, err := dayFollower.Lock(s.db, tx)
			if err != nil {
				return err
			}
			if done = place != daysForgotten; done {
				return nil
			}
			rules, err := s.dayRules(tx)
			if err != nil {
				return err
			}
			days, err := db.All[string](tx, "SELECT day FROM daily_sums WHERE day >= ? ORDER BY day LIMIT 1", rules.firstOpen)
			if err != nil {
				return err
			}
			if len(days) == 1 {
				return tx.Exec("DELETE FROM daily_sums WHERE day = ?", days[0]).Error
			}
			for _, q := range []string{"DELETE FROM daily_totals WHERE day >= ?", "DELETE FROM money_minutes WHERE day >= ?",
				"DELETE FROM daily_heads WHERE day >= ? OR spin_day >= ?"} {
				args := []any{rules.firstOpen, rules.firstOpen}
				if err := tx.Exec(q, args[:strings.Count(q, "?")]...).Error; err != nil {
					return err
				}
			}
			// A wallet's new head is the end of its closed days: their last line and the balance after it.
			err = tx.Exec(`INSERT INTO daily_heads (player_id, currency, test, seq, balance_minor, held_minor, day, spin_seq,
					spin_day)
				SELECT d.player_id, MAX(d.currency), MAX(d.test), MAX(d.to_seq), SUM(d.moved_minor),
					SUM(d.requested_minor - d.returned_minor - d.paid_minor), COALESCE(MAX(CASE WHEN d.to_seq > 0 THEN d.day END), ''),
					MAX(d.to_spin_seq), COALESCE(MAX(CASE WHEN d.to_spin_seq > 0 THEN d.day END), '')
				FROM daily_sums d LEFT JOIN daily_heads h ON h.player_id = d.player_id
		WHERE h.player_id IS NULL GROUP BY d.player_id`).Error
			if err != nil {
				return err
			}
			return dayFollower.Move(s.db, tx, daysNever)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// followWallets adds the new lines of some wallets whose players have numbers above after. It returns the number to continue
// after, and how many of these wallets have a missing line. done means that no wallet was left.
func (s *Store) followWallets(ctx context.Context, after int64) (last int64, gaps int, done bool, err error) {
	read := s.db.Read.WithContext(ctx)
	turn, err := s.turns(read)
	if err != nil {
		return 0, 0, false, err
	}
	rules, err := s.dayRules(read)
	if err != nil {
		return 0, 0, false, err
	}
	heads, err := db.All[dayHead](read, `SELECT w.player_id, w.currency, COALESCE(h.test, p.test) AS test, COALESCE(h.seq, 0) AS seq,
		COALESCE(h.balance_minor, 0) AS balance_minor, COALESCE(h.held_minor, 0) AS held_minor,
			COALESCE(h.day, '') AS day, COALESCE(h.spin_seq, 0) AS spin_seq, COALESCE(h.spin_day, '') AS spin_day,
			w.seq AS wallet_seq, w.spin_seq AS wallet_spin_seq
		FROM wallets w JOIN players p ON p.id = w.player_id LEFT JOIN daily_heads h ON h.player_id = w.player_id
		WHERE w.player_id > ? AND (w.seq > COALESCE(h.seq, 0) OR w.spin_seq > COALESCE(h.spin_seq, 0)) ORDER BY w.player_id
		LIMIT ?`, after, dayWallets)
	if err != nil || len(heads) == 0 {
		return 0, 0, true, err
	}
	reading, days := newDayReading(), calendar{dayRules: rules}
	reading.dayOf = func(h *dayHead, spin bool, seq, us int64) (models.Day, bool) {
		before, last := h.Day, h.Seq
		if spin {
			before, last = h.SpinDay, h.SpinSeq
		}
		if seq != last+1 {
			reading.gaps[h.PlayerID] = true
			return "", false
		}
		return days.of(us, before), true
	}
	lines := int64(0)
	for i := range heads {
		h := &heads[i]
		// A wallet with very many lines takes several runs.
		h.WalletSeq, h.WalletSpinSeq = min(h.WalletSeq, h.Seq+dayLines), min(h.WalletSpinSeq, h.SpinSeq+dayLines)
		last, lines = h.PlayerID, lines+h.WalletSeq-h.Seq+h.WalletSpinSeq-h.SpinSeq
		if h.WalletSeq-h.Seq == dayLines || h.WalletSpinSeq-h.SpinSeq == dayLines {
			last = h.PlayerID - 1
		}
		if lines >= dayLines {
			heads = heads[:i+1]
			break
		}
	}
	if err := reading.read(read, s, heads); err != nil {
		return 0, 0, false, err
	}
	for _, h := range heads {
		if h.Seq < h.WalletSeq || h.SpinSeq < h.WalletSpinSeq {
			reading.gaps[h.PlayerID] = true
		}
	}
	if n := len(heads); reading.gaps[heads[n-1].PlayerID] {
		last = heads[n-1].PlayerID // a wallet with a gap is not read again in this run
	}
	return last, len(reading.gaps), false, s.writeDays(ctx, turn, reading, heads)
}
