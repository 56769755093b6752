package main

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/callbacks/wire"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// scrape reads a server's metrics as Prometheus does: values by name and labels, such as
// pitboss_queue_waiting{queue="players"}.
func scrape(t *testing.T, server *Server) map[string]float64 {
	t.Helper()
	answer, err := http.Get(server.metrics.URL())
	require.NoError(t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, answer.StatusCode, "%s", text)
	values := map[string]float64{}
	for _, line := range regexp.MustCompile(`(?m)^(\w+(?:\{.*\})?) (\S+)$`).FindAllStringSubmatch(string(text), -1) {
		values[line[1]], err = strconv.ParseFloat(line[2], 64)
		require.NoError(t, err)
	}
	return values
}

// scrapeUntil reads the database for the metrics and scrapes them until good returns true.
func scrapeUntil(t *testing.T, server *Server, good func(map[string]float64) bool) (values map[string]float64) {
	t.Helper()
	require.Eventually(t, func() bool {
		require.NoError(t, server.metrics.watch.read(t.Context()))
		values = scrape(t, server)
		return good(values)
	}, time.Minute, 50*time.Millisecond)
	return values
}

// TestMetrics plays, leaves things for people to do, and finds all of it in the metrics.
func TestMetrics(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		began := time.Now()
		server := boot(t, environment(url, "PITBOSS_METRICS_ADDR=127.0.0.1:0",
			"PITBOSS_CHECKPOINT_DIR="+t.TempDir(), "PITBOSS_CHECKPOINT_EVERY=0"))
		s := open(t, url)
		player := models.UserID(players(t, s, 1)[0])
		for i := range 20 {
			id := fmt.Sprint("t", i)
			bet := wire.Request{UserID: string(player), TransactionID: id, RoundID: "r" + id, Amount: "1.00"}
			require.Zero(t, call(t, server.CallbackURL(), wire.Withdraw, bet))
		}
		require.Zero(t, call(t, server.CallbackURL(), wire.GetBalance, wire.Request{UserID: string(player)}))
		for _, path := range []string{"/signin", "/nowhere/12", "/players/nobody-s-secret"} {
			answer, err := http.Get(server.AdminURL() + path)
			require.NoError(t, err)
			answer.Body.Close()
		}

		mira, err := s.CreateStaff(t.Context(), models.System, models.Staff{
			Username: "mira", Name: "Mira", Role: models.Finance, PasswordHash: "x", Profile: models.DefaultProfile,
		})
		require.NoError(t, err)
		booked, found, err := s.Player(t.Context(), player)
		require.NoError(t, err)
		require.True(t, found)
		maker := models.Signer{Actor: models.Actor{Name: "mira"}, StaffID: mira.ID, Role: models.Finance}
		_, err = s.RequestCorrection(t.Context(), maker, models.CorrectionRequest{
			Kind: models.CorrectRollback, PlayerID: booked.ID, TransactionID: "t0", Reason: "round-voided",
			Text: "Their ticket 88213.",
		})
		require.NoError(t, err)
		require.NoError(t, s.RequestTestNotice(t.Context(), models.System))
		finding := models.Finding{Rule: models.CaseNegativeBalance, Key: "k", At: began, PlayerID: booked.ID}
		_, _, err = s.OpenCases(t.Context(), []models.Finding{finding})
		require.NoError(t, err)
		_, err = server.evidence.Write(t.Context(), models.System)
		require.NoError(t, err)
		_, err = server.evidence.Ask(t.Context(), models.System)
		require.NoError(t, err)

		values := scrapeUntil(t, server, func(v map[string]float64) bool {
			_, holder := v[`pitboss_job_holder{holder="`+instance()+`",task="figures"}`]
			return holder && v["pitboss_verification_timestamp_seconds"] > 0 &&
				v[`pitboss_job_runs_total{outcome="failed",task="games schedule"}`] > 0 &&
				v[`pitboss_job_last_success_timestamp_seconds{task="figures"}`] > 0
		})
		recent := func(name string) {
			t.Helper()
			require.InDelta(t, float64(time.Now().Unix()), values[name], 1+time.Since(began).Seconds(), name)
		}
		for name, want := range map[string]float64{
			`pitboss_cases_open{rule="negative balance"}`:                     1,
			`pitboss_cases_open{rule="overflow refused"}`:                     0,
			`pitboss_cases_oldest_timestamp_seconds{rule="overflow refused"}`: 0,
			`pitboss_corrections_waiting`:                                     1,
			`pitboss_notices{state="waiting"}`:                                1,
			`pitboss_notices{state="failed"}`:                                 0,
			`pitboss_grants_unknown`:                                          0,
			`pitboss_verification_faults`:                                     0,
			`pitboss_queue_waiting{queue="players"}`:                          0,
			`pitboss_queue_waiting{queue="committers"}`:                       0,
			`pitboss_queue_capacity{queue="balances"}`:                        4096,
			`pitboss_queue_full_total{queue="balances"}`:                      0,
			`pitboss_operations_set_aside_total`:                              0,
			`pitboss_batch_operations_sum`:                                    20,
			`pitboss_job_interval_seconds{task="figures"}`:                    5,
			`pitboss_job_interval_seconds{task="callback counts"}`:            5,
			// one was sent there
			`pitboss_admin_request_duration_seconds_count{area="signin"}`:                         2,
			`pitboss_admin_request_duration_seconds_count{area="players"}`:                        1,
			`pitboss_admin_request_duration_seconds_count{area="none"}`:                           1,
			`pitboss_admin_requests_total{status="5xx"}`:                                          0,
			`pitboss_platform_calls_total{call="userAuth",outcome="answered"}`:                    0,
			`pitboss_platform_call_duration_seconds_count{call="assignFreeSpin"}`:                 0,
			`pitboss_database_retries_total{cause="deadlock",work="operations"}`:                  0,
			`pitboss_build_info{goversion="` + runtime.Version() + `",version="` + version + `"}`: 1,
		} {
			require.Contains(t, values, name)
			require.Equal(t, want, values[name], name)
		}
		for _, name := range []string{
			"pitboss_database_metrics_timestamp_seconds", "pitboss_checkpoint_timestamp_seconds",
			"pitboss_verification_timestamp_seconds",
			"pitboss_corrections_oldest_timestamp_seconds", `pitboss_cases_oldest_timestamp_seconds{rule="negative balance"}`,
			`pitboss_job_last_success_timestamp_seconds{task="notices"}`,
		} {
			recent(name)
		}
		for _, name := range []string{
			"pitboss_batch_operations_count", "pitboss_batch_duration_seconds_count",
			`pitboss_platform_calls_total{call="gameList",outcome="connection"}`,
			`pitboss_platform_call_duration_seconds_count{call="gameList"}`, `pitboss_database_connections_max{pool="money"}`,
			`pitboss_database_connections_max{pool="general"}`, `pitboss_job_seconds_total{task="figures"}`,
			`pitboss_admin_requests_total{status="4xx"}`,
		} {
			require.Positive(t, values[name], name)
		}
		for name := range values {
			require.NotContains(t, name, "nowhere", "labels come from routes, not from what somebody has typed")
			require.NotContains(t, name, "secret")
		}
		require.Contains(t, values, "pitboss_clock_difference_seconds")
		requireWhole(t, s)
	})
}

// TestMetricsWhileTheDatabaseHangs: a scrape does not wait for the database, except for a moment to learn whether it takes
// writes. So it answers when monitoring is needed most.
func TestMetricsWhileTheDatabaseHangs(t *testing.T) {
	direct := storetest.URL(t, storetest.MariaDB)
	proxy := storetest.NewFaultProxy(t, strings.TrimPrefix(direct, "mysql://"))
	server := boot(t, environment("mysql://"+proxy.DSN(), "PITBOSS_METRICS_ADDR=127.0.0.1:0"))
	before := scrapeUntil(t, server, func(map[string]float64) bool { return true })
	resume := proxy.Stall()
	defer resume()
	var after map[string]float64
	require.Eventually(t, func() bool {
		after = scrape(t, server)
		return after["pitboss_money_writable"] == 0
	}, time.Minute, 50*time.Millisecond)
	require.Positive(t, after["pitboss_database_metrics_timestamp_seconds"], "what was read before")
	for name := range before {
		_, there := after[name]
		require.True(t, there, name)
	}
}
