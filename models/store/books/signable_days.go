package books

import (
	"context"
	"fmt"
	"slices"

	"pitboss/models"
	"pitboss/models/store/db"
)

// SignableDays returns up to limit days that the signer by can sign now, newest first: those of UnsignedDays that ended long
// enough ago and were not signed, for the other role, by somebody tied to this signer.
func (s *Store) SignableDays(ctx context.Context, by models.Signer, limit int) ([]models.Day, error) {
	read := s.db.Read.WithContext(ctx)
	list, err := db.Once(read, fmt.Sprintf("days that %s can sign, up to %d", by.Name, limit), func() ([]models.Day, error) {
		return s.signableDays(ctx, by, limit)
	})
	return slices.Clone(list), err
}

func (s *Store) signableDays(ctx context.Context, by models.Signer, limit int) ([]models.Day, error) {
	rules, err := s.dayRules(s.db.Read.WithContext(ctx))
	if err != nil {
		return nil, err
	}
	days, err := s.unsignedDays(ctx, models.DayOf(s.db.Now(), rules.zone), by.Role, limit)
	if err != nil || len(days) == 0 {
		return nil, err
	}
	var rows []struct {
		Day, Role, SignedBy string
		StaffID             int64
	}
	err = s.db.Read.WithContext(ctx).Raw(`SELECT g.day, g.role, g.signed_by, COALESCE(f.id, 0) AS staff_id FROM day_signatures g
		LEFT JOIN staff f ON f.username = g.signed_by WHERE g.day >= ? AND g.day <= ?`, string(days[len(days)-1]),
		string(days[0])).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read signatures: %w", err)
	}
	signed := map[models.Day]models.ClosedDay{}
	for _, r := range rows {
		d := signed[models.Day(r.Day)]
		d.Signed = append(d.Signed, models.DaySignature{Role: models.Role(r.Role), By: r.SignedBy, StaffID: r.StaffID})
		signed[models.Day(r.Day)] = d
	}
	ties, err := s.staff.ReadTies(s.db.Read.WithContext(ctx))
	if err != nil {
		return nil, err
	}
	var list []models.Day
	for _, day := range days {
		d := signed[day]
		if !s.db.Now().Before(day.End(rules.zone).Add(models.DayRest)) && d.CheckSigner(by, ties) == nil {
			list = append(list, day)
		}
	}
	return list, nil
}
