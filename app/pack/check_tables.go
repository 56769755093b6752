package pack

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"pitboss/models"
)

// readers has, for each table, the function that makes the reader of its rows.
var readers = map[string]func(*checker) rowReader{
	timelineTable:    plain[momentRow],
	ledgerTable:      func(c *checker) rowReader { return &ledgerReader{checker: c} },
	spinsTable:       func(c *checker) rowReader { return &spinReader{checker: c} },
	callbacksTable:   plain[callbackRow],
	roundsTable:      plain[roundRow],
	grantsTable:      plain[grantRow],
	casesTable:       plain[caseRow],
	correctionsTable: plain[correctionRow],
	auditTable:       func(c *checker) rowReader { return &auditReader{checker: c} },
}

// rowReader reads and checks the rows of a table.
type rowReader interface {
	zero() any
	// row decodes a row and checks it. What is wrong with its contents becomes a problem in the report; the error is one of
	// decoding.
	row(line []byte, n int64) (decoded any, err error)
	end()
}

type plainReader[T any] struct{}

func plain[T any](*checker) rowReader { return plainReader[T]{} }

func (plainReader[T]) zero() any {
	var v T
	if c, ok := any(v).(caseRow); ok {
		c.Evidence, c.Comments = []caseFact{}, []caseComment{}
		return c
	}
	return v
}

func (plainReader[T]) row(line []byte, _ int64) (any, error) {
	var v T
	err := strict(line, &v)
	return v, err
}

func (plainReader[T]) end() {}

// checkTables checks the contents of the tables.
func (c *checker) checkTables() {
	for _, name := range expected() {
		listed := slices.ContainsFunc(c.Manifest.Files, func(f fileInfo) bool { return f.Name == name })
		if !listed && name != manifestFile && name != checkpointFile {
			c.problem("%s does not list %s, which every pack has.", manifestFile, name)
		}
	}
	var rows int64
	for _, info := range c.Manifest.Files {
		name, isTable := trimmed(info.Name, ".json")
		if !isTable || readers[name] == nil || c.files[info.Name] == nil || c.files[name+".csv"] == nil {
			continue
		}
		c.checkTable(name, info.Rows)
		rows += info.Rows
	}
	if !c.OK() {
		return
	}
	c.proved("All files match the manifest. CSV and JSON agree in all %d rows.", rows)
	m := &c.Manifest
	c.proved("The balance follows from line to line: %s after line %d, %s after line %d.", m.money(m.Ledger.Opening),
		m.Ledger.OpeningSeq, m.money(m.Ledger.Closing), m.Ledger.ClosingSeq)
	switch b := m.Archived; {
	case b == nil || b.Seq != m.Ledger.OpeningSeq:
	case !c.keyed:
		c.unproved("The ledger before line %d was archived by a purge. Without the key, its new beginning is not proved.",
			b.Seq+1)
	case c.chain.Beginning(ptr(b.beginning(m.Player.Number, m.Player.Currency))) != models.Hash(b.Proof) ||
		b.Head != m.Ledger.OpeningHash || b.Balance != m.Ledger.Opening:
		c.problem("%s: the ledger's new beginning after the purge does not match its proof or the opening balance.",
			manifestFile)
	default:
		c.proved("The ledger begins after line %d, because a purge archived the lines up to there.", b.Seq)
	}
	c.unproved("Only the seal shows that no callback, case or staff action was left out, because only the ledgers are " +
		"chained per player.")
}

func ptr[T any](v T) *T { return &v }

func trimmed(name, end string) (string, bool) {
	n := len(name) - len(end)
	if n < 0 || name[n:] != end {
		return name, false
	}
	return name[:n], true
}

// checkTable reads a table's JSON row by row, derives the CSV from it, and compares that with the CSV in the pack.
func (c *checker) checkTable(name string, rows int64) {
	file := name + ".json"
	r, err := c.files[file].Open()
	if err != nil {
		return // already reported
	}
	defer r.Close()
	there, err := c.files[name+".csv"].Open()
	if err != nil {
		return
	}
	defer there.Close()
	same := &comparer{with: bufio.NewReaderSize(there, 64<<10)}
	rr := readers[name](c)
	table, err := newCSVWriter(same, rr.zero())
	if err != nil {
		c.problem("%s cannot be compared with its JSON: %s.", name, err)
		return
	}
	n, err := c.readRows(r, func(line []byte, n int64) error {
		decoded, err := rr.row(line, n)
		if err != nil {
			return err
		}
		if as, err := encode(decoded); err != nil || !bytes.Equal(as, line) {
			return fmt.Errorf("its line is not as Pitboss writes it, from byte %d of the line on", differsAt(as, line))
		}
		if same.differs {
			return nil
		}
		if err := table.write(line); err != nil {
			return err
		}
		if err := table.flush(); err != nil {
			c.problem("%s.csv differs from %s in row %d (byte %d).", name, file, n, same.at)
		}
		return nil
	})
	switch {
	case err != nil:
		c.problem("%s, row %d: %s.", file, n, err)
		return
	case n != rows:
		c.problem("%s has %d rows and must have %d.", file, n, rows)
	}
	if err := table.flush(); err == nil && !same.differs {
		if rest, _ := io.Copy(io.Discard, io.LimitReader(same.with, 1)); rest > 0 {
			c.problem("%s.csv goes on after its last row, at byte %d.", name, same.at)
		}
	}
	rr.end()
}

