package sheet

import (
	"archive/zip"
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

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
		"empty rows":        []byte(strings.ReplaceAll(text(";", "\n"), "\n", ";;\n;;;\n\n")),
		"sep=":              []byte("sep=|\r\n" + text("|", "\r\n")),
		"titles":            []byte("Bonus week\r\n\r\nMade by;Söhnke\r\n" + text(";", "\r\n")),
		"workbook":          workbook.Bytes(),
	}
}

// TestOneReader reads the same tables of each kind from every kind of file, with the same result.
func TestOneReader(t *testing.T) {
	for name, file := range written(t, [][]string{{"Free spins", "Note", "Game ID", "User-ID"}, {"20", "x, y; z", "g1", "anna"},
		{"5", "", "g2", "Zoë"}}) {
		g, err := ReadGrants(bytes.NewReader(file), models.GrantRow{})
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
		p, err := ReadPlayers(bytes.NewReader(file))
		require.NoError(t, err, name)
		require.Empty(t, p.Bad, name)
		require.Equal(t, []models.NewPlayer{{UserID: "Zoë", Currency: "EUR", Balance: 550}, {UserID: "anna", Currency: "EUR"}},
			p.Players, name)
	}
	for name, file := range written(t, [][]string{{"ID", "Player", "Amount", "Type", "Date", "Extra"},
		{"a", "Zoë", "5.5", "Withdraw", "2026/11/25", "x"}, {"b", "anna", "0.1", "Deposit", "2026-11-25 3:04:05 PM", ""}}) {
		from := bytes.NewReader(file)
		s, err := SampleStatement(from)
		require.NoError(t, err, name)
		r, err := NewStatementReader(from, s.GuessLayout("UTC"), false)
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

// TestWorkbookCells reads what cells contain, not how they are shown.
func TestWorkbookCells(t *testing.T) {
	book := excelize.NewFile()
	require.NoError(t, book.SetSheetRow("Sheet1", "A1", &[]any{"id", "amount", "time"}))
	for i, row := range []struct {
		amount, at   float64
		money, clock string
	}{
		{1234.5, 46351.5, `#,##0.0 "EUR"`, "dd/mm/yyyy"}, {-0.1, 46351.25, "0", `[$-409]h:mm AM/PM`}, {12345678901, 46351, "0.00E+00", "m/d/yy"},
	} {
		line := strconv.Itoa(i + 2)
		require.NoError(t, book.SetSheetRow("Sheet1", "A"+line, &[]any{"'=" + line, row.amount, row.at}))
		for cell, code := range map[string]string{"B": row.money, "C": row.clock} {
			style, err := book.NewStyle(&excelize.Style{CustomNumFmt: &code})
			require.NoError(t, err)
			require.NoError(t, book.SetCellStyle("Sheet1", cell+line, cell+line, style))
		}
	}
	_, err := book.NewSheet("Other")
	require.NoError(t, err)
	b, err := book.WriteToBuffer()
	require.NoError(t, err)
	from := bytes.NewReader(b.Bytes())
	s, err := SampleStatement(from)
	require.NoError(t, err)
	require.Equal(t, [][]string{{"=2", "1234.5", "2026-11-25 12:00:00.000"}, {"=3", "-0.1", "2026-11-25 06:00:00.000"},
		{"=4", "12345678901", "2026-11-25 00:00:00.000"}}, s.Rows)
	require.Contains(t, s.Notes, "Not read: the other sheets, Other.")
}

// TestFilesThatAreNoTables says what is wrong with files that nobody can read, in the same sentence for each kind.
func TestFilesThatAreNoTables(t *testing.T) {
	for text, words := range map[string]string{
		"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": "old version of Excel", "PK\x03\x04 and nothing": "workbook cannot be read",
		"\xff\xfea\x00,\x00":   "not UTF-8 text: save it as CSV UTF-8",
		"%PDF-1.7\x00\n\x00\n": "neither text", "\x89PNG\x00\x00\x00": "neither text",
	} {
		_, err := ReadGrants(strings.NewReader(text), models.GrantRow{})
		require.ErrorContains(t, err, words)
		_, err = ReadPlayers(strings.NewReader(text))
		require.ErrorContains(t, err, words)
		_, err = SampleStatement(strings.NewReader(text))
		require.ErrorContains(t, err, words)
		var unreadable Unreadable
		require.ErrorAs(t, err, &unreadable)
	}
}

// TestGuardedCells reads back what an export guards.
func TestGuardedCells(t *testing.T) {
	for _, text := range []string{"=1", "'=1", "''=1", " =1", "' =1", "a;=1", "a;'=1", "a", "'a", "-", "a\t+1", "@", "", "＝1", "a=1", "x;  -2"} {
		guarded := models.GuardCell(text)
		require.Equal(t, text, models.UnguardCell(guarded))
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
			ReadPlayers(strings.NewReader(text))
			ReadGrants(strings.NewReader(text), models.GrantRow{})
			SampleStatement(strings.NewReader(text))
		})
		most := uint64(64 << 20)
		if name == "wide header" || name == "bad lines" || name == "CR" { // allocated in all, line by line
			most = 4 << 30
		}
		require.Less(t, grown, most, name)
	}
}

