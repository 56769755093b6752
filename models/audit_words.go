package models

import "strings"

// ActionWord returns an audit event's action in plain words, for filters and lists of events. An unknown action is returned as
// it is.
func ActionWord(action string) string {
	if word := actionWords.of(action, ""); word != "" {
		return word
	}
	if action == "" {
		return ""
	}
	return strings.ToUpper(action[:1]) + action[1:]
}

// Word returns ActionWord of the event's action.
func (e AuditEvent) Word() string { return ActionWord(e.Action) }

// lowerFirst returns s with a lower-case first letter, for use within a sentence.
func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }

// SettingWord returns what people call a setting, by its name in the audit log.
func SettingWord(name string) string { return settingWords.of(name, name) }

var settingWords = words[string]{
	{SignInRulesSetting, "sign-in rules"},
	{ReportZoneSetting, "time zone of reports"},
	{"export hours", "time until exports are deleted"},
	{"notices", "choice of notices"},
	{string(ChangeCorrectionLimits), "single-approval limits"},
	{string(ChangeTwoPeople), "two-person rule"},
	{string(ChangeGrantLimits), "free-spin limits"},
	{string(ChangeBaseCurrency), "base currency"},
	{string(ChangeGameReturns), "theoretical returns of games"},
	{string(ChangeThresholds), "thresholds that open cases"},
}

