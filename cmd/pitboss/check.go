package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"pitboss/app/pages/integrity"
	"pitboss/app/passkeys"
	"pitboss/cmd/pitboss/config"
	"pitboss/models/store"
)

// Before pitboss serve changes anything, it checks the ports and the database in its settings. It reports every problem at
// once, so that none appears only after the schema was migrated.

// checkTimeout is how long the database may take to answer.
const checkTimeout = 10 * time.Second

// findings are the results of a check.
type findings struct {
	problems config.Problems
	remarks  []string // worth knowing, but no reason not to start
}

func (f *findings) add(errs ...error) {
	for _, err := range errs {
		if err != nil {
			f.problems = append(f.problems, err)
		}
	}
}

func (f *findings) remark(format string, args ...any) {
	f.remarks = append(f.remarks, fmt.Sprintf(format, args...))
}

// checkServer reads everything that pitboss serve needs and checks it. running means that an instance may be running with these
// settings.
func checkServer(ctx context.Context, environ []string, running bool) (config.Server, findings) {
	settings, problems := config.Parse[config.Server](environ)
	f := findings{problems: problems}
	wallet := settings.CallbackConfig(slog.New(slog.DiscardHandler))
	wallet.AgentID, wallet.SecretKey = "checked", "checked" // Parse reports them if they are missing
	_, err := wallet.WithDefaults()
	f.add(err)
	f.checkPorts(settings, running)
	if settings.Site.PublicURL.Host != "" {
		if _, err := passkeys.New(&settings.Site.PublicURL, ""); err != nil {
			f.add(fmt.Errorf("PITBOSS_PUBLIC_URL: passkeys need a host name with a dot, such as casino.example: %w", err))
		}
	}
	if settings.Database.URL != "" && len(settings.Database.Check()) == 0 {
		f.checkDatabase(ctx, settings, running)
	}
	return settings, f
}

// checkPorts checks that every listener can listen. If running is true, a port that is taken is not a problem.
func (f *findings) checkPorts(s config.Server, running bool) {
	for variable, addr := range s.Addresses() {
		if _, _, err := net.SplitHostPort(addr); err != nil {
			continue // none, or it has been reported
		}
		ln, err := net.Listen("tcp", addr)
		switch {
		case err == nil:
			defer ln.Close()
		case running && errors.Is(err, syscall.EADDRINUSE):
			f.remark("%s: a Pitboss that is running, or another program, listens on %s.", variable, addr)
		default:
			f.add(fmt.Errorf("%s: %w", variable, err))
		}
	}
}

// checkDatabase checks that the database answers under both accounts, that its schema is whole, that the keys are those of the
// ledger and of other instances, that money can be written, and that the migration account may apply pending migrations.
// Without the right to create missing triggers, pitboss serve starts, so that is a problem only if thorough is true.
func (f *findings) checkDatabase(ctx context.Context, s config.Server, thorough bool) {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	if path, ok := strings.CutPrefix(s.Database.URL, "sqlite://"); ok {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			f.remark("There is no database yet; pitboss serve creates it.")
			if _, err := os.Stat(filepath.Dir(path)); err != nil {
				f.add(fmt.Errorf("PITBOSS_DATABASE_URL: %w", err))
			}
			return
		}
	}
	db, err := store.Open(ctx, s.Database.Store(nil, callbackLockWait(s.Callbacks.Deadline)))
	if err != nil {
		f.add(fmt.Errorf("PITBOSS_DATABASE_URL: %w", err))
		return
	}
	defer db.Close()
	pending, err := pendingMigrations(ctx, db)
	if err != nil {
		f.add(err)
		return
	}
	if pending > 0 {
		f.remark("%s; pitboss serve applies them.", pendingText(pending))
		f.add(db.CheckMigrating(ctx), db.CheckPending(ctx))
		if thorough && len(f.problems) == 0 {
			f.checkTriggerRight(ctx, db)
		}
		return
	}
	if err := db.CheckSchema(ctx); err != nil {
		f.add(err)
		return
	}
	err = db.CheckMigrating(ctx)
	run, unreadable := s.ProgramRun(place(s.Callbacks.Addr, s.Site.Addr), version)
	f.add(err, unreadable, db.CheckLedgerKey(ctx), db.CheckProgramRun(ctx, run))
	if err := db.Writable(ctx); err != nil {
		f.add(fmt.Errorf("PITBOSS_DATABASE_URL: money cannot be written: %w", err))
		return
	}
	if missing, err := db.Unguarded(ctx); err != nil {
		f.add(err)
	} else if len(missing) > 0 {
		if thorough && f.checkTriggerRight(ctx, db) {
			return
		}
		f.remark("Triggers that protect the ledger are missing, so nothing stops %s. pitboss serve creates them if the database "+
			"lets it. %s", strings.Join(missing, ", "), integrity.TriggersRemedy)
	}
}

// checkTriggerRight adds a problem, and returns true, if the account that migrates may not create triggers.
func (f *findings) checkTriggerRight(ctx context.Context, db *store.Store) bool {
	err := db.CheckTriggerRight(ctx)
	if err != nil {
		f.add(fmt.Errorf("%w. %s", err, integrity.TriggersRemedy))
	}
	return err != nil
}
