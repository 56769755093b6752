package reports_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"pitboss/app/export"
	"pitboss/app/pages/reports"
	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// moved is a line from the exported list of transactions.
type moved struct {
	kind, with, player, currency, state string
	at, ended                           time.Time // ended: when it was rolled back, paid or returned
	bet, win, amount, paid              decimal.Decimal
}

// exported returns the lines in the file of a list of transactions, without test players.
func exported(t *testing.T, b *apptest.Browser, address string) (list []moved) {
	t.Helper()
	header, rows, _ := b.Download(address, export.CSV)
	for i := range header {
		header[i], _, _ = strings.Cut(header[i], " (") // cuts off the zone of the times
	}
	column := func(name string) []string { return apptest.ColumnOf(t, header, rows, name) }
	number := func(text string) decimal.Decimal {
		if text == "" {
			return decimal.Zero
		}
		d, err := decimal.NewFromString(text)
		require.NoError(t, err)
		return d
	}
	at := func(text string) (at time.Time) {
		if text != "" {
			var err error
			at, err = time.Parse(time.RFC3339, text)
			require.NoError(t, err)
		}
		return at
	}
	kind, with, player, currency, state := column("Kind"), column("Played with"), column("Player"), column("Currency"), column("State")
	began, ended, test := column("Time"), column("Rolled back, or cash-out ended"), column("Test player")
	bet, win, amount, paid := column("Bet"), column("Win"), column("Moved"), column("Cash-out paid")
	for i := range rows {
		if test[i] == "no" {
			list = append(list, moved{kind[i], with[i], player[i], currency[i], state[i], at(began[i]), at(ended[i]), number(bet[i]),
				number(win[i]), number(amount[i]), number(paid[i])})
		}
	}
	return list
}

// recomputed calculates the figures of reports from exported transactions, by the rules in the handbook: a transaction counts
// on the casino's day on which it arrived, and a rollback on the day on which the rollback arrived.
func recomputed(list []moved, counts func(moved) bool, in func(time.Time) bool) map[string]decimal.Decimal {
	of := map[string]decimal.Decimal{}
	add := func(figure string, d decimal.Decimal) { of[figure] = of[figure].Add(d) }
	for _, m := range list {
		if !counts(m) {
			continue
		}
		stakes, wins, play := "− Turnover", "+ Payout", m.kind == "bet" || m.kind == "win" || m.kind == "bet and win"
		if m.with == "free spin" {
			stakes = "Free-spin stakes"
		}
		if m.with == "win of a free spin" {
			wins = "+ Free-spin wins"
		}
		if in(m.at) {
			add("Balance change", m.amount)
			switch {
			case play:
				add(stakes, m.bet)
				add(wins, m.win)
			case m.kind == "opening balance":
				add("+ Opening balances", m.amount)
			case m.kind == "cash deposit":
				add("+ Cash deposits", m.amount)
			case m.kind == "cash-out":
				add("Cash-outs requested", m.amount.Neg())
			}
		}
		if !in(m.ended) {
			continue
		}
		switch m.state {
		case "Rolled back":
			add("Balance change", m.amount.Neg())
			add("Rollbacks", decimal.NewFromInt(1))
			add(stakes, m.bet.Neg())
			add(wins, m.win.Neg())
			if m.with != "free spin" {
				add("Refunded bets", m.bet)
			}
			add("Reversed wins", m.win)
		case "Paid":
			add("− Cash-outs paid", m.amount.Neg())
		case "Returned":
			add("Balance change", m.amount.Neg())
			add("Cash-outs returned", m.amount.Neg())
		}
	}
	of["GGR"] = of["− Turnover"].Sub(of["+ Payout"])
	return of
}

// shown parses a figure from a page.
func shown(t *testing.T, text string) decimal.Decimal {
	t.Helper()
	d, err := decimal.NewFromString(strings.NewReplacer("−", "-", ",", "", "–", "0").Replace(strings.TrimSpace(text)))
	require.NoError(t, err, text)
	return d
}

