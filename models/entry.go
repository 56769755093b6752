package models

import (
	"crypto/hmac"
	"crypto/sha256"
	"database/sql/driver"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"sync"
	"time"
)

// EntryKind is what a ledger line records. A BetWin has two lines, a bet and a win, so that turnover and payout are sums by
// kind.
type EntryKind uint8

// Kinds below 20 are in the money ledger, the others in the free-spin ledger.
const (
	EntryOpening     EntryKind = 1 // + the balance a wallet begins with
	EntryBet         EntryKind = 2 // - the stake
	EntryWin         EntryKind = 3 // + the win
	EntryBetReversed EntryKind = 4 // + a bet returned
	EntryWinReversed EntryKind = 5 // - a win taken back
	EntryTombstone   EntryKind = 6 // 0.00: a rollback that came before its original
	EntryAdjustment  EntryKind = 7 // + or - an adjustment

	EntryCashIn       EntryKind = 8  // + a cash deposit
	EntryCashOut      EntryKind = 9  // - a cash-out, held from now on
	EntryCashPaid     EntryKind = 10 // 0.00: the held amount has left the house
	EntryCashReturned EntryKind = 11 // + a cash-out, no longer held
	EntryCashBounced  EntryKind = 12 // + a cash-out that was paid, and that the bank has sent back

	EntrySpin         EntryKind = 20 // one free spin used
	EntrySpinReversed EntryKind = 21 // one free spin returned
)

var entryKindWords = words[EntryKind]{
	{EntryOpening, "opening balance"},
	{EntryBet, "bet"},
	{EntryWin, "win"},
	{EntryBetReversed, "bet rolled back"},
	{EntryWinReversed, "win rolled back"},
	{EntryTombstone, "rollback before its original"},
	{EntryAdjustment, "adjustment"},
	{EntryCashIn, "cash deposit"},
	{EntryCashOut, "cash-out requested"},
	{EntryCashPaid, "cash-out paid"},
	{EntryCashReturned, "cash-out returned"},
	{EntryCashBounced, "cash-out bounced"},
	{EntrySpin, "free spin"},
	{EntrySpinReversed, "free spin rolled back"},
}

// String returns the kind in words.
func (k EntryKind) String() string { return entryKindWords.of(k, "unknown") }

// EntryKinds lists the kinds.
var EntryKinds = entryKindWords.values()

// Hash is the SHA-256, with or without key, of a row's contents and the hash before it.
type Hash [sha256.Size]byte

// Value returns the hash as stored.
func (h Hash) Value() (driver.Value, error) { return h[:], nil }

// Scan reads a stored hash. A value of the wrong length becomes the zero hash, which no line has.
func (h *Hash) Scan(stored any) error {
	*h = Hash{}
	if b, ok := stored.([]byte); ok && len(b) == len(h) {
		copy(h[:], b)
	}
	return nil
}

// Entry is a line of a wallet's money ledger, derived from a posting. PlayerID and Seq identify it; Seq counts from 1 without
// gaps.
type Entry struct {
	PlayerID      int64
	Seq           int64
	Kind          EntryKind
	Source        Source
	TransactionID TransactionID
	RoundID       RoundID // that of the transaction, even for a rollback
	Currency      Currency
	Amount        Amount // signed: what was added to the balance
	Held          Amount // signed: what was added to the held amount
	Before        Amount
	After         Amount
	At            time.Time // UTC, microseconds
	Hash          Hash      // of its posting
	Second        bool      // the second line of its posting: of a bet with a win, or of the rollback of one
}

// SpinEntry is a line of a player's free-spin ledger (specification, Callback service rule 3), which has its own chain.
type SpinEntry struct {
	PlayerID      int64
	Seq           int64
	Kind          EntryKind
	TransactionID TransactionID
	RoundID       RoundID
	Currency      Currency     `gorm:"-"`
	Spins         int64        // +1 used, -1 returned
	Stake         Amount       `gorm:"column:stake_minor"` // nominal, signed like Spins; it never changes the balance
	GrantKnown    bool         // whether a grant of this player with spins left was known at that time
	At            time.Time    `gorm:"column:at_us;serializer:micros"`
	Signed        SignedDigest `gorm:"column:signed_digest"` // as in its posting
	Hash          Hash
}

// Chain computes the hashes of entries. With a key, nobody who only has the database can forge them; without one, they only
// detect accidents and careless changes.
type Chain struct {
	key  []byte
	pool sync.Pool
}

