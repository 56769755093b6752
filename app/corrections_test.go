package app

import (
	"io"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"pitboss/app/pages"
	"pitboss/app/pages/corrections"
	"pitboss/app/web"
	"pitboss/models"
)

// hostileID is an ID that a platform could give a transaction, a round or a player.
const hostileID = `"><script>alert(1)</script> correction:7`

// stranded makes a player with a bet that nothing followed.
func (s *site) stranded(user models.UserID, id models.TransactionID, balance, stake models.Amount) models.Player {
	s.t.Helper()
	p, err := s.Store.CreatePlayer(s.t.Context(), models.Actor{Name: "tester"},
		models.NewPlayer{UserID: user, Currency: "EUR", Balance: balance})
	require.NoError(s.t, err)
	s.applied(models.Operation{Kind: models.Bet, UserID: user, TransactionID: id, RoundID: "r-" + models.RoundID(id),
		Bet: stake})
	return p
}

func (s *site) applied(op models.Operation) models.Result {
	s.t.Helper()
	op.Source = models.SourcePlatform
	r, err := s.Store.Apply(s.t.Context(), op)
	require.NoError(s.t, err)
	return r
}

func (s *site) balance(user models.UserID) models.Amount {
	s.t.Helper()
	b, _, err := s.Store.Balance(s.t.Context(), user)
	require.NoError(s.t, err)
	return b.Amount
}

// fields returns the hidden and filled fields of a page's form, and more.
func fields(page *answer, selector string, more ...string) url.Values {
	form := url.Values{}
	page.Find(selector + " input").Each(func(_ int, input *goquery.Selection) {
		name, _ := input.Attr("name")
		kind := input.AttrOr("type", "text")
		if name != "" && kind != "checkbox" {
			form.Set(name, input.AttrOr("value", ""))
		}
	})
	for i := 0; i+1 < len(more); i += 2 {
		form.Set(more[i], more[i+1])
	}
	return form
}

// asks goes through both steps of a request, and returns the correction's page.
func (b *browser) asks(form url.Values, more ...string) *answer {
	b.t.Helper()
	sent := maps.Clone(form)
	sent.Del("csrf") // of somebody else's session
	page := b.post("/corrections/new", "/corrections/new", sent)
	require.Equal(b.t, http.StatusOK, page.status, page.text)
	done := b.post("", "/corrections", fields(page, ".pb-confirm", append([]string{"password", password}, more...)...))
	require.Equal(b.t, http.StatusSeeOther, done.status, done.text)
	shown := b.get(done.location)
	require.Equal(b.t, http.StatusOK, shown.status, shown.text)
	return shown
}

func rollbackForm(id string) url.Values {
	return url.Values{"kind": {"rollback"}, "transaction": {id}, "reason": {"round-voided"}, "text": {"Their ticket 88213."},
		"reference": {"88213"}}
}

// approves opens a correction's page and sends its approval form.
func (b *browser) approves(path string, more ...string) *answer {
	b.t.Helper()
	page := b.get(path)
	form := fields(page, ".pb-confirm", append([]string{"password", password}, more...)...)
	return b.post("", path+"/approval", form)
}

