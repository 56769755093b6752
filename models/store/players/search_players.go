package players

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// Finding players by any part of their ID.
//
// An index of user IDs only finds IDs by their beginning, and reading a million IDs at each key press is too slow. So
// player_parts has a row for each position in an ID, with the rest of the ID from there. Every part of an ID is the beginning
// of one of these rows, so it is found in one short range of an index, whatever its length and however many players there are.
// This works on both databases; MariaDB has no index for parts of words. Creating a player writes these rows in the same
// transaction, and erasing a player replaces them. Callbacks never write them.

const (
	PartsAtOnce   = 5000   // rows of player_parts per statement, well within SQLite's limit of parameters
	maxPieces     = 8      // the most parts of a long text that are looked up
	MaxCompared   = 2000   // the most IDs that are compared with the text
	LookAlongKeys = 50_000 // how many IDs are compared with both ends of a shortened one
)

// addParts makes new players searchable.
func addParts(ctx context.Context, tx db.Execer, players []models.NewPlayer, numbers map[models.UserID]int64) error {
	type row struct {
		part   string
		player int64
	}
	var rows []row
	for _, p := range players {
		for _, part := range models.PartsOf(p.UserID) {
			rows = append(rows, row{part, numbers[p.UserID]})
		}
	}
	slices.SortFunc(rows, func(a, b row) int {
		return cmp.Or(strings.Compare(a.part, b.part),
			cmp.Compare(a.player, b.player))
	})
	var q db.Statement
	for chunk := range slices.Chunk(rows, PartsAtOnce) {
		q.Begin("INSERT INTO player_parts (part, player_id) VALUES ")
		for i, r := range chunk {
			q.Row(i)
			q.String(r.part).Comma().Number(r.player).Text(")")
		}
		if err := q.Exec(ctx, tx); err != nil {
			return fmt.Errorf("write parts of user IDs: %w", err)
		}
	}
	return nil
}

// ReplaceParts makes a player searchable by the new ID instead of the old one.
func ReplaceParts(ctx context.Context, tx *gorm.DB, id int64, old, now models.UserID) error {
	for _, part := range models.PartsOf(old) {
		if err := tx.Exec("DELETE FROM player_parts WHERE part = ? AND player_id = ?", part, id).Error; err != nil {
			return fmt.Errorf("delete parts of a user ID: %w", err)
		}
	}
	return addParts(ctx, db.Tx(tx), []models.NewPlayer{{UserID: now}}, map[models.UserID]int64{now: id})
}

// partRange is a range of parts, compared byte by byte.
type partRange struct{ from, to string }

func beginningWith(text string) partRange { return partRange{text, text + LastText} }

// rangesOf returns ranges such that every matching ID has a part in each of them. A text that fits into one part has one range.
func rangesOf(p models.IDPattern) (list []partRange) {
	if p.Tail != "" {
		if p.Head != "" {
			list = append(list, beginningWith(models.PartBeginning+models.CutPart(p.Head)))
		}
		last := p.Tail
		for i := range p.Tail {
			if len(p.Tail)-i <= models.MaxPartBytes {
				last = p.Tail[i:]
				break
			}
		}
		return append(list, partRange{last, last}) // exact, because nothing follows the end of an ID
	}
	if len(p.Head) <= models.MaxPartBytes {
		return []partRange{beginningWith(p.Head)}
	}
	var starts []int
	for i := range p.Head {
		if starts = append(starts, i); len(p.Head)-i <= models.MaxPartBytes {
			break
		}
	}
	step := max(1, (len(starts)+maxPieces-1)/maxPieces)
	for i := len(starts) - 1; i >= 0; i -= step {
		list = append(list, beginningWith(models.CutPart(p.Head[starts[i]:])))
	}
	return list
}

type playerName struct {
	id     int64
	user   string
	folded string
}

