package ledger_test

import (
	"context"
	"database/sql"
	"fmt"
	"testing"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/ledger"
	"pitboss/models/store/players"
	"pitboss/models/store/storetest/mariadb"
)

// BenchmarkAttempt settles batches of N bets of N players in one transaction, as a committer does.
func BenchmarkAttempt(b *testing.B) {
	server, err := mariadb.Start(b.TempDir() + "/mariadb")
	if err != nil {
		b.Fatal(err)
	}
	defer server.Stop()
	admin, err := sql.Open("mysql", server.DSN(""))
	if err != nil {
		b.Fatal(err)
	}
	defer admin.Close()
	if _, err := admin.Exec("CREATE DATABASE bench"); err != nil {
		b.Fatal(err)
	}
	for engine, url := range map[string]string{"sqlite": "sqlite://" + b.TempDir() + "/b.db",
		"mariadb": "mysql://" + server.DSN("bench")} {
		ctx := context.Background()
		d, err := db.Open(ctx, db.Config{URL: url, LedgerKey: []byte("ledger key of the benchmark")})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := d.Migrate(ctx); err != nil {
			b.Fatal(err)
		}
		s := ledger.New(d, false)
		var file models.PlayerFile
		for i := range 512 {
			file.Players = append(file.Players,
				models.NewPlayer{UserID: models.UserID(fmt.Sprint(i)), Currency: "EUR", Balance: 1 << 40})
			file.Lines = append(file.Lines, i)
		}
		if _, err := players.New(d, s).ImportPlayers(ctx, models.System, file, nil); err != nil {
			b.Fatal(err)
		}
		n := 0
		for _, size := range []int{1, 16, 64, 256} {
			b.Run(fmt.Sprintf("%s/%d", engine, size), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					bets := make([]ledger.Bet, size)
					for i := range bets {
						n++
						user, id, round := fmt.Sprint(i), fmt.Sprintf("bench-transaction-%09d", n),
							fmt.Sprintf("bench-round-%09d", n)
						bets[i] = ledger.Bet{Player: int64(i + 1), Operation: models.Operation{
							Source: models.SourcePlatform, Kind: models.Bet, UserID: models.UserID(user), Bet: 100,
							TransactionID: models.TransactionID(id),
							RoundID:       models.RoundID(round), Signed: user + "1.00" + id + round,
						}}
					}
					if err := s.AttemptBets(ctx, bets); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*size), "µs/op")
			})
		}
		s.Close()
		d.Close()
	}
}
