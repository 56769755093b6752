package reports_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"pitboss/app/export"
	"pitboss/app/pages/reports"
	"pitboss/app/web"
	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/browsertest"
	"pitboss/models"
)

// account returns the figures for the first currency in a statement of account, by their labels.
func account(page *apptest.Answer, title string) map[string]string {
	figures := map[string]string{}
	for _, row := range page.Find("[aria-label='" + title + "'] tbody tr").EachIter() {
		figures[row.Find("td").First().Text()] = row.Find("td").Eq(1).Text()
	}
	return figures
}

// twoDays has anna play on one day, bert and a test player on the next, and returns the first day.
func twoDays(s *apptest.Site) models.Day {
	s.T.Helper()
	day := s.SetClockToNoon()
	s.PlayerWithHistory("anna")
	s.Later(24 * time.Hour)
	s.PlayerWithBalance("bert", 5000)
	s.Book(apptest.Bet("bert", "b-1", "b-r", 1500), apptest.Win("bert", "b-2", "b-r", 4000))
	_, err := s.Store.CreatePlayer(s.T.Context(), models.Actor{Name: "tester"},
		models.NewPlayer{UserID: `<b>tessa</b>`, Currency: "EUR", Balance: 1000, Test: true})
	require.NoError(s.T, err)
	s.Book(apptest.Bet(`<b>tessa</b>`, "t-1", "t-r", 700))
	s.SumUpDays()
	return day
}

