package export_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/export"
)

func TestCell(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "anna": "anna", "a=1": "a=1", " =1": " =1", "=HYPERLINK(1)": "'=HYPERLINK(1)", "+1": "'+1", "-1": "'-1",
		"@SUM(A1)": "'@SUM(A1)", "\t=1": "'\t=1", "\r=1": "'\r=1", "日本": "日本",
	} {
		require.Equal(t, want, export.Cell(text), "%q", text)
	}
}
