package db_test

import (
	"database/sql"
	"errors"
	"strings"
	"testing"

	mysqldriver "github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models/store/db"
)

// A packet ends at the first statement that fails: the statements before it can be rolled back, and COMMIT is not executed.
func TestPacketStopsAtAnError(t *testing.T) {
	for name, open := range map[string]func(*testing.T, string) *db.DB{"together": onServer, "each": onCluster} {
		t.Run(name, func(t *testing.T) {
			d := open(t, storetest.URL(t, storetest.MariaDB))
			require.Equal(t, name == "together", d.Together())
			ctx := t.Context()
			_, err := d.Pools.Write.ExecContext(ctx, "CREATE TABLE things (id INT PRIMARY KEY, name VARCHAR(20))")
			require.NoError(t, err)
			conn, err := d.Pools.Money.Conn(ctx)
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, conn.Close()) })
			send := func(packet *db.Packet, statements ...string) error {
				for _, s := range statements {
					packet.Add(s)
				}
				return packet.Send(ctx)
			}
			number := func() (n int) {
				require.NoError(t, d.Pools.Write.QueryRowContext(ctx, "SELECT COUNT(*) FROM things").Scan(&n))
				return n
			}
			require.NoError(t, send(&db.Packet{Tx: conn, Together: d.Together()}), "an empty packet")
			packet := &db.Packet{Tx: conn, Together: d.Together()}
			packet.Add("INSERT INTO things VALUES (?, ?)", int64(1), "one; COMMIT'")
			require.NoError(t, send(packet, "INSERT INTO things VALUES (2, '')", "COMMIT"))
			require.Equal(t, 2, number())
			var one string
			require.NoError(t, d.Pools.Write.QueryRowContext(ctx, "SELECT name FROM things WHERE id = 1").Scan(&one))
			require.Equal(t, "one; COMMIT'", one, "a bound value is never a statement")

			err = send(packet, "INSERT INTO things VALUES (3, '')", "INSERT INTO things VALUES (2, '')", "COMMIT")
			require.True(t, db.IsDuplicate(err), "%v", err)
			require.Equal(t, 2, number(), "not committed")
			require.NoError(t, send(packet, "ROLLBACK"))
			require.NoError(t, send(packet, "INSERT INTO things VALUES (4, '')", "COMMIT"))
			require.Equal(t, 3, number(), "the connection can be used again, and nothing of the failed packet is left")
		})
	}
}

// If a query of several fails, or is not sent, that is an error, and the connection can be used again.
func TestQueriesInOnePacket(t *testing.T) {
	d := onServer(t, storetest.URL(t, storetest.MariaDB))
	conn, err := d.Pools.Money.Conn(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, conn.Close()) })
	for _, row := range []struct{ text, err string }{
		{"SELECT 1 UNION SELECT 2", "fewer queries"},
		{"SELECT nothing; SELECT 10", "nothing"},
		{"SELECT seq, (SELECT seq FROM seq_1_to_9 s WHERE s.seq = b.seq OR b.seq = 2500 AND s.seq < 3) FROM seq_1_to_3000 b; " +
			"SELECT 10", "more than 1 row"}, // in the middle of its result
		{"SELECT 1 UNION SELECT 2; SELECT nothing", "nothing"},
		{"SELECT 1 UNION SELECT 2; SELECT 10", ""},
	} {
		var q db.Statement
		var first, second []string
		read := func(to *[]string) func(*sql.Rows) error {
			return func(rows *sql.Rows) error {
				columns, err := rows.Columns()
				values := make([]any, len(columns))
				var text string
				for i := range values {
					values[i] = new(any)
				}
				values[0] = &text
				err = errors.Join(err, rows.Scan(values...))
				*to = append(*to, text)
				return err
			}
		}
		err := q.Begin(row.text).Query(t.Context(), conn, read(&first), read(&second))
		if row.err != "" {
			require.ErrorContains(t, err, row.err, row.text)
			continue
		}
		require.NoError(t, err, row.text)
		require.Equal(t, []string{"1", "2"}, first)
		require.Equal(t, []string{"10"}, second)
	}
}

// Only connections for money accept several statements in one packet, whatever the URL says.
func TestOnlyMoneyTakesSeveralStatements(t *testing.T) {
	url := storetest.URL(t, storetest.MariaDB)
	config, err := mysqldriver.ParseDSN(strings.TrimPrefix(url, "mysql://"))
	require.NoError(t, err)
	config.MultiStatements = true
	d := onServer(t, "mysql://"+config.FormatDSN())
	const several = "SELECT 1; SELECT 2"
	for _, pool := range []*sql.DB{d.Pools.Write, d.Pools.Read} {
		_, err := pool.ExecContext(t.Context(), several)
		require.ErrorContains(t, err, "syntax")
	}
	_, err = d.Pools.Money.ExecContext(t.Context(), several)
	require.NoError(t, err)
}

// A text in GBK can swallow the backslash that escapes a quotation mark, so the connection's character set is UTF-8 whatever
// the URL says.
func TestCharacterSetIsUTF8(t *testing.T) {
	url := storetest.URL(t, storetest.MariaDB)
	for _, parameter := range []string{
		"charset=gbk", "charset=utf8mb4,gbk", "Character_Set_Client=gbk", "character_set_connection=gbk",
		"collation=latin1_swedish_ci", "Collation_connection=gbk_chinese_ci", "charset=utf8mb4&collation=utf8mb4_bin",
	} {
		d := onServer(t, url+"?"+parameter)
		for _, pool := range []*sql.DB{d.Pools.Write, d.Pools.Money} {
			var client, connection string
			require.NoError(t, pool.QueryRowContext(t.Context(), "SELECT @@character_set_client, @@character_set_connection").
				Scan(&client, &connection))
			require.Equal(t, []string{"utf8mb4", "utf8mb4"}, []string{client, connection}, parameter)
		}
	}
}

// onServer opens a database as an instance on a single server does.
func onServer(t *testing.T, url string) *db.DB {
	t.Helper()
	d, err := db.Open(t.Context(), db.Config{URL: url})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	return d
}