// Two people give a bet back, from the transaction's page to its timeline. Callbacks that arrive late move no money.
func TestBetGivenBackByTwo(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		mira, jonas := s.signedIn("mira", models.Finance), s.signedIn("jonas", models.Finance)
		s.stranded(hostileID, hostileID, 10000, 2500)
		page := mira.get("/search?q=" + url.QueryEscape(hostileID))
		transaction := page.location
		if transaction == "" {
			transaction = page.Find("a[href^='/transactions/']").First().AttrOr("href", "")
		}
		page = mira.get(transaction)
		ask := page.Find(".pb-actions a:contains('Request a correction')").AttrOr("href", "")
		require.NotEmpty(t, ask, page.text)
		form := mira.get(ask)
		require.Equal(t, http.StatusOK, form.status)
		requireNothingInline(t, form)
		require.Equal(t, hostileID, form.Find("[name=transaction]").AttrOr("value", ""))

		requireNothingInline(t, mira.post("/corrections/new", "/corrections/new", rollbackForm(hostileID)))
		shown := mira.asks(rollbackForm(hostileID))
		require.EqualValues(t, 7500, s.balance(hostileID), "a request moves no money")
		require.Contains(t, shown.Find(".pb-confirm .badge").Text(), "Waiting")
		require.Zero(t, shown.Find("button:contains('Give 25.00')").Length(), "the maker has no button for it")
		require.Contains(t, shown.Find(".pb-flash").Text(), "No money has moved yet")
		require.Contains(t, mira.get(transaction).Find(".pb-note").Text(), "A correction is waiting")

		open := jonas.get("/corrections")
		require.Equal(t, "Correction 1", open.Find(".pb-confirm .pb-h2").Text())
		require.Contains(t, open.Find(".pb-nav a[href='/corrections'] .n").Text(), "1")
		require.Zero(t, mira.get("/corrections").Find(".pb-nav a[href='/corrections'] .n").Length(),
			"nothing waits for its maker")
		row := open.Find(".pb-ba tbody tr").First().Find("td")
		require.Equal(t, []string{"75.00\u00a0EUR", "100.00\u00a0EUR"}, []string{row.Eq(0).Text(), row.Eq(1).Text()})
		require.Contains(t, open.Find(".pb-people").Text(), "Their ticket 88213.")
		require.Contains(t, open.Find(".pb-checks").Text(), "No win has been paid in this round.")

		done := jonas.approves("/corrections/1")
		require.Equal(t, http.StatusSeeOther, done.status, done.text)
		require.EqualValues(t, 10000, s.balance(hostileID))
		shown = jonas.get(done.location)
		requireNothingInline(t, shown)
		require.Contains(t, shown.Find(".pb-flash").Text(), "from 75.00 to 100.00 EUR")
		require.Contains(t, shown.Find(".pb-confirm .badge").Text(), "Approved")
		page = jonas.get(transaction)
		told := page.Find(".pb-time").Text()
		for _, want := range []string{"Bet given back by correction 1,", "Mira, finance, requested a correction",
			"Jonas, finance, approved", "Their ticket 88213."} {
			require.Contains(t, told, want)
		}
		require.Zero(t, page.Find(".pb-actions a:contains('Request a correction')").Length(), "it is rolled back")
		require.Equal(t, models.RolledBack,
			s.applied(models.Operation{Kind: models.Rollback, UserID: hostileID, TransactionID: hostileID}).Decline)
		require.Equal(t, "/corrections/1", jonas.get("/search?q=correction+1").location)
		v, err := s.Store.Verify(t.Context(), nil)
		require.NoError(t, err)
		require.True(t, v.OK(), "%+v", v)
	})
}

// Every role requests corrections, and every role tries to decide those of every other. Nobody can decide their own.
func TestMakerCheckerByEveryRole(t *testing.T) {
	s := sqliteSite(t)
	s.stranded("anna", "bet", 10000, 100)
	desks := map[models.Role][2]*browser{}
	for _, role := range models.Roles {
		desks[role] = [2]*browser{s.signedIn("first-"+string(role), role), s.signedIn("second-"+string(role), role)}
	}
	asks := map[models.Role]bool{models.Support: true, models.Finance: true}
	credit := url.Values{"kind": {"credit"}, "player": {"anna"}, "amount": {"5"}, "reason": {"goodwill"},
		"text": {"As agreed."}, "another": {"Everybody grants one."}}
	balance, booked := s.balance("anna"), 0
	for _, maker := range models.Roles {
		if !asks[maker] {
			require.Equal(t, http.StatusForbidden, desks[maker][0].get("/corrections/new").status, "%s", maker)
			require.Equal(t, http.StatusForbidden,
				desks[maker][0].post("/account", "/corrections", url.Values{"kind": {"credit"}}).status, "%s", maker)
			continue
		}
		for _, checker := range models.Roles {
			for who, desk := range desks[checker] {
				shown := desks[maker][0].asks(credit)
				path := shown.Find(".pb-confirm").AttrOr("action", "")
				path = strings.TrimSuffix(path, "/approval")
				seen := url.Values{"after": {strconv.FormatInt(int64(balance+500), 10)}, "others": {"0"}, "reversed": {"0"},
					"similar": {strconv.Itoa(booked)}, "password": {password}, "csrf": {desk.token("/account")}}
				answer := desk.post("", path+"/approval", seen)
				same := maker == checker && who == 0
				if checker == models.Finance && !same {
					require.Equal(t, http.StatusSeeOther, answer.status, "%s asks, %s %d decides: %s", maker, checker, who,
						answer.text)
					balance += 500
					booked++
				} else {
					if checker == models.Finance {
						own := "You requested this yourself: somebody else must decide"
						require.Contains(t, text(desk.get(answer.location), ".pb-flash"), own)
						require.Contains(t, text(desk.get(desk.get(path+"/refusal").location), ".pb-flash"), own)
						refused := desk.post("/account", path+"/refusal", url.Values{"text": {"no"}})
						require.Contains(t, text(desk.get(refused.location), ".pb-flash"), own)
					} else {
						require.Equal(t, http.StatusForbidden, answer.status, "%s asks, %s %d decides", maker, checker, who)
					}
					refused := desks[models.Finance][1].post("/account", path+"/refusal", url.Values{"text": {"Not this one."}})
					require.Equal(t, http.StatusSeeOther, refused.status, refused.text)
				}
				require.Equal(t, balance, s.balance("anna"))
			}
		}
	}
}

