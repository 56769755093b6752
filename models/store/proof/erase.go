package proof

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// Erasing a player's personal data. The ledger stays: it has internal IDs, amounts and the platform's transaction IDs, and only
// the player's row says whose they are. The audit chain has salted digests of its texts, so a text can be erased without
// breaking the chain.

// Erased says what ErasePlayer erased.
type Erased struct {
	Player        models.Player // with the new name
	AuditTexts    int           // texts of audit events that named the player
	CallbackLines int64         // of the callback log
	Differences   int64         // of statements
	CaseTexts     int64         // comments on cases, and reasons for closing them
}

// ErrNotErasable means that the player may play or still has money.
var ErrNotErasable = errors.New("only a player who is restricted from play and has a balance of 0.00 can be erased: restrict " +
	"the player, and pay out what is left and what cash-outs hold, first")

// ErasePlayer replaces a player's user ID with a meaningless name. It erases the texts of audit events, lines of the callback
// log and differences of statements that contain the old name, and the comments of staff on the player's cases. Its audit event
// does not contain the old name. It marks the wallet as erased under the wallet's lock: after the commit, every instance
// answers that the player is unknown, and books nothing to the wallet. It returns models.ErrPlayerUnknown, ErrNotErasable, or
// an error of the database.
func (s *Store) ErasePlayer(ctx context.Context, by models.Actor, user models.UserID, reason string) (e Erased, err error) {
	var refused error
	err = s.db.Unguarding(ctx, "UPDATE", []string{"audit_events"}, func(ctx context.Context) error {
		err := s.db.Change(ctx, func(tx *gorm.DB) (err error) {
			e, err = s.erase(tx, by, user, reason)
			return err
		})
		if errors.Is(err, models.ErrPlayerUnknown) || errors.Is(err, ErrNotErasable) {
			refused, err = err, nil // retrying would not help
		}
		return err
	})
	err = errors.Join(err, refused)
	return e, err
}

func (s *Store) erase(tx *gorm.DB, by models.Actor, user models.UserID, reason string) (e Erased, err error) {
	var rows []struct {
		ID, BalanceMinor, HeldMinor int64
		Restricted                  bool
	}
	err = tx.Raw("SELECT p.id, w.play_from_us > ? AS restricted, w.balance_minor, w.held_minor "+
		"FROM players p JOIN wallets w ON w.player_id = p.id "+
		"WHERE w.erased = 0 AND p.user_id = ?"+s.db.Dialect.ForUpdate(), db.Micros(s.db.Now()), user).Scan(&rows).Error
	switch {
	case err != nil:
		return e, err
	case len(rows) == 0:
		return e, models.ErrPlayerUnknown
	case !rows[0].Restricted || rows[0].BalanceMinor != 0 || rows[0].HeldMinor != 0:
		return e, ErrNotErasable
	}
	id := rows[0].ID
	if _, _, err := db.Load[models.Player](s.db, tx, id); err != nil {
		return e, err
	}
	e.Player = models.Player{ID: id, UserID: models.ErasedName(id)}
	if err := tx.Exec("UPDATE players SET user_id = ?, language = '', zone = '' WHERE id = ?", e.Player.UserID, id).Error; err != nil {
		return e, err
	}
	if err := s.ledger.KeepErased(tx, user); err != nil {
		return e, err
	}
	if err := tx.Exec("UPDATE wallets SET erased = 1 WHERE player_id = ?", id).Error; err != nil {
		return e, err
	}
	if e.AuditTexts, err = s.eraseTexts(tx, id, string(user)); err != nil {
		return e, err
	}
	texts, err := s.eraseCases(tx, id, string(user), &e)
	if err != nil {
		return e, err
	}
	lines := tx.Exec("DELETE FROM callback_records WHERE user_id = ?", user)
	differences := tx.Exec("UPDATE statement_differences SET user_id = ? WHERE user_id = ?", e.Player.UserID, user)
	theirs := tx.Exec("UPDATE statement_differences SET their_user = ? WHERE their_user = ?", e.Player.UserID, user)
	if err := errors.Join(lines.Error, differences.Error, theirs.Error); err != nil {
		return e, err
	}
	e.CallbackLines, e.Differences = lines.RowsAffected, differences.RowsAffected
	if err := s.eraseRestrictions(tx, by, id); err != nil {
		return e, err
	}
	for _, of := range texts {
		if err := s.db.Record(tx,
			models.AuditEvent{Actor: by, Action: "case texts erased", Object: "case", ObjectID: of}); err != nil {
			return e, err
		}
	}
	return e, s.db.Record(tx,
		models.AuditEvent{Actor: by, Action: "player erased", Object: "player", ObjectID: fmt.Sprint(id), Reason: reason,
			After: string(e.Player.UserID)})
}

// eraseRestrictions erases the reasons of the player's restrictions. Their kinds and times stay, because a casino must be able
// to prove a self-exclusion for years.
func (s *Store) eraseRestrictions(tx *gorm.DB, by models.Actor, player int64) error {
	ids, err := db.All[int64](tx, "SELECT id FROM restrictions WHERE player_id = ? ORDER BY id", player)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if _, _, err := db.Load[models.Restriction](s.db, tx, id); err != nil {
			return err
		}
		if err := tx.Exec("UPDATE restrictions SET reason = '', end_reason = '', decision_note = '' WHERE id = ?", id).
			Error; err != nil {
			return err
		}
		if err := s.db.Record(tx, models.AuditEvent{Actor: by, Action: "restriction texts erased", Object: "restriction",
			ObjectID: db.Numbered(id)}); err != nil {
			return err
		}
	}
	return nil
}

