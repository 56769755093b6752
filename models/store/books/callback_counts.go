package books

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// countedAnswer is a row of callback_minutes: one count of one minute.
type countedAnswer struct {
	MinuteUs int64
	models.CallbackAnswer
	Answers uint64
}

// AddCallbacks adds an instance's counts to the minute of at. It updates the rows in a fixed order, so that instances do not
// deadlock.
func (s *Store) AddCallbacks(ctx context.Context, at time.Time, more models.CallbackCounts) error {
	minute := db.Micros(at.Truncate(time.Minute))
	answers := slices.SortedFunc(maps.Keys(more.Answers), func(a, b models.CallbackAnswer) int {
		return cmp.Or(cmp.Compare(a.Endpoint, b.Endpoint), cmp.Compare(a.Result, b.Result))
	})
	if len(answers) == 0 {
		return nil
	}
	return s.db.Change(ctx, func(tx *gorm.DB) error {
		var q db.Statement
		q.Begin("INSERT INTO callback_minutes (minute_us, endpoint, result, answers) VALUES ")
		for i, a := range answers {
			q.Row(i, "(?,?,?,?)", minute, a.Endpoint, a.Result, int64(more.Answers[a]))
		}
		q.Add(s.db.Dialect.OnConflict("minute_us, endpoint, result") + s.addFigures("callback_minutes", []string{"answers"}))
		return q.Exec(ctx, db.Tx(tx))
	})
}

// CallbackMinutes returns the counts of each minute that begins at or after from and before to, in order, including minutes
// without callbacks.
func (s *Store) CallbackMinutes(ctx context.Context, from, to time.Time) ([]models.CallbackMinute, error) {
	from, read := from.Truncate(time.Minute), s.db.Read.WithContext(ctx)
	var list []models.CallbackMinute
	at := map[int64]*models.CallbackMinute{}
	for minute := from; minute.Before(to); minute = minute.Add(time.Minute) {
		list = append(list, models.CallbackMinute{At: minute, CallbackCounts: noCounts()})
	}
	for i := range list {
		at[db.Micros(list[i].At)] = &list[i]
	}
	answers, err := db.Find[countedAnswer](read.Table("callback_minutes").Where("minute_us >= ? AND minute_us < ?",
		db.Micros(from), db.Micros(to)))
	if err != nil {
		return nil, err
	}
	for _, r := range answers {
		at[r.MinuteUs].Answers[r.CallbackAnswer] = r.Answers
	}
	return list, nil
}

func noCounts() models.CallbackCounts {
	return models.CallbackCounts{Answers: map[models.CallbackAnswer]uint64{}}
}

// CallbackCounts returns the total counts of the minutes that begin at or after from and before to.
func (s *Store) CallbackCounts(ctx context.Context, from, to time.Time) (models.CallbackCounts, error) {
	read, counts := s.db.Read.WithContext(ctx), noCounts()
	answers, err := db.All[countedAnswer](read, "SELECT endpoint, result, SUM(answers) AS answers FROM callback_minutes WHERE minute_us >= ? "+
		"AND minute_us < ? GROUP BY endpoint, result", db.Micros(from), db.Micros(to))
	if err != nil {
		return counts, err
	}
	for _, r := range answers {
		counts.Answers[r.CallbackAnswer] = r.Answers
	}
	return counts, nil
}

// LastCallback returns the last minute in which any instance answered a callback, or false if there is none.
func (s *Store) LastCallback(ctx context.Context) (time.Time, bool, error) {
	minute, found, err := db.One[int64](s.db.Read.WithContext(ctx).
		Raw("SELECT minute_us FROM callback_minutes WHERE endpoint <> '' ORDER BY minute_us DESC LIMIT 1"))
	return db.FromMicros(minute), found, err
}

// ForgetCallbacks deletes the counts of minutes before a time.
func (s *Store) ForgetCallbacks(ctx context.Context, before time.Time) error {
	return s.db.Change(ctx, func(tx *gorm.DB) error {
		return tx.Exec("DELETE FROM callback_minutes WHERE minute_us < ?", db.Micros(before)).Error
	})
}
