package main

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A demo listens where it is told, names an address that is taken, and ends with status 0 on Ctrl-C, even during its start.
func TestDemoAddressesAndCtrlC(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	demo := func(environ []string, args ...string) (*exec.Cmd, *bytes.Buffer) {
		c := exec.Command(self, append([]string{"demo", "--data", filepath.Join(t.TempDir(), "data")}, args...)...)
		out := &bytes.Buffer{}
		c.Env, c.Stdout, c.Stderr = programEnvironment(environ), out, out
		return c, out
	}
	for _, option := range []string{"ADMIN_ADDR", "CALLBACK_ADDR", "API_ADDR"} {
		c, out := demo([]string{"PITBOSS_" + option + "=" + taken.Addr().String()})
		require.Error(t, c.Run())
		require.Contains(t, out.String(), taken.Addr().String()+": bind: address already in use")
	}
	c, out := demo(nil, "--admin-addr", "127.0.0.1:0")
	require.NoError(t, c.Start())
	env := filepath.Join(c.Args[3], "demo.env")
	require.Eventually(t, func() bool { _, err := os.Stat(env); return err == nil }, time.Minute, 5*time.Millisecond)
	require.NoError(t, c.Process.Signal(os.Interrupt))
	require.NoError(t, c.Wait(), out)
}
