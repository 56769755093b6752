package control

import (
	"slices"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/players"
	"pitboss/models/store/statements"
)

// Bookings that a correction may repeat. The page, the request and the approval look for them; the latter two under the
// wallet's lock, so that of two requests or approvals at once, the second finds the first.

// similarRead is the most of a player's transactions that are read, newest first.
const similarRead = 20_000

// similar returns the bookings that c may repeat. gives reports whether c gives money to the player.
func similar(q *gorm.DB, c models.Correction, gives bool) (found models.Similar, err error) {
	var about models.Case // the case that c is for; zero if its reference names none of this player
	if id := models.CaseOf(c.Reference); id != 0 {
		if about, _, err = db.One[models.Case](q.Where("id = ? AND player_id = ?", id, c.PlayerID)); err != nil {
			return found, err
		}
	}
	ids := map[string]bool{models.FoldID(c.TransactionID): true, models.FoldID(about.TransactionID): true}
	delete(ids, "")
	if found.Corrections, err = similarCorrections(q, c, about, ids, gives); err != nil {
		return found, err
	}
	switch {
	case c.Kind == models.CorrectRollback && gives:
		found.Lines, err = similarLines(q, about)
	case c.Kind.Books(), c.Kind == models.CorrectCredit && about.ID != 0: // other credits are for no transaction
		found.Transactions, err = similarTransactions(q, c, about, ids, gives)
	}
	if err == nil && c.Kind.Adjusts() {
		var cash []models.TransactionLine
		cash, err = similarCash(q, c)
		found.Transactions = append(found.Transactions, cash...)
	}
	return found, err
}

// similarCash returns the player's cash deposits and bounced cash-outs, or cash-outs that were not returned, with the amount of
// a credit or debit, at most a day before or after it: the cashier may have booked the payment already.
func similarCash(q *gorm.DB, c models.Correction) (list []models.TransactionLine, err error) {
	kinds := []models.OperationKind{models.CashIn, models.CashBounced}
	if c.Kind == models.CorrectDebit {
		kinds = []models.OperationKind{models.CashOut}
	}
	low, err := seqAt(q, c.PlayerID, c.At.Add(-models.SimilarBefore))
	if err != nil {
		return nil, err
	}
	return db.All[models.TransactionLine](q, "SELECT "+players.TransactionColumns+" FROM postings t"+players.RolledBack+
		` WHERE t.player_id = ? AND t.seq >= ? AND t.source = ? AND t.claim = 1 AND t.kind IN ? AND t.bet_minor + t.win_minor = ? AND t.at_us <= ?
		AND (v.id IS NULL OR v.kind = ?) ORDER BY t.id DESC LIMIT ?`, c.PlayerID, low, models.SourceClient, kinds, c.Amount,
		db.Micros(c.At.Add(models.SimilarBefore)), models.CashPaid, similarRead)
}

// similarCorrections returns the player's other corrections in the same direction that are booked or waiting: for the same
// case, for the same transaction, or with the same amount at most a day before or after.
func similarCorrections(q *gorm.DB, c models.Correction, about models.Case, ids map[string]bool,
	gives bool) (similar []models.Correction, err error) {
	list, err := correctionsIn(selectCorrections(q).Where("c.player_id = ? AND c.id <> ? AND c.state IN ?", c.PlayerID, c.ID,
		[]models.ApprovalState{models.ApprovalWaiting, models.ApprovalApproved}).Order("c.id DESC"))
	if err != nil {
		return nil, err
	}
	cases := map[int64]models.TransactionID{} // of the list, with their transactions
	for _, other := range list {
		if id := models.CaseOf(other.Reference); id != 0 {
			cases[id] = ""
		}
	}
	if len(cases) > 0 {
		rows, err := db.Find[models.Case](q.Select("id", "transaction_id").
			Where("player_id = ? AND transaction_id <> ''", c.PlayerID))
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			cases[row.ID] = row.TransactionID
		}
	}
	for _, other := range list {
		of := models.CaseOf(other.Reference)
		same := of != 0 && of == about.ID || ids[models.FoldID(other.TransactionID)] || ids[models.FoldID(cases[of])] ||
			other.Amount == c.Amount && other.At.Sub(c.At).Abs() <= models.SimilarBefore && sameLoss(other, c)
		if same && (other.Effect > 0) == gives && other.Effect != 0 {
			similar = append(similar, other)
		}
	}
	return similar, nil
}

