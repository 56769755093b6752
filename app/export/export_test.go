package export

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"
	"gorm.io/gorm"

	"pitboss/app/jobs"
	"pitboss/models"
	"pitboss/models/store"
	"pitboss/models/store/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }

var columns = []Column{{Name: "Name"}, {Name: "Count", Kind: Number}, {Name: "Amount", Kind: Money}, {Name: "At", Kind: Time},
	{Name: "Test", Kind: Flag}}

var head = Head{
	Title: "Things", Filters: []models.ExportFilter{{Label: "Player", Value: `=cmd|'/c calc'!A1`}}, Actor: "ann",
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

// desk is a service over a real database, and the lists that are requested from it and from other instances.
type desk struct {
	*Service
	t     *testing.T
	store *store.Store
	lists *sync.Map // by the query of the export
	ahead atomic.Int64
	leave func()
}

func newDesk(t *testing.T, url string, lists *sync.Map) *desk {
	d := &desk{t: t, lists: lists}
	d.store = storetest.Open(t, store.Config{URL: url,
		Now: func() time.Time { return time.Now().Add(time.Duration(d.ahead.Load())) }})
	d.Service = New(Config{Store: d.store, List: func(_ context.Context, e models.Export) (List, error) {
		list, _ := lists.Load(e.Query)
		return list.(List), nil
	}})
	return d
}

func (d *desk) work() *desk {
	ctx, stop := context.WithCancel(d.t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		jobs.Schedule{Leases: d.store, Holder: "test", Log: slog.New(slog.DiscardHandler)}.Run(ctx, d.Jobs()...)
	}()
	d.leave = func() {
		stop()
		<-done
	}
	d.t.Cleanup(d.leave)
	return d
}

func (d *desk) ask(list List) models.Export {
	d.t.Helper()
	query := rand.Text()
	d.lists.Store(query, list)
	e, err := d.Ask(d.t.Context(), models.Actor{Name: "ann"},
		models.Export{StaffID: 1, List: "/things", Title: "Things", Query: query, Zone: "Europe/Vienna", Format: models.CSV})
	require.NoError(d.t, err)
	return e
}

func (d *desk) until(id int64, state models.JobState) (e models.Export) {
	d.t.Helper()
	require.Eventually(d.t, func() bool {
		var err error
		e, _, err = d.store.Export(d.t.Context(), id)
		require.NoError(d.t, err)
		return e.State == state
	}, time.Minute, 5*time.Millisecond)
	return e
}

// content returns the file of an export.
func (d *desk) content(e models.Export) string {
	d.t.Helper()
	content, err := io.ReadAll(d.store.ExportFile(d.t.Context(), e))
	require.NoError(d.t, err)
	return string(content)
}

func things(rows ...Row) List {
	return List{Columns: columns[:2],
		Read: func(ctx context.Context, page func(Page) error) error { return page(Page{Rows: rows}) }}
}

// stuck is a list that waits in its middle until letGo is closed, or its context ends.
func stuck(begun, letGo chan struct{}) List {
	return List{Columns: columns[:1], Read: func(ctx context.Context, page func(Page) error) error {
		if err := page(Page{Rows: []Row{{"first"}}}); err != nil {
			return err
		}
		close(begun)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-letGo:
		}
		return page(Page{Rows: []Row{{"second"}}})
	}}
}

// TestService writes exports. Another instance has their files, until their time is over.
func TestService(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		d := newDesk(t, url, &sync.Map{}).work()
		e := d.until(d.ask(things(Row{"a", int64(1)}, Row{"b", int64(2)})).ID, models.JobFinished)
		require.EqualValues(t, 2, e.Rows)
		another := newDesk(t, url, d.lists)
		require.EqualValues(t, len(another.content(e)), e.Bytes)
		require.Contains(t, another.content(e), "Name,Count\na,1\nb,2\n")

		// A file of several chunks is read from its middle too.
		long := make([]Row, 40_000)
		for i := range long {
			long[i] = Row{rand.Text(), int64(i)}
		}
		large := d.until(d.ask(things(long...)).ID, models.JobFinished)
		whole := another.content(large)
		require.Greater(t, len(whole), 1<<20)
		part := make([]byte, 300<<10)
		_, err := another.store.ExportFile(t.Context(), large).ReadAt(part, 700_001)
		require.NoError(t, err)
		require.Equal(t, whole[700_001:][:len(part)], string(part))

		// A failure is reported without secrets.
		bad := d.until(d.ask(List{Columns: columns[:1],
			Read: func(context.Context, func(Page) error) error { return errors.New("secret DSN") }}).ID, models.JobFailed)
		require.Equal(t, string(errFailed), bad.Failure)
		bad = d.until(d.ask(List{Columns: columns[:1],
			Read: func(context.Context, func(Page) error) error { panic("of a list") }}).ID, models.JobFailed)
		require.Equal(t, string(errFailed), bad.Failure)

		another.ahead.Store(int64(25 * time.Hour))
		require.NoError(t, another.store.DeleteOldFiles(t.Context()))
		require.Equal(t, models.JobExpired, d.until(e.ID, models.JobExpired).State)
		require.Empty(t, d.content(e))
		require.Empty(t, d.content(large))
	})
}

