package players

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/ledger"
)

// Transaction lists stay fast at any ledger size: every page is one short index scan.
//
// A transaction is the posting that applied it. It is rolled back if another posting rolled it back. Lists are in the order of
// the postings' numbers, which is the order of booking: a number is assigned while the wallet is locked, within milliseconds of
// the stored time. With ByRollback, lists are in the order of rollbacks. A time is converted to a number by bisection
// (db.NumberAt).
//
// A filter with an index is a path: claim, kind and free spin together (a page is merged from the few combinations that exist),
// player, round, or ID. Other filters are applied along the path to a limited number of rows; the page says where it stopped.

// RolledBack joins the posting v that rolled the transaction t back, or ended a cash-out.
const RolledBack = " LEFT JOIN postings v ON v.source = t.source AND v.transaction_id = t.transaction_id AND v.claim = 2"

// TransactionColumns are the columns of a models.TransactionLine that come from a posting t, which applied a transaction, and
// its rollback v.
var TransactionColumns = fmt.Sprintf(`t.id, t.source, t.transaction_id, t.player_id, t.kind, t.round_id, t.bet_minor,
	t.win_minor, t.free_spin, CASE WHEN t.free_spin = 0 THEN t.after_minor END AS after_minor, t.at_us,
	CASE WHEN v.id IS NULL THEN %d WHEN v.kind = %d THEN %d ELSE %d END AS state, COALESCE(v.at_us, 0) AS reversed_at_us`,
	models.Processed, models.CashPaid, models.PaidOut, models.Reversed)

// otherContents selects when a transaction's ID first came with other contents, as far as the callback log goes back.
var otherContents = fmt.Sprintf(`COALESCE((SELECT MIN(r.at_us) FROM callback_records r WHERE r.transaction_id = t.transaction_id
	AND r.verdict = %d AND t.source = %d), 0) AS other_contents_at_us`, models.VerdictOtherContents, models.SourcePlatform)

// OfSpins returns an expression for a posting of a wallet with this number of free spins: 1 if the posting is the win of a free
// spin or its rollback, otherwise 0. A win belongs to a free spin if its round had a free spin and no other stake before it.
// The win of a BetWin never does, because its own bet came before it.
func OfSpins(d db.Dialect, posting, spins string) string {
	return strings.ReplaceAll(fmt.Sprintf(`CASE WHEN e.kind = %d AND e.claim IN (1, 2) AND `+spins+` > 0 THEN COALESCE((
		SELECT MIN(b.free_spin) FROM postings b`+db.Path{Index: "postings_round"}.Hint(d)+`
		WHERE b.round_id = e.round_id AND b.player_id = e.player_id AND b.kind IN (%d, %d) AND b.claim = 1
			AND b.at_us <= (SELECT x.at_us FROM postings x
				WHERE x.source = e.source AND x.transaction_id = e.transaction_id AND x.claim = 1)), 0) ELSE 0 END`,
		models.Win, models.Bet, models.BetWin), "e.", posting+".")
}

// SelectTransactionLines starts with postings, which applied transactions or rolled them back: all of them, or those of a list.
// The CROSS JOIN makes SQLite read the tables in this order; with an ordinary join it would read every applied posting for a
// page of IDs.
func SelectTransactionLines(d db.Dialect, from string) string {
	return "SELECT postings.id AS place, postings.claim, postings.after_minor AS left_minor, " + TransactionColumns + ", " + otherContents +
		", " + OfSpins(d, "t", "w.spin_seq") + ` AS of_spin,
	p.user_id, p.test, w.currency
	FROM ` + from + ` CROSS JOIN postings t ON t.source = postings.source AND t.transaction_id = postings.transaction_id AND t.claim = 1` +
		RolledBack + `
	JOIN players p ON p.id = t.player_id JOIN wallets w ON w.player_id = t.player_id`
}

// Transactions returns a page of the transactions that f selects, each with the balance after it.
func (s *Store) Transactions(ctx context.Context, f models.TransactionFilter) (models.Page[models.TransactionLine], error) {
	return s.transactions(ctx, f)
}

func (s *Store) transactions(ctx context.Context,
	f models.TransactionFilter) (page models.Page[models.TransactionLine], err error) {
	l, err := s.transactionList(ctx, f)
	if err != nil {
		return page, err
	}
	from, args, err := s.db.From(ctx, &l)
	if err != nil {
		return page, err
	}
	lines, err := db.All[models.TransactionLine](s.db.Read.WithContext(ctx),
		SelectTransactionLines(s.db.Dialect, from)+" ORDER BY "+l.Order(), args...)
	for i := range lines {
		if f.Booked {
			lines[i].Booked()
		}
	}
	return db.PageOf(lines, l), err
}

// TransactionLines returns the transactions whose postings or rollbacks have these numbers, newest first.
func (s *Store) TransactionLines(ctx context.Context, ids []int64) ([]models.TransactionLine, error) {
	return db.All[models.TransactionLine](s.db.Read.WithContext(ctx), SelectTransactionLines(s.db.Dialect, "postings")+
		" WHERE postings.id IN ? ORDER BY postings.id DESC", ids)
}

