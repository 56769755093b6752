package spins

import (
	"context"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// GrantRules returns the limits on free spins.
func (s *Store) GrantRules(ctx context.Context) (models.GrantRules, error) {
	return s.readGrantRules(s.db.Read.WithContext(ctx))
}

func (s *Store) readGrantRules(tx *gorm.DB) (models.GrantRules, error) {
	return db.SettingOf(s.db, tx, string(models.ChangeGrantLimits), models.DefaultGrantRules)
}

// grantDay is the day whose limits apply, in the operator's time zone.
type grantDay struct {
	day         models.Day
	from, until int64 // in microseconds
}

// GrantDay returns the day whose limits apply now, and when they reset.
func (s *Store) GrantDay(ctx context.Context) (models.Day, time.Time, error) {
	day, err := s.grantDay(s.db.Read.WithContext(ctx))
	return day.day, db.FromMicros(day.until), err
}

func (s *Store) grantDay(tx *gorm.DB) (grantDay, error) {
	name, err := s.db.ReadReportZone(tx)
	if err != nil {
		return grantDay{}, err
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return grantDay{}, err
	}
	now := s.db.Now()
	day := models.DayOf(now, zone)
	from := day.Begin(zone)
	changed, err := s.db.SettingChanged(tx, models.ReportZoneSetting)
	if err != nil {
		return grantDay{}, err
	}
	// Changing the time zone takes one administrator but would reset the limits, which takes two. So for a day after such a
	// change, the grants of the last 24 hours count.
	if ago := now.Add(-24 * time.Hour); changed.After(ago) && ago.Before(from) {
		from = ago
	}
	return grantDay{day, db.Micros(from), db.Micros(day.End(zone))}, nil
}

// GrantTaken returns how much of today's limits a player (0 for none), a staff member and all staff have used.
func (s *Store) GrantTaken(ctx context.Context, playerID int64, actor string) (models.GrantTaken, error) {
	tx := s.db.Read.WithContext(ctx)
	day, err := s.grantDay(tx)
	if err != nil {
		return models.GrantTaken{}, err
	}
	var currency string
	if playerID != 0 {
		err := tx.Raw("SELECT currency FROM wallets WHERE player_id = ?", playerID).Scan(&currency).Error
		if err != nil {
			return models.GrantTaken{}, err
		}
	}
	return day.taken(tx, granted{playerID, models.Currency(currency), actor})
}

// granted says for whom a grant is, and by whom.
type granted struct {
	player   int64 // 0: not chosen yet
	currency models.Currency
	actor    string
}

func (d grantDay) taken(tx *gorm.DB, g granted) (models.GrantTaken, error) {
	b, err := d.budget(tx, g.actor)
	if err != nil {
		return models.GrantTaken{}, err
	}
	var to grantee
	if g.player != 0 {
		err = tx.Raw("SELECT COUNT(*) AS grants, COALESCE(SUM(spins), 0) AS spins FROM grants WHERE player_id = ? "+
			"AND at_us >= ? AND state <> ?",
			g.player, d.from, uint8(models.GrantRefused)).Scan(&to).Error
		if err != nil {
			return models.GrantTaken{}, err
		}
	}
	to.Currency = string(g.currency)
	return b.taken(to), nil
}

// grantBudget is the sum of grants on a day, by a staff member and by all staff.
type grantBudget struct {
	staffGrants, staffSpins, houseSpins int64
	byCurrency                          map[models.Currency]int64 // of all spins
}

func (d grantDay) budget(tx *gorm.DB, actor string) (grantBudget, error) {
	b := grantBudget{byCurrency: map[models.Currency]int64{}}
	var staff struct{ Grants, Spins int64 }
	err := tx.Raw("SELECT COUNT(*) AS grants, COALESCE(SUM(spins), 0) AS spins FROM grants WHERE actor = ? AND at_us >= ? "+
		"AND at_us < ? AND state <> ?",
		actor, d.from, d.until, uint8(models.GrantRefused)).Scan(&staff).Error
	if err != nil {
		return b, err
	}
	b.staffGrants, b.staffSpins = staff.Grants, staff.Spins
	var sums []struct {
		Currency string
		Spins    int64
	}
	err = tx.Raw(`SELECT w.currency, SUM(t.spins) AS spins FROM grants t JOIN wallets w ON w.player_id = t.player_id
		WHERE t.at_us >= ? AND t.at_us < ? AND t.state <> ? GROUP BY w.currency`,
		d.from, d.until, uint8(models.GrantRefused)).Scan(&sums).Error
	if err != nil {
		return b, err
	}
	for _, sum := range sums {
		b.houseSpins += sum.Spins
		b.byCurrency[models.Currency(sum.Currency)] = sum.Spins
	}
	return b, nil
}

func (b *grantBudget) add(currency models.Currency, spins int64) {
	b.staffGrants, b.staffSpins, b.houseSpins = b.staffGrants+1, b.staffSpins+spins, b.houseSpins+spins
	b.byCurrency[currency] += spins
}

func (b *grantBudget) taken(to grantee) models.GrantTaken {
	return models.GrantTaken{
		PlayerGrants: to.Grants, PlayerSpins: to.Spins, StaffGrants: b.staffGrants, StaffSpins: b.staffSpins,
		HouseSpins: b.houseSpins, HouseSpinsInCurrency: b.byCurrency[models.Currency(to.Currency)],
	}
}

// reserve checks that a new grant is within the day's limits or excepted from them. Until the transaction ends, other grants
// wait, so that two grants cannot exceed a limit together. The caller holds the player's lock.
func (s *Store) reserve(tx *gorm.DB, row models.Grant, excepted bool) error {
	day, err := s.grantDay(tx)
	if err != nil {
		return err
	}
	if err := s.db.LockLease(tx, "grants"); err != nil {
		return err
	}
	if excepted {
		return nil
	}
	rules, err := s.readGrantRules(tx)
	if err != nil {
		return err
	}
	taken, err := day.taken(tx, granted{row.PlayerID, row.Currency, row.Actor})
	if err != nil {
		return err
	}
	return rules.Allow(taken, row.Currency, row.Spins)
}
