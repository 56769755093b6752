package app

import (
	"context"

	"pitboss/models"
)

// UnreadableSecondFactors returns how many second factors cannot be decrypted with this session key.
func (a *App) UnreadableSecondFactors(ctx context.Context) (unreadable int, err error) {
	for page, err := range models.List(models.StaffFilter{}, 0, a.Store.ListStaff, models.Staff.Place).Pages(ctx, 200) {
		if err != nil {
			return unreadable, err
		}
		for _, member := range page.Rows {
			if _, err := a.Sealer.Open(member.ID, member.TOTPSecret); err != nil && member.HasTOTP() {
				unreadable++
			}
		}
	}
	return unreadable, nil
}
