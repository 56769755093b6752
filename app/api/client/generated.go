// Code generated from the description of the API by "go generate"; DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"time"
)

type Cash struct {
	Amount    string     `json:"amount"`
	At        time.Time  `json:"at"`
	Balance   *string    `json:"balance"`    // Directly after it; null once its entry is archived.
	BouncedAt *time.Time `json:"bounced_at"` // When it was booked that the bank has sent a paid cash-out back.
	Currency  string     `json:"currency"`
	EndedAt   *time.Time `json:"ended_at"` // When the cash-out was paid or returned.
	Held      *string    `json:"held"`     // By cash-outs, directly after it; null once its entry is archived.
	ID        string     `json:"id"`       // The Idempotency-Key of the request that made it.
	Player    string     `json:"player"`
	Reason    string     `json:"reason,omitempty"` // Why staff have refused to pay the cash-out. Its amount is returned.
	State     string     `json:"state"`            // deposited, requested, waiting, approved, paid, returned, bounced. A repeated POST answers with the first one; GET says what it is now. waiting: held until staff approve it. Send the money while GET calls a cash-out requested or approved, and then commit it.
}

type Closing struct {
	Reason string `json:"reason"` // For staff.
}

type CreatedPlayer struct {
	CreatedAt time.Time `json:"created_at"`
	Currency  string    `json:"currency"`            // It never changes.
	ID        string    `json:"id"`                  // As the platform sends it in callbacks. It never changes.
	Test      bool      `json:"test,omitempty"`      // A test player: staff may play with the wallet, and reports exclude it.
	TimeZone  string    `json:"time_zone,omitempty"` // Where the days of the player's limits begin. Without it, the zone of the house's days.
}

type ErrorDetail struct {
	Location string          `json:"location,omitempty"` // Where the error occurred, e.g. 'body.items[3].tags' or 'path.thing-id'
	Message  string          `json:"message,omitempty"`  // Error message text
	Value    json.RawMessage `json:"value,omitempty"`    // The value at the given location
}

type Event struct {
	Action   string          `json:"action"`          // What happened, such as player created, bet or cash deposit.
	After    json.RawMessage `json:"after,omitempty"` // What it was after the event; of a transaction, a moved object.
	At       time.Time       `json:"at"`
	By       string          `json:"by"`        // The member of staff, the API client, or system; of a transaction, who sent it.
	ID       string          `json:"id"`        // Its place in the one order of all events.
	Object   string          `json:"object"`    // player, restriction, grant, game session, correction, cash-out, transaction.
	ObjectID string          `json:"object_id"` // The internal ID; of a transaction, the ID of whoever sent it.
}

type FreeSpins struct {
	At     time.Time `json:"at"`
	Game   string    `json:"game"`
	ID     int64     `json:"id"`
	Player string    `json:"player"`
	Spins  int64     `json:"spins"`
	State  string    `json:"state"` // sent, active, completed, expired, refused, unknown. unknown: the platform gave no readable answer, and a person finds out whether the spins were granted. Do not grant them again.
	Used   int64     `json:"used"`
	Why    string    `json:"why"` // Why they were refused, or their state is unknown.
}

type Game struct {
	Available bool   `json:"available"`
	ID        string `json:"id"`
	Name      string `json:"name"`
	Provider  string `json:"provider"`
	Thumbnail string `json:"thumbnail"` // The address of a picture; empty if the platform has none.
	Type      string `json:"type"`
}

type Launch struct {
	At       time.Time `json:"at"`
	Game     string    `json:"game"`
	GameURL  string    `json:"game_url"` // Send the player's browser there now. It is given once.
	ID       int64     `json:"id"`       // Of the session in the back office.
	Language string    `json:"language"`
	Player   string    `json:"player"`
}

type NewCash struct {
	Amount   string `json:"amount"`   // Above zero, with two decimals.
	Currency string `json:"currency"` // The player's.
	Player   string `json:"player"`
}

