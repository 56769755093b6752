package store

import (
	"context"
	"fmt"
	"math"

	"pitboss/models"
)

type entryRow struct {
	PlayerID      int64
	Seq           int64
	Kind          models.EntryKind
	Source        models.Source
	TransactionID string
	RoundID       string
	AmountMinor   int64
	BeforeMinor   int64
	AfterMinor    int64
	AtUs          int64
	Hash          []byte
}

// entry is the line; its currency is the wallet's.
func (r entryRow) entry(currency models.Currency) models.Entry {
	e := models.Entry{
		PlayerID: r.PlayerID, Seq: r.Seq, Kind: r.Kind, Source: r.Source, TransactionID: models.TransactionID(r.TransactionID),
		RoundID: models.RoundID(r.RoundID), Currency: currency, Amount: models.Amount(r.AmountMinor), Before: models.Amount(r.BeforeMinor),
		After: models.Amount(r.AfterMinor), At: fromMicros(r.AtUs),
	}
	copy(e.Hash[:], r.Hash)
	return e
}

// Entries returns up to limit lines of a player's money ledger, newest first, from the one before the line numbered before; 0 begins with
// the newest. It reads as many rows as it returns, however long the ledger is.
func (s *Store) Entries(ctx context.Context, player, before int64, limit int) ([]models.Entry, error) {
	if before == 0 {
		before = math.MaxInt64
	}
	var rows []entryRow
	err := s.read.WithContext(ctx).Table("entries").Where("player_id = ? AND seq < ?", player, before).Order("seq DESC").Limit(limit).Find(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read entries: %w", err)
	}
	entries := make([]models.Entry, len(rows))
	for i, r := range rows {
		entries[i] = r.entry("")
	}
	return entries, nil
}
