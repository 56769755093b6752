package models

import (
	"crypto/hmac"
	"crypto/sha256"
	"database/sql/driver"
	"encoding/binary"
	"hash"
	"sync"
	"time"
)

// EntryKind is what a ledger line records. A BetWin is two lines, a bet and a win, so that turnover and payout are sums by
// kind.
type EntryKind uint8

// Kinds below 20 move money or could have; those from 20 on stand in the free-spin ledger.
const (
	EntryOpening     EntryKind = 1 // + the balance a wallet begins with
	EntryBet         EntryKind = 2 // - the stake
	EntryWin         EntryKind = 3 // + the win
	EntryBetReversed EntryKind = 4 // + a bet given back
	EntryWinReversed EntryKind = 5 // - a win taken back
	EntryTombstone   EntryKind = 6 // 0.00: a rollback that came before its original
	EntryAdjustment  EntryKind = 7 // + or - what a correction gave or took

	EntrySpin         EntryKind = 20 // one free spin used
	EntrySpinReversed EntryKind = 21 // one free spin given back
)

var entryKindWords = words[EntryKind]{
	{EntryOpening, "opening balance"},
	{EntryBet, "bet"},
	{EntryWin, "win"},
	{EntryBetReversed, "bet rolled back"},
	{EntryWinReversed, "win rolled back"},
	{EntryTombstone, "rollback before its original"},
	{EntryAdjustment, "adjustment"},
	{EntrySpin, "free spin"},
	{EntrySpinReversed, "free spin rolled back"},
}

// String gives the kind's words.
func (k EntryKind) String() string { return entryKindWords.of(k, "unknown") }

// Hash is the SHA-256, keyed or not, of a row's content and its predecessor's hash.
type Hash [sha256.Size]byte

// Value is the hash as a database stores it.
func (h Hash) Value() (driver.Value, error) { return h[:], nil }

// Scan reads a stored hash. What is not one, because somebody has written it into the database, is the zero hash, which nothing
// has.
func (h *Hash) Scan(stored any) error {
	*h = Hash{}
	if b, ok := stored.([]byte); ok && len(b) == len(h) {
		copy(h[:], b)
	}
	return nil
}

// Entry is one line of a wallet's money ledger, as a posting tells it. (PlayerID, Seq) names one; Seq counts from 1 without
// gap.
type Entry struct {
	PlayerID      int64
	Seq           int64
	Kind          EntryKind
	Source        Source
	TransactionID TransactionID
	RoundID       RoundID // that of the transaction, also where it is reversed
	Currency      Currency
	Amount        Amount // signed: what was added to the balance
	Before        Amount
	After         Amount
	At            time.Time // UTC, microseconds
	Hash          Hash      // of its posting
}

// SpinEntry is one line of a player's free-spin ledger (specification, Callback service rule 3), a chain of its own.
type SpinEntry struct {
	PlayerID      int64
	Seq           int64
	Kind          EntryKind
	TransactionID TransactionID
	RoundID       RoundID
	Currency      Currency  `gorm:"-"`
	Spins         int64     // +1 used, -1 given back
	Stake         Amount    `gorm:"column:stake_minor"` // a figure, signed like Spins, that never touched the balance
	GrantKnown    bool      // whether a grant of this player was known to us at that moment
	At            time.Time `gorm:"column:at_us;serializer:micros"`
	Hash          Hash
}

// Chain computes the hashes of entries. With a key nobody can forge them who has the database alone; without one they show
// accidents and clumsy edits only.
type Chain struct {
	key  []byte
	pool sync.Pool
}

// NewChain takes PITBOSS_LEDGER_KEY's bytes, or none for an unkeyed chain.
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

// Fingerprint tells keys apart without giving them away: a ledger remembers the one it was begun with.
func (c *Chain) Fingerprint() string {
	if !c.Keyed() {
		return "unkeyed"
	}
	h := c.newHash()
	h.Write([]byte("pitboss ledger key fingerprint"))
	const digits = "0123456789abcdef"
	sum := h.Sum(nil)[:8]
	out := make([]byte, 0, 16)
	for _, b := range sum {
		out = append(out, digits[b>>4], digits[b&15])
	}
	return string(out)
}

// Posting returns the hash of p after its predecessor's, which is zero for the first. p.ID and p.Hash are not part of it: the
// database gives the one, the other is the result.
func (c *Chain) Posting(prev Hash, currency Currency, p *Posting) Hash {
	return c.sum('P', prev, func(b []byte) []byte {
		free := int64(0)
		if p.FreeSpin {
			free = 1
		}
		b = put(b, p.PlayerID, p.Seq, int64(p.Claim), int64(p.Kind), int64(p.Source), int64(p.Bet), int64(p.Win), free,
			int64(p.After), p.At.UnixMicro())
		return putText(b, string(p.TransactionID), string(p.RoundID), string(currency))
	})
}

// SpinEntry returns the hash of e after its predecessor's, as Posting does.
func (c *Chain) SpinEntry(prev Hash, e *SpinEntry) Hash {
	return c.sum('S', prev, func(b []byte) []byte {
		known := int64(0)
		if e.GrantKnown {
			known = 1
		}
		b = put(b, e.PlayerID, e.Seq, int64(e.Kind), e.Spins, int64(e.Stake), known, e.At.UnixMicro())
		return putText(b, string(e.TransactionID), string(e.RoundID), string(e.Currency))
	})
}

// sum hashes a ledger's tag, the predecessor and the content. Numbers have a fixed width and texts their length in front, so
// that no two contents give the same bytes.
func (c *Chain) sum(tag byte, prev Hash, content func([]byte) []byte) (out Hash) {
	h := c.pool.Get().(*hasher)
	defer c.pool.Put(h)
	h.Reset()
	h.buf = append(h.buf[:0], 1, tag) // the encoding's version, the ledger
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
