package reports_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/export"
	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// confirm approves the requested change and returns its page.
func confirm(b *apptest.Browser, asked *apptest.Answer) *apptest.Answer {
	b.T.Helper()
	require.True(b.T, strings.HasPrefix(asked.Location, "/settings/changes/"), "%d %s", asked.Status, asked.Text())
	decided := b.Post(asked.Location, asked.Location+"/approval", url.Values{"password": {apptest.Password}})
	require.Equal(b.T, http.StatusSeeOther, decided.Status, decided.Text())
	return b.Get(asked.Location)
}

// enter requests lines of figures. It returns the page that showed them, and the page of the change.
func enter(b *apptest.Browser, path, lines string) (shown, asked *apptest.Answer) {
	b.T.Helper()
	asked = b.Post(path, path, url.Values{"lines": {lines}, "reason": {"reference rates"}, "password": {apptest.Password}})
	require.Equal(b.T, http.StatusSeeOther, asked.Status, asked.Text())
	return b.Get(asked.Location), asked
}

// One person enters rates and another confirms them. Reports use them, or say which are missing.
func TestBaseCurrency(t *testing.T) {
	storetest.Each(t, func(t *testing.T, dbURL string) {
		s := apptest.NewSite(t, dbURL)
		day := s.SetClockToNoon()
		s.PlayerWithBalance("anna", 10000)
		_, err := s.Store.CreatePlayer(t.Context(), models.Actor{Name: "tester"}, models.NewPlayer{UserID: "uma", Currency: "USD", Balance: 5000})
		require.NoError(t, err)
		s.Book(apptest.Bet("anna", "a-1", "a-r", 1000), apptest.Win("anna", "a-2", "a-r", 400))
		s.Book(apptest.Bet("uma", "u-1", "u-r", 1005))
		s.SumUpDays()
		fred, cora := s.SignedIn("fred", models.Finance), s.SignedIn("cora", models.Compliance)
		require.NotContains(t, fred.Get("/reports").Text(), "Turnover in", "no base currency is named")

		require.Contains(t, fred.Get("/reports/rates").Text(), "Choose the base currency first")
		base := url.Values{"base": {"eur"}, "reason": {"our books"}, "password": {apptest.Password}}
		confirm(cora, fred.Post("/reports/rates", "/reports/rates/base", base))

		report := fred.Get("/reports")
		require.Contains(t, report.Text(), "a rate is missing: USD on "+day.Format("2 Jan 2006"))
		require.NotZero(t, report.Find("[aria-label=Days] tbody a[href='/reports/rates']").Length())
		require.Equal(t, []string{day.Format("Mon, 2 Jan 2006"), "10.00partial", "6.00partial"},
			apptest.CellsOf(report, "[aria-label='All currencies in EUR'] tbody tr"), "the sum of what has a rate")
		partial := fred.Get("/reports?by=month")
		require.Contains(t, partial.Text(), "a rate is missing: USD on "+day.Format("2 Jan 2006"))
		header, file, _ := fred.Download("/reports", export.CSV)
		require.Equal(t, []string{"", "USD on " + day.Format("2 Jan 2006")}, apptest.ColumnOf(t, header, file, "Left out, without a rate"))

		for lines, why := range map[string]string{
			"day,currency,rate\n2026-13-01,USD,1":                                         "2026-13-01",
			"day,currency,rate\n" + string(day) + ",USD,zero":                             "is not a rate",
			"day,currency,rate\n" + string(day) + ",EUR,1":                                "needs no rate",
			"day,currency,rate\n" + string(day.Add(1)) + ",USD,0.9":                       "has not begun",
			"currency,rate\nUSD,0.9":                                                      "has to name the columns day, currency, rate",
			"day,currency,rate\n" + string(day) + ",USD,0.9\n" + string(day) + ",USD,0.8": "two rates",
			"": "",
		} {
			refused := fred.Post("/reports/rates", "/reports/rates", url.Values{"lines": {lines}})
			require.Equal(t, http.StatusUnprocessableEntity, refused.Status, lines)
			require.Contains(t, refused.Find("#f-lines-wrong").Text(), why)
		}
		// A file's good lines are requested, and its bad line can be downloaded with the reason.
		sent := "day;currency;rate;source\n" + string(day.Add(-3)) + ";gbp;1.2;ecb\n" + string(day.Add(-3)) + ";JPY;=1+1;ecb\n"
		refused := fred.UploadTo("/reports/rates", "/reports/rates", "rates.csv", sent, "reason", "reference rates", "password", apptest.Password)
		require.Equal(t, http.StatusUnprocessableEntity, refused.Status)
		require.Equal(t, "Continue without 1 line", refused.Find("button[name=skip]").Text())
		sheet := fred.SendAgain(refused, "#figures", url.Values{"download": {"lines"}})
		require.Regexp(t, "^\ufeffday;currency;rate;source;What is wrong\n"+string(day.Add(-3))+";JPY;'=1\\+1;ecb;.*is not a rate", sheet.Body)
		part := fred.SendAgain(refused, "#figures", url.Values{"skip": {"1"}, "reason": {"reference rates"}, "password": {apptest.Password}})
		require.Contains(t, confirm(cora, part).Text(), "GBP")
		returns := fred.Post("/reports/returns", "/reports/returns", url.Values{"lines": {"game_id,rtp\n20001,96.5\n20002,lots"}, "skip": {"1"},
			"reason": {"from the maker"}})
		require.Equal(t, http.StatusUnprocessableEntity, returns.Status)
		require.Contains(t, returns.Find("#bad-lines").Text(), "nothing is requested until every line is correct")
		require.Zero(t, returns.Find("button[name=skip]").Length())

		shown, asked := enter(fred, "/reports/rates", "day;currency;rate\n"+string(day)+";usd;0,9\n")
		require.Contains(t, shown.Text(), "check this one", "there is no rate before")
		own := fred.Post(asked.Location, asked.Location+"/approval", url.Values{"password": {apptest.Password}})
		require.Contains(t, fred.Get(own.Location).Text(), "a colleague must decide")
		require.Contains(t, fred.Get("/reports").Text(), "a rate is missing", "it is not confirmed")
		require.Contains(t, cora.Get("/").Text(), "waiting")
		confirm(cora, asked)

		// 10.05 × 0.9 is 9.045, which rounds to 9.05.
		report = fred.Get("/reports")
		rows := "[aria-label=Days] tbody tr"
		require.Equal(t, []string{"1", "10.00", "6.00"}, apptest.CellsOf(report, rows+":nth-child(1)")[10:13])
		require.Equal(t, []string{"0.9", "9.05", "9.05"}, apptest.CellsOf(report, rows+":nth-child(2)")[10:13])
		require.Equal(t, []string{day.Format("Mon, 2 Jan 2006"), "19.05", "15.05"},
			apptest.CellsOf(report, "[aria-label='All currencies in EUR'] tbody tr"))
		require.Contains(t, fred.Get("/reports?by=month").Text(), "19.05")
		_, file, _ = fred.Download("/reports", export.CSV)
		require.Equal(t, []string{"0.9", "9.05", "9.05", ""}, file[1][len(file[1])-5:len(file[1])-1])

		funds := fred.Get("/reports/funds")
		require.Equal(t, http.StatusOK, funds.Status, funds.Text())
		require.Equal(t, 3, funds.Find("[aria-label='Player funds'] tbody tr").Length(), "months before the first booking are left out")
		month := day.Format("January 2006") + ", so far"
		require.Equal(t, []string{month, "EUR", "94.00", "0.00", "94.00", "1", "94.00"},
			apptest.CellsOf(funds, "[aria-label='Player funds'] tbody tr:nth-child(1)"))
		require.Equal(t, []string{month, "USD", "39.95", "0.00", "39.95", "0.9", "35.96"},
			apptest.CellsOf(funds, "[aria-label='Player funds'] tbody tr:nth-child(2)"))
		require.Equal(t, "129.96", apptest.CellsOf(funds, "[aria-label='Player funds'] tbody tr:nth-child(3)")[6])
		_, file, _ = fred.Download("/reports/funds", export.CSV)
		require.Equal(t, []string{month, string(day), "all", "", "", "", "", "129.96", ""}, file[2])

		// A mistake is corrected by another request. The first request stays on record.
		shown, asked = enter(cora, "/reports/rates", "day,currency,rate\n"+string(day)+",USD,0.8\n")
		require.Contains(t, shown.Text(), "replaces 0.9")
		confirm(fred, asked)
		require.Contains(t, fred.Get("/reports").Text(), "18.04")

		// A rate that was inserted into the database does not count.
		id := strings.TrimPrefix(asked.Location, "/settings/changes/")
		apptest.AlterDatabase(t, dbURL, "UPDATE change_requests SET value_after = REPLACE(value_after, '0.8', '8.0') WHERE id = "+id)
		require.Equal(t, http.StatusConflict, fred.Get("/reports").Status)
	})
}

