package main

import (
	"cmp"
	"context"
	"database/sql"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"pitboss/app/web"
	"pitboss/callbacks/wire"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// keptRelease names the release whose database make keep-release keeps in testdata.
const keptRelease = "PITBOSS_KEEP_RELEASE"

// TestUpgradeFromReleases upgrades a database of each release and engine: all that was in it still holds, every page shows it
// to every role, requests that waited are decided, and play goes on.
func TestUpgradeFromReleases(t *testing.T) {
	if release := os.Getenv(keptRelease); release != "" {
		for _, engine := range storetest.Engines {
			t.Run("keep "+engine, func(t *testing.T) {
				script := storetest.Dump(t, releaseDatabase(t, engine))
				require.NoError(t, os.WriteFile(filepath.Join("testdata", release+"."+engine+".sql"), []byte(script), 0o644))
			})
		}
	}
	storetest.EachEngine(t, func(t *testing.T, engine string) {
		files, err := filepath.Glob("testdata/*." + engine + ".sql")
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, file := range files {
			t.Run(filepath.Base(file), func(t *testing.T) {
				script, err := os.ReadFile(file)
				require.NoError(t, err)
				url := storetest.Filled(t, engine, string(script))
				requireRows(t, url)
				decideWaiting(t, url)
				require.Equal(t, storetest.Schema(t, storetest.URL(t, engine)), storetest.Schema(t, url),
					"an upgraded database has the schema of a new one: a released migration does not change")

				environ := environment(url)
				server := boot(t, environ)
				status, out, errs := command(t, environ, "verify")
				require.Zero(t, status, errs)
				require.Contains(t, out, "no faults found")
				readEverything(t, server, engine == storetest.SQLite || storetest.Scaled(0, 1) == 1)
				playOn(t, url, server)
				status, out, errs = command(t, environ, "verify")
				require.Zero(t, status, errs)
				require.Contains(t, out, "no faults found")
			})
		}
	})
}

// requireRows requires that each table of the database has a row, so that the migrations of later releases meet every kind of
// row.
func requireRows(t *testing.T, url string) {
	t.Helper()
	db := storetest.OpenURL(t, url)
	names := "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()"
	if strings.HasPrefix(url, "sqlite://") {
		names = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
	}
	var empty []string
	for _, table := range texts(t, db, names) {
		if texts(t, db, "SELECT COUNT(*) FROM "+table)[0] == "0" {
			empty = append(empty, table)
		}
	}
	require.Empty(t, empty, "tables without a row: have cmd/pitboss/release_past_test.go fill them")
}

func texts(t *testing.T, db *sql.DB, query string) (list []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var text string
		require.NoError(t, rows.Scan(&text))
		list = append(list, text)
	}
	require.NoError(t, rows.Err())
	return list
}

// decideWaiting upgrades the database in the hour after its release ended, verifies it, and approves a request of each kind.
func decideWaiting(t *testing.T, url string) {
	t.Helper()
	last, err := strconv.ParseInt(texts(t, storetest.OpenURL(t, url), "SELECT MAX(at_us) FROM audit_events")[0], 10, 64)
	require.NoError(t, err)
	clock := &storetest.Clock{}
	clock.Set(storetest.TimeOf(last).Add(time.Hour))
	s := storetest.Open(t, store.Config{URL: url, LedgerKey: []byte(testLedger), Now: clock.Now})
	require.Empty(t, storetest.WordsOf(storetest.RequireWhole(t, s)))
	waiting, err := s.RequestsWaiting(t.Context(), nil, 100)
	require.NoError(t, err)
	kinds := map[string]bool{}
	desk := &storetest.Colleagues{Store: s, T: t}
	for _, r := range waiting {
		checker := signerOf(t, s, map[string]string{"correction": "mira", "cash-out": "mira", "campaign": "mira", "restriction": "chloe",
			"change": "adam"}[r.Kind])
		decision := storetest.Opened(t.Context(), s, r.Kind, r.ID)
		decision.Do = models.ApprovalApproved
		if r.Kind == "correction" {
			c, _, err := s.Correction(t.Context(), r.ID)
			require.NoError(t, err)
			decision.Basis = desk.Basis(c)
		}
		_, err := s.Decide(t.Context(), checker, decision)
		require.NoError(t, err, "%s %d", r.Kind, r.ID)
		kinds[r.Kind] = true
	}
	require.Len(t, kinds, 5)
	storetest.RequireWhole(t, s)
}

func signerOf(t *testing.T, s *store.Store, username string) models.Signer {
	t.Helper()
	who, found, err := s.StaffNamed(t.Context(), username)
	require.NoError(t, err)
	require.True(t, found, username)
	return models.Signer{StaffID: who.ID, Role: who.Role, Actor: models.Actor{Name: username, Channel: models.ChannelBrowser, Session: "test"}}
}

// ofARole are members of the demo's staff, one of each role.
var ofARole = map[models.Role]string{models.Support: "sofia", models.Bonus: "bruno", models.Finance: "farid", models.Compliance: "chloe",
	models.Administrator: "ada"}

// unreadable are pages that nobody can read here: those of a form or a sign-in in progress, of a passkey of one's own, and of
// the files of checkpoints, which are outside the database.
var unreadable = []string{"/signin/code", "/account/passkeys/new", "/account/passkeys/:id/removal", "/corrections/new/confirm",
	"/sessions/launched/:launch", "/campaigns/new/confirm", "/integrity/checkpoints/:id/file"}

