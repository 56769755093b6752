package pack

import (
	"strconv"
	"time"

	"pitboss/models"
)

// The rows of the tables. A change here changes the format, because a check accepts exactly these fields.

// ledgerRow is a posting, with everything that its hash covers. After the period come the lines that lead to the checkpoint.
type ledgerRow struct {
	Seq           int64  `json:"seq"`
	At            stamp  `json:"at"`
	What          string `json:"what"`
	TransactionID string `json:"transaction_id"`
	RoundID       string `json:"round_id"`
	Bet           money  `json:"bet"`
	Win           money  `json:"win"`
	Before        money  `json:"before"`
	Change        money  `json:"change"`
	After         money  `json:"after"`
	InPeriod      bool   `json:"in_period"`
	Kind          uint8  `json:"kind"`
	Claim         uint8  `json:"claim"`
	Source        uint8  `json:"source"`
	Previous      digest `json:"previous_hash"`
	Hash          digest `json:"hash"`
}

func newLedgerRow(p *models.Posting, previous models.Hash, inPeriod bool) ledgerRow {
	effect, _ := p.Effect()
	return ledgerRow{Seq: p.Seq, At: stamp(p.At), What: postingWord(p), TransactionID: string(p.TransactionID),
		RoundID: string(p.RoundID), Bet: money(p.Bet), Win: money(p.Win), Before: money(p.Before()), Change: money(effect),
		After: money(p.After), InPeriod: inPeriod, Kind: uint8(p.Kind), Claim: uint8(p.Claim), Source: uint8(p.Source),
		Previous: digest(previous), Hash: digest(p.Hash)}
}

// posting returns the posting that the row describes.
func (r *ledgerRow) posting(player int64) models.Posting {
	return models.Posting{Source: models.Source(r.Source), TransactionID: models.TransactionID(r.TransactionID),
		Claim: models.Claim(r.Claim), PlayerID: player, Seq: r.Seq, Kind: models.OperationKind(r.Kind),
		RoundID: models.RoundID(r.RoundID), Bet: models.Amount(r.Bet), Win: models.Amount(r.Win), After: models.Amount(r.After),
		At: time.Time(r.At), Hash: models.Hash(r.Hash)}
}

// postingWord returns what a posting did, in the words of the ledger.
func postingWord(p *models.Posting) string {
	switch p.Claim {
	case models.ClaimNone:
		return models.EntryTombstone.String()
	case models.ClaimRolledBack:
		return p.Kind.String() + " rolled back"
	}
	return p.Kind.String()
}

// spinRow is a line of the free-spin ledger.
type spinRow struct {
	Seq           int64  `json:"seq"`
	At            stamp  `json:"at"`
	What          string `json:"what"`
	TransactionID string `json:"transaction_id"`
	RoundID       string `json:"round_id"`
	Spins         int64  `json:"spins"`
	Stake         money  `json:"stake"`
	GrantKnown    bool   `json:"grant_known"`
	InPeriod      bool   `json:"in_period"`
	Kind          uint8  `json:"kind"`
	Previous      digest `json:"previous_hash"`
	Hash          digest `json:"hash"`
}

func newSpinRow(e *models.SpinEntry, previous models.Hash, inPeriod bool) spinRow {
	return spinRow{Seq: e.Seq, At: stamp(e.At), What: e.Kind.String(), TransactionID: string(e.TransactionID),
		RoundID: string(e.RoundID), Spins: e.Spins, Stake: money(e.Stake), GrantKnown: e.GrantKnown, InPeriod: inPeriod,
		Kind: uint8(e.Kind), Previous: digest(previous), Hash: digest(e.Hash)}
}

func (r *spinRow) entry(player int64, currency models.Currency) models.SpinEntry {
	return models.SpinEntry{PlayerID: player, Seq: r.Seq, Kind: models.EntryKind(r.Kind),
		TransactionID: models.TransactionID(r.TransactionID), RoundID: models.RoundID(r.RoundID), Currency: currency,
		Spins: r.Spins, Stake: models.Amount(r.Stake), GrantKnown: r.GrantKnown, At: time.Time(r.At), Hash: models.Hash(r.Hash)}
}

