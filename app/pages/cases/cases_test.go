package cases_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/browsertest"
	"pitboss/models"
)

// A case is taken, commented on and closed. The slower of two people is told that a colleague was quicker. People who may only
// view cases cannot work on them.
func TestCases(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		found, transaction := s.CaseOfOpenBet()
		farid, chloe := s.SignedIn("farid", models.Finance), s.SignedIn("chloe", models.Compliance)
		page := farid.Get("/cases")
		require.Equal(t, 1, page.Find("tbody tr").Length())
		require.Contains(t, page.Find("nav").Text(), "1")
		require.Zero(t, farid.Get("/cases?rule=2").Find("tbody tr").Length())
		require.Equal(t, 1, farid.Get("/cases?player=anna&state=open&rule=11").Find("tbody tr").Length())
		path := pages.CasePath(found.ID)
		one := farid.Get(path)
		require.Contains(t, one.Find("[aria-label=Evidence]").Text(), "<script>")
		require.Contains(t, one.Text(), "25.00 EUR")
		require.NotContains(t, chloe.Get(path).Text(), "Close the case")
		require.Contains(t, chloe.Get(path).Text(),
			"A colleague with the bonus, support or finance role can close the case.")
		require.Equal(t, http.StatusForbidden,
			chloe.Post("/cases", path+"/decision", url.Values{"state": {"explained"}, "reason": {"It was lost, they say."}}).
				Status)

		require.Equal(t, 1, farid.Get("/cases?owner=-").Find("tbody tr").Length())
		require.Equal(t, path, farid.Post(path, path+"/owner", nil).Location)
		require.Equal(t, path, farid.Post("/cases", path+"/owner", nil).Location, "pressed twice")
		require.NotContains(t, farid.Get(path).Find("main").Text(), "quicker")
		require.Zero(t, farid.Get("/cases?owner=-").Find("tbody tr").Length())
		greta := s.SignedIn("greta", models.Finance)
		require.Equal(t, path, greta.Post("/cases", path+"/owner", nil).Location)
		require.Contains(t, greta.Get(path).Text(), "farid was quicker")
		require.Contains(t, apptest.TextOf(greta.Get(path), ".pb-facts"), "Owner farid")
		require.Equal(t, 1, farid.Get("/cases?owner=farid").Find("tbody tr").Length())
		require.Equal(t, "farid", chloe.Get("/cases?owner=farid").Find("#f-owner option[selected]").Text())
		require.Equal(t, http.StatusUnprocessableEntity, farid.Post(path, path+"/comments", url.Values{"text": {" "}}).Status)
		require.Equal(t, path, farid.Post(path, path+"/comments", url.Values{"text": {"Asked the platform."}}).Location)
		require.Contains(t, farid.Get(path).Text(), "Asked the platform.")
		short := farid.Post(path, path+"/decision", url.Values{"state": {"explained"}, "reason": {"ok"}})
		require.Equal(t, http.StatusUnprocessableEntity, short.Status)
		require.Contains(t, short.Text(), "at least ten characters")
		require.Equal(t, http.StatusUnprocessableEntity,
			farid.Post(path, path+"/decision", url.Values{"state": {"explained"}, "reason": {strings.Repeat("w", 4001)}}).
				Status)
		undecided := farid.Post(path, path+"/decision", url.Values{"reason": {"It was lost, they say."}})
		require.Equal(t, http.StatusUnprocessableEntity, undecided.Status)
		require.Equal(t, "Choose an outcome.", apptest.TextOf(undecided, "#f-state-wrong"))
		require.Zero(t, undecided.Find("#f-reason-wrong").Length())
		require.Equal(t, path, farid.Post(path, path+"/decision",
			url.Values{"state": {"explained"}, "reason": {"It was lost, they say."}}).Location)
		sofia := s.SignedIn("sofia", models.Support)
		require.Equal(t, path, sofia.Post("/cases", path+"/decision",
			url.Values{"state": {"written-off"}, "reason": {"Nobody can say any more."}}).Location)
		require.Contains(t, sofia.Get(path).Text(), "closed already")
		require.Contains(t, sofia.Get(pages.TransactionPath(transaction)).Text(), "It was lost, they say.")
		require.Zero(t, farid.Get("/cases").Find("tbody tr").Length())
		require.Equal(t, path, farid.Get("/search?q=case+1").Location)
		require.Equal(t, http.StatusNotFound, farid.Get("/cases/99").Status)
	})
}

