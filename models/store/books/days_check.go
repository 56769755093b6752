package books

import (
	"context"
	"encoding/json"
	"slices"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// CheckDays compares the sums of days with the ledger: each player's row with the lines that it covers, each of which must be
// in exactly one row; the totals with the rows; closed days with their digests, their signatures and the audit log; and
// everything that was counted with the balances of wallets; and the minutes of each day with its total. It changes nothing. It
// reads one snapshot, so the sums may be updated in the meantime.
func (s *Store) CheckDays(ctx context.Context) (c models.DaysCheck, err error) {
	read, err := s.db.Snapshot(ctx)
	if err != nil {
		return c, err
	}
	defer read.Rollback()
	rules, err := s.dayRules(read)
	if err != nil {
		return c, err
	}
	for last := int64(0); ; {
		heads, err := db.All[dayHead](read, `SELECT h.player_id, h.currency, h.test, h.seq AS wallet_seq, h.balance_minor,
			h.spin_seq AS wallet_spin_seq
			FROM daily_heads h WHERE h.player_id > ? ORDER BY h.player_id LIMIT ?`, last, dayWallets)
		if err != nil {
			return c, err
		}
		if len(heads) == 0 {
			break
		}
		lines := int64(0)
		for i, h := range heads {
			if lines += h.WalletSeq - h.Seq + h.WalletSpinSeq - h.SpinSeq; lines >= dayLines {
				heads = heads[:i+1]
				break
			}
		}
		last = heads[len(heads)-1].PlayerID
		if err := s.checkWallets(read, &c, rules, heads); err != nil {
			return c, err
		}
	}
	if err := s.checkTotals(read, &c); err != nil {
		return c, err
	}
	err = read.Raw(`SELECT COALESCE(SUM(w.seq - COALESCE(h.seq, 0) + w.spin_seq - COALESCE(h.spin_seq, 0)), 0) FROM wallets w
		LEFT JOIN daily_heads h ON h.player_id = w.player_id
		WHERE w.seq > COALESCE(h.seq, 0) OR w.spin_seq > COALESCE(h.spin_seq, 0)`).Scan(&c.Waiting).Error
	return c, err
}

// checkWallets recalculates the sums of some wallets from their lines, each on the day whose row covers it, and compares them
// with the rows.
func (s *Store) checkWallets(read *gorm.DB, c *models.DaysCheck, rules dayRules, heads []dayHead) error {
	of, ids := map[int64][]dailySum{}, make([]int64, len(heads))
	for i, h := range heads {
		ids[i] = h.PlayerID
	}
	rows, err := db.All[dailySum](read, "SELECT * FROM daily_sums WHERE player_id IN ? ORDER BY player_id, day",
		ids)
	if err != nil {
		return err
	}
	for _, row := range rows {
		of[row.PlayerID] = append(of[row.PlayerID], row)
	}
	own, lost, found := calendar{dayRules: dayRules{zone: rules.zone}}, map[int64]bool{}, newDayReading()
	found.dayOf = func(h *dayHead, spin bool, seq, us int64) (models.Day, bool) {
		i := slices.IndexFunc(of[h.PlayerID], func(row dailySum) bool { return row.covers(spin, seq) })
		if i < 0 {
			if !lost[h.PlayerID] {
				c.Add("player %d: %s %d is not on any day", h.PlayerID, map[bool]string{false: "entry", true: "free-spin entry"}[spin], seq)
			}
			lost[h.PlayerID] = true
			return "", false
		}
		day := of[h.PlayerID][i].Day
		if c.Lines++; models.Day(day) >= rules.firstOpen && string(own.of(us, "")) < day {
			c.Late++
		}
		return models.Day(day), true
	}
	if err := found.read(read, s, heads); err != nil {
		return err
	}
	for _, row := range rows {
		sum := found.days[dayKey{models.Day(row.Day), row.PlayerID}]
		c.Days++
		if sum == nil {
			sum = &dailySum{}
		}
		ours, ledger := figures(&row.DayFigures), figures(&sum.DayFigures)
		for n, column := range figureColumns {
			if ours[n] != ledger[n] {
				c.Add("player %d on %s: %s is %d, but the ledger has %d", row.PlayerID, row.Day, column, ours[n], ledger[n])
			}
		}
		if row.LargestWinMinor != sum.LargestWinMinor || row.LargestWinSeq != sum.LargestWinSeq {
			c.Add("player %d on %s: the largest win is %d, entry %d, but the ledger has %d, entry %d", row.PlayerID, row.Day,
				row.LargestWinMinor, row.LargestWinSeq, sum.LargestWinMinor, sum.LargestWinSeq)
		}
	}
	return nil
}

// checkSigned compares a closed day's digest with its signatures and with the audit log, which cannot be changed without
// breaking its chain.
func (s *Store) checkSigned(read *gorm.DB, c *models.DaysCheck, day models.ClosedDay, digest string) error {
	signed, err := signaturesOf(read, day.Day)
	if err != nil {
		return err
	}
	for _, g := range signed {
		if g.Digest != digest {
			c.Add("%s: %s signed other figures for %s", day.Day, g.By, g.Role)
		}
	}
	events, err := s.staff.AuditEvents(read.Statement.Context,
		models.AuditFilter{Object: "day", ObjectID: string(day.Day), Span: models.Span{Limit: 10}})
	if err != nil {
		return err
	}
	for _, e := range events.Rows {
		var told struct {
			Digest string `json:"digest"`
		}
		if json.Unmarshal([]byte(e.After), &told) == nil && told.Digest != digest {
			c.Add("%s: the audit log has other figures, in event %d, %s", day.Day, e.ID, e.Action)
		}
	}
	return nil
}

// checkTotals compares the totals of days with the rows of players, closed days with their digests, and everything counted with
// balances.
func (s *Store) checkTotals(read *gorm.DB, c *models.DaysCheck) error {
	var sums, minutes, totals []dayTotal
	var closed []models.ClosedDay
	err := read.Raw("SELECT day, currency, test, " + sumOfFigures() + " FROM daily_sums GROUP BY day, currency, test").
		Scan(&sums).Error
	if err == nil {
		err = read.Raw("SELECT day, currency, test, " + sumOf(minuteColumns) + " FROM money_minutes GROUP BY day, currency, test").Scan(&minutes).Error
	}
	if err == nil {
		err = read.Raw("SELECT * FROM daily_totals").Scan(&totals).Error
	}
	if err == nil {
		err = read.Order("day").Find(&closed).Error
	}
	if err != nil {
		return err
	}
	type key struct {
		day      models.Day
		currency models.Currency
		test     bool
	}
	of, ofMinutes := map[key]models.DayFigures{}, map[key]models.DayFigures{}
	for _, r := range sums {
		of[key{r.Day, r.Currency, r.Test}] = r.DayFigures
	}
	for _, r := range minutes {
		ofMinutes[key{r.Day, r.Currency, r.Test}] = r.DayFigures
	}
	for _, t := range totals {
		k := key{t.Day, t.Currency, t.Test}
		if of[k] != t.DayFigures {
			c.Add("%s in %s: the total is not the sum of its players", t.Day, t.Currency)
		}
		f := t.DayFigures
		if f.Explained() != f.Moved {
			c.Add("%s in %s: the figures explain %s, but balances changed by %s", t.Day, t.Currency, f.Explained(), f.Moved)
		}
		if ofMinutes[k].MoneySums != f.MoneySums {
			c.Add("%s in %s: the total is not the sum of its minutes", t.Day, t.Currency)
		}
		delete(of, k)
		delete(ofMinutes, k)
	}
	for k := range ofMinutes {
		c.Add("%s in %s: it has minutes, but no total", k.day, k.currency)
	}
	for k := range of {
		c.Add("%s in %s: the total is missing", k.day, k.currency)
	}
	for _, row := range closed {
		groups, err := s.dayGroups(read, row.Day)
		if err != nil {
			return err
		}
		digest := models.ReportDigest(row, groups)
		if digest != row.Digest {
			c.Add("%s is closed, but its figures are not those that were signed", row.Day)
		}
		if err := s.checkSigned(read, c, row, digest); err != nil {
			return err
		}
	}
	held, err := s.control(read)
	if err != nil {
		return err
	}
	for _, t := range held {
		if !t.Agrees() {
			c.Add("%s: %s was counted, but wallets have %s, with what is held", t.Currency, t.Counted, t.Balances)
		}
	}
	return nil
}
