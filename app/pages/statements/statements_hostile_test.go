package statements_test

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

// TestHostileUploads sends files that are not statements, files whose names point to other folders, and a file that is cut off
// in the middle.
func TestHostileUploads(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		farid := s.SignedIn("farid", models.Finance)
		for name, contents := range map[string]string{
			"zip.csv": "PK\x03\x04\x14\x00\x08\x00", "book.xlsx": "PK\x03\x04" + strings.Repeat("\x00\xffxl/", 1000),
			"columns.csv": strings.Repeat("c,", 300) + "c\n", "name.csv": strings.Repeat("n", 60_000) + ",amount\na,1.00\n",
			"line.csv": strings.Repeat("10 MB", 2<<20), "empty.csv": "", "lines.csv": "\n\n\n",
			"quote.csv": `"id,amount` + strings.Repeat("\n1,2", 500_000),
		} {
			refused := farid.UploadTo("/statements/new", "/statements", name, contents)
			require.Equal(t, http.StatusUnprocessableEntity, refused.Status, "%s: %s", name, refused.Body)
			require.NotEmpty(t, refused.Find("#f-file-wrong, .invalid-feedback").Text(), name)
		}
		for i, name := range []string{"../../../../etc/cron.d/evil.csv", `..\..\windows\evil.csv`, "/dev/null", "a\x00b.csv",
			"\u202egpj.csv", strings.Repeat("ü", 3000), "..", "=1+1.csv", `"><script>alert(1)</script>.csv`} {
			kept := farid.UploadTo("/statements/new", "/statements", name, fmt.Sprintf("id,amount\na%d,1.00\n", i))
			if kept.Status == http.StatusUnprocessableEntity || kept.Status == http.StatusBadRequest {
				continue // it counts as no file
			}
			require.Equal(t, http.StatusSeeOther, kept.Status, "%q: %s", name, kept.Body)
			require.Equal(t, http.StatusOK, farid.Get(kept.Location).Status, "%q", name)
		}
		require.Equal(t, http.StatusOK, farid.Get("/statements").Status)
		list, err := s.Store.Statements(t.Context(), models.StatementFilter{Span: models.Span{Limit: 50}})
		require.NoError(t, err)
		for _, st := range list.Rows {
			require.NotContains(t, st.FileName, "/")
			require.LessOrEqual(t, len([]rune(st.FileName)), 200)
		}

		// Cut off in the middle.
		var body bytes.Buffer
		w := multipart.NewWriter(&body)
		require.NoError(t, w.WriteField("csrf", farid.Token("/statements/new")))
		part, err := w.CreateFormFile("file", "cut.csv")
		require.NoError(t, err)
		_, err = part.Write([]byte("id,amount\n" + strings.Repeat("a,1.00\n", 3<<20)))
		require.NoError(t, err)
		require.NoError(t, w.Close())
		conn, err := net.Dial("tcp", s.Base.Host)
		require.NoError(t, err)
		var cookies []string
		for _, c := range farid.Client.Jar.Cookies(s.Base) {
			cookies = append(cookies, c.Name+"="+c.Value)
		}
		_, err = fmt.Fprintf(conn,
			"POST /statements HTTP/1.1\r\nHost: %s\r\nCookie: %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n",
			s.Base.Host, strings.Join(cookies, "; "), w.FormDataContentType(), body.Len())
		require.NoError(t, err)
		_, err = conn.Write(body.Bytes()[:body.Len()-100])
		require.NoError(t, err)
		require.NoError(t, conn.(*net.TCPConn).CloseWrite())
		answer := make([]byte, 64)
		for { // until the server has finished
			if _, err := conn.Read(answer); err != nil {
				break
			}
		}
		require.NoError(t, conn.Close())
		now, err := s.Store.Statements(t.Context(), models.StatementFilter{Span: models.Span{Limit: 50}})
		require.NoError(t, err)
		require.Len(t, now.Rows, len(list.Rows))
	})
	left, err := os.ReadDir(temporary)
	require.NoError(t, err)
	require.Empty(t, left, "nothing of the upload is left on the disk")
}
