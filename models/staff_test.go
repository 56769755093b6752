package models_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
)

func TestCheckPassword(t *testing.T) {
	for password, want := range map[string]error{
		"plum orbit lantern 47":   nil,
		"correct horse battery":   nil,
		"öäüß-ñandú-žluť":         nil,
		"short":                   models.ErrPasswordShort,
		"elevenchars":             models.ErrPasswordShort,
		strings.Repeat("ab", 200): models.ErrPasswordLong,
		"mira.h loves the sea":    models.ErrPasswordName,
		"my-PitBoss-password":     models.ErrPasswordName,
		"Password123456":          models.ErrPasswordKnown,
		"P@ssw0rd!2026!!":         models.ErrPasswordKnown,
		"welcome-password-1":      models.ErrPasswordKnown,
		"123456789012":            models.ErrPasswordKnown,
		"qwertyuiopas":            models.ErrPasswordKnown,
		"1q2w3e4r5t6y":            models.ErrPasswordKnown,
		"aaaaaaaaaaaaaa":          models.ErrPasswordKnown,
		"abcabcabcabc":            models.ErrPasswordKnown,
		"poiuytrewqpo":            models.ErrPasswordKnown,
	} {
		require.ErrorIs(t, models.CheckPassword("mira.h", password), want, password)
	}
}

func TestParseUsername(t *testing.T) {
	for typed, want := range map[string]string{"Ann": "ann", " mira.h ": "mira.h", "a1": "a1", "a_b-c.d": "a_b-c.d"} {
		got, err := models.ParseUsername(typed)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	for _, typed := range []string{"", "a", "1a", ".ab", "ann b", "anñ", "а" + "nn", strings.Repeat("a", 33), "ann\x00"} {
		_, err := models.ParseUsername(typed)
		require.ErrorIs(t, err, models.ErrUsernameShape, typed)
	}
}

func TestProfile(t *testing.T) {
	require.NoError(t, models.DefaultProfile.Check())
	for _, wrong := range []models.Profile{
		{Zone: "", Theme: "dark", Density: "roomy"}, {Zone: "Local", Theme: "dark", Density: "roomy"},
		{Zone: "../etc/passwd", Theme: "dark", Density: "roomy"},
		{Zone: "UTC", Theme: `"><script>`, Density: "roomy"}, {Zone: "UTC", Theme: "dark", Density: "x"},
	} {
		require.Error(t, wrong.Check())
	}
}

func TestSignInWaits(t *testing.T) {
	c := models.SignInCounter{Free: 5}
	var waits []time.Duration
	for failures := 4; failures <= 12; failures++ {
		waits = append(waits, c.Wait(failures))
	}
	require.Equal(t, []time.Duration{
		0, 30 * time.Second, time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute, 15 * time.Minute,
		15 * time.Minute, 15 * time.Minute,
	}, waits)
	require.Equal(t, 15*time.Minute, c.Wait(1_000_000))
}

// TestAccountsAreLocked: an account is locked for half an hour after ten failures, wherever they come from.
func TestAccountsAreLocked(t *testing.T) {
	for _, known := range []models.Acquaintance{models.Stranger, models.KnownAddress, models.KnownDevice} {
		try := models.SignInTry{Username: "ann", Address: "203.0.113.9", Device: "d", Known: known}
		for _, c := range try.Counters() {
			if c.Username == "" {
				continue // counts an address over all accounts
			}
			require.Less(t, c.Wait(models.LockAfter-1), 30*time.Minute, c.Scope)
			require.Equal(t, 30*time.Minute, c.Wait(models.LockAfter), c.Scope)
			require.Equal(t, 30*time.Minute, c.Wait(models.LockAfter+1), c.Scope)
		}
	}
	require.Nil(t, models.DefaultSignInRules.Check())
}

// TestKnownBrowsersAreCountedAlone shows that attackers cannot lock anybody out.
func TestKnownBrowsersAreCountedAlone(t *testing.T) {
	strangers := models.SignInTry{Username: "ann", Address: "203.0.113.9"}.Counters()
	device := models.SignInTry{Username: "ann", Address: "203.0.113.9", Device: "d",
		Known: models.KnownDevice}.Counters()
	for _, c := range device {
		require.NotContains(t, strangers, c)
	}
}

func TestCursor(t *testing.T) {
	at := models.Cursor{At: time.UnixMicro(1_790_000_000_123_456).UTC(), ID: 42}
	read, err := models.ParseCursor(at.String())
	require.NoError(t, err)
	require.Equal(t, at, read)
	read, err = models.ParseCursor(models.Cursor{ID: 42}.String())
	require.NoError(t, err)
	require.Equal(t, models.Cursor{ID: 42}, read, "a place in a list by name")
	for _, s := range []string{"", "0", "-1", "x", "1.", ".1", "a.b", "1.0", "1.-1", "1.2.3"} {
		_, err := models.ParseCursor(s)
		require.ErrorIs(t, err, models.ErrCursorShape, s)
	}
}

func TestAmountsForPeople(t *testing.T) {
	for amount, want := range map[models.Amount]string{0: "0.00", 5: "0.05", -5: "−0.05", 123456: "1,234.56", 99999: "999.99",
		-100000000: "−1,000,000.00", models.MaxAmount: "999,999,999,999.99"} {
		require.Equal(t, want, amount.Grouped())
	}
	require.Equal(t, "+1,250.00", models.Amount(125000).Signed())
	require.Equal(t, "0.00", models.Amount(0).Signed())
}

func TestSavedViewShape(t *testing.T) {
	good := models.SavedView{Page: "/staff", Name: "Money people", Query: "role=finance"}
	require.NoError(t, good.Check())
	for _, change := range []func(*models.SavedView){
		func(v *models.SavedView) { v.Name = " " }, func(v *models.SavedView) { v.Name = strings.Repeat("x", 61) },
		func(v *models.SavedView) { v.Query = "" },
		func(v *models.SavedView) { v.Query = "a=\n" }, func(v *models.SavedView) { v.Page = "https://evil.example" },
		func(v *models.SavedView) { v.Query = strings.Repeat("a", 3000) },
	} {
		v := good
		change(&v)
		require.ErrorIs(t, v.Check(), models.ErrViewShape)
	}
}
