package books

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/ledger"
	"pitboss/models/store/players"
	"pitboss/models/store/spins"
)

// Reports, read from the sums of days (days.go).

// mostGameSessions is how many sessions a report by game uses at most.
const mostGameSessions = 1000

// dayTotal is a row of daily_totals. A models.DayReport does not distinguish test players, and a models.DayGroup has no day.
type dayTotal struct {
	Day      models.Day
	Currency models.Currency
	Test     bool
	models.DayFigures
}

// ofReport returns a filter's conditions for rows of days.
func ofReport(f models.ReportFilter) (conditions []string, args []any) {
	return ofColumns(f, "currency", "player_id", "test")
}

// ofColumns returns a filter's conditions on these columns. A player selected by name is included, even a test player.
func ofColumns(f models.ReportFilter, currency, player, test string) (conditions []string, args []any) {
	if f.Currency != "" {
		conditions, args = append(conditions, currency+" = ?"), append(args, f.Currency)
	}
	if f.PlayerID != 0 {
		return append(conditions, player+" = ?"), append(args, f.PlayerID)
	}
	return append(conditions, test+" IN ?"), append(args, tests(f.Test))
}

// tests returns the values of the column test that a filter selects.
func tests(t models.TestPlayers) []bool {
	return map[models.TestPlayers][]bool{models.WithoutTest: {false}, models.WithTest: {false, true}, models.OnlyTest: {true}}[t]
}

func where(conditions ...string) string {
	if len(conditions) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(conditions, " AND ")
}

// DayReports returns a report for each day until today and each currency, newest day first, with the liability at the beginning
// of the day. Days without postings have figures of 0, from the first posting on that matches the filter.
func (s *Store) DayReports(ctx context.Context, f models.ReportFilter) ([]models.DayReport, error) {
	read := s.db.Read.WithContext(ctx)
	table := "daily_totals"
	if f.PlayerID != 0 {
		table = "daily_sums"
	}
	conditions, args := ofReport(f)
	opening, err := db.All[models.MonthFunds](read, "SELECT currency, SUM("+fundsSum+
		") AS funds_minor, SUM("+heldSum+") AS held_minor FROM "+table+where(append(slices.Clone(conditions), "day < ?")...)+
		" GROUP BY currency", append(slices.Clone(args), f.From)...)
	if err != nil {
		return nil, err
	}
	rows, err := db.All[dayTotal](read, "SELECT day, currency, "+sumOfFigures()+" FROM "+table+
		where(append(conditions, "day >= ?", "day <= ?")...)+" GROUP BY day, currency ORDER BY day, currency",
		append(args, f.From, f.To)...)
	if err != nil {
		return nil, err
	}
	owed, held := map[models.Currency]models.Amount{}, map[models.Currency]models.Amount{}
	for _, o := range opening {
		owed[o.Currency], held[o.Currency] = o.Funds, o.Held
	}
	state, err := s.dayStates(ctx, f.From, f.To)
	if err != nil {
		return nil, err
	}
	last, err := s.ReportToday(ctx)
	if err != nil {
		return nil, err
	}
	of := map[models.Day]map[models.Currency]models.DayFigures{}
	for _, r := range rows {
		if of[r.Day] == nil {
			of[r.Day] = map[models.Currency]models.DayFigures{}
		}
		of[r.Day][r.Currency], last = r.DayFigures, max(last, r.Day)
	}
	var list []models.DayReport
	for day := f.From; day <= min(f.To, last); day = day.Add(1) {
		for c := range of[day] {
			owed[c] += 0 // from now on, the currency has a row each day
		}
		for c := range owed {
			figures := of[day][c]
			held[c] = held[c].Add(figures.Held())
			list = append(list, models.DayReport{Day: day, Currency: c, DayFigures: figures, Opening: owed[c], HeldNow: held[c], State: state(day)})
			owed[c] = owed[c].Add(figures.Funds())
		}
	}
	slices.SortFunc(list, func(a, b models.DayReport) int {
		return cmp.Or(cmp.Compare(b.Day, a.Day), cmp.Compare(a.Currency, b.Currency))
	})
	return list, nil
}

