package models_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/models"
)

func TestUserIDsWithAmounts(t *testing.T) {
	for _, id := range []string{"anna", "anna12", "12", "an.na", "anna.12", "john.doe@example.com", "1.a", "v1.2b", "a.12.b", ".12"} {
		require.NoError(t, models.CheckUserID(id), id)
	}
	for _, id := range []string{"anna12.30", "12.30x", "u1.00", "x1.", "x1.2", "a0.00b"} {
		require.ErrorIs(t, models.CheckUserID(id), models.ErrUserAmount, id)
	}
	require.ErrorIs(t, models.CheckUserID(strings.Repeat("a", 256)), models.ErrID)
}

// No new player has an ID that looks like another one, or the name of an erased player.
func TestUserIDsThatAreRefused(t *testing.T) {
	for _, id := range []string{" anna", "anna ", "an\tna", "an\nna", "an\u200bna", "\u202eanna", "an\u00a0na", "anna\ufeff", "an\u3164na",
		"an\u2800na", "anna\ufe0f", "an\u00adna"} {
		require.ErrorIs(t, models.CheckUserID(id), models.ErrUserUnseen, "%q", id)
	}
	for _, id := range []string{"erased-2", "Erased-17"} {
		require.ErrorIs(t, models.CheckUserID(id), models.ErrUserErased, id)
	}
	for _, id := range []string{"an na", "olga-шевченко", "日本語プレイヤー", "e\u0301ve", "erased", "erased-x"} {
		require.NoError(t, models.CheckUserID(id), id)
	}
	require.Equal(t, []string{"Cyrillic", "Latin"}, models.UserID("\u0430nna").MixedScripts())
	require.Nil(t, models.UserID("анна 7").MixedScripts())
}

func TestZoneNames(t *testing.T) {
	for _, zone := range []string{"", "Local", "localtime", "posixrules", "right/Europe/Vienna", "posix/Europe/Vienna", "../Europe/Vienna"} {
		require.ErrorIs(t, models.CheckZone(zone), models.ErrLimitZone, zone)
	}
	for _, zone := range []string{"UTC", "Europe/Vienna", "America/Santiago"} {
		require.NoError(t, models.CheckZone(zone), zone)
	}
}

func TestTransactionIDsWithAmounts(t *testing.T) {
	for _, ids := range [][2]string{{"tx1", "r1"}, {"1", "x2.00"}, {"1.0a", "r"}, {"a1.00", "r"}, {"12", "34"}} {
		require.NoError(t, models.CheckSigned(models.TransactionID(ids[0]), models.RoundID(ids[1])), ids)
	}
	for _, ids := range [][2]string{{"1.00x", "r"}, {"1", ".00r"}, {"12.3", "4"}, {"1700000000.123456", ""}} {
		require.ErrorIs(t, models.CheckSigned(models.TransactionID(ids[0]), models.RoundID(ids[1])), models.ErrAmountFirst, ids)
	}
}
