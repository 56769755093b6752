package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"net/netip"
	"strings"
	"testing"
	"testing/cryptotest"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"pitboss/app/reconcile"
	"pitboss/cmd/pitboss/demo"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// releasePast plays three days in which everything happens once, so that each table has rows in their states. The clock and the
// random numbers are fixed, so the same program makes the same database. Its keys and passwords are those of the tests and of
// the demo.
type releasePast struct {
	*storetest.Colleagues
	ctx      context.Context
	clock    *storetest.Clock
	requests int64
	by       map[string]models.Signer
}

// releaseDatabase returns the URL of a database that this program has used for three days.
func releaseDatabase(t *testing.T, engine string) string {
	t.Helper()
	cryptotest.SetGlobalRandom(t, 1)
	url, clock := storetest.URL(t, engine), &storetest.Clock{}
	clock.Set(time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)) // a Monday
	s := storetest.Open(t, store.Config{URL: url, LedgerKey: []byte(testLedger), LockWait: commandLockWait, Now: clock.Now})
	p := &releasePast{Colleagues: &storetest.Colleagues{Store: s, T: t}, ctx: t.Context(), clock: clock, by: map[string]models.Signer{}}
	p.open()
	p.play()
	p.spins()
	p.cash()
	p.protect()
	p.correct()
	p.control()
	p.staff()
	p.close()
	// What depends on neither.
	rest := []string{"UPDATE event_order SET mark = number", "UPDATE goose_db_version SET tstamp = '2026-11-23 09:00:00'"}
	if engine == storetest.MariaDB {
		rest = append(rest, "UPDATE migration_lock SET updated_at = '2026-11-23 09:00:00'")
	}
	for _, statement := range rest {
		_, err := storetest.OpenURL(t, url).ExecContext(t.Context(), statement)
		require.NoError(t, err)
	}
	return url
}

// must returns the value of a call that has to succeed.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// done requires that a call has succeeded. The next one is a minute later.
func (p *releasePast) done(err error) {
	p.T.Helper()
	require.NoError(p.T, err)
	p.later(time.Minute)
}

func (p *releasePast) later(d time.Duration) { p.clock.Set(p.clock.Now().Add(d)) }

func (p *releasePast) player(user models.UserID) models.Player {
	p.T.Helper()
	player, found, err := p.Player(p.ctx, user)
	p.done(err)
	require.True(p.T, found, user)
	return player
}

// decide has somebody approve, refuse or withdraw a request.
func (p *releasePast) decide(kind, by string, id int64, do models.ApprovalState, why string) models.Requested {
	p.T.Helper()
	d := storetest.Opened(p.ctx, p.Store, kind, id)
	d.Do, d.Why = do, why
	r, err := p.Decide(p.ctx, p.by[by], d)
	p.done(err)
	return r
}

func (p *releasePast) requestChange(by string, subject models.ChangeSubject, value any) int64 {
	p.T.Helper()
	r, err := p.RequestChange(p.ctx, p.by[by], subject, value, "Agreed in the meeting.")
	p.done(err)
	return r.ID
}

// change has two people change a setting.
func (p *releasePast) change(maker, checker string, subject models.ChangeSubject, value any) {
	p.T.Helper()
	p.decide("change", checker, p.requestChange(maker, subject, value), models.ApprovalApproved, "")
}

