package platform_test

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/platform"
	"pitboss/callbacks/wire"
	"pitboss/models"
)

// A shell runs a replay's command as intended, however the platform names its players and transactions, and signs it with its
// own key.
func TestReplays(t *testing.T) {
	replays := platform.Replays{URL: "http://127.0.0.1:8081/wallet", AgentID: "agent", Duplicate: 11}
	line := func(kind models.OperationKind, state models.TransactionState) models.TransactionLine {
		return models.TransactionLine{UserID: `o'hara"; $(touch /) \ <b>`, Transaction: models.Transaction{
			Source: models.SourcePlatform, TransactionID: "t'1 `x`", RoundID: "r-1", Kind: kind, State: state, Bet: 1000,
			Win: 250,
		}}
	}
	sent := func(r platform.Replay) (request wire.Request, url string) {
		shell := exec.CommandContext(t.Context(), "sh", "-c", `curl() { printf '%s\n' "$@"; }; `+r.Command)
		shell.Env = append(shell.Environ(), "SECRET_KEY=the $secret 'key\"")
		words, err := shell.Output()
		require.NoError(t, err)
		args := strings.Split(strings.TrimSpace(string(words)), "\n")
		require.Len(t, args, 6)
		require.NoError(t, json.Unmarshal([]byte(args[5]), &request))
		return request, args[1]
	}
	for kind, endpoint := range map[models.OperationKind]wire.Endpoint{models.Bet: wire.Withdraw, models.Win: wire.Deposit,
		models.BetWin: wire.BetWin} {
		want := line(kind, models.Processed)
		list := replays.Of(want)
		require.Len(t, list, 1)
		require.Equal(t, "11, duplicate transaction", list[0].Answered)
		request, url := sent(list[0])
		require.Equal(t, replays.URL+endpoint.Path(), url)
		require.Equal(t, string(want.UserID), request.UserID)
		require.Equal(t, string(want.TransactionID), request.TransactionID)
		require.Equal(t, wire.Sign("the $secret 'key\"", request.SignedValues(endpoint, nil)...), request.Sign)
	}
	list := replays.Of(line(models.Bet, models.Reversed))
	require.Len(t, list, 2)
	require.Equal(t, "RollbackTransaction", list[1].Endpoint)
	for _, r := range list {
		require.Equal(t, "9, already rolled back", r.Answered)
		request, _ := sent(r)
		require.Len(t, request.Sign, 64)
	}
	ours := line(models.Adjustment, models.Processed)
	ours.Source = models.SourceOwn
	require.Empty(t, replays.Of(ours))

	shell := exec.CommandContext(t.Context(), "sh", "-c", `unset SECRET_KEY; curl() { echo sent; }; `+list[0].Command)
	out, err := shell.CombinedOutput()
	require.Error(t, err)
	require.NotContains(t, string(out), "sent", "nothing is sent without a key")
	require.Contains(t, string(out), "Set SECRET_KEY")
}
