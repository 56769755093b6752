package corrections_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/pages"
	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

// hostileID is an ID that a platform could give to a transaction, a round or a player.
const hostileID = `"><script>alert(1)</script> correction:7`

// Two people refund a bet, from the transaction's page to its timeline. Callbacks that arrive later move no money.
func TestBetGivenBackByTwo(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		mira, jonas := s.SignedIn("mira", models.Finance), s.SignedIn("jonas", models.Finance)
		s.PlayerWithOpenBet(hostileID, hostileID, 10000, 2500)
		page := mira.Get("/search?q=" + url.QueryEscape(hostileID))
		transaction := page.Location
		if transaction == "" {
			transaction = page.Find("a[href^='/transactions/']").First().AttrOr("href", "")
		}
		page = mira.Get(transaction)
		ask := page.Find(".pb-actions a:contains('Request a correction')").AttrOr("href", "")
		require.NotEmpty(t, ask, page.Body)
		form := mira.Get(ask)
		require.Equal(t, http.StatusOK, form.Status)
		apptest.RequireNothingInline(t, form)
		require.Equal(t, hostileID, form.Find("[name=transaction]").AttrOr("value", ""))

		apptest.RequireNothingInline(t, mira.Post("/corrections/new", "/corrections/new", apptest.RollbackForm(hostileID)))
		shown := mira.RequestCorrection(apptest.RollbackForm(hostileID))
		require.EqualValues(t, 7500, s.Balance(hostileID), "a request moves no money")
		require.Contains(t, shown.Find("main .badge").Text(), "Waiting")
		require.Zero(t, shown.Find("button:contains('Refund 25.00')").Length(), "the maker has no button for it")
		require.Contains(t, shown.Find(".pb-flash").Text(), "No money has moved yet")
		require.Contains(t, mira.Get(transaction).Find(".pb-note").Text(), "A correction is waiting")

		open := jonas.Get("/corrections/1")
		require.Equal(t, "Correction 1", open.Find(".pb-confirm .pb-h2").Text())
		require.Contains(t, open.Find(".pb-nav a[href='/corrections'] .n").Text(), "1")
		require.Zero(t, mira.Get("/corrections").Find(".pb-nav a[href='/corrections'] .n").Length(),
			"nothing waits for its maker")
		row := open.Find(".pb-ba tbody tr").First().Find("td")
		require.Equal(t, []string{"75.00\u00a0EUR", "100.00\u00a0EUR"}, []string{row.Eq(0).Text(), row.Eq(1).Text()})
		require.Contains(t, open.Find(".pb-people").Text(), "Their ticket 88213.")
		require.Contains(t, open.Find(".pb-checks").Text(), "No win has been paid in this round.")

		done := jonas.ApproveCorrection("/corrections/1")
		require.Equal(t, http.StatusSeeOther, done.Status, done.Body)
		require.EqualValues(t, 10000, s.Balance(hostileID))
		shown = jonas.Get(done.Location)
		apptest.RequireNothingInline(t, shown)
		require.Contains(t, shown.Find(".pb-flash").Text(), "from 75.00 to 100.00 EUR")
		require.Contains(t, shown.Find("main .badge").Text(), "Approved")
		page = jonas.Get(transaction)
		told := page.Find(".pb-time").Text()
		for _, want := range []string{"Bet refunded by correction 1,", "Mira, finance, requested a correction",
			"Jonas, finance, approved", "Their ticket 88213."} {
			require.Contains(t, told, want)
		}
		require.Zero(t, page.Find(".pb-actions a:contains('Request a correction')").Length(), "it is rolled back")
		require.Equal(t, models.RolledBack,
			s.Apply(models.Operation{Kind: models.Rollback, UserID: hostileID, TransactionID: hostileID}).Decline)
		require.Equal(t, "/corrections/1", jonas.Get("/search?q=correction+1").Location)
		v, err := s.Store.Verify(t.Context(), nil)
		require.NoError(t, err)
		require.True(t, v.OK(), "%+v", v)
	})
}