// TestAttackMemoryOfWorkbook reads workbooks that unzip to much more than they are.
func TestAttackMemoryOfWorkbook(t *testing.T) {
	for name, part := range map[string]struct {
		path, begin, repeat, end string
		size                     int
	}{
		"sheet":   {"xl/worksheets/sheet1.xml", "<worksheet><sheetData>", "<row><c><v>1</v></c></row>", "</sheetData></worksheet>", 200 << 20},
		"texts":   {"xl/sharedStrings.xml", "<sst>", "<si/>", "</sst>", 40 << 20},
		"styles":  {"xl/styles.xml", "<styleSheet><cellXfs>", "<xf/>", "</cellXfs></styleSheet>", 40 << 20},
		"in all":  {"xl/media/image1.png", "", "\x00", "", 100 << 20},
		"columns": {"xl/worksheets/sheet1.xml", "<worksheet><sheetData>", `<row><c r="XFD1"><v>1</v></c></row>`, "</sheetData></worksheet>", 1 << 20},
	} {
		file := bomb(t, part.path, part.begin, part.repeat, part.end, part.size)
		require.Less(t, len(file), 2<<20)
		most := uint64(128 << 20)
		if name == "columns" { // each row is read, split and forgotten
			most = 32 << 30
		}
		grown := allocated(func() {
			_, err := ReadPlayers(bytes.NewReader(file))
			require.Error(t, err, name)
		})
		require.Less(t, grown, most, name)
	}
}

// A workbook with nothing in its styles, or none, is read, and the next one can be read whatever becomes of it.
func TestAttackBrokenWorkbooks(t *testing.T) {
	for name, file := range map[string][]byte{
		"no styles":    bomb(t, "xl/styles.xml", "", "", "", 0),
		"empty styles": bomb(t, "xl/styles.xml", "<styleSheet>", " ", "</styleSheet>", 1),
		"broken":       bomb(t, "xl/styles.xml", "<styleSheet><cellXfs count=\"-1\">", " ", "", 1),
		"no workbook":  bomb(t, "xl/workbook.xml", "<workbook>", " ", "</workbook>", 1),
		"empty sheet":  bomb(t, "xl/worksheets/sheet1.xml", "", " ", "", 1),
		"broken texts": bomb(t, "xl/sharedStrings.xml", "<sst><si>", " ", "", 1),
	} {
		_, err := ReadPlayers(bytes.NewReader(file))
		require.Error(t, err, name) // it has no players
		require.True(t, workbooks.TryLock(), name)
		workbooks.Unlock()
	}
}

// bomb returns a workbook one of whose parts is filled until it has size bytes, or is missing if size is 0.
func bomb(t *testing.T, path, begin, repeat, end string, size int) []byte {
	t.Helper()
	plain, err := excelize.NewFile().WriteToBuffer()
	require.NoError(t, err)
	z, err := zip.NewReader(bytes.NewReader(plain.Bytes()), int64(plain.Len()))
	require.NoError(t, err)
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, part := range z.File {
		if part.Name != path {
			require.NoError(t, w.Copy(part))
		}
	}
	if size == 0 {
		require.NoError(t, w.Close())
		return b.Bytes()
	}
	to, err := w.Create(path)
	require.NoError(t, err)
	fmt.Fprint(to, begin)
	for chunk := strings.Repeat(repeat, (1<<20)/len(repeat)); size > 0; size -= len(chunk) {
		fmt.Fprint(to, chunk)
	}
	fmt.Fprint(to, end)
	require.NoError(t, w.Close())
	return b.Bytes()
}

func readGrants(text string) ([]models.GrantRow, error) {
	g, err := ReadGrants(strings.NewReader(text), models.GrantRow{})
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