// callbackRow is a callback as it was received, without its signature, and its answer.
type callbackRow struct {
	At            stamp  `json:"at"`
	Request       string `json:"request"`
	Endpoint      string `json:"endpoint"`
	Outcome       string `json:"outcome"`
	Cause         string `json:"cause"`
	UserID        string `json:"user_id"`
	TransactionID string `json:"transaction_id"`
	RoundID       string `json:"round_id"`
	Amount        string `json:"amount"`
	WinAmount     string `json:"win_amount"`
	FreeSpin      bool   `json:"free_spin"`
	Address       string `json:"address"` // the platform's
	Result        *int   `json:"result"`  // null if the answer is not known
	Status        *int   `json:"http_status"`
	LatencyMicros *int64 `json:"latency_us"`
	Had           *money `json:"had"` // the balance when the wallet declined it
	Before        *money `json:"before"`
	After         *money `json:"after"`
	LedgerSeq     int64  `json:"ledger_seq"` // of the line that it wrote; 0 for none
	Spin          bool   `json:"free_spin_ledger"`
}

func (w *making) callbackRow(c *models.Callback) callbackRow {
	r := callbackRow{At: stamp(c.At), Request: c.Request.String(), Endpoint: c.Kind.String(), Outcome: c.Verdict.String(),
		Cause: w.internal(c.Cause), UserID: string(c.UserID), TransactionID: string(c.TransactionID),
		RoundID: string(c.RoundID),
		Amount:  c.Amount, WinAmount: c.WinAmount, FreeSpin: c.FreeSpin, Had: (*money)(c.Had), Before: (*money)(c.Before),
		After: (*money)(c.After), LedgerSeq: c.Seq, Spin: c.Spin}
	if c.Address.IsValid() {
		r.Address = c.Address.String()
	}
	if a := c.Answered; a != nil {
		took := a.Latency.Microseconds()
		r.Result, r.Status, r.LatencyMicros = &a.Result, &a.Status, &took
	}
	return r
}

type roundRow struct {
	Number    int64  `json:"number"`
	RoundID   string `json:"round_id"`
	At        stamp  `json:"at"`
	LastAt    stamp  `json:"last_at"`
	State     string `json:"state"`
	AsOf      stamp  `json:"state_as_of"`
	Bets      int64  `json:"bets"`
	Spins     int64  `json:"free_spins"`
	Wins      int64  `json:"wins"` // that paid something: a win of 0.00 is a loss
	Reversed  int64  `json:"rolled_back"`
	Staked    string `json:"staked"`
	SpinStake string `json:"free_spin_stake"`
	Won       string `json:"won"`
}

func newRoundRow(r *models.Round) roundRow {
	return roundRow{Number: r.ID, RoundID: string(r.RoundID), At: stamp(r.At), LastAt: stamp(r.LastAt),
		State: r.State().String(),
		AsOf:  stamp(r.AsOf), Bets: r.Bets, Spins: r.Spins, Wins: r.Wins, Reversed: r.Reversed, Staked: r.Staked.String(),
		SpinStake: r.SpinStake.String(), Won: r.Won.String()}
}

type grantRow struct {
	Number     int64  `json:"number"`
	At         stamp  `json:"at"`
	Game       string `json:"game"`
	GameID     string `json:"game_id"`
	Spins      int64  `json:"spins"`
	State      string `json:"state"`
	FreeSpinID string `json:"free_spin_id"`
	Used       int64  `json:"used"`      // as the platform last said; -1 if it never did
	Remaining  int64  `json:"remaining"` // as the platform last said; -1 if it never did
	ObservedAt stamp  `json:"observed_at"`
	FinishedAt stamp  `json:"finished_at"`
	Message    string `json:"message"`
	By         string `json:"by"`
	Role       string `json:"role"`
	Reason     string `json:"reason"`
	ResolvedBy string `json:"resolved_by"`
	Resolution string `json:"resolution_note"`
}

