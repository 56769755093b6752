package ledger

import (
	"database/sql"
	"fmt"
	"math"
	"strconv"
	"strings"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// postings has one row for what one operation did to one wallet, clustered by number, so that its pages are full. A rollback is
// another row, which repeats the amounts that it reverses. postings_key makes every retry safe, and postings_signed every
// signature: NULLs are never equal, so several players may have a rollback that came first for one ID. postings_at is for sums
// by time, because numbers follow times only approximately. views/help/sizing.md has the bytes of a bet.

// postingColumns are the columns of postings that ScanPosting reads after the number.
const postingColumns = "source, transaction_id, claim, player_id, seq, kind, round_id, bet_minor, win_minor, free_spin, " +
	"after_minor, at_us, hash, signed_digest, held_minor"

// insertPostings adds the INSERT of postings to the packet.
func insertPostings(packet *db.Packet, list []models.Posting) {
	q := packet.Add("INSERT INTO postings (" + postingColumns + ", request, received_us, address) VALUES ")
	for i := range list {
		p := &list[i]
		var claim, held, request, received, address any // NULL
		if p.Claim != models.ClaimNone {
			claim = p.Claim
		}
		if p.Kind.IsCash() {
			held = p.Held
		}
		if from := p.Sender; from.Request.Number != 0 {
			request, received, address = from.Request.Number, from.Request.Received.UnixMicro(), from.Address
		}
		q.Row(i, "(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", p.Source, p.TransactionID, claim, p.PlayerID, p.Seq, p.Kind, p.RoundID, p.Bet,
			p.Win, p.FreeSpin, p.After, p.At.UnixMicro(), &p.Hash, p.Signed, held, request, received, address)
	}
}

// insertSpins adds the INSERT of lines of the free-spin ledger to the packet.
func insertSpins(packet *db.Packet, list []models.SpinEntry) {
	q := packet.Add(`INSERT INTO spin_entries
		(player_id, seq, kind, transaction_id, round_id, spins, stake_minor, grant_known, at_us, hash, signed_digest) VALUES `)
	for i := range list {
		e := &list[i]
		q.Row(i, "(?,?,?,?,?,?,?,?,?,?,?)", e.PlayerID, e.Seq, e.Kind, e.TransactionID, e.RoundID, e.Spins, e.Stake, e.GrantKnown,
			e.At.UnixMicro(), &e.Hash, e.Signed)
	}
}

// SelectPostings selects what ScanPosting reads.
const SelectPostings = "SELECT id, " + postingColumns + " FROM postings"

// SelectOf returns the columns of SelectPostings, qualified with the table's alias.
func SelectOf(alias string) string {
	return alias + ".id, " + alias + "." + strings.ReplaceAll(postingColumns, ", ", ", "+alias+".")
}

// ScanPosting reads a row of SelectPostings, and any columns before those into first. Values that Pitboss never writes become
// values that no rule accepts.
func ScanPosting(rows *sql.Rows, first ...any) (p models.Posting, err error) {
	var id, round string
	var source, kind, free, at int64
	var claim, held sql.NullInt64
	var hash sql.RawBytes
	err = rows.Scan(append(first, &p.ID, &source, &id, &claim, &p.PlayerID, &p.Seq, &kind, &round, (*int64)(&p.Bet),
		(*int64)(&p.Win), &free, (*int64)(&p.After), &at, &hash, &p.Signed, &held)...)
	p.Source, p.Kind, p.Claim = models.Source(StoredKind(source)), models.OperationKind(StoredKind(kind)),
		models.Claim(StoredKind(claim.Int64))
	p.TransactionID, p.RoundID, p.FreeSpin, p.At, p.Hash = models.TransactionID(id), models.RoundID(round), free != 0,
		db.FromMicros(at), db.StoredHash(hash)
	p.Held = models.Amount(held.Int64)
	if free != 0 && free != 1 || held.Valid != p.Kind.IsCash() {
		p.Kind = models.OperationKind(StoredKind(-1))
	}
	return p, err
}

// TransactionKey identifies a transaction.
type TransactionKey struct {
	Source models.Source
	ID     models.TransactionID
}

// scanClaim reads a row of texts.claims.
func (b *settlement) scanClaim(source models.Source, rows *sql.Rows) error {
	var player, claim, bet, win, at int64
	var id, round string
	var number int64
	var free bool
	if err := rows.Scan(&player, &id, &claim, &number, &round, &bet, &win, &free, &at); err != nil {
		return err
	}
	if models.Claim(claim) == models.ClaimNone {
		b.tombstones[models.Tombstone{PlayerID: player, TransactionID: models.TransactionID(id)}] = true
		return nil
	}
	key := TransactionKey{source, models.TransactionID(id)}
	kind, ends := models.OperationKind(StoredKind(number)), models.Reversed
	if kind == models.CashPaid {
		kind, ends = models.CashOut, models.PaidOut
	}
	t := b.prior[key]
	if t == nil { // the postings that applied it and rolled it back have the same contents
		t = &models.Transaction{
			Source: source, TransactionID: key.ID, PlayerID: player, Kind: kind, RoundID: models.RoundID(round),
			Bet: models.Amount(bet), Win: models.Amount(win), FreeSpin: free, State: models.Processed,
			At: db.FromMicros(at),
		}
		b.prior[key] = t
	}
	if models.Claim(claim) == models.ClaimRolledBack {
		t.State, t.ReversedAt = ends, db.FromMicros(at)
	} else {
		t.At = db.FromMicros(at)
	}
	return nil
}

// Known returns the platform's transaction with this ID, or nil, and whether the player has a tombstone for it.
func Known(tx *gorm.DB, d db.Dialect, id models.TransactionID, playerID int64) (*models.Transaction, bool, error) {
	b := &settlement{prior: map[TransactionKey]*models.Transaction{}, tombstones: map[models.Tombstone]bool{}}
	var q db.Statement
	err := q.Add(textsFor(d).claims, models.SourcePlatform, []string{string(id)}).Query(tx.Statement.Context, tx.Statement.ConnPool,
		func(rows *sql.Rows) error { return b.scanClaim(models.SourcePlatform, rows) })
	if err != nil {
		return nil, false, fmt.Errorf("look up a transaction: %w", err)
	}
	return b.prior[TransactionKey{models.SourcePlatform, id}],
		b.tombstones[models.Tombstone{PlayerID: playerID, TransactionID: id}], nil
}

// ReadPostings runs a written query that begins with SelectPostings.
func ReadPostings(tx *gorm.DB, query string, args ...any) (list []models.Posting, err error) {
	err = db.Each(tx, func(rows *sql.Rows) error {
		p, err := ScanPosting(rows)
		list = append(list, p)
		return err
	}, query, args...)
	return list, err
}

// StandingOf returns an SQL expression for a row e: how many postings of these kinds in its round are not rolled back. Each
// posting adds one and its rollback subtracts one. This sum uses the index for each row; for EXISTS, MariaDB may copy the whole
// table first.
func StandingOf(d db.Dialect, kinds ...models.OperationKind) string {
	return "(SELECT COALESCE(SUM(3 - 2 * b.claim), 0) FROM postings b" + db.Path{Index: "postings_round"}.Hint(d) +
		" WHERE b.round_id = e.round_id AND b.player_id = e.player_id AND b.kind IN (" + kindList(kinds) + "))"
}

// BetsFor returns an SQL expression for a win e: how many bets and free spins of its round were applied, before or after it,
// and not rolled back before it. A rollback that comes later does not change it.
func BetsFor(d db.Dialect) string {
	return "(SELECT COALESCE(SUM(CASE WHEN b.claim = 1 THEN 1 WHEN b.id < e.id THEN -1 ELSE 0 END), 0) FROM postings b" +
		db.Path{Index: "postings_round"}.Hint(d) + " WHERE b.round_id = e.round_id AND b.player_id = e.player_id AND b.kind IN (" +
		kindList([]models.OperationKind{models.Bet, models.BetWin}) + "))"
}

func kindList(kinds []models.OperationKind) string {
	list := make([]string, len(kinds))
	for i, k := range kinds {
		list[i] = strconv.Itoa(int(k))
	}
	return strings.Join(list, ", ")
}

// Conditions for postings e by the kind of their ledger line (models.Posting.Entries).
var (
	AreBets = fmt.Sprintf("e.claim = 1 AND e.free_spin = 0 AND e.kind IN (%d, %d)", models.Bet, models.BetWin)
	AreWins = fmt.Sprintf("e.claim = 1 AND e.kind IN (%d, %d)", models.Win, models.BetWin)
)

// EffectSQL is an expression for how a posting e changed the balance.
var EffectSQL = fmt.Sprintf("(CASE WHEN e.free_spin = 1 OR e.claim IS NULL OR e.kind = %d THEN 0 WHEN e.claim = 2 THEN "+
	"e.bet_minor - e.win_minor ELSE e.win_minor - e.bet_minor END)", models.CashPaid)

// HeldSQL is an expression for how a posting e changed the held amount.
var HeldSQL = fmt.Sprintf("(CASE WHEN e.kind = %[1]d AND e.claim = 1 THEN e.bet_minor WHEN e.kind IN (%[1]d, %[2]d) THEN "+
	"-e.bet_minor ELSE 0 END)", models.CashOut, models.CashPaid)

// Stored values may be anything that the column's type allows. An invalid number becomes one that no rule knows, and a hash of
// the wrong length becomes one that no line has.

// StoredKind converts a stored kind, source or state.
func StoredKind(n int64) uint8 {
	if n < 0 || n > math.MaxUint8 {
		return math.MaxUint8
	}
	return uint8(n)
}
