package books

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/ledger"
	"pitboss/models/store/players"
)

// The order of events (event_order) puts all committed changes into one order, which never changes. The numbers of postings do
// not: a posting may commit after others with higher numbers. But a wallet's own lines have numbers without gaps, in the order
// of commits, and so does the audit log. So the order consists of parts. Each part is a range of lines of one wallet or of the
// audit log, and each line is in one part.
//
// Parts are added where the sums of days move the heads of wallets, in that transaction and under its lock. So their numbers
// are in the order of commits, on several instances and on Galera too, and callbacks wait for nothing. An event that caused a
// line, such as the creation of the player, comes before it, because the audit log's part is read last and comes first.
//
// The parts that one transaction adds have a random mark. So a place with a mark proves that its reader has read the parts
// before it in this history of the database, and not in one that a restored backup has replaced.

// The numberings whose ranges the order consists of. They are stored.
const (
	ofAuditLog  = 1
	ofMoney     = 2
	ofFreeSpins = 3
)

// eventPart is a row of event_order.
type eventPart struct {
	Number   int64
	Ledger   uint8
	PlayerID int64 // 0 for the audit log
	FromSeq  int64
	ToSeq    int64
	Mark     int64
}

// orderEvents adds the new lines of the audit log, and of these wallets up to their heads. The caller has locked dayFollower.
func (s *Store) orderEvents(tx *gorm.DB, heads []dayHead) error {
	numbers := []int64{0}
	for _, h := range heads {
		numbers = append(numbers, h.PlayerID)
	}
	known, err := db.All[eventPart](tx,
		"SELECT player_id, ledger, MAX(to_seq) AS to_seq FROM event_order WHERE player_id IN ? GROUP BY player_id, ledger", numbers)
	if err != nil {
		return err
	}
	reached := map[eventPart]int64{}
	for _, k := range known {
		reached[eventPart{Ledger: k.Ledger, PlayerID: k.PlayerID}] = k.ToSeq
	}
	// An event has its number while the log's head is locked, until it is committed: none below is missing.
	var last, audited int64
	err = tx.Raw("SELECT (SELECT COALESCE(MAX(number), 0) FROM event_order), (SELECT COALESCE(MAX(id), 0) FROM audit_events)").Row().
		Scan(&last, &audited)
	if err != nil {
		return err
	}
	var q db.Statement
	q.Begin("INSERT INTO event_order (number, ledger, player_id, from_seq, to_seq, mark) VALUES ")
	added, mark := 0, 1+rand.Int64N(math.MaxInt64)
	add := func(of uint8, player, to int64) {
		from := reached[eventPart{Ledger: of, PlayerID: player}] + 1
		if from > to {
			return
		}
		last++
		q.Row(added, "(?,?,?,?,?,?)", last, of, player, from, to, mark)
		added++
	}
	add(ofAuditLog, 0, audited)
	for _, h := range heads {
		add(ofMoney, h.PlayerID, h.Seq)
		add(ofFreeSpins, h.PlayerID, h.SpinSeq)
	}
	if added == 0 {
		return nil
	}
	return q.Exec(tx.Statement.Context, db.Tx(tx))
}

// selectParts begins a query for parts.
const selectParts = "SELECT number, ledger, player_id, from_seq, to_seq, mark FROM event_order "

// EventsAfter returns the events in the limit lines after a place, the place after which to read on, and whether there are more
// lines. It returns models.ErrEventsLost if the place belongs to another history of the database.
func (s *Store) EventsAfter(ctx context.Context, after models.EventPlace, limit int64) (list []models.Event,
	next models.EventPlace, more bool, err error) {
	read := s.db.Read.WithContext(ctx)
	rows, err := db.All[eventPart](read, selectParts+"WHERE number >= ? ORDER BY number LIMIT ?",
		after.Part, limit+2) // the place's own part, and one to know whether there are more
	if err != nil {
		return nil, after, false, err
	}
	if after != (models.EventPlace{}) {
		if len(rows) == 0 || rows[0].Number != after.Part || rows[0].Mark != after.Mark || after.Line < rows[0].FromSeq ||
			after.Line > rows[0].ToSeq {
			return nil, after, false, models.ErrEventsLost
		}
		rows[0].FromSeq = after.Line + 1
	}
	var parts []eventPart
	next = after
	for _, p := range rows {
		if p.FromSeq > p.ToSeq {
			continue
		}
		if limit == 0 {
			more = true
			break
		}
		last := p.ToSeq
		p.ToSeq = min(p.ToSeq, p.FromSeq+limit-1)
		parts = append(parts, p)
		next = models.EventPlace{Part: p.Number, Line: p.ToSeq, Mark: p.Mark}
		limit -= p.ToSeq - p.FromSeq + 1
		more = p.ToSeq < last
	}
	list, err = s.eventsOf(read, parts)
	return list, next, more, err
}

