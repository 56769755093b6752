package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"pitboss/app"
	"pitboss/app/activity"
	"pitboss/app/api"
	"pitboss/app/evidence"
	"pitboss/app/jobs"
	"pitboss/app/notices"
	"pitboss/app/reconcile"
	"pitboss/callbacks"
	"pitboss/cmd/pitboss/config"
	"pitboss/models"
	"pitboss/models/store"
)

// Server is the whole program: the store, the callback listener, the admin listener and the API listener. Tests start it on
// port 0.
type Server struct {
	settings         config.Server
	log              *slog.Logger
	store            *store.Store
	callbacks        *callbacks.Server
	services         *services
	jobs             *jobs.Meter // counts the runs of background
	activity         *activity.Service
	evidence         *evidence.Service
	statements       *reconcile.Service
	notices          *notices.Service
	site             *app.App
	api              *api.Server // nil without an API listener
	callbackListener net.Listener
	adminListener    net.Listener
	apiListener      net.Listener
	metrics          *metricsServer // nil without a metrics listener
	run              int64          // this start of the program, in the audit log
	stopping         atomic.Bool    // makes /readyz answer 503
	schemaSeen       atomic.Int64   // when the schema was last whole, in nanoseconds
}

// machineClock is this machine's clock; tests replace it with a wrong one.
var machineClock = time.Now

// drainGrace is how long requests in progress may take after the listeners have closed.
const drainGrace = 20 * time.Second

// callbackLockWait is how long a callback waits for a lock: well below its deadline, so that it can try again.
func callbackLockWait(deadline time.Duration) time.Duration { return min(deadline/2, time.Second) }

