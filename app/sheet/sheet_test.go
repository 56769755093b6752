package sheet

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"pitboss/models"
)

// written returns one table as people's programs write it.
func written(t *testing.T, rows [][]string) map[string][]byte {
	t.Helper()
	text := func(separator, end string) string {
		var lines []string
		for _, row := range rows {
			cells := make([]string, len(row))
			for i, cell := range row {
				if cells[i] = cell; strings.ContainsAny(cell, separator+`"`) {
					cells[i] = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
				}
			}
			lines = append(lines, strings.Join(cells, separator))
		}
		return strings.Join(lines, end) + end
	}
	book := excelize.NewFile()
	for i, row := range rows {
		for k, cell := range row {
			at, err := excelize.CoordinatesToCellName(k+1, i+1)
			require.NoError(t, err)
			if n, err := strconv.ParseFloat(cell, 64); err == nil {
				require.NoError(t, book.SetCellValue("Sheet1", at, n))
			} else {
				require.NoError(t, book.SetCellStr("Sheet1", at, cell))
			}
		}
	}
	workbook, err := book.WriteToBuffer()
	require.NoError(t, err)
	blanks := strings.NewReplacer(";", "; ", "\n", " \n").Replace(text(";", "\n"))
	return map[string][]byte{
		"commas": []byte(text(",", "\n")), "semicolons": []byte(text(";", "\r\n")), "tabs": []byte(text("\t", "\n")),
		"UTF-8 with a mark": []byte("\ufeff" + text(";", "\r\n")),
		"blanks":            []byte(blanks),
		"sep=":              []byte("sep=|\r\n" + text("|", "\r\n")),
		"titles":            []byte("Bonus week\r\n\r\nMade by;Söhnke\r\n" + text(";", "\r\n")),
		"workbook":          workbook.Bytes(),
	}
}

// TestOneReader reads the same tables of each kind from every kind of file, with the same result.
func TestOneReader(t *testing.T) {
	for name, file := range written(t, [][]string{{"Free spins", "Note", "Game ID", "User-ID"}, {"20", "x, y; z", "g1", "anna"},
		{"5", "", "g2", "Zoë"}}) {
		g, err := ReadGrants(t.Context(), bytes.NewReader(file), models.GrantRow{})
		require.NoError(t, err, name)
		require.Len(t, g.Rows, 2, name)
		for i := range g.Rows {
			g.Rows[i].Line = 0
		}
		require.Equal(t, []models.GrantRow{{Player: "anna", Game: "g1", Spins: "20"}, {Player: "Zoë", Game: "g2", Spins: "5"}},
			g.Rows, name)
		said := strings.Join(g.Notes, " ")
		require.Contains(t, said, "Not used: Note.", name)
		for kind, words := range map[string]string{"titles": "2 lines above the header", "workbook": "sheet “Sheet1”"} {
			require.True(t, name != kind || strings.Contains(said, words), "%s: %s", name, said)
		}
	}
	for name, file := range written(t, [][]string{{"Balance", "Player", "Currency"}, {"5.5", "Zoë", "eur"}, {"0", "anna", "EUR"}}) {
		p, err := ReadPlayers(t.Context(), bytes.NewReader(file))
		require.NoError(t, err, name)
		require.Empty(t, p.Bad, name)
		require.Equal(t, []models.NewPlayer{{UserID: "Zoë", Currency: "EUR", Balance: 550}, {UserID: "anna", Currency: "EUR"}},
			p.Players, name)
	}
	for name, file := range written(t, [][]string{{"ID", "Player", "Amount", "Type", "Date", "Extra"},
		{"a", "Zoë", "5.5", "Withdraw", "2026/11/25", "x"}, {"b", "anna", "0.1", "Deposit", "2026-11-25 3:04:05 PM", ""}}) {
		from := bytes.NewReader(file)
		s, err := SampleStatement(t.Context(), from)
		require.NoError(t, err, name)
		r, err := NewStatementReader(t.Context(), from, s.GuessLayout("UTC"), false)
		require.NoError(t, err, name)
		first, err := r.Next()
		require.NoError(t, err, name)
		require.Equal(t, models.Amount(550), first.Bet, name)
		require.Equal(t, models.UserID("Zoë"), first.UserID, name)
		second, err := r.Next()
		require.NoError(t, err, name)
		require.Equal(t, "2026-11-25 15:04:05", second.At.Format("2006-01-02 15:04:05"), name)
		require.Contains(t, strings.Join(r.Notes, " "), "Not used: Extra.", name)
	}
}

