package control

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/ledger"
)

// The rules that find cases. They do not slow callbacks down. Each rule reads the rows added since its last run along an index,
// so it can run every few seconds at any rate of play. It reads a row once it is a few seconds old and its batch has been
// committed, or a minute old if related rows may still be on their way. A row may become visible even later, behind a lock or
// from an instance whose clock is behind, so each row is read again when it is three minutes old (see store/books/activity.go).
// A problem that is found twice is still one case.
//
// If the database's clock is put back, new postings have times that a rule has passed. Their numbers show that, and the rule
// goes back.
//
// Test players' transactions open no cases. Faults of the ledger and differences from a statement open cases for every player.

const (
	caseReach    = 30 * 24 * time.Hour // how far back a rule looks the first time
	caseCommit   = 2 * time.Second     // by when a batch has normally been committed
	caseArrival  = time.Minute         // within which related callbacks arrive
	caseLateness = 3 * time.Minute     // how late a row may appear after its own time
	caseChunk    = time.Hour           // the time span of one query
	caseQuick    = 100 * time.Millisecond
	caseLimit    = 1000 // rows of one query
	usualStake   = 5    // times the stake of another spin of the same grant that is far from usual
)

// caseRule finds cases in a span of time.
type caseRule struct {
	rule  models.CaseRule
	part  string        // distinguishes several searches of one rule
	after time.Duration // how old rows are when the rule looks at them
	find  caseFinder
}

// caseFinder calls open with its findings from a time until before another, in microseconds.
type caseFinder func(ctx context.Context, from, until int64, open func([]models.Finding) error) error

// follower is how far the rule has come: a time in microseconds.
func (r caseRule) follower() db.Follower {
	return db.Follower(fmt.Sprintf("case rule %d%s", r.rule, r.part))
}

// ledgerFollower is the number of the newest posting when the rules last looked.
const ledgerFollower = db.Follower("case rules, ledger")

// newPostings are the postings that were added since the rules last looked.
type newPostings struct{ Newest, Earliest int64 } // a number, and the earliest time

func (s *Store) newPostings(ctx context.Context) (n newPostings, err error) {
	read := s.db.Read.WithContext(ctx)
	position, err := ledgerFollower.Position(s.db, read)
	if err == nil {
		query := "SELECT COALESCE(MAX(id), 0) AS newest, COALESCE(MIN(at_us), 0) AS earliest FROM postings WHERE id > ?"
		if position == 0 { // the first time, rules look as far back as they reach
			query = "SELECT COALESCE(MAX(id), 0) AS newest, 0 AS earliest FROM postings WHERE id > ?"
		}
		err = read.Raw(query, position).Scan(&n).Error
	}
	return n, err
}

// FindCases runs every rule once and returns how many cases it opened.
func (s *Store) FindCases(ctx context.Context, cfg models.CaseRulesConfig) (opened int, err error) {
	if err := s.db.ReadClock(ctx); err != nil {
		return 0, err
	}
	upTo, err := s.books.DaysUpTo(ctx)
	if err != nil {
		return 0, err
	}
	now, moved := s.db.Now(), map[db.Follower]int64{}
	rules := append(s.caseRules(cfg), caseRule{models.CaseLedgerFault, "", caseCommit, s.ledgerCases})
	if !upTo.IsZero() {
		rules = append(rules, caseRule{models.CaseThreshold, "", max(models.DayRest, now.Sub(upTo)), s.thresholdCases})
	}
	added, err := s.newPostings(ctx)
	if err != nil {
		return 0, err
	}
	if added.Newest > 0 {
		moved[ledgerFollower] = added.Newest
	}
	open := func(findings []models.Finding) error {
		_, n, err := s.OpenCases(ctx, findings)
		opened += n
		return err
	}
	var failed []error
	for _, r := range rules {
		if err := s.look(ctx, r, now, added, moved, open); err != nil {
			failed = append(failed, fmt.Errorf("look for cases (%s): %w", r.rule, err))
		}
	}
	for rule, find := range s.grantRules() {
		if err := find(ctx, 0, 0, open); err != nil {
			failed = append(failed, fmt.Errorf("look for cases (%s): %w", rule, err))
		}
	}
	err = s.db.Change(ctx, func(tx *gorm.DB) error {
		for _, follower := range slices.Sorted(maps.Keys(moved)) {
			if err := follower.Move(s.db, tx, moved[follower]); err != nil {
				return err
			}
		}
		return nil
	})
	return opened, errors.Join(append(failed, err)...)
}

