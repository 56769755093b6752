package app_test

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/gofiber/fiber/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pitboss/app/bonus"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

// promise is a sentence that names somebody who can help, and where they do it.
type promise struct {
	words string      // as the source has them
	role  models.Role // who is named
	page  string      // where they go; a word in capitals becomes the ID or address of a thing that the test makes
	does  string      // the form's action or the link that must be there; may be empty
}

// promises are all sentences of the site that name a role that can help. The phrase "the operator of the server" does not name
// anyone who signs in here.
var promises = []promise{
	{"Two administrators can change them under", models.Administrator, "/settings/free-spins", "/settings/free-spins"},
	{"Two administrators can change them under", models.Bonus, "/settings/free-spins", ""},
	{"Changing this takes two administrators", models.Administrator, "/settings", "/settings/sign-in"},
	{"Changing the limits takes two administrators", models.Administrator, "/settings/free-spins", "/settings/free-spins"},
	{"A change takes effect when another administrator approves it", models.Administrator, "/settings/free-spins",
		"/settings/free-spins"},
	{"A colleague with the bonus or finance role decides", models.Finance, "CAMPAIGN", "CAMPAIGN/approval"},
	{"A colleague with the bonus or finance role decides", models.Bonus, "CAMPAIGN", "CAMPAIGN/approval"},
	{"a colleague with the bonus or finance role approves", models.Finance, "CAMPAIGN", "CAMPAIGN/approval"},
	{"An administrator can create an account under Staff", models.Administrator, "/staff/new", "/staff"},
	{"A colleague with the bonus, support or finance role can close the case", models.Support, "CASE", "CASE/decision"},
	{"An administrator can link that account to you", models.Administrator, "/staff/new", "/staff"},
	{"Administrators change roles under Staff", models.Administrator, "/staff/MEMBER", "/staff/MEMBER/role"},
	{"Ask compliance to run a verification", models.Compliance, "/integrity", "/integrity/verifications"},
	{"Ask another administrator to confirm your account under Staff", models.Administrator, "/staff/UNCONFIRMED",
		"/staff/UNCONFIRMED/confirmation"},
	{"until a second administrator confirms your account under Staff", models.Administrator, "/staff/UNCONFIRMED",
		"/staff/UNCONFIRMED/confirmation"},
	{"This account is disabled. Ask an administrator", models.Administrator, "/staff/DISABLED", "/staff/DISABLED/enable"},
	{"An administrator can lift this", models.Administrator, "/staff/LOCKED", "/staff/LOCKED/unlock"},
	{"If you cannot, ask an administrator", models.Administrator, "/staff/MEMBER", "/staff/MEMBER/password"},
	{"ask an administrator to reset your second factor", models.Administrator, "/staff/MEMBER", "/staff/MEMBER/second-factor"},
	{"Forgotten password, locked out, or a new phone? An administrator can help", models.Administrator, "/staff/MEMBER",
		"/staff/MEMBER/password"},
	{"A colleague with the finance role has to approve it", models.Finance, "CORRECTION", "CORRECTION/approval"},
	{"It takes effect when another administrator approves it", models.Administrator, "CHANGE", "CHANGE/approval"},
	{"Nothing changes until another administrator approves it", models.Administrator, "CHANGE", "CHANGE/approval"},
	{"Finance or compliance can change it and enter rates", models.Finance, "/reports/rates", "/reports/rates/base"},
	{"Finance or compliance can change them", models.Compliance, "/reports/returns", "/reports/returns"},
	{"Finance or compliance can switch thresholds on and off", models.Compliance, "/reports/ranked/threshold", "/reports/ranked/threshold"},
	{"Only administrators can change these", models.Administrator, "/settings", "/settings"},
	{"Only administrators can change these", models.Administrator, "/settings/notices", "/settings/notices"},
}

// tellings are sentences that name a role without sending anybody to it: titles, and what somebody did or is told.
var tellings = []string{
	"Ask a colleague with the ", // whoever the table of permissions names
	"other administrators are notified", "Other administrators are notified",
	"Waiting for a second administrator",
	"The last administrator is never disabled", "a link was shown to an administrator",
	"One administrator created or changed your account. Until a second administrator confirms it",
	"until a second administrator confirms the account", "Until a second administrator confirms this",
	"No other administrator can",
	"tell an administrator", "Request ID, for administrators",
	"Even administrators", "which a second administrator confirms",
	"Ask an administrator to find out where",
	"A second factor cannot be read. An administrator can reset it.",
	"Ask an administrator to free space",
	"administrators with a break-glass account sign in", "All administrators are notified",
	"Administrators and compliance are notified", "Administrators and compliance do.",
	"two administrators look at every account", "when another administrator confirms it",
	"until two administrators give this client a new secret", "another administrator sees the second when they approve it",
	"Neither of the two administrators should have both", "Another administrator sees the second half when they approve the request",
}

