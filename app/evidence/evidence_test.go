package evidence_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/evidence"
	"pitboss/app/jobs"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

func TestMain(m *testing.M) { storetest.Main(m) }

var tester = models.Actor{Name: "farid"}

// open returns a ledger of two players.
func open(t *testing.T, url string) *store.Store {
	t.Helper()
	s := storetest.Open(t, store.Config{URL: url, LedgerKey: []byte("ledger key of the tests")})
	for _, user := range []models.UserID{"anna", "bert"} {
		_, err := s.CreatePlayer(t.Context(), tester, models.NewPlayer{UserID: user, Currency: "EUR", Balance: 1000})
		require.NoError(t, err)
	}
	return s
}

func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, entry := range list {
		names = append(names, entry.Name())
	}
	return names
}

func TestWrite(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		s, dir := open(t, url), filepath.Join(t.TempDir(), "to", "be", "made")
		service := evidence.New(evidence.Config{Store: s, Dir: dir, Holder: "test"})
		cp, err := service.Write(t.Context(), tester)
		require.NoError(t, err)
		require.EqualValues(t, 1, cp.Number)

		names := files(t, dir)
		require.Len(t, names, 1)
		content, err := os.ReadFile(filepath.Join(dir, names[0]))
		require.NoError(t, err)
		r, err := s.OpenCheckpoint(bytes.NewReader(content))
		require.NoError(t, err)
		require.EqualValues(t, 2, r.Wallets)
		w, found, err := s.Checkpoint(t.Context(), 1)
		require.NoError(t, err)
		require.True(t, found && w.Delivered())
		require.Equal(t, cp.Digest, w.Digest)
		require.Equal(t, "farid", w.Actor)
		require.EqualValues(t, len(content), w.Size)
		file, err := service.Open(w)
		require.NoError(t, err)
		require.NoError(t, file.Close())

		v, err := s.Verify(t.Context(), nil)
		require.NoError(t, err)
		require.True(t, v.OK())

		// File names in the database cannot point outside the folder.
		for _, name := range []string{"", "../" + names[0], "/etc/passwd", "passwd", "checkpoint-gone.jsonl.gz"} {
			w.FileName = name
			_, err = service.Open(w)
			require.ErrorIs(t, err, evidence.ErrNoFile, name)
		}
	})
}

func TestWriteNowhere(t *testing.T) {
	s := open(t, storetest.URL(t, storetest.SQLite))
	_, err := evidence.New(evidence.Config{Store: s, Holder: "test"}).Write(t.Context(), tester)
	require.ErrorIs(t, err, evidence.ErrNowhere)
	blocked := filepath.Join(t.TempDir(), "a file")
	require.NoError(t, os.WriteFile(blocked, nil, 0o600))
	_, err = evidence.New(evidence.Config{Store: s, Dir: blocked, Holder: "test"}).Write(t.Context(), tester)
	require.ErrorContains(t, err, "folder for checkpoints")
	_, found, err := s.Checkpoint(t.Context(), 1)
	require.NoError(t, err)
	require.False(t, found, "a checkpoint that cannot be written is not recorded either")
}

// Two instances write at once: one after the other, or one gets an error.
func TestWriteTwiceAtOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		s, dir := open(t, url), t.TempDir()
		var group sync.WaitGroup
		var written atomic.Int64
		for i := range 6 {
			group.Go(func() {
				service := evidence.New(evidence.Config{Store: s, Dir: dir, Holder: fmt.Sprint("test", i)})
				if _, err := service.Write(t.Context(), tester); err == nil {
					written.Add(1)
				} else if err != evidence.ErrBusy {
					t.Error(err)
				}
			})
		}
		group.Wait()
		require.Positive(t, written.Load())
		require.Len(t, files(t, dir), int(written.Load()))
		v, err := s.Verify(t.Context(), nil)
		require.NoError(t, err)
		require.True(t, v.OK())
		require.Equal(t, written.Load(), v.Checkpoints)
	})
}

