package players

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

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
	var q db.Statement
	for part := range slices.Chunk(money, db.MaxAlternatives) {
		q.Begin(ledger.SelectPostings + " WHERE free_spin = 0 AND (")
		for i, p := range part {
			if i > 0 {
				q.Text(" OR ")
			}
			// A bet with a win has two lines, and so has its rollback.
			q.Text("player_id = ").Number(p.player).Text(" AND seq >= ").Number(p.seq).Text(" AND seq <= ").Number(p.seq + 1)
		}
		postings, err := s.ledger.ReadPostings(ctx, q.Text(")"))
		if err != nil {
			return nil, err
		}
		for _, p := range postings {
			wrote[ledgerPlace{player: p.PlayerID, seq: p.Seq - p.Lines() + 1}] = p
		}
	}
	for part := range slices.Chunk(spins, db.MaxAlternatives) {
		q.Begin("SELECT player_id, seq, transaction_id, round_id, stake_minor FROM spin_entries WHERE ")
		for i, p := range part {
			if i > 0 {
				q.Text(" OR ")
			}
			q.Text("player_id = ").Number(p.player).Text(" AND seq = ").Number(p.seq)
		}
		err := q.Query(ctx, s.db.Pools.Read, func(rows *sql.Rows) error {
			p := models.Posting{FreeSpin: true}
			var id, round string
			if err := rows.Scan(&p.PlayerID, &p.Seq, &id, &round, (*int64)(&p.Bet)); err != nil {
				return err
			}
			p.TransactionID, p.RoundID, p.Bet = models.TransactionID(id), models.RoundID(round), max(p.Bet, -p.Bet)
			wrote[ledgerPlace{player: p.PlayerID, seq: p.Seq, spin: true}] = p
			return nil
		})
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
	found := make(map[int64]walletName, len(numbers))
	var q db.Statement
	q.Begin("SELECT p.id, p.user_id, w.currency FROM players p JOIN wallets w ON w.player_id = p.id WHERE p.id IN (").
		Numbers(numbers).Text(")")
	return found, q.Query(ctx, s.db.Pools.Read, func(rows *sql.Rows) error {
		var id int64
		var user, currency string
		err := rows.Scan(&id, &user, &currency)
		found[id] = walletName{models.UserID(user), models.Currency(currency)}
		return err
	})
}

// describeTransactions adds the internal IDs of the transactions that callbacks name.
func (s *Store) describeTransactions(ctx context.Context, list []models.Callback) error {
	var names []string
	for _, c := range list {
		if c.TransactionID != "" {
			names = append(names, string(c.TransactionID))
		}
	}
	if len(names) == 0 {
		return nil
	}
	numbers := map[string]int64{}
	var q db.Statement
	q.Begin("SELECT id, transaction_id FROM postings WHERE source = ").Number(int64(models.SourcePlatform)).
		Text(" AND claim = 1 AND transaction_id IN (").Strings(names).Text(")")
	err := q.Query(ctx, s.db.Pools.Read, func(rows *sql.Rows) error {
		var id int64
		var name string
		err := rows.Scan(&id, &name)
		numbers[name] = id
		return err
	})
	for i := range list {
		list[i].Transaction = numbers[string(list[i].TransactionID)]
	}
	return err
}