// MonthlyFunds returns the liability to players at the end of each month, by currency, newest month first, since the first
// month with a booking. If the last month has not ended, its row has the current liability.
func (s *Store) MonthlyFunds(ctx context.Context, f models.ReportFilter) (list []models.MonthFunds, err error) {
	today, err := s.ReportToday(ctx)
	if err != nil {
		return nil, err
	}
	conditions, args := ofReport(f)
	// Day is the month's beginning, such as 2026-11.
	rows, err := db.All[models.MonthFunds](s.db.Read.WithContext(ctx),
		"SELECT SUBSTR(day, 1, 7) AS day, currency, SUM("+fundsSum+") AS funds_minor, SUM("+heldSum+") AS held_minor FROM daily_totals"+
			where(append(conditions, "day <= ?")...)+" GROUP BY SUBSTR(day, 1, 7), currency ORDER BY currency, day",
		append(args, f.To)...)
	if err != nil {
		return nil, err
	}
	for month := f.To.Month(); month >= f.From.Month(); month = month.Add(-1).Month() {
		end := min(month.Add(31).Month().Add(-1), max(today, month))
		for i, r := range rows {
			if r.Day > month[:7] {
				continue
			}
			if i == 0 || rows[i-1].Currency != r.Currency {
				list = append(list, models.MonthFunds{Day: end, Currency: r.Currency})
			}
			sum := &list[len(list)-1]
			sum.Funds, sum.Held = sum.Funds.Add(r.Funds), sum.Held.Add(r.Held)
		}
	}
	return list, nil
}

// PlayersReport returns the players that match the filter, each with the sums of their play on its days, highest turnover
// first.
func (s *Store) PlayersReport(ctx context.Context, f models.ReportFilter) (page models.Page[models.PlayerReport], err error) {
	conditions, args := ofReport(f)
	const turnover = "SUM(stake_minor) - SUM(stake_reversed_minor)"
	having := ""
	conditions, args = append(conditions, "day >= ?", "day <= ?"), append(args, f.From, f.To)
	if f.After.PlayerID != 0 {
		having = " HAVING " + turnover + " < ? OR " + turnover + " = ? AND player_id > ?"
		args = append(args, f.After.Turnover, f.After.Turnover, f.After.PlayerID)
	}
	var list []models.PlayerReport
	// The first query finds the page's players by turnover alone; the second calculates the other sums only for them.
	read := s.db.Read.WithContext(ctx)
	ids, err := db.All[int64](read, "SELECT player_id FROM daily_sums"+where(conditions...)+" GROUP BY player_id"+having+" ORDER BY "+turnover+
		" DESC, player_id LIMIT ?",
		append(args, f.Limit+1)...)
	if err == nil && len(ids) > 0 {
		err = read.Raw("SELECT d.*, p.user_id FROM (SELECT player_id, MAX(currency) AS currency, MAX(test) AS test, "+
			sumOfFigures()+
			" FROM daily_sums WHERE player_id IN ? AND day >= ? AND day <= ? GROUP BY player_id) d "+
			"JOIN players p ON p.id = d.player_id",
			ids, f.From, f.To).Scan(&list).Error
	}
	if err != nil {
		return page, err
	}
	slices.SortFunc(list, func(a, b models.PlayerReport) int {
		return cmp.Or(cmp.Compare(b.Turnover(), a.Turnover()), cmp.Compare(a.PlayerID, b.PlayerID))
	})
	return db.PageOf(list, db.List{Span: models.Span{Limit: f.Limit}}), nil
}

// DayGroups returns the figures of a day by currency. In each currency, test players have a separate group, after that of the
// others.
func (s *Store) DayGroups(ctx context.Context, day models.Day) ([]models.DayGroup, error) {
	return s.dayGroups(s.db.Read.WithContext(ctx), day)
}