func TestReports(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		s.SumUpDays()
		none := s.SignedIn("fred", models.Finance).Get("/reports")
		require.Contains(t, none.Text(), "No activity")
		apptest.RequireNothingInline(t, none)

		day := twoDays(s)
		farid := s.SignedIn("farid", models.Finance)
		page := farid.Get("/reports?from=" + string(day) + "&to=" + string(day.Add(1)))
		require.Equal(t, http.StatusOK, page.Status, page.Body)
		apptest.RequireNothingInline(t, page)
		rows := "[aria-label=Days] tbody tr"
		require.Equal(t, 2, page.Find(rows).Length())
		require.Equal(t, []string{day.Add(1).Format("Mon, 2 Jan 2006"), "EUR", "15.00", "40.00", "−25.00", "266.67%", "0.00",
			"0", "0.00", "162.70", "Running"}, apptest.CellsOf(page, rows))
		require.Equal(t, []string{day.Format("Mon, 2 Jan 2006"), "EUR", "34.00", "20.50", "13.50", "60.29%", "1.20", "2",
			"0.00", "87.70", "Open"}, apptest.CellsOf(page, rows+":nth-child(2)"))
		require.Equal(t, map[string]string{"Opening liability": "0.00", "+ Opening balances": "150.00", "− Turnover": "49.00",
			"+ Payout": "60.50", "+ Free-spin wins": "1.20", "+ Corrections": "0.00", "+ Cash deposits": "0.00", "− Cash-outs paid": "0.00",
			"= Closing liability": "162.70", "Held by cash-outs at the end": "0.00", "Cash-outs requested": "0.00",
			"Cash-outs returned": "0.00", "Balance change": "162.70", "GGR": "−11.50", "RTP in percent": "123.47", "Free-spin stakes": "0.50",
			"Rollbacks": "2", "Refunded bets": "10.00", "Reversed wins": "0.00"}, account(page, "All days together"))
		require.Equal(t, []string{"EUR", "165.70", "165.70", "Matches"},
			apptest.CellsOf(page, "[aria-label='Control total'] tbody tr"),
			"test players included: 10.00 less 7.00")
		require.Contains(t, page.Text(), "days of UTC")
		require.Contains(t, page.Text(), "turnover minus payout")
		require.Equal(t, 2, page.Find(".pb-chart svg").Length())
		played := page.Find("[aria-label='Turnover and payout, chart'] svg")
		require.Contains(t, played.AttrOr("aria-label", ""), "in EUR")
		require.Equal(t, "40", page.Find("[aria-label='Turnover and payout, chart'] .y span").First().Text())
		require.Equal(t, "M42 15h216V100h-216zM342 62.5h216V100h-216z", played.Find(".b11").AttrOr("d", ""),
			"bars of 34 and of 15, of 40")
		require.Contains(t, apptest.TextOf(page, "main"),
			"From "+day.Format("2 Jan 2006")+", 00:00 +00:00 to "+day.Add(2).Format("2 Jan 2006")+
				", 00:00 +00:00, days of UTC. Entries counted up to ")
		require.Regexp(t, `shown at `+day.Add(1).Format("2 Jan")+`\w* \d{4},? \d\d:\d\d:\d\d ?, both in UTC`,
			apptest.TextOf(page, "main"),
			"with its date, since a report is printed")
		require.Equal(t, []string{day.Format("2 Jan"), day.Add(1).Format("2 Jan")},
			page.Find("[aria-label='Turnover and payout, chart'] .x span").
				Map(func(_ int, s *goquery.Selection) string { return s.Text() }))

		with := farid.Get("/reports?test=with&from=" + string(day) + "&to=" + string(day.Add(1)))
		require.Equal(t, "22.00", apptest.CellsOf(with, rows)[2])
		only := farid.Get("/reports?test=only&from=" + string(day) + "&to=" + string(day.Add(1)))
		require.Equal(t, "7.00", apptest.CellsOf(only, rows)[2])
		anna := farid.Get("/reports?player=anna&from=" + string(day) + "&to=" + string(day.Add(1)))
		require.Equal(t, "34.00", apptest.CellsOf(anna, rows+":nth-child(2)")[2])
		require.Equal(t, []string{day.Add(1).Format("Mon, 2 Jan 2006"), "EUR", "0.00", "0.00", "0.00", "", "0.00", "0", "0.00", "87.70", "Running"},
			apptest.CellsOf(anna, rows), "a day without play")
		for _, address := range []string{"/reports?from=2020-01-01&to=2020-01-31",
			"/reports/players?from=2020-01-01&to=2020-01-31", "/reports/games?from=2020-01-01&to=2020-01-31",
			reports.DayPath("2020-01-01")} {
			require.Contains(t, farid.Get(address).Find("main").Text(), "No activity", address)
		}

		for address, said := range map[string]string{
			"/reports?from=yesterday": "enter a day such as", "/reports?from=2026-02-30": "enter a day such as",
			"/reports?from=2026-01-02&to=2026-01-01": "The first day is after the last",
			"/reports?from=2020-01-01&to=2026-01-01": "at most 366 days",
			"/reports?currency=e":                    "It can be EUR",
			"/reports?player=nobody":                 "No player has the ID",
			"/reports/players?from=0000-00-00":       "enter a day such as",
		} {
			page := farid.Get(address)
			require.Equal(t, http.StatusOK, page.Status, address)
			require.Contains(t, strings.ToLower(page.Text()), strings.ToLower(said), address)
		}
		for _, address := range []string{"/reports/days/2026-02-30", "/reports/days/x", "/reports/days/2198-01-01"} {
			require.Equal(t, http.StatusNotFound, farid.Get(address).Status, address)
		}

		// A month shows the sums of its days and links to them.
		months := farid.Get("/reports?by=month&test=with&from=" + string(day) + "&to=" + string(day))
		require.Equal(t, 1, months.Find("[aria-label=Months] tbody tr").Length())
		require.Equal(t, web.DaysWords(day, day), months.Find("[aria-label=Months] tbody td").First().Text())
		require.Equal(t, account(months, "All days together")["= Closing liability"],
			months.Find("[aria-label=Months] tbody td[data-label='Closing liability']").Text())
		days := farid.Get(months.Find("[aria-label=Months] tbody a").AttrOr("href", ""))
		require.NotZero(t, days.Find("[aria-label=Days] tbody tr").Length())

		players := farid.Get("/reports/players?test=with&from=" + string(day) + "&to=" + string(day.Add(1)))
		apptest.RequireNothingInline(t, players)
		require.Equal(t, 3, players.Find("[aria-label=Players] tbody tr").Length())
		require.Equal(t, []string{"anna", "no", "EUR", "34.00", "20.50", "13.50", "60.29%", "1.20", "2", "0.00", "87.70",
			"By day"}, apptest.CellsOf(players, "tbody tr"))
		require.Contains(t, players.Text(), "<b>tessa</b>")
		all := account(players, "All players together")
		require.Equal(t, []string{"160.00", "56.00", "165.70"},
			[]string{all["+ Opening balances"], all["− Turnover"], all["= Closing liability"]})
		require.Equal(t, []string{"EUR", "165.70", "165.70", "Matches"},
			apptest.CellsOf(players, "[aria-label='Control total'] tbody tr"))
		// A player's figures link to the player's days, and each day to that player's transactions only.
		byDay := farid.Get(players.Find("tbody tr").First().Find("a:contains('By day')").AttrOr("href", ""))
		require.Equal(t, 2, byDay.Find(rows).Length())
		hers := farid.Get(byDay.Find(rows).Last().Find("a").AttrOr("href", ""))
		require.Contains(t, hers.Find("h1").Text(), "Transactions")
		require.Zero(t, hers.Find("tbody a:contains('bert')").Length())
		require.NotZero(t, hers.Find("tbody tr").Length())

		// A figure links to its transactions.
		one := farid.Get(reports.DayPath(day))
		require.Equal(t, http.StatusOK, one.Status, one.Body)
		apptest.RequireNothingInline(t, one)
		of := account(one, "The day’s figures")
		require.Equal(t, []string{"0.00", "100.00", "34.00", "20.50", "1.20", "0.00", "87.70", "0"},
			[]string{of["Opening liability"], of["+ Opening balances"], of["− Turnover"], of["+ Payout"], of["+ Free-spin wins"],
				of["+ Corrections"], of["= Closing liability"], of["Rounds in play at the end"]})
		bets := farid.Get(one.Find("[aria-label='The day’s figures'] a:contains('34.00')").AttrOr("href", ""))
		require.Equal(t, 6, bets.Find("tbody tr").Length(), "five bets, and a refund")
		require.Contains(t, bets.Find(".pb-foot").Text(), "bets after rollbacks 34.00 EUR")
		wins := farid.Get(one.Find("[aria-label='The day’s figures'] a:contains('20.50')").AttrOr("href", ""))
		require.Equal(t, 3, wins.Find("tbody tr").Length(), "wins in money, without the one of a free spin")

		owed := farid.Get("/reports/liability")
		apptest.RequireNothingInline(t, owed)
		require.Equal(t, []string{"Liability to players", "", "EUR", "162.70", "2"}, apptest.CellsOf(owed, "[aria-label=Liability] tbody tr"))
		require.Equal(t, []string{"EUR", "165.70", "165.70", "Matches"},
			apptest.CellsOf(owed, "[aria-label='Control total'] tbody tr"))

		// A file says what its page says, including defaults.
		header, exported, remarks := farid.Download("/reports?from="+string(day)+"&to="+string(day.Add(1)), export.XLSX)
		require.Equal(t, []string{"-25.00", "13.50"}, apptest.ColumnOf(t, header, exported, "GGR"))
		for _, said := range []string{
			"# GGR: turnover minus payout", "# Test players: Excluded", "# Days: of UTC, summed up until ",
			"# Interval: " + day.Format("2 Jan 2006") + ", 00:00 +00:00 to ",
		} {
			apptest.Remarked(t, remarks, said)
		}
		result, err := s.Store.Apply(t.Context(),
			models.Operation{Source: models.SourceOwn, Kind: models.Adjustment, UserID: "anna", TransactionID: "adjustment:1",
				Bet: 20000, AllowNegative: true})
		require.NoError(t, err)
		require.Equal(t, models.None, result.Decline)
		header, exported, _ = farid.Download("/reports/liability", export.XLSX)
		require.Equal(t, []string{"Liability to players", "Held by cash-outs", "Balances below zero, together", "Balance below zero"},
			apptest.ColumnOf(t, header, exported, "What")[:4])
		require.Equal(t, []string{"-37.30", "0.00", "-112.30", "-112.30"}, apptest.ColumnOf(t, header, exported, "Amount")[:4])
		require.Equal(t, "anna", apptest.ColumnOf(t, header, exported, "Player")[3])
		_, exported, _ = farid.Download("/reports/players?from="+string(day)+"&to="+string(day.Add(1)), export.XLSX)
		require.Len(t, exported, 2)

		support := s.SignedIn("sofia", models.Support)
		require.Equal(t, http.StatusForbidden, support.Get("/reports").Status)
	})
}

