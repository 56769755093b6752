package models

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// A checkpoint is the signed state of the ledger at one moment: the heads of all chains, counts and sums. If it is stored where
// somebody with write access to the database cannot change it, it shows what the chains alone cannot: that the end of a chain
// was deleted, or an older state restored.
//
// The file is sealed (sealed.go) and has a line for each wallet in ascending order, an array: number, seq, head, spin seq, spin
// head, balance in minor units, currency, held amount in minor units.

// Checkpoint is a checkpoint without its wallets.
type Checkpoint struct {
	Number   int64     `gorm:"primaryKey;autoIncrement:false"` // from 1
	At       time.Time `gorm:"column:at_us;serializer:micros"`
	Previous Hash      // digest of the previous checkpoint, zero for the first
	Key      string    `gorm:"column:key_fingerprint"` // the chain's fingerprint
	AuditSeq int64     // the audit chain's head
	Audit    Hash      `gorm:"-"`
	CheckpointTotals
	Digest    Hash // of the file without the seal
	Signature Hash // Chain.Checkpoint
}

// CheckpointTotals are counts of all wallets.
type CheckpointTotals struct {
	Wallets     int64 `json:"wallets"`
	Entries     int64 `json:"entries"` // of money
	SpinEntries int64 `json:"spin_entries"`
}

// AllEntries returns the number of entries in both ledgers, like Verification.AllEntries.
func (t CheckpointTotals) AllEntries() int64 { return t.Entries + t.SpinEntries }

// Signed reports whether the signature was made with the chain's key. Without a key, the signature only detects accidents.
func (cp *Checkpoint) Signed(c *Chain) bool { return cp.Signature == c.Checkpoint(cp) }

// Checkpoint returns the signature of a checkpoint's number, time, predecessor and digest.
func (c *Chain) Checkpoint(cp *Checkpoint) Hash {
	return c.sum(tagCheckpoint, cp.Previous,
		func(b []byte) []byte { return append(put(b, cp.Number, cp.At.UnixMicro()), cp.Digest[:]...) })
}

const checkpointFormat = "pitboss checkpoint 1"

type checkpointHeader struct {
	Format   string    `json:"format"`
	Number   int64     `json:"number"`
	At       time.Time `json:"at"`
	Previous hexHash   `json:"previous"`
	Key      string    `json:"key"`
	AuditSeq int64     `json:"audit_seq"`
	Audit    hexHash   `json:"audit_head"`
}

// hexHash is a Hash that is hexadecimal in JSON.
type hexHash Hash

// MarshalText returns hexadecimal digits.
func (h hexHash) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, h[:]), nil }

// UnmarshalText parses hexadecimal digits.
func (h *hexHash) UnmarshalText(text []byte) error {
	if len(text) != 2*len(h) {
		return errors.New("a hash has 64 hexadecimal digits")
	}
	_, err := hex.Decode(h[:], text)
	return err
}

// CheckpointWriter writes a checkpoint. Write the wallets one by one, then call Close.
type CheckpointWriter struct {
	*sealedWriter
	chain *Chain
	cp    Checkpoint
}

// NewCheckpointWriter starts a checkpoint with Number, At, Previous, AuditSeq and Audit of cp.
func NewCheckpointWriter(w io.Writer, c *Chain, cp Checkpoint) (*CheckpointWriter, error) {
	cw := &CheckpointWriter{chain: c, cp: cp}
	cw.cp.Key = c.Fingerprint()
	var err error
	cw.sealedWriter, err = newSealedWriter(w, checkpointHeader{
		Format: checkpointFormat, Number: cp.Number, At: cp.At, Previous: hexHash(cp.Previous), Key: cw.cp.Key,
		AuditSeq: cp.AuditSeq, Audit: hexHash(cp.Audit),
	})
	return cw, err
}

// Wallet writes a wallet's line. Wallets must be in ascending order.
func (cw *CheckpointWriter) Wallet(w *Wallet) error {
	cw.cp.Wallets++
	cw.cp.Entries += w.Seq
	cw.cp.SpinEntries += w.SpinSeq
	return cw.line([...]any{w.PlayerID, w.Seq, hexHash(w.Head), w.SpinSeq, hexHash(w.SpinHead), int64(w.Balance), w.Currency, int64(w.Held)})
}