// Two people, one of them in two sessions, approve at the same time: the money moves once, and each is told who approved it.
func TestApprovedAtOnceOverHTTP(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		mira, jonas, greta := s.signedIn("mira", models.Finance), s.signedIn("jonas", models.Finance),
			s.signedIn("greta", models.Finance)
		again := s.browser("198.51.100.9")
		require.Equal(t, http.StatusSeeOther, again.signIn("jonas", password).status)
		s.stranded("anna", "bet", 10000, 100)
		desks := []*browser{jonas, again, greta}
		balance := s.balance("anna")
		for n := range 5 {
			mira.asks(url.Values{"kind": {"credit"}, "player": {"anna"}, "amount": {"5.00"}, "reason": {"goodwill"},
				"text": {"As agreed."}, "another": {"One of five payments."}})
			path := pages.CorrectionPath(int64(n + 1))
			forms := make([]url.Values, len(desks))
			for i, desk := range desks {
				forms[i] = fields(desk.get(path), ".pb-confirm", "password", password)
			}
			answers := make([]*answer, len(desks))
			var group sync.WaitGroup
			for i, desk := range desks {
				group.Go(func() { answers[i] = desk.post("", path+"/approval", forms[i]) })
			}
			group.Wait()
			balance += 500
			require.Equal(t, balance, s.balance("anna"))
			c, _, err := s.Store.Correction(t.Context(), int64(n+1))
			require.NoError(t, err)
			for i, desk := range desks {
				require.Equal(t, http.StatusSeeOther, answers[i].status, answers[i].text)
				by := web.FirstUpper(c.Checker.Username)
				if (desk == greta) == (c.Checker.Username == "greta") {
					by = "you"
				}
				said := text(desk.get(answers[i].location), ".pb-flash")
				require.True(t, strings.Contains(said, "approved by "+by) || by == "you" && strings.Contains(said, "from "),
					said)
			}
		}
		v, err := s.Store.Verify(t.Context(), nil)
		require.NoError(t, err)
		require.True(t, v.OK(), "%+v", v)
	})
}

