package pages

import (
	"context"

	"pitboss/models"
)

// LastVerification returns the newest of the last fifty verifications that read the whole ledger or found faults. If there is
// none, it returns the newest one with a report. A verification that read only a part and found nothing proves nothing about
// the rest.
func (s *Site) LastVerification(ctx context.Context) (last models.VerificationRun, found bool, err error) {
	runs, err := s.Store.VerificationRuns(ctx, models.Span{Limit: 50})
	for _, r := range runs.Rows {
		switch {
		case r.Report == nil:
		case r.Report.Since == 0 || r.Faults > 0:
			return r, true, nil
		case !found:
			last, found = r, true
		}
	}
	return last, found, err
}
