package reconcile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"pitboss/app/sheet"
	"pitboss/models"
)

// A comparison sorts the file's lines on disk and looks up our transactions by the IDs in it, a few hundred at a time. It keeps
// a bit for each number of the period that has a line, so that one walk through the period's numbers finds those without.
// Nothing is locked, and only findings are written, so callbacks are not affected.
//
// Edges. The two sides' clocks differ, and a callback may be repeated for minutes: what the platform lists at 23:59:58 may have
// been booked here at 00:00:01. A line is looked up by its ID, regardless of when we booked it, so this only concerns our
// transactions without a line. If one is within the margin of an edge, it is marked and set aside, because the neighboring
// statement may have it. If the neighbor's comparison has set it aside as well, neither statement has it, and it is a
// difference of the statement compared last. If a period is not over when the file is uploaded, it ends at the upload, because
// the file cannot contain anything later.

// Limits of one run.
const (
	lookedUp  = 500    // transactions per query
	walked    = 5000   // of our transactions read at once
	mostCodes = 200    // currencies in a file: each has separate sums in the result
	kept      = 500    // differences written at once
	mostAlone = 50_000 // transactions only of the file that are kept in memory, to find ours under another spelling
)

// comparer compares one file.
type comparer struct {
	*Service
	run  models.StatementRun
	st   models.Statement
	size int64
	tell func(models.RunProgress)
	note func(models.RunProgress) error // stores the progress from time to time

	theirs, ours int64 // transactions in the file, and ours in the period

	low, high int64
	matched   bool     // at least one line is one of our transactions
	seen      []uint64 // a bit for each of our numbers from low: it has a line

	group   []models.StatementLine // transactions of the file to be looked up
	alone   []models.StatementLine // transactions that we do not have; without an ID if ours has another spelling
	spelled map[string]int         // where in alone an ID is, by models.FoldID
	found   []models.Difference
	unread  unreadError
	sums    map[sumKey]*models.StatementSum
}

type sumKey struct {
	currency models.Currency
	bucket   models.Bucket
	edge     bool
}

// mostSeen is how many of our numbers a period may span. Their bits take an eighth as many bytes.
const mostSeen = 4_000_000_000

var errPeriodLarge = errors.New("the period has more of our transactions than can be compared at once: choose a shorter one")

var errManyCurrencies = fmt.Errorf("the file has more than %d currencies: perhaps they are in another column", mostCodes)

// errNoLine ends a run that would report all our transactions as missing from the file.
var errNoLine = errors.New("none of the file's lines could be read: check the columns, their formats and the period")

// unreadError ends a run over a file with unreadable lines, whose transactions would be reported as missing from it.
type unreadError struct {
	lines int64
	first models.LineError
}

// Error says how many lines there are, and what is wrong with the first.
func (e unreadError) Error() string {
	return fmt.Sprintf("nothing was compared, because %d of the file's lines cannot be read. The first is %s. Correct the column "+
		"mapping or the file", e.lines, e.first)
}

// errOtherCase ends a run over a file whose IDs differ from ours in case.
type errOtherCase struct{ theirs, ours models.TransactionID }

// Error names an example, and says what to do.
func (e errOtherCase) Error() string {
	return fmt.Sprintf("the file's transaction IDs differ from ours only in case: %s is %s here. Edit the column mapping, "+
		"choose to ignore case, and compare again", e.theirs, e.ours)
}

// errUnrelated ends a run without a single match, which would open two cases for each transaction.
var errUnrelated = errors.New("no transaction of the file is one of ours: check the column of transaction IDs, and " +
	"whose file it is")

// unrelatedFrom is how many transactions each side must have for a lack of matches to mean that the file is a wrong one.
const unrelatedFrom = 20

