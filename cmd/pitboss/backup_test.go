package main

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/callbacks/simulator"
	"pitboss/callbacks/wire"
	"pitboss/cmd/pitboss/config"
	"pitboss/cmd/testing/mariadb"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// Backups are taken as views/help/backup.md says, from a database on which the platform plays.

// backedUp is a database that is being played on, and can be backed up and restored.
type backedUp struct {
	url     string
	backUp  func(t *testing.T)              // while the platform plays
	restore func(t *testing.T) (url string) // into a fresh database
	// brings the restored database up to the last transaction; nil: it cannot be done
	forward func(t *testing.T)
}

// program returns the path of one of MariaDB's programs.
func program(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	require.NoError(t, err,
		"%s is not installed. On Debian: sudo apt-get install --no-install-recommends mariadb-client mariadb-backup", name)
	return path
}

// runs runs a program, with input if it is not nil, and returns what it printed.
func runs(t *testing.T, input []byte, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(program(t, name), args...)
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(input), &out, &errs
	require.NoError(t, cmd.Run(), "%s %s: %s", name, strings.Join(args, " "), errs.String())
	return out.Bytes()
}

// account returns the flags with which MariaDB's programs reach a server.
func account(s *mariadb.Server) []string {
	host, port, _ := strings.Cut(s.Addr(), ":")
	return []string{"--no-defaults", "--protocol=tcp", "--host=" + host, "--port=" + port, "--user=root"}
}

func startMariaDB(t *testing.T, args ...string) *mariadb.Server {
	t.Helper()
	dir, err := mariadb.TempDir("pitboss-backup-")
	require.NoError(t, err)
	s, err := mariadb.Start(dir, args...)
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, s.Kill())
		require.NoError(t, os.RemoveAll(dir))
	})
	return s
}

func createDatabase(t *testing.T, s *mariadb.Server) (url string) {
	t.Helper()
	db, err := sql.Open("mysql", s.DSN(""))
	require.NoError(t, err)
	defer db.Close()
	_, err = db.ExecContext(t.Context(), "CREATE DATABASE pitboss")
	require.NoError(t, err)
	return "mysql://" + s.DSN("pitboss")
}

// byDump returns a database that is backed up with mariadb-dump and rolled forward with the binary log.
func byDump(t *testing.T) backedUp {
	logs := t.TempDir()
	live := startMariaDB(t, "--log-bin="+filepath.Join(logs, "binlog"), "--server-id=1", "--binlog-format=ROW")
	b := backedUp{url: createDatabase(t, live)}
	var dump []byte
	b.backUp = func(t *testing.T) {
		dump = runs(t, nil, "mariadb-dump",
			append(account(live), "--single-transaction", "--master-data=2", "--routines", "--triggers", "--hex-blob",
				"pitboss")...)
	}
	var fresh *mariadb.Server
	b.restore = func(t *testing.T) string {
		fresh = startMariaDB(t)
		url := createDatabase(t, fresh)
		runs(t, dump, "mariadb", append(account(fresh), "pitboss")...)
		return url
	}
	b.forward = func(t *testing.T) {
		at := regexp.MustCompile(`MASTER_LOG_FILE='(.*)', MASTER_LOG_POS=(\d+)`).FindSubmatch(dump)
		require.NotNil(t, at, "the dump does not say where the binary log was")
		files, err := filepath.Glob(filepath.Join(logs, "binlog.0*"))
		require.NoError(t, err)
		files = slices.DeleteFunc(files, func(name string) bool { return filepath.Base(name) < string(at[1]) })
		changes := runs(t, nil, "mariadb-binlog",
			append([]string{"--no-defaults", "--disable-log-bin", "--database=pitboss", "--start-position=" + string(at[2])},
				files...)...)
		runs(t, changes, "mariadb", append(account(fresh), "--binary-mode", "pitboss")...)
	}
	return b
}

// byCopy returns a database that is backed up with mariadb-backup.
func byCopy(t *testing.T) backedUp {
	live := startMariaDB(t)
	target := filepath.Join(t.TempDir(), "copy")
	return backedUp{
		url:     createDatabase(t, live),
		backUp:  func(t *testing.T) { copyAway(t, live, target) },
		restore: func(t *testing.T) string { return "mysql://" + copyBack(t, target).DSN("pitboss") },
	}
}

