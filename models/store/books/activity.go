package books

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/players"
)

// Current activity, in two kinds of sums. They are derived from the ledger or only approximate:
//
//   - money_minutes: stakes and wins of each minute, from the ledger;
//   - callback_minutes and callback_latencies: what the instances counted at the callback listener. The ledger does not have
//     refusals and balance requests, so these sums cannot be recalculated, and a program that is killed loses some seconds of
//     them.
//
// FollowMoney keeps the minutes up to date. A line's time is taken before its commit, and clocks differ, so a line can appear
// with a time slightly in the past. Each run recalculates the minutes since ten seconds ago; the first run of each minute also
// recalculates the three minutes before, and the first run of each hour the hour before. So with many bets each line is read
// about a dozen times rather than three dozen times.

// moneyMinute is a row of money_minutes, the sums of one minute. The domain only has sums of longer periods.
type moneyMinute struct {
	MinuteUs int64
	Currency models.Currency
	Test     bool
	models.MoneySums
}

type moneyMinuteKey struct {
	minuteUs int64
	currency models.Currency
	test     bool
}

func (m moneyMinute) key() moneyMinuteKey { return moneyMinuteKey{m.MinuteUs, m.Currency, m.Test} }

const (
	moneyFollower   = db.Follower("sums of minutes")
	moneyCommit     = 10 * time.Second // a line usually appears this soon after its own time
	MoneyLateness   = 3 * time.Minute  // a line may appear as late as this
	moneySecondLook = time.Hour        // lines that appear even later are found for this long
	moneyChunk      = time.Hour        // how much time is summed at once
	moneyIdle       = time.Minute      // how far the position may lag while nobody plays
)

// errOvertaken means that another instance has moved the follower's position in the meantime.
var errOvertaken = errors.New("another instance was quicker")

// FollowMoney updates the sums of minutes from where the last run on any instance ended, whether that is seconds or the whole
// ledger. It returns the time up to which they are complete.
func (s *Store) FollowMoney(ctx context.Context) (time.Time, error) {
	if err := s.db.ReadClock(ctx); err != nil {
		return time.Time{}, err
	}
	for {
		upTo, done, err := s.followMoney(ctx)
		if errors.Is(err, errOvertaken) {
			return upTo, nil // the next run does what the other instance left
		}
		if err != nil {
			return upTo, fmt.Errorf("sum minutes: %w", err)
		}
		if done {
			return upTo, nil
		}
	}
}

// followMoney sums one chunk, and reports whether it was the last.
func (s *Store) followMoney(ctx context.Context) (upTo time.Time, done bool, err error) {
	read := s.db.Read.WithContext(ctx)
	position, err := moneyFollower.Position(s.db, read)
	if err != nil {
		return upTo, false, err
	}
	now, place := s.db.Now(), db.FromMicros(position)
	var from time.Time
	if position > 0 {
		switch {
		case !place.Truncate(moneySecondLook).Equal(now.Truncate(moneySecondLook)):
			from = place.Add(-MoneyLateness - moneySecondLook)
		case !place.Truncate(time.Minute).Equal(now.Truncate(time.Minute)):
			from = place.Add(-MoneyLateness - time.Minute) // the last run that looked back was up to a minute before
		default:
			from = place.Add(-moneyCommit)
		}
	}
	from = from.Truncate(time.Minute)
	// Skip the time in which nobody played.
	first, found, err := firstPlay(read, from)
	if err != nil {
		return upTo, false, err
	}
	if found && first.After(from) {
		from = first.Truncate(time.Minute)
	}
	to := from.Add(moneyChunk)
	if from.Before(place) {
		to = place.Truncate(time.Minute).Add(moneyChunk)
	}
	if done = !found || to.After(now); done {
		to = now.Add(MoneyLateness) // another instance's clock may be ahead
		upTo = now
	} else {
		upTo = to
	}
	var changes moneyChanges
	if found {
		if changes, err = s.moneyChanges(ctx, from, to); err != nil {
			return upTo, false, err
		}
	}
	if done && changes.empty() && now.Sub(place) < moneyIdle {
		return upTo, true, nil
	}
	return upTo, done, s.db.Change(ctx, func(tx *gorm.DB) error {
		at, err := moneyFollower.Lock(s.db, tx)
		if err != nil {
			return err
		}
		if at != position {
			return errOvertaken
		}
		if err := changes.write(tx, s.db.Dialect); err != nil {
			return err
		}
		return moneyFollower.Move(s.db, tx, db.Micros(upTo))
	})
}