// eraseCases verifies the cases that have texts about the player, erases these texts, and returns the cases.
func (s *Store) eraseCases(tx *gorm.DB, player int64, user string, e *Erased) (ids []string, err error) {
	var found []struct {
		Case   string
		Number int64 // of a comment; 0 for the reason and the reference
		Own    bool  // it is a case of the player
		Text   string
	}
	like := containing(user)
	err = tx.Raw(`SELECT id AS "case", 0 AS number, player_id = ? AS own, reason AS text FROM cases
		WHERE (reason <> '' OR reference <> '') AND player_id = ? OR reason LIKE ? ESCAPE '!'
		UNION ALL SELECT n.case_id, n.number, c.player_id = ?, n.body FROM case_notes n JOIN cases c ON c.id = n.case_id
		WHERE n.body <> '' AND (c.player_id = ? OR n.body LIKE ? ESCAPE '!')`,
		player, player, like, player, player, like).Scan(&found).Error
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, f := range found {
		if !f.Own && !names(f.Text, user) {
			continue
		}
		if !seen[f.Case] {
			seen[f.Case] = true
			ids = append(ids, f.Case)
			if _, _, err := db.Load[models.Case](s.db, tx, f.Case); err != nil {
				return nil, err
			}
		}
		erased := tx.Exec("UPDATE case_notes SET body = '' WHERE case_id = ? AND number = ?", f.Case, f.Number)
		if f.Number == 0 {
			erased = tx.Exec("UPDATE cases SET reason = '' WHERE id = ? AND reason <> ''", f.Case)
		}
		if erased.Error != nil {
			return nil, fmt.Errorf("erase the texts of case %s: %w", f.Case, erased.Error)
		}
		e.CaseTexts += erased.RowsAffected
	}
	references := tx.Exec("UPDATE cases SET reference = '' WHERE reference <> '' AND player_id = ?", player)
	e.CaseTexts += references.RowsAffected
	return ids, references.Error
}

// names reports whether a text names a player: it is the ID, JSON with the ID as a value, or a sentence with the ID as a whole
// word. Ordinary sentences contain short words and numbers, so there an ID needs three characters with a letter among them, or
// five digits. Otherwise the erasure of a player called "1" would erase half of the audit log.
func names(text, user string) bool {
	if text == user {
		return true
	}
	var value any
	if (strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[")) && json.Unmarshal([]byte(text), &value) == nil {
		return namedIn(value, user)
	}
	least := 5
	if strings.ContainsFunc(user, unicode.IsLetter) {
		least = 3
	}
	return utf8.RuneCountInString(user) >= least &&
		regexp.MustCompile(`(^|[^\pL\pN_-])`+regexp.QuoteMeta(user)+`($|[^\pL\pN_-])`).MatchString(text)
}

// namedIn reports whether one of the texts in a JSON value names the player.
func namedIn(value any, user string) bool {
	switch v := value.(type) {
	case string:
		return names(v, user)
	case []any:
		return slices.ContainsFunc(v, func(of any) bool { return namedIn(of, user) })
	case map[string]any:
		for _, of := range v {
			if namedIn(of, user) {
				return true
			}
		}
	}
	return false
}

// containing returns the LIKE pattern for texts that contain this one, with wildcards escaped by !.
func containing(text string) string {
	return "%" + db.LikeLiteral.Replace(text) + "%"
}

// eraseTexts erases the texts of audit events that name the player, and the texts of staff about the player or the player's
// cases and restrictions.
func (s *Store) eraseTexts(tx *gorm.DB, id int64, user string) (n int, err error) {
	var found []models.AuditLine
	like := containing(user)
	err = tx.Raw(`SELECT * FROM audit_events WHERE player_id = ? AND (object IN ('player', 'restriction') OR action = 'case closed')
		OR before_text LIKE ? ESCAPE '!' OR after_text LIKE ? ESCAPE '!' OR reason LIKE ? ESCAPE '!'`,
		id, like, like, like).Scan(&found).Error
	if err != nil {
		return 0, err
	}
	for _, l := range found {
		about := l.Object == "player" && l.PlayerID == id
		theirs := l.PlayerID == id && (l.Object == "case" || l.Object == "restriction")
		texts := l.Texts()
		changed := false
		if about && l.Stated() { // the erasure's own event covers the row from now on
			s.db.Chain.EraseState(&l)
			changed = true
		}
		for _, t := range []models.AuditText{models.AuditBefore, models.AuditAfter, models.AuditReason} {
			if texts[t] == "" || !about && !(theirs && t == models.AuditReason) && !names(texts[t], user) {
				continue
			}
			l.Salts[t] = s.db.Chain.Erased(&l, t)
			switch t {
			case models.AuditBefore:
				l.Before = ""
			case models.AuditAfter:
				l.After = ""
			case models.AuditReason:
				l.Reason = ""
			}
			changed = true
			n++
		}
		if !changed {
			continue
		}
		err := tx.Exec("UPDATE audit_events SET before_text = ?, after_text = ?, reason = ?, salts = ? WHERE id = ?",
			l.Before, l.After, l.Reason, l.Salts, l.ID).Error
		if err != nil {
			return n, err
		}
	}
	return n, nil
}
