package control

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// Who is assigned to work, and how much there is.

// CountCases counts the cases that f selects, up to most. The navigation, the overview and the list of cases take their numbers
// from it.
func (s *Store) CountCases(ctx context.Context, f models.CaseFilter, most int) (n int64, err error) {
	read := s.db.Read.WithContext(ctx)
	some := s.filterCases(read.Model(&models.Case{}), f).Select("1").Limit(most)
	if err := read.Raw("SELECT COUNT(*) FROM (?) c", some).Scan(&n).Error; err != nil {
		return 0, fmt.Errorf("count cases: %w", err)
	}
	return n, nil
}

// AssignCorrection assigns a waiting correction to assignee, or to nobody if it is empty. seen is the assignee that the page
// showed. It returns models.ErrCorrectionUnknown, ErrCorrectionTaken if the assignee is now somebody other than seen, or
// an ApprovalError, also if assignee is the maker, who cannot decide it.
func (s *Store) AssignCorrection(ctx context.Context, by models.Signer, id int64, seen, assignee string) error {
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		c, err := db.Locked[models.Correction](s.db, tx, id, models.ErrCorrectionUnknown)
		if err != nil {
			return err
		}
		if err := s.staff.CheckSigner(tx, by); err != nil {
			return err
		}
		if err := c.Undecided(); err != nil {
			return err
		}
		switch {
		case c.Assignee != seen:
			return models.ErrCorrectionTaken
		case assignee != "" && assignee == c.Maker.Username:
			return models.ApprovalError{Why: models.ErrOwnRequest}
		}
		if err := tx.Model(&models.Correction{}).Where("id = ?", id).Update("assignee", assignee).Error; err != nil {
			return fmt.Errorf("write correction: %w", err)
		}
		return s.db.Record(tx, models.AuditEvent{
			Actor: by.Actor, Action: "correction assigned", Object: "correction", ObjectID: db.Numbered(id), Before: seen,
			After: assignee,
		})
	})
	if err != nil {
		return fmt.Errorf("assign correction %d: %w", id, err)
	}
	return nil
}

// requestTables are the tables of what takes two people, by the Object of their audit events: the columns of the player, of what
// decides who approves it, and of when it ends.
var requestTables = []struct{ object, table, player, about, ends string }{
	{"correction", "corrections", "player_id", "''", never}, {"campaign", "campaigns", "0", "''", "expires_at_us"},
	{"restriction", "restrictions", "player_id",
		"CASE WHEN kind = 3 AND setter_role = 'compliance' OR kind = 1 AND maker_role <> 'compliance' THEN 'compliance' " +
			"ELSE CAST(subject AS CHAR) END",
		fmt.Sprintf("CASE WHEN kind = 1 AND until_us > at_us + %d THEN at_us + %[1]d ELSE until_us END", models.MistakeFor.Microseconds())},
	{"cash-out", "cash_reviews", "player_id", "''", never},
	{"change", "change_requests", "0", "subject", never},
}

const never = "9223372036854775807"

// WaitingRequests counts the requests of some kinds that wait for a second person. Nobody has agreed yet to a cash-out of maker 0.
func (s *Store) WaitingRequests(ctx context.Context, kinds ...string) (list []models.WaitingRequests, err error) {
	for _, t := range requestTables {
		if !slices.Contains(kinds, t.object) {
			continue
		}
		found, err := db.All[models.WaitingRequests](s.db.Read.WithContext(ctx), "count waiting requests", "SELECT '"+t.object+"' AS kind, "+
			t.about+" AS about, maker_id, COUNT(*) AS n FROM "+t.table+" WHERE state = ? AND "+t.ends+" > ? GROUP BY "+t.about+", maker_id",
			models.ApprovalWaiting, db.Micros(s.db.Now()))
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

// Requests returns what a member of staff has requested of a second person, newest first and up to limit.
func (s *Store) Requests(ctx context.Context, staffID int64, limit int) ([]models.Request, error) {
	var each []string
	var args []any
	for _, t := range requestTables {
		each = append(each, "SELECT * FROM (SELECT '"+t.object+"' AS kind, id, at_us, "+t.player+" AS player_id, maker_id, maker, "+
			"maker_role, state, checker_id, checker, checker_role, decided_at_us, decision_note FROM "+t.table+
			" WHERE maker_id = ? ORDER BY at_us DESC, id DESC LIMIT ?) "+t.table)
		args = append(args, staffID, limit)
	}
	return db.All[models.Request](s.db.Read.WithContext(ctx), "list requests",
		"SELECT r.*, COALESCE(p.user_id, '') AS user_id FROM ("+strings.Join(each, " UNION ALL ")+
			") r LEFT JOIN players p ON p.id = r.player_id ORDER BY r.at_us DESC, r.kind, r.id DESC LIMIT ?", append(args, limit)...)
}

const overdueFollower = db.Follower("complaints become overdue")

// NoteOverdue records which complaints with an owner have become overdue since it was last called, each once for each due date.
func (s *Store) NoteOverdue(ctx context.Context) error {
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		position, err := overdueFollower.Lock(s.db, tx)
		if err != nil {
			return err
		}
		now := db.Micros(s.db.Now())
		if position == 0 || position > now { // nobody wants to hear of what has been overdue for long
			return overdueFollower.Move(s.db, tx, now)
		}
		var ids []int64
		err = tx.Model(&models.Case{}).Where("due_us > ? AND due_us <= ? AND state = ? AND owner <> ''", position, now, models.CaseOpen).
			Order("due_us, id").Pluck("id", &ids).Error
		if err != nil || len(ids) == 0 {
			return err
		}
		for _, id := range ids {
			c, err := db.Locked[models.Case](s.db, tx, id, models.ErrCaseUnknown)
			if err != nil {
				return err
			}
			if err := s.db.Record(tx, models.AuditEvent{Actor: models.System, Action: "case overdue", Object: "case",
				ObjectID: db.Numbered(id), After: c.Owner}); err != nil {
				return err
			}
		}
		return overdueFollower.Move(s.db, tx, now)
	})
	if err != nil {
		return fmt.Errorf("look for overdue complaints: %w", err)
	}
	return nil
}
