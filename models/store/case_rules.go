package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
)

// The rules that find cases. Each looks at what was added since it looked last, along an index, so that it may look every few seconds, and a
// little further back, since lines appear a little in the past (see activity.go); what it finds twice is one case. None of them is on the
// callbacks' way. Test players' play opens no cases, but for faults of the ledger: it is there to be played with.

// CaseRulesConfig is what the rules need to know.
type CaseRulesConfig struct {
	OpenRound time.Duration // a bet that nothing has followed for so long is a case; 0: never
}

// caseReach is how far back a rule looks the first time, and how many findings it takes in at once.
const (
	caseReach  = 30 * 24 * time.Hour
	caseSettle = time.Minute // within which what belongs together arrives
	caseLimit  = 1000
)

// caseFound is a row of a rule's query. Its columns are those of every rule.
type caseFound struct {
	Place             int64
	AtUs              int64
	PlayerID          int64
	TransactionNumber int64
	TransactionID     string
	RoundID           string
	GrantID           int64
	VerificationID    int64
	AmountMinor       int64
	Currency          string
	Detail            string
}

// FindCases runs every rule once and returns how many cases were opened.
func (s *Store) FindCases(ctx context.Context, cfg CaseRulesConfig) (opened int, err error) {
	now := s.now()
	late := micros(now.Add(-moneyLateness))
	settled := micros(now.Add(-caseSettle))
	for _, rule := range []struct {
		rule  models.CaseRule
		skip  bool
		timed bool  // its places are times
		until int64 // it looks at what is before
		sql   string
		args  []any
		facts func(r caseFound) []models.CaseFact
	}{
		{rule: models.CaseUnknownRollback, timed: true, until: settled, sql: `SELECT r.at_us AS place, r.received_us AS at_us, r.player_id, r.transaction_id, '' AS round_id, w.currency, '' AS detail
			FROM callback_records r JOIN wallets w ON w.player_id = r.player_id JOIN players p ON p.id = r.player_id
			WHERE r.verdict = 4 AND r.at_us >= @from AND r.at_us < @until AND p.test = 0
			AND NOT EXISTS (SELECT 1 FROM callback_records o WHERE o.transaction_id = r.transaction_id AND o.kind <> r.kind AND o.verdict BETWEEN 2 AND 39)
			ORDER BY r.at_us LIMIT @limit`, facts: func(caseFound) []models.CaseFact {
			return []models.CaseFact{{Label: "What came", Value: "RollbackTransaction, of a transaction that never came and was not refused"}, {Label: "Answered", Value: "8, transaction not found"}}
		}},
		{rule: models.CaseNegativeBalance, timed: true, until: micros(now), sql: `SELECT e.at_us AS place, e.at_us, e.player_id, t.id AS transaction_number, e.transaction_id, e.round_id, e.after_minor AS amount_minor, w.currency, '' AS detail
			FROM entries e JOIN wallets w ON w.player_id = e.player_id JOIN players p ON p.id = e.player_id LEFT JOIN transactions t ON t.source = e.source AND t.transaction_id = e.transaction_id
			WHERE e.at_us >= @from AND e.at_us < @until AND e.kind IN (5, 7) AND e.after_minor < 0 AND e.before_minor >= 0 AND p.test = 0 ORDER BY e.at_us LIMIT @limit`,
			facts: func(r caseFound) []models.CaseFact {
				return []models.CaseFact{{Label: "Balance after", Value: models.Amount(r.AmountMinor).Signed() + " " + r.Currency}, {Label: "Why", Value: "a win that was spent was taken back, or a correction took it"}}
			}},
		{rule: models.CaseOverflow, timed: true, until: micros(now), sql: recordsOf(models.VerdictBalanceOverflow), facts: func(r caseFound) []models.CaseFact {
			return []models.CaseFact{{Label: "Asked for", Value: r.Detail}, {Label: "Answered", Value: "refused: the balance would have left its range"}}
		}},
		{rule: models.CaseOtherContents, timed: true, until: micros(now), sql: recordsOf(models.VerdictOtherContents), facts: func(r caseFound) []models.CaseFact {
			return []models.CaseFact{{Label: "Came again with", Value: r.Detail}, {Label: "Answered", Value: "11, duplicate transaction: the first stands"}}
		}},
		{rule: models.CaseWinWithoutBet, timed: true, until: settled, sql: `SELECT e.at_us AS place, e.at_us, e.player_id, t.id AS transaction_number, e.transaction_id, e.round_id, e.amount_minor, w.currency, '' AS detail
			FROM entries e JOIN wallets w ON w.player_id = e.player_id JOIN players p ON p.id = e.player_id JOIN transactions t ON t.source = e.source AND t.transaction_id = e.transaction_id
			WHERE e.at_us >= @from AND e.at_us < @until AND e.kind = 3 AND p.test = 0 AND t.kind = 2 AND t.source = 1
			AND NOT EXISTS (SELECT 1 FROM transactions b WHERE b.round_id = e.round_id AND b.player_id = e.player_id AND b.kind IN (1, 3)) ORDER BY e.at_us LIMIT @limit`,
			facts: func(r caseFound) []models.CaseFact {
				return []models.CaseFact{{Label: "Win", Value: models.Amount(r.AmountMinor).Grouped() + " " + r.Currency}, {Label: "Round", Value: r.RoundID + ", in which no bet and no free spin is known"}}
			}},
		{rule: models.CaseUnexplainedSpin, timed: true, until: micros(now), sql: `SELECT e.at_us AS place, e.at_us, e.player_id, t.id AS transaction_number, e.transaction_id, e.round_id, e.stake_minor AS amount_minor, w.currency, '' AS detail
			FROM spin_entries e JOIN wallets w ON w.player_id = e.player_id JOIN players p ON p.id = e.player_id LEFT JOIN transactions t ON t.source = 1 AND t.transaction_id = e.transaction_id
			WHERE e.at_us >= @from AND e.at_us < @until AND e.grant_known = 0 AND e.spins = 1 AND p.test = 0 ORDER BY e.at_us LIMIT @limit`,
			facts: func(r caseFound) []models.CaseFact {
				return []models.CaseFact{{Label: "Stake not taken", Value: models.Amount(r.AmountMinor).Grouped() + " " + r.Currency}, {Label: "Grants", Value: "none of this player was open, under way or ended lately"}}
			}},
		{rule: models.CaseSpinsApart, sql: `SELECT o.id AS place, o.at_us, g.player_id, g.id AS grant_id, w.currency, CONCAT(o.used, '/', o.ours) AS detail
			FROM grant_observations o JOIN grants g ON g.id = o.grant_id JOIN wallets w ON w.player_id = g.player_id
			WHERE o.id > @from AND g.apart <> 0 AND o.result = 0 AND o.used >= 0 AND o.used <> o.ours ORDER BY o.id LIMIT @limit`,
			facts: func(r caseFound) []models.CaseFact {
				return []models.CaseFact{{Label: "Used, theirs and ours", Value: r.Detail}}
			}},
		{rule: models.CaseUnknownGrant, sql: `SELECT 0 AS place, g.at_us, g.player_id, g.id AS grant_id, w.currency, '' AS detail
			FROM grants g JOIN wallets w ON w.player_id = g.player_id WHERE g.state = ` + fmt.Sprint(uint8(models.GrantUnknown)) + ` AND g.id > @from ORDER BY g.id LIMIT @limit`,
			facts: func(caseFound) []models.CaseFact {
				return []models.CaseFact{{Label: "The platform", Value: "did not answer: the spins may or may not be there"}}
			}},
		{rule: models.CaseOpenRound, skip: cfg.OpenRound == 0, timed: true, until: micros(now.Add(-cfg.OpenRound)), sql: `SELECT e.at_us AS place, e.at_us, e.player_id, t.id AS transaction_number, e.transaction_id, e.round_id, -e.amount_minor AS amount_minor, w.currency, '' AS detail
			FROM entries e JOIN wallets w ON w.player_id = e.player_id JOIN players p ON p.id = e.player_id JOIN transactions t ON t.source = e.source AND t.transaction_id = e.transaction_id
			WHERE e.at_us >= @from AND e.at_us < @until AND e.kind = 2 AND e.amount_minor < 0 AND t.kind = 1 AND t.state = 1 AND p.test = 0
			AND NOT EXISTS (SELECT 1 FROM transactions b WHERE b.round_id = e.round_id AND b.player_id = e.player_id AND b.kind IN (2, 3) AND b.state = 1) ORDER BY e.at_us LIMIT @limit`,
			facts: func(r caseFound) []models.CaseFact {
				return []models.CaseFact{{Label: "Bet", Value: models.Amount(r.AmountMinor).Grouped() + " " + r.Currency}, {Label: "Round", Value: r.RoundID + ": neither a win nor a rollback followed"}}
			}},
		{rule: models.CaseLedgerFault, sql: `SELECT v.id AS place, v.ended_at_us AS at_us, v.id AS verification_id, CONCAT(v.faults, ' that do not hold') AS detail
			FROM verifications v WHERE v.id > @from AND v.faults > 0 ORDER BY v.id LIMIT @limit`,
			facts: func(r caseFound) []models.CaseFact {
				return []models.CaseFact{{Label: "Verification", Value: r.Detail}}
			}},
	} {
		if rule.skip {
			continue
		}
		place, err := s.casePlace(ctx, rule.rule)
		if err != nil {
			return opened, err
		}
		from := place
		if rule.timed {
			if from = min(place, late); place == 0 {
				from = micros(now.Add(-caseReach))
			}
			if rule.rule == models.CaseOpenRound || rule.until < late {
				from = min(from, rule.until-micros(time.Unix(0, 0).Add(moneyLateness)))
			}
		}
		for {
			var rows []caseFound
			err := s.read.WithContext(ctx).Raw(rule.sql, map[string]any{"from": from, "until": rule.until, "limit": caseLimit}).Scan(&rows).Error
			if err != nil {
				return opened, fmt.Errorf("look for cases (%s): %w", rule.rule, err)
			}
			findings := make([]models.Finding, len(rows))
			for i, r := range rows {
				findings[i] = r.finding(rule.rule, rule.facts(r))
				from = max(from, r.Place)
			}
			_, n, err := s.OpenCases(ctx, findings)
			opened += n
			if err != nil {
				return opened, err
			}
			if len(rows) < caseLimit || rule.rule == models.CaseUnknownGrant {
				break
			}
		}
		to := from
		if rule.timed {
			to = rule.until
		}
		if rule.rule != models.CaseUnknownGrant && to != place {
			if err := s.noteCasePlace(ctx, rule.rule, to); err != nil {
				return opened, err
			}
		}
	}
	return opened, nil
}

