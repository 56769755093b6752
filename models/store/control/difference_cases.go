package control

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// differenceFacts returns the evidence of our ledger and of the statement.
func differenceFacts(st models.Statement, d models.Difference) []models.CaseFact {
	differ := []string{}
	if d.TheirUser != "" {
		differ = append(differ, "the player") // evidence names no player: the name would survive an erasure
	}
	d.TheirUser = ""
	if words := d.Words(); words != "" {
		differ = append(differ, words)
	}
	difference := d.Name()
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
		{Label: "Difference", Value: difference}, {Label: "Here", Value: side(d.Ours)},
		{Label: strings.ToUpper(d.Other()[:1]) + d.Other()[1:], Value: side(d.Theirs)},
		{Label: "If the " + d.Other() + " is right", Value: remedy},
	}
	source := st.FileName
	if d.Line != 0 {
		source += fmt.Sprintf(", line %d", d.Line)
	}
	return append(facts, models.CaseFact{Label: "Statement", Value: source})
}

// otherDifferences is the one case of all further differences of a file. Nobody reads thousands of cases, and a file for the
// wrong day, or a forged one, would bury all other cases.
func otherDifferences(st models.Statement) models.Finding {
	return models.Finding{
		Rule: models.CaseStatement, Key: fmt.Sprintf("statement %d: others", st.ID), At: st.At, StatementID: st.ID,
		Facts: []models.CaseFact{
			{Label: "Difference", Value: fmt.Sprintf("the file has more than %d: this case is for all the others",
				models.MaxStatementCases)},
			{Label: "What to do", Value: "check that it is the right file, read in the right way; its page lists every difference"},
			{Label: "Statement", Value: st.FileName},
		},
	}
}

// OpenDifferenceCases opens a case for each difference of a run, except those that a neighboring statement may explain, and
// returns how many it opened. The differences after the first models.MaxStatementCases share one case. A difference that an
// earlier run found keeps its case.
func (s *Store) OpenDifferenceCases(ctx context.Context, st models.Statement, run models.StatementRun) (opened int, err error) {
	found := 0
	differences := models.List(models.DifferenceFilter{RunID: run.ID}, s.statements.Differences, models.Difference.Place)
	for page, err := range differences.Pages(ctx, 500) {
		if err != nil {
			return opened, err
		}
		var findings []models.Finding
		var of []int64
		for _, d := range page.Rows {
			if d.Edge || d.OnlyCase() {
				continue
			}
			of = append(of, d.Number)
			if found++; found > models.MaxStatementCases {
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
					run.ID, number).Error; err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return opened, err
		}
		if err := s.reopenCases(ctx, st, run.ID, numbers); err != nil {
			return opened, err
		}
	}
	if err := s.withdrawSettled(ctx, st, run); err != nil {
		return opened, err
	}
	baseless, err := s.openBaseless(ctx, st, run)
	return opened + baseless, err
}

// openBaseless opens a case for each booked credit or debit whose difference the run no longer shows. Corrections under the
// platform's transaction ID are compared like other transactions, and would be differences themselves.
func (s *Store) openBaseless(ctx context.Context, st models.Statement, run models.StatementRun) (int, error) {
	read := s.db.Read.WithContext(ctx)
	gone, err := db.Find[models.Case](s.db.Filtered(read, db.List{Table: "cases", Index: "cases_rule"}).Select("cases.*").
		Joins("JOIN statements o ON o.id = statement_id AND o.client_id = ?", st.ClientID).
		Where("rule = ? AND state = ? AND cases.at_us >= ? AND cases.at_us < ?", models.CaseStatement, models.CaseAdjusted,
			db.Micros(st.Since), db.Micros(st.Ends())).
		Where("NOT EXISTS (SELECT 1 FROM statement_differences d WHERE d.transaction_id = cases.transaction_id AND d.run_id = ?)", run.ID).
		Order("cases.id"))
	if err != nil {
		return 0, err
	}
	var findings []models.Finding
	for _, c := range gone {
		made, err := s.CorrectionsOfCase(ctx, c)
		if err != nil {
			return 0, err
		}
		for _, k := range made {
			if k.State != models.ApprovalApproved || !k.Kind.Adjusts() {
				continue
			}
			f := models.Finding{Rule: models.CaseBaselessCorrection, Key: fmt.Sprintf("correction %d", k.ID), At: k.DecidedAt,
				PlayerID: k.PlayerID, TransactionID: models.AdjustmentID(k.ID), StatementID: st.ID, Amount: k.Amount, Currency: k.Currency,
				Facts: []models.CaseFact{
					{Label: "Correction", Value: fmt.Sprintf("%d: %s of %s %s", k.ID, k.Kind, k.Amount.Grouped(), k.Currency)},
					{Label: "Made for", Value: fmt.Sprintf("case %d, a difference of statement %d", c.ID, c.StatementID)},
					{Label: "No longer shown by", Value: fmt.Sprintf("statement %d, %s", st.ID, st.FileName)},
				}}
			err := read.Raw("SELECT id FROM postings WHERE source = ? AND transaction_id = ? AND claim = 1", models.SourceOwn,
				f.TransactionID).Scan(&f.Transaction).Error
			if err != nil {
				return 0, err
			}
			findings = append(findings, f)
		}
	}
	_, opened, err := s.OpenCases(ctx, findings)
	return opened, err
}