// Cases that share an explanation are closed together: only those that match the filter and that the page showed, each with its
// own audit event.
func TestCasesClosedTogether(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		anna := s.PlayerWithBalance("anna", 1000)
		open := func(statement int64, keys ...string) {
			t.Helper()
			var findings []models.Finding
			for i, key := range keys {
				findings = append(findings,
					models.Finding{Rule: models.CaseStatement, Key: key, At: s.Now(), PlayerID: anna.ID,
						StatementID: statement, Amount: models.Amount(100 * (i + 1)), Currency: "EUR"})
			}
			_, opened, err := s.Store.OpenCases(t.Context(), findings)
			require.NoError(t, err)
			require.Equal(t, len(keys), opened)
		}
		open(7, "a", "b", "c")
		open(8, "d")
		farid, chloe, greta := s.SignedIn("farid", models.Finance), s.SignedIn("chloe", models.Compliance),
			s.SignedIn("greta", models.Finance)
		require.Zero(t, chloe.Get("/cases").Find("a:contains('Close several')").Length())
		require.Equal(t, http.StatusForbidden, chloe.Get("/cases/closing").Status)
		require.Equal(t, pages.CasePath(1), greta.Post("/cases", pages.CasePath(1)+"/owner", nil).Location)

		address := farid.Get("/cases?statement=7&state=open").Find("a:contains('Close several')").AttrOr("href", "")
		page := farid.Get(address)
		require.Equal(t, http.StatusOK, page.Status, address)
		apptest.RequireNothingInline(t, page)
		require.Contains(t, apptest.TextOf(page, "[aria-label='What is closed']"),
			"Open cases with Statement 7 1 belongs to a colleague")
		require.Equal(t, []string{"Difference from a statement", "3", "1", "6.00EUR"}, apptest.CellsOf(page, "tbody tr"))
		open(7, "e") // while somebody reads the page

		action := page.Find("form[action^='/cases/closing']").AttrOr("action", "")
		form := func(state, reason string) url.Values {
			v := url.Values{"state": {state}, "reason": {reason}}
			for _, name := range []string{"newest", "at", "seen"} {
				v.Set(name, page.Find("[name="+name+"]").AttrOr("value", ""))
			}
			return v
		}
		const reason = "The file was of another day."
		require.Equal(t, http.StatusForbidden, chloe.Post("/cases", action, form("explained", reason)).Status)
		short := farid.Post(address, action, form("explained", "ok"))
		require.Equal(t, http.StatusUnprocessableEntity, short.Status)
		require.Contains(t, short.Text(), "at least ten characters")
		require.Equal(t, 1, short.Find("[value=explained][checked]").Length())
		for _, state := range []string{"", "adjusted", "open"} {
			require.Equal(t, http.StatusUnprocessableEntity, farid.Post(address, action, form(state, reason)).Status, state)
		}
		bare := form("explained", reason)
		bare.Del("seen")
		require.Equal(t, http.StatusBadRequest, farid.Post(address, action, bare).Status)
		before, err := s.Store.Cases(t.Context(), models.CaseFilter{State: models.CaseOpen, Span: models.Span{Limit: 10}})
		require.NoError(t, err)
		require.Len(t, before.Rows, 5, "none of this closed anything")

		done := farid.Post(address, action, form("explained", reason))
		require.Equal(t, "/cases?rule=11&state=open&statement=7", done.Location)
		require.Contains(t, farid.Get(done.Location).Text(), "3 cases are closed")
		var left []int64
		after, err := s.Store.Cases(t.Context(), models.CaseFilter{Span: models.Span{Limit: 10}})
		require.NoError(t, err)
		for _, c := range after.Rows {
			if c.State == models.CaseOpen {
				left = append(left, c.ID)
				continue
			}
			require.Equal(t, models.CaseExplained, c.State)
			require.Equal(t, []string{"farid", reason}, []string{c.DecidedBy, c.Reason})
			events, err := s.Store.AuditEvents(t.Context(),
				models.AuditFilter{Object: "case", ObjectID: strconv.FormatInt(c.ID, 10), Action: "case closed",
					Span: models.Span{Limit: 10}})
			require.NoError(t, err)
			require.Len(t, events.Rows, 1)
			require.Equal(t, []string{"farid", "open", "explained", reason},
				[]string{events.Rows[0].Actor.Name, events.Rows[0].Before, events.Rows[0].After, events.Rows[0].Reason})
		}
		require.Equal(t, []int64{5, 4}, left)
		require.Contains(t, farid.Get(farid.Post(address, action, form("written-off", reason)).Location).Text(),
			"These cases are closed already")
		require.Contains(t, farid.Get("/cases/closing?rule=2").Text(), "No open cases match")

		// Cases of different rules cannot share an explanation.
		_, _, err = s.Store.OpenCases(t.Context(),
			[]models.Finding{{Rule: models.CaseNegativeBalance, Key: "n", At: s.Now(), PlayerID: anna.ID}})
		require.NoError(t, err)
		mixed := farid.Get("/cases/closing?player=anna")
		require.Zero(t, mixed.Find("form[action^='/cases/closing']").Length())
		require.Equal(t, http.StatusOK, farid.Post("/cases", "/cases/closing?player=anna", form("explained", reason)).Status)
		require.Equal(t, 3, farid.Get("/cases").Find("tbody tr").Length())
		one := farid.Get(mixed.Find("tbody a:contains('Negative')").AttrOr("href", ""))
		require.Equal(t, "Close 1 case", strings.TrimSpace(one.Find("form[action^='/cases/closing'] button").Text()))
	})
}

