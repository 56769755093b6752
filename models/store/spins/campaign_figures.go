package spins

import (
	"context"
	"maps"
	"slices"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// grantedStates are the states of grants that the platform has made.
var grantedStates = []int{int(models.GrantActive), int(models.GrantCompleted), int(models.GrantExpired)}

// CampaignFigures returns a campaign's grants and cost, by currency.
func (s *Store) CampaignFigures(ctx context.Context, id int64) ([]models.CampaignFigures, error) {
	read := s.db.Read.WithContext(ctx)
	sums := map[models.Currency]models.CampaignFigures{}
	rows, err := db.All[models.CampaignFigures](read, `SELECT w.currency, COUNT(*) AS grants, SUM(t.spins) AS spins,
		SUM(CASE WHEN t.used > t.ours OR t.used >= 0 AND
			(t.state <> ? OR t.apart >= ?) THEN t.used ELSE t.ours END) AS used
		FROM grants t JOIN wallets w ON w.player_id = t.player_id WHERE t.campaign_id = ? AND t.state IN ? GROUP BY w.currency`,
		models.GrantActive, models.ApartForLong, id, grantedStates) // Grant.UsedSpins
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		sums[r.Currency] = r
	}
	rows = nil
	wins, args := s.campaignWins(id)
	err = read.Raw("SELECT w.currency, COUNT(*) AS winners, SUM(g.won) AS cost FROM ("+wins+") g "+
		"JOIN wallets w ON w.player_id = g.player_id GROUP BY w.currency", args...).Scan(&rows).Error
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		f := sums[r.Currency]
		f.Currency, f.Winners, f.Cost = r.Currency, r.Winners, r.Cost
		sums[r.Currency] = f
	}
	var list []models.CampaignFigures
	for _, currency := range slices.Sorted(maps.Keys(sums)) {
		list = append(list, sums[currency])
	}
	return list, nil
}

// campaignWins selects the wins of each grant of a campaign. Grants without wins are left out.
func (s *Store) campaignWins(id int64) (query string, args []any) {
	return "SELECT r.grant_id, r.player_id, SUM(w.win_minor) AS won " + s.spinWins() + " GROUP BY r.grant_id, r.player_id",
		spinWinsArgs(gorm.Expr("(SELECT id FROM grants WHERE campaign_id = ?)", id))
}

// CampaignPlay returns what a campaign's players played in up to so many days before and after their first grant, by currency,
// and for how many of the players the time after is not over.
func (s *Store) CampaignPlay(ctx context.Context, id int64, days int) (list []models.CampaignPlay, unfinished int64, err error) {
	read := s.db.Read.WithContext(ctx)
	name, err := s.db.ReadReportZone(read)
	if err != nil {
		return nil, 0, err
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil, 0, err
	}
	granted, err := db.All[int64](read, "SELECT MIN(at_us) FROM grants WHERE campaign_id = ? AND state IN ? GROUP BY player_id",
		id, grantedStates)
	if err != nil {
		return nil, 0, err
	}
	today, players := models.DayOf(s.db.Now(), zone), map[models.Day]int64{}
	for _, at := range granted {
		players[models.DayOf(db.FromMicros(at), zone)]++
	}
	sums := map[models.Currency]models.CampaignPlay{}
	for day, n := range players {
		length := days
		for length > 0 && day.Add(length) >= today {
			length--
		}
		if length < days {
			unfinished += n
		}
		if length == 0 {
			continue
		}
		var rows []models.CampaignPlay
		const ggr, spinWins = "d.stake_minor - d.stake_reversed_minor - d.win_minor + d.win_reversed_minor",
			"d.spin_win_minor - d.spin_win_reversed_minor"
		err := read.Raw(`SELECT d.currency, SUM(CASE WHEN d.day < @day THEN `+ggr+` ELSE 0 END) AS `+"`before`"+`,
				SUM(CASE WHEN d.day > @day THEN `+ggr+` ELSE 0 END) AS `+"`after`"+`,
				SUM(CASE WHEN d.day < @day THEN `+spinWins+` ELSE 0 END) AS spin_wins_before,
				SUM(CASE WHEN d.day > @day THEN `+spinWins+` ELSE 0 END) AS spin_wins_after
			FROM (SELECT player_id FROM grants WHERE campaign_id = @campaign AND state IN @states GROUP BY player_id
				HAVING MIN(at_us) >= @since AND MIN(at_us) < @until) p
			JOIN daily_sums d ON d.player_id = p.player_id AND d.day >= @first AND d.day <= @last AND d.day <> @day GROUP BY d.currency`,
			map[string]any{"campaign": id, "states": grantedStates, "since": db.Micros(day.Begin(zone)), "until": db.Micros(day.End(zone)),
				"day": string(day), "first": string(day.Add(-length)), "last": string(day.Add(length))}).Scan(&rows).Error
		if err != nil {
			return nil, 0, err
		}
		for _, r := range rows {
			f := sums[r.Currency]
			sums[r.Currency] = models.CampaignPlay{Currency: r.Currency, Before: f.Before + r.Before, After: f.After + r.After,
				SpinWinsBefore: f.SpinWinsBefore + r.SpinWinsBefore, SpinWinsAfter: f.SpinWinsAfter + r.SpinWinsAfter}
		}
	}
	for _, currency := range slices.Sorted(maps.Keys(sums)) {
		list = append(list, sums[currency])
	}
	return list, unfinished, nil
}

// CampaignWinners returns the grants of a campaign that won most in each currency, up to limit for each.
func (s *Store) CampaignWinners(ctx context.Context, id int64, limit int) ([]models.Grant, error) {
	read := s.db.Read.WithContext(ctx)
	wins, args := s.campaignWins(id)
	return db.Find[models.Grant](SelectGrants(read).Joins("JOIN (SELECT g.grant_id, g.won, c.currency, "+
		"ROW_NUMBER() OVER (PARTITION BY c.currency "+
		"ORDER BY g.won DESC, g.grant_id) AS place FROM ("+wins+") g JOIN wallets c ON c.player_id = g.player_id) x "+
		"ON x.grant_id = t.id", args...).Where("x.place <= ?", limit).Order("x.currency, x.place"))
}