// Transaction returns the transaction with this number, or false if there is none.
func (s *Store) Transaction(ctx context.Context, id int64) (models.TransactionLine, bool, error) {
	lines, err := s.TransactionLines(ctx, []int64{id})
	if err != nil {
		return models.TransactionLine{}, false, err
	}
	if len(lines) == 0 || lines[0].ID != id {
		return models.TransactionLine{}, false, nil
	}
	return lines[0], true, nil
}

// TransactionEntries returns a transaction's lines in the money ledger, including those of its rollback, in order, each checked
// against the line before it.
func (s *Store) TransactionEntries(ctx context.Context, t models.TransactionLine) ([]models.LinkedEntry, error) {
	return s.transactionEntries(ctx, t)
}

func (s *Store) transactionEntries(ctx context.Context, t models.TransactionLine) (list []models.LinkedEntry, err error) {
	postings, err := ledger.ReadPostings(s.db.Read.WithContext(ctx), ledger.SelectPostings+
		" WHERE source = ? AND transaction_id = ? AND claim IN (1, 2) AND free_spin = 0 ORDER BY claim", t.Source, t.TransactionID)
	if err != nil {
		return nil, err
	}
	for i := range postings {
		p := &postings[i]
		head, found, err := s.headBefore(ctx, p)
		if err != nil {
			return nil, err
		}
		holds := found && s.db.Chain.PostingHash(head, t.Currency, p) == p.Hash
		for _, e := range p.Entries(t.Currency) {
			list = append(list, models.LinkedEntry{Entry: e, Holds: holds})
		}
	}
	return list, nil
}

// headBefore returns the hash of the line before p, or false if that line is missing.
func (s *Store) headBefore(ctx context.Context, p *models.Posting) (head models.Hash, found bool, err error) {
	last := p.Seq - p.Lines()
	if last == 0 {
		return head, true, nil
	}
	err = db.Each(s.db.Read.WithContext(ctx), func(rows *sql.Rows) error {
		found = true
		return rows.Scan(&head)
	}, `SELECT hash FROM postings WHERE player_id = ? AND seq = ? AND free_spin = 0`, p.PlayerID, last)
	return head, found, err
}

// TimesOf returns the stored times at which a transaction was applied and, if it was, rolled back.
func TimesOf(t models.Transaction) []int64 {
	times := []int64{db.Micros(t.At)}
	if !t.ReversedAt.IsZero() {
		times = append(times, db.Micros(t.ReversedAt))
	}
	return times
}

// playerPath returns the path through a wallet's postings, limited to those of a span's times and to those after its place.
func (s *Store) playerPath(ctx context.Context, player int64, span models.Span) (r db.Path, err error) {
	apart := func(at time.Time, by time.Duration) time.Time { // the clocks of instances differ
		if at.IsZero() {
			return at
		}
		return at.Add(by)
	}
	low, high, err := s.linesBetween(ctx, player, apart(span.Since, -db.Apart), apart(span.Until, db.Apart))
	if err != nil {
		return r, err
	}
	if at := span.Page; at.ID != 0 {
		place, found, err := db.One[models.Posting](s.db.Read.WithContext(ctx).
			Raw("SELECT seq FROM postings WHERE id = ? AND player_id = ?", at.ID, player))
		switch {
		case err != nil:
			return r, err
		case found && at.Newer:
			low = max(low, place.Seq)
		case found:
			high = min(high, place.Seq)
		}
	}
	return db.Path{Index: "postings_player", Where: "player_id = ? AND seq >= ? AND seq <= ?", Args: []any{player, low, high},
		By: "seq"}, nil
}

