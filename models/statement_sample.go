package models

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"time"
)

// StatementSample is the beginning of a statement, from which a layout is guessed.
type StatementSample struct {
	Delimiter string
	Header    []string
	Rows      [][]string // the first lines that can be split
}

const (
	sampleBytes = 64 << 10
	sampleRows  = 20
)

// SampleStatement reads the beginning of a statement. If delimiter is empty, it is guessed: the one that splits the first lines
// into the most fields, and each line into the same number. It returns ErrStatementHeader for a file without a header.
func SampleStatement(r io.Reader, delimiter string) (StatementSample, error) {
	begin, err := io.ReadAll(io.LimitReader(r, sampleBytes))
	if err != nil {
		return StatementSample{}, err
	}
	if delimiter != "" {
		if !slices.Contains(StatementDelimiters, delimiter) {
			return StatementSample{}, LayoutError{"delimiter", "choose a comma, a semicolon, a tab or a bar"}
		}
		return sampleBy(begin, delimiter)
	}
	best, bestScore := StatementSample{}, -1
	for _, d := range StatementDelimiters {
		s, err := sampleBy(begin, d)
		if err != nil {
			continue
		}
		alike := 0
		for _, row := range s.Rows {
			if len(row) == len(s.Header) {
				alike++
			}
		}
		if score := (len(s.Header) - 1) * (alike + 1); score > bestScore {
			best, bestScore = s, score
		}
	}
	if bestScore < 0 {
		return best, ErrStatementHeader
	}
	return best, nil
}

func sampleBy(begin []byte, delimiter string) (StatementSample, error) {
	whole := len(begin) < sampleBytes
	lines := lineReader{in: bufio.NewReaderSize(bytes.NewReader(begin), maxStatementLine)}
	header, err := lines.next(delimiter[0])
	if err != nil || !named(header) {
		return StatementSample{}, ErrStatementHeader
	}
	s := StatementSample{Delimiter: delimiter, Header: trimmed(header)}
	for len(s.Rows) < sampleRows {
		fields, err := lines.next(delimiter[0])
		var bad LineError
		if errors.As(err, &bad) {
			continue
		}
		if err != nil || !whole && lines.offset == sampleBytes { // the last line was cut off
			break
		}
		s.Rows = append(s.Rows, slices.Clone(fields))
	}
	return s, nil
}

// Common names of columns, without separators, in order of preference.
var columnNames = map[StatementField][]string{
	StatementTransaction: {"transactionid", "transaction", "txid", "txnid", "trxid", "trid", "externalid", "reference", "id"},
	StatementKind:        {"kind", "type", "transactiontype", "txtype", "operation", "action"},
	StatementAmount:      {"amount", "sum", "value"},
	StatementBet:         {"betamount", "bet", "stake", "debit"},
	StatementWin:         {"winamount", "win", "payout", "credit"},
	StatementStateOf:     {"state", "status", "result"},
	StatementPlayer: {"userid", "user", "playerid", "player", "username", "login", "playerlogin", "playername",
		"customerid", "customer", "accountid"},
	StatementCurrency: {"currency", "currencycode", "ccy", "curr"},
	StatementTime: {"time", "timestamp", "datetime", "createdat", "created", "date", "transactiontime",
		"transactiondate", "at"},
	StatementFreeSpin: {"freespin", "isfreespin", "free", "bonus"},
}

// GuessLayout returns the layout that the sample suggests, with times in zone. It may still lack columns: see
// StatementLayout.Check.
func (s *StatementSample) GuessLayout(zone string) StatementLayout {
	l := StatementLayout{Delimiter: s.Delimiter, Decimal: ".", Columns: map[StatementField]string{}, Times: TimesISO,
		Zone: zone}
	for f, names := range columnNames {
		for _, name := range names {
			if n := slices.IndexFunc(s.Header, func(h string) bool {
				h, _, _ = strings.Cut(h, "(") // such as "Created (UTC)"
				return strings.ReplaceAll(plainWord(h), ".", "") == name
			}); n >= 0 {
				l.Columns[f] = s.Header[n]
				break
			}
		}
	}
	if l.Columns[StatementBet] != "" && l.Columns[StatementWin] != "" {
		delete(l.Columns, StatementAmount)
	} else if l.Columns[StatementAmount] != "" {
		delete(l.Columns, StatementBet)
		delete(l.Columns, StatementWin)
	}
	s.GuessMarks(&l)
	return l
}

// GuessMarks sets the decimal mark and the shape of times of a layout whose columns are known, judging by their values.
func (s *StatementSample) GuessMarks(l *StatementLayout) {
	l.Decimal, l.Times = s.guessDecimal(*l), s.guessTimes(*l)
}

func (s *StatementSample) values(column string) (values []string) {
	n := slices.Index(s.Header, column)
	for _, row := range s.Rows {
		if n >= 0 && n < len(row) {
			if v := strings.TrimSpace(row[n]); v != "" {
				values = append(values, v)
			}
		}
	}
	return values
}

// FirstTime returns the first time in the sample that a layout can read, or zero if there is none, and the layout's zone.
func (s *StatementSample) FirstTime(l StatementLayout) (time.Time, *time.Location) {
	zone, err := time.LoadLocation(l.Zone)
	if err != nil {
		zone = time.UTC
	}
	for _, v := range s.values(l.Columns[StatementTime]) {
		if at, err := l.Times.parse(v, zone); err == nil {
			return at, zone
		}
	}
	return time.Time{}, zone
}

// guessDecimal returns the mark with which more of the amounts can be read; a point if both do equally well.
func (s *StatementSample) guessDecimal(l StatementLayout) string {
	readable := func(mark string) (n int) {
		for _, f := range []StatementField{StatementAmount, StatementBet, StatementWin} {
			for _, v := range s.values(l.Columns[f]) {
				if _, err := parseStatementAmount(v, mark); err == nil {
					n++
				}
			}
		}
		return n
	}
	if readable(",") > readable(".") {
		return ","
	}
	return "."
}

// guessTimes returns the shape with which most of the times can be read; day first if day and month could be either.
func (s *StatementSample) guessTimes(l StatementLayout) TimeShape {
	best, most := TimesISO, 0
	for _, shape := range TimeShapes {
		n := 0
		for _, v := range s.values(l.Columns[StatementTime]) {
			if _, err := shape.parse(v, time.UTC); err == nil {
				n++
			}
		}
		if n > most {
			best, most = shape, n
		}
	}
	return best
}
