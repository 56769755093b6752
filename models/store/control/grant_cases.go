package control

import (
	"context"
	"fmt"
	"strconv"

	"pitboss/models"
)

// grantCases runs the rules about grants. They read the present state of grants along indexes that contain few of them, and
// skip grants that already have their case.
func (s *Store) grantCases(ctx context.Context) (opened int, err error) {
	for _, rule := range []struct {
		rule  models.CaseRule
		where string
		at    string // the column with the time of the finding
		facts func(r *caseFound) []models.CaseFact
	}{
		{models.CaseUnknownGrant, fmt.Sprintf("g.state = %d AND g.resolution = %d", models.GrantUnknown, models.Unresolved),
			"at_us", func(r *caseFound) []models.CaseFact {
				return []models.CaseFact{
					{Label: "Granted", Value: strconv.FormatInt(r.Spins, 10) + " spins"},
					{Label: "The platform",
						Value: "gave no answer that could be read. The spins may or may not have been granted."},
				}
			}},
		{models.CaseSpinsApart, fmt.Sprintf("g.apart >= %d", models.ApartForLong), "at_us",
			func(r *caseFound) []models.CaseFact {
				return []models.CaseFact{
					{Label: "Used, by the platform", Value: strconv.FormatInt(r.Used, 10)},
					{Label: "Used, by our ledger", Value: strconv.FormatInt(r.Ours, 10)},
				}
			}},
		{models.CaseDisownedGrant, "g.disowned_at_us > 0", "disowned_at_us", func(r *caseFound) []models.CaseFact {
			return []models.CaseFact{
				{Label: "Granted", Value: strconv.FormatInt(r.Spins, 10) + " spins"},
				{Label: "Used, by our ledger", Value: strconv.FormatInt(r.Ours, 10)},
				{Label: "The platform",
					Value: fmt.Sprintf("answers with result %d: it does not know a grant with this free-spin ID.",
						models.ResultUnknownGrant)},
			}
		}},
	} {
		q := `SELECT g.` + rule.at +
			` AS at_us, g.player_id, g.id AS grant_id, g.spins, g.used, g.ours, w.currency
		FROM grants g JOIN players p ON p.id = g.player_id JOIN wallets w ON w.player_id = g.player_id
			WHERE ` + rule.where + ` AND p.test = 0 AND NOT EXISTS (SELECT 1 FROM cases c WHERE c.grant_id = g.id
				AND c.rule = ?) ORDER BY g.id LIMIT ?`
		for {
			var rows []caseFound
			if err := s.db.Read.WithContext(ctx).Raw(q, rule.rule, caseLimit).Scan(&rows).Error; err != nil {
				return opened, fmt.Errorf("look for cases (%s): %w", rule.rule, err)
			}
			findings := make([]models.Finding, len(rows))
			for i := range rows {
				findings[i] = rows[i].finding(rule.rule, rule.facts(&rows[i]))
			}
			_, n, err := s.OpenCases(ctx, findings)
			if opened += n; err != nil || n == 0 || len(rows) < caseLimit {
				if err != nil {
					return opened, err
				}
				break
			}
		}
	}
	return opened, nil
}
