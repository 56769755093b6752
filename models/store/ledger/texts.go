package ledger

import (
	"database/sql"

	"pitboss/models"
	"pitboss/models/store/db"
)

// texts are an attempt's queries, in the words of one database (db.Dialect.Words).
type texts struct {
	lock, lockFree, claims, accepted, refusals, granted string
	insertDeclined                                      string
	balances, spinHeads, heldAndSums                    string // the ends of the statement that writes wallets
	moved, movedSums                                    string // sums of clients: client_cash.go
}

func textsFor(d db.Dialect) texts {
	t := texts{
		lock: selectWallets + " FOR UPDATE",
		// Wallets that another transaction has locked are left out (MariaDB 10.6, MySQL 8.0).
		lockFree: selectWallets + " FOR UPDATE SKIP LOCKED",
		// Everything that is known about some IDs of a source.
		claims: `SELECT player_id, transaction_id, COALESCE(claim, 0), kind, round_id, bet_minor, win_minor, free_spin, at_us
			FROM postings FORCE INDEX (postings_key) WHERE source = ? AND transaction_id IN (?)`,
		// What signed texts left in postings.
		accepted: `SELECT signed_digest, transaction_id, COALESCE(claim, 0) FROM postings FORCE INDEX (postings_signed)
			WHERE signed_digest IN (?)`,
		insertDeclined: d.InsertAbsent() + "declined_texts (digest, kind, user_length, transaction_length, at_us) VALUES ",
		// Whether play is frozen, and which signed texts left no posting: a row for each or, if there is none, a row without one.
		// A freeze is written while no attempt holds the row of ledgers, so an attempt finds each one that was committed before
		// it. One query for both, because in a small attempt one more query costs as much as one more bet does in a large one.
		refusals: `SELECT EXISTS (SELECT 1 FROM restrictions WHERE subject = ? AND state <> ?),
			d.digest, COALESCE(d.kind, 0), COALESCE(d.user_length, 0), COALESCE(d.transaction_length, 0)
			FROM ledgers LEFT JOIN declined_texts d ON d.digest IN (?) WHERE ledgers.id = 1 LOCK IN SHARE MODE`,
		// How many spins are left of players' grants that may explain a free spin: those that are requested, active, of unknown
		// outcome, or that ended recently. Since the first of them, the player cannot have used more spins than these and other
		// grants of that time have. Only what hash chains cover counts: the grants, and the free spins that grants explained or
		// that were returned.
		granted: `SELECT o.player_id,
			(SELECT COALESCE(SUM(g.spins), 0) FROM grants g WHERE g.player_id = o.player_id AND g.state <> ?
				AND (g.finished_at_us = 0 OR g.finished_at_us >= o.since_us - ?)) -
			(SELECT COALESCE(SUM(e.spins), 0) FROM spin_entries e WHERE e.player_id = o.player_id AND e.at_us >= o.since_us
				AND (e.grant_known = 1 OR e.spins < 0))
			FROM (SELECT player_id, MIN(at_us) AS since_us FROM grants WHERE player_id IN (?) AND state <> ?
				AND (finished_at_us = 0 OR finished_at_us >= ?) GROUP BY player_id) o`,
		balances: ` ON CONFLICT (player_id) DO UPDATE SET balance_minor = excluded.balance_minor, seq = excluded.seq,
			head = excluded.head`,
		spinHeads:   ", spin_seq = excluded.spin_seq, spin_head = excluded.spin_head",
		heldAndSums: ", held_minor = excluded.held_minor, limit_sums = excluded.limit_sums",
		moved: `SELECT player_id, kind, currency, amount_minor FROM client_cash
			WHERE client_id = ? AND day_us = ? AND player_id IN (0,?) FOR UPDATE`,
		movedSums: ` ON CONFLICT (client_id, day_us, player_id, kind, currency) DO UPDATE SET amount_minor = excluded.amount_minor`,
	}
	for _, text := range []*string{&t.lock, &t.lockFree, &t.claims, &t.accepted, &t.refusals, &t.balances, &t.moved, &t.movedSums} {
		*text = d.Words(*text)
	}
	t.spinHeads, t.heldAndSums = d.Words(t.spinHeads), d.Words(t.heldAndSums)
	return t
}

const selectWallets = `SELECT player_id, currency, play_from_us, deposits_from_us, cash_outs_from_us, limits, limit_sums, erased,
	balance_minor, held_minor, seq, head, spin_seq, spin_head FROM wallets WHERE player_id IN (?) ORDER BY player_id`

type lockedWallet struct {
	models.Wallet
	erased  bool                 // the player has been erased
	granted int64                // spins left of grants that may explain a free spin
	limits  *models.PlayerLimits // with the sums of the current periods; nil if the player has none
	touched bool                 // to be written
}

// scanWallet reads a row of texts.lock.
func (b *settlement) scanWallet(rows *sql.Rows) error {
	w := new(lockedWallet)
	var playFrom, depositsFrom, cashOutsFrom int64
	var currency, limits, sums, head, spinHead sql.RawBytes
	err := rows.Scan(&w.PlayerID, &currency, &playFrom, &depositsFrom, &cashOutsFrom, &limits, &sums, &w.erased, (*int64)(&w.Balance),
		(*int64)(&w.Held), &w.Seq, &head, &w.SpinSeq, &spinHead)
	if err != nil {
		return err
	}
	w.Currency, w.PlayFrom = models.Currency(currency), db.FromMicros(playFrom)
	w.DepositsFrom, w.CashOutsFrom = db.FromMicros(depositsFrom), db.FromMicros(cashOutsFrom)
	if len(limits) > 0 {
		w.limits = models.ParseLimits(string(limits), string(sums))
	}
	copy(w.Head[:], head)
	copy(w.SpinHead[:], spinHead)
	b.wallets[w.PlayerID] = w
	return nil
}

// scanGranted reads a row of texts.granted.
func (b *settlement) scanGranted(rows *sql.Rows) error {
	var player, left int64
	if err := rows.Scan(&player, &left); err != nil {
		return err
	}
	if w := b.wallets[player]; w != nil {
		w.granted = left
	}
	return nil
}

// writeWallets adds the wallets that have changed to the packet: an upsert, because MariaDB has no UPDATE of many rows. It has
// the columns without a default, which an insert needs, but it sets only those that the attempt may have changed, because every
// byte of a statement costs the database time to parse.
func (b *settlement) writeWallets() {
	columns, values, ends := "spin_seq, spin_head", "0,x''", b.texts.balances
	if len(b.spins) > 0 {
		values, ends = "?,?", ends+b.texts.spinHeads
	}
	if b.rare {
		columns, ends = columns+", held_minor, limit_sums", ends+b.texts.heldAndSums
	}
	q := b.packet.Add("INSERT INTO wallets (player_id, currency, balance_minor, seq, head, " + columns + ") VALUES ")
	for i, w := range b.dirty {
		q.Row(i, "(?,?,?,?,?,", w.PlayerID, w.Currency, w.Balance, w.Seq, &w.Head)
		if len(b.spins) > 0 {
			q.Add(values, w.SpinSeq, &w.SpinHead)
		} else {
			q.Add(values)
		}
		if b.rare {
			q.Add(",?,?", w.Held, w.limits.SumsText())
		}
		q.Add(")")
	}
	q.Add(ends)
}