// answerCase returns what a case's page says to do after this answer, and the address of the link there.
func answerCase(b *apptest.Browser, c models.Case, answer string) (then, href string) {
	b.T.Helper()
	page := b.Get(pages.CasePath(c.ID))
	require.Equal(b.T, http.StatusOK, page.Status, page.Body)
	term := page.Find("[aria-label='What to find out'] dt").
		FilterFunction(func(_ int, dt *goquery.Selection) bool { return strings.HasPrefix(dt.Text(), answer) })
	require.Equal(b.T, 1, term.Length(), "%s in %s", answer, page.Find("[aria-label='What to find out']").Text())
	return term.Next().Text(), term.Next().Find("a").AttrOr("href", "")
}

// follows requests the correction that a case links to, with more for the missing fields, and has other approve it.
func follows(b *apptest.Browser, other *apptest.Browser, href string, more ...string) {
	b.T.Helper()
	page := b.Get(href)
	require.Equal(b.T, http.StatusOK, page.Status, page.Body)
	form := apptest.FieldsOf(page, "[aria-label='The correction']", append([]string{
		"reason", page.Find("#f-reason option[selected]").AttrOr("value", ""), "text", "They looked into it.",
	}, more...)...)
	shown := b.RequestCorrection(form)
	id := shown.Find(".pb-confirm .pb-h2").Text()
	done := other.ApproveCorrection("/corrections/" + strings.TrimPrefix(id, "Correction "))
	require.Equal(b.T, http.StatusSeeOther, done.Status, done.Body)
}

