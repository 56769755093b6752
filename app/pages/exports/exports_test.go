package exports_test

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/export"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/cmd/testing/apptest"
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

// summed adds up a column of amounts, by currency.
func summed(t *testing.T, header []string, rows [][]string, name string) map[string]models.Amount {
	t.Helper()
	got := map[string]models.Amount{}
	currencies := apptest.ColumnOf(t, header, rows, "Currency")
	for i, cell := range apptest.ColumnOf(t, header, rows, name) {
		got[currencies[i]] += amountIn(t, cell)
	}
	return got
}

// bookMany books n operations of every kind, most of them for anna, rolls some back, and returns the number of transactions
// afterwards.
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

// TestExportedLedgers compares exports of a player's ledger with the ledger: they have every line once, although there are more
// lines than an export reads at once.
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

		for _, format := range []export.Format{export.CSV, export.XLSX} {
			header, rows, _ := fin.Download(pages.PlayerPath(anna.ID)+"/ledger", format)
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
			status := fin.Post("/account", "/exports", url.Values{"list": {list}, "format": {"csv"}}).Status
			require.Contains(t, []int{http.StatusBadRequest, http.StatusNotFound}, status, list)
		}
	})
}

// TestEveryExport requests each list in both formats, with a filter, and looks for texts that a spreadsheet would run as
// formulas.
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
			for _, format := range []export.Format{export.CSV, export.XLSX} {
				t.Run(address+" "+string(format), func(t *testing.T) {
					header, rows, remarks := chloe.Download(address, format)
					require.NotEmpty(t, rows)
					require.Contains(t, apptest.ColumnOf(t, header, rows, want.column), want.value)
					apptest.Remarked(t, remarks, want.filter)
					apptest.Remarked(t, remarks, "# Exported by: chloe")
					apptest.Remarked(t, remarks, "# Rows: "+strconv.Itoa(len(rows)))
					for i, r := range rows {
						for _, cell := range r {
							_, number := strconv.ParseFloat(strings.ReplaceAll(cell, ",", ""), 64)
							if cell != "" && number != nil {
								require.NotContains(t, "=+-@\t\r", cell[:1], "row %d: %q", i, cell)
							}
						}
					}
				})
			}
		}
	})
}

// TestWhoMayExport: a role that may export can export the lists that it may read.
func TestWhoMayExport(t *testing.T) {
	s := apptest.SqliteSite(t)
	fin, bonus, chloe := s.SignedIn("farid", models.Finance), s.SignedIn("bruno", models.Bonus), s.SignedIn("chloe", models.Compliance)
	admin, support := s.SignedIn("ann", models.Administrator), s.SignedIn("sofia", models.Support)
	ask := url.Values{"list": {"/audit"}, "format": {"csv"}}
	for b, status := range map[*apptest.Browser]int{fin: http.StatusOK, chloe: http.StatusOK, bonus: http.StatusForbidden,
		admin: http.StatusForbidden, support: http.StatusForbidden} {
		require.Equal(t, status, b.Post("/account", "/exports", maps.Clone(ask)).Status)
	}
	require.Zero(t, admin.Get("/audit").Find("#export").Length())
	for _, form := range []url.Values{
		{"list": {"/settings"}, "format": {"csv"}}, {"list": {"/audit"}, "format": {"csv"}, "query": {"%zz"}},
	} {
		wrong := chloe.Post("/account", "/exports", form)
		require.Equal(t, http.StatusBadRequest, wrong.Status, form)
		require.Contains(t, wrong.Find("h1").Text(), "This form cannot be read", form)
	}
	asked := chloe.Post("/account", "/exports", url.Values{"list": {"/audit"}, "format": {"exe"}, "query": {"who=ann"}})
	require.Equal(t, "/audit?who=ann", asked.Location)
	require.Contains(t, chloe.Get(asked.Location).Find(".pb-flash").Text(), "this file format does not exist.")
	refused := chloe.Post("/account", "/exports", url.Values{"list": {"/audit"}, "format": {"csv"}, "query": {"since=never"}})
	require.Equal(t, "/audit?since=never", refused.Location)
	require.Contains(t, chloe.Get(refused.Location).Find(".pb-flash").Text(), "Nothing was exported")
}

