package app

import (
	"context"

	"pitboss/models"
)

// UnreadableSecondFactors returns how many second factors cannot be decrypted with this session key.
func (a *App) UnreadableSecondFactors(ctx context.Context) (unreadable int, err error) {
	for filter := (models.StaffFilter{Limit: 200}); ; {
		list, more, err := a.Store.ListStaff(ctx, filter)
		if err != nil {
			return unreadable, err
		}
		for _, member := range list {
			if _, err := a.Sealer.Open(member.ID, member.TOTPSecret); err != nil && member.HasTOTP() {
				unreadable++
			}
		}
		if !more {
			return unreadable, nil
		}
		filter.Page = models.Cursor{ID: list[len(list)-1].ID}
	}
}