// open hires the staff, makes settings, lists games and creates players.
func (p *releasePast) open() {
	p.done(demo.CreateStaff(p.ctx, p.Store))
	for _, member := range demo.Staff {
		made, _, err := p.StaffNamed(p.ctx, member.Username)
		p.done(err)
		p.by[member.Username] = models.Signer{StaffID: made.ID, Role: made.Role, Actor: models.Actor{Name: member.Username,
			Channel: models.ChannelBrowser, Address: "192.0.2.10", Session: "of " + member.Username}}
	}
	p.Mira, p.Sofia = p.by["mira"], p.by["sofia"]
	run := models.ProgramRun{Place: "a host, callbacks 127.0.0.1:8081, back office 127.0.0.1:8080", Version: version, Schema: 9,
		Settings: map[string]string{"PITBOSS_AGENT_ID": "1f3a"}}
	p.done(p.EndProgramRun(p.ctx, must(p.BeginProgramRun(p.ctx, run)), false))

	rules := models.DefaultGrantRules
	rules.Limits.Cost = map[models.Currency]models.GrantCost{"EUR": {Grant: 2000, PlayerPerDay: 4000, HousePerDay: 600000}}
	rules.SpinCost = map[models.Currency]models.Amount{"EUR": 20}
	p.change("ada", "adam", models.ChangeGrantLimits, rules)
	p.change("farid", "chloe", models.ChangeBaseCurrency, models.Currency("EUR"))
	rules.Limits.HouseSpinsPerDay++
	p.decide("change", "adam", p.requestChange("ada", models.ChangeGrantLimits, rules), models.ApprovalRefused, "Not now.")
	p.requestChange("ada", models.ChangeGrantLimits, rules)
	p.done(p.SetNoticeRules(p.ctx, p.by["ada"].Actor, models.NoticeRules{Kinds: models.NoticeKinds[:2]}))

	offered := []models.OfferedGame{
		{GameID: "g1", Name: "Ancient Bells", Type: "slot", Provider: "Lumen", Thumbnail: "https://games.example/g1.png"},
		{GameID: "g2", Name: "Tides", Type: "slot", Provider: "Lumen"}, {GameID: "g3", Name: "Embers", Type: "roulette", Provider: "Castor"},
	}
	ada := p.by["ada"].Actor
	p.done(second(p.SyncGames(p.ctx, ada, models.GameSync{At: p.clock.Now()}, offered)))
	offered[1].Name = "Lucky Tides"
	p.done(second(p.SyncGames(p.ctx, ada, models.GameSync{At: p.clock.Now()}, offered[:2])))

	for _, player := range []models.NewPlayer{{UserID: "anna", Currency: "EUR", Balance: 100000}, {UserID: "bert", Currency: "EUR", Balance: 50000},
		{UserID: "carl", Currency: "EUR"}, {UserID: "deniz", Currency: "TRY", Balance: 400000, Zone: "Europe/Istanbul"},
		{UserID: "test-eur", Currency: "EUR", Balance: 50000, Test: true}} {
		p.done(second(p.CreatePlayer(p.ctx, p.by["ada"].Actor, player)))
	}
	p.Anna = p.player("anna")
	p.done(p.SetLanguage(p.ctx, p.by["sofia"].Actor, p.Anna.ID, "de", "Europe/Vienna"))
}

// second returns the error of a call whose value is not needed.
func second[T any](_ T, err error) error { return err }

// callback applies an operation as a callback, and returns its line of the callback log.
func (p *releasePast) callback(op models.Operation) models.Callback {
	p.T.Helper()
	p.requests++
	op = storetest.Signed(op)
	op.Sender = models.Sender{Request: models.RequestID{Received: p.clock.Now(), Number: 1<<32 | p.requests},
		Address: netip.MustParseAddr("203.0.113.7")}
	_, c := storetest.Called(p.T, p.Store, op)
	p.later(time.Minute)
	return c
}

// play has the platform send each callback, each with each outcome.
func (p *releasePast) play() {
	for _, op := range []models.Operation{
		storetest.Bet("anna", "bet-1", 1000), storetest.Win("anna", "win-1", 700), storetest.BetWin("anna", "both-1", 500, 900),
		storetest.Bet("anna", "bet-2", 250), storetest.Rollback("anna", "bet-2"), storetest.Rollback("anna", "both-1"),
		storetest.Rollback("anna", "early"), storetest.Bet("anna", "early", 100), // a tombstone, and the bet that it refuses
		storetest.Bet("anna", "bet-1", 1000), storetest.Bet("anna", "bet-1", 1001), // sent again, and with other contents
		storetest.Bet("anna", "bet-3", 99999999), storetest.Win("anna", "alone", 50), storetest.Bet("nobody", "bet-4", 100),
		storetest.Win("anna", "win-2", 40), storetest.Rollback("anna", "win-2"), storetest.Bet("bert", "bet-5", 300),
		storetest.Bet("deniz", "bet-6", 2000), storetest.Win("deniz", "win-6", 90000), storetest.BetWin("test-eur", "both-7", 100, 50),
		storetest.Bet("anna", "bet-8", 400), storetest.Bet("anna", "bet-9", 600), storetest.Bet("bert", "void", 700),
	} {
		p.callback(op)
	}
	forged := models.Callback{At: p.clock.Now(), Request: models.RequestID{Received: p.clock.Now(), Number: 2 << 32}, Kind: models.Withdraw,
		Verdict: models.VerdictInvalidSign, Address: netip.MustParseAddr("2001:db8::99"), UserID: "anna", TransactionID: "bet-1",
		RoundID: "<script>", Amount: "much", Cause: "the sign does not match", Answered: models.Answered{Result: 3, Status: 200}}
	p.done(p.LogCallbacks(p.ctx, []models.Callback{forged}))
	p.done(p.AddCallbacks(p.ctx, p.clock.Now(), models.CallbackCounts{Answers: map[models.CallbackAnswer]uint64{
		{Endpoint: "Withdraw", Result: 0}: 7, {Endpoint: "RollbackTransaction", Result: 8}: 1}}))
}