// copyAway copies the data of a server that is in use.
func copyAway(t *testing.T, live *mariadb.Server, target string) {
	t.Helper()
	runs(t, nil, "mariadb-backup",
		append(account(live)[:1:1],
			append([]string{"--backup", "--target-dir=" + target, "--datadir=" + live.DataDir()},
				account(live)[2:]...)...)...)
}

// copyBack starts a server on a copy that copyAway made.
func copyBack(t *testing.T, target string) *mariadb.Server {
	t.Helper()
	fresh := startMariaDB(t)
	require.NoError(t, fresh.Stop())
	require.NoError(t, os.RemoveAll(fresh.DataDir()))
	runs(t, nil, "mariadb-backup", "--no-defaults", "--prepare", "--target-dir="+target)
	runs(t, nil, "mariadb-backup", "--no-defaults", "--copy-back", "--target-dir="+target, "--datadir="+fresh.DataDir())
	require.NoError(t, fresh.Restart())
	return fresh
}

// byVacuum returns an SQLite database that is backed up with VACUUM INTO.
func byVacuum(t *testing.T) backedUp {
	dir := t.TempDir()
	live, copied := filepath.Join(dir, "pitboss.db"), filepath.Join(dir, "backup.db")
	return backedUp{
		url:    "sqlite://" + live,
		backUp: func(t *testing.T) { tamper(t, "sqlite://"+live, "VACUUM INTO '"+copied+"'") },
		restore: func(t *testing.T) string {
			content, err := os.ReadFile(copied)
			require.NoError(t, err)
			fresh := filepath.Join(t.TempDir(), "pitboss.db")
			require.NoError(t, os.WriteFile(fresh, content, 0o600))
			return "sqlite://" + fresh
		},
	}
}

// A backup taken while the platform plays is restored and verified against the checkpoint before it. What came after the backup
// is listed and sent again; then every balance is as it was.
func TestBackupUnderLoad(t *testing.T) {
	alongside(t)
	for name, begin := range map[string]func(*testing.T) backedUp{"dump": byDump, "mariadb-backup": byCopy,
		"sqlite": byVacuum} {
		t.Run(name, func(t *testing.T) {
			b := begin(t)
			checkpoints := t.TempDir()
			environ := environment(b.url, "PITBOSS_CHECKPOINT_DIR="+checkpoints, "PITBOSS_CHECKPOINT_EVERY=0")
			platform, ours := playAndBackUp(t, b, environ)

			files, err := filepath.Glob(filepath.Join(checkpoints, "checkpoint-*"))
			require.NoError(t, err)
			require.Len(t, files, 2)
			before, after := files[0], files[1]
			if b.forward != nil { // before anything else writes to the restored database, verify included
				url := b.restore(t)
				environ[0] = "PITBOSS_DATABASE_URL=" + url
				b.forward(t)
				status, out, _ := command(t, environ, "verify", "--checkpoint", after)
				require.Zero(t, status, "the binary log has the rest: %s", out)
				require.Equal(t, ours, wallets(t, open(t, url)))
			}
			environ[0] = "PITBOSS_DATABASE_URL=" + b.restore(t)
			status, out, _ := command(t, environ, "verify", "--checkpoint", before)
			require.Zero(t, status, out)
			status, out, _ = command(t, environ, "verify", "--checkpoint", after)
			require.Equal(t, 1, status)
			require.Contains(t, out, "gone since the checkpoint")
			settle(t, environ, after, platform, ours)
		})
	}
}