// The form shows each error at its field, and keeps what was typed.
func TestCorrectionFormRefuses(t *testing.T) {
	s := sqliteSite(t)
	mira := s.signedIn("mira", models.Finance)
	s.stranded("anna", "bet", 10000, 100)
	s.applied(models.Operation{Kind: models.Bet, UserID: "anna", TransactionID: "gone", RoundID: "r", Bet: 1})
	s.applied(models.Operation{Kind: models.Rollback, UserID: "anna", TransactionID: "gone"})
	form := func(pairs ...string) url.Values {
		f := url.Values{"player": {"anna"}, "text": {"because"}}
		for i := 0; i < len(pairs); i += 2 {
			f.Set(pairs[i], pairs[i+1])
		}
		return f
	}
	page := mira.post("/corrections/new", "/corrections/new", form("kind", "debit", "amount", "500", "reason", "charge-back"))
	require.Equal(t, http.StatusOK, page.status)
	require.Contains(t, page.Find(".pb-checks .warn").Text(), "goes below zero")
	s.later(10 * time.Minute) // the password of the sign-in no longer counts
	wrong := mira.post("", "/corrections", fields(page, ".pb-confirm", "password", "not it"))
	require.Equal(t, http.StatusUnprocessableEntity, wrong.status)
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
		page := mira.post("/corrections/new", "/corrections/new", row.form)
		require.Equal(t, http.StatusUnprocessableEntity, page.status, "%v: %s", row.form, page.text)
		require.Contains(t, page.Find("#f-"+row.field+"-wrong").Text(), row.says, "%v", row.form)
		require.Equal(t, "true", page.Find("[name="+row.field+"]").AttrOr("aria-invalid", ""))
		require.Equal(t, row.form.Get("text"), page.Find("textarea").Text())
		require.Equal(t, row.form.Get("kind"), page.Find("[name=kind]").AttrOr("value", ""))
		// The second step refuses the same errors if somebody skips the first.
		row.form.Del("csrf")
		row.form.Set("password", password)
		require.Equal(t, http.StatusUnprocessableEntity, mira.post("/corrections/new", "/corrections", row.form).status, "%v",
			row.form)
	}
	require.EqualValues(t, 9900, s.balance("anna"))
	list, _, err := s.Store.Corrections(t.Context(), models.CorrectionFilter{Limit: 1})
	require.NoError(t, err)
	require.Empty(t, list)
}

// If what the approver saw has changed, the page shows the change and why. The approver may accept any balance while the player
// keeps playing.
func TestApproverIsShownChanges(t *testing.T) {
	s := sqliteSite(t)
	mira, jonas := s.signedIn("mira", models.Finance), s.signedIn("jonas", models.Finance)
	s.stranded("anna", "bet", 10000, 2500)
	mira.asks(rollbackForm("bet"))
	bet := func(id models.TransactionID, round models.RoundID, kind models.OperationKind, win models.Amount) {
		s.applied(models.Operation{Kind: kind, UserID: "anna", TransactionID: id, RoundID: round, Win: win,
			Bet: map[models.OperationKind]models.Amount{models.Bet: 100}[kind]})
	}
	page := jonas.get("/corrections/1")
	bet("b2", "r2", models.Bet, 0)
	anew := jonas.post("", "/corrections/1/approval", fields(page, ".pb-confirm", "password", password))
	require.Equal(t, http.StatusUnprocessableEntity, anew.status)
	require.Contains(t, anew.Find(".pb-note").Text(),
		"would have become 100.00 EUR. Now it would become 99.00 EUR, because anna is playing")
	require.Contains(t, anew.Find(".pb-ba td").Eq(1).Text(), "99.00")
	require.EqualValues(t, 7400, s.balance("anna"))

	bet("w2", "r-bet", models.Win, 0)
	settled := jonas.post("", "/corrections/1/approval", fields(anew, ".pb-confirm", "any_balance", "yes"))
	require.Equal(t, http.StatusUnprocessableEntity, settled.status, "a win in the round is not about the balance")
	require.Contains(t, settled.Find(".pb-note").Text(), "Another transaction has arrived in the round")
	require.Contains(t, settled.Find(".pb-checks .warn").Text(), "The platform has sent a win of 0.00 for this round")

	bet("b3", "r3", models.Bet, 0)
	done := jonas.post("", "/corrections/1/approval", fields(settled, ".pb-confirm", "any_balance", "yes"))
	require.Equal(t, http.StatusSeeOther, done.status, done.text)
	require.EqualValues(t, 9800, s.balance("anna"))
	again := jonas.post("", "/corrections/1/approval", fields(settled, ".pb-confirm", "any_balance", "yes"))
	require.Equal(t, done.location, again.location)
	require.NotContains(t, jonas.get(again.location).Find(".pb-flash").Text(), "approved by you", "a second click says nothing new")
	again = jonas.post("", "/corrections/1/approval",
		fields(settled, ".pb-confirm", "any_balance", "yes", "csrf", jonas.token("/corrections/1")))
	require.Contains(t, jonas.get(again.location).Find(".pb-flash").Text(), "approved by you")
	require.EqualValues(t, 9800, s.balance("anna"))

	// The platform was quicker.
	s.applied(models.Operation{Kind: models.Bet, UserID: "anna", TransactionID: "late", RoundID: "late", Bet: 100})
	mira.asks(rollbackForm("late"))
	page = jonas.get("/corrections/2")
	s.applied(models.Operation{Kind: models.Rollback, UserID: "anna", TransactionID: "late"})
	gone := jonas.post("", "/corrections/2/approval", fields(page, ".pb-confirm"))
	require.Equal(t, http.StatusUnprocessableEntity, gone.status)
	require.Contains(t, gone.Find(".pb-note").Text(), "rolled back already")
	require.Zero(t, gone.Find("button:contains('Give 1.00')").Length(), "nothing is left to approve")
	withdrawn := mira.post("/account", "/corrections/2/withdrawal", url.Values{"text": {"The platform did it."}})
	require.Equal(t, http.StatusSeeOther, withdrawn.status, withdrawn.text)
	late := jonas.post("/account", "/corrections/2/refusal", url.Values{"text": {"no"}})
	require.Contains(t, jonas.get(late.location).Find(".pb-flash").Text(), "withdrawn by Mira")
}