// The schedule writes a checkpoint whenever the last delivered one is too old. One that could not be written is tried again.
func TestSchedule(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		s, dir := open(t, url), filepath.Join(t.TempDir(), "checkpoints")
		for _, cfg := range []evidence.Config{{Every: time.Hour}, {Dir: dir}} {
			cfg.Store = s
			require.False(t, evidence.New(cfg).Scheduled())
		}
		work := func(every time.Duration) error {
			service := evidence.New(evidence.Config{Store: s, Dir: dir, Every: every, Holder: "test"})
			require.True(t, service.Scheduled())
			return service.WriteDue(t.Context())
		}
		require.NoError(t, os.WriteFile(dir, nil, 0o600))
		require.Error(t, work(time.Hour))
		require.NoError(t, os.Remove(dir))
		require.NoError(t, work(time.Hour))
		require.Len(t, files(t, dir), 1)
		require.NoError(t, work(time.Hour))
		require.Len(t, files(t, dir), 1, "it is not due")
		require.NoError(t, work(time.Nanosecond))
		require.Len(t, files(t, dir), 2)
		w, _, err := s.LastCheckpoint(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, 2, w.Number)
		require.Equal(t, models.System.Name, w.Actor)
	})
}

// await waits until a verification has ended.
func await(t *testing.T, s *store.Store, id int64) models.VerificationRun {
	t.Helper()
	var r models.VerificationRun
	require.Eventually(t, func() bool {
		var err error
		r, _, err = s.VerificationRun(t.Context(), id)
		require.NoError(t, err)
		return !r.State.Open()
	}, time.Minute, 10*time.Millisecond)
	return r
}

// running runs a service until the test ends.
func running(t *testing.T, cfg evidence.Config) *evidence.Service {
	t.Helper()
	service := evidence.New(cfg)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		jobs.Schedule{Leases: cfg.Store, Holder: "test", Log: slog.New(slog.DiscardHandler)}.Run(ctx, service.Verifications())
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
	return service
}

func tamper(t *testing.T, url, statement string) {
	t.Helper()
	driver, dsn, _ := strings.Cut(url, "://")
	db, err := sql.Open(driver, dsn)
	require.NoError(t, err)
	defer db.Close()
	done, err := db.ExecContext(t.Context(), statement)
	require.NoError(t, err)
	n, err := done.RowsAffected()
	require.NoError(t, err)
	require.NotZero(t, n)
}

func TestVerifications(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		s, dir := open(t, url), t.TempDir()
		cfg := evidence.Config{Store: s, Dir: dir, Holder: "test"}
		idle := evidence.New(cfg) // of an instance whose program was lost
		id, err := idle.Ask(t.Context(), tester)
		require.NoError(t, err)
		again, err := idle.Ask(t.Context(), tester)
		require.ErrorIs(t, err, models.ErrVerificationUnderWay)
		require.Equal(t, id, again)
		begun, err := s.BeginJob(t.Context(), models.VerificationJobs, id)
		require.NoError(t, err)
		require.True(t, begun)

		service := running(t, cfg) // another instance begins it again
		r := await(t, s, id)
		require.Equal(t, 2, r.Tries)
		require.Empty(t, r.Failure)
		require.Zero(t, r.Faults)
		require.Equal(t, "farid", r.Actor)
		require.EqualValues(t, 2, r.Report.Wallets)
		require.EqualValues(t, 2, r.Read)
		require.EqualValues(t, 2, r.Expected)
		require.Zero(t, r.Report.Held)

		// If there is a checkpoint in the folder, the ledger is compared with it.
		cp, err := service.Write(t.Context(), tester)
		require.NoError(t, err)
		tamper(t, url, "UPDATE wallets SET balance_minor = balance_minor + 1")
		id, err = service.Ask(t.Context(), tester)
		require.NoError(t, err)
		r = await(t, s, id)
		require.EqualValues(t, 3, r.Faults, "two wallets and the control total")
		require.Equal(t, cp.Number, r.Report.Held)
		require.Equal(t, models.UserID("anna"), r.Report.Faulty[0].UserID)
		require.Equal(t, []string{"the balance is 10.01, but its entries add up to 10.00"}, r.Report.Faulty[0].Faults)

		// A broken checkpoint makes the verification fail, which is different from finding nothing.
		require.NoError(t, os.WriteFile(filepath.Join(dir, "checkpoint-99999999.jsonl.gz"), []byte("x"), 0o600))
		id, err = service.Ask(t.Context(), tester)
		require.NoError(t, err)
		r = await(t, s, id)
		require.Nil(t, r.Report)
		require.Contains(t, r.Failure, "the newest checkpoint, checkpoint-99999999.jsonl.gz: "+models.ErrCheckpointBroken.Error())

		require.NoError(t, s.RecordVerification(t.Context(), tester, time.Now(), models.Verification{Wallets: 7}))
		list, err := s.VerificationRuns(t.Context(), models.Span{Limit: 2})
		require.NoError(t, err)
		require.True(t, list.More)
		require.EqualValues(t, 7, list.Rows[0].Report.Wallets)
		require.Equal(t, id, list.Rows[1].ID)
		list, err = s.VerificationRuns(t.Context(), models.Span{Page: models.Cursor{ID: id}, Limit: 50})
		require.NoError(t, err)
		require.False(t, list.More)
		require.Len(t, list.Rows, 2)
	})
}