// RebuildMoney deletes the sums of minutes and calculates them again from the whole ledger. They are incomplete until it
// returns.
func (s *Store) RebuildMoney(ctx context.Context) error {
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		if _, err := moneyFollower.Lock(s.db, tx); err != nil {
			return err
		}
		if err := tx.Exec("DELETE FROM money_minutes").Error; err != nil {
			return err
		}
		return moneyFollower.Move(s.db, tx, 0)
	})
	if err != nil {
		return fmt.Errorf("delete sums of minutes: %w", err)
	}
	_, err = s.FollowMoney(ctx)
	return err
}

// firstPlay returns the time of the first bet, win, free spin or rollback of one at or after from.
func firstPlay(read *gorm.DB, from time.Time) (time.Time, bool, error) {
	var first struct{ AtUs *int64 }
	err := read.Raw(`SELECT MIN(at_us) AS at_us FROM (
			SELECT MIN(at_us) AS at_us FROM postings WHERE at_us >= ? UNION ALL SELECT MIN(at_us) FROM spin_entries
			WHERE at_us >= ?) f`,
		db.Micros(from), db.Micros(from)).Scan(&first).Error
	if err != nil || first.AtUs == nil {
		return time.Time{}, false, err
	}
	return db.FromMicros(*first.AtUs), true, nil
}

// moneyChanges are the rows to be written so that the tables match the ledger for a period.
type moneyChanges struct {
	minutes []moneyMinute
	gone    []moneyMinuteKey
}

func (m moneyChanges) empty() bool { return len(m.minutes)+len(m.gone) == 0 }

func (s *Store) moneyChanges(ctx context.Context, from, to time.Time) (m moneyChanges, err error) {
	read := s.db.Read.WithContext(ctx)
	minutes, err := s.sumMinutes(read, from, to)
	if err != nil {
		return m, err
	}
	var known []moneyMinute
	if err := read.Where("minute_us >= ? AND minute_us < ?", db.Micros(from), db.Micros(to)).Find(&known).Error; err != nil {
		return m, err
	}
	for _, row := range known {
		switch fresh, still := minutes[row.key()]; {
		case !still: // its players have become test players since
			m.gone = append(m.gone, row.key())
		case *fresh == row:
			delete(minutes, row.key())
		}
	}
	for _, row := range minutes {
		m.minutes = append(m.minutes, *row)
	}
	return m, nil
}

func (m moneyChanges) write(tx *gorm.DB, d db.Dialect) error {
	var q db.Statement
	for chunk := range slices.Chunk(m.minutes, players.ImportChunk) {
		q.Begin(`INSERT INTO money_minutes (minute_us, currency, test, bets, stake_minor, stake_reversed_minor, win_minor,
			win_reversed_minor,
			spins, spin_stake_minor, spin_win_minor, spin_win_reversed_minor) VALUES `)
		for i, r := range chunk {
			q.Row(i)
			q.Number(r.MinuteUs).Comma().String(string(r.Currency)).Comma().Flag(r.Test).Comma().Number(r.Bets).Comma().
				Amounts(r.Stakes, r.StakesReversed, r.Wins, r.WinsReversed).Comma().
				Number(r.Spins).Comma().
				Amounts(r.SpinStakes, r.SpinWins, r.SpinWinsReversed).Text(")")
		}
		q.Text(d.OnConflict("minute_us, currency, test"))
		for i, column := range []string{"bets", "stake_minor", "stake_reversed_minor", "win_minor", "win_reversed_minor",
			"spins", "spin_stake_minor", "spin_win_minor", "spin_win_reversed_minor"} {
			if i > 0 {
				q.Comma()
			}
			q.Text(d.Incoming(column))
		}
		if err := q.Exec(tx.Statement.Context, db.Tx(tx)); err != nil {
			return fmt.Errorf("write minutes: %w", err)
		}
	}
	for _, k := range m.gone {
		if err := tx.Exec("DELETE FROM money_minutes WHERE minute_us = ? AND currency = ? AND test = ?", k.minuteUs,
			k.currency, k.test).Error; err != nil {
			return fmt.Errorf("remove minutes: %w", err)
		}
	}
	return nil
}

// ofWhom joins lines e with their wallets and players, in this order. Left to its own estimates, MariaDB sometimes starts with
// all wallets and reads their whole ledgers.
func ofWhom(d db.Dialect) string {
	return d.JoinInOrder() + "wallets w ON w.player_id = e.player_id" + d.JoinInOrder() + "players p ON p.id = e.player_id"
}

