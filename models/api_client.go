package models

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// API clients are the operator's own systems, such as the casino's website, cashier and CRM, which call the operator's API.
//
//	requested -> active    a second administrator approved its terms (ChangeAPIClient), and it was given a secret
//	          -> revoked   by one administrator, at once: it has no secret any more
//	          -> active    it was given a new secret
//
// A secret takes two administrators (APISecretRequest): each sees one half of 128 random bits, once, so neither can call alone.
// Only hashes are stored. A revoked client can come back, because only it can end the cash-outs that it holds.

// APIScope is a group of calls of the operator's API.
type APIScope string

// The scopes. They are stored.
const (
	ScopePlayers  APIScope = "players"  // create and restrict players
	ScopeDeposits APIScope = "deposits" // pay in
	ScopeCashouts APIScope = "cashouts" // request, pay out and cancel
	ScopeLaunches APIScope = "launches" // open games
	ScopeGrants   APIScope = "grants"   // grant free spins
	ScopeRead     APIScope = "read"     // read players, games, free spins, transactions, rounds and events
	// ScopeKinds lets a client that reads events know why players are restricted, such as because of money laundering.
	ScopeKinds APIScope = "restriction-kinds"
)

// APIScopes lists the scopes, in the order of forms.
var APIScopes = []APIScope{ScopePlayers, ScopeDeposits, ScopeCashouts, ScopeLaunches, ScopeGrants, ScopeRead, ScopeKinds}

// APITerms say what a client may do. Two administrators agree on them.
type APITerms struct {
	Name      string     `json:"name"`
	Scopes    []APIScope `json:"scopes" gorm:"serializer:jsonText"`
	Networks  string     `json:"networks"`   // from which it may call, as listener.Networks writes them; empty for everywhere
	Test      bool       `json:"test"`       // it only reaches test players
	PerMinute int        `json:"per_minute"` // calls
	Cash      string     `json:"cash"`       // the most that one call pays in or out, by currency, as ParseCashLimits reads it
	// The most in a day of UTC, of deposits and of cash-outs: of all players together, and of one player. Written like Cash. In a
	// currency that is missing, there is no such limit.
	CashPerDay    string `json:"cash_per_day"`
	CashPerPlayer string `json:"cash_per_player"`
	// A cash-out waits for finance if it brings the sum of the player's cash-outs of the UTC day above this amount
	// (CashReview), so splitting a large one does not avoid approval. A returned cash-out does not count. Written like Cash; in
	// a currency that is missing, no cash-out waits.
	ApproveAbove string   `json:"approve_above"`
	Webhook      string   `json:"webhook"`                           // the https address to which its events are sent; empty for none
	Events       []string `json:"events" gorm:"serializer:jsonText"` // which objects' events are sent, of ToldObjects
}

// ToldObjects are the objects of the audit log whose events clients read.
var ToldObjects = []string{"player", "restriction", "grant", "game session", "correction", "cash-out"}

// APIClient is a client with its secrets.
type APIClient struct {
	ID int64
	At time.Time `gorm:"column:at_us;serializer:micros"` // when its first terms were approved
	APITerms
	Secret        Hash      `gorm:"column:secret_hash"` // zero until it is given one
	SecretAt      time.Time `gorm:"column:secret_at_us;serializer:micros"`
	Previous      Hash      `gorm:"column:previous_hash"`
	PreviousUntil time.Time `gorm:"column:previous_until_us;serializer:micros"` // until when the previous secret is accepted
	RevokedAt     time.Time `gorm:"column:revoked_at_us;serializer:micros"`     // zero unless it was revoked
}

// APITermsRequest is the value of a ChangeRequest about a client. ID is 0 for a new client.
type APITermsRequest struct {
	ID int64 `json:"id"`
	APITerms
}

// APISecretRequest is the value of a ChangeRequest for a new secret of a client.
type APISecretRequest struct {
	ID      int64  `json:"id"`
	Name    string `json:"name"`    // of the client, for people
	First   string `json:"first"`   // hash of the first half, in hexadecimal
	Overlap int    `json:"overlap"` // for how many hours the previous secret is accepted
}

// MaxAPICallsPerMinute is the most that a client's terms allow.
const MaxAPICallsPerMinute = 60_000

// MaxSecretOverlap is how long a previous secret can stay valid at most.
const MaxSecretOverlap = 7 * 24 * time.Hour

