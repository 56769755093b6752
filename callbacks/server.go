// Package callbacks is the platform's door: the five callbacks, over HTTP, in front of a store that applies them
// (specification, "Callback service").
//
// A callback is read from top to bottom: decode its shape, verify its sign, check what needs no store, hand it to the store,
// respond. routes.go lists the five; each has a file of its own; respond.go holds the one table from what came out to what is
// answered. Nothing is looked up before the sign has been verified, and nothing is answered before the store has committed.
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

// Store is what the callbacks need of the storage. Its errors are failures without a definite answer, never refusals: those are
// in the Result. It does its own retries, within the context's deadline.
type Store interface {
	// Apply decides and commits one operation. A Result of UnknownPlayer says that there is no such player.
	Apply(ctx context.Context, op models.Operation) (models.Result, error)
	// Balance returns a player's balance, and false where there is no such player.
	Balance(ctx context.Context, userID models.UserID) (models.Balance, bool, error)
}

// MaxBodyBytes is the longest body that is read; a longer one is answered without being read and its connection closed.
const MaxBodyBytes = 64 << 10

// maxHeaderBytes bounds a request's line and header together.
const maxHeaderBytes = 8 << 10

// Server answers the platform's callbacks.
type Server struct {
	config   Config
	store    Store
	verifier *wire.Verifier
	counters *Counters
	log      *lineLog
	tls      *certificate // nil: plain HTTP
	guard    *listener.Guard
	app      *fiber.App

	journal *journal
	run     int64 // names this start of the program in request IDs: 31 bits
	lastReq atomic.Uint32
}

// New returns a server that is not listening yet. The error names everything that is wrong with the configuration, the
// certificate files included.
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
	s.log = newLineLog(config, s.counters)
	s.journal = newJournal(config.Journal, s.newRequestID, config.Logger, s.counters)
	if config.TLSCertFile != "" {
		if s.tls, err = loadCertificate(config.TLSCertFile, config.TLSKeyFile, config.Logger); err != nil {
			return nil, fmt.Errorf("callback service: %w", err)
		}
	}
	s.app = fiber.New(fiber.Config{
		AppName:        "Pitboss callbacks",
		CaseSensitive:  true,
		StrictRouting:  true,
		BodyLimit:      MaxBodyBytes,
		ReadBufferSize: maxHeaderBytes,
		// the guard counts; a connection that has ended may still have its worker
		Concurrency:                  4 * config.MaxConnections,
		ReadTimeout:                  config.HeaderTimeout,
		WriteTimeout:                 config.ReadTimeout,
		IdleTimeout:                  config.IdleTimeout,
		ErrorHandler:                 s.refuse,
		DisableStartupMessage:        true,
		DisablePreParseMultipartForm: true, // Content-Type is not looked at: the body stays as it came
	})
	s.routes()
	server := s.app.Server()
	server.CloseOnShutdown = true
	server.HeaderReceived = func(*fasthttp.RequestHeader) fasthttp.RequestConfig {
		return fasthttp.RequestConfig{ReadTimeout: config.ReadTimeout} // from here on, for the body
	}
	s.guard = listener.New(listener.Config{
		Name: "callbacks", Allow: config.Allow, Proxies: config.Proxies, MaxConnections: config.MaxConnections,
		PerAddress: config.MaxPerAddress,
		Log:        config.Logger,
	})
	s.guard.Serve(server, s.busy)
	return s, nil
}

// Counters counts what this server answers, for the metrics.
func (s *Server) Counters() *Counters { return s.counters }

// Guard decides who may connect, and counts who may not.
func (s *Server) Guard() *listener.Guard { return s.guard }

// CertificateExpires returns when the listener's certificate expires; false means that it has none.
func (s *Server) CertificateExpires() (time.Time, bool) {
	if s.tls == nil {
		return time.Time{}, false
	}
	at, err := s.tls.expires()
	return at, err == nil
}

// Listen serves ln until Shutdown, and then returns nil. It wraps ln in TLS when there is a certificate.
func (s *Server) Listen(ln net.Listener) error {
	ln = s.guard.Listener(&patientListener{Listener: ln, log: s.config.Logger})
	if s.tls != nil {
		ln = s.tls.listener(ln)
	}
	s.journal.start()
	if err := s.app.Listener(ln); err != nil {
		return fmt.Errorf("callback service: %w", err)
	}
	return nil
}

// Shutdown stops accepting, lets the callbacks that are under way finish, closes their connections and hands the last of them
// to the Journal. When ctx ends first it returns ctx's error.
func (s *Server) Shutdown(ctx context.Context) error {
	return errors.Join(s.app.ShutdownWithContext(ctx), s.journal.stop(ctx))
}

// patientListener waits out errors that pass, such as too many open files, at which the server would otherwise end.
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
