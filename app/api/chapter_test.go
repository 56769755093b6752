package api_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/apptest"
	"pitboss/models"
	"pitboss/views"
)

var example = regexp.MustCompile("(?s)```http\n(GET|POST) ([^\n]+)\n(?:Idempotency-Key: ([^\n]+)\n\n([^\n]+)\n)?```")

// The examples of the handbook's chapter work in their order, and each call has one.
func TestAPIChapter(t *testing.T) {
	each(t, func(t *testing.T, s *listening) {
		text, err := views.Handbook.ReadFile("help/api.md")
		require.NoError(t, err)
		g := s.SyncedGame()
		token := s.client(models.APITerms{Name: "website", Cash: "EUR 500.00"})
		examples := example.FindAllStringSubmatch(string(text), -1)
		require.Equal(t, strings.Count(string(text), "```http"), len(examples))
		had := map[string]bool{}
		for _, e := range examples {
			method, path, key, body := e[1], e[2], e[3], strings.ReplaceAll(e[4], "GAME", string(g.GameID))
			if strings.HasSuffix(path, "/closure") { // what is left has to be paid first
				left := fmt.Sprint(s.send(t, token, "/v1/players/anna", "", "").is["balance"])
				out := s.send(t, token, "/v1/cashouts", "rest", `{"player":"anna","amount":"`+left+`","currency":"EUR"}`)
				require.Equal(t, 201, out.status, out.text)
				require.Equal(t, 201, s.send(t, token, "/v1/cashouts/rest/commit", "rest", "{}").status)
			}
			done := s.send(t, token, path, key, body)
			require.Less(t, done.status, 300, "%s %s: %s", method, path, done.text)
			had[method+" "+strings.Split(path, "?")[0]] = true
			switch path {
			case "/v1/players":
				s.Book(apptest.Bet("anna", "b-1", "round-1", 0))
			case "/v1/cashouts":
				require.Equal(t, 201, s.send(t, token, path, "payout-78", body).status) // the one that is canceled
			}
		}
		require.Len(t, had, len(s.calls(t)))
	})
}