// A page and its file compare a period with an earlier one, with the difference.
func TestComparedPeriods(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		day := twoDays(s)
		farid := s.SignedIn("farid", models.Finance)
		address := "/reports/compared?from=" + string(day.Add(1)) + "&to=" + string(day.Add(1))
		page := farid.Get(address)
		apptest.RequireNothingInline(t, page)
		var lines []string
		for _, row := range page.Find("[aria-label='Compared periods'] tbody tr").EachIter() {
			lines = append(lines, strings.Join(row.Find("td").Map(func(_ int, td *goquery.Selection) string { return td.Text() }), " "))
		}
		for _, line := range []string{"Turnover EUR 15.00 34.00 −19.00 −55.9%", "GGR EUR −25.00 13.50 −38.50 −285.2%",
			"RTP in percent EUR 266.67 60.29 206.38 ", "Corrections EUR 0.00 0.00 0.00 ", "Closing liability EUR 162.70 87.70 75.00 85.5%"} {
			require.Contains(t, lines, line)
		}
		require.Equal(t, []string{"Figure", "Currency", day.Add(1).Format("2 Jan 2006"), day.Format("2 Jan 2006"), "Difference", "Change"},
			page.Find("[aria-label='Compared periods'] th").Map(func(_ int, th *goquery.Selection) string { return th.Text() }))
		require.Contains(t, page.Find(".pb-chart svg").AttrOr("aria-label", ""), "in EUR: Turnover 15.00, before 34.00; Payout")
		header, rows, _ := farid.Download(address, export.CSV)
		require.Len(t, rows, len(lines), "the file has the rows of the page")
		require.Equal(t, "-19.00", apptest.ColumnOf(t, header, rows, "Difference")[slices.Index(apptest.ColumnOf(t, header, rows, "Figure"), "Turnover")])

		// By default, yesterday is compared with the same day of the week before.
		s.Later(24 * time.Hour)
		mira := s.SignedIn("mira", models.Finance) // the earlier session has ended
		fresh := mira.Get("/reports").Find(".pb-tabs a:contains(Compared)").AttrOr("href", "")
		page = mira.Get(fresh)
		require.Equal(t, []string{day.Add(1).Format("2 Jan 2006"), day.Add(-6).Format("2 Jan 2006")},
			page.Find("[aria-label='Compared periods'] th.num").Map(func(_ int, th *goquery.Selection) string { return th.Text() })[:2])
		require.Contains(t, page.Find("[aria-label='Compared periods'] tbody").Text(), "15.00")
		month := mira.Get("/reports/compared?days=last-month")
		first := day.Add(2).Month().Add(-1).Month()
		require.Contains(t, month.Find("[aria-label='Compared periods']").Text()+month.Text(),
			web.DaysWords(first, day.Add(2).Month().Add(-1)))
	})
}

