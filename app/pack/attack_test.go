package pack_test

import (
	"archive/zip"
	"bytes"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAttackPackThatGrows checks packs that would take much more memory or time than their size suggests. Whoever checks a pack
// got it from somebody else.
func TestAttackPackThatGrows(t *testing.T) {
	const manifest, file = `{"format":"pitboss pack 1","files":[`, `{"name":"ledger.csv","bytes":67108869}`
	lists := func(list string, more func(w *zip.Writer)) []byte {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		to, err := w.Create("manifest.json")
		require.NoError(t, err)
		_, err = to.Write([]byte(manifest + list + "]}"))
		require.NoError(t, err)
		more(w)
		require.NoError(t, w.Close())
		return b.Bytes()
	}
	ledger := func(w *zip.Writer) {
		to, err := w.Create("ledger.csv")
		require.NoError(t, err)
		_, err = to.Write([]byte("Line\n" + strings.Repeat(`"`+strings.Repeat("x", 1<<20-1), 64)))
		require.NoError(t, err)
	}
	for want, content := range map[string][]byte{
		"ledger.csv cannot be read: a line is too long.": lists(file, func(w *zip.Writer) {
			to, err := w.Create("ledger.csv")
			require.NoError(t, err)
			_, err = to.Write([]byte(strings.Repeat("x", 64<<20)))
			require.NoError(t, err)
		}),
		"ledger.csv is in the manifest twice.": lists(file+","+file, ledger),
		"The files in the ZIP overlap.": lists(file, func(w *zip.Writer) {
			for _, name := range []string{"ledger.csv", "a", "b"} {
				_, err := w.CreateRaw(&zip.FileHeader{Name: name, CompressedSize64: 300})
				require.NoError(t, err)
			}
		}),
		"This is not a complete ZIP file: it has too many files.": lists(file, func(w *zip.Writer) {
			for range 1 << 15 {
				_, err := w.CreateRaw(&zip.FileHeader{Name: "a"})
				require.NoError(t, err)
			}
		}),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		require.Contains(t, check(content, "").Problems, want)
		runtime.ReadMemStats(&after)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(8<<20), want)
	}
}