// TestExportHasTheOrderOfItsPage exports more rows than an export reads at once, and finds them in the order of the list's
// page.
func TestExportHasTheOrderOfItsPage(t *testing.T) {
	t.Parallel()
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		fin := s.SignedIn("farid", models.Finance)
		bookMany(s, 1200)
		newest := column(t, fin, "/transactions", "Transaction ID")
		oldest := column(t, fin, "/transactions?order=oldest", "Transaction ID")
		require.Greater(t, len(newest), web.ExportPage)
		slices.Reverse(oldest)
		require.Equal(t, newest, oldest)
		header, rows, _ := fin.Download("/transactions?order=amount&kind=opening", export.CSV)
		currencies, moved := apptest.ColumnOf(t, header, rows, "Currency"), apptest.ColumnOf(t, header, rows, "Moved")
		require.True(t, slices.IsSorted(currencies), "amounts of different currencies are not compared")
		require.Equal(t, []string{"EUR", "USD"}, slices.Compact(slices.Clone(currencies)))
		for i := range rows[1:] {
			require.True(t, currencies[i] != currencies[i+1] || amountIn(t, moved[i]) >= amountIn(t, moved[i+1]))
		}
		require.Contains(t, fin.Get("/transactions?bet-from=25").Find(".pb-empty").Text(), "Choose a currency or a player too")
		require.NotZero(t, fin.Get("/transactions?bet-from=25&currency=EUR").Find("tbody tr").Length())
		require.NotZero(t, fin.Get("/transactions?bet-from=25&player=anna").Find("tbody tr").Length())
	})
}

func column(t *testing.T, b *apptest.Browser, address, name string) []string {
	header, rows, _ := b.Download(address, export.CSV)
	return apptest.ColumnOf(t, header, rows, name)
}

// exportEvents returns the audit events of exports, oldest first.
func exportEvents(s *apptest.Site) (list []models.AuditEvent) {
	s.T.Helper()
	for _, action := range []string{"export started", "export finished"} {
		found, err := s.Store.AuditEvents(s.T.Context(), models.AuditFilter{Action: action, Span: models.Span{Limit: 100}})
		require.NoError(s.T, err)
		list = append(list, found.Rows...)
	}
	slices.SortFunc(list, func(a, b models.AuditEvent) int { return cmp.Compare(a.ID, b.ID) })
	return list
}

// TestExportInTheAuditLog: the audit log records whose data an export has, and the digest of its file.
func TestExportInTheAuditLog(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		chloe := s.SignedIn("chloe", models.Compliance)
		anna := s.PlayerWithHistory("anna")
		file := chloe.Export("/transactions?player=anna", export.CSV)
		chloe.Export(pages.PlayerPath(anna.ID)+"/ledger", export.XLSX)
		chloe.Export("/games", export.CSV)
		events := exportEvents(s)
		require.Len(t, events, 6)
		for i, object := range []string{"player", "player", "list"} {
			for _, e := range events[2*i : 2*i+2] {
				require.Equal(t, object, e.Object)
				require.Equal(t, "chloe", e.Actor.Name)
			}
		}
		var started, finished map[string]string
		require.NoError(t, json.Unmarshal([]byte(events[0].After), &started))
		require.NoError(t, json.Unmarshal([]byte(events[1].After), &finished))
		require.Equal(t, "anna", started["Player"])
		require.Equal(t, started["file"], finished["file"])
		require.Contains(t, file.Header.Get("Content-Disposition"), started["file"])
		require.Equal(t, fmt.Sprintf("%x", sha256.Sum256([]byte(file.Body))), finished["sha256"])
		require.Equal(t, strconv.Itoa(strings.Count(file.Body, "\n")-1), finished["rows"])
		require.Equal(t, strconv.Itoa(len(file.Body)), finished["bytes"])
		require.Contains(t, chloe.Get(pages.PlayerPath(anna.ID)+"/history").Text(), "Export finished")
	})
}

// TestExportBreaksOff: the database or the client goes away in the middle of a download. The file does not look complete,
// reading stops, and the audit log has no event for its end.
func TestExportBreaksOff(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	chloe := s.SignedIn("chloe", models.Compliance)
	for from := range 20 { // several megabytes, which is more than the connection buffers
		for i := range 500 {
			require.NoError(t, s.Store.Note(t.Context(), models.AuditEvent{Actor: models.System, Action: "x", Object: "list",
				ObjectID: fmt.Sprint(from, i), After: strings.Repeat("long ", 200)}))
		}
	}
	token := chloe.Token("/account")
	begin := func() *http.Response {
		answer, err := chloe.Client.Do(chloe.Request(http.MethodPost, "/exports",
			url.Values{"list": {"/audit"}, "format": {"csv"}, "csrf": {token}}))
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, answer.StatusCode)
		require.Empty(t, answer.Header.Get("Content-Encoding"))
		_, err = io.ReadFull(answer.Body, make([]byte, 1000))
		require.NoError(t, err)
		return answer
	}
	gone := begin()
	require.NoError(t, gone.Body.Close())
	broken := begin()
	require.NoError(t, s.Store.Close())
	_, err := io.Copy(io.Discard, broken.Body)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.NoError(t, broken.Body.Close())
}
