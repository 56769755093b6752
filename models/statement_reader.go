package models

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Limits on a file.
const (
	maxStatementLine = 64 << 10 // bytes of a line
	maxColumns       = 200
	maxColumnName    = 200 // bytes
)

// Why a line cannot be read.
var (
	errLineLong  = errors.New("the line is longer than 64 kB")
	errLineQuote = errors.New("a quotation mark is not closed on this line, or is in the middle of a field")
	errLineText  = errors.New("it is not UTF-8 text")
)

// ErrStatementHeader is returned for a file without a first line of column names.
var ErrStatementHeader = errors.New("the file needs a first line with the names of its columns, as UTF-8 text")

// lineReader splits a file into lines and fields in bounded memory, whatever is in the file. A field may be quoted as in RFC
// 4180, but has to end on its line: otherwise one quotation mark too many would swallow the rest of the file.
type lineReader struct {
	in     *bufio.Reader
	number int64
	offset int64 // bytes read
	fields []string
	plain  []byte
}

// next returns the fields of the next line that is not empty, which are valid until the next call. The error is io.EOF, a
// LineError or a readFailure.
func (r *lineReader) next(delimiter byte) ([]string, error) {
	for {
		text, err := r.line()
		if err != nil {
			return nil, err
		}
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		if !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 {
			return nil, LineError{int(r.number), errLineText}
		}
		if err := r.split(text, delimiter); err != nil {
			return nil, LineError{int(r.number), err}
		}
		return r.fields, nil
	}
}

// readFailure is an error of the file, not of a line in it.
type readFailure struct{ error }

func (e readFailure) Unwrap() error { return e.error }

func (r *lineReader) line() ([]byte, error) {
	text, err := r.in.ReadSlice('\n')
	r.offset += int64(len(text))
	r.number++
	if errors.Is(err, bufio.ErrBufferFull) {
		for errors.Is(err, bufio.ErrBufferFull) {
			text, err = r.in.ReadSlice('\n')
			r.offset += int64(len(text))
		}
		if err == nil || err == io.EOF {
			return nil, LineError{int(r.number), errLineLong}
		}
	}
	if err != nil && (err != io.EOF || len(text) == 0) {
		if err != io.EOF {
			err = readFailure{fmt.Errorf("read the statement: %w", err)}
		}
		return nil, err
	}
	if r.number == 1 {
		text = bytes.TrimPrefix(text, []byte("\ufeff"))
	}
	return bytes.TrimRight(text, "\r\n"), nil
}

func (r *lineReader) split(text []byte, delimiter byte) error {
	r.fields = r.fields[:0]
	for {
		if len(r.fields) == maxColumns {
			return fmt.Errorf("it has more than %d fields", maxColumns)
		}
		if len(text) > 0 && text[0] == '"' {
			r.plain = r.plain[:0]
			rest, closed := text[1:], false
			for !closed {
				n := bytes.IndexByte(rest, '"')
				if n < 0 {
					return errLineQuote
				}
				r.plain = append(r.plain, rest[:n]...)
				rest = rest[n+1:]
				if closed = len(rest) == 0 || rest[0] != '"'; !closed {
					r.plain, rest = append(r.plain, '"'), rest[1:]
				}
			}
			r.fields = append(r.fields, string(r.plain))
			if len(rest) == 0 {
				return nil
			}
			if rest[0] != delimiter {
				return errLineQuote
			}
			text = rest[1:]
			continue
		}
		n := bytes.IndexByte(text, delimiter)
		if n < 0 {
			r.fields = append(r.fields, string(text))
			return nil
		}
		r.fields = append(r.fields, string(text[:n]))
		text = text[n+1:]
	}
}

// StatementReader reads the lines of a statement.
type StatementReader struct {
	lines  *lineReader
	layout StatementLayout
	width  int
	zone   *time.Location
	at     map[StatementField]int
}

// NewStatementReader reads the header of a statement. It returns ErrStatementHeader, a LayoutError, or the error of r.
func NewStatementReader(r io.Reader, layout StatementLayout) (*StatementReader, error) {
	s := &StatementReader{lines: &lineReader{in: bufio.NewReaderSize(r, maxStatementLine)}, layout: layout,
		at: map[StatementField]int{}}
	if !slices.Contains(StatementDelimiters, layout.Delimiter) {
		return nil, layout.Check(nil)
	}
	header, err := s.lines.next(layout.Delimiter[0])
	if err != nil {
		var failed readFailure
		if errors.As(err, &failed) {
			return nil, err
		}
		return nil, ErrStatementHeader
	}
	header = trimmed(header)
	if !named(header) {
		return nil, ErrStatementHeader
	}
	if err := layout.Check(header); err != nil {
		return nil, cmp.Or(layout.otherDelimiter(header), err)
	}
	s.width = len(header)
	for f, name := range layout.Columns {
		s.at[f] = slices.Index(header, name)
	}
	s.zone, err = time.LoadLocation(layout.Zone)
	return s, err
}