// recordsOf selects the callbacks of one verdict.
func recordsOf(v models.Verdict) string {
	return fmt.Sprintf(`SELECT r.at_us AS place, r.received_us AS at_us, r.player_id, COALESCE(t.id, 0) AS transaction_number, r.transaction_id, r.round_id, w.currency, r.amount AS detail
		FROM callback_records r JOIN wallets w ON w.player_id = r.player_id JOIN players p ON p.id = r.player_id LEFT JOIN transactions t ON t.source = 1 AND t.transaction_id = r.transaction_id
		WHERE r.verdict = %d AND r.at_us >= @from AND r.at_us < @until AND p.test = 0 ORDER BY r.at_us LIMIT @limit`, uint8(v))
}

func (r caseFound) finding(rule models.CaseRule, facts []models.CaseFact) models.Finding {
	f := models.Finding{
		Rule: rule, At: fromMicros(r.AtUs), PlayerID: r.PlayerID, Transaction: r.TransactionNumber, TransactionID: models.TransactionID(r.TransactionID), GrantID: r.GrantID,
		Verification: r.VerificationID, Amount: max(models.Amount(r.AmountMinor), -models.Amount(r.AmountMinor)), Currency: models.Currency(r.Currency), Facts: facts,
	}
	switch {
	case r.VerificationID != 0:
		f.Key = fmt.Sprintf("verification %d", r.VerificationID)
	case r.GrantID != 0:
		f.Key = fmt.Sprintf("grant %d", r.GrantID)
	case rule == models.CaseNegativeBalance:
		f.Key = fmt.Sprintf("player %d at %d", r.PlayerID, r.AtUs)
	default:
		f.Key = fmt.Sprintf("player %d transaction %s", r.PlayerID, r.TransactionID)
	}
	return f
}