// look runs a rule from its position to a time, and again over the whole minutes that have become so old since that no more
// rows appear in them. It stores the new positions in moved.
func (s *Store) look(ctx context.Context, r caseRule, now time.Time, added newPostings, moved map[db.Follower]int64,
	open func([]models.Finding) error) error {
	from, err := r.follower().Position(s.db, s.db.Read.WithContext(ctx))
	if err != nil {
		return err
	}
	until, minute, late := db.Micros(now.Add(-r.after)), time.Minute.Microseconds(), caseLateness.Microseconds()
	back := from
	if from > db.Micros(now) {
		back = until - late
	}
	if added.Earliest > 0 {
		back = min(back, max(added.Earliest-late, 1))
	}
	if from-back > late {
		s.db.Log.Warn("The database's clock was put back. A rule for cases goes back too.", "rule", r.rule.String(),
			"from", db.FromMicros(back))
		from, moved[r.follower()] = back, back
	}
	if from >= until { // the rule may wait longer now than it did
		return nil
	}
	if from == 0 {
		from = until - caseReach.Microseconds()
	} else if again, to := from-from%minute-late, min(until-until%minute-late, from); again < to {
		if err := r.find(ctx, again, to, open); err != nil {
			return err
		}
	}
	// A rule that is far behind doubles its time span while queries are quick.
	for chunk := caseChunk.Microseconds(); from < until; {
		begun, to := time.Now(), min(from+chunk, until)
		if err := r.find(ctx, from, to, open); err != nil {
			return err
		}
		from, moved[r.follower()] = to, to
		if time.Since(begun) < caseQuick {
			chunk *= 2
		}
	}
	return nil
}

// caseFound is a row of a rule's query. It has the columns of all rules.
type caseFound struct {
	Place             int64 // by which the query reads rows
	AtUs              int64 // when it happened
	PlayerID          int64
	Test              bool
	TransactionNumber int64
	Reversal          int64 // the posting that rolled the transaction back; 0 if none did
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

	Spins, Used, Ours     int64
	LeastStake, MostStake int64
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

// first returns the transaction that has the callback's TransactionID, in words, or "" if there is none.
func (r *caseFound) first() string {
	if r.TransactionNumber == 0 {
		return ""
	}
	t := models.Transaction{Kind: models.OperationKind(r.FirstKind), Bet: models.Amount(r.FirstBet), Win: models.Amount(r.FirstWin)}
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

func (r *caseFound) money(minor int64) string {
	return models.Amount(minor).Grouped() + " " + r.Currency
}

// stake returns the amount, or "" if there is none.
func (r *caseFound) stake() string {
	if r.AmountMinor == 0 {
		return ""
	}
	return r.money(r.AmountMinor)
}

// facts returns lines of evidence: labels and values in turn. Those without a value are left out.
func facts(pairs ...string) (list []models.CaseFact) {
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			list = append(list, models.CaseFact{Label: pairs[i], Value: pairs[i+1]})
		}
	}
	return list
}

// rows returns a query of up to @limit new rows e, from @from until before @until, in the order of their times. columns are the
// columns of caseFound that the rule needs, besides place and player: always at_us, source, transaction_id and round_id.
func rows(columns, from, where string) string {
	return "SELECT e.at_us AS place, e.player_id, " + columns + " FROM " + from +
		" WHERE e.at_us >= @from AND e.at_us < @until AND " + where + " ORDER BY e.at_us LIMIT @limit"
}

// ofRow are the columns of a row that is a posting itself, except its amount.
const ofRow = "e.at_us, e.source, e.transaction_id, e.round_id, "

// search returns the finder that runs a query made by rows, or a query for the present state, and adds the player and the
// transaction of each row. evidence returns the facts of a case, or nil if the row is none.
func (s *Store) search(rule models.CaseRule, sql string, evidence func(r *caseFound) []models.CaseFact) caseFinder {
	sql = `SELECT f.*, p.test, w.currency, t.id AS transaction_number, t.player_id AS first_player, t.kind AS first_kind,
		t.bet_minor AS first_bet, t.win_minor AS first_win, t.round_id AS first_round, v.id AS reversal
		FROM (` + sql + `) f LEFT JOIN players p ON p.id = f.player_id LEFT JOIN wallets w ON w.player_id = f.player_id
		LEFT JOIN postings t ON t.source = f.source AND t.transaction_id = f.transaction_id AND t.claim = 1
		LEFT JOIN postings v ON v.source = f.source AND v.transaction_id = f.transaction_id AND v.claim = 2 ORDER BY f.place`
	return func(ctx context.Context, from, until int64, open func([]models.Finding) error) error {
		for limit := caseLimit; ; {
			found, err := db.All[caseFound](s.db.Read.WithContext(ctx),
				sql, map[string]any{"from": from, "until": until, "limit": limit})
			if err != nil {
				return err
			}
			var findings []models.Finding
			for i := range found {
				if r := &found[i]; !r.Test {
					if list := evidence(r); list != nil {
						findings = append(findings, r.finding(rule, list))
					}
				}
			}
			if err := open(findings); err != nil || len(found) < limit {
				return err
			}
			// Continue at the place of the last row, because more rows may have it. If all rows have it, read more at once.
			if last := found[len(found)-1].Place; last > from {
				from = last
			} else {
				limit *= 2
			}
		}
	}
}