// NewServer opens the database, applies pending migrations and opens both listeners. Call Serve, or Close if you do not serve
// it.
func NewServer(ctx context.Context, settings config.Server, log *slog.Logger) (*Server, error) {
	s := &Server{settings: settings, log: log, jobs: jobs.NewMeter()}
	if err := s.open(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Server) open(ctx context.Context) (err error) {
	settings, log := s.settings, s.log
	database := settings.Database.Store(log, callbackLockWait(settings.Callbacks.Deadline))
	database.LocalTime = machineClock
	if s.store, err = store.Open(ctx, database); err != nil {
		return err
	}
	applied, err := s.store.Migrate(ctx)
	if err != nil {
		return fmt.Errorf("apply migrations: %w", err)
	}
	for _, m := range applied {
		log.Info("Migration applied.", "number", m.Number, "file", m.File)
	}
	if err := s.store.BeginLedger(ctx); err != nil {
		return err
	}
	if !s.store.Keyed() {
		log.Warn("PITBOSS_LEDGER_KEY is not set: the ledger's chains are unkeyed, so anyone who can write to the database can " +
			"forge them.")
	}
	wallet := settings.CallbackConfig(log)
	wallet.Journal = s.store
	if s.callbacks, err = callbacks.New(wallet, s.store); err != nil {
		return err
	}
	if s.services, err = newServices(settings.API, settings.Platform, s.store, nil, log); err != nil {
		return err
	}
	s.activity = activity.New(activity.Config{Store: s.store, Counts: s.callbacks.Counters().Counts})
	s.evidence = settings.Evidence.Service(s.store, s.services.holder, log)
	if err := s.evidence.Look(ctx); err != nil { // background tries it again
		log.Error("Could not check whether a backup was restored.", "error", err)
	}
	s.statements = reconcile.New(reconcile.Config{Store: s.store, Log: log})
	s.notices = settings.Notices.Service(s.store, settings.Site, log)
	if s.callbackListener, err = net.Listen("tcp", settings.Callbacks.Addr); err != nil {
		return fmt.Errorf("callback listener: %w", err)
	}
	if s.adminListener, err = net.Listen("tcp", settings.Site.Addr); err != nil {
		return fmt.Errorf("admin listener: %w", err)
	}
	if s.site, err = s.newSite(); err != nil {
		return err
	}
	if s.settings.Clients.Addr != "" {
		if s.apiListener, err = net.Listen("tcp", settings.Clients.Addr); err != nil {
			return fmt.Errorf("API listener: %w", err)
		}
		s.api = api.New(api.Config{Store: s.store, Launcher: s.services.launcher, Bonus: s.services.bonus, Proxies: settings.Clients.APIProxy,
			Log: log})
	}
	if s.metrics, err = s.newMetrics(); err != nil {
		return err
	}
	for _, warning := range settings.Warnings() {
		log.Warn(warning)
	}
	return s.checkBreakGlass(ctx)
}

// checkBreakGlass warns if no administrator could sign in while the identity provider cannot be reached.
func (s *Server) checkBreakGlass(ctx context.Context) error {
	on := s.settings.SignOn
	if on.Issuer == "" {
		return nil
	}
	for _, name := range on.BreakGlass {
		who, found, err := s.store.StaffNamed(ctx, name)
		if err != nil || found && who.Role == models.Administrator && who.CanSign() && who.PasswordHash != "" && who.HasSecondFactor() {
			return err
		}
	}
	s.log.Warn("No break-glass account is an administrator with a password and a second factor: if the identity provider fails, nobody " +
		"can sign in to manage accounts. Create one, and name it in PITBOSS_OIDC_BREAK_GLASS.")
	return nil
}

// CallbackURL returns the base address of the callbacks.
func (s *Server) CallbackURL() string {
	return "http://" + s.callbackListener.Addr().String() + s.settings.Callbacks.Path
}

// AdminURL returns the address of the back office.
func (s *Server) AdminURL() string { return "http://" + s.adminListener.Addr().String() }

// APIURL returns the address of the operator's API, or an empty string without an API listener.
func (s *Server) APIURL() string {
	if s.apiListener == nil {
		return ""
	}
	return "http://" + s.apiListener.Addr().String()
}

// Serve serves until ctx ends, and then for the drain delay. It lets requests in progress finish, closes everything and returns
// nil. If it ends before that because of an error, it returns the error.
func (s *Server) Serve(ctx context.Context) error {
	defer s.Close()
	if err := s.begin(ctx); err != nil {
		return err
	}
	group, ended := errgroup.WithContext(ctx)
	group.Go(func() error { return s.callbacks.Listen(s.callbackListener) })
	group.Go(func() error { return s.site.Listen(s.adminListener) })
	if s.api != nil {
		group.Go(func() error { return s.api.Listen(s.apiListener) })
	}
	if s.metrics != nil {
		group.Go(s.metrics.serve)
	}
	group.Go(func() error {
		jobs.Schedule{Leases: s.store, Holder: s.services.holder, Log: s.log, Meter: s.jobs}.Run(ended, s.background()...)
		return nil
	})
	group.Go(func() error {
		<-ended.Done()
		if ctx.Err() != nil { // otherwise an error ends the program, and there is nothing to wait for
			s.leave()
		}
		s.log.Info("Stopping: no new requests are accepted, and requests in progress finish.")
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainGrace)
		defer cancel()
		var ending errgroup.Group
		ending.Go(func() error { return s.callbacks.Shutdown(grace) })
		ending.Go(func() error { return s.site.Shutdown(grace) })
		if s.api != nil {
			ending.Go(func() error { return s.api.Shutdown(grace) })
		}
		err := ending.Wait()
		if s.metrics != nil {
			err = errors.Join(err, s.metrics.Shutdown(grace))
		}
		return err
	})
	s.log.Info("Serving.", "callbacks", s.CallbackURL(), "back office", s.AdminURL(), "api", s.APIURL())
	err := group.Wait()
	if e := s.activity.Flush(context.WithoutCancel(ctx)); e != nil { // callbacks answered while draining
		s.log.Error("The last counts of callbacks were lost.", "error", e)
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if e := s.store.EndProgramRun(last, s.run, err != nil); e != nil {
		s.log.Error("The end of this program could not be recorded in the audit log.", "error", e)
	}
	return err
}

// leave makes /readyz announce the stop and returns after the drain delay. Until then all requests are served, so that a client
// that checks /readyz loses none while it changes to another instance.
func (s *Server) leave() {
	s.stopping.Store(true)
	s.callbacks.Guard().Drain()
	s.site.Guard().Drain()
	if s.api != nil {
		s.api.Guard().Drain()
	}
	if s.settings.DrainDelay > 0 {
		s.log.Info("Stopping: /readyz answers 503 now, and requests are served until the delay is over.", "delay",
			s.settings.DrainDelay)
		time.Sleep(s.settings.DrainDelay)
	}
}

// place identifies where an instance runs. No two instances on one database have the same place.
func place(callbacks, backOffice string) string {
	host, err := os.Hostname()
	if err != nil {
		host = "a host without a name"
	}
	return fmt.Sprintf("%.100s, callbacks %s, back office %s", host, callbacks, backOffice)
}

// listening returns the address of a listener as it is set, or, for port 0, as the system has chosen it.
func listening(setting string, l net.Listener) string {
	if strings.HasSuffix(setting, ":0") {
		return l.Addr().String()
	}
	return setting
}

// begin records this start of the program in the audit log.
func (s *Server) begin(ctx context.Context) error {
	run, err := s.settings.ProgramRun(place(listening(s.settings.Callbacks.Addr, s.callbackListener),
		listening(s.settings.Site.Addr, s.adminListener)), version)
	if err != nil {
		return err
	}
	migrations, err := s.store.Migrations(ctx)
	if err != nil {
		return err
	}
	for _, m := range migrations {
		run.Schema = max(run.Schema, m.Number)
	}
	s.run, err = s.store.BeginProgramRun(ctx, run)
	return err
}

// Close releases the server's resources. It may be called more than once.
func (s *Server) Close() {
	for _, l := range []net.Listener{s.callbackListener, s.adminListener, s.apiListener} {
		if l != nil {
			l.Close()
		}
	}
	if s.metrics != nil {
		s.metrics.Close()
	}
	if s.store != nil {
		if err := s.store.Close(); err != nil {
			s.log.Error("The database did not close cleanly.", "error", err)
		}
		s.store = nil
	}
}
