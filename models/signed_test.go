package models_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/models"
)

// readingsOf returns all callbacks with a signed text that are accepted by CheckUserID and CheckSigned, found by trying every
// way of splitting it. A GetBalance has no transaction ID.
func readingsOf(text string) (list []models.Operation) {
	add := func(op models.Operation) {
		if models.CheckUserID(string(op.UserID)) == nil && models.CheckSigned(op.TransactionID, op.RoundID) == nil {
			op.Source, op.Signed = models.SourcePlatform, text
			list = append(list, op)
		}
	}
	add(models.Operation{UserID: models.UserID(text)})
	ids := func(op models.Operation, rest string) {
		for r := 1; r < len(rest); r++ {
			op.TransactionID, op.RoundID = models.TransactionID(rest[:r]), models.RoundID(rest[r:])
			add(op)
		}
	}
	for u := 1; u < len(text); u++ {
		user := models.UserID(text[:u])
		add(models.Operation{Kind: models.Rollback, UserID: user, TransactionID: models.TransactionID(text[u:])})
		for e := u + 4; e < len(text); e++ {
			first, err := models.ParseAmount(text[u:e])
			if err != nil {
				continue
			}
			ids(models.Operation{Kind: models.Bet, UserID: user, Bet: first}, text[e:])
			ids(models.Operation{Kind: models.Win, UserID: user, Win: first}, text[e:])
			for e2 := e + 4; e2 < len(text); e2++ {
				if second, err := models.ParseAmount(text[e:e2]); err == nil {
					ids(models.Operation{Kind: models.BetWin, UserID: user, Bet: first, Win: second}, text[e2:])
				}
			}
		}
	}
	return list
}

// Of all pairs of callbacks with one signed text, at most one can be accepted: they have the same transaction ID, which the
// unique key refuses, or each is found when the other is looked up. All texts are tried up to a length at which every kind of
// callback occurs.
func TestOneReadingOfEachShortText(t *testing.T) {
	var lengths []int
	for n := range 16 {
		lengths = append(lengths, n+1)
	}
	pairs := map[string]int{}
	for alphabet, longest := range map[string]int{"1.": 12, "1.a": 9, "10.a": 8} {
		for length := 1; length <= longest; length++ {
			text, digits := make([]byte, length), make([]int, length)
			for {
				for i, d := range digits {
					text[i] = alphabet[d]
				}
				checkReadings(t, string(text), lengths, pairs)
				i := 0
				for ; i < length && digits[i] == len(alphabet)-1; i++ {
					digits[i] = 0
				}
				if i == length {
					break
				}
				digits[i]++
			}
		}
	}
	for _, kind := range []string{"one ID", "other ID", "rollback and GetBalance"} {
		require.Positive(t, pairs[kind], "%v", pairs)
	}
}

func checkReadings(t *testing.T, text string, lengths []int, pairs map[string]int) {
	all := readingsOf(text)
	for i := range all {
		for j := range all[:i] {
			a, b := &all[i], &all[j]
			switch {
			case a.Kind == 0 || b.Kind == 0: // a GetBalance books nothing: a rollback that spells a name is refused
				if a.Kind+b.Kind != models.Rollback {
					t.Fatalf("%q: a GetBalance is also %+v or %+v", text, *a, *b)
				}
				pairs["rollback and GetBalance"]++
			case a.TransactionID == b.TransactionID:
				if a.Kind == models.Rollback || b.Kind == models.Rollback {
					t.Fatalf("%q: %+v and %+v have one transaction ID", text, *a, *b)
				}
				pairs["one ID"]++
			case !finds(a, b, lengths) || !finds(b, a, lengths):
				t.Fatalf("%q: %+v and %+v do not find each other", text, *a, *b)
			default:
				pairs["other ID"]++
			}
		}
	}
}

// finds reports whether op finds what was accepted as another reading of its text.
func finds(op, accepted *models.Operation, lengths []int) bool {
	if !slices.Contains(op.OtherIDs(lengths), accepted.TransactionID) {
		return false
	}
	if accepted.Kind != models.Rollback {
		return op.SignedAs(&models.Transaction{
			TransactionID: accepted.TransactionID, RoundID: accepted.RoundID, Kind: accepted.Kind, Bet: accepted.Bet,
			Win: accepted.Win, State: models.Processed,
		}) == accepted.UserID
	}
	// A rollback is found by what it rolled back, whatever that was, and by its tombstone.
	reversed := models.Transaction{TransactionID: accepted.TransactionID, RoundID: "other", Kind: models.Bet, Bet: 5,
		State: models.Reversed}
	return op.SignedAs(&reversed) == accepted.UserID
}

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