var (
	errNoList   = errors.New("the file is not a list with one row on each line")
	errLongLine = errors.New("the line is longer than any row can be")
)

// readRows calls each for every row of a list, numbered from 1. It returns the number of rows or, with an error, the number of
// the row that has it.
func (c *checker) readRows(r io.Reader, each func(line []byte, n int64) error) (n int64, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 64<<10), longestLine)
	if !lines.Scan() || lines.Text() != "[" {
		return 0, errNoList
	}
	more := true
	for lines.Scan() {
		line := lines.Bytes()
		if len(line) == 0 && n == 0 && more {
			continue // an empty list
		}
		if bytes.Equal(line, []byte("]")) {
			if lines.Scan() {
				return n, errors.New("there is more after the end of the list")
			}
			return n, nil
		}
		n++
		if !more {
			return n, errors.New("there is no comma before it")
		}
		line, more = bytes.CutSuffix(line, []byte(","))
		if err := each(line, n); err != nil {
			return n, err
		}
	}
	switch {
	case errors.Is(lines.Err(), bufio.ErrTooLong):
		return n + 1, errLongLine
	case lines.Err() != nil:
		return n + 1, lines.Err()
	}
	return n, errors.New("the list has no end")
}

// ledgerReader checks the money ledger line by line.
type ledgerReader struct {
	*checker
	begun   bool
	seq     int64
	balance money
	head    digest
	closed  money // after the last line of the period
	closing int64
}

func (*ledgerReader) zero() any { return ledgerRow{} }

func (l *ledgerReader) begin() {
	if !l.begun {
		span := l.Manifest.Ledger
		l.begun, l.seq, l.balance, l.head = true, span.OpeningSeq, span.Opening, span.OpeningHash
		l.closed, l.closing = span.Opening, span.OpeningSeq
		l.reaches(l.seq, l.head, l.balance)
	}
}

func (l *ledgerReader) row(line []byte, n int64) (any, error) {
	var r ledgerRow
	if err := strict(line, &r); err != nil {
		return r, err
	}
	l.begin()
	p := r.posting(l.Manifest.Player.Number)
	effect, _ := p.Effect()
	wrong := func(format string, args ...any) {
		l.problem("%s.json, row %d (line %d of the ledger): %s.", ledgerTable, n, r.Seq, fmt.Sprintf(format, args...))
	}
	if r.Seq != l.seq+p.Lines() {
		wrong("the line before it is missing: the last one was line %d", l.seq)
	}
	if r.Before != l.balance {
		wrong("its balance before is %s, but the line before ended with %s", text(r.Before), text(l.balance))
	}
	if r.Change != money(effect) || models.Amount(r.Before)+effect != models.Amount(r.After) {
		wrong("%s plus a change of %s is not %s", text(r.Before), text(money(effect)), text(r.After))
	}
	if r.What != postingWord(&p) {
		wrong("it says %q and must say %q", r.What, postingWord(&p))
	}
	if r.Previous != l.head {
		wrong("its previous hash is not the hash of the line before")
	}
	currency := models.Currency(l.Manifest.Player.Currency)
	if l.keyed && l.chain.Posting(models.Hash(r.Previous), currency, &p) != models.Hash(r.Hash) {
		wrong("its hash does not match its contents")
	}
	if closing := l.Manifest.Ledger.ClosingSeq; r.InPeriod != (r.Seq <= closing) {
		wrong("its in_period is %t, but the period ends with line %d", r.InPeriod, closing)
	}
	l.seq, l.balance, l.head = r.Seq, r.After, r.Hash
	if r.InPeriod {
		l.closed, l.closing = r.After, r.Seq
	}
	l.reaches(r.Seq, r.Hash, r.After)
	return r, nil
}

// reaches compares a line with the player's line in the checkpoint, if it has the same number.
func (l *ledgerReader) reaches(seq int64, head digest, balance money) {
	c := l.Manifest.Checkpoint
	if c != nil && c.Wallet != nil && c.Wallet.Seq == seq && (c.Wallet.Head != head || c.Wallet.Balance != balance) {
		l.problem("%s.json: line %d differs from the player's line in the checkpoint.", ledgerTable, seq)
	}
}

