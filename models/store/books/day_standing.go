package books

import (
	"context"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// DayStanding returns what the signer of a day sees besides its figures: the newest delivered checkpoint written after the
// day's end, the newest verification and its faults, the platform's statements of the day, the numbers of open cases and of
// grants with an unknown outcome, and the open days that the signature would close too. It also returns the open cases before,
// on and after the day.
func (s *Store) DayStanding(ctx context.Context, day models.ClosedDay) (models.DaySignature, models.DayCases, error) {
	return s.dayStanding(s.db.Read.WithContext(ctx), day)
}

func (s *Store) dayStanding(tx *gorm.DB, day models.ClosedDay) (d models.DaySignature, n models.DayCases, err error) {
	from, until := db.Micros(day.From), db.Micros(day.Until)
	err = tx.Raw(`SELECT COALESCE((SELECT MAX(number) FROM checkpoints WHERE at_us >= ? AND kept_at_us > 0), 0) AS checkpoint,
			COALESCE((SELECT MAX(id) FROM verifications WHERE state = ?), 0) AS verification,
			COALESCE((SELECT faults FROM verifications WHERE state = ? AND (faults > 0 OR `+db.WholeRun+`) ORDER BY id DESC LIMIT 1), 0) AS faults,
			(SELECT COUNT(*) FROM grants WHERE state = ? AND resolution = ?) AS unknown_grants`,
		until, models.JobFinished, models.JobFinished, models.GrantUnknown, models.Unresolved).Scan(&d).Error
	if err != nil {
		return d, n, err
	}
	err = tx.Raw("SELECT COALESCE(SUM(CASE WHEN "+db.CaseHappened+" < ? THEN 1 ELSE 0 END), 0) AS earlier, "+
		"COALESCE(SUM(CASE WHEN "+db.CaseHappened+" >= ? AND "+db.CaseHappened+" < ? THEN 1 ELSE 0 END), 0) AS of_day, "+
		"COALESCE(SUM(CASE WHEN "+db.CaseHappened+" >= ? THEN 1 ELSE 0 END), 0) AS later FROM cases WHERE state = ?",
		from, from, until, until, models.CaseOpen).Scan(&n).Error
	if err != nil {
		return d, n, err
	}
	d.OpenCases = n.Earlier + n.OfDay
	if d.Statements, err = signedStatements(tx, day); err != nil {
		return d, n, err
	}
	d.Earlier, err = s.earlierDays(tx, day)
	return d, n, err
}

// ClosedSince returns how many of the open cases and of the grants with an unknown outcome that a signer of a day saw have been
// resolved since the signature.
func (s *Store) ClosedSince(ctx context.Context, day models.ClosedDay, signed models.DaySignature) (n models.ClosedSince, err error) {
	at := db.Micros(signed.At)
	return db.Value[models.ClosedSince](s.db.Read.WithContext(ctx),
		"SELECT (SELECT COUNT(*) FROM cases WHERE decided_at_us >= ? AND found_at_us < ? AND "+
			db.CaseHappened+" < ?) AS cases, (SELECT COUNT(*) FROM grants WHERE state = ? AND resolved_at_us >= ? AND at_us < ?) AS grants",
		at, at, db.Micros(day.Until), models.GrantUnknown, at, at)
}

// earlierDays returns the open days before a day that is not closed yet.
func (s *Store) earlierDays(tx *gorm.DB, day models.ClosedDay) (list []models.Day, err error) {
	first, found, err := s.firstToClose(tx)
	if err != nil || !found || day.Digest != "" {
		return nil, err
	}
	for d := first; d < day.Day; d = d.Add(1) {
		list = append(list, d)
	}
	return list, nil
}

// signedStatements reads the newest statements of the platform that cover a day or a part of it, as a signer sees them.
func signedStatements(tx *gorm.DB, day models.ClosedDay) ([]models.SignedStatement, error) {
	found, err := db.Find[models.Statement](tx.Where("client_id = 0 AND since_us < ? AND until_us > ?",
		db.Micros(day.Until), db.Micros(day.From)).Order("at_us DESC, id DESC").Limit(models.StatementsOfDay))
	if err != nil {
		return nil, err
	}
	list := []models.SignedStatement{} // GORM would store none as NULL
	for _, st := range found {
		var run models.StatementRun
		if err := tx.Where("statement_id = ?", st.ID).Order("id DESC").Limit(1).Find(&run).Error; err != nil {
			return nil, err
		}
		seen := models.SignedStatement{ID: st.ID, Whole: st.Covers(day)}
		if run.State == models.JobFinished {
			seen.Run, seen.Differences, seen.NotCompared = run.ID, run.Differences, run.BadLines
		}
		list = append(list, seen)
	}
	return list, nil
}