// The guide of a case says what to do with a transaction that failed at the platform. If a bet was applied here, it is
// refunded; if not, there is nothing to do. If a win was applied here, there is nothing to do; if not, it is credited under the
// platform's transaction ID. Callbacks that arrive later move no money.
func TestGuidedDecision(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		farid, greta, bonus := s.SignedIn("farid", models.Finance), s.SignedIn("greta", models.Finance),
			s.SignedIn("bruno", models.Bonus)
		s.PlayerWithBalance("anna", 10000)
		s.Book(apptest.Bet("anna", "bet here", "round 1", 2500), apptest.Win("anna", "win here", "round 2", 700),
			apptest.Bet("anna", "bet of 2", "round 2", 100))
		line := func(id string) *models.TransactionLine {
			l := s.Transaction(id)
			return &l
		}
		failed := func(id string, kind models.OperationKind, bet, win models.Amount) *models.StatementLine {
			return &models.StatementLine{TransactionID: models.TransactionID(id), UserID: "anna", Currency: "EUR", Kind: kind,
				Bet: bet, Win: win, Standing: models.StandingFailed}
		}
		late := func(op models.Operation, want models.Decline) {
			t.Helper()
			before := s.Balance("anna")
			require.Equal(t, want, s.Apply(op).Decline)
			require.Equal(t, before, s.Balance("anna"))
		}
		start := s.Balance("anna")

		// A bet that failed there but was applied here.
		c, _ := s.CaseOfDifference(line("bet here"), failed("bet here", models.Bet, 2500, 0))
		then, href := answerCase(farid, c, "It failed there")
		require.Contains(t, then, "refund it")
		require.Equal(t, "/corrections/new?kind=rollback&transaction=bet+here&reason=applied-here-only&reference=case+1", href)
		_, hidden := answerCase(bonus, c, "It failed there")
		require.Empty(t, hidden, "those who may not request it get no link")
		follows(farid, greta, href)
		require.Equal(t, start+2500, s.Balance("anna"))
		late(apptest.Rollback("anna", "bet here"), models.RolledBack)
		require.Contains(t, apptest.TextOf(farid.Get(pages.CasePath(c.ID)), "[aria-label=Corrections]"), "approved")

		// A bet that failed there and was not applied here is no difference, and the case of its rollback needs no action.
		_, differs := s.CaseOfDifference(nil, failed("bet not here", models.Bet, 2500, 0))
		require.False(t, differs)
		s.Callback(apptest.Rollback("anna", "bet not here"), 8)
		s.Later(10 * time.Minute)
		_, err := s.Store.FindCases(t.Context(), models.CaseRulesConfig{OpenRound: time.Minute})
		require.NoError(t, err)
		list, err := s.Store.Cases(t.Context(), models.CaseFilter{Rule: models.CaseUnknownRollback, Span: models.Span{Limit: 10}})
		require.NoError(t, err)
		require.Len(t, list.Rows, 1)
		then, href = answerCase(farid, list.Rows[0], "It failed there")
		require.Contains(t, then, "nothing")
		require.Empty(t, href)
		came := farid.Get(pages.CasePath(list.Rows[0].ID)).Find("[aria-label=Related] a[href^='/callbacks']").AttrOr("href", "")
		require.Equal(t, 1, farid.Get(came).Find("tbody tr").Length(), "the callbacks with this ID")

		// A win that failed there but was applied here.
		c, _ = s.CaseOfDifference(line("win here"), failed("win here", models.Win, 0, 700))
		then, href = answerCase(farid, c, "It failed there")
		require.Contains(t, then, "nothing to do. What a player has won is kept.")
		require.Empty(t, href)

		// A win that failed there and was not applied here.
		c, differs = s.CaseOfDifference(nil, failed("win not here", models.Win, 0, 1234))
		require.True(t, differs)
		then, href = answerCase(farid, c, "It was won")
		require.Contains(t, then, "credit it under the platform’s transaction ID")
		require.Contains(t, href,
			"/corrections/new?kind=win&transaction=win+not+here&player-number=1&amount=12.34&reason=win-not-credited")
		before := s.Balance("anna")
		follows(farid, greta, href, "round", "round 2")
		require.Equal(t, before+1234, s.Balance("anna"))
		late(apptest.Win("anna", "win not here", "round 2", 1234), models.Duplicate)
		require.Contains(t, apptest.TextOf(farid.Get(pages.CasePath(c.ID)), "[aria-label=Corrections]"), "approved")

		// The case of a round that stayed open links to both ways out: refunding the bet and booking the win.
		s.Book(apptest.Bet("anna", "open", "round 3", 300))
		s.Later(10 * time.Minute)
		_, err = s.Store.FindCases(t.Context(), models.CaseRulesConfig{OpenRound: time.Minute})
		require.NoError(t, err)
		list, err = s.Store.Cases(t.Context(), models.CaseFilter{Rule: models.CaseOpenRound, Span: models.Span{Limit: 10}})
		require.NoError(t, err)
		require.Len(t, list.Rows, 1)
		_, href = answerCase(farid, list.Rows[0], "It was won")
		require.Contains(t, href, "/corrections/new?kind=win&round=round+3&player-number=1&reason=win-not-credited")
		_, href = answerCase(farid, list.Rows[0], "The bet was lost")
		require.Empty(t, href)
		_, href = answerCase(farid, list.Rows[0], "The bet failed there")
		before = s.Balance("anna")
		follows(farid, greta, href)
		require.Equal(t, before+300, s.Balance("anna"))
		late(apptest.Rollback("anna", "open"), models.RolledBack)
		v, err := s.Store.Verify(t.Context(), nil)
		require.NoError(t, err)
		require.True(t, v.OK(), "%+v", v)
	})
}

