package app

import (
	"github.com/gofiber/fiber/v2"

	"pitboss/app/web"
)

func get(path string, needs web.Permission, handle fiber.Handler) web.Route {
	return web.Route{Method: web.Get, Path: path, Needs: needs, Handle: handle}
}

func post(path string, needs web.Permission, handle fiber.Handler) web.Route {
	return web.Route{Method: web.Post, Path: path, Needs: needs, Handle: handle}
}

// form is a post from a form on page. If the reader's session has ended, the form is kept while they sign in again.
func form(path string, needs web.Permission, handle fiber.Handler, page string) web.Route {
	return web.Route{Method: web.Post, Path: path, Needs: needs, Handle: handle, Form: page}
}

// asks marks a form that asks for the reader's password, because a session that was left open is not enough. These forms cannot
// be undone, give somebody power or take it, or wait for a second person, who relies on the maker's identity. Other forms do
// not ask: the request to end a restriction, because the player stays protected until somebody approves it; work that another
// form undoes (owners of cases, pauses, notices); and forms that take nothing from anybody (players, complaints, comments, test
// sessions, uploads, packs).
func asks(r web.Route) web.Route { return asksIf(r, func(*fiber.Ctx) bool { return true }) }

func asksIf(r web.Route, when func(*fiber.Ctx) bool) web.Route {
	r.Asks = when
	return r
}

// confirmed is for a form that first shows its effect. Setting a restriction asks if it has no end, is a self-exclusion, or
// concerns several players.
func confirmed(c *fiber.Ctx) bool { return web.Posted(c, "confirmed") == "yes" }

// toChange reports whether a form is sent to change something, not to download its lines with errors.
func toChange(c *fiber.Ctx) bool { return web.Posted(c, "download") == "" }

// firstFactor is for a reader's first second factor: to replace one, the handler always asks for the password and a code of the
// old one.
func firstFactor(c *fiber.Ctx) bool { return !web.ReaderOf(c).HasSecondFactor() }

// with returns the handler of a page or form about one object: find reads the object that the address names, and handle gets
// it.
func with[T any](find func(*fiber.Ctx) (T, error), handle func(*fiber.Ctx, T) error) fiber.Handler {
	return func(c *fiber.Ctx) error {
		thing, err := find(c)
		if err != nil {
			return err
		}
		return handle(c, thing)
	}
}

