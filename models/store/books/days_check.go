package books

import (
	"context"
	"encoding/json"
	"fmt"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// CheckDays compares the sums of days with the ledger: each player's row with the lines that it covers, each of which must be
// in exactly one row; the totals with the rows; closed days with their digests, their signatures and the audit log; and
// everything that was counted with the balances of wallets. It also compares the sums of minutes and the active players with
// the ledger. It changes nothing. It reads one snapshot, so the sums may be updated in the meantime.
func (s *Store) CheckDays(ctx context.Context) (c models.DaysCheck, err error) {
	tx, err := s.db.Snapshot(ctx)
	if err != nil {
		return c, fmt.Errorf("check the sums of days: %w", err)
	}
	defer tx.Rollback()
	read := s.db.Read.WithContext(ctx)
	read.Statement.ConnPool = tx
	rules, err := s.dayRules(read)
	if err != nil {
		return c, err
	}
	for last := int64(0); ; {
		var heads []dayHead
		err := read.Raw(`SELECT h.player_id, h.currency, h.test, h.seq AS wallet_seq, h.balance_minor,
			h.spin_seq AS wallet_spin_seq, COALESCE(b.seq, 0) AS seq, COALESCE(b.spin_seq, 0) AS spin_seq,
				COALESCE(b.seq, 0) AS began_seq, COALESCE(b.balance_minor, 0) AS began_minor, COALESCE(b.spin_seq,
				0) AS began_spins
			FROM daily_heads h LEFT JOIN ledger_beginnings b ON b.player_id = h.player_id WHERE h.player_id > ?
			ORDER BY h.player_id LIMIT ?`, last, dayWallets).Scan(&heads).Error
		if err != nil {
			return c, fmt.Errorf("read heads: %w", err)
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
	if err := s.checkMinutes(read, &c); err != nil {
		return c, err
	}
	err = read.Raw(`SELECT COALESCE(SUM(w.seq - COALESCE(h.seq, 0) + w.spin_seq - COALESCE(h.spin_seq, 0)), 0) FROM wallets w
		LEFT JOIN daily_heads h ON h.player_id = w.player_id
		WHERE w.seq > COALESCE(h.seq, 0) OR w.spin_seq > COALESCE(h.spin_seq, 0)`).Scan(&c.Waiting).Error
	if err != nil {
		return c, fmt.Errorf("count waiting lines: %w", err)
	}
	return c, nil
}

// checkWallets compares the rows of some wallets with their lines.
func (s *Store) checkWallets(read *gorm.DB, c *models.DaysCheck, rules dayRules, heads []dayHead) error {
	players := make([]int64, len(heads))
	for i, h := range heads {
		players[i] = h.PlayerID
	}
	var rows []dailySum
	if err := read.Raw("SELECT * FROM daily_sums WHERE player_id IN ? ORDER BY player_id, day", players).Scan(&rows).
		Error; err != nil {
		return fmt.Errorf("read days of players: %w", err)
	}
	of := map[int64][]*dailySum{}
	found := map[*dailySum]*dailySum{}
	began := map[int64]dayHead{}
	for _, h := range heads {
		began[h.PlayerID] = h
	}
	for i := range rows {
		row := &rows[i]
		if h := began[row.PlayerID]; row.FromSeq > 0 && row.FromSeq <= h.BeganSeq ||
			row.FromSpinSeq > 0 && row.FromSpinSeq <= h.BeganSpins || row.FromSeq == 0 && row.FromSpinSeq == 0 {
			c.Archived++
		} else {
			c.Days++
			found[row] = &dailySum{}
		}
		of[row.PlayerID] = append(of[row.PlayerID], row)
	}
	// A wallet's lines and its rows are both in ascending order, so the search for a line's row continues from the row of the
	// line before.
	following := func(bounds func(*dailySum) (int64, int64)) func(player, seq int64) *dailySum {
		at := map[int64]int{}
		return func(player, seq int64) *dailySum {
			list, i := of[player], at[player]
			for ; i < len(list); i++ {
				if from, to := bounds(list[i]); from > 0 && to >= seq {
					break
				}
			}
			if at[player] = i; i == len(list) {
				return nil
			}
			if from, _ := bounds(list[i]); from > seq {
				return nil
			}
			return list[i]
		}
	}
	moneyRow := following(func(r *dailySum) (int64, int64) { return r.FromSeq, r.ToSeq })
	spinRow := following(func(r *dailySum) (int64, int64) { return r.FromSpinSeq, r.ToSpinSeq })
	wins, err := s.winsOfSpins(read, heads)
	if err != nil {
		return err
	}
	cal := calendar{dayRules: dayRules{zone: rules.zone}}
	late := func(r *dailySum, us int64) {
		if c.Lines++; models.Day(r.Day) >= rules.firstOpen && string(cal.of(us, "")) < r.Day {
			c.Late++
		}
	}
	lost := map[int64]bool{}
	err = eachLine(read.Statement.Context, db.Tx(read), heads,
		func(player, seq int64, kind models.EntryKind, minor, _, us int64) error {
			r := moneyRow(player, seq)
			if r == nil {
				if !lost[player] {
					c.Add("player %d: entry %d is not on any day", player, seq)
				}
				lost[player] = true
				return nil
			}
			late(r, us)
			if sum := found[r]; sum != nil {
				countLine(&sum.DayFigures, kind, models.Amount(minor), wins[[2]int64{player, seq}])
			}
			return nil
		}, func(player, seq int64, spins, stake, us int64) error {
			r := spinRow(player, seq)
			if r == nil {
				if !lost[player] {
					c.Add("player %d: free-spin entry %d is not on any day", player, seq)
				}
				lost[player] = true
				return nil
			}
			late(r, us)
			if sum := found[r]; sum != nil {
				if sum.Spins, sum.SpinStakes = sum.Spins+spins, sum.SpinStakes.Add(models.Amount(stake)); spins > 0 {
					sum.Players = 1
				} else {
					sum.Reversals++
				}
			}
			return nil
		})
	if err != nil {
		return err
	}
	for i := range rows {
		sum := found[&rows[i]]
		if sum == nil {
			continue
		}
		if b := began[rows[i].PlayerID]; b.BeganSeq > 0 && rows[i].FromSeq == b.BeganSeq+1 &&
			rows[i].Openings != sum.Openings {
			began := models.SumOf(models.Amount(b.BeganMinor))
			// See dayReading.carry.
			sum.Openings, sum.Moved = sum.Openings.Plus(began), sum.Moved.Plus(began)
		}
		ours, ledger := figures(&rows[i].DayFigures), figures(&sum.DayFigures)
		for n, column := range figureColumns {
			if ours[n] != ledger[n] {
				c.Add("player %d on %s: %s is %s, but the ledger has %s", rows[i].PlayerID, rows[i].Day, column, ours[n].Minor(),
					ledger[n].Minor())
			}
		}
	}
	return nil
}

// checkSigned compares a closed day's digest with its signatures and with the audit log, which cannot be changed without
// breaking its chain.
func (s *Store) checkSigned(read *gorm.DB, c *models.DaysCheck, day models.ClosedDay, digest string) error {
	signed, err := signaturesOf(read, day.Day)
	if err != nil {
		return fmt.Errorf("read signatures: %w", err)
	}
	for _, g := range signed {
		if g.Digest != digest {
			c.Add("%s: %s signed other figures for %s", day.Day, g.By, g.Role)
		}
	}
	events, _, err := s.staff.AuditEvents(read.Statement.Context,
		models.AuditFilter{Object: "day", ObjectID: string(day.Day), Limit: 10})
	if err != nil {
		return err
	}
	for _, e := range events {
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
	var sums, totals []dayTotal
	var closed []models.ClosedDay
	err := read.Raw("SELECT day, currency, test, " + s.sumOfFigures() + " FROM daily_sums GROUP BY day, currency, test").
		Scan(&sums).Error
	if err == nil {
		err = read.Raw("SELECT * FROM daily_totals").Scan(&totals).Error
	}
	if err == nil {
		err = read.Order("day").Find(&closed).Error
	}
	if err != nil {
		return fmt.Errorf("read totals: %w", err)
	}
	type key struct {
		day      models.Day
		currency models.Currency
		test     bool
	}
	of := map[key]models.DayFigures{}
	for _, r := range sums {
		of[key{r.Day, r.Currency, r.Test}] = r.DayFigures
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
		delete(of, k)
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
			c.Add("%s: %s was counted, but wallets have %s", t.Currency, t.Counted, t.Balances)
		}
	}
	return nil
}