// TestReportsByGame infers games from sessions.
func TestReportsByGame(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		day := s.SetClockToNoon()
		s.PlayerWithBalance("anna", 10000)
		s.Book(apptest.Bet("anna", "early", "r0", 900))
		s.Later(time.Minute)
		s.OpenGameAndGrant("anna")
		s.Later(time.Minute)
		s.Book(apptest.Bet("anna", "b1", "r1", 500), apptest.Win("anna", "w1", "r1", 200))
		s.Later(5 * time.Hour)
		s.Book(apptest.Bet("anna", "late", "r2", 100))
		s.SumUpDays()
		farid := s.SignedIn("farid", models.Finance)
		address := "/reports/games?from=" + string(day) + "&to=" + string(day)
		page := farid.Get(address)
		require.Equal(t, []string{"Book of <b>Ember</b>", "", "EUR", "5.00", "2.00", "3.00", "40.00%", "0.00", "0.00", "1"},
			apptest.CellsOf(page, "[aria-label='Games, inferred'] tbody tr"))
		apptest.RequireNothingInline(t, page)
		require.Equal(t, []string{"Without a session", "", "EUR", "10.00", "0.00", "10.00", "0.00%", "0.00", "0.00", "–"},
			apptest.CellsOf(page, "[aria-label='Games, inferred'] tbody tr:nth-child(2)"), "together, all turnover of the day")
		// A game links to its sessions, and a session to what was played in it.
		sessions := farid.Get(page.Find("[aria-label='Games, inferred'] td[data-label=Sessions] a").AttrOr("href", ""))
		require.Equal(t, 1, sessions.Find("tbody tr").Length(), sessions.Body)
		session := farid.Get(sessions.Find("tbody .c-what a").AttrOr("href", ""))
		played := farid.Get(session.Find("a:contains('Play during this session')").AttrOr("href", ""))
		require.Equal(t, 2, played.Find("tbody tr").Length(),
			"the bet and the win of the session, neither the one before nor the one hours after")
		require.Contains(t, farid.Get("/sessions?since=soon").Text(), "Invalid filter")
		require.Zero(t, farid.Get("/sessions?since=2199-01-01").Find("tbody tr").Length())
		require.Zero(t, farid.Get("/sessions?until=2000-01-01").Find("tbody tr").Length())
		header, rows, remarks := farid.Download(address, export.XLSX)
		require.Equal(t, []string{"vs20ember", ""}, apptest.ColumnOf(t, header, rows, "Game ID"))
		require.Equal(t, []string{"Book of <b>Ember</b>", "Without a session", "3.00", "10.00"},
			slices.Concat(apptest.ColumnOf(t, header, rows, "Game"), apptest.ColumnOf(t, header, rows, "GGR")))
		apptest.Remarked(t, remarks, "Callbacks name no game")
	})
}

