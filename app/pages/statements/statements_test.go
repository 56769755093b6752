package statements_test

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/export"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/browsertest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// platformDay books a day's play and returns the platform's file for it, with eight differences.
func platformDay(s *apptest.Site) (file string) {
	s.T.Helper()
	var b strings.Builder
	b.WriteString("transaction_id;type;amount;status;user_id;currency;time;comment\n")
	row := func(id, kind, amount, status, user, currency string) {
		fmt.Fprintf(&b, "%s;%s;%s;%s;%q;%s;%s;\"a; comment\"\n", id, kind, amount, status, user, currency,
			time.Now().UTC().Format("2006-01-02 15:04:05"))
	}
	apply := func(op models.Operation) {
		op.Source = models.SourcePlatform
		if op.Kind != models.Rollback {
			op.RoundID = "round"
		}
		result, err := s.Store.Apply(s.T.Context(), op)
		require.NoError(s.T, err)
		require.Equal(s.T, models.None, result.Decline)
	}
	long := models.UserID("luiza-fernandes-de-albuquerque-e-castro-1987")
	s.NewPlayerIn("marko_87", "EUR", false)
	s.NewPlayerIn("kemal.yildirim-öztürk", "TRY", false)
	s.NewPlayerIn(long, "BRL", false)
	s.NewPlayerIn(apptest.HostileName, "EUR", false)
	hex := func(n int) models.TransactionID { return models.TransactionID(fmt.Sprintf("%032x", 0x8e03ef9+n*7919)) }
	for i := range 40 {
		apply(models.Operation{Kind: models.Bet, UserID: "marko_87", TransactionID: hex(i), Bet: 1000})
		row(string(hex(i)), "bet", "10,00", "ok", "marko_87", "EUR")
		apply(models.Operation{Kind: models.Win, UserID: "kemal.yildirim-öztürk", TransactionID: hex(i + 100), Win: 120_000})
		row(string(hex(i+100)), "win", "1.200,00", "ok", "kemal.yildirim-öztürk", "TRY")
	}
	apply(models.Operation{Kind: models.Bet, UserID: "marko_87", TransactionID: hex(200), Bet: 1000})
	row(string(hex(200)), "bet", "1,00", "ok", "marko_87", "EUR")
	apply(models.Operation{Kind: models.Win, UserID: "kemal.yildirim-öztürk", TransactionID: hex(201), Win: 2450})
	row(string(hex(201)), "win", "25,40", "ok", "kemal.yildirim-öztürk", "TRY")
	apply(models.Operation{Kind: models.Bet, UserID: "marko_87", TransactionID: hex(202), Bet: 2500})
	row(string(hex(202)), "bet", "25,00", "rolled back", "marko_87", "EUR")
	apply(models.Operation{Kind: models.Bet, UserID: long, TransactionID: hex(203), Bet: 4000})
	apply(models.Operation{Kind: models.Rollback, UserID: long, TransactionID: hex(203)})
	row(string(hex(203)), "bet", "40,00", "ok", string(long), "BRL")
	apply(models.Operation{Kind: models.Bet, UserID: apptest.HostileName, TransactionID: hex(204), Bet: 200})
	apply(models.Operation{Kind: models.Win, UserID: "marko_87", TransactionID: hex(205), Win: 750})
	// a void bet, for which the platform's file has no line
	apply(models.Operation{Kind: models.Bet, UserID: "marko_87", TransactionID: hex(208), Bet: 300})
	apply(models.Operation{Kind: models.Rollback, UserID: "marko_87", TransactionID: hex(208)})
	row("=cmd|' /C calc'!A0", "win", "120,00", "ok", "kemal.yildirim-öztürk", "TRY")
	row(string(hex(207)), "bet", "1,50", "ok", "nobody", "EUR")
	row(string(hex(0)), "bet", "11,00", "ok", "marko_87", "EUR") // has another amount above
	row(string(hex(1)), "bet", "11,00", "ok", "marko_87", "EUR")
	s.Later(10 * time.Minute) // so that the last play is not close to the end of the period
	return b.String()
}

