package help_test

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// Every role can read the handbook, find sections by their words, and get from a page to its chapter.
func TestHandbook(t *testing.T) {
	s := apptest.NewSite(t, storetest.EmptyURL(t, storetest.SQLite))
	for _, role := range models.Roles {
		reader := s.SignedIn("reader-"+string(role), role)
		contents := reader.Get("/help")
		files, err := os.ReadDir("../../../views/help")
		require.NoError(t, err)
		for _, f := range files {
			name, isChapter := strings.CutSuffix(f.Name(), ".md")
			if !isChapter {
				continue
			}
			require.Equal(t, 1, contents.Find("[href='/help/"+name+"']").Length(), "the list of chapters has %s", name)
			chapter := reader.Get("/help/" + name)
			require.Equal(t, http.StatusOK, chapter.Status, name)
			require.Positive(t, chapter.Find("article p").Length(), name)
			pictures := chapter.Find("article img")
			require.Equal(t, 2*pictures.Filter(".pb-in-dark").Length(), pictures.Length(), "%s: each picture in both themes", name)
			for _, picture := range pictures.EachIter() {
				require.Equal(t, "image/webp", reader.Get(picture.AttrOr("src", "")).Header.Get("Content-Type"), name)
				require.NotEmpty(t, picture.AttrOr("alt", ""), name)
			}
			for _, link := range chapter.Find("article a").EachIter() {
				href := link.AttrOr("href", "")
				file, part, _ := strings.Cut(href, "#")
				switch {
				case strings.HasPrefix(href, "/help/"):
					require.Equal(t, http.StatusOK, reader.Get(file).Status, href)
				case strings.HasPrefix(href, "#") && part != "":
					require.Equal(t, 1, chapter.Find("[id='"+part+"']").Length(), href)
				}
			}
		}
		require.Equal(t, http.StatusNotFound, reader.Get("/help/nothing").Status)
		require.Equal(t, http.StatusNotFound, reader.Get("/help/pictures/nothing.webp").Status)
		for _, link := range reader.Get("/").Find("nav a").EachIter() {
			help := reader.Get(link.AttrOr("href", "")).Find(".pb-nav-foot a").AttrOr("href", "")
			file, part, _ := strings.Cut(help, "#")
			chapter := reader.Get(file)
			require.Equal(t, http.StatusOK, chapter.Status, help)
			if part != "" {
				require.Equal(t, 1, chapter.Find("[id='"+part+"']").Length(), "%s of %s", help, link.Text())
			}
		}
	}

	// The pages that the chapter about rules names exist, and compliance can open them.
	chloe := s.SignedIn("chloe", models.Compliance)
	named := chloe.Get("/help/rules").Find("article a").FilterFunction(func(_ int, link *goquery.Selection) bool {
		return link.Children().Is("code")
	})
	require.Greater(t, named.Length(), 40)
	for _, link := range named.EachIter() {
		require.Equal(t, http.StatusOK, chloe.Get(link.AttrOr("href", "")).Status, link.Text())
	}

	ada := s.SignedIn("ada", models.Administrator)
	found := ada.Get("/help?q=Unconfirmed+GRANT")
	require.Contains(t, found.Find("[aria-label=Results]").Text(), "Bonus")
	require.Equal(t, http.StatusOK, ada.Get("/help?q=%22%3E%3Cscript%3E+%ff").Status)
	require.Contains(t, ada.Get("/help?q=xyzzy").Find("main").Text(), "No section has all of these words.")
}