// TestEarlierDaysAreClosed signs a day while the day before it is open. The page names that day, and the signature closes it
// too.
func TestEarlierDaysAreClosed(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		day := s.SetClockToNoon()
		s.PlayerWithBalance("anna", 10000)
		s.Later(48 * time.Hour)
		s.SumUpDays()
		farid := s.SignedIn("farid", models.Finance)
		path := reports.DayPath(day.Add(1))
		page := farid.Get(path)
		require.Contains(t, apptest.TextOf(page, "form[action$='/signatures']"), "1 earlier day that is still open, from "+
			day.Format("2 Jan 2006"))
		form := apptest.FieldsOf(page, "form[action$='/signatures']", "note", "No checkpoint is kept here.")
		require.Equal(t, http.StatusSeeOther, farid.Post("", path+"/signatures", form).Status)
		require.Contains(t, apptest.TextOf(farid.Get(reports.DayPath(day)), "h1"), "Closed")
	})
}

// TestDaySignedByTwo closes a day over HTTP as finance and compliance do. Nobody else can sign it, and neither of them can sign
// for both.
func TestDaySignedByTwo(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		day := twoDays(s)
		farid, greta, chloe := s.SignedIn("farid", models.Finance), s.SignedIn("greta", models.Finance),
			s.SignedIn("chloe", models.Compliance)
		path := reports.DayPath(day)
		sign := func(who *apptest.Browser, more ...string) *apptest.Answer {
			form := url.Values{"digest": {farid.Get(path).Find("[title][class=id]").Last().AttrOr("title", "")},
				"standing": {who.Get(path).Find("[name=standing]").AttrOr("value", "")},
				"note":     {"No checkpoint is kept here."}}
			for i := 0; i+1 < len(more); i += 2 {
				form.Set(more[i], more[i+1])
			}
			return who.Post(path, path+"/signatures", form)
		}
		for _, role := range []models.Role{models.Administrator, models.Bonus, models.Support} {
			require.Equal(t, http.StatusForbidden,
				s.SignedIn("no-"+string(role), role).Post("/account", path+"/signatures", url.Values{}).Status, role)
		}
		today := farid.Get(reports.DayPath(day.Add(1)))
		require.Zero(t, today.Find("button:contains('Sign the day')").Length())
		require.Contains(t, today.Find("[aria-label=Signatures]").Text(), "It can be signed from")
		shown := farid.Get(path)
		require.Equal(t, 1, shown.Find("button:contains('Sign the day for finance')").Length())
		require.Contains(t, apptest.TextOf(shown, "[aria-label='Before you sign']"), "Missing")
		without := sign(farid, "note", "")
		require.Equal(t, http.StatusUnprocessableEntity, without.Status)
		require.Contains(t, without.Text(), "at least ten characters")
		require.Equal(t, path, sign(farid, "digest", "0123").Location)
		require.Contains(t, farid.Get(path).Find(".pb-flash").Text(), "figures have changed since they were shown")
		require.Equal(t, "Open", farid.Get(path).Find("h1 .badge").Text())

		todo := ".pb-todo a[href='" + path + "']"
		require.Equal(t, "1 Day to sign for finance, oldest "+day.Format("2 Jan"), apptest.TextOf(farid.Get("/"), todo))
		require.Equal(t, path, sign(farid).Location)
		done := farid.Get(path)
		require.Zero(t, farid.Get("/").Find(todo).Length())
		require.Contains(t, apptest.TextOf(chloe.Get("/"), todo), "for compliance")
		require.Contains(t, done.Find(".pb-flash").Text(), "Signed for finance")
		require.Equal(t, "Closed", done.Find("h1 .badge.quiet").Text(), "a finished state")
		require.Zero(t, done.Find("button:contains('Sign the day')").Length())
		require.Zero(t, greta.Get(path).Find("button:contains('Sign the day')").Length())
		require.Equal(t, path, sign(greta).Location)
		require.Contains(t, greta.Get(path).Find(".pb-flash").Text(), "already been signed for this role")

		require.Equal(t, path, sign(chloe).Location)
		done = chloe.Get(path)
		require.Equal(t, "Signed", done.Find("h1 .badge").Text())
		signatures := apptest.TextOf(done, "[aria-label=Signatures]")
		require.Contains(t, signatures, "farid")
		require.Contains(t, signatures, "chloe")
		require.Contains(t, signatures,
			"no checkpoint, no verification, no statement, 0 open cases of this day or earlier, 0 unconfirmed grants")
		require.Contains(t, chloe.Get("/audit?object=day").Text(), "Day signed")
		require.Equal(t, "Signed",
			strings.TrimSpace(chloe.Get("/reports").Find("[aria-label=Days] tbody tr:nth-child(2) .badge").Text()))
	})
}

