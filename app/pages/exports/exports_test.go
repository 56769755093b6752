package exports_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/apptest"
	"pitboss/app/pages"
	"pitboss/models"
)

func amountIn(t *testing.T, cell string) models.Amount {
	t.Helper()
	digits, negative := strings.CutPrefix(strings.ReplaceAll(cell, ",", ""), "-")
	a, err := models.ParseAmount(digits)
	require.NoError(t, err)
	if negative {
		return -a
	}
	return a
}

// summed adds up a column of amounts by currency.
func summed(t *testing.T, header []string, rows [][]string, name string) map[string]models.Amount {
	t.Helper()
	got := map[string]models.Amount{}
	currencies := apptest.ColumnOf(t, header, rows, "Currency")
	for i, cell := range apptest.ColumnOf(t, header, rows, name) {
		got[currencies[i]] += amountIn(t, cell)
	}
	return got
}

// bookMany books n operations of every kind, most of them anna's, some of them rolled back, and returns how many transactions
// there are afterwards.
func bookMany(s *apptest.Site, n int) (transactions int) {
	s.T.Helper()
	ctx := s.T.Context()
	random := rand.New(rand.NewPCG(4, 2))
	var users []models.UserID
	for i, user := range []models.UserID{"anna", "=1+1", "-bob", "öl, \"x\""} {
		currency := models.Currency("EUR")
		if i == 3 {
			currency = "USD"
		}
		_, err := s.Store.CreatePlayer(ctx, models.Actor{Name: "tester"},
			models.NewPlayer{UserID: user, Currency: currency, Test: true, Balance: models.Amount(1_000_000 + i)})
		require.NoError(s.T, err)
		users = append(users, user)
	}
	transactions = len(users)
	for i := range n {
		op := models.Operation{Source: models.SourcePlatform, UserID: users[max(0, random.IntN(4*len(users))-3*len(users)-1)],
			TransactionID: models.TransactionID(fmt.Sprintf("=t-%04d", i)), RoundID: models.RoundID(fmt.Sprint("@r", i/3))}
		switch random.IntN(5) {
		case 0:
			op.Kind, op.Win = models.Win, models.Amount(random.IntN(5000))
		case 1:
			op.Kind, op.Bet, op.Win = models.BetWin, models.Amount(random.IntN(500)), models.Amount(random.IntN(500))
		case 2:
			op.Kind, op.Bet, op.FreeSpin = models.Bet, 50, true
		default:
			op.Kind, op.Bet = models.Bet, models.Amount(random.IntN(5000))
		}
		result, err := s.Store.Apply(ctx, op)
		require.NoError(s.T, err)
		require.Equal(s.T, models.None, result.Decline)
		transactions++
		if random.IntN(6) == 0 {
			back := op
			back.Kind, back.Bet, back.Win, back.FreeSpin = models.Rollback, 0, 0, false
			result, err := s.Store.Apply(ctx, back)
			require.NoError(s.T, err)
			require.Equal(s.T, models.None, result.Decline)
		}
	}
	return transactions
}

// ledger adds up the money ledger by currency, line by line.
func ledger(s *apptest.Site) map[string]models.Amount {
	s.T.Helper()
	sums := map[string]models.Amount{}
	players, err := s.Store.Players(s.T.Context(), models.PlayerFilter{Span: models.Span{Limit: 100}})
	require.NoError(s.T, err)
	for _, p := range players.Rows {
		entries, err := s.Store.Entries(s.T.Context(), p.ID, models.Span{Limit: 10_000})
		require.NoError(s.T, err)
		for _, e := range entries.Rows {
			sums[string(p.Wallet.Currency)] += e.Amount
		}
	}
	return sums
}

