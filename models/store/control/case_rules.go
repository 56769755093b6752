package control

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/ledger"
)

// The rules that find cases. None of them is on the callbacks' way, and each reads along an index what was added since it
// looked last, so that it may look every few seconds however much is played: a line is looked at when it is some seconds old,
// so that the batch it came in is committed, or a minute, where what belongs to it may still be on its way. A line may yet
// appear later than that, behind a lock or from an instance whose clock is behind: every line is looked at once more when it is
// three minutes old (see store/books/activity.go). What is found twice is one case.
//
// Test players' play opens no cases: it is there to be played with. Faults of the ledger and differences from a statement do,
// whoever they are of.

const (
	caseReach   = 30 * 24 * time.Hour // how far back a rule looks the first time
	caseCommit  = 2 * time.Second     // after which a batch is committed, but for trouble
	caseArrival = time.Minute         // within which what belongs together arrives
	caseChunk   = time.Hour           // of time, looked through at once
	caseQuick   = 100 * time.Millisecond
	caseLimit   = 1000 // findings that are taken in at once
)

// caseFound is a row of a rule's query. Its columns are those of every rule.
type caseFound struct {
	Place             int64 // its time, along which the rule looks
	AtUs              int64 // when it happened
	PlayerID          int64
	Test              bool
	Reversed          bool // the transaction was rolled back
	TransactionNumber int64
	TransactionID     string
	RoundID           string
	GrantID           int64
	AmountMinor       int64
	Currency          string

	// Of a callback, and the transaction that has its TransactionID.

	Kind        uint8
	Amount      string
	WinAmount   string
	Cause       string
	FirstPlayer int64
	FirstKind   uint8
	FirstBet    int64
	FirstWin    int64
	FirstRound  string

	// Of a grant.

	Spins, Used, Ours int64
}

// came is a callback in words: "Deposit of 500.00 EUR".
func (r *caseFound) came() string {
	text := models.CallbackKind(r.Kind).String()
	if r.Amount != "" {
		text += " of " + r.Amount
		if r.WinAmount != "" {
			text += " and " + r.WinAmount
		}
		text += " " + r.Currency
	}
	if r.RoundID != "" {
		text += ", round " + r.RoundID
	}
	return text
}

// first is the transaction that has the callback's TransactionID, in words.
func (r *caseFound) first() string {
	t := models.Transaction{Kind: models.OperationKind(r.FirstKind), Bet: models.Amount(r.FirstBet),
		Win: models.Amount(r.FirstWin)}
	amounts := []string{}
	if t.Kind == models.Bet || t.Kind == models.BetWin {
		amounts = append(amounts, t.Bet.Grouped())
	}
	if t.Kind == models.Win || t.Kind == models.BetWin {
		amounts = append(amounts, t.Win.Grouped())
	}
	text := t.Kind.String() + " of " + strings.Join(amounts, " and ")
	if r.FirstPlayer == r.PlayerID {
		text += " " + r.Currency
	}
	if r.FirstRound != "" {
		text += ", round " + r.FirstRound
	}
	if r.FirstPlayer != r.PlayerID {
		text += ", of another player"
	}
	return text
}

// caseQuery is a rule that looks along time.
type caseQuery struct {
	rule  models.CaseRule
	after time.Duration // it looks at what is so old
	// sql selects what was found from @from to before @until, at most @limit, in the order of place. What only rarely has to be
	// left out is left out by keeps: a query that finds less than @limit has come to the end.
	sql   string
	keeps func(r *caseFound) bool
	facts func(r *caseFound) []models.CaseFact
	also  *caseQuery // another query of the same rule; only its sql, keeps and facts count
}

// recordsOf selects callbacks of one verdict, with the transaction that has their TransactionID.
func recordsOf(verdict models.Verdict, joined, more string) string {
	return fmt.Sprintf(`SELECT r.at_us AS place, r.received_us AS at_us, r.player_id, COALESCE(p.test, 0) AS test,
		r.transaction_id, r.round_id, r.kind, r.amount, r.win_amount, r.cause,
		COALESCE(w.currency, '') AS currency, COALESCE(t.id, 0) AS transaction_number, COALESCE(t.player_id,
		0) AS first_player, COALESCE(t.kind, 0) AS first_kind,
		COALESCE(t.bet_minor, 0) AS first_bet, COALESCE(t.win_minor, 0) AS first_win, COALESCE(t.round_id, '') AS first_round
		FROM (SELECT r.* FROM callback_records r%s WHERE r.verdict = %d AND r.at_us >= @from AND r.at_us < @until%s
		ORDER BY r.at_us LIMIT @limit) r
		LEFT JOIN players p ON p.id = r.player_id LEFT JOIN wallets w ON w.player_id = r.player_id
		LEFT JOIN postings t ON t.source = %d AND t.transaction_id = r.transaction_id AND t.claim = 1 ORDER BY r.at_us`,
		joined, verdict, more, models.SourcePlatform)
}