// TestWhatSignersOfADaySee shows signers a checkpoint, the last verification, open cases and grants of unknown outcome. It
// records what each of them saw, and requires a remark if something is open.
func TestWhatSignersOfADaySee(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		ctx, by := t.Context(), models.Actor{Name: "tester"}
		day := twoDays(s)
		farid, chloe := s.SignedIn("farid", models.Finance), s.SignedIn("chloe", models.Compliance)
		path := reports.DayPath(day)
		before := func(who *apptest.Browser, path string) []string {
			var lines []string
			for _, line := range who.Get(path).Find("[aria-label='Before you sign'] li").EachIter() {
				lines = append(lines, strings.Join(strings.Fields(line.Find("span").First().Text()+": "+
					line.Find(".badge").Text()), " "))
			}
			return lines
		}
		require.Equal(t, []string{"Checkpoint: Missing", "Ledger: Not verified", "Statement: Missing",
			"Open cases of this day: 0", "Older open cases: 0", "Unconfirmed grants: 0"}, before(farid, path))

		checkpoint := func(number int64, at time.Time) {
			require.NoError(t, s.Store.RecordCheckpoint(ctx, by, models.Checkpoint{Number: number, At: at}, 1, "checkpoint"))
		}
		checkpoint(1, day.End(time.UTC).Add(-time.Minute))
		require.NoError(t, s.Store.CheckpointKept(ctx, 1))
		checkpoint(2, day.End(time.UTC).Add(time.Minute))
		require.Contains(t, before(farid, path), "Checkpoint: Missing",
			"one is from before the day's end, and nobody has a copy of the other")
		require.NoError(t, s.Store.CheckpointKept(ctx, 2))
		_, _, err := s.Store.OpenCases(ctx,
			[]models.Finding{{Rule: models.CaseOverflow, Key: "1", At: day.Begin(time.UTC)},
				{Rule: models.CaseOverflow, Key: "2", At: day.Begin(time.UTC).Add(-time.Hour)},
				{Rule: models.CaseOverflow, Key: "3", At: s.Now()}})
		require.NoError(t, err)
		s.UnknownGrant("anna", 10)
		require.NoError(t, s.Store.RecordVerification(ctx, by, s.Now(), models.Verification{Entries: 1, Since: 2}))
		require.Equal(t, []string{"Checkpoint: Number 2", "Ledger: Partly read", "Statement: Missing",
			"Open cases of this day: 1", "Older open cases: 1", "Unconfirmed grants: 1"},
			before(farid, path))
		require.Contains(t, apptest.TextOf(farid.Get(path), "[aria-label='Before you sign']"), "1 entry after checkpoint 2")
		for _, href := range farid.Get(path).Find("[aria-label='Before you sign'] a").EachIter() {
			require.Equal(t, http.StatusOK, farid.Get(href.AttrOr("href", "")).Status)
		}

		sign := func(who *apptest.Browser, path, note string) *apptest.Answer {
			return who.Post(path, path+"/signatures",
				apptest.FieldsOf(who.Get(path), "form[action$='/signatures']", "note", note))
		}
		require.Equal(t, http.StatusUnprocessableEntity, sign(farid, path, "").Status, "cases are open")
		require.Equal(t, http.StatusSeeOther, sign(farid, path, "Both cases are being looked at.").Status)
		require.NoError(t, s.Store.DecideCase(ctx, by, 1, models.CaseExplained, "The amount was a fault there."))
		st, err := s.Store.CreateStatement(ctx, by, models.Statement{FileName: "day.csv", Digest: strings.Repeat("a", 64),
			Since: day.Begin(time.UTC), Until: day.End(time.UTC)})
		require.NoError(t, err)
		require.EqualValues(t, 1, st.ID)
		require.Equal(t, http.StatusSeeOther, sign(chloe, path, "One case is left, of the day before.").Status)
		saw := []string{}
		for _, line := range chloe.Get(path).Find("[aria-label=Signatures] li").EachIter() {
			saw = append(saw, strings.Join(strings.Fields(line.Find("small").First().Text()), " "))
		}
		require.Equal(t, []string{
			"When signed: checkpoint 2, verification 1, no statement, 2 open cases of this day or earlier (1 closed since), " +
				"1 unconfirmed grant.",
			"When signed: checkpoint 2, verification 1, statement 1 not compared, 1 open case of this day or earlier, " +
				"1 unconfirmed grant.",
		}, saw)

		require.Equal(t, 1, chloe.Get(path).Find("[aria-label=Now]").Length(), "a signed day shows what is known now apart")

		// Nothing is open, so no remark is required.
		require.NoError(t, s.Store.DecideCase(ctx, by, 3, models.CaseExplained, "The amount was a fault there."))
		require.NoError(t, s.Store.DecideCase(ctx, by, 2, models.CaseExplained, "The amount was a fault there."))
		_, err = s.Store.ResolveGrant(ctx, by, 1,
			models.GrantResolution{Kind: models.ResolvedNotGranted, Note: "It is not there."})
		require.NoError(t, err)
		s.Later(24 * time.Hour)
		s.SumUpDays()
		checkpoint(3, s.Now())
		require.NoError(t, s.Store.CheckpointKept(ctx, 3))
		require.Equal(t, http.StatusSeeOther, farid.SignIn("farid", apptest.Password).Status)
		next := reports.DayPath(day.Add(1))
		require.Equal(t, []string{"Checkpoint: Number 3", "Ledger: Not verified since", "Statement: Missing",
			"Open cases of this day: 0", "Older open cases: 0", "Unconfirmed grants: 0"},
			before(farid, next))
		require.Equal(t, http.StatusSeeOther, sign(farid, next, "").Status)
		require.Equal(t, "Closed", farid.Get(next).Find("h1 .badge").Text())
	})
}