// caseRules returns the rules that read new rows of the ledger and the callback log.
//
// A rule that needs the absence of rows uses a LEFT JOIN or a count, with a named index: for NOT EXISTS, MariaDB may copy the
// whole table into a temporary one, every few seconds.
func (s *Store) caseRules(cfg models.CaseRulesConfig) (list []caseRule) {
	d := s.db.Dialect
	add := func(rule models.CaseRule, part string, after time.Duration, sql string, evidence func(r *caseFound) []models.CaseFact) {
		list = append(list, caseRule{rule, part, after, s.search(rule, sql, evidence)})
	}
	standing := func(evidence func(r *caseFound) []models.CaseFact) func(r *caseFound) []models.CaseFact {
		return func(r *caseFound) []models.CaseFact {
			if r.Reversal != 0 {
				return nil
			}
			return evidence(r)
		}
	}
	index := func(name string) string { return db.Path{Index: name}.Hint(d) }

	// Refused callbacks.

	records := func(verdict models.Verdict, joined, where string) string {
		return rows(fmt.Sprintf("e.received_us AS at_us, %d AS source, e.transaction_id, e.round_id, e.kind, e.amount, e.win_amount, "+
			"e.cause", models.SourcePlatform), "callback_records e"+joined, fmt.Sprintf("e.verdict = %d", verdict)+where)
	}
	// There is no case if the callback log has a refusal of the original for the same user, before or after the rollback.
	// Callbacks without a valid signature do not count: anybody could send one to hide a rollback. Nor does an original that
	// was refused because of the rollback: the platform may have meant it to stand.
	add(models.CaseUnknownRollback, "", caseArrival, records(models.VerdictNotFound,
		fmt.Sprintf(" LEFT JOIN callback_records o%s ON o.transaction_id = e.transaction_id AND o.user_id = e.user_id "+
			"AND o.kind <> e.kind AND o.verdict > %d AND o.verdict < %d AND o.verdict NOT IN (%d, %d, %d, %d, %d)",
			index("callback_records_transaction"), models.Applied, models.VerdictLeftOut, models.VerdictWrongInput,
			models.VerdictInvalidSign, models.VerdictForbidden, models.VerdictNotACallback, models.VerdictRolledBack),
		" AND o.at_us IS NULL"),
		func(r *caseFound) []models.CaseFact {
			of := "that was neither applied nor refused"
			if r.TransactionNumber != 0 {
				of = "of another player"
			}
			return facts("What came", "RollbackTransaction for a transaction "+of, "Answered", "8, transaction not found")
		})
	add(models.CaseOverflow, "", caseCommit, records(models.VerdictBalanceOverflow, "", ""), func(r *caseFound) []models.CaseFact {
		return facts("What came", r.came(), "Answered", "refused: the balance would be out of range")
	})
	add(models.CaseOtherContents, "", caseCommit, records(models.VerdictOtherContents, "", ""), func(r *caseFound) []models.CaseFact {
		return facts("The first", r.first(), "Came again as", r.came(), "Answered", "11, duplicate transaction: the first stands")
	})
	add(models.CaseSignReused, "", caseCommit, records(models.VerdictSignReused, "", ""), func(r *caseFound) []models.CaseFact {
		return facts("What came", r.came(), "Refused because", r.Cause, "Answered", "3, invalid sign: nothing was booked")
	})

	// Postings.

	add(models.CaseNegativeBalance, "", caseCommit, rows(ofRow+"e.after_minor AS amount_minor", "postings e", fmt.Sprintf(
		"e.after_minor < 0 AND (e.claim = 2 OR e.kind = %d) AND e.after_minor - ("+ledger.EffectSQL+") >= 0", models.Adjustment)),
		func(r *caseFound) []models.CaseFact {
			return facts("Balance after", models.Amount(r.AmountMinor).Signed()+" "+r.Currency,
				"Why", "a win that had been spent was rolled back, or a correction took the money")
		})
	// Two people have already examined a win that was booked by hand.
	add(models.CaseWinWithoutBet, "", caseArrival, rows(ofRow+"e.win_minor AS amount_minor", "postings e", fmt.Sprintf(
		"%s AND e.win_minor > 0 AND %s = 0 AND (SELECT COUNT(*) FROM corrections k%s WHERE k.transaction_id = e.transaction_id "+
			"AND k.player_id = e.player_id AND k.kind = %d AND k.state = %d) = 0", ledger.AreWins, ledger.BetsFor(d),
		index("corrections_transaction"), models.CorrectWin, models.ApprovalApproved)),
		standing(func(r *caseFound) []models.CaseFact {
			return facts("Win", r.money(r.AmountMinor), "Round", r.RoundID+", without a bet or free spin that stood before the win")
		}))
	// beside selects the transactions t that are still in effect in the round of a rollback e.
	beside := func(amount, where string) string {
		return rows("e.at_us, t.source, t.transaction_id, t.round_id, "+amount+" AS amount_minor",
			"postings e CROSS JOIN postings t"+index("postings_round")+
				" LEFT JOIN postings v ON v.source = t.source AND v.transaction_id = t.transaction_id AND v.claim = 2",
			"e.claim = 2 AND t.round_id = e.round_id AND t.player_id = e.player_id AND t.claim = 1 AND v.id IS NULL AND "+where)
	}
	// Or all bets of the round were rolled back, perhaps long after the win, and the win was not.
	add(models.CaseWinWithoutBet, ", bets rolled back", caseArrival, beside("t.win_minor", fmt.Sprintf(
		"e.kind IN (%d, %d) AND e.free_spin = 0 AND t.kind = %d AND t.win_minor > 0 AND %s = 0", models.Bet, models.BetWin, models.Win,
		ledger.StandingOf(d, models.Bet, models.BetWin))), func(r *caseFound) []models.CaseFact {
		return facts("Win", r.money(r.AmountMinor), "Round", r.RoundID+", whose bets were all rolled back")
	})
	// The platform rolls back incomplete rounds. In this round a bet was not rolled back, and neither a win nor another
	// rollback followed. Rollbacks by staff are left out: people have decided them.
	add(models.CaseInterruptedRound, "", models.RoundSettles, beside("CASE WHEN t.free_spin = 1 THEN 0 ELSE t.bet_minor END", fmt.Sprintf(
		`e.kind IN (%d, %d, %d) AND t.kind = %d AND %s = 0 AND (SELECT MAX(b.id) FROM postings b%s WHERE b.round_id = e.round_id
		AND b.player_id = e.player_id) = e.id AND (SELECT COUNT(*) FROM corrections k%s WHERE k.transaction_id = e.transaction_id
		AND k.player_id = e.player_id AND k.state = %d) = 0`, models.Bet, models.Win, models.BetWin, models.Bet,
		ledger.StandingOf(d, models.Win, models.BetWin), index("postings_round"), index("corrections_transaction"),
		models.ApprovalApproved)), func(r *caseFound) []models.CaseFact {
		return facts("Bet", r.stake(), "Round", r.RoundID+": part of it was rolled back, and nothing followed")
	})
	add(models.CaseHeldCash, "", models.CashOutExpires, rows(ofRow+"e.bet_minor AS amount_minor", "postings e",
		fmt.Sprintf("e.claim = 1 AND e.kind = %d", models.CashOut)), standing(func(r *caseFound) []models.CaseFact {
		client, id, _ := models.ParseCashID(models.TransactionID(r.TransactionID))
		return facts("Cash-out", r.money(r.AmountMinor)+", held since it was requested",
			"API client", fmt.Sprintf("%d, which calls it %s", client, id))
	}))
	if cfg.OpenRound > 0 {
		add(models.CaseOpenRound, "", cfg.OpenRound, rows(ofRow+"e.bet_minor AS amount_minor", "postings e",
			ledger.AreBets+" AND e.bet_minor > 0 AND "+ledger.StandingOf(d, models.Win, models.BetWin)+" = 0"),
			standing(func(r *caseFound) []models.CaseFact {
				return facts("Bet", r.money(r.AmountMinor), "Round", r.RoundID+": neither a win nor a rollback followed")
			}))
	}

	// Free spins.

	spin := fmt.Sprintf("e.at_us, %d AS source, e.transaction_id, e.round_id, e.stake_minor AS amount_minor", models.SourcePlatform)
	add(models.CaseUnexplainedSpin, "", caseCommit, rows(spin, "spin_entries e", fmt.Sprintf("e.kind = %d AND e.grant_known = 0",
		models.EntrySpin)), func(r *caseFound) []models.CaseFact {
		return facts("Stake not taken", r.money(r.AmountMinor),
			"Grants", "the player had none with spins left that was open, under way or recently ended")
	})
	// Or its stake is far from the stakes of the grant's other spins: freeSpin is not signed, so somebody may have turned a
	// paid bet into a free spin.
	others := fmt.Sprintf("(o.stake_minor) FROM spin_attributions b JOIN spin_entries o ON o.player_id = b.player_id AND o.seq = b.seq "+
		"WHERE b.grant_id = a.grant_id AND o.kind = %d)", models.EntrySpin)
	add(models.CaseUnexplainedSpin, ", stakes", caseCommit, rows(spin+", a.grant_id, (SELECT MIN"+others+" AS least_stake, (SELECT MAX"+
		others+" AS most_stake", "spin_entries e JOIN spin_attributions a ON a.player_id = e.player_id AND a.seq = e.seq",
		fmt.Sprintf("e.kind = %d AND a.grant_id > 0", models.EntrySpin)), func(r *caseFound) []models.CaseFact {
		far := r.AmountMinor >= usualStake*r.LeastStake || r.MostStake >= usualStake*r.AmountMinor
		if !far || r.LeastStake >= r.MostStake {
			return nil
		}
		return facts("Stake not taken", r.money(r.AmountMinor),
			"Stakes of the grant's spins", r.money(r.LeastStake)+" to "+r.money(r.MostStake))
	})
	return list
}