// TestWorkbookCells reads what cells contain, not how they are shown, and keeps their types. The first sheet is hidden.
func TestWorkbookCells(t *testing.T) {
	book := excelize.NewFile()
	require.NoError(t, book.SetSheetRow("Sheet1", "A1", &[]any{"id", "amount", "time"}))
	_, err := book.NewSheet("June")
	require.NoError(t, err)
	_, err = book.NewSheet("Other")
	require.NoError(t, err)
	book.SetActiveSheet(1)
	require.NoError(t, book.SetSheetVisible("Sheet1", false, true))
	require.NoError(t, book.SetSheetRow("June", "A1", &[]any{"id", "amount", "time", "flag"}))
	for i, row := range []struct {
		amount, at   float64
		money, clock string
	}{
		{1234.5, 46351.5, `#,##0.0 "EUR"`, "dd/mm/yyyy"}, {-0.1, 46351.25, "0", `[$-409]h:mm AM/PM`},
		{12345678901, 46351, "0.00E+00", "m/d/yy"}, {0.965, 46351.000005, `0.0"%"%`, "yyyy"}, {5.0999999999999996, 1e16, "0.0", "0"},
	} {
		line := strconv.Itoa(i + 2)
		require.NoError(t, book.SetSheetRow("June", "A"+line, &[]any{"'=" + line, row.amount, row.at, i%2 == 0}))
		for cell, code := range map[string]string{"B": row.money, "C": row.clock} {
			style, err := book.NewStyle(&excelize.Style{CustomNumFmt: &code})
			require.NoError(t, err)
			require.NoError(t, book.SetCellStyle("June", cell+line, cell+line, style))
		}
	}
	s, err := SampleStatement(t.Context(), saved(t, book))
	require.NoError(t, err)
	for i, want := range [][]Cell{
		{{Text: "1234.5", Kind: Number}, {Text: "2026-11-25 12:00:00", Kind: Date}},
		{{Text: "-0.1", Kind: Number}, {Text: "2026-11-25 06:00:00", Kind: Date}},
		{{Text: "12345678901", Kind: Number}, {Text: "2026-11-25", Kind: Date}},
		{{Text: "96.5%", Kind: Percent}, {Text: "2026-11-25 00:00:00.432", Kind: Date}},
		{{Text: "5.1", Kind: Number}, {Text: "10000000000000000", Kind: Number}},
	} {
		want = append(append([]Cell{{Text: "=" + strconv.Itoa(i+2)}}, want...), Cell{Text: strings.ToUpper(strconv.FormatBool(i%2 == 0)), Kind: Boolean})
		require.Equal(t, want, s.Rows[i], i)
	}
	require.Equal(t, []string{"Read from the sheet “June” of the workbook.", "Not read: the other sheets, Other.",
		"Not read: the hidden sheets, Sheet1."}, s.Notes)
}

func saved(t *testing.T, book *excelize.File) *bytes.Reader {
	t.Helper()
	b, err := book.WriteToBuffer()
	require.NoError(t, err)
	return bytes.NewReader(b.Bytes())
}

