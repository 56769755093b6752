package control

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"pitboss/models"
	"pitboss/models/store/db"
)

// ledgerCases opens a case for each wallet and each other chain in which a verification found faults. A later verification
// opens another case only if it finds other faults.
func (s *Store) ledgerCases(ctx context.Context, from, until int64, open func([]models.Finding) error) error {
	runs, err := db.Find[models.VerificationRun](s.db.Read.WithContext(ctx).
		Where("finished_at_us >= ? AND finished_at_us < ? AND faults > 0", from, until).
		Order("finished_at_us"))
	for i := 0; err == nil && i < len(runs); i++ {
		err = open(findings(&runs[i]))
	}
	return err
}

// OpenFault opens a case, once, for a fault of the ledger or of a row that the audit log covers, and reports whether the case
// is new. finder says who found the fault, such as "a page"; player is 0 if it concerns none.
func (s *Store) OpenFault(ctx context.Context, player int64, where, fault, finder string) (bool, error) {
	_, opened, err := s.OpenCases(ctx, []models.Finding{{Rule: models.CaseLedgerFault, At: s.db.Now(), PlayerID: player,
		Key: "found\n" + where + "\n" + fault,
		Facts: []models.CaseFact{{Label: "Where", Value: where}, {Label: "Does not hold", Value: fault},
			{Label: "Found by", Value: finder}}}})
	return opened > 0, err
}

// findings returns a verification's findings, one for each wallet and chain.
func findings(v *models.VerificationRun) (list []models.Finding) {
	if v.Report == nil {
		return nil
	}
	add := func(player int64, what, where string, faults []string, total int) {
		f := models.Finding{Rule: models.CaseLedgerFault, At: v.FinishedAt, PlayerID: player, Verification: v.ID, Key: what}
		f.Facts = append(f.Facts, models.CaseFact{Label: "Where", Value: where})
		for _, fault := range faults {
			f.Key += "\n" + lastingFault(fault)
			f.Facts = append(f.Facts, models.CaseFact{Label: "Does not hold", Value: fault})
		}
		if total > len(faults) {
			f.Facts = append(f.Facts, models.CaseFact{Label: "And", Value: strconv.Itoa(total-len(faults)) + " more"})
		}
		list = append(list, f)
	}
	for _, w := range v.Report.Faulty {
		player := w.PlayerID
		if w.UserID == "" {
			player = 0 // the wallet's player no longer exists
		}
		wallet := fmt.Sprintf("wallet %d", w.PlayerID)
		add(player, wallet, wallet, w.Faults, w.Total)
	}
	for _, chain := range []struct {
		what, where string
		found       models.ChainFaults
	}{
		{"audit", "the audit log", v.Report.Audit}, {"rows", "rows that the audit log covers", v.Report.Rows},
		{"figures", "the sums of days and minutes", v.Report.Figures}, {"checkpoints", "the checkpoints", v.Report.Written},
	} {
		if chain.found.Total > 0 {
			add(0, chain.what, chain.where, chain.found.Faults, chain.found.Total)
		}
	}
	if more := v.Faults - int64(v.Report.Faults()); more > 0 {
		add(0, "others", strconv.FormatInt(more, 10)+" more wallets", nil, 0)
	}
	return list
}

var faultNumbers = regexp.MustCompile(`\d+`)

// lastingFault returns a fault without the parts that change with play, such as the end of a chain, the balance and the number
// of tombstones. So the next verification describes the same fault in the same words.
func lastingFault(fault string) string {
	fault, _, _ = strings.Cut(fault, ": the head is ")
	fault, _, _ = strings.Cut(fault, ", which is ")
	if strings.HasPrefix(fault, "the ") {
		fault = faultNumbers.ReplaceAllString(fault, "")
	}
	return fault
}
