package store

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"

	"pitboss/models"
)

// The ledger's table, postings: one row for what one operation did to one wallet.
//
// Why it is laid out like this:
//
//   - One row, clustered by its number. Bets of all wallets arrive at the end of the table, so its pages are full.
//   - A rollback is a row of its own, which repeats what it takes back. So no row is ever changed, each row says by itself what it did to
//     the balance, and "rolled back" means that such a row exists.
//   - postings_key is what makes every retry safe: one row for each source, transaction ID and claim. The source comes first, so that the
//     IDs of another platform can stand beside those of the first. NULL, the claim of a rollback that came first, is equal to nothing,
//     so several players may have such a row of one ID: the lock of the wallet keeps each of them to one.
//   - postings_player gives a wallet's rows in the order of its chain, postings_round a round's, postings_class the few among the many.
//     InnoDB and SQLite end each index with the row's number, so each is also ordered by it. postings_at finds what is summed up by time:
//     rows arrive at its end too. Numbers follow times only roughly, since clocks differ and locks are waited for.
//   - What came again with other contents is in the callback log (callback_records), not here.

// postingColumns are the columns of postings but for its number, in the order in which scanPosting and writePosting go through them.
const postingColumns = "source, transaction_id, claim, player_id, seq, kind, round_id, bet_minor, win_minor, free_spin, after_minor, at_us, hash"

const selectPostings = "SELECT id, " + postingColumns + " FROM postings"

// writePosting writes the values of postingColumns.
func writePosting(q *statement, p *models.Posting) *statement {
	q.number(int64(p.Source)).comma().string(string(p.TransactionID)).comma()
	if p.Claim == models.ClaimNone {
		q.text("NULL")
	} else {
		q.number(int64(p.Claim))
	}
	return q.comma().number(p.PlayerID).comma().number(p.Seq).comma().number(int64(p.Kind)).comma().string(string(p.RoundID)).comma().
		number(int64(p.Bet)).comma().number(int64(p.Win)).comma().flag(p.FreeSpin).comma().number(int64(p.After)).comma().
		number(p.At.UnixMicro()).comma().hash(&p.Hash)
}

// selectOf names the columns of selectPostings where the table has an alias.
func selectOf(alias string) string {
	return alias + ".id, " + alias + "." + strings.ReplaceAll(postingColumns, ", ", ", "+alias+".")
}

// scanPosting reads a row of selectPostings, with more columns before it into first. What somebody else has written into it becomes a value
// that no rule knows.
func scanPosting(rows *sql.Rows, first ...any) (p models.Posting, err error) {
	var id, round string
	var source, kind, free, at int64
	var claim sql.NullInt64
	var hash sql.RawBytes
	err = rows.Scan(append(first, &p.ID, &source, &id, &claim, &p.PlayerID, &p.Seq, &kind, &round, (*int64)(&p.Bet), (*int64)(&p.Win), &free,
		(*int64)(&p.After), &at, &hash)...)
	p.Source, p.Kind, p.Claim = models.Source(storedKind(source)), models.OperationKind(storedKind(kind)), models.Claim(storedKind(claim.Int64))
	p.TransactionID, p.RoundID, p.FreeSpin, p.At, p.Hash = models.TransactionID(id), models.RoundID(round), free != 0, fromMicros(at), storedHash(hash)
	if free != 0 && free != 1 {
		p.Kind = models.OperationKind(storedKind(-1))
	}
	return p, err
}

// claimsIn begins the query of what a table, postings or retired_postings, knows of IDs of a source. Its rows are those that
// ledgerBatch.scan reads.
func claimsIn(q *statement, d dialect, table string, source models.Source) *statement {
	q.text("SELECT 0, player_id, transaction_id, COALESCE(claim, 0), kind, round_id, bet_minor, win_minor, free_spin, at_us FROM ").text(table)
	if table == "postings" {
		q.text(path{index: "postings_key"}.hint(d))
	}
	return q.text(" WHERE source = ").number(int64(source)).text(" AND ")
}

// selectClaims writes the query of everything that is known of some IDs of a source; retired says that what a purge has archived is among
// it.
func selectClaims(q *statement, d dialect, source models.Source, ids []string, retired bool) *statement {
	claimsIn(q, d, "postings", source).text("transaction_id IN (").strings(ids).text(")")
	if retired {
		claimsIn(q.text(" UNION ALL "), d, "retired_postings", source).text("transaction_id IN (").strings(ids).text(")")
	}
	return q
}

// readPostings runs a query that begins with selectPostings.
func (s *Store) readPostings(ctx context.Context, q *statement) (list []models.Posting, err error) {
	err = q.query(ctx, s.pools.read, func(rows *sql.Rows) error {
		p, err := scanPosting(rows)
		list = append(list, p)
		return err
	})
	return list, err
}

// standingOf sums up, for a row e of a query, what stands of its round: each posting of one of these kinds counts one, and its rollback takes
// it away again. A sum is looked up by the index for each row, where EXISTS may make MariaDB copy the whole table first.
func standingOf(d dialect, kinds ...models.OperationKind) string {
	return "(SELECT COALESCE(SUM(3 - 2 * b.claim), 0) FROM postings b" + path{index: "postings_round"}.hint(d) +
		" WHERE b.round_id = e.round_id AND b.player_id = e.player_id AND b.kind IN (" + kindList(kinds) + "))"
}

// appliedIn counts, for a row e of a query, the postings of one of these kinds that were applied in its round, rolled back since or not.
func appliedIn(d dialect, kinds ...models.OperationKind) string {
	return "(SELECT COUNT(*) FROM postings b" + path{index: "postings_round"}.hint(d) +
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
	areBets         = fmt.Sprintf("e.claim = 1 AND e.free_spin = 0 AND e.kind IN (%d, %d)", models.Bet, models.BetWin)
	areWins         = fmt.Sprintf("e.claim = 1 AND e.kind IN (%d, %d)", models.Win, models.BetWin)
	areBetsReversed = fmt.Sprintf("e.claim = 2 AND e.free_spin = 0 AND e.kind IN (%d, %d)", models.Bet, models.BetWin)
	areWinsReversed = fmt.Sprintf("e.claim = 2 AND e.kind IN (%d, %d)", models.Win, models.BetWin)
)

// effectSQL is what a posting e did to the balance.
const effectSQL = "CASE WHEN e.free_spin = 1 OR e.claim IS NULL THEN 0 WHEN e.claim = 2 THEN e.bet_minor - e.win_minor ELSE e.win_minor - e.bet_minor END"