// TestExportedSums compares the sums of an export's rows with the ledger's, in both formats.
func TestExportedSums(t *testing.T) {
	t.Parallel()
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		fin := s.SignedIn("farid", models.Finance)
		n := bookMany(s, 1500) // more than are read at once
		for i, op := range []models.Operation{{Win: 12345}, {Bet: 678}} {
			op.Source, op.Kind, op.UserID, op.TransactionID = models.SourceOwn, models.Adjustment, "anna",
				models.TransactionID(fmt.Sprint("adjustment:", i))
			result, err := s.Store.Apply(t.Context(), op)
			require.NoError(t, err)
			require.Equal(t, models.None, result.Decline)
			n++
		}
		want := ledger(s)
		require.Len(t, want, 2)
		for _, format := range []models.ExportFormat{models.CSV, models.XLSX} {
			e := fin.RequestExport("/transactions", format)
			header, rows, _ := fin.Download(e)
			require.EqualValues(t, n, e.Rows)
			require.Len(t, rows, n)
			require.Equal(t, want, summed(t, header, rows, "Net amount after rollbacks"))
			require.Equal(t, n, len(slices.Compact(slices.Sorted(slices.Values(apptest.ColumnOf(t, header, rows,
				"Transaction ID"))))),
				"each once")
		}
	})
}

// TestExportedLedgers compares the exports of a player's ledger with the ledger: every line is there once,
// although there are more than are read at once.
func TestExportedLedgers(t *testing.T) {
	t.Parallel()
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		s.SetClockToNoon() // so that everything is on one day
		fin := s.SignedIn("farid", models.Finance)
		bookMany(s, 1500)
		s.SumUpDays()
		anna, _, err := s.Store.Player(t.Context(), "anna")
		require.NoError(t, err)
		entries, err := s.Store.Entries(t.Context(), anna.ID, models.Span{Limit: 10_000})
		require.NoError(t, err)
		require.Greater(t, len(entries.Rows), 1000)

		for _, format := range []models.ExportFormat{models.CSV, models.XLSX} {
			header, rows, _ := fin.Download(fin.RequestExport(pages.PlayerPath(anna.ID)+"/ledger", format))
			require.Len(t, rows, len(entries.Rows))
			for i, e := range entries.Rows {
				require.Equal(t, strconv.FormatInt(e.Seq, 10), apptest.ColumnOf(t, header, rows[i:i+1], "Line")[0])
				require.Equal(t, e.After, amountIn(t, apptest.ColumnOf(t, header, rows[i:i+1], "Balance after")[0]))
			}
			sum := anna.Wallet.Balance
			require.Equal(t, map[string]models.Amount{"EUR": sum}, summed(t, header, rows, "Amount"))
		}
		for _, list := range []string{"/players/999/ledger", "/players/01/ledger", "/players/+1/ledger", "/players//ledger",
			"/players/1/ledger/"} {
			status := fin.Post("/exports", "/exports", url.Values{"list": {list}, "format": {"csv"}}).Status
			require.Contains(t, []int{http.StatusBadRequest, http.StatusNotFound}, status, list)
		}
	})
}

