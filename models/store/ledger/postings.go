package ledger

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"strconv"
	"strings"

	"pitboss/models"
	"pitboss/models/store/db"
)

// The ledger's table, postings: one row for what one operation did to one wallet.
//
// Why it is laid out like this:
//
//   - One row, clustered by its number. Bets of all wallets arrive at the end of the table, so its pages are full.
//   - A rollback is a row of its own, which repeats what it takes back. So no row is ever changed, each row says by itself what
//     it did to the balance, and "rolled back" means that such a row exists.
//   - postings_key is what makes every retry safe: one row for each source, transaction ID and claim. The source comes first,
//     so that the IDs of another platform can stand beside those of the first. NULL, the claim of a rollback that came first,
//     is equal to nothing, so several players may have such a row of one ID: the lock of the wallet keeps each of them to one.
//   - postings_player gives a wallet's rows in the order of its chain, postings_round a round's, postings_class the few among
//     the many. InnoDB and SQLite end each index with the row's number, so each is also ordered by it. postings_at finds what
//     is summed up by time: rows arrive at its end too. Numbers follow times only roughly, since clocks differ and locks are
//     waited for.
//   - What came again with other contents is in the callback log (callback_records), not here.
//
// Where the bytes of a bet are on MariaDB, with IDs of 30 characters: 185 in the row, of which its IDs take 62 and its hash 32;
// 73 in postings_key, 66 in postings_round and 30 in postings_player, whose pages are two thirds full, since their entries
// arrive in random order; 25 in postings_at, 19 in postings_class; 34 in the callback log. InnoDB keeps another tenth in
// reserve. What was considered and left:
//
//   - A hash of the ID in postings_round, or a prefix, saves 40. But staff look for rounds by the beginning of their ID, so the
//     index has to be in the order of IDs, and IDs of some platforms have long beginnings in common.
//   - A hash of the ID in postings_key saves nothing, since it has to be in the row too.
//   - postings_at would be saved by looking for times by number. An instance whose clock is wrong by more than db.Apart would
//     then book what no sum and no check finds.

// postingColumns are the columns of postings but for its number, in the order in which ScanPosting and writePosting go through
// them.
const postingColumns = "source, transaction_id, claim, player_id, seq, kind, round_id, bet_minor, win_minor, free_spin, " +
	"after_minor, at_us, hash"

// SelectPostings selects what ScanPosting reads.
const SelectPostings = "SELECT id, " + postingColumns + " FROM postings"

// writePosting writes the values of postingColumns.
func writePosting(q *db.Statement, p *models.Posting) *db.Statement {
	q.Number(int64(p.Source)).Comma().String(string(p.TransactionID)).Comma()
	if p.Claim == models.ClaimNone {
		q.Text("NULL")
	} else {
		q.Number(int64(p.Claim))
	}
	return q.Comma().Number(p.PlayerID).Comma().Number(p.Seq).Comma().Number(int64(p.Kind)).Comma().String(string(p.RoundID)).
		Comma().
		Number(int64(p.Bet)).Comma().Number(int64(p.Win)).Comma().Flag(p.FreeSpin).Comma().Number(int64(p.After)).Comma().
		Number(p.At.UnixMicro()).Comma().Hash(&p.Hash)
}

// SelectOf names the columns of SelectPostings where the table has an alias.
func SelectOf(alias string) string {
	return alias + ".id, " + alias + "." + strings.ReplaceAll(postingColumns, ", ", ", "+alias+".")
}

// ScanPosting reads a row of SelectPostings, with more columns before it into first. What somebody else has written into it
// becomes a value that no rule knows.
func ScanPosting(rows *sql.Rows, first ...any) (p models.Posting, err error) {
	var id, round string
	var source, kind, free, at int64
	var claim sql.NullInt64
	var hash sql.RawBytes
	err = rows.Scan(append(first, &p.ID, &source, &id, &claim, &p.PlayerID, &p.Seq, &kind, &round, (*int64)(&p.Bet),
		(*int64)(&p.Win), &free,
		(*int64)(&p.After), &at, &hash)...)
	p.Source, p.Kind, p.Claim = models.Source(StoredKind(source)), models.OperationKind(StoredKind(kind)),
		models.Claim(StoredKind(claim.Int64))
	p.TransactionID, p.RoundID, p.FreeSpin, p.At, p.Hash = models.TransactionID(id), models.RoundID(round), free != 0,
		db.FromMicros(at), db.StoredHash(hash)
	if free != 0 && free != 1 {
		p.Kind = models.OperationKind(StoredKind(-1))
	}
	return p, err
}