// grantRules returns the rules about grants. They read the present state of grants along indexes that contain few of them, and
// skip grants that already have their case.
func (s *Store) grantRules() map[models.CaseRule]caseFinder {
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	state := func(rule models.CaseRule, at, where string, evidence func(r *caseFound) []models.CaseFact) caseFinder {
		return s.search(rule, fmt.Sprintf(`SELECT g.id AS place, g.player_id, g.%s AS at_us, 0 AS source, '' AS transaction_id,
			g.id AS grant_id, g.spins, g.used, g.ours FROM grants g JOIN players q ON q.id = g.player_id AND q.test = 0 WHERE %s
			AND NOT EXISTS (SELECT 1 FROM cases c WHERE c.grant_id = g.id AND c.rule = %d) ORDER BY g.id LIMIT @limit`,
			at, where, rule), evidence)
	}
	return map[models.CaseRule]caseFinder{
		models.CaseUnknownGrant: state(models.CaseUnknownGrant, "at_us", fmt.Sprintf("g.state = %d AND g.resolution = %d",
			models.GrantUnknown, models.Unresolved), func(r *caseFound) []models.CaseFact {
			return facts("Granted", number(r.Spins)+" spins",
				"The platform", "gave no answer that could be read. The spins may or may not have been granted.")
		}),
		models.CaseSpinsApart: state(models.CaseSpinsApart, "at_us", fmt.Sprintf("g.apart >= %d", models.ApartForLong),
			func(r *caseFound) []models.CaseFact {
				return facts("Used, by the platform", number(r.Used), "Used, by our ledger", number(r.Ours))
			}),
		models.CaseDisownedGrant: state(models.CaseDisownedGrant, "disowned_at_us", "g.disowned_at_us > 0",
			func(r *caseFound) []models.CaseFact {
				return facts("Granted", number(r.Spins)+" spins", "Used, by our ledger", number(r.Ours), "The platform",
					fmt.Sprintf("answers with result %d: it does not know a grant with this free-spin ID.", models.ResultUnknownGrant))
			}),
	}
}

func (r *caseFound) finding(rule models.CaseRule, evidence []models.CaseFact) models.Finding {
	f := models.Finding{
		Rule: rule, At: db.FromMicros(r.AtUs), PlayerID: r.PlayerID, Transaction: r.TransactionNumber,
		TransactionID: models.TransactionID(r.TransactionID), GrantID: r.GrantID,
		Amount: max(models.Amount(r.AmountMinor), -models.Amount(r.AmountMinor)), Currency: models.Currency(r.Currency),
		Facts: evidence,
		Key:   fmt.Sprintf("player %d transaction %s", r.PlayerID, r.TransactionID),
	}
	switch {
	case r.GrantID != 0:
		f.Key = fmt.Sprintf("grant %d", r.GrantID)
	case rule == models.CaseNegativeBalance:
		f.Key = fmt.Sprintf("player %d at %d", r.PlayerID, r.AtUs)
	case rule == models.CaseOverflow, rule == models.CaseSignReused:
		for _, text := range []string{r.Amount, r.WinAmount} { // the larger amount of a callback
			if amount, err := models.ParseAmount(text); err == nil {
				f.Amount = max(f.Amount, amount)
			}
		}
	}
	return f
}