// TestWorkbookTypes gives each kind of file the cells as a person typed them into a spreadsheet.
func TestWorkbookTypes(t *testing.T) {
	sheet := func(rows ...[]any) *bytes.Reader {
		book := excelize.NewFile()
		percent, err := book.NewStyle(&excelize.Style{NumFmt: 10})
		require.NoError(t, err)
		for i, row := range rows {
			require.NoError(t, book.SetSheetRow("Sheet1", "A"+strconv.Itoa(i+1), &row))
		}
		require.NoError(t, book.SetCellStyle("Sheet1", "D2", "D9", percent))
		return saved(t, book)
	}
	day := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	rates, bad, err := ReadRates(t.Context(), sheet([]any{"Date", "Currency", "Rate"}, []any{day, "usd", 0.8512}))
	require.NoError(t, err)
	require.Empty(t, bad)
	require.Equal(t, "2026-11-21 USD 0.8512", fmt.Sprint(rates[0].Day, " ", rates[0].Currency, " ", rates[0].Rate))
	rates, bad, err = ReadRates(t.Context(), strings.NewReader("day;currency;rate\n21/11/2026;usd;0,9\n22/11/2026;usd;zero\n23/11/2026;usd;0,8\n"))
	require.NoError(t, err)
	require.Len(t, bad, 1, "the others are read")
	require.Equal(t, "2026-11-21 2026-11-23", fmt.Sprint(rates[0].Day, " ", rates[1].Day))
	_, _, err = ReadRates(t.Context(), strings.NewReader("day,currency,rate\n11/12/2026,USD,0.9\n"))
	require.ErrorContains(t, err, "can be two days")

	returns, bad, err := ReadGameReturns(t.Context(), sheet([]any{"Game ID", "", "", "RTP"}, []any{20008, "", "", 0.965}))
	require.NoError(t, err)
	require.Empty(t, bad)
	require.Equal(t, "96.5", returns["20008"].String())

	players, err := ReadPlayers(t.Context(), sheet([]any{"Player", "Currency"}, []any{true, "EUR"}, []any{day, "EUR"},
		[]any{12345678901234567890.0, "EUR"}, []any{1.5, "EUR"}, []any{10042, "EUR"}))
	require.NoError(t, err)
	require.Len(t, players.Bad, 4)
	require.ErrorContains(t, players.Bad[0], "line 2: this is no ID: the spreadsheet has turned it into the value TRUE")
	require.ErrorContains(t, players.Bad[1], "the date 2026-11-21")
	require.ErrorContains(t, players.Bad[2], "the number 1234567890123456")
	require.ErrorContains(t, players.Bad[3], "the number 1.5")
	require.EqualValues(t, "10042", players.Players[0].UserID)

	grants, err := ReadGrants(t.Context(), sheet([]any{"Player", "Game", "Spins"}, []any{false, "g1", 5}), models.GrantRow{})
	require.NoError(t, err)
	_, wrong := grants.Rows[0].Grant()
	require.Contains(t, wrong[0], "the value FALSE")

	// Excel has turned some texts of a column into dates and numbers, and left others.
	from := sheet([]any{"ID", "Amount", "Type", "", "Date"}, []any{"a", "1,50", "bet", "", "25.12.2026 10:00"}, []any{"b", 2.5, "win", "", day})
	s, err := SampleStatement(t.Context(), from)
	require.NoError(t, err)
	layout := s.GuessLayout("UTC")
	require.Equal(t, ",", layout.Decimal)
	r, err := NewStatementReader(t.Context(), from, layout, false)
	require.NoError(t, err)
	for _, want := range []models.StatementLine{{Bet: 150, At: time.Date(2026, 12, 25, 10, 0, 0, 0, time.UTC)}, {Win: 250, At: day}} {
		l, err := r.Next()
		require.NoError(t, err)
		require.Equal(t, []any{want.Bet, want.Win, want.At}, []any{l.Bet, l.Win, l.At})
	}
}

// TestFilesThatAreNoTables says what is wrong with files that nobody can read, in the same sentence for each kind.
func TestFilesThatAreNoTables(t *testing.T) {
	for text, words := range map[string]string{
		"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": "old version of Excel", "PK\x03\x04 and nothing": "workbook cannot be read",
		"\xff\xfea\x00,\x00":   "not UTF-8 text: save it as CSV UTF-8",
		"%PDF-1.7\x00\n\x00\n": "neither text", "\x89PNG\x00\x00\x00": "neither text",
	} {
		_, err := ReadGrants(t.Context(), strings.NewReader(text), models.GrantRow{})
		require.ErrorContains(t, err, words)
		_, err = ReadPlayers(t.Context(), strings.NewReader(text))
		require.ErrorContains(t, err, words)
		_, err = SampleStatement(t.Context(), strings.NewReader(text))
		require.ErrorContains(t, err, words)
		var unreadable Unreadable
		require.ErrorAs(t, err, &unreadable)
	}
}