// compare compares a file with our transactions. dir is an empty folder for data that does not fit into memory.
func (c *comparer) compare(ctx context.Context, file io.ReadSeeker, dir string) (err error) {
	if err := c.Store.ClearRun(ctx, c.run.ID); err != nil {
		return err
	}
	if c.low, c.high, err = c.Store.TransactionNumbers(ctx, c.st.Since.Add(-c.st.Margin),
		c.st.Ends().Add(c.st.Margin)); err != nil {
		return err
	}
	if c.high-c.low > mostSeen {
		return errPeriodLarge
	}
	c.seen = make([]uint64, (c.high-c.low+63)/64)
	c.sums, c.spelled = map[sumKey]*models.StatementSum{}, map[string]int{}
	sorted := &sorter{dir: dir, key: c.key}
	if err := c.read(ctx, file, sorted); err != nil {
		return err
	}
	if c.unread.lines > 0 {
		return c.unread
	}
	if c.run.Lines > 0 && c.run.BadLines == c.run.Lines {
		return errNoLine
	}
	if err := c.match(ctx, sorted); err != nil {
		return err
	}
	if err := c.walk(ctx); err != nil {
		return err
	}
	if err := c.onlyTheirs(ctx); err != nil {
		return err
	}
	if !c.matched && c.theirs >= unrelatedFrom && c.ours >= unrelatedFrom {
		return errUnrelated
	}
	if err := c.keep(ctx); err != nil {
		return err
	}
	if err := c.progress(walkUntil); err != nil {
		return err
	}
	for _, sum := range c.sums {
		c.run.Sums = append(c.run.Sums, *sum)
	}
	slices.SortFunc(c.run.Sums, func(a, b models.StatementSum) int {
		aside := map[bool]int{true: 1}
		return cmp.Or(cmp.Compare(a.Currency, b.Currency), cmp.Compare(a.Bucket, b.Bucket), aside[a.Edge]-aside[b.Edge])
	})
	return nil
}

// progress stores the run's progress from time to time. It returns jobs.ErrStopped if a person has stopped it.
func (c *comparer) progress(permille int) error {
	c.run.Permille = permille
	if c.tell != nil {
		c.tell(c.run.RunProgress)
	}
	return c.note(c.run.RunProgress)
}

// Shares of the whole, in thousandths: the lines are read, then matched, then the ledger is searched for others.
const (
	readUntil  = 300
	matchUntil = 850
	walkUntil  = 980
)

// read sorts the file's lines.
func (c *comparer) read(ctx context.Context, file io.ReadSeeker, to *sorter) error {
	in, err := sheet.NewStatementReader(ctx, file, c.st.Layout, c.st.ClientID != 0)
	if err != nil {
		return err
	}
	codes := map[models.Currency]bool{}
	for n := 0; ; n++ {
		if n%1000 == 0 {
			if err := c.progress(int(min(in.Offset()*readUntil/max(c.size, 1), readUntil))); err != nil {
				return err
			}
		}
		line, err := in.Next()
		var bad models.LineError
		switch {
		case err == io.EOF:
			return c.progress(readUntil)
		case errors.As(err, &bad):
			c.run.Lines++
			if c.unread.lines++; c.unread.lines == 1 {
				c.unread.first = bad
			}
			c.run.Refuse(bad.Line, bad.Err)
			continue
		case err != nil:
			return err
		}
		c.run.Lines++
		if c.st.ClientID != 0 {
			line.TransactionID = models.CashID(c.st.ClientID, string(line.TransactionID))
		}
		if err := outside(c.st, line); err != nil {
			c.run.Refuse(int(line.Line), err)
			continue
		}
		if !codes[line.Currency] {
			if codes[line.Currency] = true; len(codes) > mostCodes {
				return errManyCurrencies
			}
		}
		if err := to.add(line); err != nil {
			return err
		}
	}
}

// outside returns an error for a line whose time is outside a statement's period.
func outside(st models.Statement, line models.StatementLine) error {
	if line.At.IsZero() || !line.At.Before(st.Since.Add(-st.Margin)) && line.At.Before(st.Until.Add(st.Margin)) {
		return nil
	}
	return fmt.Errorf("its time, %s, is outside the period: check the time zone and the period", line.At.Format("2006-01-02 15:04:05 UTC"))
}

