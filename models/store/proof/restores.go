package proof

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// Declarations that an older state of the database was restored. models/restore.go says what they mean; verify_restores.go says
// how they explain lines that a checkpoint has and the ledger does not.

// declaredWallet is a wallet of a declaration. Its table has no columns for the player's restrictions and limits.
type declaredWallet struct {
	RestoreID int64
	models.RestoreWallet
}

// TableName returns the table's name for GORM.
func (declaredWallet) TableName() string { return "restore_wallets" }

// KnownCheckpoints returns the names and digests of all checkpoints that the database or a declaration knows. Rows that were
// inserted or changed in the database directly do not count: they could hide a restore.
func (s *Store) KnownCheckpoints(ctx context.Context) (known models.KnownCheckpoints, err error) {
	known.Files, known.Digests = map[string]bool{}, map[string]bool{}
	tx := s.db.Read.WithContext(ctx)
	numbers, err := db.All[int64](tx, "read checkpoints", "SELECT number FROM checkpoints ORDER BY number")
	if err != nil {
		return known, err
	}
	written, err := untouched[models.WrittenCheckpoint](s, tx, numbers)
	if err != nil {
		return known, err
	}
	for _, cp := range written {
		known.Files[cp.FileName], known.Digests[fmt.Sprintf("%x", cp.Digest)] = true, true
	}
	declared, err := s.untouchedRestores(tx)
	for _, r := range declared {
		for _, cp := range r.Checkpoints {
			known.Files[cp.File], known.Digests[cp.Digest] = true, true
		}
	}
	return known, err
}

// untouched returns the rows that are as the audit log says.
func untouched[T models.Covered](s *Store, tx *gorm.DB, ids []int64) (list []T, err error) {
	list, err = db.LoadMany[T](s.db, tx, ids)
	switch tampered := errors.As(err, new(models.TamperedError)); {
	case !tampered:
		return list, err
	case len(ids) == 1:
		return nil, nil
	}
	list = nil
	for _, id := range ids {
		one, err := untouched[T](s, tx, []int64{id})
		if err != nil {
			return nil, err
		}
		list = append(list, one...)
	}
	return list, nil
}

// untouchedRestores returns the declared restores that are as the audit log says, oldest first.
func (s *Store) untouchedRestores(tx *gorm.DB) ([]models.Restore, error) {
	ids, err := db.All[int64](tx, "read restores", "SELECT id FROM restores ORDER BY id")
	if err != nil {
		return nil, err
	}
	return untouched[models.Restore](s, tx, ids)
}

// HasCheckpoint reports whether the database has a checkpoint, and has it as the audit log says.
func (s *Store) HasCheckpoint(ctx context.Context, cp models.Checkpoint) (bool, error) {
	rows, err := untouched[models.WrittenCheckpoint](s, s.db.Read.WithContext(ctx), []int64{cp.Number})
	return len(rows) == 1 && rows[0].Digest == cp.Digest, err
}

// PlanRestore compares the ledger with the newest of the checkpoints that the database does not have, and returns what the ledger
// has lost. Before that it verifies everything, also against the checkpoint base unless that is nil. It returns models.ErrNothingLost if
// the database or a declaration knows every checkpoint, or a models.RestoreFaultsError if the verification finds faults. done
// is called as in Verify.
func (s *Store) PlanRestore(ctx context.Context, files []models.LostFile, base *models.CheckpointReader,
	done func(entries int64)) (p models.RestorePlan, err error) {
	lost, err := s.lostOnes(ctx, files)
	if err != nil {
		return p, err
	}
	v, err := s.VerifyAgainst(ctx, base, done)
	if err != nil {
		return p, err
	}
	if !v.OK() {
		return p, models.RestoreFaultsError{Verification: v}
	}
	p.Base, p.State = v.Held, models.ApprovalWaiting
	// The newest has the lines of all others.
	c := &verifier{checkpoint: lost[0].CheckpointReader, gone: map[int64]models.RestoreWallet{}, done: done}
	if _, err := s.verify(ctx, c); err != nil {
		return p, fmt.Errorf("compare with %s: %w", lost[0].Name, err)
	}
	p.AuditSeq, p.AuditHead = c.head.Seq, c.head.Hash
	for _, file := range lost {
		p.Checkpoints = append(p.Checkpoints, models.LostCheckpoint{
			Number: file.Number, At: file.At, Digest: fmt.Sprintf("%x", file.Digest), AuditSeq: file.AuditSeq,
			Audit: fmt.Sprintf("%x", file.Audit), File: file.Name,
		})
	}
	p.Take(s.db.Chain, c.gone)
	return p, nil
}