func trimmed(fields []string) []string {
	list := make([]string, len(fields))
	for i, f := range fields {
		list[i] = strings.TrimSpace(f)
	}
	return list
}

// named reports whether fields can be names of columns. A carriage return in one means that the lines of the file end with
// carriage returns alone.
func named(fields []string) bool {
	return !slices.ContainsFunc(fields,
		func(name string) bool { return len(name) > maxColumnName || strings.ContainsRune(name, '\r') })
}

// Offset returns how many bytes of the file have been read.
func (s *StatementReader) Offset() int64 { return s.lines.offset }

// Next returns the next line, or io.EOF at the end. It returns a LineError for a line that cannot be read, and can then be
// called for the line after it.
func (s *StatementReader) Next() (StatementLine, error) {
	fields, err := s.lines.next(s.layout.Delimiter[0])
	if err != nil {
		return StatementLine{}, err
	}
	l, err := s.read(fields)
	if err != nil {
		return StatementLine{}, LineError{int(s.lines.number), err}
	}
	return l, nil
}

func (s *StatementReader) read(fields []string) (l StatementLine, err error) {
	if len(fields) != s.width {
		return l, fmt.Errorf("it has %d fields, but the header has %d", len(fields), s.width)
	}
	field := func(f StatementField) (string, bool) {
		n, mapped := s.at[f]
		if !mapped {
			return "", false
		}
		return fields[n], true
	}
	l.Line = s.lines.number
	id, _ := field(StatementTransaction)
	if err := CheckID(id); err != nil {
		return l, fmt.Errorf("transaction ID: %w", err)
	}
	l.TransactionID = TransactionID(id)
	if user, mapped := field(StatementPlayer); mapped {
		if err := CheckID(user); err != nil {
			return l, fmt.Errorf("player: %w", err)
		}
		l.UserID = UserID(user)
	}
	if code, mapped := field(StatementCurrency); mapped {
		if l.Currency, err = ParseCurrency(strings.ToUpper(strings.TrimSpace(code))); err != nil {
			return l, err
		}
	}
	if text, mapped := field(StatementTime); mapped {
		if l.At, err = s.layout.Times.parse(strings.TrimSpace(text), s.zone); err != nil {
			return l, err
		}
	}
	if word, mapped := field(StatementFreeSpin); mapped && strings.TrimSpace(word) != "" {
		if l.FreeSpin, err = flagOf(word); err != nil {
			return l, err
		}
	}
	word, kindNamed := field(StatementKind)
	if kindNamed {
		if l.Kind, err = kindOf(word); err != nil {
			return l, err
		}
	}
	if s.layout.TellsStates() {
		l.Standing = StandingApplied
	}
	if word, mapped := field(StatementStateOf); mapped {
		if l.Standing, err = standingOf(word); err != nil {
			return l, err
		}
	}
	if l.Kind == Rollback {
		// Its amount, if it has one, adds nothing to the transaction's own.
		l.Standing, l.NoAmount, l.FreeSpin = StandingRolledBack, true, nil
		return l, nil
	}
	return l, s.amounts(&l, field)
}

// parse parses a time in a zone. A time in the hour that comes twice in autumn is taken as the first of the two. The difference
// only matters at the edges of the period.
func (s TimeShape) parse(text string, zone *time.Location) (time.Time, error) {
	switch s {
	case TimesUnix, TimesUnixMilli:
		n, err := strconv.ParseInt(text, 10, 64)
		if err == nil && s == TimesUnix && n > 0 && n < 1<<36 {
			return time.Unix(n, 0).UTC(), nil
		}
		if err == nil && s == TimesUnixMilli && n > 0 && n < 1<<46 {
			return time.UnixMilli(n).UTC(), nil
		}
	default:
		for _, layout := range timeLayouts[s] {
			at, err := time.ParseInLocation(layout, text, zone)
			if err != nil || at.Year() < 1970 || at.Year() >= 10000 || madeUp(at, zone) {
				continue
			}
			// the text has neither an offset nor a zone's abbreviation
			if zone != time.UTC && !strings.Contains(layout, "Z07") && !strings.Contains(layout, "MST") {
				wall, _ := time.Parse(layout, text)
				// No clock in the zone has shown this time. It belongs to another zone, and only the file's owner knows which.
				if !sameClock(at, wall) {
					return time.Time{}, fmt.Errorf("%.40q is a time that clocks in %s skipped", text, zone)
				}
				for _, back := range []time.Duration{time.Hour, 30 * time.Minute} {
					if earlier := at.Add(-back); sameClock(earlier, wall) {
						at = earlier
					}
				}
			}
			return at.UTC().Truncate(time.Microsecond), nil
		}
	}
	return time.Time{}, fmt.Errorf("%.40q is not a time such as %s", text, s.Word())
}