func TestAStatementIsReadAndCompared(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		farid := s.SignedIn("farid", models.Finance)
		require.Contains(t, farid.Get("/statements").Find(".pb-empty").Text(), "No statements yet")
		file := platformDay(s)

		refused := farid.UploadTo("/statements/new", "/statements", "empty.csv", "\n")
		require.Equal(t, http.StatusUnprocessableEntity, refused.Status)
		require.Contains(t, refused.Find("#f-file-wrong").Text(), "needs a line with the names")

		kept := farid.UploadTo("/statements/new", "/statements", `C:\files\platform.csv`, file)
		require.Equal(t, http.StatusSeeOther, kept.Status, kept.Body)
		require.Equal(t, "/statements/1/reading", kept.Location)
		page := farid.Get(kept.Location)
		require.Contains(t, page.Find(".lede").Text(), "platform.csv")
		require.Equal(t, ",", page.Find("#f-decimal option[selected]").AttrOr("value", ""))
		require.Equal(t, "transaction_id", page.Find("#f-column-transaction option[selected]").AttrOr("value", ""))
		require.Equal(t, "amount", page.Find("#f-column-amount option[selected]").AttrOr("value", ""))
		require.Equal(t, time.Now().UTC().Format(time.DateOnly), page.Find("#f-from").AttrOr("value", ""))
		require.Contains(t, page.Find("section[aria-label='Preview'] tbody tr").First().Text(), "10.00 EUR")

		// An impossible mapping is refused with a hint, and the form keeps what was chosen.
		wrong := farid.Post("/account", kept.Location,
			apptest.ReadingForm(page, url.Values{"column-transaction": {""}, "zone": {"Mars/Base"}, "margin": {"90"},
				"decimal": {"."}}))
		require.Equal(t, http.StatusUnprocessableEntity, wrong.Status)
		require.Contains(t, wrong.Find("#f-column-transaction-wrong, #f-zone-wrong").Text(), "Enter a time zone")
		wrong = farid.Post("/account", "/statements/1/runs",
			apptest.ReadingForm(page, url.Values{"column-amount": {""}, "margin": {"90"}}))
		require.Equal(t, http.StatusUnprocessableEntity, wrong.Status)
		require.Contains(t, wrong.Find(".invalid-feedback").Text(), "0 to 60 minutes")
		require.Contains(t, wrong.Find("#f-column-amount-wrong").Text(), "Choose one column of amounts")
		again := farid.Post("/account", kept.Location, apptest.ReadingForm(page, url.Values{"decimal": {"."}}))
		require.Equal(t, http.StatusOK, again.Status)
		require.Contains(t, again.Find("section[aria-label='Preview'] tr.bad").First().Text(), "it is not an amount")

		yesterday, tomorrow := time.Now().UTC().AddDate(0, 0, -1).Format(time.DateOnly),
			time.Now().UTC().AddDate(0, 0, 1).Format(time.DateOnly)
		begun := farid.Post("/account", "/statements/1/runs",
			apptest.ReadingForm(page, url.Values{"from": {yesterday}, "to": {tomorrow}}))
		require.Equal(t, http.StatusSeeOther, begun.Status, begun.Body)
		require.Equal(t, "/statements/1", begun.Location)
		run := farid.WaitUntilCompared(1)
		require.Equal(t, models.JobFinished, run.State, run.Failure)
		require.EqualValues(t, 8, run.Differences)
		require.EqualValues(t, 2, run.BadLines)

		page = farid.Get("/statements/1")
		apptest.RequireNothingInline(t, page)
		sheet := farid.SendAgain(page, "form[action$='/reading']", url.Values{"download": {"lines"}})
		require.Equal(t, 3, strings.Count(sheet.Body, "\n"), sheet.Body)
		require.Contains(t, sheet.Body, "What is wrong\n")
		require.Contains(t, page.Find("h1 .badge").Text(), "8 differences")
		var buckets []string
		for _, b := range page.Find(".pb-buckets a b").EachIter() {
			buckets = append(buckets, b.Text())
		}
		require.Equal(t, []string{"80", "2", "2", "2", "2", "1"}, buckets)
		require.Equal(t, "93.023% of the platform’s", apptest.TextOf(page, ".pb-buckets a:first-child small"),
			"80 of 86: their file has no line for our void transaction")
		require.Equal(t, "No financial effect 1 not compared", apptest.TextOf(page, ".pb-buckets a:last-child"))
		require.Contains(t, apptest.TextOf(farid.Get(page.Find(".pb-buckets a").Eq(5).AttrOr("href", "")),
			"[aria-label=Differences]"),
			"1 transaction is on one side only, and rolled back or failed there.")
		require.Equal(t,
			"8 differences among 88 transactions that moved money. Left out: 1 transaction without financial "+
				"effect: on one side only, and rolled back or failed there. Not compared: 2 lines, so the comparison is not complete. Wins and "+
				"rollbacks that were booked here by hand before the comparison are compared like the platform’s own, because they have "+
				"its transaction IDs. Credits and debits are not: the platform does not know them.",
			apptest.TextOf(page, "#verdict"))
		require.Equal(t, 8, page.Find("section[aria-label=Differences] tbody tr").Length())
		totals := apptest.TextOf(page, "[aria-label=Totals] tbody")
		require.Contains(t, totals, "Missing here 0.00 −120.00 −120.00")
		require.Equal(t, 8, farid.Get(page.Find("section[aria-label=Differences] .card-header a").AttrOr("href", "")).
			Find("tbody tr").Length(), "each has a case")
		only := farid.Get(page.Find(".pb-buckets a").Eq(4).AttrOr("href", ""))
		require.Equal(t, 2, only.Find("section[aria-label=Differences] tbody tr").Length())
		lines := page.Find(".pb-note details p")
		require.Equal(t, 2, lines.Length())
		require.Contains(t, lines.Text(), "is already in line")

		header, cells, _ := farid.Download("/statements/1", export.CSV)
		require.Len(t, cells, 8)
		for _, row := range cells {
			id := row[slices.Index(header, "Transaction ID")]
			require.False(t, strings.HasPrefix(id, "="), "%q would be a formula", id)
		}
		_, cells, _ = farid.Download("/statements/1?bucket=theirs", export.CSV)
		require.Len(t, cells, 2)

		// One difference is settled, and comparing the statement again shows that.
		result, err := s.Store.Apply(t.Context(),
			models.Operation{Source: models.SourcePlatform, Kind: models.Rollback, UserID: "marko_87",
				TransactionID: models.TransactionID(fmt.Sprintf("%032x", 0x8e03ef9+202*7919))})
		require.NoError(t, err)
		require.Equal(t, models.None, result.Decline)
		require.Equal(t, http.StatusSeeOther, farid.Post("/statements/1", "/statements/1/runs", nil).Status)
		run = farid.WaitUntilCompared(1)
		require.EqualValues(t, 7, run.Differences)
		page = farid.Get("/statements/1")
		require.Contains(t, page.Find("section[aria-label=Comparisons] tbody tr").First().Text(), "7 differences")
		earlier := farid.Get("/statements/1?run=1")
		require.Equal(t, 8, earlier.Find("section[aria-label=Differences] tbody tr").Length())
		require.Equal(t, http.StatusNotFound, farid.Get("/statements/1?run=99").Status)

		// What was booked replaces the advice.
		wrong200 := fmt.Sprintf("%032x", 0x8e03ef9+200*7919)
		of := func(page *apptest.Answer) string {
			for _, row := range page.Find("section[aria-label=Differences] tbody tr").EachIter() {
				if row.Find("a[href='"+pages.TransactionPath(s.Transaction(wrong200).ID)+"']").Length() > 0 {
					return strings.Join(strings.Fields(row.Find("td").Eq(6).Text()), " ")
				}
			}
			return ""
		}
		require.Equal(t, "Refund 9.00 EUR", of(farid.Get("/statements/1")))
		cases, err := s.Store.Cases(t.Context(), models.CaseFilter{Transactions: []int64{s.Transaction(wrong200).ID},
			Span: models.Span{Limit: 1}})
		require.NoError(t, err)
		farid.RequestCorrection(url.Values{"kind": {"credit"}, "player": {"marko_87"}, "amount": {"9.00"}, "reason": {"other"},
			"text": {"Their bet was 1.00."}, "reference": {models.CaseReference(cases.Rows[0].ID)}})
		require.Equal(t, "Credit 9.00 EUR, waiting for approval", of(farid.Get("/statements/1")))
		greta := s.SignedIn("greta", models.Finance)
		require.Equal(t, http.StatusSeeOther, greta.ApproveCorrection("/corrections/1").Status)
		require.Equal(t, "Credit 9.00 EUR, booked", of(farid.Get("/statements/1")))
		header, cells, _ = farid.Download("/statements/1?bucket=amount", export.CSV)
		for _, row := range cells {
			if row[slices.Index(header, "Transaction ID")] == wrong200 {
				require.Empty(t, row[slices.Index(header, "If they are right")])
				require.Equal(t, "correction 1, approved; case adjusted", row[slices.Index(header, "Done")])
			}
		}

		// Differences stop needing attention when their cases are closed, wherever the statement is shown.
		open, err := s.Store.Cases(t.Context(),
			models.CaseFilter{Rule: models.CaseStatement, State: models.CaseOpen, Span: models.Span{Limit: 1}})
		require.NoError(t, err)
		tester := models.Actor{Name: "tester"}
		require.NoError(t, s.Store.DecideCase(t.Context(), tester, open.Rows[0].ID, models.CaseExplained, "The platform agrees."))
		require.Equal(t, "7 differences, 5 open", farid.Get("/statements/1").Find("h1 .badge").Text())
		_, err = s.Store.DecideCases(t.Context(), tester, models.CaseFilter{}, models.CaseExplained, "The platform agrees.", 10)
		require.NoError(t, err)
		for _, path := range []string{"/statements/1", "/statements"} {
			require.Contains(t, apptest.TextOf(farid.Get(path), "main"), "7 differences, cases closed", path)
		}

		// A file with the same columns is read in the same way.
		kept = farid.UploadTo("/statements/new", "/statements", "next.csv", file)
		page = farid.Get(kept.Location)
		require.Contains(t, page.Find(".card-header .end").First().Text(), "the last file with the same columns")
		require.Equal(t, 2, farid.Get("/statements").Find("tbody tr").Length())

		// The file can be deleted; the findings stay.
		require.Contains(t, farid.Get("/statements/1/removal").Find(".action").Text(), "Delete platform.csv")
		require.Equal(t, "/statements/1", farid.Post("/statements/1", "/statements/1/removal", nil).Location)
		gone := farid.Get("/statements/1")
		require.Zero(t, gone.Find("form[action$='/runs']").Length())
		require.Equal(t, 7, gone.Find("section[aria-label=Differences] tbody tr").Length())
		require.Equal(t, http.StatusNotFound, farid.Get("/statements/1/reading").Status)
		require.Equal(t, http.StatusNotFound, farid.Post("/statements/1", "/statements/1/runs", nil).Status)

		// Compliance can read statements but not compare them. Support cannot read them.
		chloe := s.SignedIn("chloe", models.Compliance)
		page = chloe.Get("/statements/1")
		require.Equal(t, http.StatusOK, page.Status)
		require.Zero(t, page.Find(".pb-actions form").Length())
		require.Contains(t, page.Find(".pb-actions").Text(), "Export")
		require.Equal(t, http.StatusForbidden, chloe.Get("/statements/new").Status)
		viewed, err := s.Store.AuditEvents(t.Context(),
			models.AuditFilter{Actor: "chloe", Action: "statement viewed", Span: models.Span{Limit: 5}})
		require.NoError(t, err)
		require.Len(t, viewed.Rows, 1)
		asked, err := s.Store.AuditEvents(t.Context(),
			models.AuditFilter{Actor: "farid", Action: "statement compared", Span: models.Span{Limit: 5}})
		require.NoError(t, err)
		require.Len(t, asked.Rows, 2)
		require.Contains(t, asked.Rows[0].After, "sha256")
	})
}