// TestGuardedCells reads back what an export guards.
func TestGuardedCells(t *testing.T) {
	for _, text := range []string{"=1", "'=1", "''=1", " =1", "' =1", "a;=1", "a;'=1", "a", "'a", "-", "a\t+1", "@", "", "＝1", "a=1", "x;  -2"} {
		guarded := Guard(text)
		require.Equal(t, text, unguard(guarded))
		for _, cell := range strings.FieldsFunc(guarded, func(r rune) bool { return r == ';' || r == '\t' }) {
			require.False(t, strings.ContainsRune("=+-@＝", []rune(strings.TrimLeft(cell, " "))[0]), "%q as %q", text, guarded)
		}
	}
}

// allocated returns how many bytes f has allocated in all.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestAttackMemoryOfText reads lines of separators, quotation marks and columns that once took a hundred times their size.
func TestAttackMemoryOfText(t *testing.T) {
	const size = 8 << 20
	for name, text := range map[string]string{
		"separators": "user_id,currency\n" + strings.Repeat(",", size), "semicolons": strings.Repeat(";", size),
		"quotes": "user_id,currency\n\"" + strings.Repeat(`""`, size/2), "one cell": strings.Repeat("a", size),
		"wide header": "user_id,currency" + strings.Repeat(",x", 190) + "\n" + strings.Repeat("a,b\n", size/64),
		"bad lines":   "user_id,currency\n" + strings.Repeat("\"\n", size/16), "CR": strings.Repeat("\r", size),
		"UTF-16": "\xff\xfe" + strings.Repeat(",\x00", size/2),
	} {
		grown := allocated(func() {
			ReadPlayers(t.Context(), strings.NewReader(text))
			ReadGrants(t.Context(), strings.NewReader(text), models.GrantRow{})
			SampleStatement(t.Context(), strings.NewReader(text))
		})
		most := uint64(64 << 20)
		if name == "wide header" || name == "bad lines" || name == "CR" { // allocated in all, line by line
			most = 4 << 30
		}
		require.Less(t, grown, most, name)
	}
}

// sheetBegin begins a sheet with a header of players.
const sheetBegin = `<worksheet><sheetData><row><c t="inlineStr"><is><t>user_id</t></is></c><c t="inlineStr"><is><t>currency</t></is></c></row>`

// TestAttackWorkbooks reads workbooks that unzip to much more than they are, or that make the reader read one text for each
// cell. A workbook of 15 kB once took more than a minute of a processor.
func TestAttackWorkbooks(t *testing.T) {
	const end = "</sheetData></worksheet>"
	text := "<row>" + strings.Repeat(`<c t="s"><v>0</v></c>`, 2) + "</row>"
	for name, attack := range map[string]struct {
		parts map[string]string
		want  string
	}{
		"sheet":   {map[string]string{"sheet1": sheetBegin + strings.Repeat("<row><c><v>1</v></c></row>", 2<<20)}, "too large"},
		"texts":   {map[string]string{"strings": "<sst>" + strings.Repeat("<si/>", 2<<20)}, "too large"},
		"styles":  {map[string]string{"styles": "<styleSheet><cellXfs>" + strings.Repeat("<xf/>", 1<<19)}, "too large"},
		"columns": {map[string]string{"sheet1": sheetBegin + strings.Repeat(`<row><c r="XFD1"><v>1</v></c></row>`, 1<<15) + end}, "too large"},
		"cells":   {map[string]string{"sheet1": sheetBegin + "<row>" + strings.Repeat("<c/>", 5<<20) + "</row>" + end}, "too large"},
		"a long text": {map[string]string{"strings": "<sst><si><t>" + strings.Repeat("a", 8<<20-100) + "</t></si></sst>",
			"sheet1": sheetBegin + strings.Repeat(text, 10) + end}, "32,767 characters"},
		"long runs": {map[string]string{"strings": "<sst><si>" + strings.Repeat("<r><t>aaaa</t></r>", 1<<18) + "</si></sst>",
			"sheet1": sheetBegin + strings.Repeat(text, 10) + end}, "32,767 characters"},
		"a shared text": {map[string]string{"strings": "<sst><si><t>" + strings.Repeat("a", 32_767) + "</t></si></sst>",
			"sheet1": sheetBegin + strings.Repeat(text, 20_000) + end}, "more than 10000 lines"},
		"cut off":     {map[string]string{"sheet1": sheetBegin + "<row><c><v>1</v></c></row>"}, "cannot be read"},
		"backwards":   {map[string]string{"sheet1": sheetBegin + `<row r="2"><c><v>1</v></c></row><row r="1"><c><v>1</v></c></row>` + end}, "cannot be read"},
		"no workbook": {map[string]string{"workbook": "<workbook/>"}, "cannot be read"},
		"broken":      {map[string]string{"styles": `<styleSheet><cellXfs count="-1">`}, "cannot be read"},
		"no styles":   {map[string]string{"styles": ""}, "needs a header"},
		"empty":       {map[string]string{"sheet1": ""}, "cannot be read"},
	} {
		var err error
		file := workbookOf(t, attack.parts)
		grown := allocated(func() { _, err = ReadPlayers(t.Context(), file) })
		require.ErrorContains(t, err, attack.want, name)
		require.Less(t, grown, uint64(2<<30), name)
	}
}

