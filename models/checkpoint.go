package models

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"time"
)

// A checkpoint is the signed state of the ledger at one moment: the heads of all chains, counts and sums. If it is stored where
// somebody with write access to the database cannot change it, it shows what the chains alone cannot: that the end of a chain
// was deleted, or an older state restored.
//
// The file has gzip-compressed JSON lines: a header; a line for each wallet in ascending order, an array of number, seq, head,
// spin seq, spin head, balance in minor units, currency, held amount in minor units; the totals; and the seal, with the digest
// of all lines before it and the signature.

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

type checkpointSeal struct {
	Digest    hexHash `json:"digest"`
	Signature hexHash `json:"signature"`
}

// CheckpointWriter writes a checkpoint. Write the wallets one by one, then call Close.
type CheckpointWriter struct {
	digest hash.Hash
	zip    *gzip.Writer
	chain  *Chain
	cp     Checkpoint
}

// NewCheckpointWriter starts a checkpoint with Number, At, Previous, AuditSeq and Audit of cp.
func NewCheckpointWriter(w io.Writer, c *Chain, cp Checkpoint) (*CheckpointWriter, error) {
	// Hashes are most of a file and cannot be compressed, so more effort is wasted.
	zip, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		return nil, err
	}
	cw := &CheckpointWriter{sha256.New(), zip, c, cp}
	cw.cp.Key = c.Fingerprint()
	return cw, cw.line(checkpointHeader{
		Format: checkpointFormat, Number: cp.Number, At: cp.At, Previous: hexHash(cp.Previous), Key: cw.cp.Key,
		AuditSeq: cp.AuditSeq, Audit: hexHash(cp.Audit),
	})
}

func (cw *CheckpointWriter) line(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	b = append(b, '\n')
	cw.digest.Write(b)
	_, err = cw.zip.Write(b)
	return err
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
	if err := cw.line(cw.cp.CheckpointTotals); err != nil {
		return cw.cp, err
	}
	cw.digest.Sum(cw.cp.Digest[:0])
	cw.cp.Signature = cw.chain.Checkpoint(&cw.cp)
	if err := cw.line(checkpointSeal{hexHash(cw.cp.Digest), hexHash(cw.cp.Signature)}); err != nil {
		return cw.cp, err
	}
	return cw.cp, cw.zip.Close()
}

// Why a file is not a valid checkpoint.
var (
	ErrCheckpointBroken = errors.New("this file is not a complete checkpoint, or was changed")
	ErrCheckpointKey    = errors.New("this checkpoint was signed with another ledger key, or its seal was changed")
)

// CheckpointReader reads the wallets of a complete and signed checkpoint.
type CheckpointReader struct {
	Checkpoint
	lines *bufio.Reader
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
	if r.lines, err = checkpointLines(file); err != nil {
		return nil, err
	}
	_, err = nextLine(r.lines) // the header
	return r, err
}

// Wallet returns the next wallet, or false if there are no more.
func (r *CheckpointReader) Wallet() (w Wallet, ok bool, err error) {
	line, err := nextLine(r.lines)
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

// longestLine limits the length of a line in bytes, and so the memory that a file with one endless line can use.
const longestLine = 1 << 20

func checkpointLines(file io.Reader) (*bufio.Reader, error) {
	zip, err := gzip.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCheckpointBroken, err)
	}
	return bufio.NewReaderSize(zip, longestLine), nil
}

// nextLine returns the next line, valid until the next call.
func nextLine(r *bufio.Reader) ([]byte, error) {
	line, err := r.ReadSlice('\n')
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCheckpointBroken, err)
	}
	return line, nil
}

// ReadCheckpoint reads the whole file and returns its checkpoint if it is complete. It does not check the signature. Its errors
// wrap ErrCheckpointBroken or come from the file.
func ReadCheckpoint(file io.Reader) (cp Checkpoint, err error) {
	r, err := checkpointLines(file)
	if err != nil {
		return cp, err
	}
	var last []byte
	sum := sha256.New()
	for n := 0; ; n++ {
		line, err := nextLine(r)
		if err != nil {
			return cp, err
		}
		switch {
		case n == 0:
			var h checkpointHeader
			if json.Unmarshal(line, &h) != nil || h.Format != checkpointFormat {
				return cp, fmt.Errorf("%w: its header cannot be read", ErrCheckpointBroken)
			}
			cp.Number, cp.At, cp.Previous, cp.Key = h.Number, h.At.UTC(), Hash(h.Previous), h.Key
			cp.AuditSeq, cp.Audit = h.AuditSeq, Hash(h.Audit)
		case n > 1 && bytes.HasPrefix(line, []byte(`{"digest":`)):
			sum.Sum(cp.Digest[:0])
			return cp, cp.readSeal(r, last, line)
		}
		last = append(last[:0], line...)
		sum.Write(line)
	}
}

// readSeal reads the totals and the seal, which has to be the last line. Digest is that of the lines before it.
func (cp *Checkpoint) readSeal(r *bufio.Reader, totals, line []byte) error {
	var seal checkpointSeal
	switch {
	case json.Unmarshal(totals, &cp.CheckpointTotals) != nil:
		return fmt.Errorf("%w: its totals cannot be read", ErrCheckpointBroken)
	case json.Unmarshal(line, &seal) != nil:
		return fmt.Errorf("%w: its seal cannot be read", ErrCheckpointBroken)
	case Hash(seal.Digest) != cp.Digest:
		return fmt.Errorf("%w: its lines were changed since it was sealed", ErrCheckpointBroken)
	}
	if _, err := nextLine(r); !errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: there is data after its seal", ErrCheckpointBroken)
	}
	cp.Signature = Hash(seal.Signature)
	return nil
}

// WrittenCheckpoint is a stored checkpoint and where it was delivered.
type WrittenCheckpoint struct {
	Checkpoint
	Actor    string
	Size     int64     `gorm:"column:size_bytes"` // of the file, in bytes
	FileName string    // in the checkpoint folder
	KeptAt   time.Time `gorm:"column:kept_at_us;serializer:micros" covered:"-"` // when its file was stored; zero if it was not
}

// TableName returns the table's name for GORM.
func (WrittenCheckpoint) TableName() string { return "checkpoints" }

// Delivered reports whether the checkpoint is stored outside the database.
func (w *WrittenCheckpoint) Delivered() bool { return !w.KeptAt.IsZero() }

// ErrCheckpointTaken means that another checkpoint was recorded after this one was started.
var ErrCheckpointTaken = errors.New("another checkpoint was written at the same time")