// reopenCases reopens closed cases whose differences another file shows too, and cases that an earlier comparison of this file
// withdrew. A note says how they had been closed. A correction settles a difference of its amount in every file.
func (s *Store) reopenCases(ctx context.Context, st models.Statement, run int64, numbers []int64) error {
	var closed []struct{ ID, RemedyMinor int64 }
	err := s.db.Read.WithContext(ctx).Raw(`SELECT c.id, COALESCE(d.remedy_minor, c.amount_minor) AS remedy_minor FROM cases c
		LEFT JOIN statements o ON o.id = c.statement_id
		LEFT JOIN statement_differences d ON d.run_id = ? AND d.transaction_id = c.transaction_id AND d.case_id = c.id AND c.transaction_id <> ''
		WHERE c.id IN ? AND c.state <> ? AND (o.digest <> ? OR c.state = ? AND c.decided_by = ?)
		AND (c.state <> ? OR d.remedy_minor IS NULL OR d.remedy_minor <> c.amount_minor) ORDER BY c.id`, run, numbers,
		models.CaseOpen, st.Digest, models.CaseWithdrawn, models.System.Name, models.CaseAdjusted).Scan(&closed).Error
	if err != nil {
		return err
	}
	for _, one := range closed {
		id := one.ID
		err := s.changeCase(ctx, models.System, id, "case opened again",
			func(tx *gorm.DB, c *models.Case) (before, after, reason string, err error) {
				before = c.State.String()
				text := fmt.Sprintf("Opened again: statement %d shows the same difference. Before, it was %s by %s: %s", st.ID,
					before, c.DecidedBy, c.Reason)
				c.State, c.StatementID, c.Owner, c.DecidedBy, c.DecidedAt, c.Reason = models.CaseOpen, st.ID, "", "", time.Time{}, ""
				c.Amount = models.Amount(one.RemedyMinor)
				return before, c.State.String(), "", s.addNote(tx, models.System, id, text)
			})
		if err != nil {
			return err
		}
	}
	return nil
}

// withdrawSettled withdraws the open cases of a file that this comparison no longer shows, unless another file does. It
// withdraws none if fewer lines than before could be compared, because the missing lines may have the differences.
func (s *Store) withdrawSettled(ctx context.Context, st models.Statement, run models.StatementRun) error {
	read := s.db.Read.WithContext(ctx)
	before, err := db.All[int64](read, `SELECT r.bad_lines FROM statement_runs r JOIN statements o ON o.id = r.statement_id
		WHERE o.digest = ? AND r.state = ? AND r.id < ? ORDER BY r.id DESC LIMIT 1`, st.Digest, models.JobFinished, run.ID)
	if err != nil {
		return err
	}
	if len(before) == 0 || run.BadLines > before[0] {
		return nil
	}
	settled, err := db.All[int64](read, `SELECT c.id FROM cases c WHERE c.rule = ? AND c.state = ?
		AND c.statement_id IN (SELECT id FROM statements WHERE digest = ?)
		AND (c.transaction_id = '' AND NOT EXISTS (SELECT 1 FROM statement_differences d WHERE d.run_id = ? AND d.case_id = c.id)
		OR c.transaction_id <> '' AND NOT EXISTS (SELECT 1 FROM statement_differences d
			WHERE d.transaction_id = c.transaction_id AND d.run_id = ? AND (d.case_id = c.id OR d.edge = 1))
		AND NOT EXISTS (SELECT 1 FROM statement_differences d JOIN statement_runs r ON r.id = d.run_id
			JOIN statements o ON o.id = r.statement_id
			WHERE d.transaction_id = c.transaction_id AND d.case_id = c.id AND o.digest <> ? AND r.id = (SELECT MAX(n.id)
				FROM statement_runs n WHERE n.statement_id = r.statement_id AND n.state = ?))) ORDER BY c.id`,
		models.CaseStatement, models.CaseOpen, st.Digest, run.ID, run.ID, st.Digest, models.JobFinished)
	if err != nil {
		return err
	}
	for _, id := range settled {
		err := s.changeCase(ctx, models.System, id, "case withdrawn",
			func(_ *gorm.DB, c *models.Case) (before, after, reason string, err error) {
				reason = fmt.Sprintf("Comparison %d of statement %d, the same file, no longer shows this difference.", run.ID, st.ID)
				err = c.Decide(models.System.Name, models.CaseWithdrawn, reason, s.db.Now())
				return models.CaseOpen.String(), c.State.String(), reason, err
			})
		if err != nil && !errors.Is(err, models.ErrCaseClosed) { // a colleague closed it first
			return err
		}
	}
	return nil
}