// playAndBackUp has the platform play, writes a checkpoint before the backup and one after it, and returns the platform
// and everybody's final balance.
func playAndBackUp(t *testing.T, b backedUp, environ []string) (platform *simulator.Simulator, ours map[models.UserID]models.Amount) {
	t.Helper()
	settings, err := config.Load[config.Server](environ)
	require.NoError(t, err)
	server, err := NewServer(t.Context(), settings, newLog(&console{err: testLog{t}}, "text"))
	require.NoError(t, err)
	serving, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(serving) }()
	s, err := store.Open(t.Context(), store.Config{URL: b.url, LedgerKey: []byte(testLedger)})
	require.NoError(t, err)
	users := players(t, s, 8)
	answered := make(chan struct{}, 1)
	playing, finish := context.WithCancel(t.Context())
	defer finish()
	played := make(chan error, 1)
	platform = newPlatform(t, server.CallbackURL())
	go func() {
		report, err := platform.Play(playing, simulator.PlayOptions{
			Players: users, Seed: rand.Uint64(), Workers: 8, Gentle: true, Drain: time.Minute,
			OnEvent: func(simulator.Event) {
				select {
				case answered <- struct{}{}:
				default:
				}
			},
		})
		if err == nil {
			err = report.Err()
		}
		played <- err
	}()
	await := func() {
		for range long(150, 5000) {
			select {
			case <-answered:
			case <-time.After(time.Minute):
				t.Fatal("no callback was answered for a minute")
			}
		}
	}
	write := func() {
		status, out, errs := command(t, environ, "checkpoint", "write")
		require.Zero(t, status, out+errs)
	}
	await()
	write()
	await()
	b.backUp(t)
	await()
	write()
	await()
	finish()
	require.NoError(t, <-played)
	ours = wallets(t, s)
	require.NoError(t, s.Close())
	stop()
	require.NoError(t, <-ended)
	return platform, ours
}

// wallets returns the balances of all players.
func wallets(t *testing.T, s *store.Store) map[models.UserID]models.Amount {
	t.Helper()
	all := map[models.UserID]models.Amount{}
	list, err := s.Players(t.Context(), models.PlayerFilter{Span: models.Span{Limit: 100}})
	require.NoError(t, err)
	require.False(t, list.More)
	for _, p := range list.Rows {
		all[p.UserID] = p.Wallet.Balance
	}
	return all
}

// settle sends again what the platform's statement lists, and goes on playing.
func settle(t *testing.T, environ []string, after string, platform *simulator.Simulator,
	ours map[models.UserID]models.Amount) {
	t.Helper()
	url := strings.TrimPrefix(environ[0], "PITBOSS_DATABASE_URL=")
	server := boot(t, environ)
	require.Contains(t, ready(t, server), "has a later state than the database")
	s := open(t, url)
	_, gone := differences(t, url, platform)
	sendAgain(t, server.CallbackURL(), gone)
	require.Equal(t, ours, wallets(t, s), "after what was lost was sent again")
	var names []string
	for i := range 4 {
		p, err := s.CreatePlayer(t.Context(), models.System,
			models.NewPlayer{UserID: models.UserID(fmt.Sprintf("later-%d", i)), Currency: "EUR", Balance: 50000})
		require.NoError(t, err)
		names = append(names, string(p.UserID))
	}
	played, err := newPlatform(t, server.CallbackURL()).Play(t.Context(),
		simulator.PlayOptions{Players: names, Seed: rand.Uint64(), Workers: 4, Rounds: 40})
	require.NoError(t, err)
	require.NoError(t, played.Err())
	status, out, _ := command(t, environ, "verify", "--checkpoint", after)
	require.Equal(t, 1, status, "transactions that are sent again are other entries")
	require.Contains(t, out, "the database does not know checkpoint 2 of ")
	status, out, errs := command(t, environ, "checkpoint", "write")
	require.Zero(t, status, out+errs)
	require.NoError(t, server.evidence.Look(t.Context()))
	require.NotContains(t, ready(t, server), "later state")
	files, err := filepath.Glob(filepath.Join(filepath.Dir(after), "checkpoint-*"))
	require.NoError(t, err)
	status, out, _ = command(t, environ, "verify", "--whole", "--checkpoint", files[len(files)-1])
	require.Zero(t, status, out)
	require.Contains(t, out, "no faults found")
}

// ready returns what /readyz says.
func ready(t *testing.T, server *Server) string {
	t.Helper()
	r, err := http.Get(server.AdminURL() + "/readyz")
	require.NoError(t, err)
	defer r.Body.Close()
	var body bytes.Buffer
	_, err = body.ReadFrom(r.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, r.StatusCode, body.String())
	return body.String()
}