// A case's page has every answer of its rule, and each link in them leads to a form that can be filled in.
func TestGuideLeadsToForms(t *testing.T) {
	s := apptest.SqliteSite(t)
	farid := s.SignedIn("farid", models.Finance)
	p := s.PlayerWithHistory("anna")
	transaction, grant := s.Transaction("3-anna"), s.OpenGameAndGrant("anna")
	side := func(standing models.Standing) *models.StatementLine {
		return &models.StatementLine{TransactionID: "3-anna", UserID: "anna", Currency: "EUR", Kind: models.Bet, Bet: 2500,
			Standing: standing}
	}
	for _, rule := range models.CaseRules {
		f := models.Finding{Rule: rule, Key: "k", At: s.Now(), PlayerID: p.ID, Transaction: transaction.ID,
			TransactionID: "3-anna", Amount: 2500, Currency: "EUR", GrantID: grant.ID}
		_, _, err := s.Store.OpenCases(t.Context(), []models.Finding{f})
		require.NoError(t, err)
	}
	larger, voided, won, reversed := side(models.StandingApplied), side(models.StandingRolledBack), s.Transaction("2-anna"),
		s.Transaction("4-anna")
	larger.Bet = 9900
	s.CaseOfDifference(&transaction, larger)
	s.CaseOfDifference(&transaction, voided)
	s.CaseOfDifference(&won, &models.StatementLine{TransactionID: "2-anna", UserID: "bert", Kind: models.Win, Win: 1250,
		Standing: models.StandingApplied})
	s.CaseOfDifference(&won, &models.StatementLine{TransactionID: "2-anna", UserID: "anna", Kind: models.Win, Win: 1250,
		Standing: models.StandingRolledBack})
	s.CaseOfDifference(&reversed, &models.StatementLine{TransactionID: "4-anna", UserID: "anna", Kind: models.Bet, Bet: 1000,
		Standing: models.StandingApplied})
	list, err := s.Store.Cases(t.Context(), models.CaseFilter{Span: models.Span{Limit: 100}})
	require.NoError(t, err)
	require.Len(t, list.Rows, len(models.CaseRules)+5)
	for _, c := range list.Rows {
		page := farid.Get(pages.CasePath(c.ID))
		require.Equal(t, http.StatusOK, page.Status, page.Body)
		require.NotZero(t, page.Find("[aria-label='What to find out'] dt").Length())
		for _, link := range page.Find("[aria-label='What to find out'] a").EachIter() {
			form := farid.Get(link.AttrOr("href", ""))
			require.Equal(t, http.StatusOK, form.Status, link.AttrOr("href", ""))
			if kind := form.Find("[name=kind]").AttrOr("value", ""); kind == "debit" || kind == "credit" {
				require.NotEmpty(t, form.Find("[name=amount]").AttrOr("value", ""))
				require.Equal(t, "anna", form.Find("[name=player]").AttrOr("value", ""))
			}
		}
	}
}

