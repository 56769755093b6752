package spins_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// TestGamesTyped looks for games by what people type, among more games than a page reads.
func TestGamesTyped(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		s := storetest.Open(t, store.Config{URL: url})
		offered := []models.OfferedGame{
			{GameID: "1", Name: "Ancient Bells"}, {GameID: "2", Name: "Twins"}, {GameID: "3", Name: "TWINS"},
			{GameID: "4", Name: "5"},
			{GameID: "Twin", Name: "Other"}, {GameID: "6", Name: " Größe "}, {GameID: "7"},
			{GameID: "8", Name: "Ancient Bells 2"},
			{GameID: "9", Name: "Gone"}, {GameID: "5", Name: "Last"},
		}
		for i := range 6000 {
			offered = append(offered, models.OfferedGame{GameID: models.GameID(fmt.Sprintf("a-%d", i)),
				Name: fmt.Sprintf("A %d", i)})
		}
		for n := range 2 { // the second time, game 9 is gone, and another game is named 9
			_, err := s.SyncGames(t.Context(), models.System, models.GameSync{At: time.Now()}, offered)
			require.NoError(t, err)
			offered[8] = models.OfferedGame{GameID: models.GameID(fmt.Sprint("9-", n)), Name: "9"}
		}
		var texts []string
		want := map[string]models.GameID{
			"ancient BELLS": "1", " Ancient Bells ": "1", "Ancient Bells 2": "8", "1": "1", "größe": "6", "GRÖSSE": "",
			"5": "5", "9": "9", "Twins": "", "twins": "", "Twin": "Twin", "Ancient": "", "": "", "gone": "", "last": "5",
			"a 5999": "a-5999", "%": "", "A": "",
		}
		for text, id := range want {
			if texts = append(texts, text); id == "" {
				delete(want, text)
			}
		}
		for i := range 250 { // several statements
			texts = append(texts, fmt.Sprint("nothing ", i))
		}
		found, err := s.GamesTyped(t.Context(), texts)
		require.NoError(t, err)
		require.Equal(t, want, found)
	})
}
