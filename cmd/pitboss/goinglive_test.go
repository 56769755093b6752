package main

import (
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// callbackExample is a request of the chapter about going live, with its answer.
var callbackExample = regexp.MustCompile(`(?m)^    POST (/\w+)\n((?:    .*\n)+?)    200 (.*)$`)

// TestGoingLiveChapter sends the examples of the chapter to a server, in their order, and compares the answers.
func TestGoingLiveChapter(t *testing.T) {
	chapter, err := os.ReadFile("../../views/help/going-live.md")
	require.NoError(t, err)
	examples := callbackExample.FindAllStringSubmatch(string(chapter), -1)
	require.Len(t, examples, strings.Count(string(chapter), "\n    POST "))
	storetest.Each(t, func(t *testing.T, url string) {
		server := boot(t, environment(url, "PITBOSS_AGENT_ID=Partner01", "PITBOSS_SECRET_KEY=1234567890"))
		_, err := open(t, url).CreatePlayer(t.Context(), models.System, models.NewPlayer{UserID: "Player01", Currency: "EUR", Balance: 10000})
		require.NoError(t, err)
		for _, e := range examples {
			request := strings.ReplaceAll(strings.TrimSpace(e[2]), "\n    ", "")
			answer, err := http.Post(server.CallbackURL()+e[1], "application/json", strings.NewReader(request))
			require.NoError(t, err)
			body, err := io.ReadAll(answer.Body)
			answer.Body.Close()
			require.NoError(t, err)
			require.Equal(t, http.StatusOK, answer.StatusCode, request)
			require.Equal(t, e[3], string(body), "%s %s", e[1], request)
		}
	})
}
