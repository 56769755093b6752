package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"pitboss/app/pages/integrity"
	"pitboss/cmd/pitboss/config"
	"pitboss/models/store"
)

// Before pitboss serve changes anything, it checks what its settings refer to: files, folders, ports, the database. It reports
// every problem at once, so that none appears only after the schema was migrated, or at the first export.

// checkTimeout is how long the database may take to answer.
const checkTimeout = 10 * time.Second

// findings are the results of a check.
type findings struct {
	problems []error
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
	f.checkFolders(settings)
	f.checkPorts(ctx, settings, running)
	if settings.Database.URL != "" && len(settings.Database.Check()) == 0 {
		f.checkDatabase(ctx, settings)
	}
	return settings, f
}

// checkFolders checks that files can be created in the folders of the settings.
func (f *findings) checkFolders(s config.Server) {
	if s.Evidence.Dir != "" {
		if err := checkFolder("PITBOSS_CHECKPOINT_DIR", s.Evidence.Dir); err != nil { // players can play without checkpoints
			f.remark("%v. No checkpoint is kept there, and a restored older state of the database is not noticed.", err)
		}
	}
	if path, ok := strings.CutPrefix(s.Database.URL, "sqlite://"); ok && path != "" {
		dir := filepath.Dir(path)
		if _, err := os.Stat(dir); err != nil {
			f.add(fmt.Errorf("PITBOSS_DATABASE_URL: there is no folder %s: %w", dir, cause(err)))
		} else {
			f.add(checkFolder("PITBOSS_DATABASE_URL", dir))
		}
	}
}

// checkFolder checks that a file can be created and written in dir, or if dir does not exist, in the nearest folder above it.
func checkFolder(variable, dir string) error {
	above := dir
	info, err := os.Stat(above)
	for errors.Is(err, fs.ErrNotExist) && filepath.Dir(above) != above {
		above = filepath.Dir(above)
		info, err = os.Stat(above)
	}
	if err == nil && !info.IsDir() {
		err = syscall.ENOTDIR
	}
	if err == nil {
		err = writeIn(above)
	}
	switch {
	case err == nil:
		return nil
	case above == dir:
		return fmt.Errorf("%s: nothing can be written in %s: %w", variable, dir, cause(err))
	}
	return fmt.Errorf("%s: %s does not exist and cannot be created in %s: %w", variable, dir, above, cause(err))
}

// writeIn writes a file in dir and removes it.
func writeIn(dir string) error {
	file, err := os.CreateTemp(dir, ".pitboss-check-*")
	if err != nil {
		return err
	}
	_, err = file.WriteString("pitboss")
	return errors.Join(err, file.Close(), os.Remove(file.Name()))
}

// cause returns an error without the operation and the file name.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// checkPorts checks that every listener can listen. If running is true, ports that an instance has taken are not a problem.
func (f *findings) checkPorts(ctx context.Context, s config.Server, running bool) {
	running = running && aliveAt(ctx, s.Site.Addr)
	holders := map[string]string{}
	for _, l := range []struct{ variable, addr string }{
		{"PITBOSS_CALLBACK_ADDR", s.Callbacks.Addr}, {"PITBOSS_ADMIN_ADDR", s.Site.Addr}, {"PITBOSS_API_ADDR", s.Clients.Addr},
		{"PITBOSS_METRICS_ADDR", s.Metrics.Addr},
	} {
		if _, port, err := net.SplitHostPort(l.addr); err != nil || port == "0" {
			continue // none, or any free port; an invalid address has been reported
		}
		if other := holders[l.addr]; other != "" {
			f.add(fmt.Errorf("%s and %s are both %s", other, l.variable, l.addr))
			continue
		}
		holders[l.addr] = l.variable
		ln, err := net.Listen("tcp", l.addr)
		switch {
		case err == nil:
			defer ln.Close()
		case errors.Is(err, syscall.EADDRINUSE) && running:
			f.remark("%s: the Pitboss that is running listens on %s.", l.variable, l.addr)
		case errors.Is(err, syscall.EADDRINUSE):
			f.add(fmt.Errorf("%s: another program listens on %s", l.variable, l.addr))
		default:
			f.add(fmt.Errorf("%s: %w", l.variable, err))
		}
	}
}

// aliveAt reports whether a Pitboss serves its back office at an address.
func aliveAt(ctx context.Context, addr string) bool {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+"/healthz", nil)
	if err != nil {
		return false
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, 100))
	return err == nil && string(text) == "alive\n"
}

// checkDatabase checks that the database answers under both accounts, that the keys are those of the ledger and of other instances,
// that money can be written, and that the migration account may apply pending migrations. It remarks on missing triggers.
func (f *findings) checkDatabase(ctx context.Context, s config.Server) {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	if path, ok := strings.CutPrefix(s.Database.URL, "sqlite://"); ok {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			f.remark("There is no database yet; pitboss serve creates it.")
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
		f.add(db.CheckMigrating(ctx))
		return
	}
	err = db.CheckMigrating(ctx)
	run, unreadable := s.ProgramRun(place(s.Callbacks.Addr, s.Site.Addr), version)
	f.add(err, unreadable, db.CheckLedgerKey(ctx), db.CheckProgramRun(ctx, run))
	if err := soonWritable(ctx, db); err != nil {
		f.add(fmt.Errorf("PITBOSS_DATABASE_URL: money cannot be written: %w", err))
		return
	}
	if missing, err := db.Unguarded(ctx); err != nil {
		f.add(err)
	} else if len(missing) > 0 {
		f.remark("Triggers that protect the ledger are missing, so nothing stops %s. pitboss serve creates them if the database "+
			"lets it. %s", strings.Join(missing, ", "), integrity.TriggersRemedy)
	}
}

// soonWritable returns why money cannot be written, after several attempts: on SQLite a busy instance may have the lock for a
// moment, which is no reason not to start.
func soonWritable(ctx context.Context, s *store.Store) error {
	const patience, pause = 5 * time.Second, 500 * time.Millisecond
	for began := time.Now(); ; {
		err := s.Writable(ctx)
		if err == nil || time.Since(began) > patience {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}