// TestRunOverHTTP shows the progress of a comparison, which only people with the permission can stop.
func TestRunOverHTTP(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		s.StopStatements() // so that comparisons do not progress
		by := models.Actor{Name: "farid"}
		st, err := s.Store.CreateStatement(t.Context(), by,
			models.Statement{FileName: "held.csv", File: "x", Header: []string{"id"},
				Bytes: 1 << 20})
		require.NoError(t, err)
		st.Layout, st.Since, st.Until = models.StatementLayout{Zone: "Europe/Vienna"}, time.Now().Add(-24*time.Hour), time.Now()
		run, err := s.Store.BeginStatementRun(t.Context(), by, st)
		require.NoError(t, err)
		farid, chloe := s.SignedIn("farid", models.Finance), s.SignedIn("chloe", models.Compliance)
		path := pages.StatementPath(st.ID)
		_, err = s.Store.NoteRun(t.Context(), run.ID, models.RunProgress{Permille: 100, Lines: 1_234})
		require.NoError(t, err)
		require.Equal(t, "1,234 lines read", apptest.TextOf(chloe.Get(path), "#progress b"))
		require.NotEmpty(t, farid.Get(path).Find("#progress[hx-get]").AttrOr("hx-get", ""), "the part refreshes itself")
		require.Equal(t, http.StatusForbidden, chloe.Post(path, path+"/stop", nil).Status)
		for _, words := range []string{"is stopped", "No comparison of this statement is running"} {
			require.Equal(t, path, farid.Post(path, path+"/stop", nil).Location)
			require.Contains(t, farid.Get(path).Find(".pb-flash").Text(), words)
		}
		now, _, err := s.Store.StatementRun(t.Context(), run.ID)
		require.NoError(t, err)
		require.Equal(t, models.JobStopped, now.State)
	})
}