type NewFreeSpins struct {
	Game   string `json:"game"` // The game's ID.
	Player string `json:"player"`
	Reason string `json:"reason"` // For staff.
	Spins  int64  `json:"spins"`
}

type NewLaunch struct {
	Game     string `json:"game"`     // The game's ID.
	Language string `json:"language"` // en, fr, de, it, kr, tr, pt, id, es, zh, uk, ru.
	Player   string `json:"player"`
}

type NewLimit struct {
	Amount *string `json:"amount"` // null removes the limit.
	Kind   string  `json:"kind"`   // stake, loss, deposit. A loss is the stake minus what was won.
	Period string  `json:"period"` // day, week, month. They begin at midnight; weeks on Monday.
}

type NewLimits struct {
	Limits   []NewLimit `json:"limits"`              // Limits that it does not name stay as they are.
	Reason   string     `json:"reason"`              // For staff.
	TimeZone string     `json:"time_zone,omitempty"` // Only with the player's first limit: where periods begin and end. Without it, the player's time_zone, or the zone of the house's days.
}

type NewPlayer struct {
	Currency string `json:"currency"`            // It never changes.
	ID       string `json:"id"`                  // As the platform sends it in callbacks. It never changes.
	Test     bool   `json:"test,omitempty"`      // A test player: staff may play with the wallet, and reports exclude it.
	TimeZone string `json:"time_zone,omitempty"` // Where the days of the player's limits begin. Without it, the zone of the house's days.
}

type NewRestriction struct {
	Kind   string     `json:"kind"`            // self-exclusion, cool-off, money laundering, abuse, other.
	Reason string     `json:"reason"`          // For staff.
	Scope  string     `json:"scope"`           // play, deposits, bonuses. A restriction from play stops deposits and bonuses too.
	Until  *time.Time `json:"until,omitempty"` // When it ends by itself. Leave it out if it has no end.
}

type NewRestrictions struct {
	Kind    string     `json:"kind"`            // self-exclusion, cool-off, money laundering, abuse, other.
	Players []string   `json:"players"`         // Their IDs. None is restricted if one of them is unknown.
	Reason  string     `json:"reason"`          // For staff.
	Scope   string     `json:"scope"`           // play, deposits, bonuses. A restriction from play stops deposits and bonuses too.
	Until   *time.Time `json:"until,omitempty"` // When it ends by itself. Leave it out if it has no end.
}

type Nothing struct {
}

type PageEvent struct {
	Data []Event `json:"data"`
	Next string  `json:"next"` // Where the next page begins; empty after the last one. Of events it is never empty: ask again later.
}

type PageGame struct {
	Data []Game `json:"data"`
	Next string `json:"next"` // Where the next page begins; empty after the last one. Of events it is never empty: ask again later.
}

type PageRestrictedPlayer struct {
	Data []RestrictedPlayer `json:"data"`
	Next string             `json:"next"` // Where the next page begins; empty after the last one. Of events it is never empty: ask again later.
}

type PageTransaction struct {
	Data []Transaction `json:"data"`
	Next string        `json:"next"` // Where the next page begins; empty after the last one. Of events it is never empty: ask again later.
}

type Player struct {
	Balance         string        `json:"balance"`
	CreatedAt       time.Time     `json:"created_at"`
	Currency        string        `json:"currency"`         // It never changes.
	Held            string        `json:"held"`             // By cash-outs that are neither paid nor returned. It is not part of the balance.
	ID              string        `json:"id"`               // As the platform sends it in callbacks. It never changes.
	Limits          []PlayerLimit `json:"limits"`           // The player's own limits that are in effect, and what is left.
	LimitsTimeZone  *string       `json:"limits_time_zone"` // Where their periods begin and end; null without limits.
	MayGetBonuses   bool          `json:"may_get_bonuses"`
	MayPlay         bool          `json:"may_play"`
	RestrictedUntil *time.Time    `json:"restricted_until"`    // The end of the restriction from play; the year 9999 if it has none.
	State           string        `json:"state"`               // active, restricted, closed. A restricted player has a restriction from play.
	Test            bool          `json:"test,omitempty"`      // A test player: staff may play with the wallet, and reports exclude it.
	TimeZone        string        `json:"time_zone,omitempty"` // Where the days of the player's limits begin. Without it, the zone of the house's days.
}