var namesSomebody = regexp.MustCompile(
	`(?i)\badministrators?\b|\bcompliance to\b|of the role |by support or finance|(colleague|body|else) with (the|one) `)

// broken matches where a text in Go continues on the next line, and brokenPage where one in a template does.
var (
	broken     = regexp.MustCompile(`" \+\n\s*"`)
	brokenPage = regexp.MustCompile(`\n +([^ <{\n])`)
)

// TestEveryRefusalKeepsItsPromise finds every sentence of the site that names a role that can help, and follows it as that
// role: the page exists, opens for them, and offers what was promised.
func TestEveryRefusalKeepsItsPromise(t *testing.T) {
	t.Parallel()
	var sources []string
	for _, pattern := range []string{"*.go", "web/*.go", "pages/*.go", "pages/*/*.go", "../views/*.go"} {
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, found, pattern)
		sources = append(sources, found...)
	}
	templates, err := filepath.Glob("../views/*/*.html")
	require.NoError(t, err)
	known := slices.Clone(tellings)
	for _, p := range promises {
		known = append(known, p.words)
	}
	used := map[string]bool{}
	for _, name := range append(sources, templates...) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		whole := broken.ReplaceAllString(string(text), "")
		if strings.HasSuffix(name, ".html") {
			whole = brokenPage.ReplaceAllString(whole, " $1")
		}
		for _, line := range strings.Split(whole, "\n") {
			if code, _, _ := strings.Cut(strings.TrimSpace(line), "//"); strings.HasSuffix(name, ".go") &&
				!strings.Contains(code, `"`) {
				continue
			}
			rest := strings.NewReplacer("models.Administrator", "").Replace(line)
			for _, words := range known {
				if strings.Contains(rest, words) {
					used[words] = true
					rest = strings.ReplaceAll(rest, words, "")
				}
			}
			if comment := strings.Index(rest, "// "); comment >= 0 {
				rest = rest[:comment]
			}
			assert.NotRegexp(t, namesSomebody, rest, "%s names somebody who can help: add where they do it to promises", name)
		}
	}
	for _, words := range known {
		assert.True(t, used[words], "no page says %q any longer", words)
	}

	s := apptest.SqliteSite(t, apptest.Proving(t.TempDir()))
	s.Prove()
	player := s.NewPlayer("anna", false)
	g := s.SyncedGame()
	names := openPromises(s, player, g)
	readers := map[models.Role]*apptest.Browser{}
	for _, role := range models.Roles {
		readers[role] = s.SignedIn("helper-"+string(role), role)
	}
	for _, p := range promises {
		page, does := names.Replace(p.page), names.Replace(p.does)
		answer := readers[p.role].Get(page)
		assert.Equal(t, http.StatusOK, answer.Status, "%s sends %s to %s", p.words, p.role, page)
		if p.does != "" {
			found := answer.Find(`form[action="` + does + `"] button, a[href="` + does + `"]`).Length()
			assert.Positive(t, found, "%q: %s finds nothing on %s that leads to %s", p.words, p.role, page, does)
		}
	}
}