// TestLargeStatements uploads a large file, which is only accepted from people who may compare it.
func TestLargeStatements(t *testing.T) {
	s := apptest.SqliteSite(t)
	large := "transaction_id,type,amount\n" + strings.Repeat("x,bet,1.00\n", 1<<21)
	require.Greater(t, len(large), web.UploadBody)
	farid := s.SignedIn("farid", models.Finance)
	kept := farid.UploadTo("/statements/new", "/statements", "large.csv", large)
	require.Equal(t, http.StatusSeeOther, kept.Status)
	st, _, err := s.Store.Statement(t.Context(), 1)
	require.NoError(t, err)
	require.EqualValues(t, len(large), st.Bytes)
	for name, who := range map[string]*apptest.Browser{"another role": s.SignedIn("sofia", models.Support),
		"nobody": s.Browser("198.51.100.7")} {
		var body bytes.Buffer
		w := multipart.NewWriter(&body)
		part, err := w.CreateFormFile("file", "large.csv")
		require.NoError(t, err)
		_, err = part.Write([]byte(large))
		require.NoError(t, err)
		require.NoError(t, w.Close())
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.Base.String()+"/statements", &body)
		require.NoError(t, err)
		request.Header.Set("Content-Type", w.FormDataContentType())
		response, err := who.Client.Do(request)
		if err == nil { // otherwise the connection was cut before the answer was read
			response.Body.Close()
			require.Equal(t, http.StatusRequestEntityTooLarge, response.StatusCode, name)
		}
	}
	_, found, err := s.Store.Statement(t.Context(), 2)
	require.NoError(t, err)
	require.False(t, found)
}

