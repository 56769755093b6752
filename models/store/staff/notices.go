package staff

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// Notices follow the audit log. Its events get their numbers while its head is locked, so a reader that has reached a number
// has missed none below it. The position is stored in the same transaction as the notices.

const (
	noticeFollower = db.Follower("notices follow the audit log")
	// followedEvents is how many events are read in one transaction.
	followedEvents = 1000
)

// NoticeRules returns which events notices are sent about.
func (s *Store) NoticeRules(ctx context.Context) (models.NoticeRules, error) {
	return s.readNoticeRules(s.db.Read.WithContext(ctx))
}

func (s *Store) readNoticeRules(tx *gorm.DB) (models.NoticeRules, error) {
	return db.SettingOf(s.db, tx, models.NoticeRulesSetting, models.DefaultNoticeRules)
}

// SetNoticeRules changes which events notices are sent about, from now on. It returns models.ErrNoticeKind.
func (s *Store) SetNoticeRules(ctx context.Context, by models.Actor, rules models.NoticeRules) error {
	if err := rules.Check(); err != nil {
		return err
	}
	return s.SetSetting(ctx, by, models.NoticeRulesSetting, db.JsonText(rules), "")
}

// noticeReach is how far back the first call of FollowNotices looks.
const noticeReach = time.Hour

// FollowNotices writes a notice for each new event that calls for one, to people if mails is true, and reports whether there
// may be more. The first call, and a call whose position was changed or deleted in the database, leaves out events that are
// older than noticeReach. No event gets two notices.
func (s *Store) FollowNotices(ctx context.Context, mails bool) (more bool, err error) {
	err = s.db.Change(ctx, func(tx *gorm.DB) error {
		more = false
		position, err := noticeFollower.Lock(s.db, tx)
		if err != nil {
			return err
		}
		last, err := db.Value[int64](tx, "SELECT seq FROM audit_head WHERE id = 1")
		if err != nil {
			return err
		}
		to := min(last, position+followedEvents)
		if position == 0 {
			err := tx.Raw("SELECT COALESCE(MAX(id), 0) FROM audit_events WHERE at_us < ?", db.Micros(s.db.Now().Add(-noticeReach))).
				Scan(&position).Error
			if err != nil {
				return err
			}
			to = min(last, position+followedEvents)
		}
		clients, err := db.All[models.APIClient](tx,
			"SELECT * FROM api_clients WHERE webhook <> '' AND revoked_at_us = 0 ORDER BY id")
		if err != nil {
			return err
		}
		if to > position {
			objects := []string{""}
			for _, c := range clients {
				objects = append(objects, c.Events...)
			}
			rows, err := db.Find[models.AuditEvent](tx.Where("id > ? AND id <= ? AND (action IN ? OR object IN ? OR channel = ?)",
				position, to, models.NoticeActions, objects,
				models.ChannelCommandLine).
				Where("id NOT IN (SELECT event_id FROM notices WHERE event_id > ?)", position).Order("id"))
			if err != nil {
				return err
			}
			if err := s.writeNotices(tx, rows, mails, clients); err != nil {
				return err
			}
		}
		more = to < last
		return noticeFollower.Move(s.db, tx, to)
	})
	return more, err
}

