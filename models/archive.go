package models

import (
	"errors"
	"fmt"
	"io"
	"time"
)

// An archive has the lines that a purge deletes from the database, with their hashes. The file is sealed (sealed.go), and each line
// is an object whose only field names its chain. Amounts are minor units. The purge verifies the chains before it seals the file,
// so an intact seal says that they are whole.

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
	*sealedWriter
	chain  *Chain
	wallet int64
}

// NewArchiveWriter starts an archive. It fills in the header's format and key.
func NewArchiveWriter(w io.Writer, c *Chain, h ArchiveHeader) (*ArchiveWriter, error) {
	h.Format, h.Key = archiveFormat, c.Fingerprint()
	file, err := newSealedWriter(w, h)
	return &ArchiveWriter{sealedWriter: file, chain: c}, err
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
	digest, _, err = w.seal(w.ArchiveCounts, w.chain.archiveSignature)
	return digest, err
}

// Why a file is not a valid archive.
var (
	ErrArchiveBroken = errors.New("this file is not a complete archive, or was changed")
	ErrArchiveKey    = errors.New("this archive was signed with another ledger key, or its seal was changed")
)

// ReadArchive reads an archive to its end, and checks that it is complete and signed. Its errors wrap ErrArchiveBroken or
// ErrArchiveKey.
func ReadArchive(file io.Reader, c *Chain) (h ArchiveHeader, counts ArchiveCounts, err error) {
	digest, signature, err := readSealed(file, ErrArchiveBroken, &h, &counts)
	switch {
	case err != nil:
	case h.Format != archiveFormat:
		err = fmt.Errorf("%w: its header cannot be read", ErrArchiveBroken)
	case h.Key != c.Fingerprint() || signature != c.archiveSignature(digest):
		err = ErrArchiveKey
	}
	return h, counts, err
}

// PurgeScope says what a purge deletes: ledger lines and audit events that are older than these times. A zero time deletes
// none.
type PurgeScope struct{ LedgerBefore, AuditBefore time.Time }