// TestStatementPagesAreFine checks the pages of statements from the upload to the differences, in both themes and at both
// widths, with and without scripts.
func TestStatementPagesAreFine(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	farid := s.Hire("farid", models.Finance)
	require.NoError(t, s.Store.SetStaffProfile(t.Context(), farid.ID,
		models.Profile{Zone: "America/New_York", Theme: "system", Density: "roomy"}))
	client, _ := storetest.APIClient(t, s.Store, models.APITerms{Name: "cashier", Cash: "EUR 100.00"})
	s.NewPlayer("anna", false)
	s.Cash(models.CashRequest{Client: client.ID, ID: "dep-1", UserID: "anna", Amount: 500, Currency: "EUR"}.Deposit())
	cash := filepath.Join(t.TempDir(), "cashier.csv")
	require.NoError(t, os.WriteFile(cash, []byte("id,type,amount,player,time\ndep-1,deposit,4.50,anna,"+
		time.Now().UTC().Format("2006-01-02 15:04:05")+"\n"), 0o600))
	path := filepath.Join(t.TempDir(), "platform-2026-11-19.csv")
	require.NoError(t, os.WriteFile(path, []byte(platformDay(s)), 0o600))
	browser := browsertest.Start(t)
	for i, view := range []browsertest.View{{}, {NoScripts: true}} {
		tab := browser.Open(t, view)
		s.SignInTab(tab, "farid")
		tab.Go(s.Base.String() + "/statements")
		look := func(name string) {
			if i == 0 {
				tab.RequireFine(name)
			}
		}
		look("statements-none")
		tab.Go(s.Base.String() + "/statements/new")
		look("statement-new")
		tab.Upload("#f-file", path)
		tab.Follow(".btn-primary")
		require.Contains(t, tab.Text("h1"), "Column mapping")
		look("statement-reading")
		tab.Choose("#f-decimal", ".")
		tab.Follow("[formaction$='/reading']")
		require.Contains(t, tab.Text("section[aria-label='Preview']"), "is not an amount")
		look("statement-reading-wrong")
		tab.Choose("#f-decimal", ",")
		tab.Fill("#f-from", time.Now().UTC().AddDate(0, 0, -1).Format(time.DateOnly))
		tab.Fill("#f-to", time.Now().UTC().AddDate(0, 0, 1).Format(time.DateOnly))
		tab.Follow("form[action$='/runs'] .btn-primary")
		require.Eventually(t, func() bool {
			if view.NoScripts {
				tab.Go(tab.Address())
			}
			return strings.Contains(tab.Text("h1"), "8 differences")
		}, time.Minute, 50*time.Millisecond)
		look("statement")
		tab.Follow(".pb-buckets a:nth-child(5)")
		require.Contains(t, tab.Text("section[aria-label=Differences] h2"), "missing here")
		if i == 0 {
			tab.Go(s.Base.String() + "/statements/new")
			tab.Choose("#f-client", strconv.FormatInt(client.ID, 10))
			tab.Upload("#f-file", cash)
			tab.Follow(".btn-primary")
			tab.Follow("form[action$='/runs'] .btn-primary")
			tab.WaitText("h1", "1 difference")
			look("statement-of-client")
		}
		tab.Go(s.Base.String() + "/statements")
		look("statements")
		tab.Go(s.Base.String() + fmt.Sprintf("/statements/%d/removal", 2*i+1))
		look("statement-removal")
		require.Empty(t, tab.Errors())
	}
}