// Signers of a day see which statement covers the day and whether it matches. They see how many open cases are about the day
// and about earlier or later days, with links to exactly those cases. And they see the present control total.
func TestDayNamesItsStatementAndCases(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		ctx, by := t.Context(), models.Actor{Name: "farid"}
		day := twoDays(s)
		noon := day.Begin(time.UTC).Add(12 * time.Hour)
		for key, at := range map[string]time.Time{"of the day 1": noon, "of the day 2": noon.Add(time.Hour),
			"older": noon.Add(-24 * time.Hour), "later": noon.Add(24 * time.Hour), "nobody knows when": {}} {
			_, _, err := s.Store.OpenCases(ctx, []models.Finding{{Rule: models.CaseStatement, Key: key, At: at}})
			require.NoError(t, err)
		}
		statement := func(file string, since, until time.Time, differences int64) {
			st, err := s.Store.CreateStatement(ctx, by, models.Statement{FileName: file, Digest: strings.Repeat(file[:1], 64)})
			require.NoError(t, err)
			st.Since, st.Until = since, until
			for finished := false; !finished; { // the site's service may be faster, and fail because there is no file
				run, err := s.Store.BeginStatementRun(ctx, by, st)
				require.NoError(t, err)
				if differences < 0 {
					return
				}
				run.Differences = differences
				finished, err = s.Store.FinishRun(ctx, run)
				require.NoError(t, err)
			}
		}
		begin, end := day.Begin(time.UTC), day.End(time.UTC)
		statement("a-matches.csv", begin, end, 0)
		statement("b-differs.csv", begin.Add(-24*time.Hour), begin.Add(time.Hour), 3)
		statement("c-running.csv", begin, end, -1)
		statement("d-next-day.csv", end, end.Add(24*time.Hour), 0)

		farid := s.SignedIn("farid", models.Finance)
		page := farid.Get(reports.DayPath(day))
		var lines []string
		for _, li := range page.Find("[aria-label='Before you sign'] li").EachIter() {
			lines = append(lines, strings.Join(strings.Fields(li.Text()), " "))
		}
		require.Contains(t, lines, "Statement 1 Matches The platform’s file a-matches.csv covers all of the day.")
		require.Contains(t, lines, "Statement 2 3 differences The platform’s file b-differs.csv covers a part of the day.")
		require.Contains(t, lines, "Statement 3 Being compared The platform’s file c-running.csv covers all of the day.")
		require.NotContains(t, strings.Join(lines, " "), "d-next-day")
		require.Contains(t, lines, "Open cases of this day 2 Open now, about this day.")
		require.Contains(t, lines, "Older open cases 1 Open now, about earlier days. 2 more are about later days.")
		for word, n := range map[string]int{"Open cases of this day": 2, "Older open cases": 1} {
			href := page.Find("[aria-label='Before you sign'] a:contains('"+word+"')").AttrOr("href", "")
			require.Equal(t, n, farid.Get(href).Find("tbody tr").Length(), href)
		}
		require.Equal(t, "/statements/1",
			page.Find("[aria-label='Before you sign'] a:contains('Statement 1')").AttrOr("href", ""))

		require.Equal(t, []string{"EUR", "165.70", "165.70", "Matches"},
			apptest.CellsOf(page, "[aria-label='Control total'] tbody tr"))
	})
}