// TestEveryExport requests each list in both formats, with a filter, and looks for names that would be formulas.
func TestEveryExport(t *testing.T) {
	t.Parallel()
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		bookMany(s, 200)
		_, err := s.Catalogue.Sync(t.Context(), models.Actor{Name: "tester"})
		require.NoError(t, err)
		games, err := s.Store.Games(t.Context(), models.GameFilter{Span: models.Span{Limit: 1}})
		require.NoError(t, err)
		_, err = s.Store.BeginGameSession(t.Context(), models.Actor{Name: "tester"},
			models.GameSession{PlayerID: 1, Game: games.Rows[0].Ref(), Language: "en", Reason: "+why"})
		require.NoError(t, err)
		_, err = s.Store.RequestGrant(t.Context(), models.Actor{Name: "bruno"},
			models.GrantRequest{UserID: "=1+1", GameID: games.Rows[0].GameID, Role: models.Bonus, Spins: 5, Reason: "@loyal"})
		require.NoError(t, err)
		formula, _, err := s.Store.Player(t.Context(), "=1+1")
		require.NoError(t, err)
		_, _, err = s.Store.OpenCases(t.Context(), []models.Finding{
			{
				Rule: models.CaseStatement, Key: "one", At: s.Now(), PlayerID: formula.ID, TransactionID: "=tx",
				StatementID: 7, Amount: 1250, Currency: "EUR",
				Facts: []models.CaseFact{{Label: "@Difference", Value: "missing at platform"}},
			},
			{Rule: models.CaseUnknownGrant, Key: "two", At: s.Now(), PlayerID: formula.ID, GrantID: 1},
		})
		require.NoError(t, err)
		require.NoError(t, s.Store.DecideCase(t.Context(), models.Actor{Name: "-sofia"}, 2, models.CaseExplained,
			"=It was there after all."))
		s.LogCallback(models.Callback{
			Kind: models.Withdraw, Verdict: models.VerdictInvalidSign, Address: netip.MustParseAddr("2001:db8::99"),
			UserID: "=1+1", TransactionID: "+t", RoundID: "@r", Amount: "-much",
			Cause: "=the sign does not match", Answered: models.Answered{Result: 3, Status: 200},
		})
		mira := s.Hire("mira", models.Finance)
		_, err = s.Store.RequestCorrection(t.Context(),
			models.Signer{Actor: models.Actor{Name: "mira"}, StaffID: mira.ID, Role: models.Finance}, models.CorrectionRequest{
				Kind: models.CorrectCredit, PlayerID: formula.ID, Amount: 1250, Reason: "goodwill", Text: "=He waited long.",
				Reference: "@ticket",
			})
		require.NoError(t, err)
		_, err = s.Store.CreateStaff(t.Context(), models.Actor{Name: "ann"},
			models.Staff{Username: "formula", Name: "=Formula", Role: models.Support, PasswordHash: apptest.PasswordHash(),
				Profile: models.DefaultProfile})
		require.NoError(t, err)
		_, _, err = s.Store.CreateCampaign(t.Context(), models.Actor{Name: "bruno"}, models.Campaign{
			FileName: "=gifts.csv", Digest: strings.Repeat("ab", 32), Role: models.Bonus, CampaignTerms: models.CampaignTerms{Name: "@gifts"},
		}, []models.GrantLine{{Line: 2, UserID: "-bob", GameID: games.Rows[0].GameID, Spins: 7}})
		require.NoError(t, err)
		s.SumUpDays()
		ledger := pages.PlayerPath(formula.ID) + "/ledger"
		chloe := s.SignedIn("chloe", models.Compliance)
		for address, want := range map[string]struct{ column, value, filter string }{
			"/players?q=%3D&kind=test":               {"Player", "'=1+1", "# Filter Player ID begins with: "},
			"/games?state=offered":                   {"Game ID", string(games.Rows[0].GameID), "# Filter State: "},
			"/sessions?staff=tester":                 {"Reason", "'+why", "# Filter Opened by: tester"},
			"/free-spins?player=%3D1%2B1":            {"Reason", "'@loyal", "# Filter Player: "},
			"/transactions?player=%3D1%2B1&kind=bet": {"Player", "'=1+1", "# Filter Kind: Bet"},
			"/rounds?player=-bob":                    {"Player", "'-bob", "# Filter Player: "},
			"/cases":                                 {"Evidence", "'@Difference: missing at platform", "# Filter State: Open"},
			"/cases?statement=7&player=%3D1%2B1":     {"At stake", "12.50", "# Filter Statement: 7"},
			"/cases?state=explained&rule=8": {"Findings", "'=It was there after all.",
				"# Filter Rule: Unconfirmed grant"},
			"/audit?what=player+created&object=player": {"What", "player created", "# Filter What: Player created"},
			"/callbacks?player=%3D1%2B1":               {"Sent in place of an amount", "'-much", "# Filter Player: "},
			"/callbacks?result=3&id=%2Bt": {"Cause", "'=the sign does not match",
				"# Filter Result: 3, invalid sign"},
			"/corrections":                  {"Text", "'=He waited long.", "# Filter State: Waiting"},
			"/corrections?player=%3D1%2B1":  {"Reference", "'@ticket", "# Filter Player: "},
			"/staff?q=formula&role=support": {"Name", "'=Formula", "# Filter Role: support"},
			"/campaigns?state=running":      {"Players from", "'=gifts.csv", "# Filter State: Running"},
			ledger:                          {"Line", "1", "# Filter Player: "},
		} {
			for _, format := range []models.ExportFormat{models.CSV, models.XLSX} {
				t.Run(address+" "+string(format), func(t *testing.T) {
					e := chloe.RequestExport(address, format)
					header, rows, remarks := chloe.Download(e)
					require.NotEmpty(t, rows)
					require.Contains(t, apptest.ColumnOf(t, header, rows, want.column), want.value)
					apptest.Remarked(t, remarks, want.filter)
					apptest.Remarked(t, remarks, "# Requested by: chloe")
					apptest.Remarked(t, remarks, "# Rows: "+strconv.Itoa(len(rows)))
					for i, r := range rows {
						for _, cell := range r {
							_, number := strconv.ParseFloat(strings.ReplaceAll(cell, ",", ""), 64)
							if cell != "" && number != nil {
								require.NotContains(t, "=+-@\t\r", cell[:1], "row %d: %q", i, cell)
							}
						}
					}
					page := chloe.Get(pages.ExportPath(e.ID))
					require.Equal(t, http.StatusOK, page.Status)
					apptest.RequireNothingInline(t, page)
				})
			}
		}
		list := chloe.Get("/exports")
		require.Equal(t, 34, list.Find("tbody tr").Length())
		apptest.RequireNothingInline(t, list)
		require.Contains(t, chloe.Get("/audit?what=export+downloaded").Find("tbody").Text(), "chloe")
	})
}

