package books_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store"
	"pitboss/models/store/storetest"
)

// rawPosting is a row of the ledger, read without the code under test.
type rawPosting struct {
	own, reversal, free, opening, adjustment bool
	id                                       string
	bet, win                                 models.Amount
	at                                       time.Time
}

func rawPostings(x *storetest.Database, t *testing.T) (list []rawPosting) {
	t.Helper()
	rows, err := x.DB.QueryContext(t.Context(), `SELECT source, COALESCE(claim, 0), kind, free_spin, transaction_id, bet_minor,
		win_minor, at_us FROM postings`)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var p rawPosting
		var source, claim, kind, us int64
		require.NoError(t, rows.Scan(&source, &claim, &kind, &p.free, &p.id, &p.bet, &p.win, &us))
		p.own, p.reversal, p.opening, p.adjustment = source == 2, claim == 2, kind == 5, kind == 6
		p.at = time.UnixMicro(us)
		list = append(list, p)
	}
	require.NoError(t, rows.Err())
	return list
}

// comparedWith compares what we have in a statement's period with lines of the platform, like a run.
func comparedWith(t *testing.T, s *store.Store, since, until time.Time, lines ...models.StatementLine) (models.Statement,
	models.StatementRun) {
	t.Helper()
	ctx := t.Context()
	st, err := s.CreateStatement(ctx, storetest.Tester,
		models.Statement{FileName: "day.csv", Digest: strings.Repeat("a", 64), Since: since,
			Until: until})
	require.NoError(t, err)
	run, err := s.BeginStatementRun(ctx, storetest.Tester, st)
	require.NoError(t, err)
	low, high, err := s.TransactionNumbers(ctx, since, st.Ends())
	require.NoError(t, err)
	ours, err := s.PlatformTransactionsFrom(ctx, low, high, 1000)
	require.NoError(t, err)
	require.NoError(t, s.WhoPlayed(ctx, ours))
	var differences []models.Difference
	sums := map[models.Bucket]*models.StatementSum{}
	add := func(ours *models.TransactionLine, theirs *models.StatementLine) {
		c := models.Compare(ours, theirs)
		if sums[c.Bucket] == nil {
			sums[c.Bucket] = &models.StatementSum{Currency: "EUR", Bucket: c.Bucket}
		}
		if sums[c.Bucket].Add(&c); c.Bucket != models.Agrees {
			c.Number, run.Differences = run.Differences+1, run.Differences+1
			differences = append(differences, c.Difference)
		}
	}
	of := map[models.TransactionID]*models.StatementLine{}
	for i := range lines {
		lines[i].UserID, lines[i].Currency, lines[i].Standing = "anna", "EUR", models.StandingApplied
		of[lines[i].TransactionID] = &lines[i]
	}
	for i := range ours {
		if at := ours[i].At; !at.Before(since) && at.Before(st.Ends()) {
			add(&ours[i], of[ours[i].TransactionID])
			delete(of, ours[i].TransactionID)
		}
	}
	for _, line := range of {
		add(nil, line)
	}
	require.NoError(t, s.AddFindings(ctx, run.ID, differences, nil))
	for _, sum := range sums {
		run.Sums = append(run.Sums, *sum)
	}
	_, err = s.FinishRun(ctx, run)
	require.NoError(t, err)
	st, _, err = s.Statement(ctx, st.ID)
	require.NoError(t, err)
	require.Equal(t, models.JobFinished, st.Run.State)
	return st, st.Run
}

