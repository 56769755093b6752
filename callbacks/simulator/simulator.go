// Package simulator plays the game platform of the specification, for development and tests: it serves the platform API that
// Pitboss calls, shows a small playable game behind each gameURL, and plays rounds by itself whose outcome it knows.
//
// It is an outside witness. It imports nothing of the program it watches and signs with a few lines of its own, so that a fault
// on one side is not repeated, and hidden, by the other. Its state is in memory; with Config.Books its statement and the free
// spins that it granted are also kept in a file, so that they go on after a restart.
package simulator

import (
	"cmp"
	"context"
	cryptorand "crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"html/template"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// Config is what a Simulator is made of. AgentID, APIToken, SecretKey and CallbackURL are needed; the rest has defaults.
type Config struct {
	AgentID     string
	APIToken    string
	SecretKey   string
	CallbackURL string // base address of the wallet's callbacks; it may carry a path

	// PublicURL is the base of the addresses that are handed out (gameURLs, thumbnails). Empty: the host that was asked, over
	// HTTP.
	PublicURL string

	Games            int           // size of the catalogue; 0 means 200
	PlainNames       bool          // no game has a name that wants to be more than a name
	Seed             uint64        // of the catalogue and of the luck on the game page
	GameURLLifetime  time.Duration // how long a gameURL can be opened; 0 means two minutes
	FreeSpinLifetime time.Duration // how long granted spins last; 0 means for ever
	StatementLines   int           // how many transactions its statement goes back; 0 means 200,000, weeks of gentle play

	Books string // the file of its books, made where it is missing; empty: they are gone when it ends

	Logger *slog.Logger     // nil means silence
	Now    func() time.Time // nil means the system's clock
	Random io.Reader        // source of tokens and freeSpinIDs; nil means the system's
	Client *http.Client     // sends the callbacks; nil means one with connections enough for many workers
}

// Simulator is one game platform with one partner.
type Simulator struct {
	config   Config
	log      *slog.Logger
	now      func() time.Time
	games    *catalogue
	grants   *grantBook
	moods    *moodRing
	sessions *sessionBook
	wallet   *caller
	pages    map[string]*template.Template

	statement *statement

	mu       sync.Mutex // guards what follows
	random   io.Reader
	luck     *rand.Rand
	spelling string
	calls    map[string]int
}

// New makes a Simulator. The error names everything that the Config lacks.
func New(config Config) (*Simulator, error) {
	var missing []error
	for _, setting := range []struct{ name, value string }{
		{"AgentID", config.AgentID}, {"APIToken", config.APIToken}, {"SecretKey", config.SecretKey},
		{"CallbackURL", config.CallbackURL},
	} {
		if setting.value == "" {
			missing = append(missing, fmt.Errorf("simulator: %s is needed", setting.name))
		}
	}
	for _, setting := range []struct{ name, value string }{
		{"CallbackURL", config.CallbackURL}, {"PublicURL", config.PublicURL},
	} {
		if address, err := url.Parse(setting.value); setting.value != "" && (err != nil || address.Host == "") {
			missing = append(missing, fmt.Errorf("simulator: %s is not an address such as http://127.0.0.1:8080", setting.name))
		}
	}
	if config.Games < 0 {
		missing = append(missing, errors.New("simulator: Games cannot be negative"))
	}
	if err := errors.Join(missing...); err != nil {
		return nil, err
	}
	config.CallbackURL = strings.TrimRight(config.CallbackURL, "/")
	config.PublicURL = strings.TrimRight(config.PublicURL, "/")
	if config.Games == 0 {
		config.Games = 200
	}
	if config.GameURLLifetime == 0 {
		config.GameURLLifetime = 2 * time.Minute
	}
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	if config.Now == nil {
		config.Now = time.Now
	}
	if config.Random == nil {
		config.Random = cryptorand.Reader
	}
	if config.Client == nil {
		transport := http.DefaultTransport.(*http.Transport).Clone()
		transport.MaxIdleConns, transport.MaxIdleConnsPerHost = 512, 512
		config.Client = &http.Client{Transport: transport}
	}
	pages, err := parsePages()
	if err != nil {
		return nil, fmt.Errorf("simulator: %w", err)
	}
	s := &Simulator{
		config:   config,
		log:      config.Logger,
		now:      config.Now,
		games:    newCatalogue(config.Games, config.Seed, config.PlainNames),
		grants:   newGrantBook(config.Now, config.FreeSpinLifetime),
		moods:    newMoodRing(),
		sessions: newSessionBook(config.Now, config.GameURLLifetime),
		wallet: &caller{baseURL: config.CallbackURL, agentID: config.AgentID, secretKey: config.SecretKey,
			client: config.Client, now: config.Now},
		pages: pages,

		statement: newStatement(cmp.Or(config.StatementLines, 200_000)),

		random:   config.Random,
		luck:     rand.New(rand.NewPCG(config.Seed, 0x6c75636b)),
		spelling: spellingSpins,
		calls:    map[string]int{},
	}
	if config.Books != "" {
		err = s.keepBooks(config.Books)
	}
	return s, err
}

// Handler serves everything on one address: the platform API, the game pages, and the simulator's own pages under /simulator/.
func (s *Simulator) Handler() http.Handler {
	mux := http.NewServeMux()
	s.routeAPI(mux)
	s.routePages(mux)
	s.routeControls(mux)
	return refuseForeignForms(mux)
}

// Calls counts the platform calls that arrived, by name (gameList, userAuth, assignFreeSpin, freeSpinStatus), whatever became
// of them.
func (s *Simulator) Calls() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	counts := make(map[string]int, len(platformCalls))
	for _, name := range platformCalls {
		counts[name] = s.calls[name]
	}
	return counts
}

// token answers bytes random bytes in hexadecimal.
func (s *Simulator) token(bytes int) string {
	raw := make([]byte, bytes)
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := io.ReadFull(s.random, raw); err != nil {
		panic("simulator: no random numbers: " + err.Error())
	}
	return hex.EncodeToString(raw)
}

// publicURL is the base of the addresses that the answer to this request hands out.
func (s *Simulator) publicURL(r *http.Request) string {
	if s.config.PublicURL != "" {
		return s.config.PublicURL
	}
	return "http://" + r.Host
}

// callback sends one callback outside of Play, and logs it.
func (s *Simulator) callback(ctx context.Context, endpoint string, body []byte) exchange {
	ctx, cancel := context.WithTimeout(ctx, defaultAttemptTimeout)
	defer cancel()
	sent := s.wallet.send(ctx, endpoint, body, false)
	s.log.Info("callback", "endpoint", endpoint, "outcome", sent.outcome(), "latency", sent.latency)
	return sent
}