type PlayerLimit struct {
	Amount   string     `json:"amount"`
	Kind     string     `json:"kind"` // stake, loss, deposit.
	Left     string     `json:"left"`
	Next     *string    `json:"next"`      // The amount from then on; null if the limit is removed.
	NextFrom *time.Time `json:"next_from"` // When it is raised or removed, as was asked for; null if it is not.
	Period   string     `json:"period"`    // day, week, month.
	ResetsAt time.Time  `json:"resets_at"`
	Used     string     `json:"used"` // In the current period; of a loss, negative if the player has won.
}

type Problem struct {
	Detail string        `json:"detail"`           // What is wrong and what to do, for people.
	Errors []ErrorDetail `json:"errors,omitempty"` // What is wrong with which part of the request.
	Limit  *PlayerLimit  `json:"limit,omitempty"`  // The player's limit that refused it.
	Status int64         `json:"status"`
	Title  string        `json:"title"` // The meaning of the status.
	Type   string        `json:"type"`  // What is wrong, as a stable name for programs.
}

type RequestedLimits struct {
	Limits []NewLimit `json:"limits"` // As requested. Read the player to see what is in effect, and what waits.
	Player string     `json:"player"`
}

type RestrictedPlayer struct {
	Done        string `json:"done"` // restricted, restricted already. Already: by a restriction of this kind and scope, as long or longer.
	Player      string `json:"player"`
	Restriction int64  `json:"restriction"` // The number of the restriction.
}

type Restriction struct {
	At     time.Time  `json:"at"`
	ID     int64      `json:"id"`
	Kind   string     `json:"kind"`
	Player string     `json:"player"`
	Until  *time.Time `json:"until"` // null if it does not end by itself
}

type Round struct {
	At           time.Time `json:"at"` // Of its first transaction.
	Currency     string    `json:"currency"`
	ID           string    `json:"id"`
	LastAt       time.Time `json:"last_at"`
	Player       string    `json:"player"`
	Staked       string    `json:"staked"`
	State        string    `json:"state"`
	Transactions int64     `json:"transactions"` // Including those rolled back.
	Won          string    `json:"won"`
}

type Transaction struct {
	At           time.Time  `json:"at"`
	Balance      *string    `json:"balance"` // After it; null for a free spin.
	Bet          string     `json:"bet"`     // What it took from the balance; of a free spin, the nominal stake.
	Currency     string     `json:"currency"`
	FreeSpin     bool       `json:"free_spin"`
	ID           string     `json:"id"` // The transaction ID of whoever sent it.
	Kind         string     `json:"kind"`
	Number       int64      `json:"number"`  // In the order of booking.
	PaidAt       *time.Time `json:"paid_at"` // When a cash-out was paid; null if it was not.
	Player       string     `json:"player"`
	RolledBackAt *time.Time `json:"rolled_back_at"` // When it was rolled back, or a cash-out returned; null if it was not.
	Round        string     `json:"round"`
	Win          string     `json:"win"` // What it added to the balance.
}

// BookDeposit calls POST /v1/deposits: Book money that a player has paid in. Scope: deposits.
func (c *Client) BookDeposit(ctx context.Context, key string, in NewCash) (out Cash, err error) {
	query := url.Values{}
	err = c.call(ctx, http.MethodPost, "/v1/deposits", query, key, in, &out)
	return out, err
}

// CancelCashOut calls POST /v1/cashouts/{id}/cancel: Give the held money back to the balance. Scope: cashouts.
func (c *Client) CancelCashOut(ctx context.Context, id string, key string) (out Cash, err error) {
	query := url.Values{}
	err = c.call(ctx, http.MethodPost, with("/v1/cashouts/{id}/cancel", id), query, key, Nothing{}, &out)
	return out, err
}