// TestWhoMayDownload: the person who requested an export and compliance may download it, nobody else, and nobody once it has
// expired.
func TestWhoMayDownload(t *testing.T) {
	s := apptest.SqliteSite(t)
	fin, other, chloe := s.SignedIn("farid", models.Finance), s.SignedIn("frida", models.Finance),
		s.SignedIn("chloe", models.Compliance)
	admin, support := s.SignedIn("ann", models.Administrator), s.SignedIn("sofia", models.Support)
	e := fin.RequestExport("/audit", models.CSV)
	file := pages.ExportPath(e.ID) + "/file"
	for _, b := range []*apptest.Browser{fin, chloe} {
		require.Equal(t, http.StatusOK, b.Get(file).Status)
	}
	require.Equal(t, http.StatusNotFound, other.Get(file).Status)
	require.Equal(t, http.StatusNotFound, other.Get(pages.ExportPath(e.ID)).Status)
	require.Zero(t, other.Get("/exports").Find("tbody tr").Length())
	require.Equal(t, 1, chloe.Get("/exports").Find("tbody tr").Length())
	require.Equal(t, http.StatusForbidden, admin.Get(file).Status)
	require.Equal(t, http.StatusForbidden, support.Get(file).Status)
	require.Zero(t, admin.Get("/audit").Find("#export").Length())
	require.Equal(t, http.StatusForbidden, chloe.Post("/exports", pages.ExportPath(e.ID)+"/removal", nil).Status)
	require.Equal(t, http.StatusNotFound, other.Post("/exports", pages.ExportPath(e.ID)+"/removal", nil).Status)

	// A list that a role may not read cannot be exported, nor downloaded once the role has changed.
	bonus := s.SignedIn("bruno", models.Bonus)
	require.Equal(t, http.StatusForbidden,
		bonus.Post("/exports", "/exports", url.Values{"list": {"/audit"}, "format": {"csv"}}).Status)
	farid, _, err := s.Store.StaffNamed(t.Context(), "farid")
	require.NoError(t, err)
	require.NoError(t, s.Store.SetStaffRole(t.Context(), models.Actor{Name: "ann"}, farid.ID, models.Bonus))
	again := s.Browser("198.51.100.1")
	again.SignIn("farid", apptest.Password)
	require.Equal(t, http.StatusNotFound, again.Get(file).Status)

	s.Later(10 * time.Hour)
	chloe.SignIn("chloe", apptest.Password)
	require.Equal(t, http.StatusOK, chloe.Get(file).Status)
	s.Later(14*time.Hour + time.Minute)
	chloe.SignIn("chloe", apptest.Password)
	require.Equal(t, http.StatusNotFound, chloe.Get(file).Status)
	require.Contains(t, chloe.Get("/exports").Find(".badge").Text(), "Expired")

	for _, form := range []url.Values{
		{"list": {"/settings"}, "format": {"csv"}}, {"list": {"/audit"}, "format": {"csv"}, "query": {"%zz"}},
	} {
		wrong := chloe.Post("/exports", "/exports", form)
		require.Equal(t, http.StatusBadRequest, wrong.Status, form)
		require.Contains(t, wrong.Find("h1").Text(), "This form cannot be read", form)
	}
	asked := chloe.Post("/exports", "/exports", url.Values{"list": {"/audit"}, "format": {"exe"}, "query": {"who=ann"}})
	require.Equal(t, "/audit?who=ann", asked.Location)
	require.Contains(t, chloe.Get(asked.Location).Find(".pb-flash").Text(), "there is no such file format.")
	refused := chloe.Post("/exports", "/exports", url.Values{"list": {"/audit"}, "format": {"csv"}, "query": {"since=never"}})
	require.Equal(t, "/audit?since=never", refused.Location)
	require.Contains(t, chloe.Get(refused.Location).Find(".pb-flash").Text(), "Nothing was exported")
}

