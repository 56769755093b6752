package proof

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/ledger"
)

// Reads of the chains for dispute packs. They return a limited number of rows at a time, because a player may have millions.

// Chain returns the chain that proves the ledger. Its key also seals packs.
func (s *Store) Chain() *models.Chain { return s.db.Chain }

// WalletBeginning returns where the player's chains begin after a purge, or false if nothing was purged.
func (s *Store) WalletBeginning(ctx context.Context, player int64) (b models.Beginning, found bool, err error) {
	v := &verifier{s: s}
	if v.tx, err = s.db.Snapshot(ctx); err != nil {
		return b, false, err
	}
	defer v.tx.Rollback()
	err = v.beginningsOf(ctx, player-1, player, func(one models.Beginning) { b, found = one, true })
	b.PlayerID = player
	return b, found, err
}

// PostingsAfter returns up to limit postings of a player's money ledger after a line, in order.
func (s *Store) PostingsAfter(ctx context.Context, player, seq int64, limit int) ([]models.Posting, error) {
	var q db.Statement
	list, err := s.ledger.ReadPostings(ctx, q.Begin(ledger.SelectPostings+" WHERE player_id = ").Number(player).
		Text(" AND seq > ").Number(seq).Text(" AND free_spin = 0 ORDER BY seq LIMIT ").Number(int64(limit)))
	if err != nil {
		return nil, fmt.Errorf("read postings: %w", err)
	}
	return list, nil
}

// SpinEntriesAfter returns up to limit lines of a player's free-spin ledger after a line, in order.
func (s *Store) SpinEntriesAfter(ctx context.Context, player, seq int64, limit int) (list []models.SpinEntry, err error) {
	var q db.Statement
	err = q.Begin(selectSpinEntries+" WHERE player_id = ").Number(player).Text(" AND seq > ").Number(seq).
		Text(" ORDER BY seq LIMIT ").Number(int64(limit)).Query(ctx, s.db.Pools.Read, func(rows *sql.Rows) error {
		e, _, err := scanSpinEntry(rows)
		list = append(list, e)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read free-spin entries: %w", err)
	}
	return list, nil
}

// SpinPlace returns the place in a player's free-spin ledger just before the time at. It finds it by bisection.
func (s *Store) SpinPlace(ctx context.Context, p models.Player, at time.Time) (place models.SpinPlace, err error) {
	b, _, err := s.WalletBeginning(ctx, p.ID)
	if err != nil {
		return place, err
	}
	place = models.SpinPlace{Seq: b.SpinSeq, Head: b.SpinHead}
	for low, high := b.SpinSeq+1, p.Wallet.SpinSeq+1; low < high; {
		middle := low + (high-low)/2
		list, err := s.SpinEntriesAfter(ctx, p.ID, middle-1, 1)
		if err != nil {
			return place, err
		}
		if len(list) == 0 || !list[0].At.Before(at) {
			high = middle
		} else {
			low, place = list[0].Seq+1, models.SpinPlace{Seq: list[0].Seq, Head: list[0].Hash}
		}
	}
	return place, nil
}

// AuditLinesOf returns up to limit audit events about an object with numbers above after, in order, each with the hash of the
// event before it.
func (s *Store) AuditLinesOf(ctx context.Context, object, id string, after int64,
	limit int) ([]models.PrecededAuditLine, error) {
	read := s.db.Read.WithContext(ctx)
	var rows []models.AuditLine
	err := read.Where("object = ? AND object_id = ? AND id > ?", object, id, after).Order("id").Limit(limit).Find(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read audit events: %w", err)
	}
	before := make([]int64, len(rows))
	for i, r := range rows {
		before[i] = r.ID - 1
	}
	var hashes []struct {
		ID   int64
		Hash models.Hash
	}
	err = read.Raw("SELECT id, hash FROM audit_events WHERE id IN ? UNION ALL "+
		"SELECT begin_seq, begin_hash FROM audit_head WHERE id = 1", append(before, -1)).Scan(&hashes).Error
	if err != nil {
		return nil, fmt.Errorf("read the audit events before: %w", err)
	}
	previous := map[int64]models.Hash{}
	for _, h := range hashes {
		previous[h.ID] = h.Hash
	}
	list := make([]models.PrecededAuditLine, len(rows))
	for i, r := range rows {
		list[i] = models.PrecededAuditLine{AuditLine: r, Previous: previous[r.ID-1]}
	}
	return list, nil
}