// ClosePlayer calls POST /v1/players/{id}/closure: Close a player's account, at a balance of 0.00 with nothing held. Scope: players.
func (c *Client) ClosePlayer(ctx context.Context, id string, key string, in Closing) (out Restriction, err error) {
	query := url.Values{}
	err = c.call(ctx, http.MethodPost, with("/v1/players/{id}/closure", id), query, key, in, &out)
	return out, err
}

// CommitCashOut calls POST /v1/cashouts/{id}/commit: Say that a cash-out was paid. Scope: cashouts.
func (c *Client) CommitCashOut(ctx context.Context, id string, key string) (out Cash, err error) {
	query := url.Values{}
	err = c.call(ctx, http.MethodPost, with("/v1/cashouts/{id}/commit", id), query, key, Nothing{}, &out)
	return out, err
}

// CreatePlayer calls POST /v1/players: Create a player. Scope: players.
func (c *Client) CreatePlayer(ctx context.Context, key string, in NewPlayer) (out CreatedPlayer, err error) {
	query := url.Values{}
	err = c.call(ctx, http.MethodPost, "/v1/players", query, key, in, &out)
	return out, err
}

// GrantFreeSpins calls POST /v1/free-spins: Grant free spins to a player. Scope: grants.
func (c *Client) GrantFreeSpins(ctx context.Context, key string, in NewFreeSpins) (out FreeSpins, err error) {
	query := url.Values{}
	err = c.call(ctx, http.MethodPost, "/v1/free-spins", query, key, in, &out)
	return out, err
}

// LaunchGame calls POST /v1/launches: Open a game for a player. Scope: launches.
func (c *Client) LaunchGame(ctx context.Context, key string, in NewLaunch) (out Launch, err error) {
	query := url.Values{}
	err = c.call(ctx, http.MethodPost, "/v1/launches", query, key, in, &out)
	return out, err
}

// ListEventsOptions may be left out.
type ListEventsOptions struct {
	After string // The next of the page before, or the id of an event; 0 for the beginning.
}

// ListEvents calls GET /v1/events: Follow everything that happens to players, their money, restrictions, free spins, sessions and corrections. Scope: read.
func (c *Client) ListEvents(ctx context.Context, options ListEventsOptions) (out PageEvent, err error) {
	query := url.Values{}
	set(query, "after", options.After)
	err = c.call(ctx, http.MethodGet, "/v1/events", query, "", nil, &out)
	return out, err
}

// ListGamesOptions may be left out.
type ListGamesOptions struct {
	After    string // The next of the page before.
	Limit    int64  // The most entries.
	Provider string
}

// ListGames calls GET /v1/games: List the games, by name. Scope: read.
func (c *Client) ListGames(ctx context.Context, options ListGamesOptions) (out PageGame, err error) {
	query := url.Values{}
	set(query, "after", options.After)
	set(query, "limit", options.Limit)
	set(query, "provider", options.Provider)
	err = c.call(ctx, http.MethodGet, "/v1/games", query, "", nil, &out)
	return out, err
}

// ListTransactionsOptions may be left out.
type ListTransactionsOptions struct {
	After  string // The next of the page before.
	Limit  int64  // The most entries.
	Player string
	ID     string    // The transaction ID. That of a deposit or a cash-out is its Idempotency-Key, an @ and the number of the client, which its token begins with: dep-1@2.
	Since  time.Time // Booked then or later.
	Until  time.Time // Booked before then.
}

// ListTransactions calls GET /v1/transactions: List transactions, newest first. Scope: read.
func (c *Client) ListTransactions(ctx context.Context, options ListTransactionsOptions) (out PageTransaction, err error) {
	query := url.Values{}
	set(query, "after", options.After)
	set(query, "limit", options.Limit)
	set(query, "player", options.Player)
	set(query, "id", options.ID)
	set(query, "since", options.Since)
	set(query, "until", options.Until)
	err = c.call(ctx, http.MethodGet, "/v1/transactions", query, "", nil, &out)
	return out, err
}

