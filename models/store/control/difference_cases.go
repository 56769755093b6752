package control

import (
	"context"
	"fmt"
	"strings"

	"gorm.io/gorm"

	"pitboss/models"
)

// differenceFacts returns what our ledger and the statement say.
func differenceFacts(st models.Statement, d models.Difference) []models.CaseFact {
	differ := []string{}
	if d.TheirUser != "" {
		differ = append(differ, "the player") // evidence names no player: the name would survive an erasure
	}
	d.TheirUser = ""
	if words := d.Words(); words != "" {
		differ = append(differ, words)
	}
	difference := d.Bucket.String()
	if len(differ) > 0 {
		difference += ": " + strings.Join(differ, "; ")
	}
	side := func(s models.StatementSide) string {
		if !s.There {
			return "nothing"
		}
		text := d.Kind.String()
		if s.FreeSpin {
			text = "free spin"
		}
		if !s.NoAmount {
			text = strings.TrimSpace(text + " of " + s.Amounts() + " " + string(s.Currency))
		}
		if word := s.Standing.String(); word != "" {
			text += ", " + word
		}
		return text
	}
	remedy := d.Remedy.String()
	if d.RemedyAmount != 0 {
		remedy = strings.TrimSpace(remedy + " " + d.RemedyAmount.Grouped() + " " + string(d.Currency))
	}
	facts := []models.CaseFact{
		{Label: "Difference", Value: difference}, {Label: "Ours", Value: side(d.Ours)},
		{Label: "Theirs", Value: side(d.Theirs)}, {Label: "If theirs is right", Value: remedy},
	}
	source := st.FileName
	if d.Line != 0 {
		source += fmt.Sprintf(", line %d", d.Line)
	}
	return append(facts, models.CaseFact{Label: "Statement", Value: source})
}

// otherDifferences is the case of all differences of a file that have none of their own: nobody looks at thousands of cases, and
// a file for the wrong day, or a forged one, would hide all others among them.
func otherDifferences(st models.Statement) models.Finding {
	return models.Finding{
		Rule: models.CaseStatement, Key: fmt.Sprintf("statement %d: others", st.ID), At: st.At, StatementID: st.ID,
		Facts: []models.CaseFact{
			{Label: "Difference", Value: fmt.Sprintf("the file has more than %d: this case is for all the others",
				models.MostStatementCases)},
			{Label: "What to do", Value: "check that it is the right file, read in the right way; its page lists every difference"},
			{Label: "Statement", Value: st.FileName},
		},
	}
}

// OpenDifferenceCases opens a case for each difference of a run, except those that a neighboring statement may explain, and
// returns how many it opened. The differences after the first models.MostStatementCases share one case. A difference that an
// earlier run found keeps its case.
func (s *Store) OpenDifferenceCases(ctx context.Context, st models.Statement, runID int64) (opened int, err error) {
	var after models.Cursor
	found := 0
	for more := true; more; {
		var list []models.Difference
		if list, more, err = s.Differences(ctx, models.DifferenceFilter{RunID: runID, After: after, Limit: 500}); err != nil ||
			len(list) == 0 {
			return opened, err
		}
		var findings []models.Finding
		var of []int64
		for _, d := range list {
			after = models.Cursor{At: d.At, ID: d.Number}
			if d.Edge {
				continue
			}
			of = append(of, d.Number)
			if found++; found > models.MostStatementCases {
				findings = append(findings, otherDifferences(st))
				continue
			}
			findings = append(findings, models.Finding{
				Rule: models.CaseStatement, Key: fmt.Sprintf("%s %d %d", d.TransactionID, d.Kind, d.Bucket), At: d.At,
				PlayerID: d.PlayerID, Transaction: d.OurNumber,
				TransactionID: d.TransactionID, StatementID: st.ID, Amount: d.RemedyAmount, Currency: d.Currency,
				Facts: differenceFacts(st, d),
			})
		}
		numbers, n, err := s.OpenCases(ctx, findings)
		opened += n
		if err != nil {
			return opened, err
		}
		err = s.db.Change(ctx, func(tx *gorm.DB) error {
			for i, number := range of {
				if err := tx.Exec("UPDATE statement_differences SET case_id = ? WHERE run_id = ? AND number = ?", numbers[i],
					runID, number).Error; err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return opened, fmt.Errorf("note the cases of differences: %w", err)
		}
	}
	return opened, nil
}