// spins grants free spins, to one player and in campaigns, and plays some.
func (p *releasePast) spins() {
	by := p.by["bruno"]
	grant := func(user models.UserID, spins int64, o models.GrantOutcome) models.Grant {
		g := must(p.RequestGrant(p.ctx, by.Actor, models.GrantRequest{UserID: user, GameID: "g1", Spins: spins, Reason: "Goodwill",
			Role: models.Bonus, Again: true}))
		return p.answer(g, o)
	}
	unknown := models.GrantOutcome{State: models.GrantUnknown, Result: models.NoResult, Message: "The platform answered with HTTP status 500."}
	played := grant("anna", 3, models.GrantOutcome{State: models.GrantActive, FreeSpinID: "fs-1", Raw: `{"result":0}`})
	p.callback(storetest.FreeSpin("anna", "spin-1", 20))
	p.callback(storetest.Win("anna", "spin-1-win", 150))
	p.callback(storetest.FreeSpin("anna", "spin-2", 20))
	p.callback(storetest.Rollback("anna", "spin-2"))
	p.callback(storetest.FreeSpin("bert", "spin-3", 20)) // which no grant explains
	p.done(p.AttributeSpins(p.ctx, p.Anna.ID, true))
	p.done(p.AttributeSpins(p.ctx, p.player("bert").ID, true))
	p.done(p.ObserveGrants(p.ctx, p.Anna.ID, []models.Observation{{GrantID: played.ID, Status: models.StatusActive, Total: 3, Used: 1,
		Remaining: 2, Ours: 1, Raw: "{}"}}, true))
	grant("bert", 2, models.GrantOutcome{State: models.GrantRefused, Result: 2, Message: "refused with result 2, no such game"})
	p.done(second(p.ResolveGrant(p.ctx, by.Actor, grant("bert", 1, unknown).ID,
		models.GrantResolution{Kind: models.ResolvedFound, FreeSpinID: "fs-found", Total: 1, Note: "The platform has it."})))
	grant("carl", 1, unknown)

	campaign := func(name string, spins int64, users ...models.UserID) (models.Campaign, []models.GrantLine) {
		var lines []models.GrantLine
		for i, user := range users {
			lines = append(lines, models.GrantLine{Line: i + 1, UserID: user, GameID: "g2", Spins: spins})
		}
		return models.Campaign{FileName: name + ".csv", Digest: name, CampaignTerms: models.CampaignTerms{Name: name}, Role: models.Bonus, Again: true}, lines
	}
	create := func(c models.Campaign, lines []models.GrantLine) models.Campaign {
		c, bad, err := p.CreateCampaign(p.ctx, by.Actor, c, lines)
		p.done(err)
		require.Empty(p.T, bad)
		return c
	}
	request := func(c models.Campaign, lines []models.GrantLine) int64 {
		c, bad, err := p.RequestCampaign(p.ctx, by, c, lines)
		p.done(err)
		require.Empty(p.T, bad)
		return c.ID
	}
	loyalty := create(campaign("Loyalty", 2, "anna", "bert"))
	for _, line := range must(p.CampaignLines(p.ctx, models.CampaignLineFilter{CampaignID: loyalty.ID, Span: models.Span{Limit: 10}})).Rows {
		p.answer(must(p.RequestCampaignLine(p.ctx, by.Actor, loyalty, line)),
			models.GrantOutcome{State: models.GrantActive, FreeSpinID: models.FreeSpinID("fs-" + string(line.UserID)), Raw: `{"result":0}`})
	}
	p.done(p.SetCampaignState(p.ctx, models.System, loyalty.ID, models.JobFinished, ""))
	p.done(p.SetCampaignState(p.ctx, by.Actor, create(campaign("Paused", 1, "anna", "deniz")).ID, models.JobPaused, "Repairs."))
	p.decide("campaign", "farid", request(campaign("Refused", 130, "anna")), models.ApprovalRefused, "Too many.")
	p.decide("campaign", "bruno", request(campaign("Withdrawn", 140, "anna")), models.ApprovalWithdrawn, "A mistake.")
	p.decide("campaign", "farid", request(campaign("Approved", 120, "bert")), models.ApprovalApproved, "")
	request(campaign("Waiting", 150, "anna"))

	game, _, err := p.Game(p.ctx, "g1")
	p.done(err)
	session := models.GameSession{At: p.clock.Now(), PlayerID: p.player("test-eur").ID, UserID: "test-eur", Language: "de",
		Reason: "The reels froze", Game: game.Ref(), State: models.GameSessionOpened}
	session.ID = must(p.BeginGameSession(p.ctx, p.by["sofia"].Actor, session))
	p.done(p.EndGameSession(p.ctx, p.by["sofia"].Actor, session))
}