// lostOnes returns the checkpoints that neither the database nor any declaration knows, newest first.
func (s *Store) lostOnes(ctx context.Context, files []models.LostFile) (lost []models.LostFile, err error) {
	known, err := s.KnownCheckpoints(ctx)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		if !known.Digests[fmt.Sprintf("%x", file.Digest)] {
			lost = append(lost, file)
		}
	}
	if len(lost) == 0 {
		return nil, models.ErrNothingLost
	}
	slices.SortFunc(lost, func(a, b models.LostFile) int { return cmp.Or(b.At.Compare(a.At), cmp.Compare(b.Number, a.Number)) })
	return lost, nil
}

// DeclareRestore records in the audit log that an older state of the database was restored. All staff have to sign in again,
// and one-time links become invalid, because some sessions had ended, and some links had been used, after the backup. It
// returns models.ErrRestoreWords if the source or the reason is missing or too long, or ErrNothingLost if another person has
// just declared the restore.
func (s *Store) DeclareRestore(ctx context.Context, by models.Actor, p models.RestorePlan,
	words models.RestoreWords) (models.Restore, error) {
	if words.Source == "" || words.Reason == "" || len([]rune(words.Source)) > 255 || len([]rune(words.Reason)) > 2000 {
		return models.Restore{}, models.ErrRestoreWords
	}
	var row models.Restore
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		if err := s.db.LockLease(tx, "restores"); err != nil {
			return err
		}
		declared, err := restoresIn(tx)
		if err != nil {
			return err
		}
		for _, cp := range p.Checkpoints {
			if slices.ContainsFunc(declared, func(r models.Restore) bool { return r.Names(cp.Digest) }) {
				return models.ErrNothingLost
			}
		}
		row = models.Restore{
			At: s.db.Now(), OSUser: by.OSUser, Source: words.Source, Reason: words.Reason,
			Approval:    models.Approval{Maker: models.Signature{Username: by.Name}, State: models.ApprovalWaiting},
			Checkpoints: p.Checkpoints, AuditSeq: p.AuditSeq, AuditHead: p.AuditHead,
			Wallets: p.Wallets, Entries: p.Entries, SpinEntries: p.SpinEntries, Sums: p.Sums, Digest: p.Digest,
		}
		maker := &row.Maker.StaffID
		if err := tx.Raw("SELECT COALESCE(MAX(id), 0) FROM staff WHERE username = ?", by.Name).Scan(maker).Error; err != nil {
			return err
		}
		if err := tx.Omit(db.JoinedNames...).Create(&row).Error; err != nil {
			return err
		}
		if err := writeRestoreWallets(tx, row.ID, p.Gone); err != nil {
			return err
		}
		s.db.Begins(tx, "restore", db.Numbered(row.ID))
		if err := s.db.Record(tx, restoreEvent(&p, by, row.ID, words)); err != nil {
			return err
		}
		return s.staff.EndAccess(tx, by)
	})
	if err != nil {
		return models.Restore{}, fmt.Errorf("declare a restore: %w", err)
	}
	return row, nil
}

