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
	wallets, err := s.describeWallets(ctx, list)
	for i := range list {
		c := &list[i]
		if w, ok := wallets[c.PlayerID]; ok {
			c.Currency, c.UserID = w.currency, cmp.Or(c.UserID, w.user)
		}
	}
	return err
}

type walletName struct {
	user     models.UserID
	currency models.Currency
}

func (s *Store) describeWallets(ctx context.Context, list []models.Callback) (map[int64]walletName, error) {
	var numbers []int64
	for _, c := range list {
		if c.PlayerID != 0 {
			numbers = append(numbers, c.PlayerID)
		}
	}
	if len(numbers) == 0 {
		return nil, nil
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	players, err := db.All[models.Player](s.db.Read.WithContext(ctx), SelectPlayers+" WHERE p.id IN ?", numbers)
	found := make(map[int64]walletName, len(numbers))
	for _, p := range players {
		found[p.ID] = walletName{p.UserID, p.Wallet.Currency}
	}
	return found, err
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
