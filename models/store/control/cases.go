package control

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// casesAtOnce is how many findings are written in one transaction.
const casesAtOnce = 200

// OpenCases opens a case for each finding that has none yet, open or closed. It returns the case numbers of all findings, in
// the order of findings, and how many cases it opened. If another instance has the same finding at the same time, there is only
// one case.
func (s *Store) OpenCases(ctx context.Context, findings []models.Finding) (numbers []int64, opened int, err error) {
	for chunk := range slices.Chunk(findings, casesAtOnce) {
		var some []int64
		var n int
		err := s.openingCases(ctx, func(tx *gorm.DB) (err error) {
			some, n, err = s.openCases(tx, models.System, chunk)
			return err
		})
		if err != nil {
			return nil, opened, err
		}
		numbers, opened = append(numbers, some...), opened+n
	}
	return numbers, opened, nil
}

// openingCases runs a change that opens cases, and runs it again if another instance has just opened one of them.
func (s *Store) openingCases(ctx context.Context, change func(*gorm.DB) error) (err error) {
	for range 6 {
		if err = s.db.Change(ctx, change); !db.IsDuplicate(err) {
			break
		}
	}
	return err
}

type caseKey struct {
	rule   models.CaseRule
	digest models.Hash
}

// knownCases returns the numbers of the cases that findings have, open or closed.
func knownCases(q *gorm.DB, findings []models.Finding) (map[caseKey]int64, error) {
	digests, rules := make([][]byte, len(findings)), []int{}
	for i := range findings {
		digest := findings[i].Digest()
		digests[i] = digest[:]
		if rule := int(findings[i].Rule); !slices.Contains(rules, rule) {
			rules = append(rules, rule)
		}
	}
	known := map[caseKey]int64{}
	there, err := db.Find[models.Case](q.Select("id", "rule", "key_digest").Where("rule IN ? AND key_digest IN ?", rules, digests))
	for _, r := range there {
		known[caseKey{r.Rule, r.KeyDigest}] = r.ID
	}
	return known, err
}

func (s *Store) openCases(tx *gorm.DB, by models.Actor, findings []models.Finding) (numbers []int64, opened int, err error) {
	known, err := knownCases(tx, findings)
	if err != nil {
		return nil, 0, err
	}
	var rows []models.Case
	for i := range findings {
		key := caseKey{findings[i].Rule, findings[i].Digest()}
		if _, there := known[key]; !there {
			rows, known[key] = append(rows, models.Case{Finding: findings[i], KeyDigest: key.digest,
				State: models.CaseOpen, FoundAt: s.db.Now()}), 0
		}
	}
	if len(rows) > 0 {
		// Inserted together, then read back: databases differ in how they number the rows of one INSERT.
		if err := tx.Create(&rows).Error; err != nil {
			return nil, 0, err
		}
		if known, err = knownCases(tx, findings); err != nil {
			return nil, 0, err
		}
	}
	for _, row := range rows {
		id := known[caseKey{row.Rule, row.KeyDigest}]
		s.db.Begins(tx, "case", db.Numbered(id))
		about := map[string]any{"rule": row.Rule.String()}
		if !row.Due.IsZero() {
			about["due"] = models.DueDay(row.Due)
		}
		err := s.db.Record(tx, models.AuditEvent{
			Actor: by, Action: "case opened", Object: "case", ObjectID: db.Numbered(id), After: db.JsonText(about),
		})
		if err != nil {
			return nil, 0, err
		}
	}
	for i := range findings {
		numbers = append(numbers, known[caseKey{findings[i].Rule, findings[i].Digest()}])
	}
	return numbers, len(rows), nil
}

