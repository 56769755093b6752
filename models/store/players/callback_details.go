package players

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/ledger"
)

// describe adds to callbacks their data from the ledger.
func (s *Store) describe(ctx context.Context, list []models.Callback) error {
	if len(list) == 0 {
		return nil
	}
	if err := s.describeLedger(ctx, list); err != nil {
		return fmt.Errorf("read ledger lines: %w", err)
	}
	if err := s.describeTransactions(ctx, list); err != nil {
		return fmt.Errorf("read transactions: %w", err)
	}
	return nil
}

// ledgerPlace identifies a ledger line.
type ledgerPlace struct {
	player, seq int64
	spin        bool
}

// describeLedger adds the players' names and, for callbacks that wrote to the ledger, what they wrote.
func (s *Store) describeLedger(ctx context.Context, list []models.Callback) error {
	wrote, err := s.whatCallbacksWrote(ctx, list)
	if err != nil {
		return err
	}
	wallets, err := s.describeWallets(ctx, list)
	if err != nil {
		return err
	}
	for i := range list {
		c := &list[i]
		if w, ok := wallets[c.PlayerID]; ok {
			c.Currency = w.currency
			if c.UserID == "" {
				c.UserID = w.user
			}
		}
		p, ok := wrote[ledgerPlace{c.PlayerID, c.Seq, c.Spin}]
		if !ok {
			continue
		}
		if !c.Spin {
			before, after := p.Before(), p.After
			c.Before, c.After = &before, &after
		}
		if c.Verdict != models.Applied || c.Kind == models.RollbackTransaction {
			continue
		}
		c.TransactionID, c.RoundID, c.FreeSpin = p.TransactionID, p.RoundID, c.Spin
		switch c.Kind {
		case models.Withdraw:
			c.Amount = p.Bet.String()
		case models.Deposit:
			c.Amount = p.Win.String()
		case models.BetWinCallback:
			c.Amount, c.WinAmount = p.Bet.String(), p.Win.String()
		}
	}
	return nil
}

// whatCallbacksWrote reads the postings of callbacks, found by their first lines.
func (s *Store) whatCallbacksWrote(ctx context.Context, list []models.Callback) (map[ledgerPlace]models.Posting, error) {
	wrote := map[ledgerPlace]models.Posting{}
	var money, spins []ledgerPlace
	for _, c := range list {
		switch {
		case c.Seq == 0:
		case c.Spin:
			spins = append(spins, ledgerPlace{player: c.PlayerID, seq: c.Seq, spin: true})
		default:
			money = append(money, ledgerPlace{player: c.PlayerID, seq: c.Seq})
		}
	}
	read := s.db.Read.WithContext(ctx)
	for part := range slices.Chunk(money, db.MaxAlternatives) {
		lines := make([]string, len(part))
		for i, p := range part { // a bet with a win has two lines, and so has its rollback
			lines[i] = fmt.Sprintf("player_id = %d AND seq >= %d AND seq <= %d", p.player, p.seq, p.seq+1)
		}
		postings, err := ledger.ReadPostings(read, ledger.SelectPostings+" WHERE free_spin = 0 AND ("+strings.Join(lines, " OR ")+")")
		if err != nil {
			return nil, err
		}
		for _, p := range postings {
			wrote[ledgerPlace{player: p.PlayerID, seq: p.Seq - p.Lines() + 1}] = p
		}
	}
	for part := range slices.Chunk(spins, db.MaxAlternatives) {
		lines := make([]string, len(part))
		for i, p := range part {
			lines[i] = fmt.Sprintf("player_id = %d AND seq = %d", p.player, p.seq)
		}
		err := db.Each(read, func(rows *sql.Rows) error {
			p := models.Posting{FreeSpin: true}
			var id, round string
			if err := rows.Scan(&p.PlayerID, &p.Seq, &id, &round, (*int64)(&p.Bet)); err != nil {
				return err
			}
			p.TransactionID, p.RoundID, p.Bet = models.TransactionID(id), models.RoundID(round), max(p.Bet, -p.Bet)
			wrote[ledgerPlace{player: p.PlayerID, seq: p.Seq, spin: true}] = p
			return nil
		}, "SELECT player_id, seq, transaction_id, round_id, stake_minor FROM spin_entries WHERE "+strings.Join(lines, " OR "))
		if err != nil {
			return nil, err
		}
	}
	return wrote, nil
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
	players, err := db.All[models.Player](s.db.Read.WithContext(ctx), "read players", SelectPlayers+" WHERE p.id IN ?", numbers)
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
	rows, err := db.All[models.Posting](s.db.Read.WithContext(ctx), "read transactions",
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
