package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/callbacks/wire"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// sendOnce sends one signed Deposit of a cent, over connections that stay open, and returns what was wrong with its answer.
func sendOnce(t *testing.T, client *http.Client, base, user, id string) error {
	t.Helper()
	r := wire.Request{AgentID: testAgent, UserID: user, Amount: "0.01", TransactionID: id, RoundID: "r"}
	r.Sign = wire.Sign(testSecret, r.SignedValues(wire.Deposit, nil)...)
	body, err := json.Marshal(r)
	require.NoError(t, err)
	// which the client cannot repeat
	request, err := http.NewRequest(http.MethodPost, base+wire.Deposit.Path(), io.NopCloser(bytes.NewReader(body)))
	require.NoError(t, err)
	request.ContentLength = int64(len(body))
	answer, err := client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	var got struct{ Result int }
	if err := json.Unmarshal(content, &got); err != nil || answer.StatusCode != http.StatusOK || got.Result != 0 {
		return fmt.Errorf("status %d: %s", answer.StatusCode, content)
	}
	return nil
}

// requireLogged requires that each bet and win has the request that brought it.
func requireLogged(t *testing.T, url string) {
	t.Helper()
	var n int
	require.NoError(t, rawDB(t, url).QueryRowContext(t.Context(), "SELECT COUNT(*) FROM postings WHERE source = 1 AND request IS NULL").Scan(&n))
	require.Zero(t, n)
}

// Two instances are restarted one after the other, while callbacks come through HAProxy with the shipped configuration. None of
// them is lost, and HAProxy does not have to send any of them again.
func TestRollingRestart(t *testing.T) {
	alongside(t)
	url := storetest.URL(t, storetest.MariaDB)
	b := newBalancer(t)
	var instances [2]*process
	for i := range instances {
		instances[i] = start(t, environment(url, append(b.settings(i), "PITBOSS_DRAIN_DELAY=5s")...))
	}
	b.start(t)
	s := open(t, url)
	var sending sync.WaitGroup
	var enough atomic.Bool
	defer sending.Wait() // failures are reported before their consequences
	defer enough.Store(true)
	var sent atomic.Int64
	users := players(t, s, 6)
	deposits := make([]int, len(users))
	for i, user := range users {
		sending.Go(func() {
			client := &http.Client{Transport: b.transport}
			for !enough.Load() {
				if err := sendOnce(t, client, b.callbacks, user, fmt.Sprintf("%d-%d", i, deposits[i])); err != nil {
					t.Errorf("a callback was lost: %v", err)
				}
				deposits[i]++
				sent.Add(1)
			}
		})
	}
	sends := func(more int64) {
		until := sent.Load() + more
		require.Eventually(t, func() bool { return sent.Load() >= until }, time.Minute, time.Millisecond)
	}
	sends(100)
	for _, instance := range instances {
		instance.stop(t)
		sends(50)
		instance.launch(t)
		require.Eventually(t, b.up, time.Minute, 20*time.Millisecond)
		sends(100)
	}
	enough.Store(true)
	sending.Wait()
	require.Zero(t, b.resent(), "callbacks met an instance that was about to stop, and only HAProxy's repetition saved them")
	for i, user := range users {
		p, _, err := s.Player(t.Context(), models.UserID(user))
		require.NoError(t, err)
		require.EqualValues(t, 50000+deposits[i], p.Wallet.Balance)
	}
	requireWhole(t, s)
	requireLogged(t, url)
	t.Logf("%d callbacks, none lost", sent.Load())
}

// While an instance is about to stop, it serves every request and closes each connection with its answer.
func TestDrainDelay(t *testing.T) {
	p := start(t, environment(storetest.URL(t, storetest.SQLite), append(ports(t), "PITBOSS_DRAIN_DELAY=1h")...))
	admin := "http://" + p.value("PITBOSS_ADMIN_ADDR")
	require.NoError(t, p.Process.Signal(syscall.SIGTERM))
	for status, checks := asked(t, admin); status != http.StatusServiceUnavailable; status, checks = asked(t, admin) {
		require.NotContains(t, checks, "stopping")
	}
	_, checks := asked(t, admin)
	require.Contains(t, checks["stopping"], "about to stop")
	for _, address := range []string{admin + "/healthz", p.callbackURL() + wire.GetBalance.Path()} {
		r, err := http.Post(address, "application/json", nil)
		require.NoError(t, err)
		r.Body.Close()
		require.Less(t, r.StatusCode, 500)
		require.True(t, r.Close, "%s leaves the connection open", address)
	}
	require.NoError(t, p.Process.Signal(syscall.SIGTERM))
	require.ErrorContains(t, p.Wait(), "terminated", "a second signal ends the program at once")
}