// mostBadLines is how many lines BadLines returns.
const mostBadLines = 10_000

// BadLines returns the lines of a statement's file that cannot be read, or are outside its period.
func BadLines(ctx context.Context, file io.ReadSeeker, st models.Statement) (bad []models.LineError, err error) {
	in, err := sheet.NewStatementReader(ctx, file, st.Layout, st.ClientID != 0)
	if err != nil {
		return nil, err
	}
	for len(bad) < mostBadLines {
		line, err := in.Next()
		var wrong models.LineError
		switch {
		case err == io.EOF:
			return bad, nil
		case errors.As(err, &wrong):
			bad = append(bad, wrong)
		case err != nil:
			return nil, err
		default:
			if why := outside(st, line); why != nil {
				bad = append(bad, models.LineError{Line: int(line.Line), Err: why})
			}
		}
	}
	return bad, nil
}

// match compares the sorted lines with our transactions, one transaction at a time.
func (c *comparer) match(ctx context.Context, sorted *sorter) error {
	var line models.StatementLine // the lines of one transaction, joined
	done, total := int64(0), c.run.Lines
	err := sorted.each(ctx, func(next models.StatementLine) error {
		done++
		if c.key(next.TransactionID) == c.key(line.TransactionID) {
			if !line.Join(next) {
				c.run.Refuse(int(next.Line), fmt.Errorf("its transaction ID is already in line %d, with other contents", line.Line))
			}
			return nil
		}
		if line.TransactionID != "" {
			if err := c.take(ctx, line); err != nil {
				return err
			}
		}
		line = next
		if done%lookedUp == 0 {
			return c.progress(readUntil + int(done*(matchUntil-readUntil)/max(total, 1)))
		}
		return nil
	})
	if err == nil && line.TransactionID != "" {
		err = c.take(ctx, line)
	}
	if err != nil {
		return err
	}
	return c.lookUp(ctx)
}

// take collects a transaction of the file, and looks them up once there are enough.
func (c *comparer) take(ctx context.Context, line models.StatementLine) error {
	c.theirs++
	if c.group = append(c.group, line); len(c.group) < lookedUp {
		return nil
	}
	return c.lookUp(ctx)
}

func (c *comparer) lookUp(ctx context.Context) error {
	if len(c.group) == 0 {
		return nil
	}
	ids := make([]models.TransactionID, len(c.group))
	for i := range c.group {
		ids[i] = c.group[i].TransactionID
	}
	ours, err := c.Store.OurTransactions(ctx, c.st.ClientID, ids)
	if err != nil {
		return err
	}
	if err := c.inOtherCase(ctx, ours); err != nil {
		return err
	}
	bounced := map[models.TransactionID]int64{}
	if c.st.ClientID != 0 {
		if bounced, err = c.Store.Bounced(ctx, ids, c.st.Ends()); err != nil {
			return err
		}
	}
	var others []models.UserID
	for i := range c.group {
		if l := &c.group[i]; l.UserID != "" && (ours[l.TransactionID] == nil || ours[l.TransactionID].UserID != l.UserID) {
			others = append(others, l.UserID)
		}
	}
	erased, err := c.Store.ErasedUsers(ctx, others)
	if err != nil {
		return err
	}
	for i := range c.group {
		l := &c.group[i]
		our := ours[l.TransactionID]
		if our != nil {
			c.saw(our.Place)
			if number := bounced[our.TransactionID]; number != 0 {
				our.State = models.Reversed
				c.saw(number)
			}
		}
		switch {
		case erased[l.UserID]:
			c.run.Erased++
			continue
		case our == nil:
			c.spelled[models.FoldID(l.TransactionID)] = len(c.alone)
			c.alone = append(c.alone, *l)
			continue
		}
		found := c.compared(our, *l)
		if err := c.count(ctx, &found); err != nil {
			return err
		}
	}
	c.group = c.group[:0]
	if len(c.alone) >= mostAlone {
		return c.onlyTheirs(ctx)
	}
	return nil
}

