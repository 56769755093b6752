package models

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"time"
)

// An archive has the lines that a purge deletes from the database, with their hashes, so that they can still be verified. The
// file is gzip-compressed JSON lines: a header; the lines, each an object whose only field names its chain; and the seal, with
// counts, the digest of all lines before it and its signature. Times are microseconds since 1970, amounts are minor units.

// ArchiveHeader describes an archive.
type ArchiveHeader struct {
	Format       string    `json:"format"`
	At           time.Time `json:"at"`
	LedgerBefore time.Time `json:"ledger_before"` // the archive has ledger lines older than this
	AuditBefore  time.Time `json:"audit_before"`  // and audit events older than this
	Key          string    `json:"key"`           // the chain's fingerprint
}

const archiveFormat = "pitboss archive 1"

// ArchiveCounts are the numbers of lines in an archive.
type ArchiveCounts struct {
	Wallets     int64 `json:"wallets"` // with at least one line
	Entries     int64 `json:"entries"` // of money; a bet with a win counts as two
	SpinEntries int64 `json:"spin_entries"`
	AuditEvents int64 `json:"audit_events"`
}

type archiveSeal struct {
	ArchiveCounts
	Digest    hexHash `json:"digest"`
	Signature hexHash `json:"signature"`
}

// The archive's line formats, with hashes in hexadecimal.
type (
	archivedPosting struct {
		Posting
		Currency Currency
		Hash     hexHash
	}
	archivedSpin struct {
		SpinEntry
		Hash hexHash
	}
	archivedAudit struct {
		AuditEvent
		Salts   AuditSalts
		Digests [auditDigests]hexHash
		Hash    hexHash
	}
)

type archiveLine struct {
	Posting *archivedPosting `json:"posting,omitempty"`
	Spin    *archivedSpin    `json:"spin_entry,omitempty"`
	Audit   *archivedAudit   `json:"audit_event,omitempty"`
}

// archiveSignature returns the signature of an archive's digest.
func (c *Chain) archiveSignature(digest Hash) Hash {
	return c.sum(tagArchive, digest, func(b []byte) []byte { return b })
}

// ArchiveWriter writes an archive. Write the lines in the order of their chains, then call Close.
type ArchiveWriter struct {
	ArchiveCounts
	chain  *Chain
	digest hash.Hash
	zip    *gzip.Writer
	wallet int64
}

// NewArchiveWriter starts an archive. It fills in the header's format and key.
func NewArchiveWriter(w io.Writer, c *Chain, h ArchiveHeader) (*ArchiveWriter, error) {
	// Hashes and IDs are most of a line and cannot be compressed, so more effort is wasted.
	zip, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		return nil, err
	}
	aw := &ArchiveWriter{chain: c, digest: sha256.New(), zip: zip}
	h.Format, h.Key = archiveFormat, c.Fingerprint()
	return aw, aw.line(h)
}

func (w *ArchiveWriter) line(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	b = append(b, '\n')
	w.digest.Write(b)
	_, err = w.zip.Write(b)
	return err
}

func (w *ArchiveWriter) of(wallet int64) {
	if w.wallet != wallet {
		w.wallet = wallet
		w.Wallets++
	}
}

// Posting writes a posting. currency is that of its wallet.
func (w *ArchiveWriter) Posting(p *Posting, currency Currency) error {
	w.of(p.PlayerID)
	w.Entries += p.Lines()
	return w.line(archiveLine{Posting: &archivedPosting{*p, currency, hexHash(p.Hash)}})
}

// SpinEntry writes a line of a free-spin ledger.
func (w *ArchiveWriter) SpinEntry(e *SpinEntry) error {
	w.of(e.PlayerID)
	w.SpinEntries++
	return w.line(archiveLine{Spin: &archivedSpin{*e, hexHash(e.Hash)}})
}

// AuditEvent writes an audit event.
func (w *ArchiveWriter) AuditEvent(l *AuditLine) error {
	w.AuditEvents++
	a := &archivedAudit{AuditEvent: l.AuditEvent, Salts: l.Salts, Hash: hexHash(l.Hash)}
	for i, d := range l.Digests {
		a.Digests[i] = hexHash(d)
	}
	return w.line(archiveLine{Audit: a})
}

// Close writes the seal and returns the digest. It does not close the underlying writer.
func (w *ArchiveWriter) Close() (digest Hash, err error) {
	w.digest.Sum(digest[:0])
	if err := w.line(archiveSeal{w.ArchiveCounts, hexHash(digest), hexHash(w.chain.archiveSignature(digest))}); err != nil {
		return digest, err
	}
	return digest, w.zip.Close()
}