// TestReportZone changes the zone of days on the settings page.
func TestReportZone(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		day := twoDays(s)
		admin, farid := s.SignedIn("ann", models.Administrator), s.SignedIn("farid", models.Finance)
		form := apptest.FieldsOf(admin.Get("/settings"), "form[action='/settings']")
		form.Set("zone", "Europe/Atlantis")
		require.Equal(t, http.StatusUnprocessableEntity, admin.Post("/settings", "/settings", form).Status)
		form.Set("zone", "Pacific/Kiritimati") // where the next day has already begun
		refused := admin.Post("/settings", "/settings", form)
		require.Contains(t, refused.Find("form[action='/settings'] .invalid-feedback").Text(), "Say why.")
		require.Empty(t, refused.Find("form[action='/settings/sign-in'] .invalid-feedback").Text())
		form.Set("reason", "we moved")
		change := admin.Post("/settings", "/settings", form).Location
		require.NotContains(t, farid.Get("/reports").Text(), "The figures are being calculated", "it takes two")
		require.Equal(t, change, s.SignedIn("eve", models.Administrator).Post(change, change+"/approval", nil).Location)
		require.Contains(t, admin.Get("/settings").Find("form[action='/settings']").Text(), "by eve")
		require.Contains(t, farid.Get("/reports").Text(), "The figures are being calculated")
		s.SumUpDays()
		page := farid.Get("/reports")
		require.NotContains(t, page.Text(), "The figures are being calculated")
		require.Equal(t, []string{day.Add(2).Format("Mon, 2 Jan 2006"), "EUR", "15.00"},
			apptest.CellsOf(page, "[aria-label=Days] tbody tr")[:3])
		require.Contains(t, page.Text(), "days of Pacific/Kiritimati")
		log := farid.Get("/audit?object=setting").Text()
		require.Contains(t, log, "zone of days")
		require.Equal(t, 1, strings.Count(log, "Setting changed: sign-in rules"),
			"the setup of this test, and no other: saving unchanged rules is not a change")
		require.NotContains(t, log, "export hours")
	})
}

// TestDailyCloseInTheBrowser follows a figure to its lines and closes a day, with and without scripts.
func TestDailyCloseInTheBrowser(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t)
	for name, scripts := range map[string]bool{"with scripts": true, "without scripts": false} {
		t.Run(name, func(t *testing.T) {
			s := apptest.SqliteSite(t)
			day := twoDays(s)
			s.Hire("farid", models.Finance)
			s.Hire("chloe", models.Compliance)
			farid, chloe := browser.Open(t, browsertest.View{NoScripts: !scripts}),
				browser.Open(t, browsertest.View{NoScripts: !scripts})
			s.SignInTab(farid, "farid")
			s.SignInTab(chloe, "chloe")
			farid.Go(s.Base.String() + "/")
			farid.Follow(".pb-nav a[href='/reports']")
			farid.Follow("[aria-label=Days] tbody tr:nth-child(2) a")
			farid.Follow("[aria-label='The day’s figures'] tbody tr:nth-child(3) a")
			farid.WaitText("h1", "Transactions")
			farid.Go(s.Base.String() + reports.DayPath(day))
			farid.Fill("[name=note]", "No checkpoint is kept here.")
			farid.Follow("form[action$='/signatures'] .btn-primary")
			farid.WaitText("h1", "Closed")
			chloe.Go(s.Base.String() + reports.DayPath(day))
			chloe.Fill("[name=note]", "Seen, and agreed with finance.")
			chloe.Follow("form[action$='/signatures'] .btn-primary")
			chloe.WaitText("h1", "Signed")
			if scripts {
				require.NotEmpty(t, chloe.Text("[aria-label='How the figures are calculated'] dl"))
				chloe.Look(browsertest.View{Width: browsertest.Phone})
				chloe.Go(s.Base.String() + reports.DayPath(day))
				chloe.Wait("details[data-fold]:not([open])")
				chloe.Gone("details[data-fold][open]")
			}
			require.Empty(t, farid.Errors())
			require.Empty(t, chloe.Errors())
		})
	}
}