// If a grant of unknown outcome was decided, its case says by whom and why, and one click closes it. A closed case has no
// advice.
func TestCaseOfADecidedGrant(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		s.PlayerWithBalance("anna", 5000)
		s.UnknownGrant("anna", 50)
		grants, err := s.Store.Grants(t.Context(), models.GrantFilter{Span: models.Span{Limit: 1}})
		require.NoError(t, err)
		grant := grants.Rows[0]
		s.Later(10 * time.Minute)
		opened, err := s.Store.FindCases(t.Context(), models.CaseRulesConfig{})
		require.NoError(t, err)
		require.Equal(t, 1, opened)
		bruno, chloe := s.SignedIn("bruno", models.Bonus), s.SignedIn("chloe", models.Compliance)
		path := pages.CasePath(1)
		require.Contains(t, apptest.TextOf(bruno.Get(path), "[aria-label='What to find out']"), "Ask the platform")
		require.Contains(t, apptest.TextOf(bruno.Get(path), "[aria-label='What to find out']"),
			"How to reach the platform: support@platform.example")
		_, err = s.Store.ResolveGrant(t.Context(), models.Actor{Name: "bella"}, grant.ID, models.GrantResolution{
			Kind: models.ResolvedNotGranted, Note: "Their back office does not list it."})
		require.NoError(t, err)

		page := bruno.Get(path)
		require.Zero(t, page.Find("[aria-label='What to find out']").Length())
		decided := apptest.TextOf(page, "[aria-label='Outcome of the grant']")
		for _, words := range []string{"not granted", "bella recorded the outcome", "Their back office does not list it.",
			"Close the case"} {
			require.Contains(t, decided, words)
		}
		require.Contains(t, apptest.TextOf(chloe.Get(path), "[aria-label='Outcome of the grant']"), "can close the case")
		form := page.Find("[aria-label=Close] form")
		state, reason := form.Find("[name=state][checked]").AttrOr("value", ""), form.Find("textarea").Text()
		require.Equal(t, []string{"explained", fmt.Sprintf("Grant %d: not granted, decided by bella.", grant.ID)},
			[]string{state, reason})
		require.Equal(t, path, bruno.Post(path, path+"/decision", url.Values{"state": {state}, "reason": {reason}}).Location)
		closed := bruno.Get(path)
		require.Contains(t, apptest.TextOf(closed, "[aria-label=Outcome]"), "Closed")
		for _, advice := range []string{"What to find out", "Outcome of the grant", "Close"} {
			require.Zero(t, closed.Find("section[aria-label='"+advice+"']").Length(), advice)
		}
	})
}

// An object's page links to its own cases only, and only for people who may view cases.
func TestThingsLinkToTheirCases(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		anna := s.PlayerWithHistory("anna")
		s.PlayerWithBalance("bert", 5000)
		s.Book(apptest.Win("bert", "bert-1", "bert-r", 100))
		s.UnknownGrant("anna", 50)
		require.NoError(t, s.Store.RecordVerification(t.Context(), models.System, s.Now(),
			models.Verification{Faulty: []models.WalletFaults{
				{PlayerID: anna.ID, Faults: []string{"entry 3 is missing"}, Total: 1},
			}}))
		s.Later(time.Second)
		require.NoError(t, s.Store.RecordVerification(t.Context(), models.System, s.Now(),
			models.Verification{Faulty: []models.WalletFaults{
				{PlayerID: anna.ID, Faults: []string{"entry 3 is missing"}, Total: 1},
			}}))
		s.Later(10 * time.Minute)
		opened, err := s.Store.FindCases(t.Context(), models.CaseRulesConfig{})
		require.NoError(t, err)
		require.Equal(t, 6, opened,
			"two wins without a bet, two free spins without a grant, a grant of unknown outcome, a faulty ledger")

		farid := s.SignedIn("farid", models.Finance)
		unpaid, spin := s.Transaction("10-anna"), s.Transaction("7-anna")
		grants, err := s.Store.Grants(t.Context(), models.GrantFilter{PlayerID: anna.ID, Span: models.Span{Limit: 1}})
		require.NoError(t, err)
		const card = "[aria-label=Cases]"
		for _, row := range []struct {
			path  string
			cases []string
			all   string
			rows  int
		}{
			{pages.PlayerPath(anna.ID), []string{"Win without a bet", "Free spin without a grant", "Free spin without a grant",
				"Unconfirmed grant"}, "/cases?player-number=1&state=all", 4},
			{pages.RoundPath(unpaid.ID), []string{"Win without a bet"}, "/cases?player-number=1&state=all", 4},
			{pages.RoundPath(spin.ID), []string{"Free spin without a grant"}, "/cases?player-number=1&state=all", 4},
			{web.PathOf("/free-spins", grants.Rows[0].ID), []string{"Unconfirmed grant"},
				"/cases?grant=" + strconv.FormatInt(grants.Rows[0].ID, 10) + "&state=all", 1},
			{pages.VerificationPath(1), []string{"Ledger verification failed"}, "/cases?verification=1&state=all", 1},
			{pages.VerificationPath(2), []string{"Ledger verification failed"}, "/cases?rule=10&state=all", 1},
		} {
			page := farid.Get(row.path)
			require.Equal(t, http.StatusOK, page.Status, row.path)
			var words []string
			for _, link := range page.Find(card + " li a").EachIter() {
				words = append(words, link.Text())
				require.Contains(t, farid.Get(link.AttrOr("href", "")).Find("h1").Text(), link.Text())
			}
			require.ElementsMatch(t, row.cases, words, row.path)
			require.Contains(t, page.Find(card).Text(), "open ")
			require.Equal(t, row.all, page.Find(card+" .end a").AttrOr("href", ""))
			require.Equal(t, row.rows, farid.Get(row.all).Find("tbody tr").Length(), row.path)
		}
		require.Contains(t, apptest.TextOf(farid.Get(pages.TransactionPath(unpaid.ID)), "main"), "opened: win without a bet")
		require.Zero(t, farid.Get(pages.RoundPath(s.Transaction("1-anna").ID)).Find(card).Length(),
			"nothing is wrong with this one")
		require.Contains(t, farid.Get("/cases?grant=x").Find(".pb-empty").Text(), "grant=x")
	})
}