// SearchPlayers returns up to limit players whose user ID contains text, in upper or lower case, or begins and ends like a
// shortened ID. An exact match comes first, then IDs that begin with the text, then the others.
func (s *Store) SearchPlayers(ctx context.Context, text string, limit int) (found models.Found[models.Player], err error) {
	found, err = s.searchPlayers(ctx, text, limit)
	if err != nil {
		return found, fmt.Errorf("search players: %w", err)
	}
	return found, nil
}

func (s *Store) searchPlayers(ctx context.Context, text string, limit int) (found models.Found[models.Player], err error) {
	folded := models.Folded(text)
	pattern := models.ParseIDPattern(folded)
	if pattern.IsZero() || strings.ContainsRune(text, 0) {
		return found, nil
	}
	names, more, err := s.namesIn(ctx, rangesOf(pattern))
	if err != nil {
		return found, err
	}
	if more && pattern.Tail == "" {
		// IDs that begin with the text come first, but may not be among the first of the many that contain it.
		beginning, _, err := s.namesIn(ctx, []partRange{beginningWith(models.PartBeginning + models.CutPart(folded))})
		if err != nil {
			return found, err
		}
		names = append(names, beginning...)
	}
	if exact, there, err := s.Player(ctx, models.UserID(text)); err != nil {
		return found, err
	} else if there {
		names = append(names, playerName{exact.ID, text, folded})
	}
	rank := func(n playerName) int {
		switch {
		case n.user == text:
			return 0
		case n.folded == folded:
			return 1
		case strings.HasPrefix(n.folded, folded):
			return 2
		}
		return 3
	}
	names = slices.DeleteFunc(names, func(n playerName) bool {
		return rank(n) > 2 && !(pattern.Tail != "" && pattern.Matches(n.folded)) && !strings.Contains(n.folded, folded)
	})
	slices.SortFunc(names, func(a, b playerName) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a.user, b.user), cmp.Compare(a.id, b.id))
	})
	names = slices.Compact(names)
	found.More = more || len(names) > limit
	ids := make([]int64, 0, limit)
	for _, n := range names[:min(len(names), limit)] {
		ids = append(ids, n.id)
	}
	if len(ids) == 0 {
		return found, nil
	}
	var rows []models.Player
	if err := s.db.Read.WithContext(ctx).Raw(SelectPlayers+" WHERE p.id IN ?", ids).Scan(&rows).Error; err != nil {
		return found, err
	}
	slices.SortFunc(rows, func(a, b models.Player) int { return cmp.Compare(slices.Index(ids, a.ID), slices.Index(ids, b.ID)) })
	found.Rows = append(found.Rows, rows...)
	return found, nil
}

// namesIn returns the players with a part in the most selective of the ranges, and whether there are more than it read.
func (s *Store) namesIn(ctx context.Context, ranges []partRange) (names []playerName, more bool, err error) {
	rarest, fewest := 0, MaxCompared+1
	for i, r := range ranges {
		if len(ranges) == 1 {
			break
		}
		var n int
		err := s.db.Read.WithContext(ctx).
			Raw("SELECT COUNT(*) FROM (SELECT 1 FROM player_parts WHERE part >= ? AND part <= ? LIMIT ?) m", r.from, r.to,
				fewest).Scan(&n).Error
		if err != nil {
			return nil, false, err
		}
		if n < fewest {
			rarest, fewest = i, n
		}
		if n == 0 {
			return nil, false, nil
		}
	}
	rows := 0
	err = db.Each(s.db.Read.WithContext(ctx), func(r *sql.Rows) error {
		n := playerName{}
		if err := r.Scan(&n.id, &n.user); err != nil {
			return err
		}
		rows++
		n.folded = models.Folded(n.user)
		names = append(names, n)
		return nil
	}, `SELECT m.player_id, p.user_id FROM (SELECT player_id FROM player_parts WHERE part >= ? AND part <= ?
		ORDER BY part, player_id LIMIT ?) m JOIN players p ON p.id = m.player_id`,
		ranges[rarest].from, ranges[rarest].to, MaxCompared+1)
	return names, rows > MaxCompared, err
}