func (s *Store) dayGroups(tx *gorm.DB, day models.Day) ([]models.DayGroup, error) {
	var groups []models.DayGroup
	// Each column is the sum of the day alone; earlier days only count toward the liability.
	columns := "CASE WHEN day < ? THEN " + fundsSum + " ELSE 0 END AS owed_minor, " + heldSum + " AS held_minor"
	for _, c := range figureColumns {
		columns += ", CASE WHEN day = ? THEN " + c + " ELSE 0 END AS " + c
	}
	err := tx.Raw("SELECT currency, test, COALESCE(SUM(owed_minor), 0) AS owed_minor, "+
		"COALESCE(SUM(held_minor), 0) AS held_minor, "+sumOfFigures()+
		" FROM (SELECT currency, test, "+columns+
		" FROM daily_totals WHERE day <= ?) d GROUP BY currency, test ORDER BY currency, test",
		slices.Repeat([]any{string(day)}, len(figureColumns)+2)...).Scan(&groups).Error
	if err != nil {
		return nil, err
	}
	stakes, err := s.stakesOf(tx, day)
	return withStakes(groups, stakes), err
}

// Control compares everything that was counted in days with the balances and held amounts in the wallets' rows, for each
// currency and including test players. Entries that are not counted yet are taken from the balances.
func (s *Store) Control(ctx context.Context) ([]models.Control, error) {
	return s.control(s.db.Read.WithContext(ctx))
}

func (s *Store) control(tx *gorm.DB) ([]models.Control, error) {
	return db.All[models.Control](tx, `SELECT currency, SUM(counted) AS counted_minor, SUM(balances) AS balances_minor
		FROM (SELECT currency, `+fundsSum+` AS counted, 0 AS balances FROM daily_totals
			UNION ALL SELECT currency, 0, SUM(balance_minor + held_minor) FROM wallets GROUP BY currency
			UNION ALL SELECT w.currency, 0, -SUM(`+ledger.EffectSQL+` + `+ledger.HeldSQL+`) FROM wallets w
				LEFT JOIN daily_heads h ON h.player_id = w.player_id
				JOIN postings e ON e.player_id = w.player_id AND e.seq > COALESCE(h.seq, 0) AND e.free_spin = 0
				WHERE w.seq > COALESCE(h.seq, 0) GROUP BY w.currency) c
		GROUP BY currency ORDER BY currency`)
}

// LiabilityNow returns the sum of all balances and held amounts in each currency, and the sum of the negative ones.
func (s *Store) LiabilityNow(ctx context.Context, test models.TestPlayers) ([]models.Liability, error) {
	return db.All[models.Liability](s.db.Read.WithContext(ctx),
		`SELECT w.currency, SUM(w.balance_minor + w.held_minor) AS minor, SUM(w.held_minor) AS held_minor,
			SUM(CASE WHEN w.balance_minor < 0 THEN w.balance_minor ELSE 0 END) AS negative_minor,
			SUM(CASE WHEN w.balance_minor < 0 THEN 1 ELSE 0 END) AS owing, COUNT(*) AS wallets
		FROM wallets w JOIN players p ON p.id = w.player_id AND p.test IN ? GROUP BY w.currency ORDER BY w.currency`, tests(test))
}

// NegativeBalances returns up to limit players with a negative balance, by currency and lowest first.
func (s *Store) NegativeBalances(ctx context.Context, test models.TestPlayers, limit int) ([]models.Player, error) {
	return db.All[models.Player](s.db.Read.WithContext(ctx), players.SelectPlayers+
		" WHERE w.balance_minor < 0 AND p.test IN ? ORDER BY w.currency, w.balance_minor, p.id LIMIT ?", tests(test), limit)
}