// Cases returns a page of the cases that f selects, newest first or, with f.ByDue, earliest deadline first.
func (s *Store) Cases(ctx context.Context, f models.CaseFilter) (page models.Page[models.Case], err error) {
	if page, err = db.FindPage[models.Case](s.db, s.db.Read.WithContext(ctx), caseList(f)); err != nil {
		return page, err
	}
	var players []int64
	for _, c := range page.Rows {
		if c.PlayerID != 0 {
			players = append(players, c.PlayerID)
		}
	}
	named, err := s.players.UserIDs(ctx, players)
	for i := range page.Rows {
		page.Rows[i].UserID = named[page.Rows[i].PlayerID]
	}
	return page, err
}

// caseList declares the list of cases that f selects, along the index of the condition that fewest cases match: first
// conditions on an object, then on open cases, which are few if people work on them.
func caseList(f models.CaseFilter) db.List {
	owner := f.Owner != "" || f.Unassigned
	at := func(t time.Time, index, where string) db.Filter {
		return db.If(!t.IsZero(), index, where, db.Micros(t))
	}
	list := db.List{Table: "cases", Index: "cases_found", At: "found_at_us", ID: "id", Span: f.Span}
	if f.ByDue {
		list.At, list.Up = "due_us", true
	}
	list.Span.Since, list.Span.Until = time.Time{}, time.Time{} // they are those of found_at_us in either order
	list.Filters = []db.Filter{
		db.If(len(f.IDs) > 0, db.Primary, "id IN ?", f.IDs), db.If(f.ByDue, "cases_due", ""),
		db.If(f.PlayerID != 0, "cases_player", "player_id = ?", f.PlayerID),
		db.If(len(f.Transactions) > 0, "cases_transaction", "transaction_number IN ?", f.Transactions),
		db.If(f.GrantID != 0, "cases_grant", "grant_id = ?", f.GrantID),
		db.If(f.Verification != 0, "cases_verification", "verification_id = ?", f.Verification),
		at(f.DueBefore, "cases_due", "due_us < ?"),
		db.If(f.StatementID != 0 && f.State != 0, "cases_statement_state", ""),
		db.If(f.StatementID != 0, "cases_statement", "statement_id = ?", f.StatementID),
		db.If(f.Owner != "" && f.State != 0, "cases_owner_state", ""),
		db.If(f.Rule != 0 && f.State != 0, "cases_rule", ""),
		db.If(owner && f.State != 0, "cases_owner_state", ""), db.If(owner, "cases_owner", "owner = ?", f.Owner),
		db.If(f.State == models.CaseOpen, "cases_state", ""),
		db.If(f.Currency != "", "cases_currency", "currency = ?", db.Ascii(string(f.Currency))),
		db.If(f.Rule != 0, "cases_list_rule", "rule = ?", int64(f.Rule)),
		db.If(f.State != 0, "cases_state", "state = ?", int64(f.State)),
		db.If(f.Due || f.ByDue || !f.DueBefore.IsZero(), "", "due_us > 0"),
		at(f.Since, "", "found_at_us >= ?"), at(f.Until, "", "found_at_us < ?"),
		at(f.HappenedSince, "", db.CaseHappened+" >= ?"), at(f.HappenedBefore, "", db.CaseHappened+" < ?"),
		db.If(f.UpTo != 0, "", "id <= ?", f.UpTo),
	}
	return list
}

// Case returns the case with this number and its comments, oldest first, or false if there is none.
func (s *Store) Case(ctx context.Context, id int64) (c models.Case, notes []models.CaseNote, found bool, err error) {
	c, found, err = db.One[models.Case](s.db.Read.WithContext(ctx).Where("id = ?", id))
	if err != nil || !found {
		return c, nil, false, err
	}
	if c.PlayerID != 0 {
		p, there, err := s.players.PlayerByID(ctx, c.PlayerID)
		if err != nil {
			return c, nil, false, err
		}
		if there {
			c.UserID = p.UserID
		}
	}
	if err := s.db.Read.WithContext(ctx).Where("case_id = ?", id).Order("number").Find(&notes).Error; err != nil {
		return c, nil, false, err
	}
	return c, notes, true, nil
}