// Every role requests corrections, and every role tries to decide everybody's. Nobody can decide their own.
func TestMakerCheckerByEveryRole(t *testing.T) {
	s := apptest.SqliteSite(t)
	s.PlayerWithOpenBet("anna", "bet", 10000, 100)
	desks := map[models.Role][2]*apptest.Browser{}
	for _, role := range models.Roles {
		desks[role] = [2]*apptest.Browser{s.SignedIn("first-"+string(role), role), s.SignedIn("second-"+string(role), role)}
	}
	asks := map[models.Role]bool{models.Support: true, models.Finance: true}
	credit := url.Values{"kind": {"credit"}, "player": {"anna"}, "amount": {"5"}, "reason": {"goodwill"},
		"text": {"As agreed."}, "another": {"Everybody grants one."}}
	balance, booked := s.Balance("anna"), 0
	for _, maker := range models.Roles {
		if !asks[maker] {
			require.Equal(t, http.StatusForbidden, desks[maker][0].Get("/corrections/new").Status, "%s", maker)
			require.Equal(t, http.StatusForbidden,
				desks[maker][0].Post("/account", "/corrections", url.Values{"kind": {"credit"}}).Status, "%s", maker)
			continue
		}
		for _, checker := range models.Roles {
			for who, desk := range desks[checker] {
				shown := desks[maker][0].RequestCorrection(credit)
				path := shown.Find(".pb-confirm").AttrOr("action", "")
				path = strings.TrimSuffix(path, "/approval")
				seen := url.Values{"after": {strconv.FormatInt(int64(balance+500), 10)}, "others": {"0"}, "reversed": {"0"},
					"similar": {strconv.Itoa(booked)}, "password": {apptest.Password}, "csrf": {desk.Token("/account")},
					"seen": {desk.Get(path).Find("[name=seen]").AttrOr("value", "")}}
				answer := desk.Post("", path+"/approval", seen)
				same := maker == checker && who == 0
				if checker == models.Finance && !same {
					require.Equal(t, http.StatusSeeOther, answer.Status, "%s asks, %s %d decides: %s", maker, checker, who,
						answer.Body)
					balance += 500
					booked++
				} else {
					if checker == models.Finance {
						own := "You requested this yourself: a colleague must decide"
						require.Contains(t, apptest.TextOf(desk.Get(answer.Location), ".pb-flash"), own)
						refused := desk.Post("/account", path+"/refusal", url.Values{"why": {"no"}})
						require.Contains(t, apptest.TextOf(desk.Get(refused.Location), ".pb-flash"), own)
					} else {
						require.Equal(t, http.StatusForbidden, answer.Status, "%s asks, %s %d decides", maker, checker, who)
					}
					refused := desks[models.Finance][1].Post(path, path+"/refusal", url.Values{"why": {"Not this one."}})
					require.Equal(t, http.StatusSeeOther, refused.Status, refused.Body)
				}
				require.Equal(t, balance, s.Balance("anna"))
			}
		}
	}
}

// Two people approve at the same time, one of them in two sessions. The money moves once, and each is told who approved it.
func TestApprovedAtOnceOverHTTP(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		mira, jonas, greta := s.SignedIn("mira", models.Finance), s.SignedIn("jonas", models.Finance),
			s.SignedIn("greta", models.Finance)
		again := s.Browser("198.51.100.9")
		require.Equal(t, http.StatusSeeOther, again.SignIn("jonas", apptest.Password).Status)
		s.PlayerWithOpenBet("anna", "bet", 10000, 100)
		desks := []*apptest.Browser{jonas, again, greta}
		balance := s.Balance("anna")
		for n := range 5 {
			mira.RequestCorrection(url.Values{"kind": {"credit"}, "player": {"anna"}, "amount": {"5.00"},
				"reason": {"goodwill"},
				"text":   {"As agreed."}, "another": {"One of five payments."}})
			path := pages.CorrectionPath(int64(n + 1))
			forms := make([]url.Values, len(desks))
			for i, desk := range desks {
				forms[i] = apptest.FieldsOf(desk.Get(path), ".pb-confirm", "password", apptest.Password)
			}
			answers := make([]*apptest.Answer, len(desks))
			var group sync.WaitGroup
			for i, desk := range desks {
				group.Go(func() { answers[i] = desk.Post("", path+"/approval", forms[i]) })
			}
			group.Wait()
			balance += 500
			require.Equal(t, balance, s.Balance("anna"))
			c, _, err := s.Store.Correction(t.Context(), int64(n+1))
			require.NoError(t, err)
			for i, desk := range desks {
				require.Equal(t, http.StatusSeeOther, answers[i].Status, answers[i].Body)
				said := apptest.TextOf(desk.Get(answers[i].Location), ".pb-flash")
				first := strings.Contains(said, "from ") && (desk == greta) == (c.Checker.Username == "greta")
				require.True(t, first || strings.Contains(said, "already approved"), said)
			}
		}
		v, err := s.Store.Verify(t.Context(), nil)
		require.NoError(t, err)
		require.True(t, v.OK(), "%+v", v)
	})
}