func (s *Store) casePlace(ctx context.Context, rule models.CaseRule) (place int64, err error) {
	if err := s.read.WithContext(ctx).Raw("SELECT place FROM case_places WHERE rule = ?", uint8(rule)).Scan(&place).Error; err != nil {
		return 0, fmt.Errorf("read how far a rule has looked: %w", err)
	}
	return place, nil
}

func (s *Store) noteCasePlace(ctx context.Context, rule models.CaseRule, place int64) error {
	err := s.change(ctx, func(tx *gorm.DB) error {
		return tx.Exec("INSERT INTO case_places (rule, place) VALUES (?, ?) "+s.dialect.onConflict("rule")+s.dialect.incoming("place"), uint8(rule), place).Error
	})
	if err != nil {
		return fmt.Errorf("note how far a rule has looked: %w", err)
	}
	return nil
}

// OpenDifferenceCases gives each difference of a run a case, but for those that the neighbouring statement may explain, and returns how
// many were opened. A difference that an earlier run has found keeps its case.
func (s *Store) OpenDifferenceCases(ctx context.Context, st models.Statement, runID int64) (opened int, err error) {
	var after models.Cursor
	for more := true; more; {
		var list []models.Difference
		if list, more, err = s.Differences(ctx, models.DifferenceFilter{RunID: runID, After: after, Limit: 500}); err != nil || len(list) == 0 {
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
			findings = append(findings, models.Finding{
				Rule: models.CaseStatement, Key: fmt.Sprintf("%s %d %d", d.TransactionID, d.Kind, d.Bucket), At: d.At, PlayerID: d.PlayerID, Transaction: d.OurNumber,
				TransactionID: d.TransactionID, StatementID: st.ID, Amount: d.RemedyAmount, Currency: d.Currency,
				Facts: []models.CaseFact{
					{Label: "Difference", Value: d.Bucket.String()}, {Label: "If theirs is right", Value: d.Remedy.String() + " " + d.RemedyAmount.Grouped() + " " + string(d.Currency)},
					{Label: "Statement", Value: st.FileName},
				},
			})
		}
		numbers, n, err := s.OpenCases(ctx, findings)
		opened += n
		if err != nil {
			return opened, err
		}
		err = s.change(ctx, func(tx *gorm.DB) error {
			for i, number := range of {
				if err := tx.Exec("UPDATE statement_differences SET case_id = ? WHERE run_id = ? AND number = ?", numbers[i], runID, number).Error; err != nil {
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