// Close writes totals and seal, and returns the checkpoint. It does not close the underlying writer.
func (cw *CheckpointWriter) Close() (Checkpoint, error) {
	_, _, err := cw.seal(cw.cp.CheckpointTotals, func(digest Hash) Hash {
		cw.cp.Digest = digest
		cw.cp.Signature = cw.chain.Checkpoint(&cw.cp)
		return cw.cp.Signature
	})
	return cw.cp, err
}

// Why a file is not a valid checkpoint.
var (
	ErrCheckpointBroken = errors.New("this file is not a complete checkpoint, or was changed")
	ErrCheckpointKey    = errors.New("this checkpoint was signed with another ledger key, or its seal was changed")
)

// CheckpointReader reads the wallets of a complete and signed checkpoint.
type CheckpointReader struct {
	Checkpoint
	lines *sealedReader
}

// OpenCheckpoint reads the whole file, checks that it is complete and signed with the chain's key, and returns a reader of its
// wallets. Its errors wrap ErrCheckpointBroken or ErrCheckpointKey, or come from the file.
func OpenCheckpoint(file io.ReadSeeker, c *Chain) (*CheckpointReader, error) {
	cp, err := ReadCheckpoint(file)
	if err != nil {
		return nil, err
	}
	if cp.Key != c.Fingerprint() || !cp.Signed(c) {
		return nil, ErrCheckpointKey
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	r := &CheckpointReader{Checkpoint: cp}
	if r.lines, err = newSealedReader(file, ErrCheckpointBroken); err != nil {
		return nil, err
	}
	_, err = r.lines.next() // the header
	return r, err
}

// Wallet returns the next wallet, or false if there are no more.
func (r *CheckpointReader) Wallet() (w Wallet, ok bool, err error) {
	line, err := r.lines.next()
	if err != nil || !bytes.HasPrefix(line, []byte("[")) {
		return Wallet{}, false, err
	}
	var head, spinHead hexHash
	fields := [...]any{&w.PlayerID, &w.Seq, &head, &w.SpinSeq, &spinHead, (*int64)(&w.Balance), &w.Currency, (*int64)(&w.Held)}
	into := fields[:]
	if err := json.Unmarshal(line, &into); err != nil || len(into) != len(fields) {
		return Wallet{}, false, fmt.Errorf("%w: a wallet's line cannot be read", ErrCheckpointBroken)
	}
	w.Head, w.SpinHead = Hash(head), Hash(spinHead)
	return w, true, nil
}

// ReadCheckpoint reads the whole file and returns its checkpoint if it is complete. It does not check the signature. Its errors
// wrap ErrCheckpointBroken or come from the file.
func ReadCheckpoint(file io.Reader) (cp Checkpoint, err error) {
	var header checkpointHeader
	cp.Digest, cp.Signature, err = readSealed(file, ErrCheckpointBroken, &header, &cp.CheckpointTotals)
	if err == nil && header.Format != checkpointFormat {
		err = fmt.Errorf("%w: its header cannot be read", ErrCheckpointBroken)
	}
	cp.Number, cp.At, cp.Previous, cp.Key = header.Number, header.At.UTC(), Hash(header.Previous), header.Key
	cp.AuditSeq, cp.Audit = header.AuditSeq, Hash(header.Audit)
	return cp, err
}

// WrittenCheckpoint is a stored checkpoint and where it was delivered.
type WrittenCheckpoint struct {
	Checkpoint
	Actor    string
	Size     int64     `gorm:"column:size_bytes"` // of the file, in bytes
	FileName string    // in the checkpoint folder
	KeptAt   time.Time `gorm:"column:kept_at_us;serializer:micros"` // when its file was stored; zero if it was not
}

// TableName returns the table's name for GORM.
func (WrittenCheckpoint) TableName() string { return "checkpoints" }

// Delivered reports whether the checkpoint is stored outside the database.
func (w *WrittenCheckpoint) Delivered() bool { return !w.KeptAt.IsZero() }

// ErrCheckpointTaken means that another checkpoint was recorded after this one was started.
var ErrCheckpointTaken = errors.New("another checkpoint was written at the same time")