func (w *making) grantRow(g *models.Grant) grantRow {
	return grantRow{Number: g.ID, At: stamp(g.At), Game: g.Game.Name, GameID: string(g.Game.GameID), Spins: g.Spins,
		State: g.State.String(), FreeSpinID: string(g.FreeSpinID), Used: g.Used, Remaining: g.Remaining,
		ObservedAt: stamp(g.ObservedAt), FinishedAt: stamp(g.FinishedAt), Message: w.internal(g.Message),
		By: w.internal(g.Actor), Role: string(g.Role), Reason: w.internal(g.Reason), ResolvedBy: w.internal(g.ResolvedBy),
		Resolution: w.internal(g.ResolutionNote)}
}

type caseRow struct {
	Number        int64         `json:"number"`
	Rule          string        `json:"rule"`
	HappenedAt    stamp         `json:"happened_at"`
	OpenedAt      stamp         `json:"opened_at"`
	State         string        `json:"state"`
	DecidedAt     stamp         `json:"decided_at"`
	Amount        money         `json:"amount"`
	TransactionID string        `json:"transaction_id"`
	Reference     string        `json:"reference"`
	Due           stamp         `json:"answer_before"`
	Owner         string        `json:"owner"`
	DecidedBy     string        `json:"decided_by"`
	Reason        string        `json:"findings"`
	Evidence      []caseFact    `json:"evidence"`
	Comments      []caseComment `json:"comments"`
}

type caseFact struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

type caseComment struct {
	At   stamp  `json:"at"`
	By   string `json:"by"`
	Text string `json:"text"`
}

// caseRow returns the row of a case. Both kinds of pack have what the player said in a complaint, because it is the player's
// own.
func (w *making) caseRow(c *models.Case, notes []models.CaseNote) caseRow {
	r := caseRow{Number: c.ID, Rule: c.Rule.String(), HappenedAt: stamp(c.At), OpenedAt: stamp(c.FoundAt),
		State:     c.State.String(),
		DecidedAt: stamp(c.DecidedAt), Amount: money(c.Amount), TransactionID: string(c.TransactionID), Reference: c.Reference,
		Due: stamp(c.Due), Owner: w.internal(c.Owner), DecidedBy: w.internal(c.DecidedBy), Reason: w.internal(c.Reason),
		Evidence: []caseFact{}, Comments: []caseComment{}}
	if w.Purpose == Dispute {
		for _, f := range c.Facts {
			r.Evidence = append(r.Evidence, caseFact(f))
		}
	}
	for i, n := range notes {
		if w.Purpose == Dispute || i == 0 && c.Rule == models.CaseComplaint {
			r.Comments = append(r.Comments, caseComment{At: stamp(n.At), By: w.internal(n.Actor), Text: n.Text})
		}
	}
	return r
}

type correctionRow struct {
	Number        int64  `json:"number"`
	At            stamp  `json:"at"`
	Kind          string `json:"kind"`
	State         string `json:"state"`
	TransactionID string `json:"transaction_id"`
	RoundID       string `json:"round_id"`
	Effect        money  `json:"effect"`
	ReasonCode    string `json:"reason_code"`
	Text          string `json:"text"`
	Reference     string `json:"reference"`
	Maker         string `json:"requested_by"`
	MakerRole     string `json:"requested_by_role"`
	Checker       string `json:"decided_by"`
	CheckerRole   string `json:"decided_by_role"`
	Alone         bool   `json:"within_own_limit"`
	DecidedAt     stamp  `json:"decided_at"`
	Decision      string `json:"decision"`
	LedgerSeq     int64  `json:"ledger_seq"`
	Spin          bool   `json:"free_spin_ledger"`
	Before        money  `json:"before"`
	After         money  `json:"after"`
}

func (w *making) correctionRow(c *models.Correction) correctionRow {
	return correctionRow{Number: c.ID, At: stamp(c.At), Kind: c.Kind.String(), State: c.State.String(),
		TransactionID: string(c.TransactionID), RoundID: string(c.RoundID), Effect: money(c.Effect),
		ReasonCode: string(c.Reason),
		Text:       w.internal(c.Text), Reference: c.Reference, Maker: w.internal(c.Maker.Username),
		MakerRole: string(c.Maker.Role),
		Checker:   w.internal(c.Checker.Username), CheckerRole: string(c.Checker.Role), Alone: c.Alone,
		DecidedAt: stamp(c.DecidedAt), Decision: w.internal(c.DecisionText), LedgerSeq: c.Seq, Spin: c.Spin,
		Before: money(c.Before), After: money(c.After)}
}