// sumMinutes sums the ledger's lines of a period by minute.
func (s *Store) sumMinutes(read *gorm.DB, from, to time.Time) (map[moneyMinuteKey]*moneyMinute, error) {
	minutes := map[moneyMinuteKey]*moneyMinute{}
	at := func(k moneyMinuteKey) *moneyMinute {
		if minutes[k] == nil {
			minutes[k] = &moneyMinute{MinuteUs: k.minuteUs, Currency: k.currency, Test: k.test}
		}
		return minutes[k]
	}
	var sums []struct {
		MinuteUs int64
		Currency models.Currency
		Test     bool
		Claim    models.Claim
		Kind     models.OperationKind
		N        int64
		BetMinor models.Amount
		WinMinor models.Amount
		Spun     int64 // postings of players who have had a free spin
	}
	// Each player's postings are summed before the joins, because joining every posting takes up to five times as long.
	d, us := s.db.Dialect, []any{db.Micros(from), db.Micros(to)}
	err := read.Raw("SELECT e.minute_us, w.currency, p.test, e.claim, e.kind, SUM(e.n) AS n,"+
		` SUM(e.bet_minor) AS bet_minor, SUM(e.win_minor) AS win_minor,
			SUM(CASE WHEN w.spin_seq > 0 THEN e.n ELSE 0 END) AS spun
		FROM (SELECT `+minuteOf+" AS minute_us, e.player_id, e.claim, e.kind, COUNT(*) AS n,"+
		` SUM(e.bet_minor) AS bet_minor, SUM(e.win_minor) AS win_minor FROM postings e
			WHERE e.at_us >= ? AND e.at_us < ? AND e.free_spin = 0 AND e.claim IN (1, 2) AND e.kind IN (?, ?, ?)
			GROUP BY `+minuteOf+", e.player_id, e.claim, e.kind) e"+
		ofWhom(d)+" GROUP BY e.minute_us, w.currency, p.test, e.claim, e.kind",
		append(us, models.Bet, models.Win, models.BetWin)...).Scan(&sums).Error
	if err != nil {
		return nil, fmt.Errorf("sum entries: %w", err)
	}
	spun := false
	for _, r := range sums {
		m := at(moneyMinuteKey{r.MinuteUs, r.Currency, r.Test})
		spun = spun || r.Kind == models.Win && r.Spun > 0
		if r.Claim == models.ClaimRolledBack {
			m.StakesReversed, m.WinsReversed = m.StakesReversed.Add(r.BetMinor),
				m.WinsReversed.Add(r.WinMinor)
			continue
		}
		if r.Kind != models.Win {
			m.Bets += r.N
		}
		m.Stakes, m.Wins = m.Stakes.Add(r.BetMinor), m.Wins.Add(r.WinMinor)
	}
	var spins []struct {
		MinuteUs int64
		Currency models.Currency
		Test     bool
		N        int64
		Minor    models.Amount
	}
	err = read.Raw("SELECT "+minuteOf+" AS minute_us, w.currency, p.test, SUM(e.spins) AS n, SUM(e.stake_minor) AS minor "+
		"FROM spin_entries e"+ofWhom(d)+
		" WHERE e.at_us >= ? AND e.at_us < ? GROUP BY "+minuteOf+", w.currency, p.test", us...).Scan(&spins).Error
	if err != nil {
		return nil, fmt.Errorf("sum free spins: %w", err)
	}
	for _, r := range spins {
		m := at(moneyMinuteKey{r.MinuteUs, r.Currency, r.Test})
		m.Spins, m.SpinStakes = r.N, r.Minor
	}
	if !spun { // then no win can be one of a free spin
		return minutes, nil
	}
	wins, err := s.winsInSpinRounds(read, "e.at_us >= ? AND e.at_us < ?", us...)
	if err != nil {
		return nil, fmt.Errorf("sum wins of free spins: %w", err)
	}
	for _, w := range wins {
		m, won := at(moneyMinuteKey{w.MinuteUs, w.Currency, w.Test}), models.Amount(w.AmountMinor)
		if w.Kind == models.EntryWin {
			m.Wins, m.SpinWins = m.Wins.Sub(won), m.SpinWins.Add(won)
		} else {
			m.WinsReversed, m.SpinWinsReversed = m.WinsReversed.Add(won), m.SpinWinsReversed.Sub(won)
		}
	}
	return minutes, nil
}

// minuteOf is the minute of a line e.
const minuteOf = "e.at_us - e.at_us % 60000000"

type winLine struct {
	PlayerID    int64
	Seq         int64
	MinuteUs    int64
	Currency    models.Currency
	Test        bool
	Kind        models.EntryKind
	AmountMinor int64 // signed
	RoundID     string
	WonAtUs     int64 // when it was won, even if this line is its rollback
}