// CaseBacklogs returns, for each rule with open cases, how many there are, and when the oldest was found. The riskiest rule
// comes first, as in models.CaseRules.
func (s *Store) CaseBacklogs(ctx context.Context) (list []models.CaseBacklog, err error) {
	err = s.db.Read.WithContext(ctx).Model(&models.Case{}).Select("rule, COUNT(*) AS n, MIN(found_at_us) AS oldest_us").
		Where("state = ?", models.CaseOpen).Group("rule").Scan(&list).Error
	if err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b models.CaseBacklog) int {
		return cmp.Compare(slices.Index(models.CaseRules, a.Rule), slices.Index(models.CaseRules, b.Rule))
	})
	return list, nil
}

// changeCase changes a case and records the change.
func (s *Store) changeCase(ctx context.Context, by models.Actor, id int64, action string,
	change func(*gorm.DB, *models.Case) (before, after, reason string, err error)) error {
	return s.db.Change(ctx, func(tx *gorm.DB) error { return s.changeCaseIn(tx, by, id, action, change) })
}

// changeCaseIn is changeCase in a transaction.
func (s *Store) changeCaseIn(tx *gorm.DB, by models.Actor, id int64, action string,
	change func(*gorm.DB, *models.Case) (before, after, reason string, err error)) error {
	c, err := db.Locked[models.Case](s.db, tx, id, models.ErrCaseUnknown)
	var before, after, reason string
	if err == nil {
		before, after, reason, err = change(tx, &c)
	}
	if err == nil {
		err = tx.Model(&models.Case{}).Where("id = ?", id).Updates(map[string]any{
			"state": c.State, "owner": c.Owner, "decided_by": c.DecidedBy, "decided_at_us": db.Micros(c.DecidedAt),
			"reason": c.Reason, "statement_id": c.StatementID, "due_us": db.Micros(c.Due), "amount_minor": c.Amount,
		}).Error
	}
	if err == nil {
		err = s.db.Record(tx, models.AuditEvent{Actor: by, Action: action, Object: "case",
			ObjectID: strconv.FormatInt(id, 10), Before: before, After: after, Reason: reason})
	}
	if err != nil {
		return fmt.Errorf("change case %d: %w", id, err)
	}
	return nil
}

// OwnCase makes owner, or nobody if it is empty, the owner of an open case. seen is the owner that the page showed, and why is
// a note to the new one. It returns models.ErrCaseUnknown, ErrCaseClosed, or ErrCaseTaken if the owner is no longer seen.
func (s *Store) OwnCase(ctx context.Context, by models.Actor, id int64, seen, owner, why string) error {
	return s.changeCase(ctx, by, id, "case handed over", func(_ *gorm.DB, c *models.Case) (string, string, string, error) {
		if c.State != models.CaseOpen {
			return "", "", "", models.ErrCaseClosed
		}
		if c.Owner != seen {
			return "", "", "", models.ErrCaseTaken
		}
		before := c.Owner
		c.Owner = owner
		return before, owner, why, nil
	})
}

// DecideCase closes a case. The errors are models.ErrCaseUnknown and those of models.Case.Decide.
func (s *Store) DecideCase(ctx context.Context, by models.Actor, id int64, to models.CaseState, reason string) error {
	return s.changeCase(ctx, by, id, "case closed", func(_ *gorm.DB, c *models.Case) (string, string, string, error) {
		before := c.State.String()
		err := c.Decide(by.Name, to, reason, s.db.Now())
		return before, to.String(), reason, err
	})
}