// readEverything reads every page, as each role that may read it or only as the first. Of those with an ID in their path it
// reads some to which other pages link, and if none does, the first that there is.
func readEverything(t *testing.T, server *Server, asEach bool) {
	t.Helper()
	routes := slices.DeleteFunc(server.site.Routes(), func(r web.Route) bool {
		return r.Method != web.Get || r.Needs == web.HealthCheck || r.Needs == web.Public
	})
	read, times := map[string]bool{}, map[string]int{}
	for _, role := range models.Roles {
		v := newVisitor(t, server.AdminURL(), ofARole[role], http.DefaultTransport)
		asked := map[string]bool{}
		if asEach {
			clear(times)
		}
		ask := func(path string) (links []string) {
			i := slices.IndexFunc(routes, func(r web.Route) bool { return leadsTo(r.Path, path) })
			if i < 0 || asked[path] || times[routes[i].Path] == 2 {
				return nil
			}
			asked[path] = true
			status, page := v.ask(t.Context(), http.MethodGet, path, nil)
			require.Less(t, status, http.StatusInternalServerError, "%s as %s: %s", path, role, page)
			require.NotZero(t, status, "%s as %s: %s", path, role, page)
			if status != http.StatusOK {
				return nil
			}
			read[routes[i].Path] = true
			times[routes[i].Path]++
			document, err := goquery.NewDocumentFromReader(strings.NewReader(page))
			require.NoError(t, err)
			for _, link := range document.Find("a[href^='/'], img[src^='/']").EachIter() {
				to, _, _ := strings.Cut(cmp.Or(link.AttrOr("href", ""), link.AttrOr("src", "")), "?")
				to, _, _ = strings.Cut(to, "#")
				links = append(links, to)
			}
			return links
		}
		var next []string
		for _, r := range routes {
			if !strings.Contains(r.Path, ":") && web.May(role, r.Needs) {
				next = append(next, r.Path)
			}
		}
		for len(next) > 0 {
			next = append(next[1:], ask(next[0])...)
		}
		for _, r := range routes {
			for id := 1; id <= 60 && !read[r.Path] && web.May(role, r.Needs); id++ {
				ask(strings.Replace(r.Path, ":id", strconv.Itoa(id), 1))
			}
		}
	}
	var unread []string
	for _, r := range routes {
		if !read[r.Path] {
			unread = append(unread, r.Path)
		}
	}
	require.Equal(t, unreadable, unread)
}

// leadsTo tells whether a path is one of a route.
func leadsTo(route, path string) bool {
	of, parts := strings.Split(route, "/"), strings.Split(path, "/")
	return slices.EqualFunc(of, parts, func(of, part string) bool { return of == part || strings.HasPrefix(of, ":") })
}

// playOn sends callbacks, has two people correct one of them, grants free spins, and closes and signs days.
func playOn(t *testing.T, url string, server *Server) {
	t.Helper()
	ctx, s := t.Context(), open(t, url)
	anna, _, err := s.Player(ctx, "anna")
	require.NoError(t, err)
	for _, c := range []struct {
		endpoint wire.Endpoint
		id       string
		bet, win string
		result   int
	}{
		{wire.Withdraw, "bet-1", "10.00", "", 11}, // applied before the upgrade
		{wire.RollbackTransaction, "void", "", "", 0}, {wire.Withdraw, "later-1", "1.00", "", 0}, {wire.Deposit, "later-2", "", "2.50", 0},
		{wire.RollbackTransaction, "later-1", "", "", 0}, {wire.Withdraw, "later-1", "1.00", "", 9}, {wire.Withdraw, "later-3", "1.50", "", 0},
	} {
		user := "anna"
		if c.id == "void" {
			user = "bert"
		}
		require.Equal(t, c.result, call(t, server.CallbackURL(), c.endpoint,
			wire.Request{UserID: user, TransactionID: c.id, RoundID: "r-" + c.id, Amount: cmp.Or(c.bet, c.win)}), c.id)
	}
	desk := &storetest.Colleagues{Store: s, T: t, Anna: anna, Mira: signerOf(t, s, "mira"), Sofia: signerOf(t, s, "sofia")}
	desk.MustApprove(desk.Mira, desk.Request(desk.Sofia, desk.Rollback("later-3")))
	after, _, err := s.Player(ctx, "anna")
	require.NoError(t, err)
	require.Equal(t, anna.Wallet.Balance+250, after.Wallet.Balance)

	games, err := s.Games(ctx, models.GameFilter{Span: models.Span{Limit: 1}})
	require.NoError(t, err)
	bruno := signerOf(t, s, "bruno")
	grant, err := s.RequestGrant(ctx, bruno.Actor, models.GrantRequest{UserID: "anna", GameID: games.Rows[0].GameID, Spins: 2, Reason: "Goodwill",
		Role: models.Bonus, Again: true})
	require.NoError(t, err)
	_, err = s.SendGrant(ctx, grant.ID)
	require.NoError(t, err)
	_, err = s.AnswerGrant(ctx, bruno.Actor, grant.ID, models.GrantOutcome{State: models.GrantActive, FreeSpinID: "fs-later"})
	require.NoError(t, err)

	var days []models.Day
	require.Eventually(t, func() bool {
		_, err := s.FollowDays(context.WithoutCancel(ctx))
		require.NoError(t, err)
		days, err = s.UnsignedDays(ctx, models.Finance, 1)
		require.NoError(t, err)
		return len(days) == 1
	}, time.Minute, 50*time.Millisecond)
	storetest.SignDay(t, s, days[0], models.Finance, "mira")
}