// One win is changed in the database after a checkpoint has been written. The verification that anybody can request reads the
// whole ledger and finds it; one is requested every day, and not more often.
func TestAChangedEntryBeforeTheCheckpointIsFound(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		now := time.Now()
		s := storetest.Open(t, store.Config{URL: url, LedgerKey: []byte("ledger key of the tests"), Now: func() time.Time { return now }})
		storetest.CreatePlayer(t, s, "anna", 1000)
		storetest.Apply(t, s, storetest.Win("anna", "w", 150))
		service := evidence.New(evidence.Config{Store: s, Dir: t.TempDir(), Holder: "test"})
		_, err := service.Write(t.Context(), tester)
		require.NoError(t, err)
		storetest.DropTriggers(t, url)
		tamper(t, url, "UPDATE postings SET win_minor = 5150 WHERE transaction_id = 'w'")
		due := func() bool {
			t.Helper()
			due, err := s.VerificationDue(t.Context(), 24*time.Hour)
			require.NoError(t, err)
			return due
		}
		require.False(t, due(), "the ledger has just begun")
		now = now.Add(24 * time.Hour)
		require.True(t, due())
		ctx, stop := context.WithCancel(t.Context())
		go jobs.Schedule{Leases: s, Holder: "test", Log: slog.New(slog.DiscardHandler)}.Run(ctx, service.Verifications())
		defer stop()
		id, err := service.Ask(t.Context(), tester)
		require.NoError(t, err)
		require.False(t, due())
		r := await(t, s, id)
		require.EqualValues(t, 1, r.Report.Held)
		require.Zero(t, r.Report.Since)
		require.Equal(t, models.UserID("anna"), r.Report.Faulty[0].UserID)
		require.Contains(t, r.Report.Faulty[0].Faults[0], "its hash does not match its contents")
		require.False(t, due())
		require.NoError(t, s.RecordVerification(t.Context(), tester, now, models.Verification{Since: 1, Held: 1}))
		now = now.Add(24 * time.Hour)
		require.True(t, due(), "what was read since a checkpoint does not count")
	})
}

// copyFile copies the first share of a file.
func copyFile(t *testing.T, from, to string, share float64) {
	t.Helper()
	content, err := os.ReadFile(from)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(to, content[:int(float64(len(content))*share)], 0o600))
}

