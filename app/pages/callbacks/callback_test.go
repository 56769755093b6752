package callbacks

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/models"
)

// TestTheCommandIsTheCallback runs the command from the page in a shell, with a curl that prints what it would send.
func TestTheCommandIsTheCallback(t *testing.T) {
	c := models.Callback{
		Kind: models.Withdraw, Verdict: models.VerdictDuplicate, UserID: `o'brien $HOME "x" \ %s`, Amount: "12.30",
		TransactionID: "-e", RoundID: "r`id`", FreeSpin: true,
	}
	script := `curl() { for word in "$@"; do printf '%s\n' "$word"; done; }` + "\n" + curlOf("Partner01", c)
	shell := exec.CommandContext(t.Context(), "sh", "-c", script)
	shell.Env = append(shell.Environ(), "SECRET_KEY=1234567890", "CALLBACK_URL=https://casino.example/w")
	out, err := shell.CombinedOutput()
	require.NoError(t, err, string(out))
	words := strings.Split(strings.TrimSpace(string(out)), "\n")
	require.Equal(t, "https://casino.example/w/Withdraw", words[1])
	body := words[len(words)-1]
	require.Regexp(t, `^\{"agentID":"Partner01","userID":"o'brien \$HOME \\"x\\" \\\\ %s","amount":"12.30","transactionID":"-e","roundID":"r`+"`id`"+`","freeSpin":true,"sign":"[0-9A-F]{64}"\}$`, body)

	// The test vector of the platform's own documentation.
	c = models.Callback{Kind: models.Withdraw, Verdict: models.Applied, UserID: "Player01", Amount: "12.30",
		TransactionID: "474e1a293c2f4e7ab122c52d68423fcb", RoundID: "ab9c15f2efdd46278e4a56b303127234"}
	shell = exec.CommandContext(t.Context(), "sh", "-c", "curl() { :; }\n"+curlOf("Partner01", c)+`printf %s "$sign"`)
	shell.Env = append(shell.Environ(), "SECRET_KEY=1234567890")
	out, err = shell.CombinedOutput()
	require.NoError(t, err)
	require.Equal(t, "475D834ACC3AB61D7DF4EA42751C6275387BC1787A098D2D0E091698D9BF2043", string(out))

	for name, c := range map[string]models.Callback{
		"a stranger's": {Kind: models.Withdraw, Verdict: models.VerdictInvalidSign, UserID: "a", Amount: "1.00",
			TransactionID: "t", RoundID: "r"},
		"not printable": {Kind: models.Withdraw, Verdict: models.Applied, UserID: "a\x1b[2J", Amount: "1.00",
			TransactionID: "t", RoundID: "r"},
		"left out": {Verdict: models.VerdictLeftOut, LeftOut: 3},
	} {
		require.Empty(t, curlOf("Partner01", c), name)
	}
}