// The form shows each error at its field and keeps what was typed.
func TestCorrectionFormRefuses(t *testing.T) {
	s := apptest.SqliteSite(t)
	mira := s.SignedIn("mira", models.Finance)
	s.PlayerWithOpenBet("anna", "bet", 10000, 100)
	s.Apply(models.Operation{Kind: models.Bet, UserID: "anna", TransactionID: "gone", RoundID: "r", Bet: 1})
	s.Apply(models.Operation{Kind: models.Rollback, UserID: "anna", TransactionID: "gone"})
	form := func(pairs ...string) url.Values {
		f := url.Values{"player": {"anna"}, "text": {"because"}}
		for i := 0; i < len(pairs); i += 2 {
			f.Set(pairs[i], pairs[i+1])
		}
		return f
	}
	page := mira.Post("/corrections/new", "/corrections/new", form("kind", "debit", "amount", "500", "reason", "charge-back"))
	require.Equal(t, http.StatusOK, page.Status)
	require.Contains(t, page.Find(".pb-checks .warn").Text(), "goes below zero")
	s.Later(10 * time.Minute) // so that the password entered at sign-in no longer counts
	wrong := mira.Post("", "/corrections", apptest.FieldsOf(page, ".pb-confirm", "password", "not it"))
	require.Equal(t, http.StatusUnprocessableEntity, wrong.Status)
	require.Contains(t, wrong.Find(".invalid-feedback").Text(), "not your password")
	for _, row := range []struct {
		form        url.Values
		field, says string
	}{
		{form("kind", "rollback", "transaction", "never", "reason", "other"), "transaction",
			"No transaction of the platform has this ID"},
		{form("kind", "rollback", "transaction", "gone", "reason", "other"), "transaction", "rolled back already"},
		{form("kind", "rollback", "transaction", "bet", "reason", "goodwill"), "reason", "Choose a reason"},
		{form("kind", "rollback", "transaction", "opening:1", "reason", "other"), "transaction",
			"No transaction of the platform"},
		{form("kind", "win", "transaction", "bet", "round", "r", "amount", "5", "reason", "other"), "transaction",
			"has arrived"},
		{form("kind", "win", "transaction", "gone", "round", "r", "amount", "5", "reason", "other"), "transaction",
			"Nothing is to be paid"},
		{form("kind", "win", "transaction", "new", "amount", "5", "reason", "other"), "round", "Enter the round ID"},
		{form("kind", "credit", "amount", "0", "reason", "goodwill"), "amount", "above zero"},
		{form("kind", "credit", "amount", "1,50", "reason", "goodwill"), "amount", "decimal point"},
		{form("kind", "credit", "amount", "-5", "reason", "goodwill"), "amount", "above zero"},
		{form("kind", "credit", "amount", "5", "reason", "test-money"), "reason", "not a test player"},
		{form("kind", "credit", "amount", "5", "reason", "goodwill", "player", "Anna"), "player",
			"no player with this ID"},
		{form("kind", "credit", "amount", "5", "reason", "goodwill", "text", ""), "text", "Say what happened"},
		{form("kind", "debit", "amount", "99.01", "reason", "paid-out"), "amount", "balance is less"},
	} {
		page := mira.Post("/corrections/new", "/corrections/new", row.form)
		require.Equal(t, http.StatusUnprocessableEntity, page.Status, "%v: %s", row.form, page.Body)
		require.Contains(t, page.Find("#f-"+row.field+"-wrong").Text(), row.says, "%v", row.form)
		require.Equal(t, "true", page.Find("[name="+row.field+"]").AttrOr("aria-invalid", ""))
		require.Equal(t, row.form.Get("text"), page.Find("textarea").Text())
		require.Equal(t, row.form.Get("kind"), page.Find("[name=kind]").AttrOr("value", ""))
		// The second step refuses the same errors, in case somebody skips the first.
		row.form.Del("csrf")
		row.form.Set("password", apptest.Password)
		require.Equal(t, http.StatusUnprocessableEntity, mira.Post("/corrections/new", "/corrections", row.form).Status, "%v",
			row.form)
	}
	require.EqualValues(t, 9900, s.Balance("anna"))
	list, err := s.Store.Corrections(t.Context(), models.CorrectionFilter{Span: models.Span{Limit: 1}})
	require.NoError(t, err)
	require.Empty(t, list.Rows)
}

