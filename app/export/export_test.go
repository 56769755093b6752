package export

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"pitboss/models"
)

var columns = []Column{{Name: "Name"}, {Name: "Count", Kind: Number}, {Name: "Amount", Kind: Money}, {Name: "At", Kind: Time},
	{Name: "Test", Kind: Flag}}

var head = Head{
	Title: "Things", Filters: []Remark{{"Player", `=cmd|'/c calc'!A1`}}, Actor: "ann",
	At: time.Date(2026, 10, 25, 1, 30, 0, 0, time.UTC), Zone: vienna,
}

var vienna = func() *time.Location {
	zone, err := time.LoadLocation("Europe/Vienna")
	if err != nil {
		panic(err)
	}
	return zone
}()

// hostile are texts that a spreadsheet could take for a formula, with their form in a file.
var hostile = map[string]string{
	`=1+1`:                 `'=1+1`,
	`+49 1`:                `'+49 1`,
	`-1`:                   `'-1`,
	`@SUM(A1)`:             `'@SUM(A1)`,
	"\t=1":                 "\t'=1",
	"\n=1":                 "\n'=1",
	"a;=1":                 "a;'=1",
	"  =1":                 "'  =1",
	"\u00a0@x":             "'\u00a0@x",
	"＝1":                   "'＝1",
	"a=1":                  "a=1",
	"anna, \"the\"\nfirst": "anna, \"the\"\nfirst",
	"<b>&amp;":             "<b>&amp;",
	"bell\x07":             "bell␇",
	"_x0041_":              "_x0041_",
	"1E5":                  "1E5",
	"007":                  "007",
	"":                     "",
}

func fill(t *testing.T, w writer) {
	t.Helper()
	at := time.Date(2026, 10, 25, 0, 30, 0, 123456000, time.UTC) // the first 2:30 of two in Vienna
	require.NoError(t, w.row(Row{"a", int64(-7), models.Amount(-1230), at, true}))
	require.NoError(t, w.row(Row{"b", int64(0), nil, time.Time{}, false}))
	require.NoError(t, w.row(Row{"c", int64(1e17 + 1), models.Amount(99_999_999_999_999_999), at.Add(time.Hour), false}))
	require.NoError(t, w.finish(3))
	require.NoError(t, w.close())
}

func TestCSV(t *testing.T) {
	var b bytes.Buffer
	w, err := newCSV(&b, head, columns)
	require.NoError(t, err)
	fill(t, w)
	require.Equal(t, "\ufeff"+`Name,Count,Amount,At (Europe/Vienna),Test
a,-7,-12.30,2026-10-25T02:30:00.123456+02:00,yes
b,0,,,no
c,100000000000000001,999999999999999.99,2026-10-25T02:30:00.123456+01:00,no
`, b.String())

	b.Reset()
	w, err = newCSV(&b, head, columns[:1])
	require.NoError(t, err)
	for text := range hostile {
		require.NoError(t, w.row(Row{text + " "}[:1]))
	}
	require.NoError(t, w.finish(0))
	r := csv.NewReader(strings.NewReader(strings.TrimPrefix(b.String(), "\ufeff")))
	r.FieldsPerRecord = -1
	records, err := r.ReadAll()
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(records), len(hostile))
	for text, safe := range hostile {
		require.Equal(t, safe, Cell(text))
	}
}

// read opens a workbook and returns the rows of its sheets as shown, by the names of the sheets.
func read(t *testing.T, content []byte) (*excelize.File, map[string][][]string) {
	t.Helper()
	f, err := excelize.OpenReader(bytes.NewReader(content))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.Close()) })
	sheets := map[string][][]string{}
	for _, name := range f.GetSheetList() {
		sheets[name], err = f.GetRows(name)
		require.NoError(t, err)
	}
	return f, sheets
}