// Why clients and their terms are refused. Staff see these texts.
var (
	ErrClientUnknown   = errors.New("there is no such API client")
	ErrClientRevoked   = errors.New("this API client has already been revoked")
	ErrClientName      = errors.New("enter a name of 2 to 40 lower-case letters, digits and hyphens, such as cashier")
	ErrClientNameTaken = errors.New("another API client has or had this name: choose a new one")
	ErrClientScopes    = errors.New("choose at least one scope")
	ErrClientPerMinute = fmt.Errorf("enter a whole number from 1 to %d", MaxAPICallsPerMinute)
	ErrClientCash      = errors.New("enter the largest deposit or cash-out per currency, such as EUR 500.00, SEK 5000.00; name each currency once")
	ErrClientNetworks  = errors.New("a client with the scope deposits or cashouts needs the networks from which it may call")
	ErrClientPerDay    = errors.New("enter the most per day for each currency, such as EUR 50000.00; name each currency once")
	ErrClientPerPlayer = errors.New("enter the most per day and player for each currency, such as EUR 2000.00; name each currency once")
	ErrClientAbove     = errors.New("enter the amount above which finance must approve a cash-out, per currency, such as EUR 500.00")
	ErrClientWebhook   = errors.New("enter an https address without a user or a fragment, such as https://crm.example/pitboss")
	ErrClientEvents    = errors.New("choose the subjects of the webhook; it needs an address and the scope read, and does not work with test players only")
	ErrSecretOverlap   = errors.New("the previous secret can stay valid for 0 to 168 hours")
)

// Check returns what is wrong with the terms.
func (t APITerms) Check() error {
	if len(t.Name) < 2 || len(t.Name) > 40 || strings.Trim(t.Name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		return ErrClientName
	}
	if len(t.Scopes) == 0 || slices.ContainsFunc(t.Scopes, func(s APIScope) bool { return !slices.Contains(APIScopes, s) }) {
		return ErrClientScopes
	}
	if t.PerMinute < 1 || t.PerMinute > MaxAPICallsPerMinute {
		return ErrClientPerMinute
	}
	if _, err := ParseCashLimits(t.Cash); err != nil {
		return err
	}
	if _, err := ParseCashLimits(t.CashPerDay); err != nil {
		return ErrClientPerDay
	}
	if _, err := ParseCashLimits(t.CashPerPlayer); err != nil {
		return ErrClientPerPlayer
	}
	if _, err := ParseCashLimits(t.ApproveAbove); err != nil {
		return ErrClientAbove
	}
	// Whoever runs the client's system has its secret. Without networks, it could be used from anywhere.
	if t.Networks == "" && (slices.Contains(t.Scopes, ScopeDeposits) || slices.Contains(t.Scopes, ScopeCashouts)) {
		return ErrClientNetworks
	}
	if u, err := url.Parse(t.Webhook); t.Webhook != "" && (err != nil || u.Scheme != "https" || u.Hostname() == "" || u.User != nil ||
		u.Fragment != "" || len(t.Webhook) > 500) {
		return ErrClientWebhook
	}
	unknown := slices.ContainsFunc(t.Events, func(o string) bool { return !slices.Contains(ToldObjects, o) })
	if told := t.Webhook != ""; unknown || told != (len(t.Events) > 0) || told && (t.Test || !slices.Contains(t.Scopes, ScopeRead)) {
		return ErrClientEvents
	}
	return nil
}

// ParseCashLimits reads how much one deposit or cash-out may be, by currency: "EUR 500.00, SEK 5000.00". In other currencies
// there may be none. It returns ErrClientCash for any other text.
func ParseCashLimits(text string) (map[Currency]Amount, error) {
	limits := map[Currency]Amount{}
	if text == "" {
		return limits, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		code, number, _ := strings.Cut(strings.TrimSpace(part), " ")
		currency, err := ParseCurrency(code)
		amount, err2 := ParseAmount(number)
		if _, twice := limits[currency]; err != nil || err2 != nil || amount <= 0 || twice {
			return nil, ErrClientCash
		}
		limits[currency] = amount
	}
	return limits, nil
}

// Caps returns the client's limits per day in a currency. The terms must be valid.
func (t APITerms) Caps(currency Currency) CashCaps {
	perDay, _ := ParseCashLimits(t.CashPerDay)
	perPlayer, _ := ParseCashLimits(t.CashPerPlayer)
	return CashCaps{perDay[currency], perPlayer[currency]}
}

// Reviews reports whether cash-outs in a currency may wait for approval. The terms must be valid.
func (t APITerms) Reviews(currency Currency) bool { return t.NeedsApproval(MaxAmount, currency) }

// NeedsApproval reports whether a person must approve a cash-out that brings the sum of the player's cash-outs of the day to
// this amount. The terms must be valid.
func (t APITerms) NeedsApproval(ofDay Amount, currency Currency) bool {
	limits, _ := ParseCashLimits(t.ApproveAbove)
	limit, named := limits[currency]
	return named && ofDay > limit
}

// ParseAPITerms reads the value of a ChangeRequest, and checks it.
func ParseAPITerms(value string) (r APITermsRequest, err error) {
	if err = json.Unmarshal([]byte(value), &r); err == nil {
		err = r.Check()
	}
	return r, err
}

// May reports whether the client has a scope.
func (c APIClient) May(scope APIScope) bool { return slices.Contains(c.Scopes, scope) }

// Active reports whether the client can call.
func (c APIClient) Active() bool { return c.RevokedAt.IsZero() && c.Secret != Hash{} }