// TestBegunAgain ends an instance in the middle of two exports, while a third one waits. Another instance writes all of them.
func TestBegunAgain(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		d := newDesk(t, url, &sync.Map{}).work()
		var exports []models.Export
		for range 2 {
			begun := make(chan struct{})
			e := d.ask(stuck(begun, nil))
			<-begun
			exports = append(exports, e)
		}
		exports = append(exports, d.ask(things()))
		d.leave()
		for _, e := range exports {
			d.lists.Store(e.Query, things(Row{"again", int64(1)}))
		}
		another := newDesk(t, url, d.lists).work()
		for _, e := range exports {
			require.Contains(t, another.content(another.until(e.ID, models.JobFinished)), "again,1")
		}
	})
}

// TestLeftFiles deletes what a killed instance has written of a file, but nothing that an export has.
func TestLeftFiles(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		d := newDesk(t, url, &sync.Map{})
		left := d.store.NewFile(t.Context())
		_, err := left.Write(make([]byte, 9<<20))
		require.NoError(t, err)
		of := func() int { return len(d.content(models.Export{File: left.ID, Bytes: 9 << 20})) }
		require.NoError(t, d.store.DeleteOldFiles(t.Context()))
		require.Equal(t, 9<<20, of(), "it may still be written")
		d.ahead.Store(int64(25 * time.Hour))
		require.NoError(t, d.store.DeleteOldFiles(t.Context()))
		require.Zero(t, of())
	})
}

func TestDeletedWhileRunning(t *testing.T) {
	d := newDesk(t, storetest.URL(t, storetest.SQLite), &sync.Map{}).work()
	begun, letGo := make(chan struct{}), make(chan struct{})
	id := d.ask(stuck(begun, letGo)).ID
	<-begun
	_, err := d.store.DeleteExport(t.Context(), models.Actor{Name: "ann"}, id)
	require.NoError(t, err)
	close(letGo)
	d.until(d.ask(things()).ID, models.JobFinished)
	require.Empty(t, d.until(id, models.JobStopped).File)
}

// TestFullDisk writes to a device that is always full.
func TestFullDisk(t *testing.T) {
	f, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = f.WriteString("x")
	require.Equal(t, string(errFull), words(err))
	require.NoError(t, f.Close())
}

// TestFullDatabase fills the database while an export is written. The export says so, its file is gone, and another one
// succeeds when there is space again.
func TestFullDatabase(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		d := newDesk(t, url, &sync.Map{}).work()
		random := make([]Row, 200_000)
		for i := range random {
			random[i] = Row{rand.Text(), int64(i)}
		}
		full := "ALTER TABLE file_chunks ENGINE = MyISAM, MAX_ROWS = 1, AVG_ROW_LENGTH = 1000" // at most 64 KB
		free := "ALTER TABLE file_chunks ENGINE = InnoDB, MAX_ROWS = 0, AVG_ROW_LENGTH = 0"
		var pages int
		run := func(sql string) {
			require.NoError(t, d.store.NewFile(t.Context()).Change(func(tx *gorm.DB) error { return tx.Raw(sql).Scan(&pages).Error }))
		}
		if strings.HasPrefix(url, "sqlite") {
			run("PRAGMA page_count")
			full, free = fmt.Sprintf("PRAGMA max_page_count = %d", pages+300), "PRAGMA max_page_count = 1000000"
		}
		run(full)
		e := d.until(d.ask(things(random...)).ID, models.JobFailed)
		require.Equal(t, string(errNoRoom), e.Failure)
		require.Empty(t, e.File)
		var chunks int
		require.NoError(t, d.store.NewFile(t.Context()).Change(func(tx *gorm.DB) error {
			return tx.Raw("SELECT COUNT(*) FROM file_chunks").Scan(&chunks).Error
		}))
		require.Zero(t, chunks, "what was written is deleted")
		run(free)
		e = d.until(d.ask(things(random...)).ID, models.JobFinished)
		require.Contains(t, d.content(e), "\n"+random[len(random)-1][0].(string))
	})
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
	wide.Read = func(ctx context.Context, page func(Page) error) error {
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
			if err := page(Page{Rows: rows, Reached: at}); err != nil {
				return err
			}
		}
		return nil
	}
	for _, format := range []models.ExportFormat{models.CSV, models.XLSX} {
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
				var written counter
				rows, err := Write(b.Context(), &written, format, head, wide, func(models.ExportProgress) error { return nil })
				close(watching)
				<-watched
				require.NoError(b, err)
				require.EqualValues(b, 1_000_000, rows)
				b.ReportMetric(float64(peak)/(1<<20), "MB-heap-at-most")
				b.ReportMetric(float64(written.n)/(1<<20), "MB-file")
			}
		})
	}
}
