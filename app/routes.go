package app

import "github.com/gofiber/fiber/v2"

// route is one row of the table of contents: what is asked, the permission that it needs, and who answers.
type route struct {
	method, path string
	needs        Permission
	handle       fiber.Handler
}

const (
	get  = fiber.MethodGet
	post = fiber.MethodPost
)

// routes is the table of contents. The more exact of two paths stands first.
func (a *App) routes() []route {
	return []route{
		{get, "/healthz", machine, a.healthz},
		{get, "/readyz", machine, a.readyz},

		// The door.
		{get, "/signin", public, a.signInForm},
		{post, "/signin", public, a.signIn},
		{get, "/signin/code", halfway, a.codeForm},
		{post, "/signin/code", halfway, a.code},
		{post, "/signout", public, a.signOut},
		{get, "/link", public, a.linkForm},
		{post, "/link", public, a.useLink},

		// One's own account.
		{get, "/account", signedIn, a.account},
		{post, "/account/profile", signedIn, a.saveProfile},
		{post, "/account/theme", signedIn, a.saveTheme},
		{get, "/account/password", arriving, a.passwordForm},
		{post, "/account/password", arriving, a.changePassword},
		{get, "/account/second-factor", arriving, a.secondFactorForm},
		{post, "/account/second-factor", arriving, a.setUpSecondFactor},
		{get, "/account/second-factor/qr.png", arriving, a.secondFactorPicture},
		{get, "/account/second-factor/removal", signedIn, a.removeSecondFactorForm},
		{post, "/account/second-factor/removal", signedIn, a.removeSecondFactor},
		{get, "/account/recovery-codes", signedIn, a.recoveryCodesForm},
		{post, "/account/recovery-codes", signedIn, a.replaceRecoveryCodes},
		{post, "/account/sessions/revocation", signedIn, a.revokeSessions},
		{post, "/account/sessions/:id/revocation", signedIn, a.revokeSession},

		// On every page.
		{get, "/search", signedIn, a.search},
		{get, "/search/matches", signedIn, a.searchMatches},
		{post, "/views", signedIn, a.saveView},
		{post, "/views/:id/removal", signedIn, a.removeView},

		{get, "/", readOverview, a.overview},

		// Players.
		{get, "/players", readPlayers, a.players},
		{post, "/players", managePlayers, a.createPlayer},
		{get, "/players/new", managePlayers, a.newPlayerForm},
		{get, "/players/imports/new", managePlayers, a.importPlayersForm},
		{post, "/players/imports/preview", managePlayers, a.previewPlayers},
		{post, "/players/imports", managePlayers, a.importPlayers},
		{get, "/players/:id", readPlayers, a.player},
		{get, "/players/:id/ledger", readPlayers, a.playerLedger},
		{get, "/players/:id/free-spins", readPlayers, a.playerFreeSpins},
		{get, "/players/:id/sessions", readPlayers, a.playerSessions},
		{get, "/players/:id/history", readPlayers, a.playerHistory},
		{get, "/players/:id/block", blockPlayers, a.blockPlayerForm},
		{post, "/players/:id/block", blockPlayers, a.blockPlayer},
		{get, "/players/:id/unblock", blockPlayers, a.unblockPlayerForm},
		{post, "/players/:id/unblock", blockPlayers, a.unblockPlayer},

		// Money.
		{get, "/transactions", readTransactions, a.transactions},
		{get, "/transactions/:id", readTransactions, a.transaction},
		{get, "/transactions/:id/request", copyCallbacks, a.transactionRequest},
		{get, "/rounds", readRounds, a.rounds},
		{get, "/rounds/:id", readRounds, a.round},
		{get, "/corrections", readCorrections, a.corrections},
		{post, "/corrections", askCorrections, a.askCorrection},
		{get, "/corrections/all", readCorrections, a.allCorrections},
		{get, "/corrections/new", askCorrections, a.newCorrectionForm},
		{post, "/corrections/new", askCorrections, a.previewCorrection},
		{get, "/corrections/new/confirm", askCorrections, a.correctionConfirmation},
		{get, "/corrections/:id", readCorrections, a.correction},
		{post, "/corrections/:id/approval", checkCorrections, a.approveCorrection},
		{post, "/corrections/:id/assignee", checkCorrections, a.assignCorrection},
		{get, "/corrections/:id/refusal", checkCorrections, a.refuseCorrectionForm},
		{post, "/corrections/:id/refusal", checkCorrections, a.refuseCorrection},
		{get, "/corrections/:id/withdrawal", askCorrections, a.withdrawCorrectionForm},
		{post, "/corrections/:id/withdrawal", askCorrections, a.withdrawCorrection},

		// Play.
		{get, "/games", readGames, a.gamesList},
		{get, "/games/syncs", readGames, a.gameSyncs},
		{post, "/games/syncs", syncGames, a.syncGames},
		{get, "/games/changes", readGames, a.gameChanges},
		{get, "/games/:id", readGames, a.game},
		{get, "/games/:id/thumbnail", readGames, a.thumbnail},
		{get, "/sessions", readGameSessions, a.gameSessions},
		{get, "/sessions/new", launchTest, a.newSessionForm},
		{get, "/sessions/new/confirm", launchReal, a.realPlayerConfirmation},
		{post, "/sessions", launchTest, a.openGame},
		{get, "/sessions/launched/:launch", launchTest, a.launchedSession},
		{get, "/sessions/:id", readGameSessions, a.gameSession},
		{get, "/free-spins", readFreeSpins, a.freeSpins},
		{get, "/free-spins/new", grantFreeSpins, a.newGrantForm},
		{post, "/free-spins/new", grantFreeSpins, a.previewGrant},
		{get, "/free-spins/new/confirm", grantFreeSpins, a.grantConfirmation},
		{post, "/free-spins", grantFreeSpins, a.grant},
		{get, "/free-spins/imports", readFreeSpins, a.grantImports},
		{get, "/free-spins/imports/new", grantFreeSpins, a.newImportForm},
		{post, "/free-spins/imports/drafts", grantFreeSpins, a.createSheet},
		{get, "/free-spins/imports/drafts/:sheet", grantFreeSpins, a.sheet},
		{post, "/free-spins/imports/drafts/:sheet", grantFreeSpins, a.editSheet},
		{post, "/free-spins/imports/drafts/:sheet/lines", grantFreeSpins, a.replaceLines},
		{get, "/free-spins/imports/drafts/:sheet/errors.csv", grantFreeSpins, a.sheetErrorsFile},
		{get, "/free-spins/imports/drafts/:sheet/valid", grantFreeSpins, a.validLines},
		{post, "/free-spins/imports/drafts/:sheet/import", grantFreeSpins, a.importSheet},
		{get, "/free-spins/imports/:id", readFreeSpins, a.grantImport},
		{get, "/free-spins/imports/:id/outcomes.csv", readFreeSpins, a.importOutcomesFile},
		{post, "/free-spins/imports/:id/pause", grantFreeSpins, a.pauseImport},
		{post, "/free-spins/imports/:id/resume", grantFreeSpins, a.resumeImport},
		{get, "/free-spins/imports/:id/stop", grantFreeSpins, a.stopImportForm},
		{post, "/free-spins/imports/:id/stop", grantFreeSpins, a.stopImport},
		{get, "/free-spins/:id", readFreeSpins, a.grantPage},
		{post, "/free-spins/:id/observations", askPlatform, a.askAboutGrant},
		{get, "/free-spins/:id/resolution", grantFreeSpins, a.grantingAgain},
		{post, "/free-spins/:id/resolution", grantFreeSpins, a.decideGrant},

		// Control.
		{get, "/cases", readCases, a.cases},
		{get, "/cases/closing", workCases, a.caseClosing},
		{post, "/cases/closing", workCases, a.closeCases},
		{get, "/cases/:id", readCases, a.caseDetail},
		{post, "/cases/:id/owner", workCases, a.takeCase},
		{post, "/cases/:id/comments", workCases, a.commentCase},
		{post, "/cases/:id/decision", workCases, a.decideCase},
		{get, "/callbacks", readCallbacks, a.callbacks},
		{get, "/callbacks/:id", readCallbacks, a.callback},
		{get, "/audit", readAudit, a.audit},
		{get, "/audit/:id", readAudit, a.auditEvent},

		{get, "/statements", readStatements, a.statements},
		{post, "/statements", runStatements, a.uploadStatement},
		{get, "/statements/new", runStatements, a.newStatementForm},
		{get, "/statements/:id", readStatements, a.statement},
		{get, "/statements/:id/reading", runStatements, a.statementReading},
		{post, "/statements/:id/reading", runStatements, a.lookAgain},
		{post, "/statements/:id/runs", runStatements, a.compareStatement},
		{post, "/statements/:id/pause", runStatements, a.pauseStatement},
		{post, "/statements/:id/resume", runStatements, a.resumeStatement},
		{post, "/statements/:id/stop", runStatements, a.stopStatement},
		{get, "/statements/:id/removal", runStatements, a.forgetStatementForm},
		{post, "/statements/:id/removal", runStatements, a.forgetStatement},
		{get, "/statements/:id/lines", readStatements, a.statementLines},
		{get, "/statements/:id/report.csv", readStatements, a.statementReport},

		// Figures.
		{get, "/reports", readReports, a.reports},
		{get, "/reports/players", readReports, a.playersReport},
		{get, "/reports/games", readReports, a.gamesReport},
		{get, "/reports/liability", readReports, a.liability},
		{get, "/reports/days/:id", readReports, a.day},
		{get, "/reports/days/:id/lines", readReports, a.dayLines},
		{post, "/reports/days/:id/signatures", signDays, a.signDay},
		{get, "/exports", exportData, a.exports},
		{post, "/exports", exportData, a.askExport},
		{get, "/exports/:id", exportData, a.export},
		{get, "/exports/:id/file", exportData, a.exportFile},
		{post, "/exports/:id/removal", exportData, a.deleteExport},

		// Proof.
		{get, "/integrity", readIntegrity, a.integrity},
		{post, "/integrity/verifications", runIntegrity, a.verifyLedger},
		{get, "/integrity/verifications/:id", readIntegrity, a.verification},
		{post, "/integrity/checkpoints", runIntegrity, a.writeCheckpoint},
		{get, "/integrity/checkpoints/:id/file", readIntegrity, a.checkpointFile},
		{get, "/integrity/restores/:id", readIntegrity, a.restore},
		{post, "/integrity/restores/:id/confirmation", confirmRestores, a.confirmRestore},

		// Admin.
		{get, "/platform", readPlatform, a.platformHealth},
		{get, "/staff", readStaff, a.staffList},
		{get, "/staff/new", manageStaff, a.newStaffForm},
		{post, "/staff", manageStaff, a.createStaff},
		{get, "/staff/changes", manageStaff, a.alerts},
		{post, "/staff/changes/seen", manageStaff, a.seeAlerts},
		{get, "/staff/:id", readStaff, a.staffMember},
		{get, "/staff/:id/role", manageStaff, a.staffRoleForm},
		{post, "/staff/:id/role", manageStaff, a.setStaffRole},
		{get, "/staff/:id/disable", manageStaff, a.disableStaffForm},
		{post, "/staff/:id/disable", manageStaff, a.disableStaff},
		{get, "/staff/:id/enable", manageStaff, a.enableStaffForm},
		{post, "/staff/:id/enable", manageStaff, a.enableStaff},
		{get, "/staff/:id/password", manageStaff, a.resetPasswordForm},
		{post, "/staff/:id/password", manageStaff, a.resetPassword},
		{get, "/staff/:id/second-factor", manageStaff, a.resetSecondFactorForm},
		{post, "/staff/:id/second-factor", manageStaff, a.resetSecondFactor},
		{get, "/staff/:id/email", manageStaff, a.staffEmailForm},
		{post, "/staff/:id/email", manageStaff, a.setStaffEmail},
		{get, "/staff/:id/unlock", manageStaff, a.unlockStaffForm},
		{post, "/staff/:id/unlock", manageStaff, a.unlockStaff},
		{post, "/staff/:id/sessions/revocation", manageStaff, a.revokeStaffSessions},
		{get, "/settings", readSettings, a.settings},
		{post, "/settings", changeSettings, a.saveSettings},
		{get, "/settings/notices", readSettings, a.notices},
		{post, "/settings/notices", changeSettings, a.saveNotices},
		{post, "/settings/notices/test", changeSettings, a.testNotice},
		{post, "/settings/notices/:id/again", changeSettings, a.retryNotice},
		{post, "/settings/two-people", changeSettings, a.saveTwoPeople},
		{get, "/settings/changes/:id", readSettings, a.change},
		{post, "/settings/changes/:id/approval", changeSettings, a.approveChange},
		{post, "/settings/changes/:id/refusal", changeSettings, a.refuseChange},
		{post, "/settings/changes/:id/withdrawal", changeSettings, a.withdrawChange},
		{get, "/settings/corrections", readSettings, a.correctionLimits},
		{post, "/settings/corrections", changeSettings, a.saveCorrectionLimits},
	}
}
