package models

import (
	"fmt"
	"slices"
	"strings"
)

// The platform's statement is a file of its transactions. The specification has no such file (platform-notes: no transaction
// feed), so the operator and the platform agree on its columns, words, time zone and decimal mark, and a StatementLayout
// records them.

// StatementField is what a column of a statement means.
type StatementField string

// The fields. Only the TransactionID and an amount are required.
const (
	StatementTransaction StatementField = "transaction"
	StatementKind        StatementField = "kind"
	// of a bet or a win; below zero for a bet if no column names the kind
	StatementAmount   StatementField = "amount"
	StatementBet      StatementField = "bet"
	StatementWin      StatementField = "win"
	StatementStateOf  StatementField = "state"
	StatementPlayer   StatementField = "player"
	StatementCurrency StatementField = "currency"
	StatementTime     StatementField = "time"
	StatementFreeSpin StatementField = "free-spin"
)

// StatementFields are all fields, in the order in which forms ask for them.
var StatementFields = statementFieldWords.values()

var statementFieldWords = words[StatementField]{
	{StatementTransaction, "Transaction ID"},
	{StatementKind, "Kind"},
	{StatementAmount, "Amount"},
	{StatementBet, "Bet"},
	{StatementWin, "Win"},
	{StatementStateOf, "State"},
	{StatementPlayer, "Player"},
	{StatementCurrency, "Currency"},
	{StatementTime, "Time"},
	{StatementFreeSpin, "Free spin"},
}

// Word returns the field's name for people.
func (f StatementField) Word() string { return statementFieldWords.of(f, string(f)) }

// TimeShape is how a statement writes times.
type TimeShape string

// The shapes. All but the last two may be followed by a time of day, with or without fractions of a second.
const (
	TimesISO       TimeShape = "iso"         // 2026-11-19 08:14:07, with or without T, and with or without an offset
	TimesDayFirst  TimeShape = "day-first"   // 19.11.2026, 19/11/2026, 19-11-2026
	TimesMonth     TimeShape = "month-first" // 11/19/2026
	TimesUnix      TimeShape = "unix"        // seconds since 1970
	TimesUnixMilli TimeShape = "unix-ms"     // milliseconds since 1970
)

// TimeShapes are all shapes.
var TimeShapes = timeShapeWords.values()

var timeShapeWords = words[TimeShape]{
	{TimesISO, "2026-11-19 08:14:07"},
	{TimesDayFirst, "19.11.2026 08:14:07"},
	{TimesMonth, "11/19/2026 08:14:07"},
	{TimesUnix, "Seconds since 1970"},
	{TimesUnixMilli, "Milliseconds since 1970"},
}

// Word returns the shape's name for people.
func (s TimeShape) Word() string { return timeShapeWords.of(s, string(s)) }

// StatementLayout is how a statement is read.
type StatementLayout struct {
	Decimal string                    `json:"decimal"` // "." or ","
	Columns map[StatementField]string `json:"columns"` // the header's name of each field's column
	Times   TimeShape                 `json:"times"`
	Zone    string                    `json:"zone"` // of times without an offset, an IANA name
	// IDs that differ only in the case of their letters are one transaction
	IgnoreCase bool `json:"ignore_case,omitempty"`
}

// LayoutError says what is wrong with a layout or a period. Part is the name of a field or of another part: "decimal",
// "times", "zone", "period", "margin", "from" or "to".
type LayoutError struct{ Part, Why string }

// Error gives the reason.
func (e LayoutError) Error() string { return e.Part + ": " + e.Why }

// Check returns a LayoutError if a file with this header cannot be read with the layout.
func (l *StatementLayout) Check(header []string) error {
	if l.Decimal != "." && l.Decimal != "," {
		return LayoutError{"decimal", "choose a point or a comma: the file does not show which"}
	}
	if !slices.Contains(TimeShapes, l.Times) {
		return LayoutError{"times", "choose how the file writes times: it does not show which number is the day"}
	}
	if CheckZone(l.Zone) != nil {
		return LayoutError{"zone", "enter a time zone such as UTC or Europe/Vienna"}
	}
	for f, name := range l.Columns {
		if !slices.Contains(StatementFields, f) {
			return LayoutError{string(f), "there is no such field"}
		}
		switch n := slices.Index(header, name); {
		case n < 0:
			return LayoutError{string(f), fmt.Sprintf("the file has no column %q", name)}
		case slices.Contains(header[n+1:], name):
			return LayoutError{string(f), fmt.Sprintf("the file has the column %q twice", name)}
		}
	}
	has := func(f StatementField) bool { return l.Columns[f] != "" }
	switch {
	case !has(StatementTransaction):
		return LayoutError{string(StatementTransaction), "choose the column of the platform's transaction ID"}
	case has(StatementAmount) == (has(StatementBet) || has(StatementWin)):
		return LayoutError{string(StatementAmount), "choose one column of amounts, or columns of bets and wins"}
	}
	return nil
}

// Words returns, for people, which field is read from which column.
func (l *StatementLayout) Words() string {
	var columns []string
	for _, f := range StatementFields {
		if name := l.Columns[f]; name != "" {
			columns = append(columns, f.Word()+" from “"+name+"”")
		}
	}
	if l.IgnoreCase {
		columns = append(columns, "case of transaction IDs ignored")
	}
	return strings.Join(columns, ", ")
}

// TellsStates reports whether a file of this layout can say that a transaction was rolled back.
func (l *StatementLayout) TellsStates() bool {
	return l.Columns[StatementStateOf] != "" || l.Columns[StatementKind] != ""
}