// answer sends a grant, as if the platform answered so.
func (p *releasePast) answer(g models.Grant, o models.GrantOutcome) models.Grant {
	p.T.Helper()
	p.done(second(p.SendGrant(p.ctx, g.ID)))
	g, err := p.AnswerGrant(p.ctx, p.by["bruno"].Actor, g.ID, o)
	p.done(err)
	return g
}

// cash has a client of the API book deposits and cash-outs, one for each way in which a cash-out ends.
func (p *releasePast) cash() {
	terms := models.APITerms{Name: "cashier", Networks: "127.0.0.1/32", Scopes: models.APIScopes, PerMinute: 6000, Cash: "EUR 500.00",
		CashPerDay: "EUR 2000.00", ApproveAbove: "EUR 20.00", Webhook: "https://127.0.0.1:9/events", Events: models.ToldObjects}
	p.change("ada", "adam", models.ChangeAPIClient, models.APITermsRequest{APITerms: terms})
	client := must(p.APIClients(p.ctx, models.APIClientFilter{Span: models.Span{Limit: 1}})).Rows[0]
	_, secret, err := p.RequestAPISecret(p.ctx, p.by["ada"], client.ID, 0, "It goes live.")
	p.done(err)
	p.decide("change", "adam", secret.ID, models.ApprovalApproved, "")

	api := models.Actor{Name: client.Actor().Name, Channel: models.ChannelAPI, Address: "127.0.0.1", Session: "1-1"}
	apply := func(op models.Operation) {
		r, err := p.ApplyCash(p.ctx, api, op, terms)
		p.done(err)
		require.Equal(p.T, models.None, r.Decline)
	}
	of := func(id string, amount models.Amount) models.CashRequest {
		return models.CashRequest{Client: client.ID, ID: id, UserID: "anna", Amount: amount, Currency: "EUR", Caps: terms.Caps("EUR")}
	}
	end := func(id string, how models.OperationKind) {
		r, err := p.EndCashOut(p.ctx, api, models.CashID(client.ID, id), how)
		p.done(err)
		require.Equal(p.T, models.None, r.Decline)
	}
	apply(of("deposit", 5000).Deposit())
	for _, id := range []string{"held", "paid", "returned", "bounced"} {
		apply(of(id, 100).CashOut())
	}
	end("paid", models.CashPaid)
	end("returned", models.CashReturned)
	end("bounced", models.CashPaid)
	end("bounced", models.CashBounced)
	for i, do := range []models.ApprovalState{models.ApprovalApproved, models.ApprovalRefused, models.ApprovalWaiting} {
		id := []string{"approved", "refused", "waiting"}[i]
		apply(of(id, 3000).CashOut())
		review := must(p.CashReviews(p.ctx, models.CashReviewFilter{Span: models.Span{Limit: 1}})).Rows[0]
		if do != models.ApprovalWaiting {
			p.decide("cash-out", "farid", review.ID, do, strings.Repeat("Unknown card.", i))
		}
	}
	end("approved", models.CashPaid)

	request := models.APIRequest{ClientID: client.ID, Key: "r-1", Route: "restrictPlayer", Number: "1-2", Digest: sha256.Sum256([]byte("r-1"))}
	p.done(second(p.RestrictAs(p.ForRequest(p.ctx, request), api, models.Restriction{Subject: models.OfPlayer, PlayerID: p.player("carl").ID,
		Kind: models.CoolOff, Scope: models.FromDeposits, Until: p.clock.Now().AddDate(0, 0, 1), Reason: "Asked for it."})))
}

