package players_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store/storetest"
)

// BenchmarkSearchPlayersGrowth searches a million players: half of them numbered, so that all share most of their letters, half
// with IDs like UUIDs. It reports the time of one search.
func BenchmarkSearchPlayersGrowth(b *testing.B) { searchMany(b, 1_000_000) }

// BenchmarkSearchPlayers does the same with twenty thousand.
func BenchmarkSearchPlayers(b *testing.B) { searchMany(b, 20_000) }

func searchMany(b *testing.B, players int) {
	for _, engine := range []string{storetest.SQLite, storetest.MariaDB} {
		b.Run(engine, func(b *testing.B) {
			x := storetest.NewDatabase(b, engine, true)
			s := x.Open(b)
			const atOnce = 20_000
			for from := 0; from < players; from += atOnce {
				file := models.PlayerFile{}
				for i := from; i < from+atOnce; i++ {
					user := fmt.Sprintf("player-%07d", i)
					if i%2 == 1 {
						h := uint64(i) * 0x9e3779b97f4a7c15
						user = fmt.Sprintf("%08x-%04x-4%03x-%012x", h>>32, h>>16&0xffff, h&0xfff, h*0xbf58476d1ce4e5b9>>16)
					}
					file.Players, file.Lines = append(file.Players,
						models.NewPlayer{UserID: models.UserID(user), Currency: "EUR"}), append(file.Lines, i)
				}
				_, err := s.ImportPlayers(b.Context(), storetest.Tester, file, nil)
				require.NoError(b, err)
			}
			h := uint64(players/2+1) * 0x9e3779b97f4a7c15
			for name, text := range map[string]string{
				"one letter, in every second ID": "p", "in half of all IDs": "LAYER",
				"in a few IDs": fmt.Sprintf("%04x-4", h>>16&0xffff), "end of an ID": fmt.Sprintf("%05d", players/2),
				"whole ID": fmt.Sprintf("PLAYER-%07d", players/2), "in none": "gabriela",
				"short form": fmt.Sprintf("player…%04d", players/2%10000),
			} {
				b.Run(name, func(b *testing.B) {
					for b.Loop() {
						_, err := s.SearchPlayers(b.Context(), text, 20)
						require.NoError(b, err)
					}
					b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N), "ms/search")
				})
			}
		})
	}
}