// restoreEvent returns the audit event of a declaration: the heads before and after, and what is lost.
func restoreEvent(p *models.RestorePlan, by models.Actor, id int64, words models.RestoreWords) models.AuditEvent {
	newest := p.Checkpoints[0]
	before := map[string]any{"checkpoint": newest.Number, "audit_seq": newest.AuditSeq, "audit_head": newest.Audit}
	after := map[string]any{
		"backup": words.Source, "checkpoint": p.Base, "audit_seq": p.AuditSeq, "audit_head": fmt.Sprintf("%x", p.AuditHead),
		"wallets": p.Wallets, "entries_gone": p.Entries, "spin_entries_gone": p.SpinEntries,
		"wallets_digest": fmt.Sprintf("%x", p.Digest),
	}
	for _, sum := range p.Sums {
		before["funds_"+string(sum.Currency)], after["funds_"+string(sum.Currency)] = sum.Before.StringFixed(2),
			sum.After.StringFixed(2)
	}
	return models.AuditEvent{
		Actor: by, Action: "restore declared", Object: "restore", ObjectID: db.Numbered(id), Reason: words.Reason,
		Before: db.JsonText(before), After: db.JsonText(after),
	}
}

// restoreChunk is how many wallets one statement inserts.
const restoreChunk = 500

func writeRestoreWallets(tx *gorm.DB, id int64, gone []models.RestoreWallet) error {
	for chunk := range slices.Chunk(gone, restoreChunk) {
		rows := make([]declaredWallet, len(chunk))
		for i, w := range chunk {
			rows[i] = declaredWallet{id, w}
		}
		if err := tx.Omit("play_from_us", "bonuses_from_us", "deposits_from_us", "cash_outs_from_us", "limits",
			"limit_sums").Create(&rows).Error; err != nil {
			return err
		}
	}
	return nil
}

// ConfirmRestore records a second person's approval of a declaration. It returns models.ErrRestoreUnknown, an ApprovalError, or
// a TamperedError if the wallets are not the declared ones.
func (s *Store) ConfirmRestore(ctx context.Context, by models.Signer, id int64) (r models.Restore, err error) {
	err = s.db.Change(ctx, func(tx *gorm.DB) error {
		if r, err = db.Locked[models.Restore](s.db, tx, id, models.ErrRestoreUnknown); err != nil {
			return err
		}
		if err := s.staff.CheckSigner(tx, by); err != nil {
			return err
		}
		v := &verifier{s: s, tx: tx}
		if digest, n, err := v.restoreDigest(id); err != nil {
			return err
		} else if digest != r.Digest || n != r.Wallets {
			return models.TamperedError{Object: "restore", ObjectID: db.Numbered(id)}
		}
		if err := r.Approve(models.RestoreRule, by, s.db.Now()); err != nil {
			return err
		}
		if err := tx.Omit(db.JoinedNames...).Save(&r).Error; err != nil {
			return fmt.Errorf("write restore: %w", err)
		}
		return s.db.Record(tx, models.AuditEvent{
			Actor: by.Actor, Action: "restore confirmed", Object: "restore", ObjectID: strconv.FormatInt(id, 10),
			After: db.JsonText(map[string]any{"declared_by": r.Maker.Username, "backup": r.Source, "wallets": r.Wallets,
				"entries": r.Entries}),
		})
	})
	return r, err
}

// Restores returns all declared restores, newest first.
func (s *Store) Restores(ctx context.Context) ([]models.Restore, error) {
	return restoresIn(s.db.Read.WithContext(ctx))
}

func restoresIn(tx *gorm.DB) ([]models.Restore, error) {
	var list []models.Restore
	if err := tx.Order("id DESC").Find(&list).Error; err != nil {
		return nil, fmt.Errorf("read restores: %w", err)
	}
	return list, nil
}

// RestoreWallets returns up to limit wallets that a restore set back, those with numbers above after, in order.
func (s *Store) RestoreWallets(ctx context.Context, id, after int64, limit int) ([]models.RestoreWallet, error) {
	var list []models.RestoreWallet
	err := s.db.Read.WithContext(ctx).Table("restore_wallets").Where("restore_id = ? AND player_id > ?", id, after).
		Order("player_id").Limit(limit).
		Find(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read the wallets of restore %d: %w", id, err)
	}
	return list, nil
}