// protect restricts players, freezes play and sets limits.
func (p *releasePast) protect() {
	restrict := func(by string, r models.Restriction) int64 {
		r.Kind, r.Until, r.Reason = models.OtherRestriction, models.Permanent, "Asked us to."
		r, err := p.Restrict(p.ctx, p.by[by], r)
		p.done(err)
		return r.ID
	}
	bert := p.player("bert")
	ended := restrict("sofia", models.Restriction{Subject: models.OfPlayer, PlayerID: bert.ID, Scope: models.FromPlay})
	p.done(p.RequestEnd(p.ctx, p.by["sofia"], ended, "Asked again."))
	p.decide("restriction", "chloe", ended, models.ApprovalApproved, "")
	waiting := restrict("sofia", models.Restriction{Subject: models.OfPlayer, PlayerID: bert.ID, Scope: models.FromBonuses})
	p.done(p.RequestEnd(p.ctx, p.by["sofia"], waiting, "Asked again."))
	restrict("chloe", models.Restriction{Subject: models.OfGame, About: "g3", Scope: models.FromPlay})
	p.done(p.SetLimits(p.ctx, p.by["sofia"], p.Anna.ID, models.LimitsRequest{Reason: "Asked for it.", Changes: []models.LimitChange{
		{Kind: models.LimitLoss, Period: models.LimitMonth, To: new(models.Amount(500000))},
		{Kind: models.LimitStake, Period: models.LimitDay, To: new(models.Amount(300000))}}}))
	p.done(p.SetLimits(p.ctx, p.by["sofia"], p.Anna.ID, models.LimitsRequest{Reason: "Asked for more.", Changes: []models.LimitChange{
		{Kind: models.LimitStake, Period: models.LimitDay, To: new(models.Amount(400000))}}}))
}

// correct requests corrections of each kind, which end in each way.
func (p *releasePast) correct() {
	for i, r := range []models.CorrectionRequest{p.Adjust(models.CorrectCredit, 300, "goodwill"), p.Adjust(models.CorrectDebit, 100, "paid-twice"),
		p.Rollback("bet-8"), p.Win("bet-9-win", 900), p.Adjust(models.CorrectCredit, 1000, "goodwill"), p.Adjust(models.CorrectCredit, 2000, "goodwill"),
		p.Adjust(models.CorrectCredit, 500, "goodwill")} {
		c := p.Request(p.Sofia, r)
		p.later(time.Minute)
		switch i {
		case 4:
			p.decide("correction", "farid", c.ID, models.ApprovalRefused, "The player’s history explains it.")
		case 5:
			p.decide("correction", "sofia", c.ID, models.ApprovalWithdrawn, "A mistake.")
		case 6: // waits
			p.done(p.AssignCorrection(p.ctx, p.by["farid"], c.ID, "", "farid", ""))
		default:
			p.MustApprove(p.Mira, c)
		}
		p.later(time.Minute)
	}
}

// control opens a case of each rule, closes some, and compares a statement.
func (p *releasePast) control() {
	for i, rule := range models.CaseRules {
		numbers, _, err := p.OpenCases(p.ctx, []models.Finding{{Rule: rule, Key: "key", At: p.clock.Now(), PlayerID: p.Anna.ID, Amount: 120,
			Currency: "EUR", Facts: []models.CaseFact{{Label: "Amount", Value: "1.20"}}}})
		p.done(err)
		if to := []models.CaseState{models.CaseExplained, models.CaseAdjusted, models.CaseWrittenOff}; i < len(to) {
			p.done(p.CommentCase(p.ctx, p.by["farid"].Actor, numbers[0], "Asked the platform."))
			p.done(p.DecideCase(p.ctx, p.by["farid"].Actor, numbers[0], to[i], "The platform confirmed it."))
		}
	}
	complaint := must(p.OpenComplaint(p.ctx, p.by["sofia"].Actor, models.NewComplaint{PlayerID: p.Anna.ID, Reference: "ADR 2026/114",
		Due: p.clock.Now().AddDate(0, 0, 8), Text: "I never saw the win of 12.50."}))
	p.done(p.OwnCase(p.ctx, p.by["sofia"].Actor, complaint, "", "sofia", ""))

	statements := reconcile.New(reconcile.Config{Store: p.Store})
	file := "transaction_id;type;amount;status;user_id;currency\nbet-1;bet;10,00;ok;anna;EUR\nwin-1;win;8,00;ok;anna;EUR\nlost;bet;5,00;ok;bert;EUR\n"
	st := must(statements.Keep(p.ctx, p.by["farid"].Actor, 0, "platform.csv", bytes.NewReader([]byte(file))))
	st.Since, st.Until = p.clock.Now().AddDate(0, 0, -1), p.clock.Now()
	run := must(p.BeginStatementRun(p.ctx, p.by["farid"].Actor, st))
	run = must(statements.Compare(p.ctx, run.ID, nil))
	require.Equal(p.T, models.JobFinished, run.State, run.Failure)
	require.Positive(p.T, run.Differences)
	p.later(time.Minute)
}