// dayOfPlay books two days of play in a casino's zone, with transactions just before and after each midnight of the casino and
// of a reader. It returns the first day.
func dayOfPlay(s *apptest.Site, casino, reader *time.Location) models.Day {
	t := s.T
	storetest.SetZone(t, s.Store, casino.String())
	day := models.DayOf(s.Now().Add(72*time.Hour), casino)
	at := func(when time.Time, ops ...models.Operation) {
		s.SetClock(when)
		s.Book(ops...)
	}
	s.SetClock(day.Begin(casino).Add(-time.Hour))
	s.PlayerWithBalance("anna", 10_000)
	s.PlayerWithBalance("bert", 5_000)
	_, err := s.Store.CreatePlayer(t.Context(), models.Actor{Name: "tester"}, models.NewPlayer{UserID: "uma", Currency: "USD", Balance: 7_700})
	require.NoError(t, err)
	_, err = s.Store.CreatePlayer(t.Context(), models.Actor{Name: "tester"}, models.NewPlayer{UserID: "tess", Currency: "EUR", Balance: 900, Test: true})
	require.NoError(t, err)
	at(day.Begin(casino).Add(-2*time.Minute), apptest.Bet("anna", "a-1", "r-1", 111), apptest.Bet("uma", "u-1", "r-u", 1_000))
	at(day.Begin(casino).Add(2*time.Minute), apptest.Win("anna", "a-2", "r-1", 333), apptest.Rollback("uma", "u-1"),
		apptest.Bet("tess", "t-1", "r-t", 899))
	midnight := midnightOf(day, casino, reader)
	at(midnight.Add(-time.Minute), apptest.BetWin("bert", "b-1", "r-2", 200, 70), apptest.Bet("uma", "u-2", "r-v", 205))
	at(midnight.Add(time.Minute), apptest.Bet("bert", "b-2", "r-3", 444), apptest.Win("bert", "b-3", "r-3", 101),
		apptest.Win("uma", "u-3", "r-v", 1_234_56))
	s.PlayerWithBalance("cleo", 1_250)
	s.SetClock(midnight.Add(9 * time.Minute))
	s.OpenGameAndGrant("anna")
	at(midnight.Add(10*time.Minute), apptest.FreeSpin("anna", "s-1", "f-1", 50), apptest.Win("anna", "s-2", "f-1", 120),
		apptest.FreeSpin("anna", "s-3", "f-2", 50), apptest.Rollback("anna", "s-3"),
		apptest.FreeSpin("anna", "s-4", "f-3", 50), apptest.Win("anna", "s-5", "f-3", 80), apptest.Rollback("anna", "s-5"),
		apptest.Bet("anna", "a-3", "r-4", 600), apptest.FreeSpin("uma", "s-6", "f-4", 20), apptest.Win("uma", "s-7", "f-4", 9))
	storetest.ApplyCash(t, s.Store, storetest.Cash("anna", "in", 2_500).Deposit())
	for _, out := range []struct {
		id     string
		amount models.Amount
	}{{"paid", 700}, {"returned", 300}, {"later", 250}} {
		storetest.ApplyCash(t, s.Store, storetest.Cash("anna", out.id, out.amount).CashOut())
	}
	storetest.EndCashOut(t, s.Store, "paid", models.CashPaid)
	storetest.EndCashOut(t, s.Store, "returned", models.CashReturned)
	at(day.End(casino).Add(-time.Second), apptest.Bet("anna", "a-4", "r-5", 77))
	at(day.End(casino).Add(time.Second), apptest.Rollback("anna", "a-3"), apptest.Win("anna", "a-5", "r-5", 55),
		apptest.Bet("bert", "b-4", "r-6", 1))
	storetest.EndCashOut(t, s.Store, "later", models.CashPaid)
	s.SetClock(day.End(casino).Add(time.Hour))
	_, err = s.Store.FollowSpins(t.Context())
	require.NoError(t, err)
	s.SumUpDays()
	return day
}

// midnightOf returns the reader's midnight that falls on a casino day.
func midnightOf(day models.Day, casino, reader *time.Location) time.Time {
	return models.DayOf(day.Begin(casino), reader).End(reader)
}