// Play returns the play in the minutes that begin at or after from and before to, by currency. Test players are left out.
func (s *Store) Play(ctx context.Context, from, to time.Time) ([]models.CurrencyPlay, error) {
	return db.All[models.CurrencyPlay](s.db.Read.WithContext(ctx), "SELECT currency, "+sumOf(minuteColumns)+
		" FROM money_minutes WHERE minute_us >= ? AND minute_us < ? AND test = 0 GROUP BY currency ORDER BY currency",
		db.Micros(from), db.Micros(to))
}

// GamesReport returns the play by game and currency, highest turnover first. Callbacks do not name the game, so it is inferred:
// play belongs to the session that the player last opened here, for up to four hours. Players without such a session are not
// included. GamesReport uses at most the newest mostGameSessions sessions of the days, and reports whether there were more.
func (s *Store) GamesReport(ctx context.Context, f models.ReportFilter,
	from, to time.Time) (list []models.GameReport, more bool, err error) {
	read := s.db.Read.WithContext(ctx)
	type session struct {
		PlayerID int64
		GameID   int64
		Offered  string
		Name     string
		Provider string
		Currency string
		AtUs     int64
		NextUs   int64
	}
	conditions, args := ofColumns(f, "w.currency", "s.player_id", "p.test")
	if f.GameID != 0 {
		conditions, args = append(conditions, "s.game_id = ?"), append(args, f.GameID)
	}
	conditions, args = append(conditions, "s.at_us >= ?", "s.at_us < ?", "s.state = ?"),
		append(args, db.Micros(from.Add(-models.GameSessionLasts)), db.Micros(to), models.GameSessionOpened, mostGameSessions+1)
	sessions, err := db.All[session](read, `SELECT s.player_id, s.game_id, g.game_id AS offered, g.name, g.provider,
			w.currency, s.at_us, `+spins.NextSession+` AS next_us
		FROM game_sessions s JOIN games g ON g.id = s.game_id JOIN wallets w ON w.player_id = s.player_id
		JOIN players p ON p.id = s.player_id`+where(conditions...)+" ORDER BY s.at_us DESC LIMIT ?", args...)
	if err != nil {
		return nil, false, err
	}
	if more = len(sessions) > mostGameSessions; more {
		sessions = sessions[:mostGameSessions]
	}
	type key struct {
		game     int64
		currency string
	}
	games := map[key]*models.GameReport{}
	for _, g := range sessions {
		begin, end := max(g.AtUs, db.Micros(from)), min(g.AtUs+models.GameSessionLasts.Microseconds(), db.Micros(to))
		if g.NextUs != 0 {
			end = min(end, g.NextUs)
		}
		if begin >= end {
			continue
		}
		var sums models.DayFigures
		var q db.Statement
		s.selectLines(&q).Add("e.player_id = ? AND e.free_spin = 0 AND e.at_us >= ? AND e.at_us < ?", g.PlayerID, begin, end)
		err := scanLines(ctx, s.db.Pools.Read, &q, func(e *models.Entry, ofSpin bool) { countLine(&sums, e, ofSpin) })
		if err != nil {
			return nil, false, err
		}
		err = read.Raw("SELECT COALESCE(SUM(spins), 0), COALESCE(SUM(stake_minor), 0) FROM spin_entries "+
			"WHERE player_id = ? AND at_us >= ? AND at_us < ?", g.PlayerID, begin, end).Row().Scan(&sums.Spins, (*int64)(&sums.SpinStakes))
		if err != nil {
			return nil, false, err
		}
		k := key{g.GameID, g.Currency}
		if games[k] == nil {
			games[k] = &models.GameReport{GameID: g.GameID, Offered: models.GameID(g.Offered), Name: g.Name,
				Provider: g.Provider, Currency: models.Currency(g.Currency)}
		}
		games[k].AddSession(sums)
	}
	for _, g := range games {
		list = append(list, *g)
	}
	slices.SortFunc(list, func(a, b models.GameReport) int {
		return cmp.Or(cmp.Compare(a.Currency, b.Currency), cmp.Compare(b.Turnover(), a.Turnover()), cmp.Compare(a.GameID, b.GameID))
	})
	return list, more, nil
}