// NewChain returns a chain with the key of PITBOSS_LEDGER_KEY, or an unkeyed one.
func NewChain(key []byte) *Chain {
	c := &Chain{key: append([]byte(nil), key...)}
	c.pool.New = func() any { return &hasher{Hash: c.newHash(), buf: make([]byte, 0, 512)} }
	return c
}

type hasher struct {
	hash.Hash
	buf []byte
}

func (c *Chain) newHash() hash.Hash {
	if len(c.key) == 0 {
		return sha256.New()
	}
	return hmac.New(sha256.New, c.key)
}

// Keyed reports whether the chain has a key.
func (c *Chain) Keyed() bool { return len(c.key) > 0 }

// Fingerprint returns a short digest that distinguishes keys without revealing them, or "unkeyed". A ledger stores the
// fingerprint of its first key.
func (c *Chain) Fingerprint() string {
	if !c.Keyed() {
		return "unkeyed"
	}
	h := c.newHash()
	h.Write([]byte("pitboss ledger key fingerprint"))
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// PostingHash returns the hash of p and its predecessor's hash, which is zero for the first. It does not cover p.ID, which the
// database assigns, p.Hash, or p.Sender, which says how the callback arrived and moves nothing.
func (c *Chain) PostingHash(prev Hash, currency Currency, p *Posting) Hash {
	return c.sum(tagPosting, prev, func(b []byte) []byte {
		free := int64(0)
		if p.FreeSpin {
			free = 1
		}
		b = put(b, p.PlayerID, p.Seq, int64(p.Claim), int64(p.Kind), int64(p.Source), int64(p.Bet), int64(p.Win), free,
			int64(p.After), p.At.UnixMicro())
		if p.Kind.IsCash() {
			b = put(b, int64(p.Held))
		}
		b = append(b, p.Signed[:]...)
		return putText(b, string(p.TransactionID), string(p.RoundID), string(currency))
	})
}

// SpinHash returns the hash of e and its predecessor's hash, like PostingHash.
func (c *Chain) SpinHash(prev Hash, e *SpinEntry) Hash {
	return c.sum(tagSpinEntry, prev, func(b []byte) []byte {
		known := int64(0)
		if e.GrantKnown {
			known = 1
		}
		b = put(b, e.PlayerID, e.Seq, int64(e.Kind), e.Spins, int64(e.Stake), known, e.At.UnixMicro())
		b = append(b, e.Signed[:]...)
		return putText(b, string(e.TransactionID), string(e.RoundID), string(e.Currency))
	})
}

// Each kind of content has a tag of its own, so no hash of one kind is ever one of another.
const (
	tagPosting      = 'P'
	tagSpinEntry    = 'S'
	tagSigned       = 'N'
	tagAuditEvent   = 'A'
	tagAuditText    = 'T'
	tagErased       = 'E'
	tagState        = 'R'
	tagCampaignLine = 'L'
	tagCheckpoint   = 'C'
	tagPosition     = 'J'
	tagPack         = 'D'
	tagWebhook      = 'K'
	tagList         = 'Q'
)

// sum hashes the content's tag, the predecessor's hash and the content. Numbers have a fixed width, and a text is preceded by
// its length unless it is the last part, so different contents never have the same bytes.
func (c *Chain) sum(tag byte, prev Hash, content func([]byte) []byte) (out Hash) {
	h := c.pool.Get().(*hasher)
	defer c.pool.Put(h)
	h.Reset()
	h.buf = append(h.buf[:0], 1, tag) // 1 is the version of the encoding
	h.buf = append(h.buf, prev[:]...)
	h.buf = content(h.buf)
	h.Write(h.buf)
	h.Sum(out[:0])
	return out
}

func put(b []byte, numbers ...int64) []byte {
	for _, n := range numbers {
		b = binary.BigEndian.AppendUint64(b, uint64(n))
	}
	return b
}

func putText(b []byte, texts ...string) []byte {
	for _, s := range texts {
		b = binary.BigEndian.AppendUint32(b, uint32(len(s)))
		b = append(b, s...)
	}
	return b
}

// Position returns the code that proves that the program has stored a job's position.
func (c *Chain) Position(job string, position int64) Hash {
	return c.sum(tagPosition, Hash{}, func(b []byte) []byte { return putText(put(b, position), job) })
}