// ReadCashOut calls GET /v1/cashouts/{id}: Read a cash-out of this client. Scope: cashouts.
func (c *Client) ReadCashOut(ctx context.Context, id string) (out Cash, err error) {
	query := url.Values{}
	err = c.call(ctx, http.MethodGet, with("/v1/cashouts/{id}", id), query, "", nil, &out)
	return out, err
}

// ReadDeposit calls GET /v1/deposits/{id}: Read a deposit of this client. Scope: deposits.
func (c *Client) ReadDeposit(ctx context.Context, id string) (out Cash, err error) {
	query := url.Values{}
	err = c.call(ctx, http.MethodGet, with("/v1/deposits/{id}", id), query, "", nil, &out)
	return out, err
}

// ReadFreeSpins calls GET /v1/free-spins/{id}: Read granted free spins. Scope: read.
func (c *Client) ReadFreeSpins(ctx context.Context, id int64) (out FreeSpins, err error) {
	query := url.Values{}
	err = c.call(ctx, http.MethodGet, with("/v1/free-spins/{id}", id), query, "", nil, &out)
	return out, err
}

// ReadPlayer calls GET /v1/players/{id}: Read a player. Scope: read.
func (c *Client) ReadPlayer(ctx context.Context, id string) (out Player, err error) {
	query := url.Values{}
	err = c.call(ctx, http.MethodGet, with("/v1/players/{id}", id), query, "", nil, &out)
	return out, err
}

// ReadRound calls GET /v1/rounds/{id}: Read a player's round. Scope: read.
func (c *Client) ReadRound(ctx context.Context, id string, player string) (out Round, err error) {
	query := url.Values{}
	set(query, "player", player)
	err = c.call(ctx, http.MethodGet, with("/v1/rounds/{id}", id), query, "", nil, &out)
	return out, err
}

// RequestCashOut calls POST /v1/cashouts: Hold money that a player wants to be paid. Scope: cashouts.
func (c *Client) RequestCashOut(ctx context.Context, key string, in NewCash) (out Cash, err error) {
	query := url.Values{}
	err = c.call(ctx, http.MethodPost, "/v1/cashouts", query, key, in, &out)
	return out, err
}

// RestrictPlayer calls POST /v1/players/{id}/restrictions: Restrict a player, at once. Scope: players.
func (c *Client) RestrictPlayer(ctx context.Context, id string, key string, in NewRestriction) (out Restriction, err error) {
	query := url.Values{}
	err = c.call(ctx, http.MethodPost, with("/v1/players/{id}/restrictions", id), query, key, in, &out)
	return out, err
}

// RestrictRegister calls POST /v1/restrictions: Restrict the players whom a register of exclusions names, at once. Scope: players.
func (c *Client) RestrictRegister(ctx context.Context, key string, in NewRestrictions) (out PageRestrictedPlayer, err error) {
	query := url.Values{}
	err = c.call(ctx, http.MethodPost, "/v1/restrictions", query, key, in, &out)
	return out, err
}

// ReturnCashOut calls POST /v1/cashouts/{id}/return: Say that the bank has sent back a cash-out that was paid. Scope: cashouts.
func (c *Client) ReturnCashOut(ctx context.Context, id string, key string) (out Cash, err error) {
	query := url.Values{}
	err = c.call(ctx, http.MethodPost, with("/v1/cashouts/{id}/return", id), query, key, Nothing{}, &out)
	return out, err
}

// SetLimits calls POST /v1/players/{id}/limits: Set, lower, raise or remove limits that a player asked for. Scope: players.
func (c *Client) SetLimits(ctx context.Context, id string, key string, in NewLimits) (out RequestedLimits, err error) {
	query := url.Values{}
	err = c.call(ctx, http.MethodPost, with("/v1/players/{id}/limits", id), query, key, in, &out)
	return out, err
}