func TestXLSX(t *testing.T) {
	var b bytes.Buffer
	w, err := newXLSX(&b, head, columns)
	require.NoError(t, err)
	fill(t, w)
	f, sheets := read(t, b.Bytes())
	require.Equal(t, []string{"Rows", "About"}, f.GetSheetList())
	require.Equal(t, []string{"Filter Player", `'=cmd|'/c calc'!A1`}, sheets["About"][5])
	require.Equal(t, []string{"Rows", "3"}, sheets["About"][6])
	require.Equal(t, [][]string{
		{"Name", "Count", "Amount", "At (Europe/Vienna)", "Test"},
		{"a", "-7", "-12.30", "2026-10-25 02:30:00.000", "yes"},
		{"b", "0", "", "", "no"},
		{"c", "100000000000000001", "999999999999999.99", "2026-10-25 02:30:00.000", "no"},
	}, sheets["Rows"])
	for sheet, want := range map[string]string{"Rows": "A1:E4", "About": "A1:B7"} {
		area, err := f.GetSheetDimension(sheet)
		require.NoError(t, err)
		require.Equal(t, want, area, "by which some readers find the rows")
	}
	tables, err := f.GetTables("Rows")
	require.NoError(t, err)
	require.Equal(t, "A1:E4", tables[0].Range, "it has a filter")
	for cell, want := range map[string]excelize.CellType{
		"A2": excelize.CellTypeInlineString, "B2": excelize.CellTypeUnset, "C2": excelize.CellTypeUnset,
		"D2": excelize.CellTypeUnset, "E2": excelize.CellTypeInlineString,
		// more digits than a spreadsheet's number keeps
		"B4": excelize.CellTypeInlineString, "C4": excelize.CellTypeInlineString,
	} {
		kind, err := f.GetCellType("Rows", cell)
		require.NoError(t, err)
		require.Equal(t, want, kind, cell)
	}
	raw, err := f.GetCellValue("Rows", "C2", excelize.Options{RawCellValue: true})
	require.NoError(t, err)
	require.Equal(t, "-12.3", raw)
	// This reader shows no milliseconds, but the number has them.
	raw, err = f.GetCellValue("Rows", "D2", excelize.Options{RawCellValue: true})
	require.NoError(t, err)
	days, err := strconv.ParseFloat(raw, 64)
	require.NoError(t, err)
	since1899 := time.Date(2026, 10, 25, 2, 30, 0, 123000000, time.UTC).Sub(time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC))
	require.InDelta(t, since1899.Hours()/24, days, 0.0005/86400)
}

// TestTypesInUTC writes days and percentages as such.
func TestTypesInUTC(t *testing.T) {
	var b bytes.Buffer
	about := head
	about.Zone = time.UTC
	of := []Column{{Name: "Day", Kind: Day}, {Name: "RTP", Kind: Percent}, {Name: "Turnover", Kind: Money}, {Name: "At", Kind: Time}}
	w, err := newXLSX(&b, about, of)
	require.NoError(t, err)
	require.NoError(t, w.row(Row{"2026-10-25", "96.50", models.Amount(100), head.At}))
	require.NoError(t, w.row(Row{"all days", "", models.Amount(200), time.Time{}}))
	require.NoError(t, w.finish(2))
	require.NoError(t, w.close())
	f, sheets := read(t, b.Bytes())
	require.Equal(t, [][]string{{"Day", "RTP", "Turnover", "At (UTC)"}, {"2026-10-25", "96.50%", "1.00", "2026-10-25 01:30:00.000"},
		{"all days", "", "2.00"}}, sheets["Rows"])
	require.Contains(t, sheets["About"], []string{"Times", "in UTC"})
	raw, err := f.GetCellValue("Rows", "B2", excelize.Options{RawCellValue: true})
	require.NoError(t, err)
	require.Equal(t, "0.965", raw)
}

// TestAttackCellsOfOtherSeparators writes cells that are formulas where a spreadsheet splits at semicolons or tabs.
func TestAttackCellsOfOtherSeparators(t *testing.T) {
	var b bytes.Buffer
	w := NewCSV(&b)
	for _, text := range []string{"a;=1+1", "a;b; =1+1", "a\t@x", ";-1", "a\n=1"} {
		require.NoError(t, w.Write([]string{"first", Cell(text), "last"}))
	}
	require.NoError(t, w.Flush())
	for _, cell := range strings.FieldsFunc(b.String(), func(r rune) bool { return strings.ContainsRune(";\t\n,", r) }) {
		cell = strings.TrimLeft(cell, " \"")
		require.True(t, cell == "" || !strings.ContainsRune("=+-@", rune(cell[0])), "%q in %q", cell, b.String())
	}
}