// requireBridge recalculates each row of the only bridge from the platform's lines and the raw postings. byHand has the
// platform's IDs that were corrected after the comparison.
func requireBridge(x *storetest.Database, t *testing.T, s *store.Store, st models.Statement, run models.StatementRun,
	lines []models.StatementLine, byHand ...string) map[models.BridgeStep]models.BridgeRow {
	t.Helper()
	_, err := s.FollowDays(t.Context())
	require.NoError(t, err)
	bridges, from, to, err := s.Bridge(t.Context(), st, run)
	require.NoError(t, err)
	require.Len(t, bridges, 1)
	require.Equal(t, from, to)
	begin, end := from.Begin(time.UTC), from.End(time.UTC)
	inDay := func(at time.Time) bool { return !at.Before(begin) && at.Before(end) }
	inFile := func(at time.Time) bool { return !at.Before(st.Since) && at.Before(st.Ends()) }
	hand, theirs := map[string]bool{}, map[string]models.StatementLine{}
	for _, id := range byHand {
		hand[id] = true
	}
	raw := rawPostings(x, t)
	booked, reversed := map[string]rawPosting{}, map[string]rawPosting{}
	for _, p := range raw {
		if p.own || p.free {
			continue
		}
		if p.reversal {
			reversed[p.id] = p
		} else {
			booked[p.id] = p
		}
	}
	want := map[models.BridgeStep]*models.BridgeRow{}
	for step := models.BridgeTheirs; step <= models.BridgeAfter; step++ {
		want[step] = &models.BridgeRow{Step: step}
	}
	add := func(step models.BridgeStep, sign models.Amount, bet, win models.Amount) {
		want[step].Add(models.Amount(sign*bet), models.Amount(sign*win), 0)
	}
	other := func(step models.BridgeStep, a models.Amount) {
		want[step].Add(0, 0, models.Amount(a))
	}
	seen := func(id string) (bet, win models.Amount) { // our side, as the comparison saw it
		p, there := booked[id]
		if r, back := reversed[id]; !there || !inFile(p.at) || back && r.at.Before(run.FinishedAt) {
			return 0, 0
		}
		return p.bet, p.win
	}
	for _, l := range lines {
		theirs[string(l.TransactionID)] = l
		add(models.BridgeTheirs, 1, l.Bet, l.Win)
		bet, win := seen(string(l.TransactionID))
		step := models.BridgeAmount
		if _, there := booked[string(l.TransactionID)]; !there || !inFile(booked[string(l.TransactionID)].at) {
			step = models.BridgeOnlyTheirs
		} else if bet == 0 && win == 0 && l.Bet+l.Win > 0 {
			step = models.BridgeState
		}
		add(step, 1, bet-l.Bet, win-l.Win)
	}
	for id, p := range booked {
		bet, win := seen(id)
		if p.opening {
			continue
		}
		add(models.BridgeCompared, 1, bet, win)
		if _, there := theirs[id]; !there {
			add(models.BridgeOnlyOurs, 1, bet, win)
		}
		r, back := reversed[id]
		switch before := back && r.at.Before(run.FinishedAt); {
		case before && inFile(p.at) && !inDay(r.at):
			add(models.BridgeRolledBack, 1, p.bet, p.win)
		case before && inDay(r.at) && p.at.Before(st.Since):
			add(models.BridgeRolledBack, -1, p.bet, p.win)
		case back && !before && hand[id] && !inDay(r.at):
			add(models.BridgeLater, -1, p.bet, p.win)
		}
		if hand[id] && p.at.After(run.FinishedAt) && !inDay(p.at) {
			add(models.BridgeLater, 1, p.bet, p.win)
		}
	}
	for _, p := range raw {
		sign := models.Amount(1)
		if p.reversal {
			sign = -1
		}
		step := models.BridgeCallbacks
		if hand[p.id] {
			step = models.BridgeCorrected
		}
		late := !p.at.Before(run.FinishedAt)
		switch {
		case p.free || !inDay(p.at):
		case p.opening:
			other(models.BridgeOpenings, p.win)
			other(models.BridgeReport, p.win)
		case p.adjustment:
			other(map[bool]models.BridgeStep{true: models.BridgeCorrected, false: models.BridgeAdjustments}[late], p.win-p.bet)
			other(models.BridgeReport, p.win-p.bet)
		default:
			add(models.BridgeReport, sign, p.bet, p.win)
			if late {
				add(step, sign, p.bet, p.win)
			}
		}
	}
	got := map[models.BridgeStep]models.BridgeRow{}
	var running models.BridgeRow
	for _, row := range bridges[0].Rows() {
		if row.Step.Total() {
			if row.Step != models.BridgeTheirs {
				require.Equal(t, running, models.BridgeRow{Turnover: row.Turnover, Wins: row.Wins, Moved: row.Moved},
					"the rows add up to: %s", row.Step)
			}
			running = models.BridgeRow{Turnover: row.Turnover, Wins: row.Wins, Moved: row.Moved}
		} else {
			running = models.BridgeRow{Turnover: running.Turnover.Add(row.Turnover), Wins: running.Wins.Add(row.Wins),
				Moved: running.Moved.Add(row.Moved)}
		}
		if got[row.Step] = row; row.Step != models.BridgeAfter && row.Step != models.BridgeOtherDays {
			require.Equal(t, *want[row.Step], row, "%s", row.Step)
		}
		delete(want, row.Step)
	}
	for step, row := range want {
		require.Equal(t, models.BridgeRow{Step: step}, *row, "%s is missing", step)
	}
	return got
}

