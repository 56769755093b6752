package players

import (
	"cmp"
	"context"
	"slices"

	"pitboss/models"
	"pitboss/models/store/db"
)

// describe adds to callbacks their data from the ledger.
func (s *Store) describe(ctx context.Context, list []models.Callback) error {
	if len(list) == 0 {
		return nil
	}
	if err := s.nameWallets(ctx, list); err != nil {
		return err
	}
	return s.describeTransactions(ctx, list)
}

// nameWallets adds the players' names and their currencies.
func (s *Store) nameWallets(ctx context.Context, list []models.Callback) error {
	ids := make([]int64, len(list))
	for i, c := range list {
		ids[i] = c.PlayerID
	}
	slices.Sort(ids)
	players, err := ByNumber(s.db.Read.WithContext(ctx), slices.Compact(ids))
	for i := range list {
		c := &list[i]
		if p, ok := players[c.PlayerID]; ok {
			c.Currency, c.UserID = p.Wallet.Currency, cmp.Or(c.UserID, p.UserID)
		}
	}
	return err
}

// describeTransactions adds the internal IDs of the transactions that callbacks name.
func (s *Store) describeTransactions(ctx context.Context, list []models.Callback) error {
	var names []models.TransactionID
	for _, c := range list {
		if c.TransactionID != "" {
			names = append(names, c.TransactionID)
		}
	}
	if len(names) == 0 {
		return nil
	}
	rows, err := db.All[models.Posting](s.db.Read.WithContext(ctx),
		"SELECT id, transaction_id FROM postings WHERE source = ? AND claim = 1 AND transaction_id IN ?",
		models.SourcePlatform, names)
	numbers := map[models.TransactionID]int64{}
	for _, r := range rows {
		numbers[r.TransactionID] = r.ID
	}
	for i := range list {
		list[i].Transaction = numbers[list[i].TransactionID]
	}
	return err
}
