package ledger

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"time"

	"pitboss/models"
	"pitboss/models/store/db"
)

// What clients with limits per day have moved today (client_cash): a sum for each kind of cash and currency, of the client
// (player_id 0) and of each player. Attempts lock the client's sums after the wallets, so the sum of two requests never exceeds
// a limit. The day's first request adds up again what the ledger has of the day, so rows may be deleted at any time; a change
// of a client's terms does that, because sums are only kept for clients with such limits.

// moved identifies a sum.
type moved struct {
	client, player int64
	kind           models.OperationKind
	currency       models.Currency
}

func cashDay(at time.Time) time.Time { return at.UTC().Truncate(24 * time.Hour) }

// counts returns the client whose sums of the day a member's operation may change, or 0: those of a client with such limits,
// and those in which a cash-out counts that is returned on the same day. Its client may have been given limits since it was
// requested.
func (b *settlement) counts(m *member) int64 {
	if m.op.Source != models.SourceClient {
		return 0
	}
	prior := b.prior[TransactionKey{m.op.Source, m.op.TransactionID}]
	returns := m.op.Kind == models.CashReturned && prior != nil && cashDay(prior.At).Equal(cashDay(b.at))
	if m.op.Caps == (models.CashCaps{}) && !returns {
		return 0
	}
	client, _, _ := models.ParseCashID(m.op.TransactionID)
	return client
}

// loadMoved reads and locks the sums of the members' clients.
func (b *settlement) loadMoved(ctx context.Context) error {
	players := map[int64][]int64{}
	for _, c := range b.settling {
		if m := &c.asks; !c.settled {
			if m.counts = b.counts(m); m.counts != 0 {
				players[m.counts] = append(players[m.counts], c.key)
			}
		}
	}
	for _, client := range slices.Sorted(maps.Keys(players)) {
		for {
			begun, err := b.readMoved(ctx, client, players[client])
			if err != nil {
				return fmt.Errorf("read what client %d has moved: %w", client, err)
			}
			if begun {
				break
			}
			if err := b.beginMoved(ctx, client); err != nil {
				return fmt.Errorf("add up what client %d has moved: %w", client, err)
			}
		}
	}
	return nil
}

// readMoved reports whether there are sums of the day.
func (b *settlement) readMoved(ctx context.Context, client int64, players []int64) (begun bool, err error) {
	b.packet.Query(func(rows *sql.Rows) error {
		sum := moved{client: client}
		var currency string
		var amount models.Amount
		err := rows.Scan(&sum.player, (*uint8)(&sum.kind), &currency, (*int64)(&amount))
		sum.currency = models.Currency(currency)
		begun = begun || sum.kind == 0
		b.moved[sum] = amount
		return err
	}, b.texts.moved, client, db.Micros(cashDay(b.at)), players)
	err = b.packet.Send(ctx)
	return begun, err
}

// beginMoved writes the sums of the day. The row with kind 0 says that they are there; two attempts cannot both insert it.
func (b *settlement) beginMoved(ctx context.Context, client int64) error {
	day, next := db.Micros(cashDay(b.at)), db.Micros(cashDay(b.at).Add(24*time.Hour))
	const insert = "INSERT INTO client_cash (client_id, day_us, player_id, kind, currency, amount_minor) "
	b.packet.Add(insert+"VALUES (?, ?, 0, 0, '', 0)", client, day)
	b.packet.Add("DELETE FROM client_cash WHERE client_id = ? AND day_us < ?", client, day)
	b.packet.Add(insert+`SELECT ?, ?, e.player_id, e.kind, w.currency, SUM(e.bet_minor + e.win_minor)
		FROM postings e JOIN wallets w ON w.player_id = e.player_id WHERE e.claim = 1 AND e.kind IN (?) AND e.free_spin = 0
		AND e.source = ? AND e.at_us >= ? AND e.at_us < ? AND e.transaction_id LIKE ? AND NOT EXISTS (SELECT 1 FROM postings r
		WHERE r.source = e.source AND r.transaction_id = e.transaction_id AND r.claim = 2 AND r.kind = ?)
		GROUP BY e.player_id, e.kind, w.currency`, client, day, []int64{int64(models.CashIn), int64(models.CashOut)},
		models.SourceClient, day, next, fmt.Sprintf("%%@%d", client), models.CashOut)
	b.packet.Add(insert+`SELECT client_id, day_us, 0, kind, currency, SUM(amount_minor) FROM client_cash
		WHERE client_id = ? AND day_us = ? AND player_id > 0 GROUP BY client_id, day_us, kind, currency`, client, day)
	return b.packet.Send(ctx)
}

// movedBy returns what the client of a member's operation, and its player, have moved.
func (b *settlement) movedBy(m *member, w *lockedWallet) models.CashCaps {
	sums := b.sumsOf(m, w)
	return models.CashCaps{PerDay: b.moved[sums[0]], PerPlayer: b.moved[sums[1]]}
}

// sumsOf returns the sums to which a member's operation counts: the client's and the player's.
func (b *settlement) sumsOf(m *member, w *lockedWallet) [2]moved {
	sum := moved{client: m.counts, kind: m.op.Kind, currency: w.Currency}
	if sum.kind == models.CashReturned {
		sum.kind = models.CashOut
	}
	ofPlayer := sum
	ofPlayer.player = w.PlayerID
	return [2]moved{sum, ofPlayer}
}

// countMoved adds what a member has moved to the sums, or takes the cash-out that it returns out again.
func (b *settlement) countMoved(m *member, w *lockedWallet, returned *models.Transaction) {
	amount := m.op.Bet + m.op.Win
	if m.op.Kind == models.CashReturned {
		amount = -returned.Bet
	}
	for _, sum := range b.sumsOf(m, w) {
		if b.moved[sum] += amount; !slices.Contains(b.movedNow, sum) {
			b.movedNow = append(b.movedNow, sum)
		}
	}
}

// writeMoved adds the sums that have changed to the packet.
func (b *settlement) writeMoved() {
	q := b.packet.Add("INSERT INTO client_cash (client_id, day_us, player_id, kind, currency, amount_minor) VALUES ")
	for i, sum := range b.movedNow {
		q.Row(i, "(?,?,?,?,?,?)", sum.client, db.Micros(cashDay(b.at)), sum.player, sum.kind, sum.currency, b.moved[sum])
	}
	q.Add(b.texts.movedSums)
}
