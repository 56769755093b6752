package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/players"
	"pitboss/models/store/spins"
)

// Finding transactions, rounds, grants, complaints and refused callbacks by their IDs. Each search reads a range of an index
// that exists for another reason too, so searches cost callbacks nothing.

const (
	lookAlongKeys = 50_000 // how many IDs are compared with both ends of a shortened one
	maxNames      = 2000   // the most IDs of rounds and refused callbacks that are read for one text
)

// indexEntry is a row's number and the ID that the platform gave it.
type indexEntry struct {
	ID   int64
	Name string
}

// keyed says where IDs of one kind are stored.
type keyed struct{ number, column, table, condition string }

var (
	platformTransactions = keyed{"id", "transaction_id", "postings",
		fmt.Sprintf("source = %d AND claim = 1", models.SourcePlatform)}
	ownTransactions = keyed{"id", "transaction_id", "postings", fmt.Sprintf("source = %d AND claim = 1", models.SourceOwn)}
	cash            = keyed{"id", "transaction_id", "postings", fmt.Sprintf("source = %d AND claim = 1", models.SourceClient)}
	playedRounds    = keyed{"id", "round_id", "postings", "round_id <> ''"}
	grantedSpins    = keyed{"id", "free_spin_id", "grants", "free_spin_id IS NOT NULL"}
	complaints      = keyed{"id", "reference", "cases", "reference <> ''"}
	// refusedCallbacks had no effect. Lines about callbacks that are not in the log have no transaction ID.
	refusedCallbacks = keyed{"0", "transaction_id", "callback_records",
		fmt.Sprintf("verdict > %d AND transaction_id <> ''", models.Applied)}
)

// keysLike returns up to most entries whose ID matches the pattern, in the order of IDs, and whether there may be more. A
// shortened ID is only looked for among the last lookAlongKeys IDs with its beginning: the newest ones, if IDs ascend with
// time.
func (s *Store) keysLike(ctx context.Context, k keyed, p models.IDPattern, most int) (rows []indexEntry, more bool, err error) {
	from := fmt.Sprintf("SELECT %s AS id, %s AS name FROM %s WHERE %s AND %[2]s >= ? AND %[2]s <= ? ORDER BY %[2]s", k.number,
		k.column, k.table, k.condition)
	query, args := from+" LIMIT ?", []any{p.Head, p.Head + players.LastText, most + 1}
	if p.Tail != "" {
		length := len(p.Tail)
		if s.db.Dialect == db.SQLite || k == complaints { // columns of characters, not of bytes
			length = utf8.RuneCountInString(p.Tail)
		}
		query = "SELECT id, name FROM (" + from + " DESC LIMIT ?) m WHERE SUBSTR(name, ?) = ? LIMIT ?"
		args = []any{p.Head, p.Head + players.LastText, lookAlongKeys, -length, p.Tail, most + 1}
	}
	found, err := db.All[indexEntry](s.db.Read.WithContext(ctx), query, args...)
	if err != nil {
		return nil, false, err
	}
	rows = slices.DeleteFunc(found, func(r indexEntry) bool { return !p.Matches(r.Name) })
	slices.SortFunc(rows, func(a, b indexEntry) int { return cmp.Or(strings.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID)) })
	if more = len(rows) > most; more {
		rows = rows[:most]
	}
	return rows, more, nil
}

// keysTyped looks in several places for text: as it was typed and, so that capitals do not matter, in lower and in upper case.
// Like keysLike, it returns the entries and whether there may be more.
func (s *Store) keysTyped(ctx context.Context, text string, most int,
	places ...keyed) (rows []indexEntry, more bool, err error) {
	pattern := models.ParseIDPattern(text)
	if pattern.IsZero() || strings.ContainsRune(text, 0) || !utf8.ValidString(text) {
		return nil, false, nil
	}
	for _, p := range pattern.Cases() {
		for _, k := range places {
			some, also, err := s.keysLike(ctx, k, p, most)
			if err != nil {
				return nil, false, err
			}
			for _, r := range some {
				if p == pattern || !pattern.Matches(r.Name) {
					rows = append(rows, r)
				}
			}
			more = more || also
		}
	}
	return rows, more, nil
}

// search returns up to limit rows whose ID begins with text or, if text is a shortened ID, begins and ends like it. read reads
// rows by their numbers, and number returns the number of one.
func search[T any](ctx context.Context, s *Store, text string, limit int, read func([]int64) ([]T, error), number func(T) int64,
	places ...keyed) (found models.Found[T], err error) {
	keys, more, err := s.keysTyped(ctx, text, limit, places...)
	if err != nil || len(keys) == 0 {
		return found, err
	}
	found.More = more || len(keys) > limit
	var ids []int64
	for _, k := range keys[:min(len(keys), limit)] {
		ids = append(ids, k.ID)
	}
	if found.Rows, err = read(ids); err != nil {
		return found, err
	}
	slices.SortStableFunc(found.Rows, func(a, b T) int {
		return cmp.Compare(slices.Index(ids, number(a)), slices.Index(ids, number(b)))
	})
	return found, nil
}

