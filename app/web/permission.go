package web

import (
	"slices"
	"strings"

	"pitboss/models"
)

// Permission is something that a role may do. A page shows only what its reader may do, by {{if $.May "..."}}. The server
// refuses everything else, by the permission in the route's row in routes.go.
type Permission struct{ words string }

// String returns the permission in words, which follow "cannot" in a refusal.
func (p Permission) String() string { return p.words }

// views reports whether the permission is only for viewing pages.
func (p Permission) views() bool { return strings.HasPrefix(p.words, "view ") }

// The permissions of roles. Only permissions for viewing pages begin with "view".
var (
	ReadOverview       = Permission{"view the overview"}
	ReadPlayers        = Permission{"view players"}
	ManagePlayers      = Permission{"create and import players"}
	AnswerPlayers      = Permission{"answer players"}
	ReadRestrictions   = Permission{"view restrictions"}
	RestrictPlayers    = Permission{"restrict players"}
	FreezePlay         = Permission{"freeze play"}
	EndRestrictions    = Permission{"end restrictions early"}
	ReadGames          = Permission{"view games"}
	SyncGames          = Permission{"sync games"}
	ReadGameSessions   = Permission{"view game sessions"}
	LaunchTest         = Permission{"open a game as a test player"}
	ReadFreeSpins      = Permission{"view free spins"}
	GrantFreeSpins     = Permission{"grant free spins"}
	ApproveExceptions  = Permission{"approve exceptions from free-spin limits"}
	AskPlatform        = Permission{"ask the platform about free spins"}
	ReadTransactions   = Permission{"view transactions"}
	ReadRounds         = Permission{"view rounds"}
	ReadCorrections    = Permission{"view corrections"}
	RequestCorrections = Permission{"request corrections"}
	CheckCorrections   = Permission{"approve corrections"}
	ReadCashOuts       = Permission{"view cash-outs"}
	ApproveCashOuts    = Permission{"approve cash-outs"}
	ReadCases          = Permission{"view cases"}
	WorkCases          = Permission{"work on cases"}
	RecordComplaints   = Permission{"record complaints"}
	ReadStatements     = Permission{"view statements"}
	RunStatements      = Permission{"upload and compare statements"}
	ReadCallbacks      = Permission{"view callbacks"}
	ReadAudit          = Permission{"view the audit log"}
	ReviewAudit        = Permission{"review days of the audit log"}
	ReadIntegrity      = Permission{"view verifications"}
	RunIntegrity       = Permission{"verify the ledger"}
	ReadReports        = Permission{"view reports"}
	SignDays           = Permission{"sign days"}
	ExportData         = Permission{"export lists"}
	MakePacks          = Permission{"make dispute packs"}
	ReadPlatform       = Permission{"view the platform’s health"}
	runGoLive          = Permission{"run the go-live checks"}
	ReadStaff          = Permission{"view staff accounts"}
	ManageStaff        = Permission{"manage staff accounts"}
	ReadSettings       = Permission{"view settings"}
	ChangeSettings     = Permission{"change settings"}
	SetFigures         = Permission{"set rates and thresholds of reports"}
	DecideChanges      = Permission{"approve changes of limits, rates and rules"}
)

// Permissions that need no role.
var (
	HealthCheck = Permission{"check the health"} // has no session, and must get an answer even if the database is down
	Public      = Permission{"open a public page"}
	Halfway     = Permission{"have given the right password"} // the second factor is still missing
	Arriving    = Permission{"be signed in, though something has to be set up first"}
	SignedIn    = Permission{"be signed in"}
)

var needNoRole = map[Permission]bool{HealthCheck: true, Public: true, Halfway: true, Arriving: true, SignedIn: true}

// Grants is the one table of who may do what. Administrators neither request nor approve corrections or free spins. Compliance
// reads everything, restricts players, freezes play, exports, makes dispute packs, records complaints, reviews the audit log,
// verifies the ledger, writes checkpoints, signs days, and sets rates and thresholds of reports together with finance. It
// changes nothing else.
var Grants = func() map[Permission][]models.Role {
	const a, b, s, f, c = models.Administrator, models.Bonus, models.Support, models.Finance, models.Compliance
	return map[Permission][]models.Role{
		ReadOverview:       {a, b, s, f, c},
		ReadPlayers:        {a, b, s, f, c},
		ManagePlayers:      {s, f},
		AnswerPlayers:      {b, s, f, c},
		ReadRestrictions:   {a, s, f, c},
		RestrictPlayers:    models.Restrictors,
		FreezePlay:         models.Freezers,
		EndRestrictions:    models.Freezers,
		ReadGames:          {a, b, s, f, c},
		SyncGames:          {a, b, s},
		ReadGameSessions:   {a, b, s, f, c},
		LaunchTest:         {a, b, s},
		ReadFreeSpins:      {a, b, s, f, c},
		GrantFreeSpins:     models.ExceptionRule.Makers,
		ApproveExceptions:  models.ExceptionRule.Checkers,
		AskPlatform:        {a, b, s, f},
		ReadTransactions:   {a, b, s, f, c},
		ReadRounds:         {a, b, s, f, c},
		ReadCorrections:    {a, s, f, c},
		RequestCorrections: models.CorrectionRule.Makers,
		CheckCorrections:   models.CorrectionRule.Checkers,
		ReadCashOuts:       {a, s, f, c},
		ApproveCashOuts:    models.CashReviewRule.Checkers,
		ReadCases:          {a, b, s, f, c},
		WorkCases:          {b, s, f},
		RecordComplaints:   {s, c},
		ReadStatements:     {a, f, c},
		RunStatements:      {f},
		ReadCallbacks:      {a, b, s, f, c},
		ReadAudit:          {a, f, c},
		ReviewAudit:        models.LogReviewers,
		ReadIntegrity:      {a, f, c},
		RunIntegrity:       {a, f, c},
		ReadReports:        {a, b, f, c},
		SignDays:           models.DaySigners,
		ExportData:         {b, f, c},
		MakePacks:          {f, c},
		ReadPlatform:       {a, b, s, f, c},
		runGoLive:          {a},
		ReadStaff:          {a, c},
		ManageStaff:        {a},
		ReadSettings:       {a, f, c},
		ChangeSettings:     models.ChangeRule.Makers,
		SetFigures:         models.FigureRule.Makers,
		DecideChanges:      slices.Concat(models.ChangeRule.Checkers, models.FigureRule.Checkers),
	}
}()

// May reports whether the table grants p to a role.
func May(role models.Role, p Permission) bool {
	return needNoRole[p] || slices.Contains(Grants[p], role)
}
