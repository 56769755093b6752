package browsertest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	code := m.Run()
	if err := End(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	os.Exit(code)
}

// TestFaultsAreSeen shows that RequireFine fails a page that is inaccessible, is too wide or violates its own policy.
func TestFaultsAreSeen(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'none'")
		w.Header().Set("Content-Type", "text/html")
		_, err := w.Write([]byte(
			`<!doctype html><title>x</title><meta name="viewport" content="width=device-width, initial-scale=1, minimum-scale=1"><img src="y.png"><pre>` + strings.Repeat("wide", 200) + `</pre><script>document.title = "ran"</script>`))
		require.NoError(t, err)
	}))
	defer server.Close()
	tab := Start(t).Open(t, View{Width: Phone})
	tab.Go(server.URL)
	var broken []string
	for _, v := range tab.Axe() {
		broken = append(broken, v.ID)
	}
	require.Contains(t, broken, "image-alt")
	require.Contains(t, broken, "html-has-lang")
	require.Positive(t, tab.Overflow())
	require.Eventually(t, func() bool { return len(tab.Errors()) > 0 }, patience, patience/1000)
}