// postingsWith selects postings e by a condition, with the transactions that they are of. A rule names the amount that it tells
// of.
func postingsWith(amount, condition string) string {
	return `SELECT e.at_us AS place, e.at_us, e.player_id, COALESCE(p.test, 0) AS test, COALESCE(t.id, 0) AS transaction_number,
		CASE WHEN v.id IS NULL THEN 0 ELSE 1 END AS reversed, e.transaction_id, e.round_id, e.amount_minor,
		COALESCE(w.currency, '') AS currency
		FROM (SELECT e.player_id, e.source, e.transaction_id, e.round_id, e.at_us, ` + amount +
		` AS amount_minor FROM postings e
			WHERE e.at_us >= @from AND e.at_us < @until AND ` + condition + ` ORDER BY e.at_us LIMIT @limit) e
		LEFT JOIN players p ON p.id = e.player_id LEFT JOIN wallets w ON w.player_id = e.player_id
		LEFT JOIN postings t ON t.source = e.source AND t.transaction_id = e.transaction_id AND t.claim = 1
		LEFT JOIN postings v ON v.source = e.source AND v.transaction_id = e.transaction_id AND v.claim = 2 ORDER BY e.at_us`
}

// caseQueries are the rules that look along time.
//
// What must not be there is joined and found missing, or counted, by an index that is named: written as NOT EXISTS, MariaDB may
// copy the whole table into a temporary one first, every few seconds.
func caseQueries(cfg models.CaseRulesConfig, d db.Dialect) []caseQuery {
	without := func(table, alias, index, on string) string {
		return " LEFT JOIN " + table + " " + alias + db.Path{Index: index}.Hint(d) + " ON " + on
	}
	real := func(r *caseFound) bool { return !r.Test }
	standing := func(r *caseFound) bool { return !r.Test && !r.Reversed }
	money := func(minor int64, r *caseFound) string { return models.Amount(minor).Grouped() + " " + r.Currency }
	queries := []caseQuery{
		// We have refused the original where the log says so, of the same user: before the rollback came, or after. What came
		// without the platform's sign says nothing: anybody could explain a rollback away by it.
		{
			models.CaseUnknownRollback, caseArrival,
			recordsOf(models.VerdictNotFound, without("callback_records", "o", "callback_records_transaction", fmt.Sprintf(
				"o.transaction_id = r.transaction_id AND o.user_id = r.user_id AND o.kind <> r.kind AND o.verdict > %d "+
					"AND o.verdict < %d AND o.verdict NOT IN (%d, %d, %d, %d)",
				models.Applied, models.LeftOutRefused, models.VerdictWrongInput, models.VerdictInvalidSign,
				models.VerdictForbidden, models.VerdictNotACallback)), " AND o.at_us IS NULL"),
			real, func(r *caseFound) []models.CaseFact {
				facts := []models.CaseFact{
					{Label: "What came", Value: "RollbackTransaction, of a transaction that never came and was not refused"},
					{Label: "Answered", Value: "8, transaction not found"},
				}
				if r.TransactionNumber != 0 {
					facts[0].Value = "RollbackTransaction, of a transaction that another player has"
				}
				return facts
			}, nil,
		},
		{
			models.CaseNegativeBalance, caseCommit,
			postingsWith("e.after_minor",
				fmt.Sprintf("e.after_minor < 0 AND (e.claim = 2 OR e.kind = %d) AND e.after_minor - ("+ledger.EffectSQL+
					") >= 0", models.Adjustment)),
			real, func(r *caseFound) []models.CaseFact {
				return []models.CaseFact{
					{Label: "Balance after", Value: models.Amount(r.AmountMinor).Signed() + " " + r.Currency},
					{Label: "Why", Value: "a win that was spent was taken back, or a correction took it"},
				}
			}, nil,
		},
		{
			models.CaseOverflow, caseCommit, recordsOf(models.VerdictBalanceOverflow, "", ""), real,
			func(r *caseFound) []models.CaseFact {
				return []models.CaseFact{
					{Label: "What came", Value: r.came()},
					{Label: "Answered", Value: "refused: the balance would have left its range"},
				}
			}, nil,
		},
		{
			models.CaseOtherContents, caseCommit, recordsOf(models.VerdictOtherContents, "", ""), real,
			func(r *caseFound) []models.CaseFact {
				facts := []models.CaseFact{
					{Label: "Came again as", Value: r.came()},
					{Label: "Answered", Value: "11, duplicate transaction: the first stands"},
				}
				if r.TransactionNumber != 0 {
					facts = append([]models.CaseFact{{Label: "The first", Value: r.first()}}, facts...)
				}
				return facts
			}, nil,
		},
		{
			models.CaseSignReused, caseCommit, recordsOf(models.VerdictSignReused, "", ""), real,
			func(r *caseFound) []models.CaseFact {
				return []models.CaseFact{
					{Label: "What came", Value: r.came()}, {Label: "Refused because", Value: r.Cause},
					{Label: "Answered", Value: "3, invalid sign: nothing was booked"},
				}
			}, nil,
		},
		// A win that two people have booked by hand was looked at already.
		{
			models.CaseWinWithoutBet, caseArrival,
			postingsWith("e.win_minor", ledger.AreWins+" AND "+ledger.AppliedIn(d, models.Bet, models.BetWin)+" = 0 AND "+
				fmt.Sprintf("(SELECT COUNT(*) FROM corrections k%s WHERE k.transaction_id = e.transaction_id "+
					"AND k.player_id = e.player_id AND k.kind = %d AND k.state = %d) = 0",
					db.Path{Index: "corrections_transaction"}.Hint(d), models.CorrectWin, models.CorrectionApproved)),
			standing, func(r *caseFound) []models.CaseFact {
				return []models.CaseFact{
					{Label: "Win", Value: money(r.AmountMinor, r)},
					{Label: "Round", Value: r.RoundID + ", in which no bet and no free spin is known"},
				}
			},
			// Or its bet was rolled back, and the win stands.
			&caseQuery{
				sql: fmt.Sprintf(`SELECT e.at_us AS place, e.at_us, e.player_id, COALESCE(p.test, 0) AS test,
					e.id AS transaction_number, e.transaction_id, e.round_id,
					e.win_minor AS amount_minor, COALESCE(w.currency, '') AS currency
					FROM (SELECT e.player_id, e.round_id, e.at_us, t.id, t.transaction_id, t.win_minor FROM postings e
						CROSS JOIN postings t%s
						LEFT JOIN postings v ON v.source = t.source AND v.transaction_id = t.transaction_id AND v.claim = 2
						WHERE e.at_us >= @from AND e.at_us < @until AND e.claim = 2 AND e.kind IN (%d, %d) AND e.free_spin = 0
							AND t.round_id = e.round_id AND t.player_id = e.player_id AND t.kind = %d AND t.claim = 1
							AND v.id IS NULL AND %s = 0
						ORDER BY e.at_us LIMIT @limit) e
					LEFT JOIN players p ON p.id = e.player_id LEFT JOIN wallets w ON w.player_id = e.player_id
					ORDER BY e.at_us`,
					db.Path{Index: "postings_round"}.Hint(d), models.Bet, models.BetWin, models.Win,
					ledger.StandingOf(d, models.Bet, models.BetWin)),
				keeps: real, facts: func(r *caseFound) []models.CaseFact {
					return []models.CaseFact{
						{Label: "Win", Value: money(r.AmountMinor, r)},
						{Label: "Round", Value: r.RoundID + ", of which every bet was rolled back"},
					}
				},
			},
		},
		// The platform rolls back incomplete rounds. Of this one a bet stands, and neither a win nor another rollback has
		// followed. What staff rolled back was decided by people.
		{
			models.CaseInterruptedRound, models.RoundSettles,
			fmt.Sprintf(`SELECT e.at_us AS place, e.at_us, e.player_id, COALESCE(p.test, 0) AS test,
				e.id AS transaction_number, e.transaction_id, e.round_id,
				e.amount_minor, COALESCE(w.currency, '') AS currency
				FROM (SELECT e.player_id, e.round_id, e.at_us, t.id, t.transaction_id,
				CASE WHEN t.free_spin = 1 THEN 0 ELSE t.bet_minor END AS amount_minor FROM postings e
					CROSS JOIN postings t%[1]s
					LEFT JOIN postings v ON v.source = t.source AND v.transaction_id = t.transaction_id AND v.claim = 2
					WHERE e.at_us >= @from AND e.at_us < @until AND e.claim = 2 AND e.kind IN (%[2]d, %[3]d, %[4]d)
						AND t.round_id = e.round_id AND t.player_id = e.player_id AND t.kind = %[2]d AND t.claim = 1
						AND v.id IS NULL AND %[5]s = 0
						AND (SELECT MAX(b.id) FROM postings b%[1]s WHERE b.round_id = e.round_id
						AND b.player_id = e.player_id) = e.id
						AND (SELECT COUNT(*) FROM corrections k%[6]s WHERE k.transaction_id = e.transaction_id
						AND k.player_id = e.player_id AND k.state = %[7]d) = 0
					ORDER BY e.at_us LIMIT @limit) e
				LEFT JOIN players p ON p.id = e.player_id LEFT JOIN wallets w ON w.player_id = e.player_id ORDER BY e.at_us`,
				db.Path{Index: "postings_round"}.Hint(d), models.Bet, models.Win, models.BetWin,
				ledger.StandingOf(d, models.Win, models.BetWin),
				db.Path{Index: "corrections_transaction"}.Hint(d), models.CorrectionApproved),
			real, func(r *caseFound) []models.CaseFact {
				facts := []models.CaseFact{
					{Label: "Round", Value: r.RoundID + ": a part was rolled back, and nothing followed"},
				}
				if r.AmountMinor != 0 {
					facts = append([]models.CaseFact{{Label: "Bet", Value: money(r.AmountMinor, r)}}, facts...)
				}
				return facts
			}, nil,
		},
		{
			models.CaseUnexplainedSpin, caseCommit,
			fmt.Sprintf(`SELECT e.at_us AS place, e.at_us, e.player_id, COALESCE(p.test, 0) AS test, COALESCE(t.id,
				0) AS transaction_number, e.transaction_id, e.round_id,
				e.stake_minor AS amount_minor, COALESCE(w.currency, '') AS currency
				FROM (SELECT * FROM spin_entries e WHERE e.at_us >= @from AND e.at_us < @until AND e.kind = %d
				AND e.grant_known = 0 ORDER BY e.at_us LIMIT @limit) e
				LEFT JOIN players p ON p.id = e.player_id LEFT JOIN wallets w ON w.player_id = e.player_id
				LEFT JOIN postings t ON t.source = %d AND t.transaction_id = e.transaction_id AND t.claim = 1
				ORDER BY e.at_us`, models.EntrySpin, models.SourcePlatform),
			real, func(r *caseFound) []models.CaseFact {
				return []models.CaseFact{
					{Label: "Stake not taken", Value: money(r.AmountMinor, r)},
					{Label: "Grants", Value: "none of this player was open, under way or ended lately"},
				}
			}, nil,
		},
	}
	if cfg.OpenRound > 0 {
		queries = append(queries, caseQuery{
			models.CaseOpenRound, cfg.OpenRound,
			postingsWith("e.bet_minor",
				ledger.AreBets+" AND e.bet_minor > 0 AND "+ledger.StandingOf(d, models.Win, models.BetWin)+" = 0"),
			standing, func(r *caseFound) []models.CaseFact {
				return []models.CaseFact{
					{Label: "Bet", Value: money(r.AmountMinor, r)},
					{Label: "Round", Value: r.RoundID + ": neither a win nor a rollback followed"},
				}
			}, nil,
		})
	}
	return queries
}