// Whoever requests or decides a correction is told of others of the player that wait, and of the same transaction.
func TestOtherWaitingCorrections(t *testing.T) {
	s := sqliteSite(t)
	mira, jonas := s.signedIn("mira", models.Finance), s.signedIn("jonas", models.Finance)
	s.stranded("anna", "bet", 10000, 2500)
	mira.asks(rollbackForm("bet"))
	preview := jonas.post("/corrections/new", "/corrections/new", rollbackForm("bet"))
	require.Contains(t, text(preview, ".pb-checks"), "Correction 1 of this transaction is waiting too.")
	mira.asks(url.Values{"kind": {"credit"}, "player": {"anna"}, "amount": {"5.00"}, "reason": {"goodwill"},
		"text": {"As agreed."}})
	page := jonas.get("/corrections/2")
	require.Contains(t, text(page, ".pb-checks"), "Correction 1 of this player is waiting too.")
	require.NotContains(t, text(page, ".pb-checks"), "Correction 2")
}

// A rollback still waits when a purge archives its bet: it can be read and approved as before.
func TestRollbackOfAPurgedBet(t *testing.T) {
	s := sqliteSite(t)
	mira, jonas := s.signedIn("mira", models.Finance), s.signedIn("jonas", models.Finance)
	s.stranded("anna", "bet", 10000, 2500)
	mira.asks(rollbackForm("bet"))
	p, err := s.Store.BeginPurge(t.Context(), models.PurgeScope{LedgerBefore: s.Now().Add(time.Hour)}, io.Discard)
	require.NoError(t, err)
	require.NoError(t, s.Store.FinishPurge(t.Context(), models.Actor{Name: "ada"}, p, "pitboss-archive-1.jsonl.gz"))
	require.Equal(t, http.StatusOK, mira.get("/corrections").status)
	page := jonas.get("/corrections/1")
	require.Equal(t, http.StatusOK, page.status, page.text)
	done := jonas.post("", "/corrections/1/approval", fields(page, ".pb-confirm", "password", password))
	require.Equal(t, http.StatusSeeOther, done.status, done.text)
	require.EqualValues(t, 10000, s.balance("anna"))
	require.Contains(t, jonas.get("/corrections/1").Find(".pb-flash").Text(), "Booked")
	again := mira.post("/corrections/new", "/corrections/new", rollbackForm("bet"))
	require.Equal(t, http.StatusUnprocessableEntity, again.status)
}