func TestDeletedExport(t *testing.T) {
	s := apptest.SqliteSite(t)
	chloe := s.SignedIn("chloe", models.Compliance)
	e := chloe.RequestExport("/audit", models.XLSX)
	require.Equal(t, http.StatusSeeOther, chloe.Post("/exports", pages.ExportPath(e.ID)+"/removal", nil).Status)
	require.Contains(t, chloe.Get("/exports").Find(".pb-flash").Text(), "is deleted")
	left, err := io.ReadAll(s.Store.ExportFile(t.Context(), e))
	require.NoError(t, err)
	require.Empty(t, left, "its chunks are gone")
	require.Equal(t, http.StatusNotFound, chloe.Get(pages.ExportPath(e.ID)+"/file").Status)
	page := chloe.Get(pages.ExportPath(e.ID))
	require.Contains(t, page.Find(".badge").First().Text(), "Deleted")
}

// TestFailedExport requests a list that the account may not export by the time it is written: the page says so.
func TestFailedExport(t *testing.T) {
	s := apptest.SqliteSite(t)
	chloe := s.SignedIn("chloe", models.Compliance)
	member, _, err := s.Store.StaffNamed(t.Context(), "chloe")
	require.NoError(t, err)
	e, err := s.Exports.Ask(t.Context(), models.Actor{Name: "chloe"},
		models.Export{StaffID: member.ID, List: "/nothing", Title: "Nothing", Zone: "UTC", Format: models.CSV})
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		e, _, err = s.Store.Export(t.Context(), e.ID)
		return err == nil && e.State == models.JobFailed
	}, time.Minute, 5*time.Millisecond)
	require.Contains(t, chloe.Get(pages.ExportPath(e.ID)).Find(".pb-note").Text(), "may no longer export this list")
	require.Contains(t, chloe.Get("/exports").Find(".badge").Text(), "Failed")
}

// TestLargeDownload downloads a file that is sent in pieces: uncompressed, with its length, and complete.
func TestLargeDownload(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	chloe := s.SignedIn("chloe", models.Compliance)
	for i := range 3000 {
		require.NoError(t, s.Store.NoteView(t.Context(), models.Actor{Name: "x"}, "player", strconv.Itoa(i)))
	}
	e := chloe.RequestExport("/audit", models.CSV)
	request := chloe.Request(http.MethodGet, pages.ExportPath(e.ID)+"/file", nil)
	request.Header.Set("Accept-Encoding", "gzip")
	response, err := chloe.Client.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	require.Empty(t, response.Header.Get("Content-Encoding"))
	require.Equal(t, e.Bytes, response.ContentLength)
	var all bytes.Buffer
	_, err = io.Copy(&all, response.Body)
	require.NoError(t, err)
	require.EqualValues(t, e.Bytes, all.Len())
}