// If what the approver saw has changed, the page shows the change and why it matters. The approver can accept any balance,
// because the player may keep playing.
func TestApproverIsShownChanges(t *testing.T) {
	s := apptest.SqliteSite(t)
	mira, jonas := s.SignedIn("mira", models.Finance), s.SignedIn("jonas", models.Finance)
	s.PlayerWithOpenBet("anna", "bet", 10000, 2500)
	mira.RequestCorrection(apptest.RollbackForm("bet"))
	bet := func(id models.TransactionID, round models.RoundID, kind models.OperationKind, win models.Amount) {
		s.Apply(models.Operation{Kind: kind, UserID: "anna", TransactionID: id, RoundID: round, Win: win,
			Bet: map[models.OperationKind]models.Amount{models.Bet: 100}[kind]})
	}
	approve := func(path string, page *apptest.Answer, more ...string) *apptest.Answer {
		done := jonas.Post("", path+"/approval", apptest.FieldsOf(page, ".pb-confirm", append(more, "password", apptest.Password)...))
		require.Equal(t, path, done.Location, done.Body)
		return jonas.Get(path)
	}
	page := jonas.Get("/corrections/1")
	bet("b2", "r2", models.Bet, 0)
	anew := approve("/corrections/1", page)
	require.Contains(t, apptest.TextOf(anew, ".pb-flash"), "would have become 100.00 when you opened the page, and would now become 99.00")
	require.Contains(t, anew.Find(".pb-ba td").Eq(1).Text(), "99.00")
	require.EqualValues(t, 7400, s.Balance("anna"))

	bet("w2", "r-bet", models.Win, 0)
	settled := approve("/corrections/1", anew, "any_balance", "yes") // a win in the round is a change besides the balance
	require.Contains(t, apptest.TextOf(settled, ".pb-flash"), "Another transaction has arrived in the round")
	require.Contains(t, settled.Find(".pb-checks .warn").Text(), "The platform has sent a win of 0.00 for this round")
	require.EqualValues(t, 7400, s.Balance("anna"))

	bet("b3", "r3", models.Bet, 0)
	require.Contains(t, apptest.TextOf(approve("/corrections/1", settled, "any_balance", "yes"), ".pb-flash"), "Booked")
	require.EqualValues(t, 9800, s.Balance("anna"))
	again := approve("/corrections/1", settled, "any_balance", "yes", "csrf", jonas.Token("/corrections/1"))
	require.Contains(t, apptest.TextOf(again, ".pb-flash"), "already approved")
	require.EqualValues(t, 9800, s.Balance("anna"))

	// The platform's own transaction came first.
	s.Apply(models.Operation{Kind: models.Bet, UserID: "anna", TransactionID: "late", RoundID: "late", Bet: 100})
	mira.RequestCorrection(apptest.RollbackForm("late"))
	page = jonas.Get("/corrections/2")
	s.Apply(models.Operation{Kind: models.Rollback, UserID: "anna", TransactionID: "late"})
	gone := approve("/corrections/2", page)
	require.Contains(t, apptest.TextOf(gone, ".pb-flash"), "rolled back already")
	require.Zero(t, gone.Find("button:contains('Refund 1.00')").Length(), "nothing is left to approve")
	withdrawn := mira.Post("/corrections/2", "/corrections/2/withdrawal", nil)
	require.Equal(t, http.StatusSeeOther, withdrawn.Status, withdrawn.Body)
	late := jonas.Post("/account", "/corrections/2/refusal", url.Values{"why": {"no"}})
	require.Contains(t, jonas.Get(late.Location).Find(".pb-flash").Text(), "already withdrawn")
}