// sameLoss reports whether two corrections of one amount may be for the same loss: at least one names neither a case nor a
// transaction.
func sameLoss(a, b models.Correction) bool {
	says := func(c models.Correction) bool { return c.TransactionID != "" || models.CaseOf(c.Reference) != 0 }
	return !says(a) || !says(b)
}

// similarTransactions returns the player's transactions from the platform that c may repeat: under another spelling of an ID
// or, for a win, with c's amount at about the time of the case or, without one, within a day before the request. Bets of one
// amount follow each other within seconds, so the amount of a bet proves nothing.
func similarTransactions(q *gorm.DB, c models.Correction, about models.Case, ids map[string]bool,
	gives bool) (similar []models.TransactionLine, err error) {
	var spelled []models.TransactionID
	for _, id := range []models.TransactionID{c.TransactionID, about.TransactionID} {
		if id != "" {
			spelled = append(spelled, models.Spellings(id)...)
		}
	}
	since, until := c.At.Add(-models.SimilarBefore), c.At.Add(models.SimilarWithin)
	if !about.At.IsZero() {
		since, until = about.At.Add(-models.SimilarWithin), about.At.Add(models.SimilarWithin)
	}
	low, err := seqAt(q, c.PlayerID, since.Add(-models.SimilarBefore))
	if err != nil {
		return nil, err
	}
	high, err := seqAt(q, c.PlayerID, until.Add(models.SimilarBefore))
	if err != nil {
		return nil, err
	}
	lines, err := db.All[models.TransactionLine](q, "SELECT "+players.TransactionColumns+" FROM postings t"+players.RolledBack+` WHERE t.id IN
		(SELECT id FROM (SELECT id, source, claim FROM postings WHERE player_id = ? AND seq >= ? AND seq <= ?
			ORDER BY seq DESC LIMIT ?) near WHERE source = ? AND claim = 1
		UNION SELECT id FROM postings WHERE source = ? AND transaction_id IN ? AND claim = 1 AND player_id = ?)
		ORDER BY t.id DESC`, c.PlayerID, low, high, similarRead, models.SourcePlatform, models.SourcePlatform, spelled, c.PlayerID)
	if err != nil {
		return nil, err
	}
	for _, t := range lines {
		near := t.Win == c.Amount && c.Amount > 0 && gives && !t.At.Before(since) && !t.At.After(until)
		exact := t.TransactionID == c.TransactionID || t.TransactionID == about.TransactionID
		if t.State != models.Reversed && !exact && (near || ids[models.FoldID(t.TransactionID)]) {
			similar = append(similar, t)
		}
	}
	return similar, nil
}

// seqAt returns the number of the player's first ledger line at a time or later, or the number after the last line. A player's
// lines are in the order of their times, except for differences between the clocks of instances.
func seqAt(q *gorm.DB, player int64, at time.Time) (int64, error) {
	last, err := db.Value[int64](q, "SELECT COALESCE(MAX(seq), 0) FROM postings WHERE player_id = ?", player)
	if err != nil {
		return 0, err
	}
	low, high := int64(0), last+1
	for low < high {
		middle := low + (high-low)/2
		var row struct{ Seq, AtUs int64 }
		err := q.Raw("SELECT seq, at_us FROM postings WHERE player_id = ? AND seq >= ? ORDER BY seq LIMIT 1", player,
			middle).Scan(&row).Error
		if err != nil {
			return 0, err
		}
		if row.AtUs < db.Micros(at) {
			low = max(row.Seq, middle) + 1
		} else {
			high = middle
		}
	}
	return low, nil
}

// similarLines returns transactions that only the platform's file has, with the same amount and about the same time as the
// transaction of this case, which only we have. They may be the same transaction under another ID.
func similarLines(q *gorm.DB, about models.Case) (similar []models.Difference, err error) {
	ours, found, err := statements.DifferenceOf(q, about)
	if err != nil || !found || ours.Bucket != models.OnlyOurs {
		return nil, err
	}
	lines, err := db.Find[models.Difference](q.Where("run_id = ? AND bucket = ? AND player_id = ?",
		ours.RunID, models.OnlyTheirs, ours.PlayerID).Order("number").Limit(similarRead))
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(lines, func(d models.Difference) bool {
		return d.Theirs.Bet != ours.Ours.Bet || d.Theirs.Win != ours.Ours.Win ||
			!d.At.IsZero() && d.At.Sub(ours.At).Abs() > models.SimilarWithin
	}), nil
}
