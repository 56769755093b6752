// Package pack makes dispute packs and checks them. A pack is a ZIP about one player and a period. It has a PDF to read, the
// data as CSV and JSON to process, and hashes and a checkpoint, so that whoever receives it can check it without Pitboss's
// database.
//
// A pack is made for one of two purposes.
//
//   - A dispute pack is evidence for an arbiter, a court or a regulator. It has everything that the back office knows about the
//     player and the period, including which member of staff did what and why, comments on cases, and the whole checkpoint,
//     which has the balances of all players by internal ID. It is not for the player.
//   - A data-access pack answers a player who asks which data is kept about them. It leaves out data about other people and
//     what staff wrote for each other: names of staff, reasons, comments and findings on cases other than what the player said,
//     the hashes of audit events (which cannot be checked without those texts), and the checkpoint's lines about other players.
//
// Neither contains the signatures of callbacks, which are never stored, nor the network addresses of staff. The addresses are
// in the audit log, whose hashes cover only a digest of each.
//
// Memory does not grow with the player's rows: each table is written row by row to temporary files, from which the ZIP is made.
package pack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"pitboss/models"
)

// Purpose is what a pack is made for.
type Purpose string

// The purposes.
const (
	Dispute    Purpose = "dispute"
	DataAccess Purpose = "data access"
)

// Title returns what a pack for the purpose is called, on its cover and on pages.
func (p Purpose) Title() string {
	if p == DataAccess {
		return "Data-access pack"
	}
	return "Dispute pack"
}

// Purposes lists the purposes.
var Purposes = []Purpose{Dispute, DataAccess}

// Request says who asks for which pack, and why.
type Request struct {
	Player    models.Player
	Since     time.Time // from this time on
	Until     time.Time // before this time
	Purpose   Purpose
	By        models.Actor
	Role      models.Role
	Why       string
	Reference string
	At        time.Time // when it is made
}

// Store is what a pack is read from; models/store implements it.
type Store interface {
	Chain() *models.Chain
	PlayerByID(ctx context.Context, id int64) (models.Player, bool, error)
	WalletBeginning(ctx context.Context, player int64) (models.Beginning, bool, error)
	LedgerPlace(ctx context.Context, p models.Player, at time.Time) (models.LedgerPlace, error)
	PostingsAfter(ctx context.Context, player, seq int64, limit int) ([]models.Posting, error)
	SpinPlace(ctx context.Context, p models.Player, at time.Time) (models.SpinPlace, error)
	SpinEntriesAfter(ctx context.Context, player, seq int64, limit int) ([]models.SpinEntry, error)
	Callbacks(ctx context.Context, f models.CallbackFilter) (models.Page[models.Callback], error)
	Rounds(ctx context.Context, f models.RoundFilter) (models.Page[models.Round], error)
	Grants(ctx context.Context, f models.GrantFilter) ([]models.Grant, bool, error)
	Cases(ctx context.Context, f models.CaseFilter) ([]models.Case, bool, error)
	Case(ctx context.Context, id int64) (models.Case, []models.CaseNote, bool, error)
	Corrections(ctx context.Context, f models.CorrectionFilter) ([]models.Correction, bool, error)
	AuditLinesOf(ctx context.Context, object, id string, after int64, limit int) ([]models.PrecededAuditLine, error)
}

// Checkpoints finds the checkpoint that covers a pack; app/evidence implements it.
type Checkpoints interface {
	// Covering opens a checkpoint that was begun at or after at, or writes one if there is none. If that fails, covers is false
	// and it opens the newest checkpoint that there is; the file is nil if there is none.
	Covering(ctx context.Context, by models.Actor, at time.Time) (f *os.File, covers bool, err error)
}

// Maker makes packs.
type Maker struct {
	Store       Store
	Checkpoints Checkpoints // nil: packs have no checkpoint
	// Tell describes an audit event in a sentence.
	Tell func(ctx context.Context, e models.AuditEvent) (string, error)
}

// The files of a pack, besides a CSV and a JSON for each table.
const (
	pdfFile        = "pack.pdf"
	manifestFile   = "manifest.json"
	checkpointFile = "checkpoint.jsonl.gz"
)

// Tables of a pack, in the order in which they are written.
const (
	timelineTable    = "timeline"
	ledgerTable      = "ledger"
	spinsTable       = "free-spin-ledger"
	callbacksTable   = "callbacks"
	roundsTable      = "rounds"
	grantsTable      = "grants"
	casesTable       = "cases"
	correctionsTable = "corrections"
	auditTable       = "staff-actions"
)

// rowsAtOnce is how many rows are read at once.
const rowsAtOnce = 1000

// making is one pack that is being made.
type making struct {
	Maker
	Request
	dir      string // temporary files
	manifest Manifest
	tables   []*table
	spools   []*spool
	audited  []object // whose audit events belong to the pack
	rows     int64
	note     func(rows int64, permille int) error
}

// object is a thing as audit events name it.
type object struct{ kind, id string }