func (s *Store) writeNotices(tx *gorm.DB, events []models.AuditEvent, mails bool, clients []models.APIClient) error {
	rules, err := s.readNoticeRules(tx)
	if err != nil {
		return err
	}
	waiting, err := waitingRequests(tx, events)
	if err != nil {
		return err
	}
	var told []models.Notice
	cases := map[string]int64{} // by rule
	for _, e := range events {
		kind, rule, is := models.NoticeOf(e)
		if !is || !rules.Tells(kind) || rules.Quiets(rule) || kind == models.NoticeRequest && !waiting[e.Object+e.ObjectID] {
			continue
		}
		if kind == models.NoticeCase {
			cases[rule]++
		}
		if e.Action == "setting changed" {
			e.ObjectID = "" // a setting has a name, not a number
		}
		told = append(told, models.Notice{
			At: e.At, EventID: e.ID, Kind: kind, ObjectID: e.ObjectID, Detail: rule, Many: 1,
			State: models.NoticeWaiting, Next: s.db.Now(),
		})
	}
	var rows []models.Notice
	for _, row := range told {
		if n := cases[row.Detail]; row.Kind == models.NoticeCase && n > models.CasesToldEach {
			row.ObjectID, row.Many = "", n
			cases[row.Detail] = -1 // the first notice is about all of them
		} else if n < 0 {
			continue
		}
		if mails {
			row.Channel = models.NoticeMail
			rows = append(rows, row)
		}
	}
	for _, e := range events {
		for _, c := range clients {
			if slices.Contains(c.Events, e.Object) && !e.IsView() {
				rows = append(rows, models.Notice{At: e.At, EventID: e.ID, Kind: models.NoticeEvent, ObjectID: e.ObjectID,
					Detail: e.Action, Many: 1, Channel: models.NoticeClient, ClientID: c.ID, State: models.NoticeWaiting, Next: s.db.Now()})
			}
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return tx.CreateInBatches(rows, 500).Error
}

// waitingRequests returns the requests of these events that still wait for a decision, by their object and ID. A campaign
// within the limits never waits, and somebody may have decided a request since.
func waitingRequests(tx *gorm.DB, events []models.AuditEvent) (map[string]bool, error) {
	asked := map[string][]string{} // by object
	for _, e := range events {
		if kind, _, is := models.NoticeOf(e); is && kind == models.NoticeRequest {
			asked[e.Object] = append(asked[e.Object], e.ObjectID)
		}
	}
	waiting := map[string]bool{}
	for object, all := range asked {
		for chunk := range slices.Chunk(all, 500) {
			ids, err := db.All[int64](tx, "SELECT id FROM "+requestTables[object]+" WHERE id IN ? AND state = ?",
				chunk, models.ApprovalWaiting)
			if err != nil {
				return nil, err
			}
			for _, id := range ids {
				waiting[object+strconv.FormatInt(id, 10)] = true
			}
		}
	}
	return waiting, nil
}

// RequestTestNotice queues a notice, so that somebody can see whether it arrives.
func (s *Store) RequestTestNotice(ctx context.Context, by models.Actor) error {
	return s.db.Change(ctx, func(tx *gorm.DB) error {
		now := s.db.Now()
		row := models.Notice{At: now, Kind: models.NoticeTest, Many: 1, Channel: models.NoticeMail, State: models.NoticeWaiting, Next: now}
		if err := tx.Create(&row).Error; err != nil {
			return err
		}
		// It has no event. Its own number, negated, stands in for the event's.
		if err := tx.Model(&models.Notice{}).Where("id = ?", row.ID).Update("event_id", -row.ID).Error; err != nil {
			return err
		}
		return s.db.Record(tx, models.AuditEvent{Actor: by, Action: "test notice requested", Object: "notice"})
	})
}

// requestTables are the tables of the requests about which there are notices, by the Object of their audit events.
var requestTables = map[string]string{"correction": "corrections", "campaign": "campaigns",
	"restriction": "restrictions", "cash-out": "cash_reviews"}

// NoticeReaders returns the e-mail addresses that a notice goes to besides the configured ones. Notices about staff, limits and
// the command line go to all administrators except the one who made the change. Those about an older database also go to
// finance and compliance, and those about an ended self-exclusion to compliance. Those about the work of somebody whose account
// was disabled go to colleagues with the same role. Those about an assignment or something overdue go only to the assignee, and
// those about a decision to whoever made the request or set the restriction, unless they want no such e-mails.
func (s *Store) NoticeReaders(ctx context.Context, n models.Notice) ([]string, error) {
	if n.Kind.Personal() {
		read, list := s.db.Read.WithContext(ctx), []string{}
		query, args := "audit_events e ON s.username = e.after_text WHERE e.id = ?", []any{n.EventID}
		if n.Kind == models.NoticeDecided {
			object, err := db.Value[string](read, "SELECT object FROM audit_events WHERE id = ?", n.EventID)
			if err != nil {
				return nil, err
			}
			table, known := requestTables[object]
			if !known {
				return nil, nil
			}
			concerned := "s.id = r.maker_id"
			if object == "restriction" {
				concerned = "s.id IN (r.maker_id, r.setter_id) AND s.id <> r.checker_id"
			}
			query, args = table+" r ON "+concerned+" WHERE r.id = ?", []any{n.ObjectID}
		}
		err := read.Raw("SELECT s.email FROM staff s JOIN "+query+" AND s.disabled = 0 AND s.quiet = 0 AND s.email <> ''", args...).
			Scan(&list).Error
		return list, err
	}
	roles := []string{string(models.Administrator)}
	switch n.Kind {
	case models.NoticeStaff, models.NoticeLimits, models.NoticeCommand:
	case models.NoticeLeft:
		roles = nil
		if err := s.db.Read.WithContext(ctx).Raw("SELECT role FROM staff WHERE id = ?", n.ObjectID).Scan(&roles).Error; err != nil {
			return nil, err
		}
	case models.NoticeMistake:
		roles = append(roles, string(models.Compliance))
	case models.NoticeRestore:
		roles = append(roles, string(models.Finance), string(models.Compliance))
	case models.NoticeRequest:
		return s.approvers(ctx, n)
	default:
		return nil, nil
	}
	return db.All[string](s.db.Read.WithContext(ctx), `SELECT email FROM staff WHERE role IN ? AND disabled = 0 AND email <> ''
		AND username NOT IN (SELECT actor FROM audit_events WHERE id = ? AND channel <> ?) ORDER BY id`, roles, n.EventID,
		uint8(models.ChannelCommandLine))
}

// approvers returns the addresses of those who may decide a waiting request, except its maker and people who want no such
// e-mails.
func (s *Store) approvers(ctx context.Context, n models.Notice) (list []string, err error) {
	rule := map[string]models.ApprovalRule{"correction": models.CorrectionRule, "campaign": models.ExceptionRule,
		"cash-out": models.CashReviewRule}[n.Detail]
	if n.Detail == "restriction" {
		r, _, err := db.One[models.Restriction](s.db.Read.WithContext(ctx).Where("id = ?", n.ObjectID))
		if err != nil {
			return nil, err
		}
		rule = r.Rule()
	}
	return db.All[string](s.db.Read.WithContext(ctx), "SELECT email FROM staff WHERE role IN ? AND disabled = 0 AND quiet = 0 "+
		"AND email <> '' AND id NOT IN (SELECT maker_id FROM "+requestTables[n.Detail]+" WHERE id = ?) ORDER BY id", rule.Checkers, n.ObjectID)
}

// DueNotices lists notices that are due, longest due first: up to limit of those to people, and of each client's.
func (s *Store) DueNotices(ctx context.Context, limit int) ([]models.Notice, error) {
	return db.All[models.Notice](s.db.Read.WithContext(ctx), "SELECT * FROM (SELECT n.*, "+
		"ROW_NUMBER() OVER (PARTITION BY client_id ORDER BY next_us, id) AS place FROM notices n WHERE state = ? AND next_us <= ?) d WHERE place <= ? ORDER BY next_us, id",
		models.NoticeWaiting, db.Micros(s.db.Now()), limit)
}

// maxNoticeError is how much of an error is kept, in characters.
const maxNoticeError = 300

// NoteNotice records the result of sending a notice: failure is nil if it was accepted, and a models.PartlySentError if only
// some recipients were. A failed notice waits longer after each try until it is given up.
func (s *Store) NoteNotice(ctx context.Context, n models.Notice, failure error) error {
	return s.db.Change(ctx, func(tx *gorm.DB) error {
		now := s.db.Now()
		values := map[string]any{"tries": n.Tries + 1, "state": models.NoticeSent, "sent_at_us": db.Micros(now), "error": ""}
		if failure != nil {
			words := []rune(failure.Error())
			values["error"] = string(words[:min(len(words), maxNoticeError)])
		}
		if partly := (models.PartlySentError{}); failure != nil && !errors.As(failure, &partly) {
			values["sent_at_us"] = int64(0)
			values["state"], values["next_us"] = models.NoticeWaiting, db.Micros(now.Add(models.NoticeBackoff(n.Tries+1)))
			if n.Tries+1 >= models.MaxNoticeTries {
				values["state"] = models.NoticeFailed
			}
		}
		return tx.Model(&models.Notice{}).Where("id = ? AND state = ?", n.ID, models.NoticeWaiting).Updates(values).Error
	})
}

// RetryNotice makes a notice that failed, or that waits for another try, due at once, with all its tries left; a client's
// notice, even if it was sent. client is 0 for notices to people. It returns models.ErrNoticeUnknown if there is no such
// notice, or if it was already sent to people.
func (s *Store) RetryNotice(ctx context.Context, by models.Actor, client, id int64) error {
	return s.db.Change(ctx, func(tx *gorm.DB) error {
		done := tx.Model(&models.Notice{}).Where("id = ? AND client_id = ? AND (client_id > 0 OR state IN ?)", id, client,
			[]any{models.NoticeFailed, models.NoticeWaiting}).
			Updates(map[string]any{"state": models.NoticeWaiting, "tries": 0, "next_us": db.Micros(s.db.Now()), "sent_at_us": 0,
				"error": ""})
		if done.Error != nil {
			return done.Error
		}
		if done.RowsAffected == 0 {
			return models.ErrNoticeUnknown
		}
		return s.db.Record(tx, models.AuditEvent{Actor: by, Action: "notice sent again", Object: "notice",
			ObjectID: strconv.FormatInt(id, 10)})
	})
}

// Notices returns a page of the notices that f selects, the newest first.
func (s *Store) Notices(ctx context.Context, f models.NoticeFilter) (models.Page[models.Notice], error) {
	list := db.List{Table: "notices", At: "at_us", ID: "id", Span: f.Span, Filters: []db.Filter{
		db.If(f.State != 0, "notices_state", "state = ?", f.State), db.If(true, "notices_client", "client_id = ?", f.ClientID)}}
	return db.FindPage[models.Notice](s.db, s.db.Read.WithContext(ctx), list)
}

// noticesPurged is how many notices are deleted in one transaction.
const noticesPurged = 1000

// PurgeNotices deletes the notices from before a time, except those that are still to be sent.
func (s *Store) PurgeNotices(ctx context.Context, before time.Time) error {
	for {
		ids, err := db.Find[int64](s.db.Read.WithContext(ctx).Model(&models.Notice{}).Where("at_us < ? AND state <> ?",
			db.Micros(before), models.NoticeWaiting).Order("at_us").Limit(noticesPurged).Select("id"))
		if err != nil || len(ids) == 0 {
			return err
		}
		if err := s.db.Change(ctx, func(tx *gorm.DB) error {
			return tx.Where("id IN ?", ids).Delete(&models.Notice{}).Error
		}); err != nil {
			return err
		}
	}
}
