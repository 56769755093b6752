package players

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"pitboss/models"
	"pitboss/models/store/db"
)

// MinPart is the fewest characters that are found anywhere in an ID. Fewer find only IDs that begin with them.
const MinPart = 3

// maxCompared is the most IDs that are compared with the text.
const maxCompared = 2000

type playerName struct {
	id     int64
	user   string
	folded string
}

// SearchPlayers returns up to limit players whose user ID contains text, in upper or lower case, or begins and ends like a
// shortened ID. An exact match comes first, then IDs that begin with the text, then the others. It reads the index of user IDs:
// a range of it for the beginning, all of it for a part that few IDs have.
func (s *Store) SearchPlayers(ctx context.Context, text string, limit int) (found models.Found[models.Player], err error) {
	found, err = s.searchPlayers(ctx, text, limit)
	return found, err
}

func (s *Store) searchPlayers(ctx context.Context, text string, limit int) (found models.Found[models.Player], err error) {
	folded := models.Folded(text)
	pattern := models.ParseIDPattern(text)
	if pattern.IsZero() || strings.ContainsRune(text, 0) || !utf8.ValidString(text) {
		return found, nil
	}
	var names []playerName
	more := false
	look := func(condition string, args ...any) error {
		before := len(names)
		err := db.Each(s.db.Read.WithContext(ctx), func(r *sql.Rows) error {
			n := playerName{}
			if err := r.Scan(&n.id, &n.user); err != nil {
				return err
			}
			n.folded = models.Folded(n.user)
			names = append(names, n)
			return nil
		}, "SELECT id, user_id FROM players WHERE "+condition+" ORDER BY user_id LIMIT ?", append(args, maxCompared+1)...)
		more = more || len(names)-before > maxCompared
		return err
	}
	if pattern.Tail == "" {
		for _, p := range pattern.Cases() {
			if err := look("user_id >= ? AND user_id <= ?", p.Head, p.Head+LastText); err != nil {
				return found, err
			}
		}
	}
	if utf8.RuneCountInString(pattern.Head+pattern.Tail) >= MinPart {
		if err := look(s.like(pattern)); err != nil {
			return found, err
		}
	}
	pattern = models.ParseIDPattern(folded)
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
	rows, err := db.All[models.Player](s.db.Read.WithContext(ctx), SelectPlayers+" WHERE p.id IN ?", ids)
	if err != nil {
		return found, err
	}
	slices.SortFunc(rows, func(a, b models.Player) int { return cmp.Compare(slices.Index(ids, a.ID), slices.Index(ids, b.ID)) })
	found.Rows = append(found.Rows, rows...)
	return found, nil
}

// like returns a condition for IDs that contain the text of a pattern, in upper or lower case, or begin and end like a
// shortened ID, and its argument. On MySQL, letters with and without accents are the same to it.
func (s *Store) like(p models.IDPattern) (condition, arg string) {
	any, quoted := "%", func(text string) string { return strings.NewReplacer("!", "!!", "%", "!%", "_", "!_").Replace(text) }
	condition = "CONVERT(user_id USING utf8mb4) COLLATE utf8mb4_general_ci LIKE ? ESCAPE '!'"
	if s.db.Dialect == db.SQLite { // whose LIKE knows only the case of ASCII
		any, quoted, condition = "*", globbed, "user_id GLOB ?"
	}
	if p.Tail != "" {
		return condition, quoted(p.Head) + any + quoted(p.Tail)
	}
	return condition, any + quoted(p.Head) + any
}

// globbed returns a pattern of SQLite's GLOB that text matches in upper and lower case.
func globbed(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch lower, upper := unicode.ToLower(r), unicode.ToUpper(r); {
		case lower != upper:
			b.WriteString("[" + string(lower) + string(upper) + "]")
		case strings.ContainsRune("*?[", r):
			b.WriteString("[" + string(r) + "]")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
