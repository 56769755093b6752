package pages

import (
	"context"
	"slices"

	"pitboss/models"
)

// LastVerification returns the newest verification that has a report, if one of the last five has.
func (s *Site) LastVerification(ctx context.Context) (models.VerificationRun, bool, error) {
	runs, err := s.Store.VerificationRuns(ctx, models.Span{Limit: 5})
	if err != nil {
		return models.VerificationRun{}, false, err
	}
	i := slices.IndexFunc(runs.Rows, func(r models.VerificationRun) bool { return r.Report != nil })
	if i < 0 {
		return models.VerificationRun{}, false, nil
	}
	return runs.Rows[i], true, nil
}
