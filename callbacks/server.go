// Package callbacks is the callback listener: it serves the platform's five callbacks over HTTP and has a store apply them
// (specification, "Callback service").
//
// For each callback it decodes the body, verifies the signature, checks what needs no store, calls the store and responds.
// routes.go lists the five endpoints, each of which has a file; respond.go maps every outcome to an answer. Nothing is looked
// up before the signature has been verified, and nothing is answered before the store has committed.
package callbacks

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"pitboss/callbacks/listener"
	"pitboss/callbacks/wire"
	"pitboss/models"
)

// Store is what the callbacks need from the store. A refusal is a Result. An error means that the outcome is unknown, or, as
// with a full queue, that nothing happened: the platform gets the same answer to both, because it would act the same. The store
// retries on its own until the context's deadline.
type Store interface {
	// Apply decides and commits one operation: ledger.Store.Apply. The Result is UnknownPlayer if there is no such player.
	Apply(ctx context.Context, op models.Operation) (models.Result, error)
	// Balance returns a player's balance, or false if there is no such player.
	Balance(ctx context.Context, userID models.UserID) (models.Balance, bool, error)
	// KeepRefused commits that a signed text was refused, so that no other reading of it is accepted.
	KeepRefused(ctx context.Context, text string, reading models.Reading) error
}

// Server answers the platform's callbacks.
type Server struct {
	config   Config
	store    Store
	verifier *wire.Verifier
	counters *Counters
	failures *failureLog
	guard    *listener.Guard
	app      *fiber.App

	journal *journal
	run     int64 // identifies this start of the program in request IDs; 31 bits
	lastReq atomic.Uint32
}

// New returns a server that is not listening yet. Its error lists every problem of the configuration.
func New(config Config, store Store) (*Server, error) {
	config, err := config.WithDefaults()
	if err != nil {
		return nil, fmt.Errorf("callback service: %w", err)
	}
	s := &Server{
		config:   config,
		store:    store,
		verifier: wire.NewVerifier(config.SecretKey, config.PreviousSecretKey),
		counters: newCounters(),
		run:      1 + rand.Int64N(1<<31-1),
	}
	s.failures = newFailureLog(config.Logger)
	s.journal = newJournal(config.Journal, s.newRequestID, config.Logger, s.counters)
	s.app = fiber.New(fiber.Config{
		AppName:        "Pitboss callbacks",
		CaseSensitive:  true,
		StrictRouting:  true,
		BodyLimit:      MaxBodyBytes,
		ReadBufferSize: maxHeaderBytes,
		// The guard limits connections. This is higher, because a worker may outlive its connection for a moment.
		Concurrency:                  4 * config.MaxConnections,
		ReadTimeout:                  config.HeaderTimeout,
		WriteTimeout:                 config.ReadTimeout,
		IdleTimeout:                  config.IdleTimeout,
		ErrorHandler:                 s.refuse,
		DisableStartupMessage:        true,
		DisablePreParseMultipartForm: true, // keeps the body as it was sent, whatever its Content-Type
	})
	s.routes()
	server := s.app.Server()
	server.CloseOnShutdown = true
	server.HeaderReceived = func(*fasthttp.RequestHeader) fasthttp.RequestConfig {
		return fasthttp.RequestConfig{ReadTimeout: config.ReadTimeout} // the header has been read; this is for the body
	}
	s.guard = listener.New(listener.Config{
		Name: "callbacks", Allow: config.Allow, Proxies: config.Proxies, MaxConnections: config.MaxConnections,
		PerAddress: max(1, config.MaxConnections/2),
		Log:        config.Logger,
	})
	s.guard.Serve(server, s.busy)
	return s, nil
}

// Counters returns the counts of this server's answers.
func (s *Server) Counters() *Counters { return s.counters }

// Guard returns the guard that decides who may connect.
func (s *Server) Guard() *listener.Guard { return s.guard }

// Listen serves ln until Shutdown, and then returns nil. After Shutdown it returns at once.
func (s *Server) Listen(ln net.Listener) error {
	ln = s.guard.Listener(&patientListener{Listener: ln, log: s.config.Logger})
	s.journal.start()
	if err := s.app.Listener(ln); err != nil {
		return fmt.Errorf("callback service: %w", err)
	}
	return nil
}

// Shutdown stops accepting connections, waits for callbacks in progress, closes their connections and writes the last of the
// callback log. If ctx ends first, it returns ctx's error. The log has lastWrites of its own, so that callbacks that take too
// long do not cost the records of the others.
func (s *Server) Shutdown(ctx context.Context) error {
	s.guard.Close()
	err := s.app.ShutdownWithContext(ctx)
	writing, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWrites)
	defer cancel()
	return errors.Join(err, s.journal.stop(writing))
}

const lastWrites = 5 * time.Second

// FlushLog writes the callbacks that have been answered to the callback log now, while the server listens, and waits for that.
func (s *Server) FlushLog(ctx context.Context) error { return s.journal.flush(ctx) }

// patientListener retries after temporary errors of Accept, such as too many open files, which would otherwise end the server.
type patientListener struct {
	net.Listener
	log *slog.Logger
}

func (l *patientListener) Accept() (net.Conn, error) {
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		conn, err := l.Listener.Accept()
		if err == nil || errors.Is(err, net.ErrClosed) {
			return conn, err
		}
		l.log.Error("accepting a callback connection failed; trying again", slog.Any("error", err),
			slog.Duration("pause", pause))
		time.Sleep(pause)
	}
}
