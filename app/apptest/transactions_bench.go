package apptest

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
)

// The size of the ledger that the benchmarks read.
const (
	BenchTransactions = 1_000_000
	BenchPlayers      = 1_000
)

// FillLedger writes transactions of a thousand players with their ledger lines, a millisecond apart: of ten, six are bets,
// three wins and one a free spin; one in five hundred is rolled back. A round has two transactions.
func FillLedger(b *testing.B, s *Site, url string, transactions int) {
	b.Helper()
	file := models.PlayerFile{}
	for i := range BenchPlayers {
		file.Players = append(file.Players,
			models.NewPlayer{UserID: models.UserID(fmt.Sprintf("player-%04d", i+1)), Currency: "EUR"})
		file.Lines = append(file.Lines, i)
	}
	_, err := s.Store.ImportPlayers(b.Context(), models.System, file, nil)
	require.NoError(b, err)
	db, err := sql.Open("mysql", strings.TrimPrefix(url, "mysql://"))
	require.NoError(b, err)
	defer db.Close()
	digits := "(SELECT 0 d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 " +
		"UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)"
	numbers := "SELECT ? + u.d + 10 * v.d + 100 * w.d + 1000 * x.d AS n FROM " +
		strings.Join([]string{digits + " u", digits + " v", digits + " w", digits + " x"}, " JOIN ") + " ORDER BY n"
	begun := time.Now().Add(-time.Duration(transactions) * time.Millisecond).UnixMicro()
	for from := 0; from < transactions; from += 10_000 {
		_, err := db.ExecContext(b.Context(),
			fmt.Sprintf(`INSERT INTO postings (source, transaction_id, claim, player_id, seq, kind, round_id, bet_minor,
				win_minor, free_spin, after_minor, at_us, hash)
			SELECT 1, MD5(n), 1, 1 + n DIV 2 MOD %[1]d, 2 + n DIV (2 * %[1]d) * 2 + n MOD 2, IF(n MOD 10 IN (1, 3, 5), 2, 1),
			SHA1(n DIV 2), IF(n MOD 10 IN (1, 3, 5), 0, 20 + n MOD 977), IF(n MOD 10 IN (1, 3, 5), n MOD 1543, 0),
				n MOD 10 = 9, 100000, %[2]d + n * 1000, UNHEX(SHA2(n, 256)) FROM (%[3]s) n`, BenchPlayers, begun, numbers),
			from)
		require.NoError(b, err)
		_, err = db.ExecContext(b.Context(),
			fmt.Sprintf(`INSERT INTO postings (source, transaction_id, claim, player_id, seq, kind, round_id, bet_minor,
				win_minor, free_spin, after_minor, at_us, hash)
			SELECT 1, MD5(n), 2, 1 + n DIV 2 MOD %[1]d, 2 + n DIV (2 * %[1]d) * 2 + n MOD 2, IF(n MOD 10 IN (1, 3, 5), 2, 1),
			SHA1(n DIV 2), IF(n MOD 10 IN (1, 3, 5), 0, 20 + n MOD 977), IF(n MOD 10 IN (1, 3, 5), n MOD 1543, 0),
				n MOD 10 = 9, 100000, %[2]d + n * 1000 + 500, UNHEX(SHA2(n, 256)) FROM (%[3]s) n WHERE n MOD 500 = 0`,
				BenchPlayers, begun, numbers), from)
		require.NoError(b, err)
	}
	_, err = db.ExecContext(b.Context(), "ANALYZE TABLE postings")
	require.NoError(b, err)
	_, err = db.ExecContext(b.Context(),
		fmt.Sprintf("UPDATE wallets SET seq = %d, spin_seq = 0, balance_minor = 100000", 1+transactions/BenchPlayers))
	require.NoError(b, err)
}