// sendAgain sends what is missing here again, oldest first, as the platform does.
func sendAgain(t *testing.T, base string, gone []models.Difference) {
	t.Helper()
	require.Greater(t, len(gone), 100)
	for _, d := range gone { // in the order of their times
		r := wire.Request{UserID: string(d.UserID), TransactionID: string(d.TransactionID), RoundID: "sent-again", FreeSpin: d.FreeSpin}
		bet, win := d.Theirs.Bet.String(), d.Theirs.Win.String()
		endpoint := wire.RollbackTransaction
		switch {
		case d.Bucket == models.StateDiffers:
			r.RoundID, r.FreeSpin = "", false
		case d.Kind == models.Bet:
			endpoint, r.Amount = wire.Withdraw, bet
		case d.Kind == models.Win:
			endpoint, r.Amount, r.FreeSpin = wire.Deposit, win, false
		default:
			endpoint, r.BetAmount, r.WinAmount, r.FreeSpin = wire.BetWin, bet, win, false
		}
		require.Zero(t, call(t, base, endpoint, r), "%v", d)
	}
}

// A restored database has a running import, a campaign that waits for approval and a one-time link from before the backup. A
// server that starts on it pauses and voids them before it grants anything, once.
func TestRestoreHoldsWhatWasUnderWay(t *testing.T) {
	url, dir := storetest.URL(t, storetest.SQLite), t.TempDir()
	environ := environment(url, "PITBOSS_CHECKPOINT_DIR="+dir)
	cfg := store.Config{URL: url, LedgerKey: []byte(testLedger)}
	open := func() *store.Store {
		s, err := store.Open(t.Context(), cfg)
		require.NoError(t, err)
		return s
	}
	ctx, by := t.Context(), models.Actor{Name: "ann"}
	s := open()
	require.NoError(t, s.BeginLedger(ctx))
	for _, user := range []models.UserID{"anna", "bert"} {
		_, err := s.CreatePlayer(ctx, by, models.NewPlayer{UserID: user, Currency: "EUR"})
		require.NoError(t, err)
	}
	_, err := s.SyncGames(ctx, by, models.GameSync{At: time.Now()}, []models.OfferedGame{{GameID: "g1", Name: "Embers"}})
	require.NoError(t, err)
	campaign, bad, err := s.CreateCampaign(ctx, by,
		models.Campaign{CampaignTerms: models.CampaignTerms{Name: "bonus"}, FileName: "spins.csv", Digest: "1234", Role: models.Bonus},
		[]models.GrantLine{{Line: 2, UserID: "anna", GameID: "g1", Spins: 5}})
	require.NoError(t, err)
	require.Empty(t, bad)
	bruno, err := s.CreateStaff(ctx, models.System, models.Staff{Username: "bruno", Name: "Bruno", Role: models.Bonus,
		PasswordHash: "x"})
	require.NoError(t, err)
	waits, _, err := s.RequestCampaign(ctx,
		models.Signer{Actor: models.Actor{Name: "bruno"}, StaffID: bruno.ID, Role: models.Bonus},
		models.Campaign{CampaignTerms: models.CampaignTerms{Name: "welcome"}, Digest: "5678"},
		[]models.GrantLine{{Line: 1, UserID: "bert", GameID: "g1", Spins: 120}})
	require.NoError(t, err)
	require.NoError(t, s.MakeStaffLink(ctx, by, models.StaffLink{StaffID: bruno.ID, Hash: "link", Delivery: models.LinkShown,
		ExpiresAt: time.Now().Add(time.Hour)}))
	require.NoError(t, s.Close())
	database := strings.TrimPrefix(url, "sqlite://")
	backup, err := os.ReadFile(database)
	require.NoError(t, err)
	status, _, errs := command(t, environ, "checkpoint", "write")
	require.Zero(t, status, errs)
	require.NoError(t, os.WriteFile(database, backup, 0o600))
	settings, err := config.Load[config.Server](environ)
	require.NoError(t, err)
	server, err := NewServer(ctx, settings, newLog(&console{err: testLog{t}}, "text"))
	require.NoError(t, err)
	server.Close()
	s = open()
	defer s.Close()
	i, _, err := s.Campaign(ctx, campaign.ID)
	require.NoError(t, err)
	require.Equal(t, models.JobPaused, i.State)
	e, _, err := s.Campaign(ctx, waits.ID)
	require.NoError(t, err)
	require.Equal(t, models.ApprovalRefused, e.Approval.State)
	_, found, err := s.StaffLink(ctx, bruno.ID)
	require.NoError(t, err)
	require.False(t, found, "the link may have been used since the backup")
}
