package players_test

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/apptest"
	"pitboss/app/browsertest"
	"pitboss/app/pages"
	"pitboss/models"
)

// TestPlayPagesAreFine checks the pages about players, transactions and rounds, in both themes and at both widths.
func TestPlayPagesAreFine(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	anna := s.PlayerWithHistory("anna")
	s.OpenGameAndGrant("anna")
	s.Book(apptest.FreeSpin("anna", "11-anna", "108-anna", 50), apptest.Win("anna", "12-anna", "108-anna", 120))
	require.NoError(t, s.Store.AttributeSpins(t.Context(), anna.ID, false))
	hostile := s.PlayerWithHistory(`"><script>alert(1)</script>`)
	s.PlayerWithHistory("luiza-fernandes-de-albuquerque-e-castro-1987")
	long := s.PlayerWithBalance(models.UserID(strings.Repeat("w", 200)), -0)
	s.PlayerWithBalance("олександр.ш", 192000)
	require.NoError(t, s.Store.SetBlocked(t.Context(), models.Actor{Name: "sofia"}, hostile.UserID, true,
		"He asked to be kept out until January."))
	_, err := s.Store.CreatePlayer(t.Context(), models.System,
		models.NewPlayer{UserID: "test-try", Currency: "TRY", Test: true})
	require.NoError(t, err)
	s.Later(3*time.Hour + 25*time.Minute)
	sofia := s.Hire("sofia", models.Support)
	require.NoError(t, s.Store.SetStaffProfile(t.Context(), sofia.ID,
		models.Profile{Zone: "Europe/Vienna", Theme: "system", Density: "roomy"}))

	tab := browsertest.Start(t).Open(t, browsertest.View{})
	s.SignInTab(tab, "sofia")
	for _, page := range []struct{ name, path string }{
		{"players", "/players"}, {"players-none", "/players?q=Nobody&state=blocked"}, {"player", pages.PlayerPath(anna.ID)},
		{"player-blocked", pages.PlayerPath(hostile.ID)},
		{"player-long", pages.PlayerPath(long.ID)}, {"player-ledger", pages.PlayerPath(anna.ID) + "/ledger"},
		{"player-free-spins", pages.PlayerPath(anna.ID) + "/free-spins"},
		{"player-sessions", pages.PlayerPath(anna.ID) + "/sessions"},
		{"player-history", pages.PlayerPath(hostile.ID) + "/history"},
		{"player-block", pages.PlayerPath(anna.ID) + "/block"},
		{"player-unblock", pages.PlayerPath(hostile.ID) + "/unblock"}, {"player-new", "/players/new"},
		{"players-import", "/players/imports/new"},
		{"transactions", "/transactions"},
		{"transactions-filtered", "/transactions?player=anna&bet-from=1&with=money&since=2026-01-01"},
		{"transactions-unread", "/transactions?bet-from=much"},
		{"transactions-nobody", "/transactions?player=" + url.QueryEscape("<nobody>")},
		{"transaction", pages.TransactionPath(s.Transaction("3-anna").ID)},
		{"transaction-void", pages.TransactionPath(s.Transaction("4-anna").ID)},
		{"transaction-changed", pages.TransactionPath(s.Transaction("1-anna").ID)},
		{"transaction-spin", pages.TransactionPath(s.Transaction("11-anna").ID)},
		{"rounds", "/rounds"}, {"rounds-open", "/rounds?state=open&age=2h"},
		{"round", pages.RoundPath(s.Transaction("1-anna").ID)},
		{"round-open", pages.RoundPath(s.Transaction("3-anna").ID)},
		{"search-play", "/search?q=10"},
		{"search-wide", "/search?q=" + strings.Repeat("W", 128)},
	} {
		tab.Go(s.Base.String() + page.path)
		tab.RequireFine(page.name)
	}
	file := filepath.Join(t.TempDir(), "november.csv")
	for name, content := range map[string]string{
		"players-bad":  "user_id,currency\nnew-1,EUR\n,EUR\nnew-2,euro\nanna,EUR\n",
		"players-good": "user_id,currency\nnew-1,EUR\n\"<b>new-2</b>\",TRY\n",
	} {
		require.NoError(t, os.WriteFile(file, []byte(content), 0o600))
		tab.Go(s.Base.String() + "/players/imports/new")
		tab.Upload("#f-file", file)
		tab.Follow(".pb-form-foot .btn-primary")
		tab.RequireFine(name)
	}
	tab.Go(s.Base.String() + "/transactions")
	tab.Look(browsertest.View{Width: browsertest.Phone})
	tab.Click(".pb-filter-btn")
	tab.Wait("#filters")
	require.Empty(t, tab.Axe())
	tab.Screenshot("transactions-filters-light-360")
}

// TestBlockAPlayer finds a player, blocks them and sees it, as support does, with scripts and without.
func TestBlockAPlayer(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t)
	for name, scripts := range map[string]bool{"scripts": true, "no scripts": false} {
		t.Run(name, func(t *testing.T) {
			s := apptest.SqliteSite(t)
			s.PlayerWithHistory("anna")
			s.Hire("sofia", models.Support)
			tab := browser.Open(t, browsertest.View{NoScripts: !scripts})
			s.SignInTab(tab, "sofia")
			tab.Fill("[data-jump]", "anna")
			tab.Press("\r")
			tab.WaitText("h1", "anna")
			tab.Follow("a.pb-destroy")
			tab.Fill("#f-reason", "asked to")
			tab.Follow(".btn-danger")
			tab.WaitText("h1", "Blocked")
			require.Contains(t, tab.Text(".pb-flash"), "Bets are refused from now on")
			require.Empty(t, tab.Errors())
		})
	}
}