// openPromises makes the things that the promises are about, and returns a replacer for their IDs.
func openPromises(s *apptest.Site, player models.Player, g models.Game) *strings.Replacer {
	s.T.Helper()
	ctx := s.T.Context()
	number := func(id int64) string { return web.PathOf("", id)[1:] }
	signer := func(name string, role models.Role) models.Signer {
		made := s.Hire(name, role)
		return models.Signer{Actor: models.Actor{Name: name, Channel: models.ChannelBrowser}, StaffID: made.ID, Role: role}
	}
	member, disabled, locked := s.Hire("member", models.Support), s.Hire("disabled", models.Support),
		s.Hire("locked", models.Support)
	require.NoError(s.T, s.Store.DisableStaff(ctx, models.System, disabled.ID, "on leave"))
	require.NoError(s.T, s.Store.SetStaffTOTP(ctx, models.System, member.ID, models.SecondFactor{Sealed: "sealed"}, ""))
	stranger := s.Browser("203.0.113.77")
	for range 11 {
		stranger.SignIn("locked", "a guess")
	}
	ada, bruno, mira := signer("ada", models.Administrator), signer("bruno", models.Bonus), signer("mira", models.Finance)
	unconfirmed := s.Hire("unconfirmed", models.Support)
	require.NoError(s.T, s.Store.ResetStaffTOTP(ctx, ada.Actor, unconfirmed.ID, "lost phone"))
	limits := models.DefaultGrantRules
	limits.Limits.SpinsPerGrant--
	change, err := s.Store.RequestChange(ctx, ada, models.ChangeGrantLimits, limits, "tried")
	require.NoError(s.T, err)
	e, _, err := s.Bonus.Request(ctx, bruno, bonus.Upload{CampaignTerms: models.CampaignTerms{Name: "VIP"},
		Lines: []models.GrantLine{{Line: 1, UserID: player.UserID, GameID: g.GameID, Spins: 120}}})
	require.NoError(s.T, err)
	correction, err := s.Store.RequestCorrection(ctx, mira,
		models.CorrectionRequest{Kind: models.CorrectCredit, PlayerID: player.ID, Amount: 500, Reason: "goodwill",
			Text: "promised"})
	require.NoError(s.T, err)
	return strings.NewReplacer("CAMPAIGN", pages.CampaignPath(e.ID), "CORRECTION", pages.CorrectionPath(correction.ID),
		"CHANGE", pages.ChangePath(change.ID), "CASE", pages.CasePath(s.OpenManyCases(models.CaseUnknownGrant, 1)),
		"UNCONFIRMED", number(unconfirmed.ID), "MEMBER", number(member.ID), "DISABLED", number(disabled.ID), "LOCKED",
		number(locked.ID),
		"PLAYER", number(player.ID))
}

// TestUnconfirmedAccountsAreOfferedWhatWorks walks through the pages of an account of each role that a second administrator has
// to confirm: no link and no form leads to a refusal, and a refusal says who can confirm the account.
func TestUnconfirmedAccountsAreOfferedWhatWorks(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	found, _ := s.CaseOfOpenBet()
	names := openPromises(s, s.NewPlayer("nora", false), s.SyncedGame())
	by := models.Actor{Name: "ada", Channel: models.ChannelBrowser}
	for _, name := range []string{"adam", "adele"} {
		s.Hire(name, models.Administrator)
	}
	for _, role := range models.Roles {
		name := "new-" + string(role)
		require.NoError(t, s.Store.ResetStaffTOTP(t.Context(), by, s.Hire(name, role).ID, "lost phone"))
		b := s.Browser("203.0.113.8")
		require.Equal(t, "/", b.SignIn(name, apptest.Password).Location)
		seen, from, queue := map[string]bool{}, map[string]string{}, []string{"/", pages.CasePath(found.ID), names.Replace("CAMPAIGN"),
			"/campaigns"}
		if web.May(role, web.ReadCorrections) {
			queue = append(queue, names.Replace("CORRECTION"))
		}
		if web.May(role, web.ReadSettings) {
			queue = append(queue, names.Replace("CHANGE"))
		}
		for len(queue) > 0 {
			path := queue[0]
			queue = queue[1:]
			at, _, _ := strings.Cut(path, "?")
			key := numerals.ReplaceAllString(at, "N")
			if seen[key] || strings.HasPrefix(at, "/static") || strings.HasPrefix(at, "/help") { // the handbook links to all pages
				continue
			}
			seen[key] = true
			page := b.Get(path)
			assert.NotEqual(t, http.StatusForbidden, page.Status, "%s is offered %s on %s", role, path, from[path])
			page.Find("a[href^='/']").Each(func(_ int, a *goquery.Selection) {
				queue = append(queue, a.AttrOr("href", ""))
				from[a.AttrOr("href", "")] = path
			})
			page.Find("form[method=post]:has(button:not([disabled]))").Each(func(_ int, f *goquery.Selection) {
				action, _, _ := strings.Cut(f.AttrOr("action", path), "?")
				for _, r := range s.Routes() {
					if r.Method == web.Post && fiber.RoutePatternMatch(action, r.Path, fiber.Config{StrictRouting: true}) {
						_, byRole := web.Grants[r.Needs]
						assert.True(t, !byRole || strings.HasPrefix(r.Needs.String(), "view "), "%s is offered %s on %s", role,
							action, path)
					}
				}
			})
		}
		require.Greater(t, len(seen), 20)
		for _, r := range s.Routes() {
			if slices.Contains(web.Grants[r.Needs], role) && !strings.HasPrefix(r.Needs.String(), "view ") {
				refused := b.SendTo(r, apptest.FillIn(r.Path, 1))
				require.Contains(t, refused.Text(), "Ask another administrator to confirm your account", apptest.NameOf(r))
				break
			}
		}
	}
}
