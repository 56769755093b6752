package control

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/ledger"
)

// The rules that find cases. They do not slow callbacks down. Each rule reads, along an index, the rows added since it last
// looked, so it can look every few seconds however much is played. It looks at a row when the row is a few seconds old and its
// batch has been committed, or a minute old if related rows may still be on their way. A row may become visible even later,
// behind a lock or from an instance whose clock is behind. So every row is looked at again when it is three minutes old (see
// store/books/activity.go). A problem that is found twice is still one case.
//
// Test players' transactions open no cases, because these players exist for trying things out. Faults of the ledger and
// differences from a statement open cases for every player.

const (
	caseReach   = 30 * 24 * time.Hour // how far back a rule looks the first time
	caseCommit  = 2 * time.Second     // by when a batch has normally been committed
	caseArrival = time.Minute         // within which related callbacks arrive
	caseChunk   = time.Hour           // the time span of one query
	caseQuick   = 100 * time.Millisecond
	caseLimit   = 1000 // rows of one query
	usualStake  = 5    // times the stake of another spin of the same grant that is far from usual
)

// caseFound is a row of a rule's query. It has the columns of all rules.
type caseFound struct {
	Place             int64 // the time by which the rule reads rows
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

	// For callbacks: the callback, and the transaction that has its TransactionID.

	Kind        uint8
	Amount      string
	WinAmount   string
	Cause       string
	FirstPlayer int64
	FirstKind   uint8
	FirstBet    int64
	FirstWin    int64
	FirstRound  string

	// For grants.

	Spins, Used, Ours int64
}

// came returns the callback in words, such as "Deposit of 500.00 EUR".
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

// first returns the transaction that has the callback's TransactionID, in words.
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

// caseQuery is a rule that reads new rows in the order of their times.
type caseQuery struct {
	rule  models.CaseRule
	after time.Duration // how old rows are when the rule looks at them
	// sql selects up to @limit rows from @from until before @until, in the order of place. Rows that rarely have to be excluded
	// are excluded by keeps instead, so that fewer than @limit rows mean the end.
	sql   string
	keeps func(r *caseFound) bool
	facts func(r *caseFound) []models.CaseFact
	// also is another query of the same rule; only its sql, keeps and facts count. What it finds may come to be after the rule
	// has looked: a spin is attributed to a grant later, or a win follows its rolled-back bet later.
	also *caseQuery
}

// recordsOf returns the SQL that selects the callbacks with a verdict, and the transactions that have their TransactionIDs.
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

// postingsWith returns the SQL that selects the postings e that match a condition, and the transactions that they belong to.
// amount is the SQL of the amount that the case shows.
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

