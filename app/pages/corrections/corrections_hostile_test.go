package corrections_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/pages"
	"pitboss/app/pages/staff"
	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

// IDs are bytes. Two IDs that differ only in a trailing space are different, and a page links to its own object.
func TestBlanksOfIDsCount(t *testing.T) {
	s := apptest.SqliteSite(t)
	mira, jonas := s.SignedIn("mira", models.Finance), s.SignedIn("jonas", models.Finance)
	s.PlayerWithOpenBet("anna", "bet", 10000, 100)
	s.PlayerWithOpenBet("an na", "bet ", 10000, 300)
	lead := func(path, says string) *apptest.Answer {
		t.Helper()
		href := mira.Get(path).Find(".pb-actions a:contains('"+says+"')").AttrOr("href", "")
		require.NotEmpty(t, href)
		return mira.Get(href)
	}
	asked := func(page *apptest.Answer, more ...string) string {
		t.Helper()
		form := apptest.FieldsOf(page, "section form", append([]string{"text", "Their ticket."}, more...)...)
		confirm := mira.Post("", "/corrections/new", form)
		require.Equal(t, http.StatusOK, confirm.Status, confirm.Body)
		done := mira.Post("", "/corrections", apptest.FieldsOf(confirm, ".pb-confirm", "password", apptest.Password))
		require.Equal(t, http.StatusSeeOther, done.Status, done.Body)
		require.Equal(t, http.StatusSeeOther, jonas.ApproveCorrection(done.Location).Status)
		return done.Location
	}
	found, err := s.Store.Transactions(t.Context(), models.TransactionFilter{TransactionID: "bet ", Span: models.Span{Limit: 2}})
	require.NoError(t, err)
	require.Len(t, found.Rows, 1)
	asked(lead(pages.TransactionPath(found.Rows[0].ID), "Request a correction"), "reason", "round-voided")
	require.EqualValues(t, 9900, s.Balance("anna"))
	require.EqualValues(t, 10000, s.Balance("an na"))

	players, err := s.Store.PlayersNamed(t.Context(), []models.UserID{"an na"})
	require.NoError(t, err)
	form := lead(pages.PlayerPath(players["an na"].ID), "orrection")
	asked(form, "amount", "5.00", "reason", "goodwill")
	require.EqualValues(t, 9900, s.Balance("anna"))
	require.EqualValues(t, 10500, s.Balance("an na"))

	form = mira.Get("/corrections/new?kind=win&player=an+na&transaction=win+&round=r+")
	asked(form, "amount", "2.00", "reason", "win-not-credited")
	require.Equal(t, models.Duplicate,
		s.Apply(models.Operation{Kind: models.Win, UserID: "an na", TransactionID: "win ", RoundID: "r ", Win: 200}).Decline)
	require.EqualValues(t, 10700, s.Balance("an na"))

	// An ID that was pasted with spaces around it is found without them.
	page := mira.Post("/corrections/new", "/corrections/new",
		url.Values{"kind": {"rollback"}, "transaction": {" bet "}, "reason": {"round-voided"}, "text": {"Pasted."}})
	require.Equal(t, http.StatusOK, page.Status, page.Body)
	require.Equal(t, "bet", page.Find(".pb-confirm [name=transaction]").AttrOr("value", ""))
}

// An approval must be a POST, and the approver's session, role and form must be valid when it is sent.
func TestApprovalOfSomebodyWhoIsGone(t *testing.T) {
	s := apptest.SqliteSite(t)
	ada, mira := s.SignedIn("ada", models.Administrator), s.SignedIn("mira", models.Finance)
	s.PlayerWithOpenBet("anna", "bet", 10000, 2500)
	mira.RequestCorrection(apptest.RollbackForm("bet"))
	path := "/corrections/1"
	ready := func(name string) (*apptest.Browser, url.Values, models.Staff) {
		b := s.SignedIn(name, models.Finance)
		return b, apptest.FieldsOf(b.Get(path), ".pb-confirm", "password", apptest.Password), apptest.StaffNamed(t, s, name)
	}
	unmoved := func(a *apptest.Answer, status int, why string) {
		t.Helper()
		require.Equal(t, status, a.Status, "%s: %s", why, a.Body)
		require.EqualValues(t, 7500, s.Balance("anna"), why)
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
		done := ada.Post(staff.StaffPath(member.ID), staff.StaffPath(member.ID)+c.path, c.form)
		require.Less(t, done.Status, 400, done.Body)
		unmoved(b.Post("", path+"/approval", form), c.status, c.why)
	}
	jonas, form, _ := ready("jonas")
	_, others, _ := ready("berta")
	unmoved(jonas.Post("", path+"/approval", others), http.StatusForbidden, "the token of another session")
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPut, http.MethodOptions, http.MethodDelete} {
		a := jonas.Send(jonas.Request(method, path+"/approval?"+form.Encode(), nil))
		require.NotEqual(t, http.StatusOK, a.Status, method)
		unmoved(a, a.Status, method)
	}
	request := jonas.Request(http.MethodGet, path+"/approval?_method=POST&"+form.Encode(), nil)
	request.Header.Set("X-HTTP-Method-Override", http.MethodPost)
	a := jonas.Send(request)
	unmoved(a, a.Status, "a method in a header")
	bare := url.Values{"csrf": form["csrf"], "password": form["password"]}
	unmoved(jonas.Post("", path+"/approval?"+form.Encode(), bare), http.StatusSeeOther,
		"what was seen is in the address")
	tokenless := url.Values{"after": form["after"], "others": form["others"], "reversed": form["reversed"],
		"password": form["password"], "csrf": {""}}
	unmoved(jonas.Post("", path+"/approval?csrf="+url.QueryEscape(form.Get("csrf")), tokenless), http.StatusForbidden,
		"the token is in the address")
	require.Equal(t, http.StatusSeeOther, jonas.Post("", path+"/approval", form).Status)
	require.EqualValues(t, 10000, s.Balance("anna"))
}