func TestXLSXTexts(t *testing.T) {
	var b bytes.Buffer
	w, err := newXLSX(&b, head, columns[:1])
	require.NoError(t, err)
	var order []string
	for text := range hostile {
		order = append(order, text)
		require.NoError(t, w.row(Row{text}))
	}
	long := strings.Repeat("ä𝄞", 20_000)
	require.NoError(t, w.row(Row{long}))
	require.NoError(t, w.finish(0))
	require.NoError(t, w.close())
	f, _ := read(t, b.Bytes())
	for i, text := range order {
		value, err := f.GetCellValue("Rows", fmt.Sprint("A", i+2))
		require.NoError(t, err)
		require.Equal(t, hostile[text], value)
		formula, err := f.GetCellFormula("Rows", fmt.Sprint("A", i+2))
		require.NoError(t, err)
		require.Empty(t, formula)
	}
	value, err := f.GetCellValue("Rows", fmt.Sprint("A", len(order)+2))
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(long, value) && value != "", "it is cut")
}

// TestXLSXIsFull refuses the row after the last that a sheet has.
func TestXLSXIsFull(t *testing.T) {
	w, err := newXLSX(io.Discard, head, columns[:2])
	require.NoError(t, err)
	w.at = excelize.TotalRows - 1
	require.NoError(t, w.row(Row{"r", int64(1)}))
	require.Equal(t, errXLSXFull, w.row(Row{"r", int64(2)}))
	require.NoError(t, w.close())
}

// BenchmarkMillion writes files of a million rows, with as many columns as the list of transactions has, and reports the most
// memory that the program used meanwhile.
func BenchmarkMillion(b *testing.B) {
	wide := List{Columns: []Column{
		{Name: "Number", Kind: Number}, {Name: "Time", Kind: Time}, {Name: "Transaction ID"}, {Name: "Kind"}, {Name: "Played with"},
		{Name: "Player"},
		{Name: "Test player", Kind: Flag}, {Name: "Round ID"},
		{Name: "Bet", Kind: Money}, {Name: "Win", Kind: Money}, {Name: "Moved", Kind: Money}, {Name: "Balance after", Kind: Money}, {Name: "Currency"},
		{Name: "State"}, {Name: "Rolled back", Kind: Time},
	}}
	wide.Read = func(ctx context.Context, page func([]Row) error) error {
		at := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
		for p := range 1000 {
			rows := make([]Row, 1000)
			for i := range rows {
				n := int64(p*1000 + i)
				at = at.Add(-37 * time.Millisecond)
				rows[i] = Row{
					n, at, fmt.Sprintf("%032x", n*7919), "bet", "real money", fmt.Sprint("player-", n%5000), false,
					fmt.Sprintf("r%016x", n/3),
					models.Amount(n % 10000), models.Amount(0), models.Amount(-n % 10000), models.Amount(n), "EUR", "applied",
					time.Time{},
				}
			}
			if err := page(rows); err != nil {
				return err
			}
		}
		return nil
	}
	for _, format := range []Format{CSV, XLSX} {
		b.Run(string(format), func(b *testing.B) {
			for b.Loop() {
				var peak uint64
				watching, watched := make(chan struct{}), make(chan struct{})
				go func() {
					defer close(watched)
					var m runtime.MemStats
					for {
						select {
						case <-watching:
							return
						case <-time.After(50 * time.Millisecond):
							runtime.ReadMemStats(&m)
							peak = max(peak, m.HeapInuse)
						}
					}
				}()
				var written bytes.Buffer
				rows, err := Write(b.Context(), &written, format, head, wide)
				close(watching)
				<-watched
				require.NoError(b, err)
				require.EqualValues(b, 1_000_000, rows)
				b.ReportMetric(float64(peak)/(1<<20), "MB-heap-at-most")
				b.ReportMetric(float64(written.Len())/(1<<20), "MB-file")
			}
		})
	}
}