// A stranded bet is found, explained and rolled back by two people, which closes its case. Afterwards, the transaction's page
// has the complete trail.
func TestStrandedBetInTheBrowser(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t)
	for name, scripts := range map[string]bool{"with scripts": true, "without scripts": false} {
		t.Run(name, func(t *testing.T) {
			s := apptest.SqliteSite(t)
			s.PlayerWithOpenBet("anna", "stranded", 10000, 2500)
			s.Later(3 * time.Hour)
			opened, err := s.Store.FindCases(t.Context(), models.CaseRulesConfig{OpenRound: 2 * time.Hour})
			require.NoError(t, err)
			require.Equal(t, 1, opened)
			transaction := s.Transaction("stranded").ID
			s.Hire("farid", models.Finance)
			s.Hire("greta", models.Finance)
			farid, greta := browser.Open(t, browsertest.View{NoScripts: !scripts}),
				browser.Open(t, browsertest.View{NoScripts: !scripts})
			s.SignInTab(farid, "farid")
			s.SignInTab(greta, "greta")

			farid.Go(s.Base.String() + "/cases")
			farid.Follow("tbody .c-what a")
			farid.Follow("form[action*='/owner'] button")
			farid.Follow("[aria-label='What to find out'] a")
			farid.Choose("#f-reason", "round-voided")
			farid.Fill("#f-text", "The platform voided the round.")
			farid.Follow(".pb-form .btn-primary")
			farid.Follow(".pb-confirm .btn-primary")
			correction := farid.Address()

			greta.Go(correction)
			greta.Follow("form[action$='/approval'] .btn-primary")
			greta.WaitText("main", "Approved")

			farid.Go(correction)
			farid.Follow(".pb-ba tr:last-child a") // the case that led to the correction, which the approval has closed
			farid.WaitText("[aria-label=Corrections]", "approved")
			farid.WaitText("h1", "Adjusted")
			farid.Go(s.Base.String() + pages.TransactionPath(transaction))
			// The whole trail, newest first: who found what, asked, approved and decided, with their own words.
			trail := farid.Text(".pb-time")
			for _, next := range []string{
				"greta closed case 1: adjusted", "Correction 1 is booked.",
				"Greta, finance, approved correction 1", "Bet refunded by correction 1, ledger line 3",
				"75.00 → 100.00", "Farid, finance, requested a correction, roll back a bet, 25.00\u00a0EUR: correction 1",
				"The platform voided the round.",
				"Case 1 opened: round open too long", "Bet taken, ledger line 2", "100.00 → 75.00",
			} {
				before, after, there := strings.Cut(trail, next)
				require.True(t, there, "%q in its place of the trail, after %q", next, before)
				trail = after
			}
			require.Contains(t, farid.Text("h1"), "Rolled back")
			require.Empty(t, farid.Errors())
			v, err := s.Store.Verify(t.Context(), nil)
			require.NoError(t, err)
			require.True(t, v.OK())
			require.EqualValues(t, 10000, s.Balance("anna"))
		})
	}
}

