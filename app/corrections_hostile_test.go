package app

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/pages"
	"pitboss/app/pages/staff"
	"pitboss/models"
)

// If nothing may be booked without a second approver, a correction of 0.00 may not either, because it still ends a transaction.
func TestZeroCorrectionNeedsApproval(t *testing.T) {
	s := sqliteSite(t)
	sofia := s.signedIn("sofia", models.Support)
	s.stranded("anna", "bet", 10000, 100)
	s.applied(models.Operation{Kind: models.Bet, UserID: "anna", TransactionID: "free", RoundID: "r", FreeSpin: true})
	page := sofia.post("/corrections/new", "/corrections/new", rollbackForm("free"))
	require.Equal(t, http.StatusOK, page.status, page.text)
	require.Zero(t, page.Find("[name=alone]").Length(), "it is not offered")
	shown := sofia.asks(rollbackForm("free"), "alone", "yes")
	require.Contains(t, shown.Find(".pb-flash").Text(), "It waits for a colleague")
	require.Contains(t, shown.Find(".pb-confirm .badge").Text(), "Waiting")
}

// IDs are bytes: two IDs that differ only in a trailing blank are different, and a page links to its own thing.
func TestBlanksOfIDsCount(t *testing.T) {
	s := sqliteSite(t)
	mira, jonas := s.signedIn("mira", models.Finance), s.signedIn("jonas", models.Finance)
	s.stranded("anna", "bet", 10000, 100)
	s.stranded("anna ", "bet ", 10000, 300)
	lead := func(path, says string) *answer {
		t.Helper()
		href := mira.get(path).Find(".pb-actions a:contains('"+says+"')").AttrOr("href", "")
		require.NotEmpty(t, href)
		return mira.get(href)
	}
	asked := func(page *answer, more ...string) string {
		t.Helper()
		form := fields(page, "section form", append([]string{"text", "Their ticket."}, more...)...)
		confirm := mira.post("", "/corrections/new", form)
		require.Equal(t, http.StatusOK, confirm.status, confirm.text)
		done := mira.post("", "/corrections", fields(confirm, ".pb-confirm", "password", password))
		require.Equal(t, http.StatusSeeOther, done.status, done.text)
		require.Equal(t, http.StatusSeeOther, jonas.approves(done.location).status)
		return done.location
	}
	found, err := s.Store.Transactions(t.Context(), models.TransactionFilter{TransactionID: "bet ", Limit: 2})
	require.NoError(t, err)
	require.Len(t, found.Rows, 1)
	asked(lead(pages.TransactionPath(found.Rows[0].ID), "Request a correction"), "reason", "round-voided")
	require.EqualValues(t, 9900, s.balance("anna"))
	require.EqualValues(t, 10000, s.balance("anna "))

	players, err := s.Store.PlayersNamed(t.Context(), []models.UserID{"anna "})
	require.NoError(t, err)
	form := lead(pages.PlayerPath(players["anna "].ID), "orrection")
	asked(form, "amount", "5.00", "reason", "goodwill")
	require.EqualValues(t, 9900, s.balance("anna"))
	require.EqualValues(t, 10500, s.balance("anna "))

	form = mira.get("/corrections/new?kind=win&player=anna+&transaction=win+&round=r+")
	asked(form, "amount", "2.00", "reason", "win-not-credited")
	require.Equal(t, models.Duplicate,
		s.applied(models.Operation{Kind: models.Win, UserID: "anna ", TransactionID: "win ", RoundID: "r ", Win: 200}).Decline)
	require.EqualValues(t, 10700, s.balance("anna "))

	// An ID that was pasted with blanks is refused once, and then has none.
	page := mira.post("/corrections/new", "/corrections/new",
		url.Values{"kind": {"rollback"}, "transaction": {" bet "}, "reason": {"round-voided"}, "text": {"Pasted."}})
	require.Equal(t, http.StatusUnprocessableEntity, page.status)
	require.Contains(t, page.Find(".invalid-feedback").Text(), "Check that you mean “bet”")
	page = mira.post("", "/corrections/new", fields(page, "section form", "reason", "round-voided", "text", "Pasted."))
	require.Equal(t, http.StatusOK, page.status, page.text)
	require.Equal(t, "bet", page.Find(".pb-confirm [name=transaction]").AttrOr("value", ""))
}

// An approval has to be a POST, and the approver's session, role and form have to be valid when it is sent.
func TestApprovalOfSomebodyWhoIsGone(t *testing.T) {
	s := sqliteSite(t)
	ada, mira := s.signedIn("ada", models.Administrator), s.signedIn("mira", models.Finance)
	s.stranded("anna", "bet", 10000, 2500)
	mira.asks(rollbackForm("bet"))
	path := "/corrections/1"
	ready := func(name string) (*browser, url.Values, models.Staff) {
		b := s.signedIn(name, models.Finance)
		return b, fields(b.get(path), ".pb-confirm", "password", password), mustBe(t, s, name)
	}
	unmoved := func(a *answer, status int, why string) {
		t.Helper()
		require.Equal(t, status, a.status, "%s: %s", why, a.text)
		require.EqualValues(t, 7500, s.balance("anna"), why)
	}
	for _, c := range []struct {
		why, path string
		form      url.Values
		status    int
	}{
		{"signed out elsewhere", "/sessions/revocation", nil, http.StatusUnauthorized},
		{"another role", "/role", url.Values{"role": {"support"}}, http.StatusUnauthorized},
		{"disabled", "/disable", url.Values{"reason": {"gone"}}, http.StatusUnauthorized},
		{"a new password", "/password", nil, http.StatusUnauthorized},
	} {
		b, form, member := ready("checker-" + c.path[1:3] + c.path[len(c.path)-3:])
		done := ada.post(staff.StaffPath(member.ID), staff.StaffPath(member.ID)+c.path, c.form)
		require.Less(t, done.status, 400, done.text)
		unmoved(b.post("", path+"/approval", form), c.status, c.why)
	}
	jonas, form, _ := ready("jonas")
	_, others, _ := ready("berta")
	unmoved(jonas.post("", path+"/approval", others), http.StatusForbidden, "the token of another session")
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPut, http.MethodOptions, http.MethodDelete} {
		a := jonas.send(jonas.request(method, path+"/approval?"+form.Encode(), nil))
		require.NotEqual(t, http.StatusOK, a.status, method)
		unmoved(a, a.status, method)
	}
	request := jonas.request(http.MethodGet, path+"/approval?_method=POST&"+form.Encode(), nil)
	request.Header.Set("X-HTTP-Method-Override", http.MethodPost)
	a := jonas.send(request)
	unmoved(a, a.status, "a method in a header")
	bare := url.Values{"csrf": form["csrf"], "password": form["password"]}
	unmoved(jonas.post("", path+"/approval?"+form.Encode(), bare), http.StatusUnprocessableEntity,
		"what was seen is in the address")
	tokenless := url.Values{"after": form["after"], "others": form["others"], "reversed": form["reversed"],
		"password": form["password"], "csrf": {""}}
	unmoved(jonas.post("", path+"/approval?csrf="+url.QueryEscape(form.Get("csrf")), tokenless), http.StatusForbidden,
		"the token is in the address")
	require.Equal(t, http.StatusSeeOther, jonas.post("", path+"/approval", form).status)
	require.EqualValues(t, 10000, s.balance("anna"))
}