// Pressing the button twice, or two people requesting the same correction, makes only one request.
func TestAskedTwice(t *testing.T) {
	s := sqliteSite(t)
	mira, sofia := s.signedIn("mira", models.Finance), s.signedIn("sofia", models.Support)
	s.stranded("anna", "bet", 10000, 2500)
	credit := url.Values{"kind": {"credit"}, "player": {"anna"}, "amount": {"5.00"}, "reason": {"goodwill"},
		"text": {"As agreed."}}
	page := mira.post("/corrections/new", "/corrections/new", credit)
	form := fields(page, ".pb-confirm", "password", password)
	for range 2 {
		form.Set("csrf", mira.token("/corrections/new")) // a page that is opened again; a second click says nothing new
		answer := mira.post("", "/corrections", form)
		require.Equal(t, "/corrections/1", answer.location, answer.text)
	}
	require.Contains(t, mira.get("/corrections/1").Find(".pb-flash").Text(), "Nothing was requested a second time")
	mira.asks(rollbackForm("bet"))
	page = sofia.post("/corrections/new", "/corrections/new", rollbackForm("bet"))
	answer := sofia.post("", "/corrections", fields(page, ".pb-confirm", "password", password))
	require.Equal(t, "/corrections/2", answer.location)
	require.Contains(t, sofia.get("/corrections/2").Find(".pb-flash").Text(),
		"Mira has already requested a correction of this transaction")
	list, _, err := s.Store.Corrections(t.Context(), models.CorrectionFilter{Limit: 9})
	require.NoError(t, err)
	require.Len(t, list, 2)
}

// Administrators set how much a role may book without a second approver. Above that, a colleague decides.
func TestActingAlone(t *testing.T) {
	s := sqliteSite(t)
	ada, sofia := s.signedIn("ada", models.Administrator), s.signedIn("sofia", models.Support)
	s.stranded("anna", "bet", 10000, 100)
	credit := func(amount string) url.Values {
		return url.Values{"kind": {"credit"}, "player": {"anna"}, "amount": {amount}, "reason": {"goodwill"},
			"text": {"As agreed."}}
	}
	page := sofia.post("/corrections/new", "/corrections/new", credit("1"))
	require.Zero(t, page.Find("[name=alone]").Length(), "nothing by default")
	for says, limit := range map[string][]string{
		"cannot request corrections": {"compliance", "EUR", "10.00", "15.00"},
		"limit for one correction":   {"support", "EUR", "20.00", "15.00"},
		"capital letters":            {"support", "e1", "10.00", "15.00"}, "decimal point": {"support", "EUR", "10,5", "15.00"},
	} {
		refused := ada.post("/settings/corrections", "/settings/corrections",
			url.Values{"role": {limit[0]}, "currency": {limit[1]}, "amount": {limit[2]}, "per_day": {limit[3]},
				"reason": {"tried"}})
		require.Equal(t, http.StatusUnprocessableEntity, refused.status)
		require.Contains(t, refused.Find("#limits-wrong").Text(), says)
	}
	saved := ada.post("/settings/corrections", "/settings/corrections", url.Values{
		"role": {"support", ""}, "currency": {"eur", ""}, "amount": {"10", ""}, "per_day": {"15.00", ""},
		"reason": {"Small goodwill."},
	})
	require.Equal(t, http.StatusSeeOther, saved.status, saved.text)
	require.Contains(t, sofia.get("/corrections/new").Find("[aria-label='Booking alone']").Text(), "cannot book",
		"not before a second administrator has approved it")
	require.Equal(t, http.StatusSeeOther,
		s.signedIn("eve", models.Administrator).post(saved.location, saved.location+"/approval", nil).status)
	require.Contains(t, sofia.get("/corrections/new").Find("[aria-label='Booking alone']").Text(),
		"10.00 EUR per correction, 15.00 EUR a day")

	shown := sofia.asks(credit("10"), "alone", "yes")
	require.Contains(t, shown.Find(".pb-confirm .badge").Text(), "Booked alone")
	require.EqualValues(t, 10900, s.balance("anna"))
	page = sofia.post("/corrections/new", "/corrections/new", credit("6"))
	require.Zero(t, page.Find("[name=alone]").Length())
	waits := sofia.asks(credit("6"), "alone", "yes")
	require.Contains(t, waits.Find(".pb-flash").Text(), "It waits for a colleague")
	require.EqualValues(t, 10900, s.balance("anna"))
	s.later(25 * time.Hour) // sessions have ended too
	require.Equal(t, http.StatusSeeOther, sofia.signIn("sofia", password).status)
	sofia.asks(credit("6"), "alone", "yes")
	require.EqualValues(t, 11500, s.balance("anna"))
}

