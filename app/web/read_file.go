package web

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/export"
	"pitboss/app/sheet"
	"pitboss/models"
	"pitboss/views"
)

// ReadFile is a file that a form brings, and which of its lines can be used. The partial "lines-with-errors" shows the others.
// There the reader can download them, each with what is wrong, and go on without them.
type ReadFile struct {
	Name    string
	Content []byte
	About   sheet.Subject
	Good    int
	Bad     []models.LineError
	Whole   string // why the good lines alone cannot be used; empty if they can
	// Lines returns the lines for which wrong has a reason, if they are not those of Content.
	Lines func(wrong map[int]string) (sheet.Table, error)
}

// badShown is how many lines with errors a page shows.
const badShown = 500

// Upload returns the file of a form, as it was chosen or as the page that shows what was read sends it again; see Kept.
func Upload(c *fiber.Ctx, f *Form, most int64) (r ReadFile, err error) {
	chosen, missing := c.FormFile("file")
	if missing != nil || chosen.Size == 0 {
		if r.Content, err = base64.StdEncoding.DecodeString(f.Raw("content")); err != nil || int64(len(r.Content)) > most {
			f.Refuse("file", "The file did not arrive completely. Choose it again.")
		}
		r.Name = FileName(f.Raw("file-name"))
		return r, nil
	}
	r.Name = FileName(chosen.Filename)
	if chosen.Size > most {
		f.Refuse("file", "The file is larger than "+SizeWords(most)+". Split it.")
		return r, nil
	}
	opened, err := chosen.Open()
	if err != nil {
		return r, err
	}
	defer opened.Close()
	r.Content, err = io.ReadAll(opened)
	return r, err
}

// Kept returns the fields by which a page sends the file again.
func (r ReadFile) Kept() []views.Hidden {
	return []views.Hidden{{Name: "content", Value: base64.StdEncoding.EncodeToString(r.Content)}, {Name: "file-name", Value: r.Name}}
}

// Refuse says which lines cannot be used. A line may be wrong for several reasons.
func (r *ReadFile) Refuse(bad []models.LineError) {
	bad = append(slices.Clone(r.Bad), bad...)
	slices.SortStableFunc(bad, func(a, b models.LineError) int { return a.Line - b.Line })
	r.Bad = nil
	for _, b := range bad {
		if last := len(r.Bad) - 1; last >= 0 && r.Bad[last].Line == b.Line {
			r.Bad[last].Err = errors.New(Sentence(r.Bad[last].Err.Error()) + " " + Sentence(b.Err.Error()))
		} else {
			r.Bad = append(r.Bad, b)
		}
	}
}

// Downloads reports whether the form asks for the lines that cannot be used.
func (f *Form) Downloads() bool { return f.Text("download") == "lines" }

// Skips reports whether the reader goes on without the lines that cannot be used, and has seen as many of them.
func (r ReadFile) Skips(f *Form) bool {
	return r.Whole == "" && r.Good > 0 && f.Text("skip") == strconv.Itoa(len(r.Bad))
}

// Skipped returns what the audit log says about the lines that the reader goes on without.
func (r ReadFile) Skipped() models.SkippedLines {
	sum := sha256.Sum256(r.Content)
	return models.SkippedLines{Lines: len(r.Bad), File: r.Name, Digest: hex.EncodeToString(sum[:])}
}

// SkippedWords says how many lines were left out, after another sentence.
func (r ReadFile) SkippedWords() string {
	if len(r.Bad) == 0 {
		return ""
	}
	return " " + Several(int64(len(r.Bad)), "line was left out.", "lines were left out.")
}

// table returns the lines that cannot be used, the first most of them.
func (r ReadFile) table(ctx context.Context, most int) (sheet.Table, error) {
	wrong := map[int]string{}
	for _, b := range r.Bad[:min(len(r.Bad), most)] {
		wrong[b.Line] = Sentence(b.Err.Error())
	}
	if r.Lines != nil {
		return r.Lines(wrong)
	}
	return sheet.BadLines(ctx, bytes.NewReader(r.Content), r.About, wrong)
}

// Shown returns the lines that cannot be used as a page shows them. form is the ID of the form that sends the file again, and
// action the address that downloads the lines.
func (r ReadFile) Shown(ctx context.Context, form, action string) (*views.BadLines, error) {
	if len(r.Bad) == 0 {
		return nil, nil
	}
	table, err := r.table(ctx, badShown)
	shown := &views.BadLines{Good: r.Good, Bad: len(r.Bad), Whole: r.Whole, Form: form, Action: action}
	for i, number := range table.Numbers {
		row := table.Rows[i+1]
		last := len(row) - 1
		cells := slices.DeleteFunc(slices.Clone(row[:last]), func(text string) bool { return text == "" })
		shown.Lines = append(shown.Lines, views.BadLine{Line: number, Text: strings.Join(cells, " · "), Wrong: row[last]})
	}
	shown.More = shown.Bad - len(shown.Lines)
	return shown, err
}

// SendBadLines answers with the lines that cannot be used, as a file of the same kind that can be corrected and sent again.
func (s *Site) SendBadLines(c *fiber.Ctx, r ReadFile) error {
	table, err := r.table(c.UserContext(), len(r.Bad))
	if err != nil {
		return err
	}
	var file bytes.Buffer
	name := strings.TrimSuffix(r.Name, filepath.Ext(r.Name)) + "-lines-with-errors"
	if table.Workbook {
		list := export.List{Read: func(_ context.Context, next func([]export.Row) error) error {
			for _, row := range table.Rows[1:] {
				cells := make(export.Row, len(row))
				for i, text := range row {
					cells[i] = text
				}
				if err := next([]export.Row{cells}); err != nil {
					return err
				}
			}
			return nil
		}}
		for _, column := range table.Rows[0] {
			list.Columns = append(list.Columns, export.Column{Name: export.Cell(column)})
		}
		_, err = export.Write(c.UserContext(), &file, export.XLSX, export.Head{}, list)
		c.Attachment(name + ".xlsx")
		c.Set(fiber.HeaderContentType, export.XLSX.Type())
	} else {
		out := export.NewCSV(&file)
		out.Separator = table.Separator
		out.Mark()
		for _, row := range table.Rows {
			for i, text := range row {
				row[i] = export.Cell(text)
			}
			out.Write(row) // Flush returns its error
		}
		err = out.Flush()
		c.Attachment(name + ".csv")
		c.Set(fiber.HeaderContentType, export.CSV.Type())
	}
	if err != nil {
		return fmt.Errorf("write lines with errors: %w", err)
	}
	return c.Send(file.Bytes())
}