// Actor returns the client as it is named in the audit log, in grants and in game sessions. No staff member has such a name.
func (c APIClient) Actor() Actor { return Actor{Name: APIActor + c.Name, Channel: ChannelAPI} }

// APIActor begins the names of API clients where names of staff are as well.
const APIActor = "api:"

// Accepts reports whether secret is the client's, or its previous one during the overlap. It takes the same time for every
// secret of the same length.
func (c APIClient) Accepts(secret string, at time.Time) bool {
	hash := HashAPISecret(secret)
	current := subtle.ConstantTimeCompare(hash[:], c.Secret[:]) == 1
	previous := subtle.ConstantTimeCompare(hash[:], c.Previous[:]) == 1
	return c.Active() && (current || previous && at.Before(c.PreviousUntil))
}

// halfSecret is the length of half a secret.
const halfSecret = 22

// NewHalfSecret returns half a secret of random bits, and its hash.
func NewHalfSecret() (text string, hash Hash) {
	var random [16]byte
	rand.Read(random[:])
	text = base64.RawURLEncoding.EncodeToString(random[:])
	return text, sha256.Sum256([]byte(text))
}

// HashAPISecret returns the hash of a secret, as it is stored: of the hashes of its two halves.
func HashAPISecret(secret string) Hash {
	half := min(halfSecret, len(secret))
	return JoinHalves(sha256.Sum256([]byte(secret[:half])), sha256.Sum256([]byte(secret[half:])))
}

// JoinHalves returns the hash of a secret, from the hashes of its halves.
func JoinHalves(first, second Hash) Hash { return sha256.Sum256(append(first[:], second[:]...)) }

// APIToken returns a client's bearer token: its number and a secret. If the secret is a first half, the second one is appended
// to the token.
func APIToken(id int64, secret string) string { return fmt.Sprintf("pb_%d_%s", id, secret) }

// ParseAPISecretRequest reads the value of a ChangeRequest, and checks it. It returns the hash of the first half too.
func ParseAPISecretRequest(value string) (r APISecretRequest, first Hash, err error) {
	if err = json.Unmarshal([]byte(value), &r); err != nil {
		return r, first, err
	}
	if n, err := hex.Decode(first[:], []byte(r.First)); err != nil || n != len(first) || r.ID < 1 {
		return r, first, ErrChangeInvalid
	}
	if r.Overlap < 0 || r.Overlap > int(MaxSecretOverlap.Hours()) {
		return r, first, ErrSecretOverlap
	}
	return r, first, nil
}

// WebhookSecrets returns the secrets that sign the messages to a client's webhook, the current one first, in the format of
// Standard Webhooks. They are derived from the client's secrets and the ledger's key, so the database has none of them, and
// they rotate with the client's secrets. Without a key there are none.
func (c *Chain) WebhookSecrets(client APIClient, at time.Time) (list []string) {
	for _, h := range []Hash{client.Secret, client.Previous} {
		if c.Keyed() && client.Active() && h != (Hash{}) && (h == client.Secret || at.Before(client.PreviousUntil)) {
			secret := c.sum(tagWebhook, h, func(b []byte) []byte { return put(b, client.ID) })
			list = append(list, "whsec_"+base64.StdEncoding.EncodeToString(secret[:]))
		}
	}
	return list
}

// ListKey returns the key that hides the places of a list from a client.
func (c *Chain) ListKey(client int64, list string) Hash {
	return c.sum(tagList, Hash{}, func(b []byte) []byte { return append(put(b, client), list...) })
}

// ParseAPIToken splits a bearer token into the client's number and the secret.
func ParseAPIToken(token string) (id int64, secret string, ok bool) {
	rest, ok := strings.CutPrefix(token, "pb_")
	number, secret, split := strings.Cut(rest, "_")
	id, err := strconv.ParseInt(number, 10, 64)
	return id, secret, ok && split && err == nil && id > 0 && number == strconv.FormatInt(id, 10) && len(secret) == 2*halfSecret
}

// Place returns the client's place in the list of clients.
func (c APIClient) Place() Cursor { return Cursor{At: c.At, ID: c.ID} }

// APIClientFilter selects clients, newest first.
type APIClientFilter struct {
	Span
	Revoked *bool // revoked or not
}

// APIRequest is a request of a client that changed something. It is written in the transaction of that change, so a repeat with
// the same key finds the result. Refused requests are not stored: they changed nothing, and may be repeated.
type APIRequest struct {
	ClientID int64
	Key      string `gorm:"column:idem_key"` // the client's Idempotency-Key
	Route    string
	Digest   Hash // of the contents
	Object   string
	ObjectID string
	Number   string    // of the request, in the audit log
	At       time.Time `gorm:"column:at_us;serializer:micros"`
}

// TableName returns the table's name for GORM.
func (APIRequest) TableName() string { return "api_requests" }

// TableName returns the table's name for GORM.
func (APIClient) TableName() string { return "api_clients" }
