package web

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/gamehosts"
	"pitboss/models"
)

func TestFilter(t *testing.T) {
	page := &Page{Path: "/x", Params: url.Values{"kind": {"bet"}, "player": {"a&b"}, "state": {" "}, "after": {"1.2"}}}
	require.Equal(t, "bet", page.Filter("kind", "Kind", func(string) string { return "Bets" }))
	require.Equal(t, "a&b", page.Filter("player", "Player", nil))
	require.Empty(t, page.Filter("state", "State", nil))
	require.Len(t, page.Chips, 2)
	require.Equal(t, "Bets", page.Chips[0].Value)
	require.Equal(t, "/x?player=a%26b", page.Chips[0].Without, "removing a filter goes back to the list's first page")
	require.Equal(t, "/x?kind=bet", page.Chips[1].Without)
}

func TestLocal(t *testing.T) {
	for address, want := range map[string]string{
		"/players?q=1": "/players?q=1", "": "/", "players": "/", "//evil.example/": "/", "/\\evil.example": "/",
		"https://evil.example": "/", "/a\r\nSet-Cookie: x": "/",
	} {
		require.Equal(t, want, Local(address, "/"), address)
	}
}

func TestContentSecurityPolicy(t *testing.T) {
	policy, err := gamehosts.Policy([]string{"games.example:8443", "127.0.0.1:9000"}, []string{"img.example"})
	require.NoError(t, err)
	require.Contains(t, policy, "form-action 'self' https://games.example:8443 https://127.0.0.1:9000 http://127.0.0.1:9000;")
	require.Contains(t, policy, "img-src 'self' https://img.example;")
	for _, host := range []string{"", "*", "*.example", "games.example; script-src *", "https://games.example",
		"games.example/path", "'self'"} {
		_, err := gamehosts.Policy([]string{host}, nil)
		require.Error(t, err, host)
		_, err = gamehosts.Policy(nil, []string{host})
		require.Error(t, err, host)
	}
}

func TestZoneName(t *testing.T) {
	summer := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	for zone, want := range map[string]string{"UTC": "UTC", "Europe/Vienna": "Vienna, UTC+2",
		"Asia/Kolkata": "Kolkata, UTC+5:30", "America/Sao_Paulo": "Sao Paulo, UTC−3"} {
		place, err := time.LoadLocation(zone)
		require.NoError(t, err)
		page := &Page{Now: summer, Zone: place}
		require.Equal(t, want, page.ZoneName())
	}
}

func TestMay(t *testing.T) {
	page := &Page{Reader: &Reader{Staff: models.Staff{Role: models.Compliance}}}
	allowed, err := page.May("view the audit log")
	require.NoError(t, err)
	require.True(t, allowed)
	allowed, err = page.May("approve corrections")
	require.NoError(t, err)
	require.False(t, allowed)
	_, err = page.May("approve corections")
	require.Error(t, err, "a misspelled permission fails its page")
}

// TestComplianceMovesNothing checks the table of permissions by role. Compliance only reads, exports, makes packs, records
// complaints, answers players, stops play, signs, verifies, reviews the audit log, and sets rates and thresholds of
// reports together with finance.
func TestComplianceMovesNothing(t *testing.T) {
	reads := map[Permission]bool{ExportData: true, MakePacks: true,
		RecordComplaints: true, AnswerPlayers: true, SignDays: true, RunIntegrity: true, ReviewAudit: true, SetFigures: true, DecideChanges: true,
		RestrictPlayers: true, FreezePlay: true, EndRestrictions: true}
	for p, roles := range Grants {
		for _, role := range roles {
			if role == models.Compliance {
				require.True(t, reads[p] || strings.HasPrefix(p.words, "view "), p)
			}
			if role == models.Administrator {
				require.NotContains(t, []Permission{RequestCorrections, CheckCorrections, GrantFreeSpins}, p)
			}
		}
	}
}
