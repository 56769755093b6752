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

// A shell takes a replay's command as it is meant, whatever the platform named its players and transactions.
func TestReplays(t *testing.T) {
	replays := platform.Replays{URL: "http://127.0.0.1:8081/wallet", AgentID: "agent", SecretKey: "the secret", Duplicate: 11}
	line := func(kind models.OperationKind, state models.TransactionState) models.TransactionLine {
		return models.TransactionLine{UserID: `o'hara"; $(touch /) \ <b>`, Transaction: models.Transaction{
			Source: models.SourcePlatform, TransactionID: "t'1 `x`", RoundID: "r-1", Kind: kind, State: state, Bet: 1000, Win: 250,
		}}
	}
	sent := func(r platform.Replay) (request wire.Request, url string) {
		require.NotContains(t, r.Command, "the secret")
		words, err := exec.CommandContext(t.Context(), "sh", "-c", `curl() { printf '%s\n' "$@"; }; `+r.Command).Output()
		require.NoError(t, err)
		args := strings.Split(strings.TrimSpace(string(words)), "\n")
		require.Len(t, args, 8)
		require.NoError(t, json.Unmarshal([]byte(args[6]), &request))
		return request, args[7]
	}
	for kind, endpoint := range map[models.OperationKind]wire.Endpoint{models.Bet: wire.Withdraw, models.Win: wire.Deposit, models.BetWin: wire.BetWin} {
		want := line(kind, models.Processed)
		list, err := replays.Of(want)
		require.NoError(t, err)
		require.Len(t, list, 1)
		require.Equal(t, "11, duplicate transaction", list[0].Answered)
		request, url := sent(list[0])
		require.Equal(t, replays.URL+endpoint.Path(), url)
		require.Equal(t, string(want.UserID), request.UserID)
		require.Equal(t, string(want.TransactionID), request.TransactionID)
		require.Equal(t, wire.Sign("the secret", request.SignedValues(endpoint, nil)...), request.Sign)
	}
	list, err := replays.Of(line(models.Bet, models.Reversed))
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, "RollbackTransaction", list[1].Endpoint)
	for _, r := range list {
		require.Equal(t, "9, already rolled back", r.Answered)
	}
	ours := line(models.Adjustment, models.Processed)
	ours.Source = models.SourceOwn
	list, err = replays.Of(ours)
	require.NoError(t, err)
	require.Empty(t, list)
}
