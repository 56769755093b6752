package sheet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"pitboss/models"
)

// statementColumns are the columns of a statement, by models.StatementField.
var statementColumns = []column{
	{"transaction", []string{"transactionid", "transaction", "txid", "txnid", "trxid", "trid", "externalid", "reference", "id"}},
	{"kind", []string{"kind", "type", "transactiontype", "txtype", "operation", "action"}},
	{"amount", []string{"amount", "sum", "value"}},
	{"bet", []string{"betamount", "bet", "stake", "debit"}},
	{"win", []string{"winamount", "win", "payout", "credit"}},
	{"state", []string{"state", "status", "result"}},
	{"player", []string{"userid", "user", "playerid", "player", "username", "login", "playerlogin", "playername", "customerid",
		"customer", "accountid"}},
	{"currency", []string{"currency", "currencycode", "ccy", "curr"}},
	{"time", []string{"time", "timestamp", "datetime", "createdat", "created", "date", "transactiontime", "transactiondate", "at"}},
	{"free-spin", []string{"freespin", "isfreespin", "free", "bonus"}},
}

// ErrHeader is returned for a statement without a line of column names.
const ErrHeader = Unreadable("the file needs a line with the names of its columns")

// Sample is the beginning of a statement, as it is in the file.
type Sample struct {
	Header []string
	Rows   [][]Cell
	Notes  []string // see File
}

const sampled = 20

// SampleStatement reads the beginning of a statement. The columns are named as people name them or, if the file has other
// names, by the first line that has several cells.
func SampleStatement(ctx context.Context, from io.ReadSeeker) (s Sample, err error) {
	names := known(statementColumns)
	f, err := Open(ctx, from, func(cells []string) int {
		return 10*names(cells) + min(len(cells), 2) - 1
	})
	if err != nil {
		return s, err
	}
	if len(f.Header) < 2 || f.damaged && names(f.Header) == 0 {
		return s, ErrHeader
	}
	s.Header, s.Notes = f.Header, f.Notes
	for len(s.Rows) < sampled {
		row, err := f.Next()
		var bad models.LineError
		switch {
		case err == io.EOF:
			return s, nil
		case errors.As(err, &bad):
			continue
		case err != nil:
			return s, err
		}
		s.Rows = append(s.Rows, row.Cells)
	}
	return s, nil
}

// GuessLayout returns the layout that a statement's header and first values suggest, with times in zone. Parts that they do not
// show stay empty: see models.StatementLayout.Check.
func (s *Sample) GuessLayout(zone string) models.StatementLayout {
	l := models.StatementLayout{Columns: map[models.StatementField]string{}, Zone: zone}
	for _, c := range statementColumns {
		if i := c.find(s.Header); i >= 0 {
			l.Columns[models.StatementField(c.field)] = s.Header[i]
		}
	}
	if l.Columns[models.StatementBet] != "" && l.Columns[models.StatementWin] != "" {
		delete(l.Columns, models.StatementAmount)
	} else if l.Columns[models.StatementAmount] != "" {
		delete(l.Columns, models.StatementBet)
		delete(l.Columns, models.StatementWin)
	}
	var amounts, times []Cell
	for _, row := range s.Rows {
		for field, to := range map[models.StatementField]*[]Cell{models.StatementAmount: &amounts, models.StatementBet: &amounts,
			models.StatementWin: &amounts, models.StatementTime: &times} {
			if i := slices.Index(s.Header, l.Columns[field]); l.Columns[field] != "" && i >= 0 && row[i].Text != "" && row[i].Text != "-" {
				*to = append(*to, row[i])
			}
		}
	}
	l.Decimal, l.Times = decimalMark(amounts), timeShape(times)
	return l
}

// openStatement opens a statement whose header has the columns of a layout, and returns where they are.
func openStatement(ctx context.Context, from io.ReadSeeker, l models.StatementLayout) (*File, map[models.StatementField]int, error) {
	f, err := Open(ctx, from, OfStatement(l).known)
	if err != nil {
		return nil, nil, err
	}
	at := map[models.StatementField]int{}
	for field, name := range l.Columns {
		if i := slices.Index(f.Header, name); i >= 0 {
			at[field] = i
		}
	}
	return f, at, nil
}