// Rankings show what stands out, and link to what is behind it.
func TestRankings(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		day := s.SetClockToNoon()
		s.PlayerWithBalance("anna", 10000)
		s.PlayerWithBalance("bert", 10000)
		s.Book(apptest.Bet("anna", "a-1", "a-r", 100), apptest.Win("anna", "a-2", "a-r", 5000), apptest.Win("anna", "a-3", "a-r", 300),
			apptest.BetWin("bert", "b-1", "b-r", 100, 7700), apptest.Bet("bert", "b-2", "b-s", 100), apptest.Rollback("bert", "b-2"))
		s.SumUpDays()
		s.Book(apptest.Win("anna", "a-4", "a-r", 4000)) // the largest win stays when later ones are added
		forged := s.Callback(apptest.Bet("bert", "f-1", "f-r", 100), 3)
		forged.Verdict = models.VerdictInvalidSign
		s.LogCallback(forged)
		s.Grant("anna", s.SyncedGame(), 12)
		s.SumUpDays()
		fred := s.SignedIn("fred", models.Finance)
		cells := func(of string) []string {
			page := fred.Get("/reports/ranked?of=" + of)
			require.Equal(t, http.StatusOK, page.Status, page.Text())
			apptest.RequireNothingInline(t, page)
			return apptest.CellsOf(page, "main .card tbody tr")
		}
		require.Equal(t, []string{day.Format("Mon, 2 Jan 2006"), "bert", "EUR", "77.00"}, cells(""), "an instant game")
		page := fred.Get("/reports/ranked")
		require.Equal(t, []string{day.Format("Mon, 2 Jan 2006"), "anna", "EUR", "50.00"}, apptest.CellsOf(page, "main .card tbody tr:nth-child(2)"))
		require.Equal(t, 2, page.Find("main .card tbody tr").Length())
		behind := fred.Get(page.Find("main .card tbody tr td:last-child a").First().AttrOr("href", ""))
		require.Contains(t, behind.Text(), "b-1")
		require.Equal(t, []string{"bert", "EUR", "1", "3", "33.33%"}, cells("rollbacks"))
		require.Equal(t, "1", cells("signatures")[2])
		require.Equal(t, []string{"anna", "12", "1"}, cells("grants")[1:])
		require.Empty(t, cells("corrections"))
		require.Empty(t, cells("returns"), "no session was opened")
		_, file, _ := fred.Download("/reports/ranked", export.CSV)
		require.Equal(t, []string{string(day), "bert", "EUR", "77.00"}, file[0])

		_, asked := enter(fred, "/reports/returns", "game_id,rtp\nvs20gates,96.50\n")
		confirm(s.SignedIn("cora", models.Compliance), asked)
		require.Contains(t, fred.Get("/reports/returns").Text(), "1 game has one")
	})
}