// The figures of reports can be recomputed from exported transactions, even if the casino and the reader are in different
// zones.
func TestFiguresRecomputed(t *testing.T) {
	for _, zones := range []struct{ casino, reader string }{
		{"Europe/Malta", "Australia/Sydney"}, {"America/Sao_Paulo", "UTC"},
	} {
		t.Run(zones.casino, func(t *testing.T) {
			t.Parallel()
			s := apptest.SqliteSite(t)
			casino, err := time.LoadLocation(zones.casino)
			require.NoError(t, err)
			reader, err := time.LoadLocation(zones.reader)
			require.NoError(t, err)
			day := dayOfPlay(s, casino, reader)
			farid := s.SignedIn("farid", models.Finance)
			require.NoError(t, s.Store.SetStaffProfile(t.Context(), apptest.StaffNamed(t, s, "farid").ID,
				models.Profile{Zone: zones.reader, Theme: "system", Density: "roomy"}))
			all := exported(t, farid, "/transactions")
			require.Len(t, all, 27)
			within := func(first, last models.Day) func(time.Time) bool {
				return func(at time.Time) bool {
					on := models.Day(at.In(casino).Format(time.DateOnly))
					return on >= first && on <= last
				}
			}
			in := func(currency string) func(moved) bool { return func(m moved) bool { return m.currency == currency } }
			compared := map[string]bool{}

			// Each day's page, in each currency, and the statement of account over both days.
			statement := func(address, label string, first, last models.Day) {
				page := farid.Get(address)
				require.Equal(t, http.StatusOK, page.Status, page.Text())
				card := page.Find("[aria-label='" + label + "']")
				heads := card.Find("thead th")
				for at := 1; at < heads.Length(); at++ {
					currency := strings.TrimSpace(heads.Eq(at).Text())
					if strings.Contains(currency, "test") {
						continue
					}
					want := recomputed(all, in(currency), within(first, last))
					before := recomputed(all, in(currency), within("2000-01-01", first.Add(-1)))
					opening := before["Balance change"].Add(before["Cash-outs requested"]).Sub(before["Cash-outs returned"]).Sub(before["− Cash-outs paid"])
					want["Opening liability"] = opening
					want["= Closing liability"] = opening.Add(want["Balance change"]).Add(want["Cash-outs requested"]).
						Sub(want["Cash-outs returned"]).Sub(want["− Cash-outs paid"])
					for _, row := range card.Find("tbody tr").EachIter() {
						figure := row.Find("td").First().Text()
						if strings.Contains(figure, "at the end") || figure == "RTP in percent" || figure == "+ Corrections" {
							continue
						}
						got := shown(t, row.Find("td").Eq(at).Text())
						require.True(t, want[figure].Equal(got), "%s in %s, %s to %s: %s, recomputed %s", figure, currency, first, last, got, want[figure])
						if !got.IsZero() {
							compared[figure] = true
						}
					}
				}
			}
			for _, d := range []models.Day{day.Add(-1), day, day.Add(1)} {
				statement(reports.DayPath(d), "The day’s figures", d, d)
			}
			both := "from=" + string(day) + "&to=" + string(day.Add(1))
			statement("/reports?"+both, "All days together", day, day.Add(1))
			statement("/reports/players?"+both, "All players together", day, day.Add(1))
			require.Len(t, compared, 16, "each figure of the statement was compared where it is not zero")

			// By day, by month, by player, and what is owed now: the files have the figures of the pages.
			file := func(address string, of map[string]string) map[string]decimal.Decimal {
				header, rows, _ := farid.Download(address, export.CSV)
				sums := map[string]decimal.Decimal{}
				for i := range rows {
					matches := true
					for name, value := range of {
						matches = matches && apptest.ColumnOf(t, header, rows, name)[i] == value
					}
					for _, name := range []string{"Turnover", "Payout", "GGR", "Free-spin wins", "Cash deposits", "Cash-outs paid", "Balance change"} {
						if matches {
							sums[name] = sums[name].Add(shown(t, apptest.ColumnOf(t, header, rows, name)[i]))
						}
					}
				}
				return sums
			}
			same := func(got map[string]decimal.Decimal, want map[string]decimal.Decimal, what string) {
				t.Helper()
				for name, figure := range map[string]string{"Turnover": "− Turnover", "Payout": "+ Payout", "GGR": "GGR", "Free-spin wins": "+ Free-spin wins",
					"Cash deposits": "+ Cash deposits", "Cash-outs paid": "− Cash-outs paid", "Balance change": "Balance change"} {
					require.True(t, want[figure].Equal(got[name]), "%s of %s: %s, recomputed %s", name, what, got[name], want[figure])
				}
			}
			for _, currency := range []string{"EUR", "USD"} {
				want := recomputed(all, in(currency), within(day, day.Add(1)))
				same(file("/reports?"+both, map[string]string{"Currency": currency}), want, "days in "+currency)
				same(file("/reports?by=month&"+both, map[string]string{"Currency": currency}), want, "months in "+currency)
				same(file("/reports/players?"+both, map[string]string{"Currency": currency}), want, "players in "+currency)
			}
			for _, player := range []string{"anna", "bert", "uma"} {
				of := func(m moved) bool { return m.player == player }
				same(file("/reports/players?"+both, map[string]string{"Player": player}), recomputed(all, of, within(day, day.Add(1))), player)
				same(file("/reports?player="+player+"&"+both, nil), recomputed(all, of, within(day, day.Add(1))), player)
			}
			// Each figure is the sum of the list that it links to, and the list shows that sum.
			bet, win := func(m moved) decimal.Decimal { return m.bet }, func(m moved) decimal.Decimal { return m.win }
			amount := func(m moved) decimal.Decimal { return m.amount }
			sums := map[string]func(moved) decimal.Decimal{"− Turnover": bet, "+ Payout": win, "+ Free-spin wins": win, "Refunded bets": bet,
				"Reversed wins": win, "Free-spin stakes": bet, "+ Cash deposits": amount, "+ Opening balances": amount, "Balance change": amount,
				"Cash-outs requested": func(m moved) decimal.Decimal { return m.amount.Neg() }, "Cash-outs returned": amount,
				"− Cash-outs paid": func(m moved) decimal.Decimal { return m.paid },
				"Rollbacks":        func(moved) decimal.Decimal { return decimal.NewFromInt(1) },
				"GGR":              func(m moved) decimal.Decimal { return m.bet.Sub(m.win) }}
			linked := map[string]bool{}
			for _, d := range []models.Day{day, day.Add(1)} {
				card := farid.Get(reports.DayPath(d)).Find("[aria-label='The day’s figures']")
				for at := 1; at < card.Find("thead th").Length(); at++ {
					currency := card.Find("thead th").Eq(at).Text()
					if strings.Contains(currency, "test") {
						continue
					}
					for _, row := range card.Find("tbody tr").EachIter() {
						figure, link := row.Find("td").First().Text(), row.Find("td").Eq(at).Find("a")
						of, sum := sums[figure], decimal.Zero
						if of == nil || link.Length() == 0 {
							continue
						}
						for _, m := range exported(t, farid, link.AttrOr("href", "")) {
							sum = sum.Add(of(m))
						}
						require.True(t, sum.Equal(shown(t, link.Text())), "%s in %s on %s: the list has %s, the report %s", figure, currency, d, sum, link.Text())
						if figure != "Rollbacks" && figure != "GGR" {
							foot := farid.Get(link.AttrOr("href", "")).Find(".pb-foot").Text()
							require.Contains(t, foot, " "+strings.TrimSpace(link.Text())+" "+currency, "%s on %s", figure, d)
						}
						linked[figure] = true
					}
				}
			}
			require.Len(t, linked, len(sums))

			// By game: what was played within four hours of opening the session, and the rest.
			session := midnightOf(day, casino, reader).Add(9 * time.Minute)
			inSession := recomputed(all, func(m moved) bool { return m.player == "anna" }, func(at time.Time) bool {
				return !at.Before(session) && at.Before(session.Add(models.GameSessionLasts)) && within(day, day.Add(1))(at)
			})
			header, games, _ := farid.Download("/reports/games?"+both, export.CSV)
			byGame, total := map[string]decimal.Decimal{}, map[string]decimal.Decimal{}
			for i, game := range apptest.ColumnOf(t, header, games, "Game") {
				turnover, currency := shown(t, apptest.ColumnOf(t, header, games, "Turnover")[i]), apptest.ColumnOf(t, header, games, "Currency")[i]
				byGame[game], total[currency] = byGame[game].Add(turnover), total[currency].Add(turnover)
			}
			require.True(t, inSession["− Turnover"].IsPositive())
			require.True(t, inSession["− Turnover"].Equal(byGame["Book of <b>Ember</b>"]), "%s, recomputed %s", byGame, inSession["− Turnover"])
			for currency, sum := range total {
				require.True(t, recomputed(all, in(currency), within(day, day.Add(1)))["− Turnover"].Equal(sum), currency)
			}

			// What is owed now is the sum of everything that moved, including what is held.
			for _, row := range farid.Get("/reports/liability").Find("tbody tr").EachIter() {
				cells := row.Find("td")
				if cells.First().Text() != "Liability to players" {
					continue
				}
				of := recomputed(all, in(cells.Eq(2).Text()), func(at time.Time) bool { return !at.IsZero() })
				owed := of["Balance change"].Add(of["Cash-outs requested"]).Sub(of["Cash-outs returned"]).Sub(of["− Cash-outs paid"])
				require.True(t, owed.Equal(shown(t, cells.Eq(3).Text())), "%s: recomputed %s", row.Text(), owed)
				players := map[string]bool{}
				for _, m := range all {
					players[m.player] = players[m.player] || m.currency == cells.Eq(2).Text()
				}
				n := 0
				for _, counts := range players {
					if counts {
						n++
					}
				}
				require.Equal(t, strconv.Itoa(n), cells.Eq(4).Text(), "players with a wallet in the currency")
				compared["liability "+cells.Eq(2).Text()] = true
			}
			require.Len(t, compared, 18)
		})
	}
}