// If the outcome of a grant cannot be found out, its case does not suggest that it was explained.
func TestCaseOfAGrantThatStaysUnclear(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		s.PlayerWithBalance("anna", 5000)
		s.UnknownGrant("anna", 50)
		s.Later(10 * time.Minute)
		_, err := s.Store.FindCases(t.Context(), models.CaseRulesConfig{})
		require.NoError(t, err)
		_, err = s.Store.ResolveGrant(t.Context(), models.Actor{Name: "bella"}, 1,
			models.GrantResolution{Kind: models.ResolvedUnclear, Note: "Nobody there answers."})
		require.NoError(t, err)
		page := s.SignedIn("bruno", models.Bonus).Get(pages.CasePath(1))
		outcome := page.Find("[aria-label='Outcome of the grant']")
		require.Contains(t, strings.Join(strings.Fields(outcome.Text()), " "),
			"Whether it went through was never confirmed.")
		require.Zero(t, page.Find("[aria-label=Close] [name=state][checked]").Length())
		require.Contains(t, page.Find("[aria-label=Close] textarea").Text(),
			"Grant 1: cannot be found out, decided by bella")
	})
}

// TestSelectedCases assigns and closes the cases selected in the list.
func TestSelectedCases(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		s.OpenManyCases(models.CaseOverflow, 4)
		farid, greta, chloe := s.SignedIn("farid", models.Finance), s.SignedIn("greta", models.Finance), s.SignedIn("chloe", models.Compliance)
		require.Zero(t, chloe.Get("/cases").Find("[name=case], #selection").Length())
		require.Equal(t, http.StatusForbidden, chloe.Post("/cases", "/cases/selection", url.Values{"case": {"1"}}).Status)
		list := farid.Get("/cases?rule=" + strconv.Itoa(int(models.CaseOverflow)))
		require.Equal(t, 4, list.Find("tbody [name=case][form=selection]").Length())
		query := list.Find("#selection [name=query]").AttrOr("value", "")
		send := func(who *apptest.Browser, form url.Values) *apptest.Answer {
			form.Set("query", query)
			return who.Post("/cases", "/cases/selection", form)
		}
		none := send(farid, url.Values{"assignee": {"farid"}})
		require.Equal(t, "/cases?"+query, none.Location)
		require.Contains(t, farid.Get(none.Location).Text(), "No case is selected.")
		require.Contains(t, farid.Get(send(farid, url.Values{"case": {"1"}, "assignee": {"chloe"}}).Location).Text(), "“chloe” cannot decide this")
		done := farid.Get(send(farid, url.Values{"case": {"1", "2", "2"}, "assignee": {"greta"}}).Location)
		require.Contains(t, done.Text(), "Assigned to greta: 2 cases.")
		require.Equal(t, 2, farid.Get("/cases?owner=greta").Find("tbody tr").Length())
		events, err := s.Store.AuditEvents(t.Context(), models.AuditFilter{Action: "case handed over", Span: models.Span{Limit: 10}})
		require.NoError(t, err)
		require.Len(t, events.Rows, 2, "each case has its own event")
		require.Equal(t, http.StatusBadRequest, send(farid, url.Values{"case": {"one"}, "assignee": {"greta"}}).Status)

		closing := send(greta, url.Values{"case": {"2", "3"}, "do": {"close"}}).Location
		require.Equal(t, "/cases/closing?only=2.3", closing)
		page := greta.Get(closing)
		require.Contains(t, apptest.TextOf(page, "[aria-label='What is closed']"), "Open cases with Selected 2 cases")
		require.Equal(t, 1, page.Find("[name=state][autofocus]").Length())
		form := url.Values{"state": {"explained"}, "reason": {"Each was looked at together."}}
		for _, name := range []string{"newest", "at", "seen"} {
			form.Set(name, page.Find("[name="+name+"]").AttrOr("value", ""))
		}
		action := page.Find("form[action^='/cases/closing']").AttrOr("action", "")
		require.Equal(t, http.StatusSeeOther, greta.Post(closing, action, form).Status)
		require.Equal(t, 2, greta.Get("/cases").Find("tbody tr").Length())
		late := farid.Get(send(farid, url.Values{"case": {"3", "4"}, "assignee": {"farid"}}).Location)
		require.Contains(t, late.Text(), "Assigned to farid: 1 case. 1 case was closed or taken in the meantime.")
		for _, only := range []string{"x", "1.", "0", strings.Repeat("1.", 60) + "1"} {
			require.Contains(t, farid.Get("/cases?only="+only).Find(".pb-empty").Text(), "Invalid filter", only)
		}
	})
}