// A threshold is tried before it is switched on. From then on it opens cases for days that end.
func TestThresholdOpensCases(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		day := s.SetClockToNoon()
		s.PlayerWithBalance("anna", 10000)
		s.PlayerWithBalance("bert", 10000)
		s.Book(apptest.BetWin("anna", "a-1", "a-r", 100, 50000), apptest.BetWin("bert", "b-1", "b-r", 100, 49999))
		find := func() (opened int) {
			s.SumUpDays()
			opened, err := s.Store.FindCases(t.Context(), models.CaseRulesConfig{})
			require.NoError(t, err)
			return opened
		}
		s.Later(24 * time.Hour)
		require.Zero(t, find())
		fred, cora := s.SignedIn("fred", models.Finance), s.SignedIn("cora", models.Compliance)
		tried := fred.Get("/reports/ranked/threshold?of=wins&least=500.00&currency=EUR")
		require.Equal(t, http.StatusOK, tried.Status, tried.Text())
		require.Contains(t, tried.Find("h2").Text(), "1 case in the last 30 days")
		require.Equal(t, []string{day.Format("Mon, 2 Jan 2006"), "1"},
			apptest.CellsOf(tried, "[aria-label='What it would have opened'] tbody tr"))
		none, err := s.Store.Cases(t.Context(), models.CaseFilter{Span: models.Span{Limit: 10}})
		require.NoError(t, err)
		require.Empty(t, none.Rows, "trying opens none")

		form := url.Values{"of": {"wins"}, "least": {"500.00"}, "currency": {"EUR"}, "reason": {"large"}, "password": {apptest.Password}}
		for _, wrong := range []string{"", "-1", "x"} {
			refused := fred.Post("/reports/ranked/threshold", "/reports/ranked/threshold", url.Values{"of": {"grants"}, "least": {wrong},
				"reason": {"large"}, "password": {apptest.Password}})
			require.Equal(t, http.StatusUnprocessableEntity, refused.Status, wrong)
		}
		confirm(cora, fred.Post("/reports/ranked/threshold", "/reports/ranked/threshold", form))
		require.Zero(t, find(), "days that ended before it was switched on open none")
		s.Book(apptest.BetWin("bert", "b-2", "b-t", 100, 60000))
		require.Zero(t, find(), "the day has not ended")
		s.Later(24 * time.Hour)
		require.Equal(t, 1, find())
		require.Zero(t, find(), "it is found once")
		cases, err := s.Store.Cases(t.Context(), models.CaseFilter{Rule: models.CaseThreshold, Span: models.Span{Limit: 10}})
		require.NoError(t, err)
		require.Len(t, cases.Rows, 1)
		mira := s.SignedIn("mira", models.Finance) // the earlier sessions have ended
		shown := mira.Get("/cases/" + strconv.FormatInt(cases.Rows[0].ID, 10)).Text()
		require.Contains(t, shown, "600.00 EUR")
		require.Contains(t, shown, "That proves nothing")
	})
}