func sameClock(a, b time.Time) bool { return a.Hour() == b.Hour() && a.Minute() == b.Minute() }

// madeUp reports whether a time has a zone abbreviation that the chosen zone does not know: Go takes any such abbreviation for
// UTC.
func madeUp(at time.Time, zone *time.Location) bool {
	name, offset := at.Zone()
	return at.Location() != zone && at.Location() != time.UTC && offset == 0 && name != "" && name != "GMT"
}

// Go reads fractions of a second after any of these.
var timeLayouts = map[TimeShape][]string{
	TimesISO: {"2006-01-02 15:04:05", "2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00",
		"2006-01-02 15:04:05 Z07:00", "2006-01-02 15:04:05 MST", "2006-01-02T15:04:05Z0700", "2006-01-02 15:04", "2006-01-02"},
	TimesDayFirst: {"02.01.2006 15:04:05", "02/01/2006 15:04:05", "02-01-2006 15:04:05", "2.1.2006 15:04:05",
		"02.01.2006 15:04", "02/01/2006 15:04"},
	TimesMonth: {"01/02/2006 15:04:05", "1/2/2006 15:04:05", "01/02/2006 03:04:05 PM", "1/2/2006 3:04:05 PM",
		"01/02/2006 15:04"},
}

// Words that statements use, in lower case and without separators.
var (
	kindWords = map[string]OperationKind{
		"bet": Bet, "withdraw": Bet, "withdrawal": Bet, "debit": Bet, "stake": Bet, "wager": Bet, "freespin": Bet,
		"win": Win, "deposit": Win, "credit": Win, "payout": Win, "prize": Win,
		"betwin": BetWin, "betandwin": BetWin, "debitcredit": BetWin,
		"rollback": Rollback, "rollbacktransaction": Rollback, "refund": Rollback, "cancel": Rollback, "cancelbet": Rollback,
		"void": Rollback, "reversal": Rollback,
	}
	standingWords = map[string]Standing{
		"": StandingApplied, "applied": StandingApplied, "processed": StandingApplied, "ok": StandingApplied,
		"success": StandingApplied, "successful": StandingApplied,
		"completed": StandingApplied, "complete": StandingApplied, "settled": StandingApplied, "done": StandingApplied,
		"accepted": StandingApplied, "confirmed": StandingApplied, "0": StandingApplied,
		"rolledback": StandingRolledBack, "rollback": StandingRolledBack, "reversed": StandingRolledBack,
		"refunded": StandingRolledBack, "cancelled": StandingRolledBack,
		"canceled": StandingRolledBack, "void": StandingRolledBack, "voided": StandingRolledBack,
		"failed": StandingFailed, "error": StandingFailed, "declined": StandingFailed, "rejected": StandingFailed,
		"refused": StandingFailed, "timeout": StandingFailed,
	}
	flagWords = map[string]bool{
		"true": true, "yes": true, "y": true, "1": true, "freespin": true, "free": true,
		"false": false, "no": false, "n": false, "0": false, "real": false, "money": false,
	}
)

func plainWord(s string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case ' ', '-', '_', '/', '+', '&':
			return -1
		}
		return r
	}, strings.ToLower(strings.TrimSpace(s)))
}

func kindOf(word string) (OperationKind, error) {
	kind, known := kindWords[plainWord(word)]
	if !known {
		return 0, fmt.Errorf("the kind %.40q is unknown; bet, win, bet-win, rollback and common synonyms are known", word)
	}
	return kind, nil
}

func standingOf(word string) (Standing, error) {
	s, known := standingWords[plainWord(word)]
	if !known {
		return 0, fmt.Errorf("the state %.40q is unknown; applied, rolled back, failed and common synonyms are known",
			word)
	}
	return s, nil
}

func flagOf(word string) (*bool, error) {
	flag, known := flagWords[plainWord(word)]
	if !known {
		return nil, fmt.Errorf("free spin %.40q is neither yes nor no", word)
	}
	return &flag, nil
}