// An older state of the database was restored while instances are running, and somebody copies the newer checkpoints into the
// folder. The first look at the whole file pauses the import that would grant again what it has granted since.
func TestRestoreIsNoticed(t *testing.T) {
	url, dir, later := storetest.URL(t, storetest.SQLite), t.TempDir(), t.TempDir()
	s := open(t, url)
	_, err := s.SyncGames(t.Context(), tester, models.GameSync{At: time.Now()},
		[]models.OfferedGame{{GameID: "g1", Name: "Embers"}})
	require.NoError(t, err)
	campaign, bad, err := s.CreateCampaign(t.Context(), tester,
		models.Campaign{CampaignTerms: models.CampaignTerms{Name: "bonus"}, FileName: "spins.csv", Digest: "1234", Role: models.Bonus},
		[]models.GrantLine{{Line: 2, UserID: "anna", GameID: "g1", Spins: 5}})
	require.NoError(t, err)
	require.Empty(t, bad)
	bruno, err := s.CreateStaff(t.Context(), models.System,
		models.Staff{Username: "bruno", Name: "Bruno", Role: models.Bonus, PasswordHash: "x"})
	require.NoError(t, err)
	waits, _, err := s.RequestCampaign(t.Context(),
		models.Signer{Actor: models.Actor{Name: "bruno"}, StaffID: bruno.ID, Role: models.Bonus},
		models.Campaign{CampaignTerms: models.CampaignTerms{Name: "welcome"}, Digest: "5678"},
		[]models.GrantLine{{Line: 1, UserID: "bert", GameID: "g1", Spins: 120}})
	require.NoError(t, err)
	require.NoError(t, s.Close())
	database, backup := strings.TrimPrefix(url, "sqlite://"), filepath.Join(t.TempDir(), "backup")
	copyFile(t, database, backup, 1)
	s = storetest.Open(t, store.Config{URL: url, LedgerKey: []byte("ledger key of the tests")})
	_, err = evidence.New(evidence.Config{Store: s, Dir: later, Holder: "test"}).Write(t.Context(), tester)
	require.NoError(t, err)
	require.NoError(t, s.Close())
	copyFile(t, backup, database, 1)

	s = storetest.Open(t, store.Config{URL: url, LedgerKey: []byte("ledger key of the tests")})
	service := evidence.New(evidence.Config{Store: s, Dir: dir, Holder: "test"})
	states := func() (models.JobState, models.ApprovalState) {
		i, _, err := s.Campaign(t.Context(), campaign.ID)
		require.NoError(t, err)
		e, _, err := s.Campaign(t.Context(), waits.ID)
		require.NoError(t, err)
		return i.State, e.Approval.State
	}
	name := files(t, later)[0]
	for _, share := range []float64{0, 0.5} {
		copyFile(t, filepath.Join(later, name), filepath.Join(dir, name), share)
		require.NoError(t, service.Look(t.Context()))
		require.Nil(t, service.Newer())
	}
	running, waiting := states()
	require.Equal(t, models.JobRunning, running)
	require.Equal(t, models.ApprovalWaiting, waiting)
	copyFile(t, filepath.Join(later, name), filepath.Join(dir, name), 1)
	require.NoError(t, service.Look(t.Context()))
	require.Equal(t, name, service.Newer().Name)
	require.Equal(t, []string{name}, olderStates(t, s))
	paused, refused := states()
	require.Equal(t, models.JobPaused, paused)
	require.Equal(t, models.ApprovalRefused, refused)

	// Whoever has compared the lines can resume the import; it is paused once, even if the instance starts again.
	require.NoError(t, s.SetCampaignState(t.Context(), tester, campaign.ID, models.JobRunning, "compared"))
	restarted := evidence.New(evidence.Config{Store: s, Dir: dir, Holder: "test"})
	for _, instance := range []*evidence.Service{service, restarted} {
		require.NoError(t, instance.Look(t.Context()))
		require.Equal(t, name, instance.Newer().Name)
	}
	running, _ = states()
	require.Equal(t, models.JobRunning, running)

	// The verification names what is missing until the next checkpoint. After it, the audit log still names the restore.
	v, err := s.VerifyAgainst(t.Context(), checkpoint(t, s, filepath.Join(dir, name)), nil)
	require.NoError(t, err)
	require.Contains(t, v.Written.Faults[0], "the database does not know checkpoint 1 of ")
	_, err = restarted.Write(t.Context(), tester)
	require.NoError(t, err)
	require.NoError(t, restarted.Look(t.Context()))
	require.Nil(t, restarted.Newer())
	require.Equal(t, []string{name}, olderStates(t, s))
}

// A checkpoint that is due as soon as a program starts on a restored database does not cover up that it was restored.
func TestWritingACheckpointNoticesARestore(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		s, dir := open(t, url), t.TempDir()
		later := evidence.New(evidence.Config{Store: s, Dir: dir, Holder: "test"})
		_, err := later.Write(t.Context(), tester)
		require.NoError(t, err)
		name := files(t, dir)[0]
		tamper(t, url, "DELETE FROM checkpoints") // as in a backup from before
		_, err = evidence.New(evidence.Config{Store: s, Dir: dir, Holder: "test"}).Write(t.Context(), tester)
		require.NoError(t, err)
		require.Equal(t, []string{name}, olderStates(t, s))
	})
}

// olderStates returns the files of the later states that the audit log names.
func olderStates(t *testing.T, s *store.Store) (names []string) {
	t.Helper()
	page, err := s.AuditEvents(t.Context(), models.AuditFilter{Action: models.OlderState, Span: models.Span{Limit: 10}})
	require.NoError(t, err)
	for _, e := range page.Rows {
		var said struct{ File string }
		require.NoError(t, json.Unmarshal([]byte(e.After), &said))
		names = append(names, said.File)
	}
	return names
}

func checkpoint(t *testing.T, s *store.Store, path string) *models.CheckpointReader {
	t.Helper()
	file, err := os.Open(path)
	require.NoError(t, err)
	t.Cleanup(func() { file.Close() })
	r, err := s.OpenCheckpoint(file)
	require.NoError(t, err)
	return r
}