// inOtherCase adds our transactions whose IDs are those of the group in upper or lower case, if the layout ignores the case.
// Otherwise it returns an errOtherCase if nothing was matched so far and there are such transactions. IDs in mixed case are
// found by walk.
func (c *comparer) inOtherCase(ctx context.Context, ours map[models.TransactionID]*models.TransactionLine) error {
	c.matched = c.matched || len(ours) > 0
	if c.matched && !c.st.Layout.IgnoreCase {
		return nil
	}
	var ids []models.TransactionID
	for i := range c.group {
		if id := c.group[i].TransactionID; ours[id] == nil {
			ids = append(ids, models.InOtherCase(id)...)
		}
	}
	found, err := c.Store.OurTransactions(ctx, c.st.ClientID, ids)
	for i := range c.group {
		line := &c.group[i]
		for _, id := range models.InOtherCase(line.TransactionID) {
			our := found[id]
			switch {
			case our == nil, ours[line.TransactionID] != nil, line.UserID != "" && line.UserID != our.UserID:
			case !c.st.Layout.IgnoreCase:
				return errOtherCase{line.TransactionID, id}
			default:
				ours[line.TransactionID], c.matched = our, true
			}
		}
	}
	return err
}

// key returns an ID in the form that all spellings of one transaction share.
func (c *comparer) key(id models.TransactionID) string {
	if c.st.Layout.IgnoreCase {
		return strings.ToLower(string(id))
	}
	return string(id)
}

// compared compares a transaction of ours with a line of the file.
func (c *comparer) compared(our *models.TransactionLine, line models.StatementLine) models.Comparison {
	if c.key(line.TransactionID) == c.key(our.TransactionID) {
		line.TransactionID = our.TransactionID
	}
	return models.Compare(our, &line)
}

// saw notes that the file has a line for one of our numbers.
func (c *comparer) saw(number int64) {
	if n := number - c.low; n >= 0 && number < c.high {
		c.seen[n/64] |= 1 << (n % 64)
	}
}

// onlyTheirs adds the transactions of the file that we do not have, under any spelling of their IDs.
func (c *comparer) onlyTheirs(ctx context.Context) error {
	for lines := range slices.Chunk(c.alone, lookedUp) {
		users := make([]models.UserID, len(lines))
		for i := range lines {
			users[i] = lines[i].UserID
		}
		players, err := c.Store.PlayersNamed(ctx, users)
		if err != nil {
			return err
		}
		for i := range lines {
			l := &lines[i]
			if l.TransactionID == "" {
				continue
			}
			found := models.Compare(nil, l)
			if p, known := players[l.UserID]; known {
				found.PlayerID = p.ID
				if found.Currency == "" {
					found.Currency, found.Theirs.Currency = p.Wallet.Currency, p.Wallet.Currency
				}
			}
			if err := c.count(ctx, &found); err != nil {
				return err
			}
		}
	}
	c.alone = c.alone[:0]
	clear(c.spelled)
	return nil
}

// spelledAlike takes the line out of alone whose ID is another spelling of the ID of our transaction t, or returns nil.
func (c *comparer) spelledAlike(t *models.TransactionLine) *models.StatementLine {
	at, there := c.spelled[models.FoldID(t.TransactionID)]
	if !there || c.alone[at].UserID != "" && c.alone[at].UserID != t.UserID {
		return nil
	}
	line := c.alone[at]
	c.alone[at].TransactionID = ""
	delete(c.spelled, models.FoldID(t.TransactionID))
	return &line
}