// The inbox says how long each correction has waited, who has to decide it, and which has waited too long. If there are very
// many, it shows the newest.
func TestInboxShowsWaitingTimes(t *testing.T) {
	s := sqliteSite(t)
	mira, jonas, chloe := s.signedIn("mira", models.Finance), s.signedIn("jonas", models.Finance),
		s.signedIn("chloe", models.Compliance)
	p := s.stranded("anna", "bet", 10000, 100)
	mira.asks(rollbackForm("bet"))
	for range 5 { // requests in between keep the sessions alive
		s.later(5 * time.Minute)
		for _, who := range []*browser{mira, jonas, chloe} {
			require.Equal(t, http.StatusOK, who.get("/corrections").status)
		}
	}
	mira.asks(url.Values{"kind": {"debit"}, "player": {"anna"}, "amount": {"5.00"}, "reason": {"paid-out"},
		"text": {"As agreed."}})
	s.later(6 * time.Minute)
	groups := func(who *browser) (words []string) {
		for _, group := range who.get("/corrections").Find(".pb-inbox .group").EachIter() {
			words = append(words, group.Text())
			for _, item := range group.Next().Find("li").EachIter() {
				line := strings.Join(strings.Fields(item.Find("b").Text()+", "+item.Find(".age").Text()), " ")
				if item.Find(".age.old").Length() > 0 {
					line += ", old"
				}
				words = append(words, line)
			}
		}
		return words
	}
	waiting := []string{"Debit 5.00 EUR, 6 min", "Roll back a bet, 1.00 EUR, 31 min, old"}
	require.Equal(t, append([]string{"Waiting for you 2"}, waiting...), groups(jonas))
	require.Equal(t, append([]string{"Your requests 2"}, waiting...), groups(mira))
	require.Equal(t, append([]string{"Waiting for approval 2"}, waiting...), groups(chloe))
	require.NotContains(t, text(jonas.get("/corrections"), ".lede"), "newest")

	staff, _, err := s.Store.StaffNamed(t.Context(), "mira")
	require.NoError(t, err)
	by := models.Signer{Actor: models.Actor{Name: "mira"}, StaffID: staff.ID, Role: models.Finance}
	for seen := range corrections.InboxRows {
		_, err := s.Store.AskCorrection(t.Context(), by,
			models.CorrectionRequest{Kind: models.CorrectCredit, PlayerID: p.ID, Amount: 100, Reason: "goodwill",
				Text: "As agreed.", Another: "One of many payments.", Seen: int64(seen) + 2})
		require.NoError(t, err)
	}
	require.Len(t, groups(jonas), 1+corrections.InboxRows)
	require.Contains(t, text(jonas.get("/corrections"), ".lede"), "This page lists only the newest 100 waiting corrections")
}

// The list of all corrections, its filters, and what its readers may see.
func TestAllCorrections(t *testing.T) {
	s := sqliteSite(t)
	mira, jonas, chloe := s.signedIn("mira", models.Finance), s.signedIn("jonas", models.Finance),
		s.signedIn("chloe", models.Compliance)
	s.stranded("anna", "bet", 10000, 100)
	mira.asks(rollbackForm("bet"))
	mira.asks(url.Values{"kind": {"debit"}, "player": {"anna"}, "amount": {"5.00"}, "reason": {"paid-out"},
		"text": {"As agreed."}})
	require.Equal(t, http.StatusSeeOther, jonas.approves("/corrections/1").status)
	rows := func(query string) int { return chloe.get("/corrections/all?" + query).Find("tbody tr").Length() }
	for query, want := range map[string]int{
		"": 2, "state=approved": 1, "state=waiting&kind=debit": 1, "state=refused": 0, "player=anna": 2, "player=nobody": 0,
		"maker=mira": 2, "maker=jonas": 0, "reason=paid-out": 1,
		"since=2020-01-01": 2, "until=2020-01-01": 0, "since=yesterday": 0,
	} {
		require.Equal(t, want, rows(query), query)
	}
	page := chloe.get("/corrections/2")
	require.Equal(t, http.StatusOK, page.status)
	require.Zero(t, page.Find(".pb-confirm button, .pb-confirm .pb-form-foot a").Length(), "compliance changes nothing")
	require.Equal(t, http.StatusNotFound, chloe.get("/corrections/99").status)
	require.Equal(t, http.StatusNotFound, chloe.get("/corrections/x").status)
	require.Contains(t, chloe.get("/corrections/1").Find("[aria-label=History]").Text(), "jonas")
}