// FindCases runs every rule once and returns how many cases were opened. The ledger is read from a replica if there is one; the
// rules about grants and verifications look at what is so now, and read from the primary.
func (s *Store) FindCases(ctx context.Context, cfg models.CaseRulesConfig) (opened int, err error) {
	if err := s.db.ReadClock(ctx); err != nil {
		return 0, err
	}
	found := s.db.FromReplica(ctx, time.Time{}, 0, func(read context.Context) error {
		n, err := s.lookAlong(ctx, read, cfg)
		opened += n
		return err
	})
	n, grants := s.grantCases(ctx)
	return opened + n, errors.Join(found, grants)
}

// lookAlong runs the rules that look along time. They read with the context read, and what they note is read and written with
// ctx. To a rule it is now the time up to which everything is there: on a replica that lags it looks later, at the same. No
// rule comes further than that time, so nothing is left out.
func (s *Store) lookAlong(ctx, read context.Context, cfg models.CaseRulesConfig) (opened int, err error) {
	places, err := s.casePlaces(ctx)
	if err != nil {
		return 0, err
	}
	now, _ := s.db.AsOf(read)
	moved := map[models.CaseRule]int64{}
	look := func(rule models.CaseRule, after time.Duration, find func(from, until int64) (int, error)) error {
		again, next := caseWindows(places[rule], db.Micros(now.Add(-after)))
		var n int
		var err error
		if again.from < again.until {
			n, err = find(again.from, again.until)
			opened += n
		}
		// A rule that is far behind looks through more and more at once, and keeps how far it has come, so that an end of the
		// program does not cost it much.
		chunk, noted := caseChunk.Microseconds(), time.Now()
		for err == nil && next.from < next.until {
			begun, to := time.Now(), min(next.from+chunk, next.until)
			n, err = find(next.from, to)
			opened += n
			if err == nil {
				next.from, moved[rule] = to, to
				if time.Since(begun) < caseQuick {
					chunk *= 2
				}
				if time.Since(noted) > time.Second {
					err, noted = s.noteCasePlaces(ctx, moved), time.Now()
				}
			}
		}
		if err != nil {
			return fmt.Errorf("look for cases (%s): %w", rule, err)
		}
		return nil
	}
	found := func() error {
		for _, q := range caseQueries(cfg, s.db.Dialect) {
			err := look(q.rule, q.after, func(from, until int64) (opened int, err error) {
				for each := &q; each != nil && err == nil; each = each.also {
					var n int
					n, err = s.runCaseQuery(read, q.rule, *each, from, until)
					opened += n
				}
				return opened, err
			})
			if err != nil {
				return err
			}
		}
		return look(models.CaseLedgerFault, caseCommit,
			func(from, until int64) (int, error) { return s.ledgerCases(ctx, from, until) })
	}()
	return opened, errors.Join(found, s.noteCasePlaces(ctx, moved))
}