// SearchTransactions returns up to limit transactions by their IDs; see search.
func (s *Store) SearchTransactions(ctx context.Context, text string, limit int) (models.Found[models.TransactionLine], error) {
	return search(ctx, s, text, limit,
		func(ids []int64) ([]models.TransactionLine, error) { return s.TransactionLines(ctx, ids) },
		func(t models.TransactionLine) int64 { return t.ID }, platformTransactions, ownTransactions, cash)
}

// SearchGrants returns up to limit grants by their free-spin IDs; see search.
func (s *Store) SearchGrants(ctx context.Context, text string, limit int) (models.Found[models.Grant], error) {
	return search(ctx, s, text, limit, func(ids []int64) (rows []models.Grant, err error) {
		return rows, spins.SelectGrants(s.db.Read.WithContext(ctx)).Where("t.id IN ?", ids).Scan(&rows).Error
	}, func(g models.Grant) int64 { return g.ID }, grantedSpins)
}

// SearchComplaints returns up to limit cases of complaints by their references; see search.
func (s *Store) SearchComplaints(ctx context.Context, text string, limit int) (models.Found[models.Case], error) {
	return search(ctx, s, text, limit, func(ids []int64) (rows []models.Case, err error) {
		for _, id := range ids {
			c, _, there, err := s.Case(ctx, id)
			if err != nil {
				return nil, err
			}
			if there {
				rows = append(rows, c)
			}
		}
		return rows, nil
	}, func(c models.Case) int64 { return c.ID }, complaints)
}

// SearchRounds returns up to limit rounds whose ID begins with text or, if text is a shortened ID, begins and ends like it.
func (s *Store) SearchRounds(ctx context.Context, text string, limit int) (found models.Found[models.Round], err error) {
	entries, more, err := s.keysTyped(ctx, text, maxNames, playedRounds)
	if err != nil || len(entries) == 0 {
		return found, err
	}
	names := distinct(entries)
	found.More = more || len(names) > limit
	names = names[:min(len(names), limit)]
	var rows []struct {
		PlayerID int64
		RoundID  string
	}
	if err := s.db.Read.WithContext(ctx).Raw("SELECT DISTINCT player_id, round_id FROM postings WHERE round_id IN ? LIMIT ?",
		names, limit).Scan(&rows).Error; err != nil {
		return found, err
	}
	keys := make([]players.RoundKey, len(rows))
	for i, r := range rows {
		keys[i] = players.RoundKey{Player: r.PlayerID, ID: models.RoundID(r.RoundID)}
	}
	slices.SortFunc(keys, func(a, b players.RoundKey) int {
		return cmp.Or(cmp.Compare(slices.Index(names, string(a.ID)), slices.Index(names, string(b.ID))),
			cmp.Compare(a.Player, b.Player))
	})
	rounds, err := s.ReadRounds(ctx, keys)
	if err != nil {
		return found, err
	}
	for _, k := range keys {
		if r, ok := rounds[k]; ok {
			found.Rows = append(found.Rows, r)
		}
	}
	return found, nil
}

// distinct returns the IDs of entries, each once, in their order.
func distinct(entries []indexEntry) (names []string) {
	seen := map[string]bool{}
	for _, e := range entries {
		if !seen[e.Name] {
			seen[e.Name], names = true, append(names, e.Name)
		}
	}
	return names
}

// SearchRefused returns the latest callback of up to limit transactions that were refused and never took effect, and whose ID
// begins with text or, if text is a shortened ID, begins and ends like it. Refused callbacks of an applied transaction are on
// that transaction's page.
func (s *Store) SearchRefused(ctx context.Context, text string, limit int) (found models.Found[models.Callback], err error) {
	entries, more, err := s.keysTyped(ctx, text, maxNames, refusedCallbacks)
	if err != nil || len(entries) == 0 {
		return found, err
	}
	names := distinct(entries)
	var refused []string
	for chunk := range slices.Chunk(names, maxNames) {
		applied := map[string]bool{}
		known, err := db.All[string](s.db.Read.WithContext(ctx),
			"SELECT transaction_id FROM postings WHERE claim = 1 AND source = ? AND transaction_id IN ?", models.SourcePlatform, chunk)
		if err != nil {
			return found, err
		}
		for _, name := range known {
			applied[name] = true
		}
		for _, name := range chunk {
			if !applied[name] {
				refused = append(refused, name)
			}
		}
	}
	found.More = more || len(refused) > limit
	for _, name := range refused[:min(len(refused), limit)] {
		page, err := s.Callbacks(ctx, models.CallbackFilter{TransactionID: models.TransactionID(name), Refused: true,
			Span: models.Span{Limit: 1}})
		if err != nil {
			return found, err
		}
		found.Rows = append(found.Rows, page.Rows...)
	}
	return found, nil
}