// winsInSpinRounds returns the wins of free spins, and the rollbacks of such wins, among the postings e that an SQL condition
// selects: those in rounds with a free spin and no other stake before the win. The win of a BetWin is never one, because its
// own bet came before it.
func (s *Store) winsInSpinRounds(read *gorm.DB, which string, args ...any) ([]winLine, error) {
	var lines []winLine
	join := s.db.Dialect.JoinInOrder()
	err := read.Raw("SELECT e.player_id, e.seq, "+minuteOf+` AS minute_us, w.currency, p.test, e.round_id, t.at_us AS won_at_us,
			CASE WHEN e.claim = 1 THEN ? ELSE ? END AS kind,
			CASE WHEN e.claim = 1 THEN e.win_minor ELSE -e.win_minor END AS amount_minor
		FROM postings e`+ofWhom(s.db.Dialect)+join+"spin_entries s ON s.player_id = e.player_id AND s.round_id = e.round_id"+
		join+"postings t ON t.source = e.source AND t.transaction_id = e.transaction_id AND t.claim = 1 WHERE "+which+
		" AND e.kind = ? AND e.claim IN (1, 2) AND w.spin_seq > 0 AND s.kind = ?",
		slices.Concat([]any{models.EntryWin, models.EntryWinReversed}, args, []any{models.Win, models.EntrySpin})...).
		Scan(&lines).Error
	if err != nil {
		return nil, err
	}
	// The query returns each win once for every spin of its round.
	slices.SortFunc(lines, func(a, b winLine) int {
		return cmp.Or(cmp.Compare(a.PlayerID, b.PlayerID),
			cmp.Compare(a.Seq, b.Seq))
	})
	lines = slices.CompactFunc(lines, func(a, b winLine) bool { return a.PlayerID == b.PlayerID && a.Seq == b.Seq })
	type round struct {
		playerID int64
		roundID  string
	}
	type stake struct {
		freeSpin bool
		atUs     int64
	}
	rounds := map[string]bool{}
	for _, l := range lines {
		rounds[l.RoundID] = true
	}
	stakes := map[round][]stake{}
	for chunk := range slices.Chunk(slices.Sorted(maps.Keys(rounds)), players.ImportChunk) {
		var rows []struct {
			PlayerID int64
			RoundID  string
			FreeSpin bool
			AtUs     int64
		}
		err := read.Raw("SELECT player_id, round_id, free_spin, at_us FROM postings"+
			db.Path{Index: "postings_round"}.Hint(s.db.Dialect)+" WHERE round_id IN ? AND kind IN (?, ?) AND claim = 1",
			chunk, models.Bet, models.BetWin).Scan(&rows).Error
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			k := round{r.PlayerID, r.RoundID}
			stakes[k] = append(stakes[k], stake{r.FreeSpin, r.AtUs})
		}
	}
	return slices.DeleteFunc(lines, func(l winLine) bool {
		spun := false
		for _, s := range stakes[round{l.PlayerID, l.RoundID}] {
			if s.atUs > l.WonAtUs {
				continue
			}
			if !s.freeSpin {
				return true
			}
			spun = true
		}
		return !spun
	}), nil
}

// MoneyUpTo returns the time up to which the sums of minutes are complete, or zero before the first run. While nobody plays, it
// lags behind.
func (s *Store) MoneyUpTo(ctx context.Context) (time.Time, error) {
	position, err := moneyFollower.Position(s.db, s.db.Read.WithContext(ctx))
	return db.FromMicros(position), err
}

// Play returns, for each currency, what was played in the minutes that begin at or after from and before to. Test players are
// left out.
func (s *Store) Play(ctx context.Context, from, to time.Time) ([]models.CurrencyPlay, error) {
	read := s.db.Read.WithContext(ctx)
	var sums []models.CurrencyPlay
	columns := "SUM(bets) AS bets, SUM(spins) AS spins"
	for _, c := range []string{"stake_minor", "stake_reversed_minor", "win_minor", "win_reversed_minor", "spin_stake_minor",
		"spin_win_minor", "spin_win_reversed_minor"} {
		columns += ", " + "SUM(" + c + ") AS " + c
	}
	err := read.Raw("SELECT currency, "+columns+
		" FROM money_minutes WHERE minute_us >= ? AND minute_us < ? AND test = 0 GROUP BY currency ORDER BY currency", db.Micros(from),
		db.Micros(to)).Scan(&sums).Error
	if err != nil {
		return nil, fmt.Errorf("sum play: %w", err)
	}
	return sums, nil
}