// TestAttackListOfAWorkbook reads a workbook that is nothing but a list of parts, which took seven times its size.
func TestAttackListOfAWorkbook(t *testing.T) {
	const parts = 300_000
	entry := append([]byte("PK\x01\x02"), make([]byte, 42)...)
	list := bytes.Repeat(entry, parts)
	end := binary.LittleEndian.AppendUint32([]byte("PK\x05\x06\x00\x00\x00\x00\xe0\x93\xe0\x93"), uint32(len(list)))
	end = append(binary.LittleEndian.AppendUint32(end, 4), 0, 0)
	file := bytes.NewReader(slices.Concat([]byte(zipBegins), list, end))
	var err error
	grown := allocated(func() { _, err = ReadPlayers(t.Context(), file) })
	require.ErrorIs(t, err, errWorkbookLarge)
	require.Less(t, grown, uint64(16<<20))
}

// TestAttackLongPercentages reads a return that an error once wrote out with 9,999 zeros, and one of 10 percent that nobody
// writes so.
func TestAttackLongPercentages(t *testing.T) {
	for _, text := range []string{"1e-9999", "1e1", "-5", strings.Repeat("9", 21)} {
		returns, bad, err := ReadGameReturns(t.Context(), strings.NewReader("game_id,rtp\ng,"+text+"\n"))
		require.NoError(t, err)
		require.Empty(t, returns)
		require.Len(t, bad, 1)
		require.ErrorContains(t, bad[0], "is not a percentage, such as 96.50")
	}
	returns, bad, err := ReadGameReturns(t.Context(), strings.NewReader("game_id;rtp\ng;96,5%\n"))
	require.NoError(t, err)
	require.Empty(t, bad)
	require.Equal(t, "96.5", returns["g"].String())
}

// TestAttackWorkbookBusy keeps a second workbook from waiting, and one from being read after its request.
func TestAttackWorkbookBusy(t *testing.T) {
	file := func() io.ReadSeeker { return workbookOf(t, nil) }
	free, err := alone(file())
	require.NoError(t, err)
	_, err = ReadPlayers(t.Context(), file())
	require.ErrorIs(t, err, errWorkbookBusy)
	_, err = ReadPlayers(t.Context(), strings.NewReader("user_id,currency\nanna,EUR\n"))
	require.NoError(t, err, "a text file does not wait")
	free()
	rows := map[string]string{"sheet1": sheetBegin + strings.Repeat("<row><c></c></row>", 1<<20) + "</sheetData></worksheet>"}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	_, err = ReadPlayers(ctx, workbookOf(t, rows))
	require.ErrorIs(t, err, errSlow)
	_, err = ReadPlayers(t.Context(), file())
	require.NotErrorIs(t, err, errWorkbookBusy)
}