// Make writes a pack to out and returns its number of rows. It creates temporary files in dir, which must be empty; the caller
// deletes dir. Make calls note with its progress, and stops if note returns an error.
func (m Maker) Make(ctx context.Context, r Request, out io.Writer, dir string,
	note func(rows int64, permille int) error) (int64, error) {
	p, found, err := m.Store.PlayerByID(ctx, r.Player.ID)
	if err == nil && !found {
		err = models.ErrPlayerUnknown
	}
	if err != nil {
		return 0, fmt.Errorf("make a pack: %w", err)
	}
	r.Player = p
	if r.Until.After(r.At) {
		r.Until = r.At
	}
	w := &making{Maker: m, Request: r, dir: dir, note: note}
	if err := w.make(ctx, out); err != nil {
		return w.rows, fmt.Errorf("make a pack: %w", errors.Join(err, w.close()))
	}
	return w.rows, w.close()
}

func (w *making) make(ctx context.Context, out io.Writer) error {
	w.manifest = Manifest{
		Format: format, Title: w.Purpose.Title(), Made: stamp(w.At), Purpose: w.Purpose, By: w.By.Name, Role: string(w.Role),
		Why: w.Why, Reference: w.Reference, Since: stamp(w.Since), Until: stamp(w.Until), Key: w.Store.Chain().Fingerprint(),
		Player: aboutPlayer{UserID: string(w.Player.UserID), Number: w.Player.ID, Currency: string(w.Player.Wallet.Currency),
			Created: stamp(w.Player.CreatedAt), Test: w.Player.Test},
		LeftOut: leftOut[w.Purpose],
	}
	if w.Purpose == DataAccess {
		w.manifest.By = ""
	}
	// The checkpoint comes first, because the ledgers are written up to the player's line in it.
	checkpoint, err := w.checkpoint(ctx)
	if err != nil {
		return err
	}
	if checkpoint != nil {
		defer checkpoint.Close()
	}
	steps := []func(context.Context) error{w.ledger, w.spins, w.callbacks, w.rounds, w.grants, w.cases, w.corrections, w.audit,
		w.timeline}
	for i, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
		if err := w.note(w.rows, 900*(i+1)/len(steps)); err != nil {
			return err
		}
	}
	z := newArchive(out, w.At)
	if err := w.pdf(z); err != nil {
		return err
	}
	for _, t := range w.tables {
		if err := t.store(z); err != nil {
			return err
		}
	}
	if checkpoint != nil && w.Purpose == Dispute {
		if _, err := checkpoint.Seek(0, io.SeekStart); err != nil {
			return err
		}
		if err := z.add(checkpointFile, 0, checkpoint); err != nil {
			return err
		}
	}
	return z.close(w.Store.Chain(), w.manifest)
}

// close closes the temporary files. Make's caller deletes them.
func (w *making) close() (err error) {
	for _, t := range w.tables {
		err = errors.Join(err, t.close())
	}
	for _, s := range w.spools {
		err = errors.Join(err, s.Close())
	}
	return err
}

// checkpoint opens the checkpoint that covers the pack and reads the player's line in it.
func (w *making) checkpoint(ctx context.Context) (*os.File, error) {
	if w.Checkpoints == nil {
		return nil, nil
	}
	f, _, err := w.Checkpoints.Covering(ctx, w.By, w.Until)
	if err != nil || f == nil {
		return nil, err
	}
	info, err := readCheckpoint(f, w.Store.Chain(), w.Player.ID)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("the checkpoint: %w", err)
	}
	info.Whole = w.Purpose == Dispute
	w.manifest.Checkpoint = &info
	return f, nil
}

// readCheckpoint reads a checkpoint and one player's line in it. The line is nil if the player was created later.
func readCheckpoint(f io.ReadSeeker, chain *models.Chain, player int64) (info checkpointInfo, err error) {
	r, err := models.OpenCheckpoint(f, chain)
	if err != nil {
		return info, err
	}
	info = checkpointInfo{Number: r.Number, At: stamp(r.At), Previous: digest(r.Previous), Key: r.Key,
		Digest: digest(r.Checkpoint.Digest), Signature: digest(r.Signature)}
	for {
		wallet, more, err := r.Wallet()
		if err != nil || !more {
			return info, err
		}
		if wallet.PlayerID == player {
			info.Wallet = &walletLine{Seq: wallet.Seq, Head: digest(wallet.Head), SpinSeq: wallet.SpinSeq,
				SpinHead: digest(wallet.SpinHead), Balance: money(wallet.Balance)}
			return info, nil
		}
	}
}

// spool stores the moments that one table adds to the timeline, in order of time.
type spool struct {
	*os.File
	out *json.Encoder
}

func (w *making) spool() (*spool, error) {
	f, err := os.Create(filepath.Join(w.dir, fmt.Sprint("moments-", len(w.spools))))
	if err != nil {
		return nil, err
	}
	s := &spool{File: f, out: json.NewEncoder(f)}
	w.spools = append(w.spools, s)
	return s, nil
}