// AuditedEvent returns an event of the audit log with its place in the order, or false if there is none. It first adds new
// lines to the order.
func (s *Store) AuditedEvent(ctx context.Context, id int64) (e models.Event, found bool, err error) {
	for ordered := false; ; ordered = true {
		read := s.db.Read.WithContext(ctx)
		rows, err := db.All[eventPart](read,
			selectParts+"WHERE player_id = 0 AND ledger = ? AND to_seq >= ? ORDER BY to_seq LIMIT 1", ofAuditLog, id)
		if err != nil {
			return e, false, err
		}
		if len(rows) == 1 && rows[0].FromSeq <= id {
			rows[0].FromSeq, rows[0].ToSeq = id, id
			list, err := s.eventsOf(read, rows)
			if err != nil || len(list) == 0 {
				return e, false, err
			}
			return list[0], true, nil
		}
		if ordered {
			return e, false, nil
		}
		err = s.db.Change(ctx, func(tx *gorm.DB) error {
			if _, err := dayFollower.Lock(s.db, tx); err != nil {
				return err
			}
			return s.orderEvents(tx, nil)
		})
		if err != nil {
			return e, false, err
		}
	}
}

// eventsOf reads the events of parts, in their order.
func (s *Store) eventsOf(read *gorm.DB, parts []eventPart) (list []models.Event, err error) {
	lines, err := s.linesOf(read, parts)
	if err != nil {
		return nil, err
	}
	for _, p := range parts {
		for _, e := range lines[p.Ledger] {
			if number, player := lineOf(e); player == p.PlayerID && number >= p.FromSeq && number <= p.ToSeq {
				e.Place = models.EventPlace{Part: p.Number, Line: number, Mark: p.Mark}
				list = append(list, e)
			}
		}
	}
	return list, nil
}

// lineOf returns the number of an event in its numbering, and its player.
func lineOf(e models.Event) (number, player int64) {
	switch {
	case e.Audit != nil:
		return e.Audit.ID, 0
	case e.Posting != nil:
		return e.Posting.Seq, e.Posting.PlayerID
	}
	return e.Spin.Seq, e.Spin.PlayerID
}

// linesOf reads the lines of parts, by numbering, in order.
func (s *Store) linesOf(read *gorm.DB, parts []eventPart) (map[uint8][]models.Event, error) {
	where, args, ids := map[uint8][]string{}, map[uint8][]any{}, []int64{0}
	for _, p := range parts {
		condition := "player_id = ? AND seq BETWEEN ? AND ?"
		if p.Ledger == ofAuditLog {
			condition = "0 = ? AND id BETWEEN ? AND ?"
		}
		where[p.Ledger] = append(where[p.Ledger], condition)
		args[p.Ledger] = append(args[p.Ledger], p.PlayerID, p.FromSeq, p.ToSeq)
		ids = append(ids, p.PlayerID)
	}
	any := func(of uint8) string { return "(" + strings.Join(where[of], " OR ") + ")" }
	lines := map[uint8][]models.Event{}
	var audited []models.AuditEvent
	if where[ofAuditLog] != nil {
		var err error
		audited, err = db.All[models.AuditEvent](read,
			"SELECT * FROM audit_events WHERE "+any(ofAuditLog)+" ORDER BY id", args[ofAuditLog]...)
		if err != nil {
			return nil, err
		}
		for _, e := range audited {
			ids = append(ids, e.PlayerID)
		}
	}
	of, err := players.ByNumber(read, ids)
	if err != nil {
		return nil, err
	}
	for i := range audited {
		lines[ofAuditLog] = append(lines[ofAuditLog], models.Event{Audit: &audited[i], UserID: of[audited[i].PlayerID].UserID})
	}
	if where[ofMoney] != nil {
		list, err := ledger.ReadPostings(read, ledger.SelectPostings+db.Path{Index: "postings_player"}.Hint(s.db.Dialect)+
			" WHERE free_spin = 0 AND "+any(ofMoney)+" ORDER BY player_id, seq", args[ofMoney]...)
		if err != nil {
			return nil, err
		}
		for i := range list {
			p := of[list[i].PlayerID]
			lines[ofMoney] = append(lines[ofMoney], models.Event{Posting: &list[i], UserID: p.UserID, Currency: p.Wallet.Currency})
		}
	}
	if where[ofFreeSpins] != nil {
		list, err := db.All[models.SpinEntry](read,
			"SELECT * FROM spin_entries WHERE "+any(ofFreeSpins)+" ORDER BY player_id, seq", args[ofFreeSpins]...)
		if err != nil {
			return nil, err
		}
		for i := range list {
			p := of[list[i].PlayerID]
			lines[ofFreeSpins] = append(lines[ofFreeSpins], models.Event{Spin: &list[i], UserID: p.UserID, Currency: p.Wallet.Currency})
		}
	}
	return lines, nil
}