// FirstTime returns the first time in the sample that a layout can read, or zero if there is none, and the layout's zone.
func (s *Sample) FirstTime(l models.StatementLayout) (time.Time, *time.Location) {
	zone, err := time.LoadLocation(l.Zone)
	if err != nil {
		zone = time.UTC
	}
	n := slices.Index(s.Header, l.Columns[models.StatementTime])
	times := timeReader{shape: l.Times, zone: zone}
	for _, row := range s.Rows {
		if n >= 0 {
			if at, err := times.parse(row[n]); err == nil {
				return at, zone
			}
		}
	}
	return time.Time{}, zone
}

// StatementReader reads the lines of a statement.
type StatementReader struct {
	*File
	cash   bool // it has deposits and cash-outs
	layout models.StatementLayout
	at     map[models.StatementField]int
	times  timeReader
}

// NewStatementReader begins to read a statement of the platform, or of a client's cash, whose file must stay open. It returns
// ErrHeader, another Unreadable, a models.LayoutError, or the error of the file.
func NewStatementReader(ctx context.Context, from io.ReadSeeker, layout models.StatementLayout, cash bool) (*StatementReader, error) {
	f, at, err := openStatement(ctx, from, layout)
	if err != nil {
		return nil, err
	}
	if len(f.Header) == 0 {
		err = ErrHeader
	} else if err = layout.Check(f.Header); err == nil {
		f.noteUnused(func(column int) bool { return slices.Contains(slices.Collect(maps.Values(at)), column) })
		s := &StatementReader{File: f, cash: cash, layout: layout, at: at, times: timeReader{shape: layout.Times}}
		if s.times.zone, err = time.LoadLocation(layout.Zone); err == nil {
			return s, nil
		}
	}
	return nil, err
}

// Next returns the next line, or io.EOF at the end. It returns a models.LineError for a line that cannot be read, and can then
// be called for the line after it.
func (s *StatementReader) Next() (models.StatementLine, error) {
	row, err := s.File.Next()
	if err != nil {
		return models.StatementLine{}, err
	}
	l, err := s.read(row)
	if err != nil {
		return models.StatementLine{}, models.LineError{Line: row.Line, Err: err}
	}
	return l, nil
}

func (s *StatementReader) read(row Row) (l models.StatementLine, err error) {
	cell := func(f models.StatementField) (Cell, bool) {
		n, mapped := s.at[f]
		if !mapped {
			return Cell{}, false
		}
		return row.Cells[n], true
	}
	field := func(f models.StatementField) (string, bool) {
		c, mapped := cell(f)
		return c.Text, mapped
	}
	l.Line = int64(row.Line)
	// IDs are bytes, and a program writes them as they are.
	id, err := row.Cells[s.at[models.StatementTransaction]].exactID()
	if err != nil {
		return l, fmt.Errorf("transaction ID: %w", err)
	}
	if s.cash && len(id) > models.MaxCashID {
		return l, models.ErrCashID
	}
	l.TransactionID = models.TransactionID(id)
	if player, mapped := cell(models.StatementPlayer); mapped {
		user, err := player.exactID()
		if err != nil {
			return l, fmt.Errorf("player: %w", err)
		}
		l.UserID = models.UserID(user)
	}
	if code, mapped := field(models.StatementCurrency); mapped {
		if l.Currency, err = models.ParseCurrency(strings.ToUpper(code)); err != nil {
			return l, err
		}
	}
	if at, mapped := cell(models.StatementTime); mapped {
		if l.At, err = s.times.parse(at); err != nil {
			return l, err
		}
	}
	if word, mapped := field(models.StatementFreeSpin); mapped && word != "" {
		if l.FreeSpin, err = flagOf(word); err != nil {
			return l, err
		}
	}
	word, kindNamed := field(models.StatementKind)
	if kindNamed {
		if l.Kind, err = kindOf(word, s.cash); err != nil {
			return l, err
		}
	}
	if s.layout.TellsStates() {
		l.Standing = models.StandingApplied
	}
	if word, mapped := field(models.StatementStateOf); mapped {
		if l.Standing, err = standingOf(word, s.cash); err != nil {
			return l, err
		}
	}
	if l.Kind == models.Rollback {
		// Its amount, if it has one, adds nothing to the transaction's own.
		l.Standing, l.NoAmount, l.FreeSpin = models.StandingRolledBack, true, nil
		return l, nil
	}
	if err := s.amounts(&l, cell); err != nil || !s.cash {
		return l, err
	}
	switch {
	case l.Kind == models.BetWin || l.Bet != 0 && l.Win != 0:
		return l, errors.New("it is a deposit and a cash-out in one")
	case l.Kind == models.Bet || l.Bet != 0:
		l.Kind = models.CashOut
	default:
		l.Kind = models.CashIn
	}
	return l, nil
}
