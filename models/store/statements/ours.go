package statements

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/players"
)

// What a comparison reads from our ledger.

var (
	selectOurs = "SELECT " + players.TransactionColumns + ", " + movedBy + " AS place FROM postings t"
	// movedBy is the posting that moved the money: the one that paid a cash-out.
	movedBy = fmt.Sprintf("CASE WHEN v.kind = %d THEN v.id ELSE t.id END", models.CashPaid)
)

// sourceOf returns who assigned the IDs of a statement.
func sourceOf(client int64) models.Source {
	if client != 0 {
		return models.SourceClient
	}
	return models.SourcePlatform
}

// OurTransactions returns our transactions with these TransactionIDs of the platform or, unless client is 0, of an API client's
// cash, by ID. Those of our own, such as adjustments, are not among them. Rollbacks and wins that were booked by hand are.
//
// The query names its index on MySQL. For a long list of IDs, its optimizer trusts statistics that may be old, and reads the
// whole table.
func (s *Store) OurTransactions(ctx context.Context, client int64,
	ids []models.TransactionID) (map[models.TransactionID]*models.TransactionLine, error) {
	found := make(map[models.TransactionID]*models.TransactionLine, len(ids))
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = string(id)
	}
	hint := ""
	if s.db.Dialect == db.MySQL {
		hint = " FORCE INDEX (postings_key)"
	}
	lines, err := db.All[models.TransactionLine](s.db.Read.WithContext(ctx),
		selectOurs+hint+players.RolledBack+" WHERE t.source = ? AND t.transaction_id IN ? AND t.claim = 1",
		sourceOf(client), names)
	if err != nil {
		return nil, err
	}
	if err := s.WhoPlayed(ctx, lines); err != nil {
		return nil, err
	}
	for i := range lines {
		found[lines[i].TransactionID] = &lines[i]
	}
	return found, nil
}

// Bounced returns the numbers of the postings which book that cash-outs bounced before a time, by the IDs of the cash-outs.
func (s *Store) Bounced(ctx context.Context, cashOuts []models.TransactionID,
	until time.Time) (map[models.TransactionID]int64, error) {
	of := map[models.TransactionID]models.TransactionID{}
	for _, id := range cashOuts {
		of[models.BouncedID(id)] = id
	}
	type row struct {
		ID            int64
		TransactionID models.TransactionID
	}
	rows, err := db.All[row](s.db.Read.WithContext(ctx),
		"SELECT id, transaction_id FROM postings WHERE source = ? AND transaction_id IN ? AND claim = 1 AND at_us < ?",
		models.SourceClient, slices.Collect(maps.Keys(of)), db.Micros(until))
	found := map[models.TransactionID]int64{}
	for _, r := range rows {
		found[of[r.TransactionID]] = r.ID
	}
	return found, err
}

// TransactionNumbers returns a range of internal IDs that contains all transactions of a period, and possibly others: the first
// ID, and the one after the last.
func (s *Store) TransactionNumbers(ctx context.Context, since, until time.Time) (low, high int64, err error) {
	if low, err = s.db.NumberAt(ctx, "postings", since.Add(-db.Apart)); err == nil {
		high, err = s.db.NumberAt(ctx, "postings", until.Add(db.Apart))
	}
	return low, high, err
}

// OurTransactionsFrom lists the transactions of the platform, or the deposits and paid cash-outs of an API client, that
// postings with internal IDs from low until before high have moved, in the order of Place, up to limit.
func (s *Store) OurTransactionsFrom(ctx context.Context, client, low, high int64, limit int) ([]models.TransactionLine, error) {
	hint := " NOT INDEXED"
	if s.db.Dialect == db.MySQL {
		hint = " FORCE INDEX (PRIMARY)"
	}
	var list []models.TransactionLine
	q := s.db.Read.WithContext(ctx).Raw(selectOurs+hint+players.RolledBack+
		" WHERE t.id >= ? AND t.id < ? AND t.source = ? AND t.claim = 1 ORDER BY t.id LIMIT ?", low, high, models.SourcePlatform, limit)
	if client != 0 {
		q = s.db.Read.WithContext(ctx).Raw("SELECT "+players.TransactionColumns+", a.id AS place FROM postings a"+hint+
			" JOIN postings t ON t.source = a.source AND t.transaction_id = a.transaction_id AND t.claim = 1"+players.RolledBack+
			` WHERE a.id >= ? AND a.id < ? AND a.source = ? AND a.transaction_id LIKE ? AND a.kind IN ? ORDER BY a.id LIMIT ?`,
			low, high, models.SourceClient, fmt.Sprintf("%%@%d", client),
			[]models.OperationKind{models.CashIn, models.CashPaid, models.CashBounced}, limit)
	}
	err := q.Scan(&list).Error
	return list, err
}

// WhoPlayed fills in the user ID and currency of each transaction.
func (s *Store) WhoPlayed(ctx context.Context, lines []models.TransactionLine) error {
	var ids []int64
	for _, l := range lines {
		ids = append(ids, l.PlayerID)
	}
	slices.Sort(ids)
	by, err := players.ByNumber(s.db.Read.WithContext(ctx), slices.Compact(ids))
	for i := range lines {
		p := by[lines[i].PlayerID]
		lines[i].UserID, lines[i].Currency = p.UserID, p.Wallet.Currency
	}
	return err
}

// PlayersNamed returns players by their user IDs. Unknown players are left out.
func (s *Store) PlayersNamed(ctx context.Context, users []models.UserID) (map[models.UserID]models.Player, error) {
	rows, err := db.All[models.Player](s.db.Read.WithContext(ctx), players.SelectPlayers+" WHERE p.user_id IN ?", users)
	found := map[models.UserID]models.Player{}
	for _, p := range rows {
		found[p.UserID] = p
	}
	return found, err
}

// LeftAtEdges returns which of these transactions of ours a finished run over a neighboring statement has also left out as near
// an edge. A neighboring statement's period ends before st's begins, or begins after it ends. A transaction that both neighbors
// leave out is in neither file. Another file of the same period says nothing about its edges.
func (s *Store) LeftAtEdges(ctx context.Context, st models.Statement, numbers []int64) (map[int64]bool, error) {
	if len(numbers) == 0 {
		return nil, nil
	}
	left, err := db.All[int64](s.db.Read.WithContext(ctx), `SELECT d.our_number FROM statement_differences d
		JOIN statement_runs r ON r.id = d.run_id JOIN statements o ON o.id = r.statement_id
		WHERE d.our_number IN ? AND d.edge = 1 AND r.state = ? AND (o.until_us <= ? OR o.since_us >= ?)
		AND r.id = (SELECT MAX(n.id) FROM statement_runs n WHERE n.statement_id = r.statement_id AND n.state = ?)`,
		numbers, models.JobFinished, db.Micros(st.Since), db.Micros(st.Until), models.JobFinished)
	if err != nil {
		return nil, err
	}
	found := map[int64]bool{}
	for _, n := range left {
		found[n] = true
	}
	return found, nil
}