var actionWords = words[string]{
	{"player created", "Player created"},
	{"player viewed", "Player viewed"},
	{"player restriction set", "Player restricted"},
	{"player restriction ended", "Restriction of a player ended early"},
	{"player limits set", "Limits of a player changed"},
	{"player language set", "Language of a player chosen"},
	{"player erased", "Player’s personal data erased"},

	{"grant requested", "Free spins requested"},
	{"grant granted", "Free spins granted"},
	{"grant refused", "Free spins refused by the platform"},
	{"grant of unknown outcome", "Grant unconfirmed"},
	{"grant resolved", "Unconfirmed grant resolved"},
	{"grant completed", "All free spins of a grant used"},
	{"grant expired", "Free spins expired"},
	{"campaign approved", "Campaign beyond the limits approved"},
	{"campaign refused", "Campaign beyond the limits refused"},
	{"campaign withdrawn", "Campaign beyond the limits withdrawn"},
	{"campaign expired", "Campaign beyond the limits expired"},
	{"campaign created", "Campaign created"},
	{"campaign waiting for approval", "Campaign waiting for approval"},
	{"campaign not approved", "Campaign not approved"},
	{"campaign paused", "Campaign paused"},
	{"campaign running", "Campaign resumed"},
	{"campaign stopped", "Campaign canceled"},
	{"campaign finished", "Campaign finished"},
	{"campaign line refused", "Player of a campaign left out"},

	{"correction asked for", "Correction requested"},
	{"correction assigned", "Correction assigned"},
	{"correction approved", "Correction approved"},
	{"correction booked alone", "Correction booked without a second approver"},
	{"correction refused", "Correction refused"},
	{"correction withdrawn", "Correction withdrawn"},

	{"case opened", "Case opened"},
	{"case handed over", "Case assigned"},
	{"case commented", "Comment on a case"},
	{"case due date changed", "Due date of a complaint changed"},
	{"case overdue", "Complaint overdue"},
	{"case closed", "Case closed"},
	{"case texts erased", "Comments of a case erased"},

	{"restriction set", "Restriction set"},
	{"restriction end requested", "Early end of a restriction requested"},
	{"restriction ended", "Restriction ended early"},
	{"restriction end refused", "Early end of a restriction refused"},
	{"restriction end withdrawn", "Request to end a restriction withdrawn"},
	{"restriction texts erased", "Reasons of a restriction erased"},

	{"cash-out waiting", "Cash-out waiting for approval"},
	{"cash-out agreed to", "Cash-out approved by the first of two"},
	{"cash-out approved", "Cash-out approved"},
	{"cash-out refused", "Cash-out refused"},
	{"cash-out canceled", "Cash-out that staff decide canceled by the cashier"},

	{"game session asked for", "Game session requested"},
	{"game session opened", "Game session opened"},
	{"game session failed", "Game session not opened"},
	{"games changed", "Games changed"},
	{"games synchronized", "Games synced"},
	{"games not synchronized", "Games sync failed"},

	{"staff created", "Account created"},
	{"staff confirmed", "Account confirmed"},
	{"staff role changed", "Role changed"},
	{"staff e-mail address changed", "E-mail address changed"},
	{"staff disabled", "Account disabled"},
	{"staff enabled", "Account enabled"},
	{"staff unlocked", "Account unlocked"},
	{"staff signed in", "Sign-in"},
	{"staff signed in by single sign-on", "Sign-in by single sign-on"},
	{"staff signed in with break-glass password", "Sign-in with a break-glass password"},
	{"staff identity changed", "Single sign-on of an account changed"},
	{"sign-in refused", "Sign-in failed"},
	{"sign-in while disabled", "Sign-in to a disabled account"},
	{"staff password changed", "Password changed"},
	{"staff password link made", "Password link made"},
	{"staff password link voided", "Password link voided"},
	{"staff password set by link", "Password set by link"},
	{"staff second factor set up", "Second factor set up"},
	{"staff second factor reset", "Second factor reset"},
	{"staff second factor removed", "Second factor removed"},
	{"staff passkey added", "Passkey added"},
	{"staff passkey removed", "Passkey removed"},
	{"staff passkey copied", "Passkey refused: it seems to have been copied"},
	{"staff recovery codes replaced", "Recovery codes replaced"},
	{"staff recovery code used", "Recovery code used"},
	{"staff session revoked", "Session ended"},
	{"staff sessions revoked", "Sessions ended"},
	{"staff session refused", "Altered session refused"},

	{"API client created", "API client created"},
	{"API client changed", "API client changed"},
	{"API client given a secret", "New secret of an API client"},
	{"API client revoked", "API client revoked"},

	{"setting changed", "Setting changed"},
	{"change requested", "Change of limits or rules requested"},
	{"change approved", "Change of limits or rules approved"},
	{"change refused", "Change of limits or rules refused"},
	{"change withdrawn", "Change of limits or rules withdrawn"},
	{"figures requested", "Change of rates, returns or thresholds requested"},
	{"figures approved", "Change of rates, returns or thresholds approved"},
	{"figures refused", "Change of rates, returns or thresholds refused"},
	{"figures withdrawn", "Change of rates, returns or thresholds withdrawn"},
	{"view shared", "View of a list shared"},
	{"shared view deleted", "Shared view of a list deleted"},
	{"test notice asked for", "Test notice requested"},
	{"notice sent again", "Notice sent again"},

	{"export asked for", "Export requested"},
	{"export ready", "Export ready"},
	{"export failed", "Export failed"},
	{"export downloaded", "Export downloaded"},
	{"export deleted", "Export deleted"},
	{"export filters erased", "Filters of an export erased"},
	{"statement uploaded", "Statement uploaded"},
	{"statement compared", "Statement compared"},
	{"statement comparison finished", "Comparison of a statement finished"},
	{"statement comparison failed", "Comparison of a statement failed"},
	{"statement stopped", "Comparison of a statement stopped"},
	{"statement file deleted", "File of a statement deleted"},
	{"day closed", "Day closed"},
	{"day signed", "Day signed"},
	{"figures rebuilt", "Figures recalculated"},

	{"verification asked for", "Verification requested"},
	{"verification ended", "Verification finished"},
	{"verification failed", "Verification failed"},
	{"ledger verified", "Ledger verified at the command line"},
	{"checkpoint written", "Checkpoint written"},
	{"restore declared", "Restored backup declared"},
	{"restore confirmed", "Restored backup confirmed"},
	{"purge begun", "Purge started"},
	{"purge finished", "Purge finished"},
	{"state carried over", "State carried over by a purge"},

	{"program started", "Pitboss started"},
	{"program stopped", "Pitboss stopped"},
	{"program lost", "Pitboss stopped without notice"},
	{"program upgraded", "Pitboss upgraded"},
	{"program reconfigured", "Settings of the program changed"},
	{"schema migrated", "Database migrated"},
}
