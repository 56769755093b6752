package pack_test

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/export"
	"pitboss/app/pack"
	"pitboss/models"
)

var (
	made   = time.Date(2026, 11, 21, 12, 3, 7, 0, time.UTC)
	key    = models.NewChain([]byte("the operator's ledger key")).PackKey()
	public = hex.EncodeToString(key.Public().(ed25519.PublicKey))
)

// list has a column for each audience.
func list() pack.List {
	columns := []export.Column{{Name: "What"}, {Name: "By", Audience: export.Arbiter}, {Name: "Address", Audience: export.Staff},
		{Name: "Amount", Kind: export.Money}}
	return pack.List{Name: "corrections", Title: "Corrections", List: export.List{Columns: columns,
		Read: func(_ context.Context, page func([]export.Row) error) error {
			return page([]export.Row{{"credit", "farid", "10.0.0.7", models.Amount(1050)}})
		}}}
}

// write makes a pack and returns its bytes.
func write(t *testing.T, purpose pack.Purpose, key ed25519.PrivateKey) []byte {
	t.Helper()
	var out bytes.Buffer
	m := pack.Manifest{Purpose: purpose, Player: "anna", Number: 7, Since: made.AddDate(0, -1, 0), Until: made, Made: made,
		By: "chloe", Why: "ADR-7", Reference: "R-1"}
	rows, err := pack.Make(t.Context(), m, []pack.List{list()}, time.UTC, key, &out)
	require.NoError(t, err)
	require.EqualValues(t, 1, rows)
	return out.Bytes()
}

func check(content []byte, public string) *pack.Report {
	return pack.Check(bytes.NewReader(content), int64(len(content)), public)
}

// files returns the content of each file, by name.
func files(t *testing.T, content []byte) map[string]string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	require.NoError(t, err)
	list := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		require.NoError(t, err)
		text, err := io.ReadAll(r)
		require.NoError(t, err)
		list[f.Name] = string(text)
	}
	return list
}

// zipped makes a ZIP of these files, as a forger would.
func zipped(t *testing.T, list map[string]string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for name, text := range list {
		to, err := w.Create(name)
		require.NoError(t, err)
		_, err = io.WriteString(to, text)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return out.Bytes()
}

func TestPackSaysWhatItsReaderMayKnow(t *testing.T) {
	dispute, access := files(t, write(t, pack.Dispute, key)), files(t, write(t, pack.DataAccess, key))
	require.Contains(t, dispute["corrections.csv"], "farid")
	require.Contains(t, dispute["manifest.json"], "chloe")
	for _, secret := range []string{"farid", "chloe", "ADR-7"} {
		require.NotContains(t, access["corrections.csv"]+access["manifest.json"], secret)
	}
	for _, text := range []string{dispute["corrections.csv"], access["corrections.csv"]} {
		require.Contains(t, text, "credit")
		require.Contains(t, text, "10.50")
		require.NotContains(t, text, "10.0.0.7", "addresses of staff are in no pack")
	}
}

// A check repeats the ledger's arithmetic, whoever signed the pack.
func TestTheLedgerOfAPackAddsUp(t *testing.T) {
	ledger := func(rows ...export.Row) []string {
		var out bytes.Buffer
		columns := []export.Column{{Name: "Line", Kind: export.Number}, {Name: "What"}, {Name: "Amount", Kind: export.Money},
			{Name: "Balance before", Kind: export.Money}, {Name: "Balance after", Kind: export.Money}}
		_, err := pack.Make(t.Context(), pack.Manifest{Purpose: pack.Dispute, Made: made}, []pack.List{{Name: pack.Ledger, List: export.List{
			Columns: columns, Read: func(_ context.Context, page func([]export.Row) error) error { return page(rows) }}}},
			time.UTC, key, &out)
		require.NoError(t, err)
		return check(out.Bytes(), public).Problems
	}
	row := func(line int64, amount, before, after models.Amount) export.Row {
		return export.Row{line, "win", amount, before, after}
	}
	require.Empty(t, ledger())
	require.Empty(t, ledger(row(3, -250, 1150, 900), row(2, 150, 1000, 1150), row(1, 1000, 0, 1000)))
	require.Equal(t, []string{"Line 2 of the ledger does not add up: 10 and 51.5 are not 11.5."},
		ledger(row(3, -250, 1150, 900), row(2, 5150, 1000, 1150)))
	require.Equal(t, []string{"Line 3 of the ledger does not follow from line 2."}, ledger(row(3, -250, 6150, 5900), row(2, 150, 1000, 1150)))
	require.Equal(t, []string{"Line 4 of the ledger does not follow from line 2."}, ledger(row(4, -250, 1150, 900), row(2, 150, 1000, 1150)))
}

func TestAttackPack(t *testing.T) {
	whole := write(t, pack.Dispute, key)
	r := check(whole, public)
	require.True(t, r.OK(), r.Problems)
	require.True(t, r.Signed)
	require.Equal(t, "anna", r.Manifest.Player)
	require.True(t, check(whole, " "+strings.ToUpper(public)+"\n").OK(), "as it is copied from a page")

	unsigned := write(t, pack.Dispute, nil)
	require.True(t, check(unsigned, "").OK())
	require.False(t, check(unsigned, "").Signed)
	require.Equal(t, []string{"The pack is not signed."}, check(unsigned, public).Problems)

	other := models.NewChain([]byte("a forger's key")).PackKey()
	require.Contains(t, check(write(t, pack.Dispute, other), public).Problems[0], "not with "+public)

	change := func(name string, f func(string) string) []byte {
		list := files(t, whole)
		list[name] = f(list[name])
		return zipped(t, list)
	}
	replace := func(old, new string) func(string) string {
		return func(s string) string { return strings.Replace(s, old, new, 1) }
	}
	without := files(t, whole)
	delete(without, "corrections.csv")
	for want, content := range map[string][]byte{
		"corrections.csv was changed.":                             change("corrections.csv", replace("10.50", "90.50")),
		"corrections.csv is missing.":                              zipped(t, without),
		"manifest.json was changed: its signature does not match.": change("manifest.json", replace("anna", "jan")),
		"manifest.json is not the manifest of a pack that this version can check.": change("manifest.json",
			replace("pitboss pack 1", "pitboss pack 9")),
		"manifest.json cannot be read: it is longer than 1 MB.": change("manifest.json",
			func(s string) string { return s + strings.Repeat(" ", 2<<20) }),
		"manifest.json cannot be read: it is missing.":                zipped(t, map[string]string{"a.csv": ""}),
		`"more.csv" is in the ZIP, but not in the manifest.`:          change("more.csv", replace("", "x")),
		"This is not a complete ZIP file: zip: not a valid zip file.": []byte("no pack"),
		"corrections.csv was changed. ":                               change("corrections.csv", func(s string) string { return s + strings.Repeat("x", 9<<20) }),
	} {
		require.Equal(t, []string{strings.TrimSpace(want)}, check(content, "").Problems)
	}
}