// Routes returns the table of contents. If two paths match the same address, the more specific one comes first.
func (a *App) Routes() []web.Route {
	routes := []web.Route{
		get("/healthz", web.HealthCheck, a.healthz),
		get("/readyz", web.HealthCheck, a.readyz),

		// Signing in.
		get("/signin", web.Public, a.signin.SignInForm),
		post("/signin", web.Public, a.signin.SignIn),
		get("/signin/sso", web.Public, a.signin.BeginSignOn),
		get("/signin/sso/answer", web.Public, a.signin.EndSignOn),
		get("/signin/code", web.Halfway, a.signin.CodeForm),
		post("/signin/code", web.Halfway, a.signin.Code),
		post("/signout", web.Public, a.SignOut),
		get("/link", web.Public, a.signin.LinkForm),
		post("/link", web.Public, a.signin.UseLink),

		// The reader's own account.
		get("/account", web.SignedIn, a.account.Account),
		post("/account/profile", web.SignedIn, a.account.SaveProfile),
		post("/account/theme", web.SignedIn, a.account.SaveTheme),
		get("/account/password", web.Arriving, a.account.PasswordForm),
		post("/account/password", web.Arriving, a.account.ChangePassword),
		get("/account/second-factor", web.Arriving, a.account.SecondFactorForm),
		asksIf(post("/account/second-factor", web.Arriving, a.account.SetUpSecondFactor), firstFactor),
		get("/account/second-factor/qr.png", web.Arriving, a.account.SecondFactorPicture),
		get("/account/second-factor/removal", web.SignedIn, a.account.RemoveSecondFactorForm),
		post("/account/second-factor/removal", web.SignedIn, a.account.RemoveSecondFactor),
		get("/account/passkeys/new", web.Arriving, a.account.NewPasskeyForm),
		asksIf(post("/account/passkeys", web.Arriving, a.account.AddPasskey), firstFactor),
		get("/account/passkeys/:id/removal", web.SignedIn, a.account.RemovePasskeyForm),
		post("/account/passkeys/:id/removal", web.SignedIn, a.account.RemovePasskey),
		post("/account/sessions/revocation", web.SignedIn, a.account.RevokeSessions),

		// On every page.
		get("/search", web.SignedIn, a.search),
		get("/search/matches", web.SignedIn, a.searchMatches),
		post("/views", web.SignedIn, a.saveView),
		post("/views/:id/removal", web.SignedIn, a.removeView),

		get("/help", web.SignedIn, a.help.Contents),
		get("/help/:chapter", web.SignedIn, a.help.Chapter),
		get("/help/pictures/:name", web.SignedIn, a.help.Picture),

		get("/", web.ReadOverview, a.overview),
		get("/yours", web.ReadOverview, a.yours),

		// Players.
		get("/players", web.ReadPlayers, a.players.List),
		form("/players", web.ManagePlayers, a.players.CreatePlayer, "/players/new"),
		get("/players/new", web.ManagePlayers, a.players.NewPlayerForm),
		get("/players/imports/new", web.ManagePlayers, a.players.ImportPlayersForm),
		post("/players/imports/preview", web.ManagePlayers, a.players.PreviewPlayers),
		post("/players/imports", web.ManagePlayers, a.players.ImportPlayers),
		get("/players/:id", web.ReadPlayers, with(a.players.LoadPlayer, a.players.Detail)),
		get("/players/:id/timeline", web.ReadPlayers, a.players.Timeline),
		get("/players/:id/ledger", web.ReadPlayers, a.players.PlayerLedger),
		get("/players/:id/statement", web.ReadPlayers, a.players.PlayerStatement),
		get("/players/:id/statement/paper", web.ReadPlayers, with(a.players.LoadPlayer, a.players.StatementPaper)),
		get("/players/:id/statement/pdf", web.ReadPlayers, with(a.players.LoadPlayer, a.players.StatementPDF)),
		get("/players/:id/transactions", web.ReadTransactions, a.transactions.List),
		get("/players/:id/rounds", web.ReadRounds, a.rounds.List),
		get("/players/:id/callbacks", web.ReadCallbacks, a.callbacks.List),
		get("/players/:id/free-spins", web.ReadPlayers, a.players.PlayerFreeSpins),
		get("/players/:id/sessions", web.ReadGameSessions, a.sessions.List),
		get("/players/:id/limits", web.RestrictPlayers, with(a.players.LoadPlayer, a.players.LimitsForm)),
		asks(form("/players/:id/limits", web.RestrictPlayers, with(a.players.LoadPlayer, a.players.SetLimits), "/players/:id/limits")),
		post("/players/:id/language", web.AnswerPlayers, with(a.players.LoadPlayer, a.players.SetLanguage)),
		post("/remarks", web.AnswerPlayers, a.Remarked),
		post("/players/:id/answers", web.AnswerPlayers, with(a.players.LoadPlayer, a.players.Tell)),
		get("/players/:id/history", web.ReadPlayers, a.players.PlayerHistory),
		get("/restrictions", web.ReadRestrictions, a.restrictions.List),
		asksIf(form("/restrictions", web.RestrictPlayers, a.restrictions.Restrict, "/restrictions/new"), confirmed),
		get("/restrictions/new", web.RestrictPlayers, a.restrictions.NewForm),
		get("/restrictions/several", web.RestrictPlayers, a.restrictions.SeveralForm),
		asksIf(form("/restrictions/several", web.RestrictPlayers, a.restrictions.RestrictSeveral, "/restrictions/several"), confirmed),
		get("/restrictions/freeze", web.FreezePlay, a.restrictions.FreezeForm),
		asks(form("/restrictions/freeze", web.FreezePlay, a.restrictions.Freeze, "/restrictions/freeze")),
		post("/restrictions/:id/end", web.EndRestrictions, a.restrictions.RequestEnd),

		// Money.
		get("/transactions", web.ReadTransactions, a.transactions.List),
		get("/transactions/:id", web.ReadTransactions, a.transactions.Detail),
		get("/rounds", web.ReadRounds, a.rounds.List),
		get("/rounds/:id", web.ReadRounds, a.rounds.Detail),
		get("/cash-outs", web.ReadCashOuts, a.cashouts.List),
		get("/corrections", web.ReadCorrections, a.corrections.List),
		asks(form("/corrections", web.RequestCorrections, a.corrections.RequestCorrection, "/corrections/new")),
		get("/corrections/new", web.RequestCorrections, a.corrections.NewCorrectionForm),
		form("/corrections/new", web.RequestCorrections, a.corrections.PreviewCorrection, "/corrections/new"),
		get("/corrections/new/confirm", web.RequestCorrections, a.corrections.CorrectionConfirmation),
		post("/corrections/:id/assignee", web.CheckCorrections, with(a.corrections.Load, a.corrections.AssignCorrection)),

		// Play.
		get("/games", web.ReadGames, a.games.List),
		post("/games/syncs", web.SyncGames, a.games.SyncGames),
		get("/games/changes", web.ReadGames, a.games.GameChanges),
		get("/games/:id", web.ReadGames, a.games.Detail),
		get("/sessions", web.ReadGameSessions, a.sessions.List),
		get("/sessions/new", web.LaunchTest, a.sessions.NewSessionForm),
		form("/sessions", web.LaunchTest, a.sessions.OpenGame, "/sessions/new"),
		get("/sessions/launched/:launch", web.LaunchTest, a.sessions.LaunchedSession),
		get("/sessions/:id", web.ReadGameSessions, a.sessions.Detail),
		get("/free-spins", web.ReadFreeSpins, a.freespins.List),
		get("/campaigns", web.ReadFreeSpins, a.campaigns.List),
		get("/campaigns/new", web.GrantFreeSpins, a.campaigns.New),
		form("/campaigns/new", web.GrantFreeSpins, a.campaigns.Preview, "/campaigns/new"),
		get("/campaigns/new/confirm", web.GrantFreeSpins, a.campaigns.ConfirmForm),
		asks(form("/campaigns", web.GrantFreeSpins, a.campaigns.Start, "/campaigns/new")),
		post("/campaigns/:id/repeat", web.GrantFreeSpins, a.campaigns.Repeat),
		post("/campaigns/:id/pause", web.GrantFreeSpins, a.campaigns.Pause),
		post("/campaigns/:id/resume", web.GrantFreeSpins, a.campaigns.Resume),
		get("/campaigns/:id/stop", web.GrantFreeSpins, with(a.campaigns.Load, a.campaigns.StopForm)),
		post("/campaigns/:id/stop", web.GrantFreeSpins, a.campaigns.Stop),
		get("/free-spins/:id", web.ReadFreeSpins, with(a.freespins.LoadGrant, a.freespins.Detail)),
		post("/free-spins/:id/observations", web.AskPlatform, with(a.freespins.LoadGrant, a.freespins.AskAboutGrant)),
		form("/free-spins/:id/resolution", web.GrantFreeSpins, with(a.freespins.LoadGrant, a.freespins.DecideGrant),
			"/free-spins/:id"),

		// Control.
		get("/cases", web.ReadCases, a.cases.List),
		form("/cases", web.RecordComplaints, a.cases.OpenComplaint, "/cases/new"),
		get("/cases/new", web.RecordComplaints, a.cases.NewComplaintForm),
		get("/cases/closing", web.WorkCases, a.cases.CaseClosing),
		post("/cases/closing", web.WorkCases, a.cases.CloseCases),
		post("/cases/selection", web.WorkCases, a.cases.Selected),
		get("/cases/:id", web.ReadCases, a.cases.Detail),
		post("/cases/:id/owner", web.WorkCases, a.cases.TakeCase),
		form("/cases/:id/due", web.RecordComplaints, a.cases.MoveDue, "/cases/:id"),
		form("/cases/:id/comments", web.WorkCases, a.cases.CommentCase, "/cases/:id"),
		form("/cases/:id/decision", web.WorkCases, a.cases.DecideCase, "/cases/:id"),
		get("/callbacks", web.ReadCallbacks, a.callbacks.List),
		get("/callbacks/:id", web.ReadCallbacks, a.callbacks.Detail),
		get("/audit", web.ReadAudit, a.audit.List),
		post("/audit", web.ReviewAudit, a.audit.Review),
		get("/audit/:id", web.ReadAudit, a.audit.Event),

		get("/statements", web.ReadStatements, a.statements.List),
		post("/statements", web.RunStatements, a.statements.UploadStatement),
		get("/statements/new", web.RunStatements, a.statements.NewStatementForm),
		get("/statements/:id", web.ReadStatements, with(a.statements.LoadStatement, a.statements.Detail)),
		get("/statements/:id/reading", web.RunStatements, with(a.statements.LoadStatement, a.statements.StatementReading)),
		post("/statements/:id/reading", web.RunStatements, with(a.statements.LoadStatement, a.statements.LookAgain)),
		post("/statements/:id/runs", web.RunStatements, with(a.statements.LoadStatement, a.statements.CompareStatement)),
		post("/statements/:id/stop", web.RunStatements, with(a.statements.LoadStatement, a.statements.StopStatement)),
		get("/statements/:id/removal", web.RunStatements, with(a.statements.LoadStatement, a.statements.ForgetStatementForm)),
		post("/statements/:id/removal", web.RunStatements, with(a.statements.LoadStatement, a.statements.ForgetStatement)),

		// Figures.
		get("/reports", web.ReadReports, a.reports.Report),
		get("/reports/compared", web.ReadReports, a.reports.Report),
		get("/reports/players", web.ReadReports, a.reports.Report),
		get("/reports/games", web.ReadReports, a.reports.Report),
		get("/reports/liability", web.ReadReports, a.reports.Report),
		get("/reports/funds", web.ReadReports, a.reports.Report),
		get("/reports/ranked", web.ReadReports, a.reports.Report),
		get("/reports/ranked/threshold", web.ReadReports, a.reports.Threshold),
		asks(post("/reports/ranked/threshold", web.SetFigures, a.reports.RequestThreshold)),
		get("/reports/rates", web.ReadReports, a.reports.Rates),
		asksIf(post("/reports/rates", web.SetFigures, a.reports.RequestRates), toChange),
		asks(post("/reports/rates/base", web.SetFigures, a.reports.RequestBase)),
		get("/reports/returns", web.ReadReports, a.reports.GameReturns),
		asksIf(post("/reports/returns", web.SetFigures, a.reports.RequestReturns), toChange),
		get("/reports/days/:id", web.ReadReports, a.reports.Day),
		asks(post("/reports/days/:id/signatures", web.SignDays, a.reports.SignDay)),
		get("/packs/new", web.MakePacks, a.exports.NewPackForm),
		form("/packs", web.MakePacks, a.exports.MakePack, "/packs/new"),
		post("/exports", web.ExportData, a.exports.Export),

		// Proof.
		get("/integrity", web.ReadIntegrity, a.integrity.Integrity),
		post("/integrity/verifications", web.RunIntegrity, a.integrity.VerifyLedger),
		get("/integrity/verifications/:id", web.ReadIntegrity, a.integrity.Verification),
		post("/integrity/checkpoints", web.RunIntegrity, a.integrity.WriteCheckpoint),
		get("/integrity/checkpoints/:id/file", web.ReadIntegrity, a.integrity.CheckpointFile),

		// Admin.
		get("/platform", web.ReadPlatform, a.platform.PlatformHealth),
		get("/staff", web.ReadStaff, a.staff.List),
		get("/staff/new", web.ManageStaff, a.staff.NewStaffForm),
		asks(form("/staff", web.ManageStaff, a.staff.CreateStaff, "/staff/new")),
		get("/staff/sessions", web.ManageStaff, a.staff.Sessions),
		get("/staff/review", web.ReadStaff, a.staff.ReviewForm),
		asks(form("/staff/review", web.ManageStaff, a.staff.Review, "/staff/review")),
		get("/staff/:id", web.ReadStaff, with(a.staff.LoadMember, a.staff.Detail)),
		post("/staff/:id/sessions/revocation", web.ManageStaff, with(a.staff.LoadMember, a.staff.RevokeStaffSessions)),
		get("/clients", web.ReadSettings, a.clients.List),
		asks(form("/clients", web.ChangeSettings, a.clients.Request, "/clients/new")),
		get("/clients/new", web.ChangeSettings, a.clients.NewForm),
		get("/clients/:id", web.ReadSettings, with(a.clients.Load, a.clients.Detail)),
		get("/clients/:id/terms", web.ChangeSettings, with(a.clients.Load, a.clients.TermsForm)),
		asks(form("/clients/:id/terms", web.ChangeSettings, with(a.clients.Load, a.clients.RequestTerms), "/clients/:id/terms")),
		get("/clients/:id/secret", web.ChangeSettings, with(a.clients.Load, a.clients.SecretForm)),
		asks(form("/clients/:id/secret", web.ChangeSettings, with(a.clients.Load, a.clients.NewSecret), "/clients/:id/secret")),
		post("/clients/:id/deliveries/:delivery/again", web.ChangeSettings, with(a.clients.Load, a.clients.Resend)),
		get("/clients/:id/revocation", web.ChangeSettings, with(a.clients.Load, a.clients.RevocationForm)),
		asks(form("/clients/:id/revocation", web.ChangeSettings, with(a.clients.Load, a.clients.Revoke), "/clients/:id/revocation")),
		get("/settings", web.ReadSettings, a.settings.Settings),
		asks(post("/settings", web.ChangeSettings, a.settings.SaveZone)),
		asks(post("/settings/sign-in", web.ChangeSettings, a.settings.SaveSignInRules)),
		get("/settings/notices", web.ReadSettings, a.settings.NoticesPage),
		post("/settings/notices", web.ChangeSettings, a.settings.SaveNotices),
		post("/settings/notices/test", web.ChangeSettings, a.settings.TestNotice),
		post("/settings/notices/:id/again", web.ChangeSettings, a.settings.RetryNotice),
		get("/settings/free-spins", web.ReadFreeSpins, a.settings.GrantLimits),
		asks(post("/settings/free-spins", web.ChangeSettings, a.settings.SaveGrantLimits)),
	}
	// What takes two people: the page of a request, its approval, refusal and withdrawal.
	for _, kind := range a.requestKinds() {
		routes = append(routes, a.RequestRoutes(kind)...)
	}
	for _, action := range a.staff.Actions() {
		path := "/staff/:id/" + action.Name
		routes = append(routes, get(path, web.ManageStaff, with(a.staff.LoadMember, a.staff.ActionForm(action))),
			asks(form(path, web.ManageStaff, with(a.staff.LoadMember, a.staff.Act(action)), path)))
	}
	return routes
}
