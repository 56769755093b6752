package players_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

func searchPlayers(t *testing.T, s *store.Store, text string, limit int) models.Found[models.Player] {
	t.Helper()
	found, err := s.SearchPlayers(t.Context(), text, limit)
	require.NoError(t, err)
	return found
}

func names(found models.Found[models.Player]) (list []string) {
	for _, p := range found.Rows {
		list = append(list, string(p.UserID))
	}
	return list
}

func TestSearchPlayers(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		for _, user := range []models.UserID{
			"gabriela", "Anna", "hannah", "anna-anna", "ANNA", "олександр.Шевченко", "100%", "a_b", "acb",
			"luiza-fernandes-de-albuquerque-e-castro-1987",
			"luiza-fernandes-de-albuquerque-e-castro-1988", "0d9f2c61-55aa-4ccb-9d55-0a3b5f6e7d8c", "quote'\"\\",
			"日本語プレイヤー一二三四五", "a…z", "xx*?[]!", "chloéo",
		} {
			storetest.CreatePlayer(t, s, user, 0)
		}
		for text, want := range map[string][]string{
			"abri": {"gabriela"}, "Anna": {"Anna", "ANNA", "anna-anna", "hannah"},
			"ANNA": {"ANNA", "Anna", "anna-anna", "hannah"}, "anna": {"ANNA", "Anna", "anna-anna", "hannah"},
			"шевч": {"олександр.Шевченко"}, "ШЕВЧЕНКО": {"олександр.Шевченко"}, "00%": {"100%"}, "%": nil, "_": nil, "a_b": {"a_b"}, "nna": {"ANNA", "Anna", "anna-anna", "hannah"}, "nn": nil,
			"100": {"100%"}, "10": {"100%"}, "xx*": {"xx*?[]!"}, "x*?[]!": {"xx*?[]!"}, "OÉO": {"chloéo"}, "leo": nil, "ILO": nil,
			"ln": nil, "o…o": nil, "ch…o": {"chloéo"},
			"nobody": nil, "": nil, "…": nil, "a\x00": nil, "\xff": nil,
			"albuquerque-e-castro": {"luiza-fernandes-de-albuquerque-e-castro-1987",
				"luiza-fernandes-de-albuquerque-e-castro-1988"},
			"ALBUQUERQUE-E-CASTRO-1988": {"luiza-fernandes-de-albuquerque-e-castro-1988"}, "albuquerque-x-castro": nil,
			"0d9f2c…7d8c": {"0d9f2c61-55aa-4ccb-9d55-0a3b5f6e7d8c"}, "0D9F2C...7D8C": {"0d9f2c61-55aa-4ccb-9d55-0a3b5f6e7d8c"},
			"0d9f2c…7d8d": nil, "luiza-…1987": {"luiza-fernandes-de-albuquerque-e-castro-1987"},
			"…castro-1988": {"luiza-fernandes-de-albuquerque-e-castro-1988"}, "4ccb": {"0d9f2c61-55aa-4ccb-9d55-0a3b5f6e7d8c"},
			"'\"\\": {"quote'\"\\"}, "イヤー一二": {"日本語プレイヤー一二三四五"},
			"日本語プレイヤー一二三四五": {"日本語プレイヤー一二三四五"}, "a…z": {"a…z"},
		} {
			found := searchPlayers(t, s, text, 10)
			require.Equal(t, want, names(found), text)
			require.False(t, found.More, text)
		}
	})
}

// TestSearchOfManyPlayers: exact matches, then IDs that begin with the text, come first, even if there are more matches than
// are counted.
func TestSearchOfManyPlayers(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		storetest.ImportPlayers(t, s, "a-player-", 2300)
		storetest.CreatePlayer(t, s, "player", 0)
		storetest.CreatePlayer(t, s, "Player-0", 0)
		found := searchPlayers(t, s, "player", 3)
		require.Equal(t, []string{"player", "Player-0", "a-player-0"}, names(found))
		require.True(t, found.More)
		found = searchPlayers(t, s, "a-player-229", 3)
		require.Equal(t, []string{"a-player-229", "a-player-2290", "a-player-2291"}, names(found))
		require.True(t, found.More)
		require.Equal(t, []string{"a-player-2299"}, names(searchPlayers(t, s, "A-PLAYER-2299", 3)))
		require.Equal(t, []string{"a-player-2299"}, names(searchPlayers(t, s, "a-play…2299", 3)),
			"all share the beginning, few the end")
	})
}

// TestAttackFindErasedName looks for an erased player by every part of the former name.
func TestAttackFindErasedName(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		storetest.CreatePlayer(t, s, "gabriela-fernandes", 0)
		storetest.CreatePlayer(t, s, "other", 0)
		require.Equal(t, models.InsufficientFunds,
			storetest.Apply(t, s, storetest.Bet("gabriela-fernandes", "dear", 100)).Decline)
		require.Equal(t, []string{"gabriela-fernandes"}, names(searchPlayers(t, s, "abri", 5)))
		storetest.Restrict(t, s, "gabriela-fernandes")
		e, err := s.ErasePlayer(t.Context(), storetest.Keeper, "gabriela-fernandes", "asked to")
		require.NoError(t, err)
		for from := range "gabriela-fernandes" {
			if part := "gabriela-fernandes"[from:]; !strings.Contains(string(e.Player.UserID), part) {
				require.NotContains(t, names(searchPlayers(t, s, part, 10)), string(e.Player.UserID), "by %q", part)
			}
		}
		require.Empty(t, searchPlayers(t, s, "gabriela", 5).Rows)
		require.Equal(t, []string{string(e.Player.UserID)}, names(searchPlayers(t, s, string(e.Player.UserID), 5)),
			"the new name is found")
		refused, err := s.SearchRefused(t.Context(), "dear", 5)
		require.NoError(t, err)
		require.Empty(t, refused.Rows)
	})
}

func TestSearchRefused(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		storetest.CreatePlayer(t, s, "anna", 57500)
		for _, id := range []models.TransactionID{"ada7af00112233a32c", "ada7af00112244a32d", "ada7af00112244a32d"} {
			r, _ := storetest.Called(t, s, storetest.Bet("anna", id, 100000))
			require.Equal(t, models.InsufficientFunds, r.Decline)
		}
		for _, want := range []models.Decline{models.None, models.Duplicate} {
			r, _ := storetest.Called(t, s, storetest.Bet("anna", "fine", 100))
			require.Equal(t, want, r.Decline)
		}
		for text, want := range map[string][]models.TransactionID{
			"ada7af00112233a32c": {"ada7af00112233a32c"}, "ada7": {"ada7af00112233a32c", "ada7af00112244a32d"},
			"ada7af…a32c": {"ada7af00112233a32c"}, "ADA7AF...A32D": {"ada7af00112244a32d"},
			"fine": nil, "ada8": nil, "": nil,
		} {
			found, err := s.SearchRefused(t.Context(), text, 5)
			require.NoError(t, err)
			var ids []models.TransactionID
			for _, c := range found.Rows {
				ids = append(ids, c.TransactionID)
				require.EqualValues(t, 57500, *c.Had, "the balance at that moment is kept with the refusal")
			}
			require.Equal(t, want, ids, text)
			require.False(t, found.More)
		}
		many, err := s.SearchTransactions(t.Context(), strings.Repeat("x", 300), 5)
		require.NoError(t, err)
		require.Empty(t, many.Rows)
	})
}