// Finance says that a file is an API client's, and compares it with that client's cash.
func TestAClientsStatementIsCompared(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		farid := s.SignedIn("farid", models.Finance)
		require.Zero(t, farid.Get("/statements/new").Find("#f-client").Length(), "no client moves cash")
		client, _ := storetest.APIClient(t, s.Store, models.APITerms{Name: "cashier", Cash: "EUR 100.00"})
		s.NewPlayer("anna", false)
		s.Cash(models.CashRequest{Client: client.ID, ID: "dep-1", UserID: "anna", Amount: 500, Currency: "EUR"}.Deposit())
		s.Cash(models.CashRequest{Client: client.ID, ID: "dep-2", UserID: "anna", Amount: 700, Currency: "EUR"}.Deposit())
		s.Later(10 * time.Minute)
		file := "id,type,amount,player,time\ndep-1,deposit,5.00,anna," + time.Now().UTC().Format("2006-01-02 15:04:05") + "\n"
		require.Equal(t, http.StatusUnprocessableEntity, farid.UploadTo("/statements/new", "/statements", "x.csv", file, "client", "99").Status)
		number := strconv.FormatInt(client.ID, 10)
		kept := farid.UploadTo("/statements/new", "/statements", "x.csv", file, "client", number)
		page := farid.Get(kept.Location)
		require.Contains(t, page.Find("section[aria-label='Preview'] tbody tr").First().Text(), "Cash deposit")
		require.Equal(t, http.StatusSeeOther, farid.Post("/account", "/statements/1/runs", apptest.ReadingForm(page, url.Values{})).Status)
		run := farid.WaitUntilCompared(1)
		require.EqualValues(t, 1, run.Differences, run.Failure)
		page = farid.Get("/statements/1")
		require.Contains(t, page.Find(".lede").Text(), "API client cashier")
		row := page.Find("section[aria-label='Differences'] tbody tr")
		require.Contains(t, row.Text(), "Missing at client")
		totals := page.Find("[aria-label=Totals] tbody")
		require.Contains(t, totals.Text(), "The client’s file")
		require.Equal(t, 0, totals.Find("[data-label=Turnover], [data-label=Wins]").Length())
		require.Contains(t, row.Text(), "Settle with client 7.00 EUR")
		require.Contains(t, farid.Get(row.Find("a[href^='/cases/']").AttrOr("href", "")).Find("main").Text(), "The client repeats its call")
		require.Contains(t, farid.Get("/statements").Find("tbody tr").Text(), "of cashier")
	})
}