// claimsIn begins the query of what a table, postings or retired_postings, knows of IDs of a source. Its rows are those that
// ledgerBatch.scan reads.
func claimsIn(q *db.Statement, d db.Dialect, table string, source models.Source) *db.Statement {
	q.Text("SELECT 0, player_id, transaction_id, COALESCE(claim, 0), kind, round_id, bet_minor, win_minor, free_spin, at_us " +
		"FROM ").Text(table)
	if table == "postings" {
		q.Text(db.Path{Index: "postings_key"}.Hint(d))
	}
	return q.Text(" WHERE source = ").Number(int64(source)).Text(" AND ")
}

// selectClaims writes the query of everything that is known of some IDs of a source; retired says that what a purge has
// archived is among it.
func selectClaims(q *db.Statement, d db.Dialect, source models.Source, ids []string, retired bool) *db.Statement {
	claimsIn(q, d, "postings", source).Text("transaction_id IN (").Strings(ids).Text(")")
	if retired {
		claimsIn(q.Text(" UNION ALL "), d, "retired_postings", source).Text("transaction_id IN (").Strings(ids).Text(")")
	}
	return q
}

// ReadPostings runs a query that begins with SelectPostings.
func (s *Store) ReadPostings(ctx context.Context, q *db.Statement) (list []models.Posting, err error) {
	err = q.Query(ctx, s.db.Reads, func(rows *sql.Rows) error {
		p, err := ScanPosting(rows)
		list = append(list, p)
		return err
	})
	return list, err
}

// StandingOf sums up, for a row e of a query, what stands of its round: each posting of one of these kinds counts one, and its
// rollback takes it away again. A sum is looked up by the index for each row, where EXISTS may make MariaDB copy the whole
// table first.
func StandingOf(d db.Dialect, kinds ...models.OperationKind) string {
	return "(SELECT COALESCE(SUM(3 - 2 * b.claim), 0) FROM postings b" + db.Path{Index: "postings_round"}.Hint(d) +
		" WHERE b.round_id = e.round_id AND b.player_id = e.player_id AND b.kind IN (" + kindList(kinds) + "))"
}

// AppliedIn counts, for a row e of a query, the postings of one of these kinds that were applied in its round, rolled back
// since or not.
func AppliedIn(d db.Dialect, kinds ...models.OperationKind) string {
	return "(SELECT COUNT(*) FROM postings b" + db.Path{Index: "postings_round"}.Hint(d) +
		" WHERE b.round_id = e.round_id AND b.player_id = e.player_id AND b.claim = 1 AND b.kind IN (" + kindList(kinds) + "))"
}

func kindList(kinds []models.OperationKind) string {
	list := make([]string, len(kinds))
	for i, k := range kinds {
		list[i] = strconv.Itoa(int(k))
	}
	return strings.Join(list, ", ")
}

// Conditions of postings e by what their lines are (models.Posting.Entries).
var (
	AreBets         = fmt.Sprintf("e.claim = 1 AND e.free_spin = 0 AND e.kind IN (%d, %d)", models.Bet, models.BetWin)
	AreWins         = fmt.Sprintf("e.claim = 1 AND e.kind IN (%d, %d)", models.Win, models.BetWin)
	AreBetsReversed = fmt.Sprintf("e.claim = 2 AND e.free_spin = 0 AND e.kind IN (%d, %d)", models.Bet, models.BetWin)
	AreWinsReversed = fmt.Sprintf("e.claim = 2 AND e.kind IN (%d, %d)", models.Win, models.BetWin)
)

// EffectSQL is what a posting e did to the balance.
const EffectSQL = "CASE WHEN e.free_spin = 1 OR e.claim IS NULL THEN 0 WHEN e.claim = 2 THEN e.bet_minor - e.win_minor ELSE " +
	"e.win_minor - e.bet_minor END"

// What stands in a row may be anything that the column takes. A number that is none of ours becomes one that no rule knows, a
// hash of another length one that no line has.

// StoredKind is a kind, source or state as it stands in a row.
func StoredKind(n int64) uint8 {
	if n < 0 || n > math.MaxUint8 {
		return math.MaxUint8
	}
	return uint8(n)
}
