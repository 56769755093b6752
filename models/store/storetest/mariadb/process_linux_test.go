package mariadb_test

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A server must not outlive tests that were killed: an orphan keeps its port and its memory. Only Linux can prevent that.
func TestServerDiesWithItsStarter(t *testing.T) {
	child := exec.Command(os.Args[0])
	// A killed child cannot delete its temporary files.
	child.Env = append(os.Environ(), asChild+"="+t.TempDir(), "TMPDIR="+t.TempDir())
	stdout, err := child.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, child.Start())
	addr, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err)
	addr = strings.TrimSpace(addr)

	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := open(t, "root@tcp("+addr+")/").Conn(ctx)
	require.NoError(t, err)
	waiting := make(chan error, 1)
	go func() {
		var n int
		waiting <- conn.QueryRowContext(ctx, "SELECT SLEEP(3600)").Scan(&n)
	}()
	require.NoError(t, child.Process.Kill())
	_ = child.Wait() // killed, as it should be

	require.Error(t, <-waiting) // the connection broke
	require.NoError(t, ctx.Err(), "the server outlived its starter")
}