// TestBridge leads from the platform's figures of a day to our report and to the corrections after it, and recalculates each row from
// the raw postings.
func TestBridge(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		day := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
		s, now := x.OpenAt(t, day.Add(-6*time.Hour))
		d := storetest.NewColleagues(t, s, 100_000)
		book := func(ops ...models.Operation) {
			t.Helper()
			for _, op := range ops {
				*now = now.Add(time.Second)
				require.Equal(t, models.None, storetest.Apply(t, s, op).Decline)
			}
		}
		correct := func(r models.CorrectionRequest) {
			t.Helper()
			*now = now.Add(time.Second)
			d.MustApprove(d.Jonas, d.Request(d.Mira, r))
		}
		book(storetest.Bet("anna", "early", 500))
		*now = day.Add(12 * time.Hour)
		book(storetest.Rollback("anna", "early"), storetest.Bet("anna", "b1", 1000), storetest.Win("anna", "w1", 300),
			storetest.Bet("anna", "b2", 400), storetest.Bet("anna", "b3", 700),
			storetest.BetWin("anna", "bw", 200, 900), storetest.FreeSpin("anna", "fs", 50))
		storetest.CreatePlayer(t, s, "bert", 2000)
		correct(d.Adjust(models.CorrectCredit, 250, "goodwill"))
		*now = day.Add(34 * time.Hour)
		book(storetest.Rollback("anna", "b2"))
		*now = now.Add(time.Second)
		lines := []models.StatementLine{{Line: 2, TransactionID: "b1", Kind: models.Bet, Bet: 1000},
			{Line: 3, TransactionID: "w1", Kind: models.Win, Win: 350},
			{Line: 4, TransactionID: "t1", Kind: models.Win, Win: 1050},
			{Line: 5, TransactionID: "bw", Kind: models.BetWin, Bet: 200, Win: 900}}
		st, run := comparedWith(t, s, day, day.AddDate(0, 0, 1), lines...)
		*now = now.Add(time.Hour)
		correct(d.Win("t1", 1050))
		correct(d.Rollback("b3"))
		rows := requireBridge(x, t, s, st, run, lines, "t1", "b3")
		require.Equal(t, -models.Amount(-400+500), rows[models.BridgeRolledBack].Turnover)
		require.Equal(t, models.Amount(1000+200+400+700-500), rows[models.BridgeReport].Turnover)
		require.Equal(t, models.Amount(1000+200+400-500), rows[models.BridgeAfter].Turnover)
		require.NotContains(t, rows, models.BridgeOtherDays)

		// A file of a day that is not over: what is booked later on that day is apart, and by whom.
		day = day.AddDate(0, 0, 3)
		*now = day.Add(9 * time.Hour)
		book(storetest.Bet("anna", "c1", 1000), storetest.Bet("anna", "c2", 300))
		lines = []models.StatementLine{{Line: 2, TransactionID: "c1", Kind: models.Bet, Bet: 1000}}
		*now = day.Add(12 * time.Hour)
		st, run = comparedWith(t, s, day, day.AddDate(0, 0, 1), lines...)
		book(storetest.Bet("anna", "c3", 120), storetest.Win("anna", "c4", 80))
		correct(d.Rollback("c2"))
		correct(d.Adjust(models.CorrectCredit, 70, "goodwill"))
		rows = requireBridge(x, t, s, st, run, lines, "c2")
		require.Equal(t, models.Amount(370), rows[models.BridgeCorrected].Moved)
		require.Equal(t, models.Amount(-40), rows[models.BridgeCallbacks].Moved)
		require.NotContains(t, rows, models.BridgeOtherDays)
	})
}
