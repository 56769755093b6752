package app_test

import (
	"database/sql"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// BenchmarkLists opens lists over a million rows on MariaDB, or over PITBOSS_BENCH_ROWS: bets and wins of ten thousand players
// in thirty days, one in a hundred rolled back, each with its callback; a tenth as many audit events and refused callbacks. It
// prints the median of the times to the first byte.
func BenchmarkLists(b *testing.B) {
	rows := 1_000_000
	if text := os.Getenv("PITBOSS_BENCH_ROWS"); text != "" {
		var err error
		rows, err = strconv.Atoi(text)
		require.NoError(b, err)
	}
	address := storetest.URL(b, storetest.MariaDB)
	s := apptest.NewSite(b, address)
	const players = 10_000
	file := models.PlayerFile{}
	for i := range players {
		file.Players = append(file.Players, models.NewPlayer{UserID: models.UserID(fmt.Sprintf("player-%05d", i+1)), Currency: "EUR", Balance: 100_000})
		file.Lines = append(file.Lines, i)
	}
	_, err := s.Store.ImportPlayers(b.Context(), models.System, file, nil)
	require.NoError(b, err)
	// Without these rows in the sums of days: BenchmarkReports has those.
	fillLists(b, storetest.OpenURL(b, address), rows, players)
	ben := s.SignedIn("ben", models.Support)
	chloe := s.SignedIn("chloe", models.Compliance)
	yesterday := string(models.DayOf(s.Now().Add(-24*time.Hour), time.UTC))
	for _, list := range []struct {
		who   *apptest.Browser
		paths []string
	}{
		{ben, []string{"/transactions", "/rounds", "/callbacks", "/players", "/sessions", "/cases", "/free-spins", "/games"}},
		{ben, []string{"/transactions?order=oldest", "/transactions?order=amount", "/transactions?kind=bet", "/transactions?state=rolled-back",
			"/transactions?bet-from=99", "/transactions?win-from=99", "/transactions?days=last-7-days", "/transactions?player=player-00077",
			"/transactions?from=" + yesterday + "&about=14:10", "/transactions?id=bet-000000000000000000000776"}},
		{ben, []string{"/rounds?order=oldest", "/rounds?state=pending", "/rounds?player=player-00077", "/rounds?from=" + yesterday + "&about=14:10",
			"/callbacks?result=refused", "/callbacks?player=player-00077", "/callbacks?order=oldest"}},
		{ben, []string{"/players/77", "/players/77/transactions", "/players/77/rounds", "/players/77/callbacks", "/players/77/ledger",
			"/players/77/ledger?order=amount", "/search?q=player-0007", "/search?q=bet-0000000000000000000007"}},
		{chloe, []string{"/audit", "/audit?order=oldest", "/audit?who=ben", "/audit?what=player.blocked", "/restrictions", "/corrections?state=all"}},
	} {
		for _, path := range list.paths {
			b.Run(path, func(b *testing.B) {
				var times []time.Duration
				for range 15 {
					began := time.Now()
					response, err := list.who.Client.Do(list.who.Request(http.MethodGet, path, nil))
					require.NoError(b, err)
					times = append(times, time.Since(began))
					response.Body.Close()
					require.Equal(b, http.StatusOK, response.StatusCode)
				}
				require.NotContains(b, list.who.Get(path).Text(), "Invalid filter")
				slices.Sort(times)
				b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "ms/first-byte")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// fillLists writes rows as if they had been played. Their hashes are not those of a chain: no list looks at them.
func fillLists(b *testing.B, db *sql.DB, rows, players int) {
	b.Helper()
	const month = 30 * 24 * time.Hour
	begin, step := time.Now().Add(-month).UnixMicro(), month.Microseconds()/int64(rows)
	const slice = 250_000
	for from := 1; from <= rows; from += slice {
		values := strings.NewReplacer("{seq}", fmt.Sprintf("seq_%d_to_%d", from, min(from+slice-1, rows)),
			"{at}", fmt.Sprintf("(%d + seq * %d)", begin, step), "{player}", fmt.Sprintf("(1 + seq DIV 2 MOD %d)", players),
			"{line}", fmt.Sprintf("(2 + seq DIV %d * 2 + seq MOD 2)", 2*players))
		for _, statement := range []string{
			`INSERT INTO postings (source, transaction_id, claim, player_id, seq, kind, round_id, bet_minor, win_minor, free_spin, after_minor,
				at_us, hash, request, received_us, address) SELECT 1, CONCAT(IF(seq MOD 2 = 0, 'bet-', 'win-'), LPAD(seq, 24, '0')), 1, {player}, {line}, 1 + seq MOD 2,
				CONCAT('round-', LPAD(seq DIV 2, 22, '0')), IF(seq MOD 2 = 0, 10 * (1 + seq MOD 997), 0),
				IF(seq MOD 2 = 0, 0, 10 * (seq MOD 1009)), 0, 100000, {at}, REPEAT('h', 32), seq, {at} - 900, UNHEX('7F000001') FROM {seq}`,
			`INSERT INTO postings (source, transaction_id, claim, player_id, seq, kind, round_id, bet_minor, win_minor, free_spin, after_minor,
				at_us, hash, request, received_us, address) SELECT 1, CONCAT('bet-', LPAD(seq, 24, '0')), 2, {player}, {line} + 1, 1,
				CONCAT('round-', LPAD(seq DIV 2, 22, '0')), 10 * (1 + seq MOD 997), 0, 0, 100000, {at} + 1, REPEAT('h', 32), seq, {at} - 900, UNHEX('7F000001') FROM {seq} WHERE seq MOD 200 = 0`,
			`INSERT INTO callback_records (at_us, request, received_us, kind, verdict, address, user_id, transaction_id, round_id, amount,
				win_amount, free_spin, cause, left_out, player_id, seq, result, status, balance_minor)
				SELECT {at} + 1, seq, {at} - 900, 1, 5 + seq MOD 3, UNHEX('7F000001'), CONCAT('player-', LPAD({player}, 5, '0')),
				CONCAT('bet-', LPAD(seq, 24, '9')), 'round-none', '3.00', '', 0, '', 0, {player}, 0, 6, 200, 100 FROM {seq}
				WHERE seq MOD 10 = 0`,
			`INSERT INTO audit_events (at_us, actor, address, session, action, object, object_id, before_text, after_text, reason)
				SELECT {at}, IF(seq MOD 3 = 0, 'ben', 'system'), '127.0.0.1', '', IF(seq MOD 1000 = 0, 'player.blocked', 'player.viewed'), 'player',
				{player}, '', '', '' FROM {seq} WHERE seq MOD 10 = 0`,
		} {
			_, err := db.ExecContext(b.Context(), values.Replace(statement))
			require.NoError(b, err)
		}
	}
	_, err := db.ExecContext(b.Context(), "UPDATE audit_head SET seq = (SELECT MAX(id) FROM audit_events)")
	require.NoError(b, err)
	_, err = db.ExecContext(b.Context(), "ANALYZE TABLE postings, callback_records, audit_events")
	require.NoError(b, err)
}
