package app

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store/storetest"
)

// Every role reads the handbook, finds sections by their words, and gets from a page to its chapter.
func TestHandbook(t *testing.T) {
	s := newSite(t, storetest.EmptyURL(t, storetest.SQLite))
	for _, role := range models.Roles {
		reader := s.signedIn("reader-"+string(role), role)
		contents := reader.get("/help")
		files, err := os.ReadDir("../views/help")
		require.NoError(t, err)
		for _, f := range files {
			name, isChapter := strings.CutSuffix(f.Name(), ".md")
			if !isChapter {
				continue
			}
			require.Equal(t, 1, contents.Find("[href='/help/"+name+"']").Length(), "the list of chapters has %s", name)
			chapter := reader.get("/help/" + name)
			require.Equal(t, http.StatusOK, chapter.status, name)
			require.Positive(t, chapter.Find("article p").Length(), name)
			for _, link := range chapter.Find("article a").EachIter() {
				href := link.AttrOr("href", "")
				file, part, _ := strings.Cut(href, "#")
				switch {
				case strings.HasPrefix(href, "/help/"):
					require.Equal(t, http.StatusOK, reader.get(file).status, href)
				case strings.HasPrefix(href, "#") && part != "":
					require.Equal(t, 1, chapter.Find("[id='"+part+"']").Length(), href)
				}
			}
		}
		require.Equal(t, http.StatusNotFound, reader.get("/help/nothing").status)
	}
	ada := s.signedIn("ada", models.Administrator)
	require.Equal(t, 1, ada.get("/settings").Find("nav [href='/help/administration']").Length())
	found := ada.get("/help?q=Unknown+SPINS")
	require.Contains(t, found.Find("[aria-label=Results]").Text(), "Bonus")
	require.Equal(t, http.StatusOK, ada.get("/help?q=%22%3E%3Cscript%3E+%ff").status)
	require.Contains(t, ada.get("/help?q=xyzzy").Find("main").Text(), "No section has all of these words.")
}
