package apptest

import (
	"encoding/csv"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"pitboss/app/pages"
	"pitboss/models"
)

// RequestExport requests a list with the filters of an address, as its page does, and returns the export once it has ended.
func (b *Browser) RequestExport(address string, format models.ExportFormat) models.Export {
	b.T.Helper()
	page := b.Get(address)
	form := page.Find("#export form")
	require.Equal(b.T, 1, form.Length(), address)
	answer := b.Post(address, "/exports", url.Values{
		"list": {form.Find("[name=list]").AttrOr("value", "")}, "query": {form.Find("[name=query]").AttrOr("value", "")},
		"format": {string(format)},
	})
	require.Equal(b.T, http.StatusSeeOther, answer.Status, answer.Body)
	require.Contains(b.T, answer.Location, "/exports/", address)
	id, err := strconv.ParseInt(strings.TrimPrefix(answer.Location, "/exports/"), 10, 64)
	require.NoError(b.T, err)
	var e models.Export
	require.Eventually(b.T, func() bool {
		e, _, err = b.Site.Store.Export(b.T.Context(), id)
		require.NoError(b.T, err)
		return !e.State.Open()
	}, 30*time.Second, 5*time.Millisecond)
	return e
}

// Download returns the table in a file: its header, rows and, of a workbook, its remarks.
func (b *Browser) Download(e models.Export) (header []string, rows [][]string, remarks []string) {
	b.T.Helper()
	require.Equal(b.T, models.JobFinished, e.State, e.Failure)
	answer := b.Get(pages.ExportPath(e.ID) + "/file")
	require.Equal(b.T, http.StatusOK, answer.Status)
	require.Equal(b.T, `attachment; filename="`+e.FileName()+`"`, answer.Header.Get("Content-Disposition"))
	require.Equal(b.T, "no-store", answer.Header.Get("Cache-Control"))
	if e.Format == models.XLSX {
		f, err := excelize.OpenReader(strings.NewReader(answer.Body))
		require.NoError(b.T, err)
		defer f.Close()
		all, err := f.GetRows("Rows")
		require.NoError(b.T, err)
		about, err := f.GetRows("About")
		require.NoError(b.T, err)
		for _, r := range about {
			remarks = append(remarks, "# "+strings.Join(r, ": "))
		}
		rows = all[1:]
		if below := slices.IndexFunc(rows, func(r []string) bool { return len(r) == 0 }); below >= 0 { // totals
			rows = rows[:below]
		}
		return all[0], rows, remarks
	}
	r := csv.NewReader(strings.NewReader(strings.TrimPrefix(answer.Body, "\ufeff")))
	r.FieldsPerRecord = -1
	all, err := r.ReadAll()
	require.NoError(b.T, err)
	return all[0], all[1:], nil
}

// Remarked checks a remark about a file; a CSV has none.
func Remarked(t *testing.T, remarks []string, want string) {
	t.Helper()
	require.True(t, remarks == nil || strings.Contains(strings.Join(remarks, "\n"), want), "%s in %q", want, remarks)
}

func ColumnOf(t *testing.T, header []string, rows [][]string, name string) (values []string) {
	t.Helper()
	at := slices.Index(header, name)
	require.GreaterOrEqual(t, at, 0, "%s in %v", name, header)
	for _, r := range rows {
		value := ""
		if at < len(r) { // a sheet's rows end with their last cell
			value = r[at]
		}
		values = append(values, value)
	}
	return values
}
