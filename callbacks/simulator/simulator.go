// Package simulator plays the part of the game platform in the specification, for development and tests. It serves the platform
// API that Pitboss calls, lets people play any kind of round behind each gameURL, and plays rounds whose outcome it can
// predict.
//
// It keeps its own books and reads the specification for itself, so that it notices when the wallet's rules are wrong. It
// shares only the bytes of callbacks with the wallet, and those have test vectors of their own. Its state is in memory. With
// Config.Books, it also saves its statement and the free spins it granted to a file, and a restart continues them.
package simulator

import (
	"crypto/rand"
	"encoding/hex"
	"maps"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Config configures a Simulator. AgentID, APIToken, SecretKey and CallbackURL are required; everything else has a default.
type Config struct {
	AgentID     string
	APIToken    string
	SecretKey   string
	CallbackURL string // base URL of the wallet's callbacks; may have a path

	PublicURL string           // base of the URLs in answers; empty means the request's host
	Games     int              // size of the catalogue; 0 means 200
	Books     string           // the file for its books, created if missing; empty means that nothing is saved
	Now       func() time.Time // nil means the system's clock
	Client    *http.Client     // sends callbacks; nil means a client with enough connections for many workers
}

// Simulator is a game platform with one partner.
type Simulator struct {
	config Config
	books  *books

	mu       sync.Mutex // guards the fields below
	games    []game
	launched map[string]table // by the token in the gameURL
	moods    map[string]mood  // by platform call; a call without one behaves normally
	calls    map[string]int
}

// New returns a Simulator, or an error if the books cannot be read.
func New(config Config) (*Simulator, error) {
	config.CallbackURL = strings.TrimRight(config.CallbackURL, "/")
	config.PublicURL = strings.TrimRight(config.PublicURL, "/")
	if config.Games == 0 {
		config.Games = 200
	}
	if config.Now == nil {
		config.Now = time.Now
	}
	if config.Client == nil {
		transport := http.DefaultTransport.(*http.Transport).Clone()
		transport.MaxIdleConns, transport.MaxIdleConnsPerHost = 512, 512
		config.Client = &http.Client{Transport: transport}
	}
	books, err := openBooks(config.Books)
	if err != nil {
		return nil, err
	}
	return &Simulator{config: config, books: books, games: newCatalogue(config.Games), launched: map[string]table{},
		moods: map[string]mood{}, calls: map[string]int{}}, nil
}

// Handler serves the platform API, the pages of launched games, and the platform's statement. It refuses to play for pages of
// other sites.
func (s *Simulator) Handler() http.Handler {
	mux := http.NewServeMux()
	for _, call := range platformTable {
		mux.HandleFunc("/"+call.name, func(w http.ResponseWriter, r *http.Request) { s.serveCall(call, w, r) })
	}
	mux.HandleFunc("GET /play/{token}", s.serveTable)
	mux.HandleFunc("POST /play/{token}", s.serveTable)
	mux.HandleFunc("GET /thumbnails/{gameID}", thumbnail)
	mux.HandleFunc("GET /simulator/statement.csv", s.sendStatement)
	return http.NewCrossOriginProtection().Handler(mux)
}

// Calls returns how many platform calls have arrived, by name (gameList, userAuth, assignFreeSpin, freeSpinStatus), whatever
// their outcome.
func (s *Simulator) Calls() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.calls)
}

// token returns this many random bytes in hexadecimal.
func token(bytes int) string {
	raw := make([]byte, bytes)
	rand.Read(raw)
	return hex.EncodeToString(raw)
}