func (l *ledgerReader) end() {
	l.begin()
	span := l.Manifest.Ledger
	if l.closing != span.ClosingSeq || l.closed != span.Closing {
		l.problem("%s.json ends the period with line %d and a balance of %s. The manifest says line %d and %s.", ledgerTable,
			l.closing, text(l.closed), span.ClosingSeq, text(span.Closing))
	}
	if l.seq != span.LastSeq {
		l.problem("%s.json ends with line %d. The manifest says line %d.", ledgerTable, l.seq, span.LastSeq)
	}
	if c := l.Manifest.Checkpoint; c != nil && c.Wallet != nil && span.LastSeq != max(span.ClosingSeq, c.Wallet.Seq) {
		l.problem("%s.json ends with line %d. It must end with line %d, to cover the period and reach the checkpoint.",
			ledgerTable, span.LastSeq, max(span.ClosingSeq, c.Wallet.Seq))
	}
}

func text(m money) string { return models.Amount(m).String() }

// spinReader checks the free-spin ledger line by line.
type spinReader struct {
	*checker
	begun bool
	seq   int64
	head  digest
}

func (*spinReader) zero() any { return spinRow{} }

func (s *spinReader) begin() {
	if !s.begun {
		s.begun, s.seq, s.head = true, s.Manifest.Spins.OpeningSeq, s.Manifest.Spins.OpeningHash
		s.reaches()
	}
}

func (s *spinReader) row(line []byte, n int64) (any, error) {
	var r spinRow
	if err := strict(line, &r); err != nil {
		return r, err
	}
	s.begin()
	e := r.entry(s.Manifest.Player.Number, models.Currency(s.Manifest.Player.Currency))
	wrong := func(what string) {
		s.problem("%s.json, row %d (line %d of the free-spin ledger): %s.", spinsTable, n, r.Seq, what)
	}
	if r.Seq != s.seq+1 {
		wrong("the line before it is missing")
	}
	if r.Previous != s.head {
		wrong("its previous hash is not the hash of the line before")
	}
	if s.keyed && s.chain.SpinEntry(models.Hash(r.Previous), &e) != models.Hash(r.Hash) {
		wrong("its hash does not match its contents")
	}
	if r.What != e.Kind.String() || r.InPeriod != (r.Seq <= s.Manifest.Spins.ClosingSeq) {
		wrong("its what or its in_period does not match its contents")
	}
	s.seq, s.head = r.Seq, r.Hash
	s.reaches()
	return r, nil
}

func (s *spinReader) reaches() {
	c := s.Manifest.Checkpoint
	if c != nil && c.Wallet != nil && c.Wallet.SpinSeq == s.seq && c.Wallet.SpinHead != s.head {
		s.problem("%s.json: line %d differs from the player's line in the checkpoint.", spinsTable, s.seq)
	}
}

func (s *spinReader) end() {
	s.begin()
	if s.seq != s.Manifest.Spins.LastSeq {
		s.problem("%s.json ends with line %d. The manifest says line %d.", spinsTable, s.seq, s.Manifest.Spins.LastSeq)
	}
	span := s.Manifest.Spins
	if c := s.Manifest.Checkpoint; c != nil && c.Wallet != nil && span.LastSeq != max(span.ClosingSeq, c.Wallet.SpinSeq) {
		s.problem("%s.json ends with line %d. It must end with line %d, to cover the period and reach the checkpoint.",
			spinsTable, span.LastSeq, max(span.ClosingSeq, c.Wallet.SpinSeq))
	}
}

// auditReader checks audit events one by one. The audit log is one chain of everybody's events, and a pack has only some of
// them.
type auditReader struct {
	*checker
	last int64
	n    int64
}

func (*auditReader) zero() any { return auditRow{Salts: []salt{}, Digests: []digest{}} }

func (a *auditReader) row(line []byte, n int64) (any, error) {
	var r auditRow
	if err := strict(line, &r); err != nil {
		return r, err
	}
	wrong := func(what string) { a.problem("%s.json, row %d (event %d): %s.", auditTable, n, r.Seq, what) }
	if r.Seq <= a.last {
		wrong("it is out of order")
	}
	a.last = r.Seq
	if at := time.Time(r.At); at.Before(time.Time(a.Manifest.Since)) || !at.Before(time.Time(a.Manifest.Until)) {
		wrong("it is outside the period")
	}
	if a.Manifest.Purpose != Dispute || !a.keyed {
		return r, nil
	}
	l, whole := r.line()
	if !whole {
		wrong("some of its hashes are missing")
		return r, nil
	}
	if a.chain.AuditEvent(models.Hash(r.Previous), &l) != l.Hash {
		wrong("its hash does not match its contents")
	}
	changed, _ := a.chain.AuditTexts(&l)
	for _, t := range changed {
		if t != models.AuditAddress { // which packs leave out
			wrong("its " + t.String() + " is not the one that was recorded")
		}
	}
	a.n++
	return r, nil
}

func (a *auditReader) end() {
	if a.n > 0 && a.chain.Keyed() {
		a.proved("%d staff actions are as they were recorded: their hashes match.", a.n)
	}
}