// workbookOf returns a workbook some of whose parts are replaced, or missing if their text is empty.
func workbookOf(t *testing.T, parts map[string]string) *bytes.Reader {
	t.Helper()
	book := excelize.NewFile()
	require.NoError(t, book.SetCellStr("Sheet1", "A1", "a shared text"))
	plain := saved(t, book)
	z, err := zip.NewReader(plain, plain.Size())
	require.NoError(t, err)
	names := map[string]string{"sheet1": "xl/worksheets/sheet1.xml", "strings": "xl/sharedStrings.xml", "styles": "xl/styles.xml", "workbook": "xl/workbook.xml"}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, part := range z.File {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(parts)), func(name string) bool { return names[name] == part.Name }) {
			require.NoError(t, w.Copy(part))
		}
	}
	for name, text := range parts {
		if text == "" {
			continue
		}
		to, err := w.Create(names[name])
		require.NoError(t, err)
		_, err = io.WriteString(to, text)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return bytes.NewReader(b.Bytes())
}

func readGrants(text string) ([]models.GrantRow, error) {
	g, err := ReadGrants(context.Background(), strings.NewReader(text), models.GrantRow{})
	return g.Rows, err
}

func TestReadGrants(t *testing.T) {
	want := []models.GrantRow{{Line: 2, Player: "anna", Game: "g1", Spins: "20"}, {Line: 4, Player: "bert", Game: "g,2", Spins: "5"}}
	for name, text := range map[string]string{
		"commas":         "user_id,game_id,spins\nanna,g1,20\n\nbert,\"g,2\",5\n",
		"semicolons":     "user_id;game_id;spins\r\nanna;g1;20\r\n;;\r\nbert;g,2;5",
		"tabs":           "Player\tGame\tFree spins\nanna\tg1\t20\n \t \t \nbert\tg,2\t5\n",
		"other order":    "\ufeffspins,game_id,note,user-id\n20, g1 ,hello, anna\n\n5,\"g,2\",,bert\n",
		"our own guards": "player;game;spins\nanna;g1;20\n\nbert;'g,2;5",
	} {
		rows, err := readGrants(text)
		require.NoError(t, err, name)
		rows = slices.DeleteFunc(rows, func(r models.GrantRow) bool { return r.Player == "" })
		if name == "our own guards" {
			require.Equal(t, "'g,2", rows[1].Game, "only what a spreadsheet would calculate is guarded")
			continue
		}
		require.Equal(t, want, rows, name)
	}

	rows, err := readGrants(("anna,g1,20\n'=1+1,g1,5\n\"bert \",g1,x\ncarl,g1\ndora,g1,5,9\n"))
	require.NoError(t, err)
	require.Equal(t, models.GrantRow{Line: 1, Player: "anna", Game: "g1", Spins: "20"}, rows[0], "no header is needed")
	require.Equal(t, "=1+1", rows[1].Player)
	require.Equal(t, "bert ", rows[2].Player, "quoted spaces are kept")
	var said []string
	for _, r := range rows {
		_, wrong := r.Grant()
		for _, w := range wrong {
			said = append(said, strconv.Itoa(r.Line)+" "+w)
		}
	}
	require.Equal(t, []string{
		"3 “x” is not a number of spins. Enter a whole number, such as 20.", "4 The number of spins is missing.",
		"5 This line has 4 columns, not 3. Correct a cell, or remove the line.",
	}, said)

	for text, words := range map[string]string{
		"": "no lines", "user_id,game_id,spins\n": "no lines", "user_id,spins\nanna,5\n": "none for game",
		"user_id,game_id,spins,spins\n": "two columns for spins",
		"anna\n":                        "1 column", "anna,g,5,6\n": "4 columns", "\xff\xfea\x00": "not UTF-8",
		"anna,g\x00,5": "neither text",
		strings.Repeat("anna,g,5\n", MaxGrants+1): "split it",
	} {
		_, err := readGrants(text)
		require.ErrorContains(t, err, words, "%.40q", text)
	}
}

// FuzzReadGrants reads whatever a person may paste. Every row gets a line number of its own.
func FuzzReadGrants(f *testing.F) {
	f.Add("player;game;spins\nanna;g;5\n")
	f.Fuzz(func(t *testing.T, text string) {
		rows, err := readGrants(text)
		if err != nil {
			return
		}
		last := 0
		for _, r := range rows {
			require.Greater(t, r.Line, last)
			last = r.Line
		}
	})
}