// staff has accounts in each state, and what a browser leaves behind.
func (p *releasePast) staff() {
	ada := p.by["ada"].Actor
	hire := func(name string, role models.Role) models.Staff {
		made, err := p.CreateStaff(p.ctx, ada, models.Staff{Username: name, Name: name, Role: role, Profile: models.DefaultProfile})
		p.done(err)
		return made
	}
	nora := hire("nora", models.Finance)
	p.done(p.MakeStaffLink(p.ctx, ada, models.StaffLink{StaffID: nora.ID, Hash: "of a link", Delivery: models.LinkShown,
		ExpiresAt: p.clock.Now().Add(time.Hour)}))
	otto := hire("otto", models.Compliance)
	p.done(p.SetStaffPassword(p.ctx, ada, otto.ID, "a hash", ""))
	p.done(p.SetStaffPassword(p.ctx, ada, otto.ID, "another hash", ""))
	p.done(p.SetStaffTOTP(p.ctx, ada, otto.ID, models.SecondFactor{Sealed: "sealed", Step: 1, Codes: []string{"code 1", "code 2"}}, ""))
	p.done(p.AddPasskey(p.ctx, ada, models.Passkey{StaffID: otto.ID, Name: "key", Credential: `{"id":1}`}, nil, ""))
	p.done(p.DisableStaff(p.ctx, ada, hire("olaf", models.Support).ID, "Left."))
	storetest.Confirm(p.T, p.Store, "otto")

	sofia, _, err := p.StaffNamed(p.ctx, "sofia")
	p.done(err)
	p.done(second(second2(p.BeginSignIn(p.ctx, models.SignInTry{Username: "sofia", Address: "192.0.2.10"}))))
	p.done(p.CreateStaffSession(p.ctx, models.StaffSession{Hash: strings.Repeat("5e", 32), StaffID: sofia.ID, Data: "{}", MAC: "of the session",
		Address: "192.0.2.10", Agent: "Firefox", ExpiresAt: p.clock.Now().Add(time.Hour)}, sofia))
	p.done(p.NoteSignIn(p.ctx, p.by["sofia"].Actor, "staff signed in", sofia.ID, "a device"))
	p.done(p.SaveView(p.ctx, p.by["sofia"].Actor, models.SavedView{StaffID: sofia.ID, Page: "/transactions", Name: "Anna", Query: "player=anna"}))
}

func second2[T, U any](_ T, value U, err error) (U, error) { return value, err }

// close closes and signs two days, and proves them.
func (p *releasePast) close() {
	tomorrow := time.Date(2026, 11, 24, 6, 0, 0, 0, time.UTC)
	p.clock.Set(tomorrow)
	p.callback(storetest.Bet("anna", "bet-10", 100))
	p.done(second(p.FollowSpins(p.ctx)))
	p.done(second(p.FollowDays(p.ctx)))
	sheet := models.RateSheet{Base: "EUR", Rates: []models.Rate{{Currency: "TRY", Day: "2026-11-23", Rate: decimal.New(203, -4)}}}
	p.change("farid", "chloe", models.ChangeRates, sheet)
	for _, name := range []string{"mira", "chloe"} {
		day := models.Day("2026-11-23")
		seen := storetest.SeenDay(p.T.(*testing.T), p.Store, must(p.DayInterval(p.ctx, day)), must(p.DayGroups(p.ctx, day)))
		p.done(second(p.SignDay(p.ctx, p.by[name], day, seen, "Compared with the platform’s figures.")))
	}
	p.clock.Set(tomorrow.AddDate(0, 0, 1))
	p.done(second(p.FollowDays(p.ctx)))
	p.done(second(p.FindCases(p.ctx, models.CaseRulesConfig{})))
	for more := true; more; {
		more = must(p.FollowNotices(p.ctx, true))
	}
	v := p.verify()
	p.done(p.RecordVerification(p.ctx, p.by["chloe"].Actor, p.clock.Now(), v))
	storetest.WriteCheckpoint(p.T.(*testing.T), p.Store)
}

func (p *releasePast) verify() models.Verification {
	v := must(p.Verify(p.ctx, nil))
	require.Empty(p.T, storetest.WordsOf(v))
	return v
}