// caseQueries returns the rules that read new rows in the order of their times.
//
// Rows that must not exist are found missing by a LEFT JOIN or a count, with a named index: for NOT EXISTS, MariaDB may first
// copy the whole table into a temporary one, every few seconds.
func caseQueries(cfg models.CaseRulesConfig, d db.Dialect) []caseQuery {
	without := func(table, alias, index, on string) string {
		return " LEFT JOIN " + table + " " + alias + db.Path{Index: index}.Hint(d) + " ON " + on
	}
	real := func(r *caseFound) bool { return !r.Test }
	standing := func(r *caseFound) bool { return !r.Test && !r.Reversed }
	money := func(minor int64, r *caseFound) string { return models.Amount(minor).Grouped() + " " + r.Currency }
	queries := []caseQuery{
		// There is no case if the callback log has a refusal of the original for the same user, before or after the rollback.
		// Callbacks without a valid signature do not count: anybody could send one to explain a rollback away.
		{
			models.CaseUnknownRollback, caseArrival,
			recordsOf(models.VerdictNotFound, without("callback_records", "o", "callback_records_transaction", fmt.Sprintf(
				"o.transaction_id = r.transaction_id AND o.user_id = r.user_id AND o.kind <> r.kind AND o.verdict > %d "+
					"AND o.verdict < %d AND o.verdict NOT IN (%d, %d, %d, %d)",
				models.Applied, models.VerdictLeftOut, models.VerdictWrongInput, models.VerdictInvalidSign,
				models.VerdictForbidden, models.VerdictNotACallback)), " AND o.at_us IS NULL"),
			real, func(r *caseFound) []models.CaseFact {
				facts := []models.CaseFact{
					{Label: "What came", Value: "RollbackTransaction for a transaction that was neither applied nor refused"},
					{Label: "Answered", Value: "8, transaction not found"},
				}
				if r.TransactionNumber != 0 {
					facts[0].Value = "RollbackTransaction for a transaction of another player"
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
					{Label: "Why", Value: "a win that had been spent was rolled back, or a correction took the money"},
				}
			}, nil,
		},
		{
			models.CaseOverflow, caseCommit, recordsOf(models.VerdictBalanceOverflow, "", ""), real,
			func(r *caseFound) []models.CaseFact {
				return []models.CaseFact{
					{Label: "What came", Value: r.came()},
					{Label: "Answered", Value: "refused: the balance would be out of range"},
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
		// A win that was booked by hand has already been looked at by people.
		{
			models.CaseWinWithoutBet, caseArrival,
			postingsWith("e.win_minor", ledger.AreWins+" AND e.win_minor > 0 AND "+ledger.BetsFor(d)+" = 0 AND "+
				fmt.Sprintf("(SELECT COUNT(*) FROM corrections k%s WHERE k.transaction_id = e.transaction_id "+
					"AND k.player_id = e.player_id AND k.kind = %d AND k.state = %d) = 0",
					db.Path{Index: "corrections_transaction"}.Hint(d), models.CorrectWin, models.ApprovalApproved)),
			standing, func(r *caseFound) []models.CaseFact {
				return []models.CaseFact{
					{Label: "Win", Value: money(r.AmountMinor, r)},
					{Label: "Round", Value: r.RoundID + ", without a bet or free spin that stood before the win"},
				}
			},
			// Or the round's bets were all rolled back, but the win was not.
			&caseQuery{
				sql: fmt.Sprintf(`SELECT e.at_us AS place, e.at_us, e.player_id, COALESCE(p.test, 0) AS test,
					e.id AS transaction_number, e.transaction_id, e.round_id,
					e.win_minor AS amount_minor, COALESCE(w.currency, '') AS currency
					FROM (SELECT e.player_id, e.round_id, e.at_us, t.id, t.transaction_id, t.win_minor FROM postings e
						CROSS JOIN postings t%s
						LEFT JOIN postings v ON v.source = t.source AND v.transaction_id = t.transaction_id AND v.claim = 2
						WHERE e.at_us >= @from AND e.at_us < @until AND e.claim = 2 AND e.kind IN (%d, %d) AND e.free_spin = 0
							AND t.round_id = e.round_id AND t.player_id = e.player_id AND t.kind = %d AND t.claim = 1
							AND t.win_minor > 0 AND v.id IS NULL AND %s = 0
						ORDER BY e.at_us LIMIT @limit) e
					LEFT JOIN players p ON p.id = e.player_id LEFT JOIN wallets w ON w.player_id = e.player_id
					ORDER BY e.at_us`,
					db.Path{Index: "postings_round"}.Hint(d), models.Bet, models.BetWin, models.Win,
					ledger.StandingOf(d, models.Bet, models.BetWin)),
				keeps: real, facts: func(r *caseFound) []models.CaseFact {
					return []models.CaseFact{
						{Label: "Win", Value: money(r.AmountMinor, r)},
						{Label: "Round", Value: r.RoundID + ", whose bets were all rolled back"},
					}
				},
			},
		},
		{
			models.CaseHeldCash, models.CashOutExpires,
			postingsWith("e.bet_minor", fmt.Sprintf("e.claim = 1 AND e.kind = %d", models.CashOut)),
			standing, func(r *caseFound) []models.CaseFact {
				client, id, _ := models.ParseCashID(models.TransactionID(r.TransactionID))
				return []models.CaseFact{
					{Label: "Cash-out", Value: money(r.AmountMinor, r) + ", held since it was requested"},
					{Label: "API client", Value: fmt.Sprintf("%d, which calls it %s", client, id)},
				}
			}, nil,
		},
		// The platform rolls back incomplete rounds. In this round a bet was not rolled back, and neither a win nor another
		// rollback followed. Rollbacks by staff are left out, because people have decided them.
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
				db.Path{Index: "corrections_transaction"}.Hint(d), models.ApprovalApproved),
			real, func(r *caseFound) []models.CaseFact {
				facts := []models.CaseFact{
					{Label: "Round", Value: r.RoundID + ": part of it was rolled back, and nothing followed"},
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
					{Label: "Grants", Value: "the player had none with spins left that was open, under way or recently ended"},
				}
			},
			// Or its stake is far from those of the grant's other spins: freeSpin is not signed, so a paid bet may have been
			// turned into a free one.
			&caseQuery{
				sql: fmt.Sprintf(`SELECT e.at_us AS place, e.at_us, e.player_id, COALESCE(p.test, 0) AS test,
					COALESCE(t.id, 0) AS transaction_number, e.transaction_id, e.round_id, e.grant_id,
					e.stake_minor AS amount_minor, e.least AS first_bet, e.most AS first_win,
					COALESCE(w.currency, '') AS currency
					FROM (SELECT e.player_id, e.transaction_id, e.round_id, e.at_us, e.stake_minor, a.grant_id,
						(SELECT MIN(o.stake_minor) %[1]s) AS least, (SELECT MAX(o.stake_minor) %[1]s) AS most
						FROM spin_entries e JOIN spin_attributions a ON a.player_id = e.player_id AND a.seq = e.seq
						WHERE e.at_us >= @from AND e.at_us < @until AND e.kind = %[2]d AND a.grant_id > 0
						ORDER BY e.at_us LIMIT @limit) e
					LEFT JOIN players p ON p.id = e.player_id LEFT JOIN wallets w ON w.player_id = e.player_id
					LEFT JOIN postings t ON t.source = %[3]d AND t.transaction_id = e.transaction_id AND t.claim = 1
					ORDER BY e.at_us`,
					fmt.Sprintf("FROM spin_attributions b JOIN spin_entries o ON o.player_id = b.player_id AND o.seq = b.seq "+
						"WHERE b.grant_id = a.grant_id AND o.kind = %d", models.EntrySpin), models.EntrySpin,
					models.SourcePlatform),
				keeps: func(r *caseFound) bool {
					return !r.Test && (r.AmountMinor >= usualStake*r.FirstBet || r.FirstWin >= usualStake*r.AmountMinor) &&
						r.FirstBet < r.FirstWin
				},
				facts: func(r *caseFound) []models.CaseFact {
					return []models.CaseFact{
						{Label: "Stake not taken", Value: money(r.AmountMinor, r)},
						{Label: "Stakes of the grant's spins", Value: money(r.FirstBet, r) + " to " + money(r.FirstWin, r)},
					}
				},
			},
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

// FindCases runs every rule once and returns how many cases it opened.
func (s *Store) FindCases(ctx context.Context, cfg models.CaseRulesConfig) (opened int, err error) {
	if err := s.db.ReadClock(ctx); err != nil {
		return 0, err
	}
	opened, found := s.lookAlong(ctx, cfg)
	n, grants := s.grantCases(ctx)
	return opened + n, errors.Join(found, grants)
}

// lookAlong runs the rules that read new rows in the order of their times.
func (s *Store) lookAlong(ctx context.Context, cfg models.CaseRulesConfig) (opened int, err error) {
	now := s.db.Now()
	moved := map[models.CaseRule]int64{}
	look := func(rule models.CaseRule, after time.Duration, find func(from, until int64) (int, error)) error {
		place, err := caseFollower(rule).Position(s.db, s.db.Read.WithContext(ctx))
		if err != nil {
			return err
		}
		again, next := caseWindows(place, db.Micros(now.Add(-after)))
		var n int
		if again.from < again.until {
			n, err = find(again.from, again.until)
			opened += n
		}
		// A rule that is far behind doubles its time span while queries are quick, and stores its progress every second, so
		// that a restart costs it little.
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
					err = each.collect(s.db.Read.WithContext(ctx), q.rule, from, until, func(findings []models.Finding) error {
						_, n, err := s.OpenCases(ctx, findings)
						opened += n
						return err
					})
				}
				return opened, err
			})
			if err != nil {
				return err
			}
		}
		err := look(models.CaseLedgerFault, caseCommit,
			func(from, until int64) (int, error) { return s.ledgerCases(ctx, from, until) })
		upTo, wrong := s.books.DaysUpTo(ctx)
		if err = cmp.Or(err, wrong); err != nil || upTo.IsZero() {
			return err
		}
		return look(models.CaseThreshold, max(models.DayRest, now.Sub(upTo)),
			func(from, until int64) (int, error) { return s.thresholdCases(ctx, from, until) })
	}()
	return opened, errors.Join(found, s.noteCasePlaces(ctx, moved))
}

// collect calls each with what a query finds in a window, up to some thousand findings at a time.
func (q *caseQuery) collect(read *gorm.DB, rule models.CaseRule, from, until int64, each func([]models.Finding) error) error {
	for limit := caseLimit; ; {
		var rows []caseFound
		if err := read.Raw(q.sql, map[string]any{"from": from, "until": until, "limit": limit}).Scan(&rows).Error; err != nil {
			return err
		}
		var findings []models.Finding
		for i := range rows {
			if q.keeps(&rows[i]) {
				findings = append(findings, rows[i].finding(rule, q.facts(&rows[i])))
			}
		}
		if err := each(findings); err != nil || len(rows) < limit {
			return err
		}
		// Continue at the time of the last row, since more rows may have it. If all rows have the same time, read more at once.
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

// asked returns the amount of a callback, the larger one if it has two, or 0 if it has none.
func (r *caseFound) asked() (sum models.Amount) {
	for _, text := range []string{r.Amount, r.WinAmount} {
		if amount, err := models.ParseAmount(text); err == nil {
			sum = max(sum, amount)
		}
	}
	return sum
}