// OpenCaseGroups sums the open cases that match f by rule and currency: the oldest ones, up to most. It also returns the number
// of the newest of these cases, and whether there may be more. Others in a group counts the cases of owners other than reader.
func (s *Store) OpenCaseGroups(ctx context.Context, f models.CaseFilter, reader string,
	most int) (groups []models.CaseGroup, newest int64, more bool, err error) {
	f.State = models.CaseOpen
	read := s.db.Read.WithContext(ctx)
	oldest := s.db.Filtered(read.Model(&models.Case{}), caseList(f)).Select("id, rule, currency, amount_minor, owner").Order("found_at_us, id").
		Limit(most)
	err = read.Table("(?) c", oldest).Select("rule, currency, COUNT(*) AS n, SUM(amount_minor) AS stake, MAX(id) AS newest, "+
		"SUM(CASE WHEN owner <> '' AND owner <> ? THEN 1 ELSE 0 END) AS others", reader).Group("rule, currency").Scan(&groups).Error
	if err != nil {
		return nil, 0, false, err
	}
	slices.SortFunc(groups, func(a, b models.CaseGroup) int {
		return cmp.Or(cmp.Compare(slices.Index(models.CaseRules, a.Rule), slices.Index(models.CaseRules, b.Rule)),
			cmp.Compare(a.Currency, b.Currency))
	})
	n := int64(0)
	for _, g := range groups {
		n, newest = n+g.N, max(newest, g.Newest)
	}
	return groups, newest, n == int64(most), nil
}

// DecideCases closes the open cases that match f, oldest first and up to most, each with its own audit event, and returns how
// many it closed. It uses several transactions: after an error, the counted cases are closed and the others are still open. The
// errors are those of models.Case.Decide.
func (s *Store) DecideCases(ctx context.Context, by models.Actor, f models.CaseFilter, to models.CaseState, reason string,
	most int) (closed int, err error) {
	f.State = models.CaseOpen
	if err := (&models.Case{State: models.CaseOpen}).Decide(by.Name, to, reason, s.db.Now()); err != nil {
		return 0, err
	}
	for closed < most {
		var found, some int
		err := s.db.Change(ctx, func(tx *gorm.DB) error {
			some = 0 // of an attempt before this one
			ids, err := db.Find[int64](s.db.Filtered(tx.Model(&models.Case{}), caseList(f)).Order("found_at_us, id").
				Limit(min(db.AuditChunk, most-closed)).Select("id"))
			if err != nil {
				return err
			}
			if found = len(ids); found == 0 {
				return nil
			}
			// The IDs were read without a lock, which would block the rules. A colleague may have closed some of the cases
			// since.
			open, err := db.Find[int64](s.db.Locking(tx.Model(&models.Case{})).Where("id IN ? AND state = ?", ids, models.CaseOpen).
				Select("id"))
			if err != nil {
				return err
			}
			if some = len(open); some == 0 {
				return nil
			}
			if _, err := db.LoadMany[models.Case](s.db, tx, open); err != nil {
				return err
			}
			err = tx.Model(&models.Case{}).Where("id IN ?", open).Updates(map[string]any{
				"state": to, "decided_by": by.Name, "decided_at_us": db.Micros(s.db.Now()), "reason": reason,
			}).Error
			if err != nil {
				return err
			}
			for _, id := range open {
				err := s.db.Record(tx, models.AuditEvent{
					Actor: by, Action: "case closed", Object: "case", ObjectID: strconv.FormatInt(id, 10),
					Before: models.CaseOpen.String(), After: to.String(), Reason: reason,
				})
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return closed, err
		}
		if closed += some; found == 0 {
			break
		}
	}
	return closed, nil
}

// CommentCase adds a comment to a case, closed or not. It returns models.ErrCaseUnknown.
func (s *Store) CommentCase(ctx context.Context, by models.Actor, id int64, text string) error {
	return s.changeCase(ctx, by, id, "case commented", func(tx *gorm.DB, _ *models.Case) (string, string, string, error) {
		return "", "", "", s.addNote(tx, by, id, text)
	})
}

func (s *Store) addNote(tx *gorm.DB, by models.Actor, id int64, text string) error {
	last, err := db.Value[int64](tx, "SELECT COALESCE(MAX(number), 0) FROM case_notes WHERE case_id = ?", id)
	if err != nil {
		return err
	}
	return tx.Create(&models.CaseNote{CaseID: id, ID: last + 1, At: s.db.Now(), Actor: by.Name, Text: text}).Error
}