// auditRow is an audit event about the player or a case, correction or grant of theirs, with everything that its hash covers.
type auditRow struct {
	Seq      int64    `json:"seq"`
	At       stamp    `json:"at"`
	By       string   `json:"by"`
	What     string   `json:"what"`
	Reason   string   `json:"reason"`
	Action   string   `json:"action"`
	Object   string   `json:"object"`
	ObjectID string   `json:"object_id"`
	Before   string   `json:"before"`
	After    string   `json:"after"`
	Channel  uint8    `json:"channel"`
	OSUser   string   `json:"os_user"`
	Session  string   `json:"session"`
	Replaces int64    `json:"replaces"`
	Salts    []salt   `json:"salts"`   // of the address: zero, since the address is left out
	Digests  []digest `json:"digests"` // of the address, the texts and the state
	Previous digest   `json:"previous_hash"`
	Hash     digest   `json:"hash"`
}

type salt models.AuditSalt

// MarshalText writes hexadecimal digits.
func (s salt) MarshalText() ([]byte, error) { return []byte(hexOf(s[:])), nil }

// UnmarshalText reads what MarshalText wrote.
func (s *salt) UnmarshalText(text []byte) error { return readHex(s[:], text) }

func (w *making) auditRow(l *models.PrecededAuditLine, sentence string) auditRow {
	r := auditRow{Seq: l.ID, At: stamp(l.At), By: w.staff(l.Actor), What: sentence, Action: l.Action, Object: l.Object,
		ObjectID: l.ObjectID, Salts: []salt{}, Digests: []digest{}}
	if w.Purpose != Dispute {
		return r
	}
	r.Reason, r.Before, r.After, r.Channel, r.OSUser, r.Session, r.Replaces = l.Reason, l.Before, l.After,
		uint8(l.Actor.Channel),
		l.Actor.OSUser, l.Actor.Session, l.Replaces
	for i := range l.Digests {
		if s := salt(l.Salts[i]); i != int(models.AuditAddress) {
			r.Salts = append(r.Salts, s)
		} else {
			r.Salts = append(r.Salts, salt{})
		}
		r.Digests = append(r.Digests, digest(l.Digests[i]))
	}
	r.Previous, r.Hash = digest(l.Previous), digest(l.Hash)
	return r
}

// line returns the event that the row describes. whole is false if salts or digests are missing.
func (r *auditRow) line() (l models.AuditLine, whole bool) {
	l = models.AuditLine{AuditEvent: models.AuditEvent{ID: r.Seq, At: time.Time(r.At), Action: r.Action, Object: r.Object,
		ObjectID: r.ObjectID, Before: r.Before, After: r.After, Reason: r.Reason, Replaces: r.Replaces,
		Actor: models.Actor{Name: r.By, Channel: models.Channel(r.Channel), OSUser: r.OSUser, Session: r.Session}},
		Hash: models.Hash(r.Hash)}
	if len(r.Digests) != len(l.Digests) || len(r.Salts) != len(l.Salts) {
		return l, false
	}
	for i := range l.Digests {
		l.Digests[i], l.Salts[i] = models.Hash(r.Digests[i]), models.AuditSalt(r.Salts[i])
	}
	return l, true
}

// momentRow is one line of the timeline.
type momentRow struct {
	At   stamp  `json:"at"`
	What string `json:"what"`
	File string `json:"file"` // the table that has more about it
	Row  string `json:"row"`  // the first column of its row there
}

// internal returns a text that staff wrote or that names staff, or nothing for a pack that leaves these out.
func (w *making) internal(text string) string {
	if w.Purpose == Dispute {
		return text
	}
	return ""
}

// staff returns who did something, or "staff" for a pack without names.
func (w *making) staff(by models.Actor) string {
	// The channel does not show who acted: a job that continues somebody's work has their name on the system's channel.
	if w.Purpose == Dispute || by.Name == models.System.Name {
		return by.Name
	}
	return "staff"
}

func number(n int64) string { return strconv.FormatInt(n, 10) }
