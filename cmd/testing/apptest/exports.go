package apptest

import (
	"encoding/csv"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"pitboss/app/export"
)

// Export downloads a list with the filters in address, as the list's page does.
func (b *Browser) Export(address string, format export.Format) *Answer {
	b.T.Helper()
	page := b.Get(address)
	form := page.Find("#export form")
	require.Equal(b.T, 1, form.Length(), address)
	answer := b.Post(address, "/exports", url.Values{
		"list": {form.Find("[name=list]").AttrOr("value", "")}, "query": {form.Find("[name=query]").AttrOr("value", "")},
		"format": {string(format)},
	})
	require.Equal(b.T, http.StatusOK, answer.Status, answer.Location)
	require.Equal(b.T, format.Type(), answer.Header.Get("Content-Type"), address)
	require.Equal(b.T, "no-store", answer.Header.Get("Cache-Control"))
	return answer
}

// Download returns the contents of an export: its header, its rows, and the remarks of a workbook.
func (b *Browser) Download(address string, format export.Format) (header []string, rows [][]string, remarks []string) {
	b.T.Helper()
	answer := b.Export(address, format)
	if format == export.XLSX {
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
		return all[0], all[1:], remarks
	}
	r := csv.NewReader(strings.NewReader(strings.TrimPrefix(answer.Body, "\ufeff")))
	r.FieldsPerRecord = -1
	all, err := r.ReadAll()
	require.NoError(b.T, err)
	return all[0], all[1:], nil
}

// Remarked requires a remark about a file, unless the file is a CSV, which has none.
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
		if at < len(r) { // a row in a workbook ends with its last filled cell
			value = r[at]
		}
		values = append(values, value)
	}
	return values
}