// Why a file is not a valid archive.
var (
	ErrArchiveBroken = errors.New("this file is not a complete archive, or was changed")
	ErrArchiveKey    = errors.New("this archive was signed with another ledger key, or its seal was changed")
)

// longestArchiveLine limits the length of a line in bytes, and so the memory that a file with one endless line can use.
const longestArchiveLine = 1 << 20

// ReadArchive reads an archive to its end. It checks that the archive is complete and signed, and that each line's hash follows
// from its contents and the line before it in its chain. Its errors wrap ErrArchiveBroken or ErrArchiveKey, or come from the
// file.
func ReadArchive(file io.Reader, c *Chain) (h ArchiveHeader, counts ArchiveCounts, err error) {
	zip, err := gzip.NewReader(file)
	if err != nil {
		return h, counts, fmt.Errorf("%w: %w", ErrArchiveBroken, err)
	}
	lines := bufio.NewReaderSize(zip, longestArchiveLine)
	digest, before, follows := sha256.New(), Hash{}, archiveChains{chain: c}
	for n := 1; ; n++ {
		line, err := lines.ReadSlice('\n')
		if err != nil {
			return h, counts, fmt.Errorf("%w: it ends in line %d", ErrArchiveBroken, n)
		}
		digest.Sum(before[:0])
		digest.Write(line)
		if n == 1 {
			if err := json.Unmarshal(line, &h); err != nil || h.Format != archiveFormat {
				return h, counts, fmt.Errorf("%w: its header cannot be read", ErrArchiveBroken)
			}
			continue
		}
		if bytes.HasPrefix(line, []byte(`{"wallets":`)) {
			var seal archiveSeal
			if err := json.Unmarshal(line, &seal); err != nil || Hash(seal.Digest) != before ||
				seal.ArchiveCounts != follows.ArchiveCounts {
				return h, counts, fmt.Errorf("%w: its seal does not match its lines", ErrArchiveBroken)
			}
			if h.Key != c.Fingerprint() || Hash(seal.Signature) != c.archiveSignature(before) {
				return h, counts, ErrArchiveKey
			}
			if _, err := lines.ReadByte(); err != io.EOF {
				return h, counts, fmt.Errorf("%w: there is data after its seal", ErrArchiveBroken)
			}
			return h, seal.ArchiveCounts, nil
		}
		var l archiveLine
		if err := json.Unmarshal(line, &l); err != nil || !follows.next(l) {
			return h, counts, fmt.Errorf("%w: line %d does not follow from the lines before it", ErrArchiveBroken, n)
		}
	}
}

// archiveChains checks the chains of an archive. If a chain continues from another archive, its first line is not checked.
type archiveChains struct {
	ArchiveCounts
	chain             *Chain
	wallet            int64
	head, spin, audit Hash
}

func (a *archiveChains) of(wallet int64) {
	if a.wallet != wallet {
		a.wallet, a.head, a.spin = wallet, Hash{}, Hash{}
		a.Wallets++
	}
}

func (a *archiveChains) next(l archiveLine) bool {
	holds := func(head *Hash, seq int64, want func(prev Hash) Hash, is Hash) bool {
		ok := (*head == Hash{} && seq > 1) || want(*head) == is
		*head = is
		return ok
	}
	switch {
	case l.Posting != nil && l.Posting.FreeSpin: // its hash is that of its free-spin line
		a.of(l.Posting.PlayerID)
		return true
	case l.Posting != nil:
		p := &l.Posting.Posting
		a.of(p.PlayerID)
		a.Entries += p.Lines()
		first := p.Seq - p.Lines() + 1
		return holds(&a.head, first, func(prev Hash) Hash { return a.chain.Posting(prev, l.Posting.Currency, p) },
			Hash(l.Posting.Hash))
	case l.Spin != nil:
		a.of(l.Spin.PlayerID)
		a.SpinEntries++
		return holds(&a.spin, l.Spin.Seq, func(prev Hash) Hash { return a.chain.SpinEntry(prev, &l.Spin.SpinEntry) },
			Hash(l.Spin.Hash))
	case l.Audit != nil:
		a.AuditEvents++
		line := AuditLine{AuditEvent: l.Audit.AuditEvent, Salts: l.Audit.Salts}
		for i, d := range l.Audit.Digests {
			line.Digests[i] = Hash(d)
		}
		changed, _ := a.chain.AuditTexts(&line)
		return len(changed) == 0 &&
			holds(&a.audit, line.ID, func(prev Hash) Hash { return a.chain.AuditEvent(prev, &line) }, Hash(l.Audit.Hash))
	}
	return false
}

// PurgeScope says what a purge deletes: ledger lines and audit events that are older than these times. A zero time deletes
// none.
type PurgeScope struct{ LedgerBefore, AuditBefore time.Time }