// Clicking twice, or two people requesting the same correction, makes only one request.
func TestAskedTwice(t *testing.T) {
	s := apptest.SqliteSite(t)
	mira, sofia := s.SignedIn("mira", models.Finance), s.SignedIn("sofia", models.Support)
	s.PlayerWithOpenBet("anna", "bet", 10000, 2500)
	credit := url.Values{"kind": {"credit"}, "player": {"anna"}, "amount": {"5.00"}, "reason": {"goodwill"},
		"text": {"As agreed."}}
	page := mira.Post("/corrections/new", "/corrections/new", credit)
	form := apptest.FieldsOf(page, ".pb-confirm", "password", apptest.Password)
	require.Equal(t, "/corrections/1", mira.Post("", "/corrections", form).Location)
	form.Set("csrf", mira.Token("/corrections/new")) // as if the page were opened again: a second click is no new request
	again := mira.Post("", "/corrections", form)
	require.Equal(t, http.StatusUnprocessableEntity, again.Status, again.Body)
	require.Contains(t, apptest.TextOf(again, "#similar"), "Correction 1 , waiting")
	mira.RequestCorrection(apptest.RollbackForm("bet"))
	again = sofia.Post("/corrections/new", "/corrections/new", apptest.RollbackForm("bet"))
	require.Equal(t, http.StatusUnprocessableEntity, again.Status, again.Body)
	require.Contains(t, apptest.TextOf(again, "#similar"), "Correction 2 , waiting")
	list, err := s.Store.Corrections(t.Context(), models.CorrectionFilter{Span: models.Span{Limit: 9}})
	require.NoError(t, err)
	require.Len(t, list.Rows, 2)
}

// The list of all corrections, its filters, and what each role sees in it.
func TestAllCorrections(t *testing.T) {
	s := apptest.SqliteSite(t)
	mira, jonas, chloe := s.SignedIn("mira", models.Finance), s.SignedIn("jonas", models.Finance),
		s.SignedIn("chloe", models.Compliance)
	s.PlayerWithOpenBet("anna", "bet", 10000, 100)
	mira.RequestCorrection(apptest.RollbackForm("bet"))
	mira.RequestCorrection(url.Values{"kind": {"debit"}, "player": {"anna"}, "amount": {"5.00"}, "reason": {"paid-out"},
		"text": {"As agreed."}})
	require.Equal(t, http.StatusSeeOther, jonas.ApproveCorrection("/corrections/1").Status)
	rows := func(query string) int { return chloe.Get("/corrections?" + query).Find("tbody tr").Length() }
	require.Equal(t, 1, rows(""), "what waits")
	for query, want := range map[string]int{
		"state=all": 2, "state=approved": 1, "kind=debit": 1, "state=refused": 0, "state=all&player=anna": 2, "player=nobody": 0,
		"state=all&maker=mira": 2, "state=all&maker=jonas": 0, "state=all&reason=paid-out": 1,
		"state=all&amount-from=1.00": 2, "state=all&amount-from=1.01": 1, "state=all&amount-to=4.99": 1, "state=all&amount-from=5&amount-to=5": 1, "state=all&amount-from=6": 0,
		"state=all&amount-from=five": 0, "state=all&amount-from=1&kind=debit&player=anna": 1, "state=all&order=amount": 2,
		"state=all&since=2020-01-01": 2, "state=all&until=2020-01-01": 0, "state=all&since=yesterday": 0,
	} {
		require.Equal(t, want, rows(query), query)
	}
	require.Contains(t, chloe.Get("/corrections?state=all&order=amount").Find("tbody tr").First().Text(), "5.00")
	require.Contains(t, chloe.Get("/corrections?player=anna").Find(".pb-foot").Text(), "waiting −5.00 EUR")
	page := chloe.Get("/corrections/2")
	require.Equal(t, http.StatusOK, page.Status)
	require.Zero(t, page.Find(".pb-confirm button, .pb-confirm .pb-form-foot a").Length(), "compliance changes nothing")
	require.Equal(t, http.StatusNotFound, chloe.Get("/corrections/99").Status)
	require.Equal(t, http.StatusNotFound, chloe.Get("/corrections/x").Status)
	require.Contains(t, chloe.Get("/corrections/1").Find("[aria-label=History]").Text(), "jonas")
}