// transactionList declares the list of transactions that f selects.
func (s *Store) transactionList(ctx context.Context, f models.TransactionFilter) (l db.List, err error) {
	l = db.List{Table: "postings", Index: db.Primary, ID: "postings.id", Events: true, Span: f.Span}
	claim, classes, named := db.Most("claim = ?", uint8(models.ClaimApplied)), f.Classes(), f.TransactionIDs
	switch {
	case f.Booked:
		claim = db.Most("claim IS NOT NULL")
	case f.ByRollback:
		claim = db.Most("claim = ?", uint8(models.ClaimRolledBack))
	}
	if f.TransactionID != "" {
		named = []models.TransactionID{f.TransactionID}
	}
	ofPlayer := db.If(f.PlayerID != 0, "", "player_id = ?", f.PlayerID)
	if f.PlayerID != 0 && len(named) == 0 && f.RoundID == "" {
		path, err := s.playerPath(ctx, f.PlayerID, f.Span)
		if err != nil {
			return l, err
		}
		ofPlayer.Paths = []db.Path{path}
	}
	either, values := []string{"1 = 0"}, []any{}
	for _, c := range classes {
		either, values = append(either, "claim = ? AND kind = ?"), append(values, uint8(c.Claim), uint8(c.Kind))
	}
	ofClass := db.Along(len(classes) < len(models.TransactionFilter{Booked: f.Booked}.Classes()) || f.ByRollback || f.With != 0,
		classPaths(f, classes), "("+strings.Join(either, " OR ")+")", values...)
	if f.With != 0 {
		ofClass.Where, ofClass.Args = ofClass.Where+" AND free_spin = ?", append(ofClass.Args, f.With == models.FreeSpins)
	}
	l.Filters = []db.Filter{
		db.If(len(named) > 0, "postings_key", "source IN ? AND transaction_id IN ?", db.Ints(models.Sources), named),
		db.If(f.RoundID != "", "postings_round", "round_id = ?", f.RoundID),
		ofPlayer, ofClass,
		db.If(f.With == models.RealMoney && slices.ContainsFunc(classes, func(c models.Class) bool { return c.Kind == models.Win }) || f.With == models.FreeSpinWins, "",
			OfSpins(s.db.Dialect, "postings", "(SELECT w.spin_seq FROM wallets w WHERE w.player_id = postings.player_id)")+" = ?",
			f.With == models.FreeSpinWins),
		db.If(f.Bet.From != nil, "", "bet_minor >= ?", f.Bet.From), db.If(f.Bet.To != nil, "", "bet_minor <= ?", f.Bet.To),
		db.If(f.Win.From != nil, "", "win_minor >= ?", f.Win.From), db.If(f.Win.To != nil, "", "win_minor <= ?", f.Win.To),
		db.If(f.Currency != "", "", "EXISTS (SELECT 1 FROM wallets w WHERE w.player_id = postings.player_id AND w.currency = ?)",
			string(f.Currency)),
		db.If(f.Test != nil, "", "EXISTS (SELECT 1 FROM players p WHERE p.id = postings.player_id AND p.test = ?)", f.Test),
		db.If(f.OtherContents, "", cameAgain), db.If(f.State == models.Reversed && !f.ByRollback, "", reversed),
		claim,
	}
	if f.State == models.Processed {
		l.Filters = append(l.Filters, db.Most(standing))
	}
	return l, nil
}

// Conditions of a posting that applied a transaction.
var (
	reversed = fmt.Sprintf("EXISTS (SELECT 1 FROM postings v WHERE v.source = postings.source "+
		"AND v.transaction_id = postings.transaction_id AND v.claim = 2 AND v.kind <> %d)", models.CashPaid)
	standing = "NOT " + reversed
	// cameAgain: according to the callback log, with other contents.
	cameAgain = fmt.Sprintf("source = %d AND EXISTS (SELECT 1 FROM callback_records r "+
		"WHERE r.transaction_id = postings.transaction_id AND r.verdict = %d)",
		models.SourcePlatform, models.VerdictOtherContents)
)

// classPaths returns the paths of classes with and without free spins, of those that exist and that f selects.
func classPaths(f models.TransactionFilter, selected []models.Class) (paths []db.Path) {
	for _, c := range selected {
		for _, with := range []models.PlayedWith{models.RealMoney, models.FreeSpins} {
			if f.With != 0 && (f.With == models.FreeSpins) != (with == models.FreeSpins) || with == models.FreeSpins && c.Kind != models.Bet {
				continue
			}
			paths = append(paths, db.Path{Index: "postings_class", Where: "claim = ? AND kind = ? AND free_spin = ?",
				Args: []any{c.Claim, c.Kind, with == models.FreeSpins}})
		}
	}
	return paths
}

// PlayedBetween returns a player's play after one posting and before another. The first may be 0.
func (s *Store) PlayedBetween(ctx context.Context, player, after, before int64) (models.CashPlay, error) {
	bets := fmt.Sprintf("free_spin = 0 AND kind IN (%d, %d)", models.Bet, models.BetWin)
	wins := fmt.Sprintf("kind IN (%d, %d)", models.Win, models.BetWin)
	sum := func(amount, of string) string {
		return fmt.Sprintf("COALESCE(SUM(CASE WHEN %s THEN CASE claim WHEN 1 THEN %[2]s WHEN 2 THEN -%[2]s ELSE 0 END ELSE 0 END), 0)",
			of, amount)
	}
	play, _, err := db.One[models.CashPlay](s.db.Read.WithContext(ctx).Raw("SELECT COUNT(DISTINCT CASE WHEN claim = 1 AND "+bets+
		" THEN round_id END) AS rounds, "+sum("bet_minor", bets)+" AS turnover, "+sum("win_minor", wins)+" AS wins FROM postings"+
		db.Path{Index: "postings_player"}.Hint(s.db.Dialect)+" WHERE player_id = ? AND seq >= COALESCE((SELECT seq FROM postings WHERE id = ?), 0) "+
		"AND id > ? AND id < ?", player, after, after, before))
	return play, err
}
