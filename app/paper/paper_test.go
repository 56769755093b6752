package paper

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"
)

// textsOf returns the texts of an uncompressed PDF in the order of printing.
func textsOf(t *testing.T, pdf []byte) (texts []string) {
	t.Helper()
	for _, found := range regexp.MustCompile(`(?s)\(((?:\\.|[^\\()])*)\) ?Tj`).FindAllSubmatch(pdf, -1) {
		raw := regexp.MustCompile(`(?s)\\(.)`).ReplaceAllFunc(found[1], func(b []byte) []byte {
			return []byte(strings.NewReplacer("r", "\r", "n", "\n").Replace(string(b[1:])))
		})
		require.Zero(t, len(raw)%2, "%q", raw)
		units := make([]uint16, len(raw)/2)
		for i := range units {
			units[i] = uint16(raw[2*i])<<8 | uint16(raw[2*i+1])
		}
		texts = append(texts, string(utf16.Decode(units)))
	}
	return texts
}

// TestPDF makes a statement of several pages in several alphabets, and reads its texts back.
func TestPDF(t *testing.T) {
	s := Statement{Language: "tr", Operator: "Şans Kumarhanesi", About: []string{"Athens Αθήνα 7", "помощь@lumen.example"},
		Title: "Hesap özeti", Facts: []Fact{{Word: "Oyuncu", Text: "олександр.ш ωμέγα İğüşçö 漢"}},
		Sums:    []Fact{{Word: "Açılış bakiyesi", Text: "1.234,50 TRY", Main: true}},
		Columns: []string{"Zaman", "Ne", "İşlem", "Tutar", "Bakiye"}, Page: "Sayfa {n} / {all}"}
	for i := range 120 {
		s.Lines = append(s.Lines, []string{"2026-03-14 15:09:26", "Bahis", fmt.Sprint("t-", strings.Repeat("long-", 20), i), "−1,00",
			fmt.Sprintf("%d,00", 1234-i)})
	}
	var plain, pdf bytes.Buffer
	require.NoError(t, s.write(&plain, false))
	require.NoError(t, s.PDF(&pdf))
	require.Less(t, pdf.Len(), plain.Len())
	texts := textsOf(t, plain.Bytes())
	all := strings.Join(texts, "\n")
	for _, want := range []string{"Şans Kumarhanesi", "Athens Αθήνα 7", "помощь@lumen.example", "Hesap özeti",
		"олександр.ш ωμέγα İğüşçö ?", "1.234,50 TRY", "1115,00", "Sayfa 1 / 3", "Sayfa 3 / 3"} {
		require.Contains(t, all, want)
	}
	require.Equal(t, 3, strings.Count(all, "Zaman"), "at the top of each page")
	require.Contains(t, all, "…", "an ID that is too long loses its middle")
	require.NotContains(t, all, strings.Repeat("long-", 20))
	balances := 0
	for _, text := range texts {
		if regexp.MustCompile(`^\d+,00$`).MatchString(text) {
			balances++
		}
	}
	require.Equal(t, 120, balances)
	require.NoError(t, Statement{Columns: s.Columns, Note: "Nothing happened"}.PDF(&pdf))
}