// walk looks for our transactions without a line.
func (c *comparer) walk(ctx context.Context) error {
	whole := max(c.high-c.low, 1)
	var missing []models.TransactionLine
	for from := c.low; from < c.high; {
		if err := c.progress(matchUntil + int((from-c.low)*(walkUntil-matchUntil)/whole)); err != nil {
			return err
		}
		list, err := c.Store.OurTransactionsFrom(ctx, c.st.ClientID, from, c.high, walked)
		if err != nil {
			return err
		}
		for _, t := range list {
			at := t.MovedAt()
			if c.inside(at) {
				c.ours++
			}
			n := t.Place - c.low
			near := !at.Before(c.st.Since.Add(-c.st.Margin)) && at.Before(c.st.Ends().Add(c.st.Margin))
			if near && c.seen[n/64]&(1<<(n%64)) == 0 {
				missing = append(missing, t)
			}
			if len(missing) == lookedUp {
				if err := c.missed(ctx, missing); err != nil {
					return err
				}
				missing = missing[:0]
			}
		}
		if len(list) < walked {
			break
		}
		from = list[len(list)-1].Place + 1
	}
	return c.missed(ctx, missing)
}

// missed adds our transactions that have no line.
func (c *comparer) missed(ctx context.Context, list []models.TransactionLine) error {
	if len(list) == 0 {
		return nil
	}
	if err := c.Store.WhoPlayed(ctx, list); err != nil {
		return err
	}
	var atEdges []int64
	for _, t := range list {
		if c.atEdge(t.MovedAt()) {
			atEdges = append(atEdges, t.ID)
		}
	}
	left, err := c.Store.LeftAtEdges(ctx, c.st, atEdges)
	if err != nil {
		return err
	}
	for i := range list {
		t := &list[i]
		if line := c.spelledAlike(t); line != nil {
			c.matched = true
			found := c.compared(t, *line)
			if err := c.count(ctx, &found); err != nil {
				return err
			}
			continue
		}
		if !c.inside(t.MovedAt()) && !left[t.ID] {
			continue // it belongs to the neighboring statement
		}
		found := models.Compare(t, nil)
		if c.atEdge(t.MovedAt()) {
			if found.Edge = !left[t.ID]; !found.Edge {
				found.Detail = "it is missing from the neighboring statement too"
			}
		}
		if err := c.count(ctx, &found); err != nil {
			return err
		}
	}
	return nil
}

func (c *comparer) inside(at time.Time) bool {
	return !at.Before(c.st.Since) && at.Before(c.st.Ends())
}

// atEdge reports whether a time is within the margin of the period's beginning or end.
func (c *comparer) atEdge(at time.Time) bool {
	return at.Sub(c.st.Since).Abs() < c.st.Margin || at.Sub(c.st.Ends()).Abs() <= c.st.Margin && c.st.Margin > 0
}

// count adds a comparison to the sums, and keeps it if the two sides differ.
func (c *comparer) count(ctx context.Context, found *models.Comparison) error {
	if found.WithoutEffect {
		found.Edge = false
	}
	for _, currency := range found.Currencies() {
		key := sumKey{currency, found.Bucket, found.Edge}
		if c.sums[key] == nil {
			c.sums[key] = &models.StatementSum{Currency: currency, Bucket: found.Bucket, Edge: found.Edge}
		}
		c.sums[key].Add(found)
	}
	switch {
	case found.Bucket == models.Agrees:
		return nil
	case found.Edge:
		c.run.Edges++
	case found.OnlyCase():
		c.run.Respelled++
	default:
		c.run.Differences++
	}
	found.Number = c.run.Differences + c.run.Edges + c.run.Respelled
	c.found = append(c.found, found.Difference)
	if len(c.found) < kept {
		return nil
	}
	return c.keep(ctx)
}

// keep writes the differences that are in memory.
func (c *comparer) keep(ctx context.Context) error {
	err := c.Store.AddDifferences(ctx, c.run.ID, c.found)
	c.found = c.found[:0]
	return err
}