// runCaseQuery opens cases for what a query finds in a window.
func (s *Store) runCaseQuery(ctx context.Context, rule models.CaseRule, q caseQuery,
	from, until int64) (opened int, err error) {
	for limit := caseLimit; ; {
		var rows []caseFound
		if err := s.db.Read.WithContext(ctx).Raw(q.sql, map[string]any{"from": from, "until": until, "limit": limit}).
			Scan(&rows).Error; err != nil {
			return opened, err
		}
		var findings []models.Finding
		for i := range rows {
			if q.keeps(&rows[i]) {
				findings = append(findings, rows[i].finding(rule, q.facts(&rows[i])))
			}
		}
		_, n, err := s.OpenCases(ctx, findings)
		if opened += n; err != nil || len(rows) < limit {
			return opened, err
		}
		// Those of the last time are read again, since more may follow; where all are of one time, more at once.
		if last := rows[len(rows)-1].Place; last > from {
			from = last
		} else {
			limit *= 2
		}
	}
}

func (r *caseFound) finding(rule models.CaseRule, facts []models.CaseFact) models.Finding {
	f := models.Finding{
		Rule: rule, At: db.FromMicros(r.AtUs), PlayerID: r.PlayerID, Transaction: r.TransactionNumber,
		TransactionID: models.TransactionID(r.TransactionID), GrantID: r.GrantID,
		Amount: max(models.Amount(r.AmountMinor), -models.Amount(r.AmountMinor)), Currency: models.Currency(r.Currency),
		Facts: facts,
		Key:   fmt.Sprintf("player %d transaction %s", r.PlayerID, r.TransactionID),
	}
	switch {
	case r.GrantID != 0:
		f.Key = fmt.Sprintf("grant %d", r.GrantID)
	case rule == models.CaseNegativeBalance:
		f.Key = fmt.Sprintf("player %d at %d", r.PlayerID, r.AtUs)
	case rule == models.CaseOverflow, rule == models.CaseSignReused:
		f.Amount = r.asked()
	}
	return f
}

// asked is how much a callback asked for; 0 where it does not say.
func (r *caseFound) asked() (sum models.Amount) {
	for _, text := range []string{r.Amount, r.WinAmount} {
		if amount, err := models.ParseAmount(text); err == nil {
			sum = max(sum, amount)
		}
	}
	return sum
}
