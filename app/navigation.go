package app

import "pitboss/app/web"

// navigation returns the menu. A page is left out if routes.go has no row for it, or if the reader may not open it.
func (a *App) navigation() []web.MenuGroup {
	return []web.MenuGroup{
		{Items: []web.MenuItem{
			{Path: "/", Word: "Overview", Icon: "overview", Key: "o"},
			{Path: "/yours", Word: "Yours", Icon: "check", Key: "d", Counter: a.countYours},
		}},
		{Word: "Play", Items: []web.MenuItem{
			{Path: "/players", Word: "Players", Icon: "players", Key: "p"},
			{Path: "/restrictions", Word: "Restrictions", Icon: "restrictions", Key: "n", Counter: a.Approvable("restriction")},
			{Path: "/games", Word: "Games", Icon: "games", Key: "g"},
			{Path: "/sessions", Word: "Sessions", Icon: "sessions", Key: "s"},
			{Path: "/free-spins", Word: "Free spins", Icon: "spins", Key: "f", Counter: a.freespins.CountUnknownGrants},
			{Path: "/campaigns", Word: "Campaigns", Icon: "campaigns", Key: "w"},
		}},
		{Word: "Money", Items: []web.MenuItem{
			{Path: "/transactions", Word: "Transactions", Icon: "transactions", Key: "t"},
			{Path: "/rounds", Word: "Rounds", Icon: "rounds", Key: "r"},
			{Path: "/cash-outs", Word: "Cash-outs", Icon: "cash", Key: "h", Counter: a.Approvable("cash-out")},
			{Path: "/corrections", Word: "Corrections", Icon: "corrections", Key: "c", Counter: a.Approvable("correction")},
		}},
		{Word: "Control", Items: []web.MenuItem{
			{Path: "/cases", Word: "Cases", Icon: "cases", Key: "k", Counter: a.cases.CountCases},
			{Path: "/statements", Word: "Statements", Icon: "statements", Key: "m"},
			{Path: "/callbacks", Word: "Callbacks", Icon: "callbacks", Key: "b"},
			{Path: "/audit", Word: "Audit", Icon: "audit", Key: "a"},
			{Path: "/integrity", Word: "Integrity", Icon: "integrity", Key: "i", Counter: a.integrity.CountFaults},
		}},
		{Word: "Figures", Items: []web.MenuItem{
			{Path: "/reports", Word: "Reports", Icon: "reports", Key: "q"},
		}},
		{Word: "Admin", Items: []web.MenuItem{
			{Path: "/staff", Word: "Staff", Icon: "staff", Key: "u"},
			{Path: "/clients", Word: "API clients", Icon: "key", Key: "y"},
			{Path: "/platform", Word: "Platform", Icon: "platform", Key: "l"},
			{Path: "/settings", Word: "Settings", Icon: "settings", Key: ",", Counter: a.Approvable("change")},
		}},
	}
}

// doors are pages and actions that are not in the menu, and that search finds beside those of the menu.
var doors = []web.MenuItem{
	{Path: "/players/new", Word: "Add a player"},
	{Path: "/players/imports/new", Word: "Import players"},
	{Path: "/restrictions/new", Word: "Restrict a player"},
	{Path: "/restrictions/several", Word: "Restrict several players"},
	{Path: "/restrictions/freeze", Word: "Freeze play"},
	{Path: "/sessions/new", Word: "Open a game as a test player"},
	{Path: "/campaigns/new", Word: "Grant free spins"},
	{Path: "/corrections/new", Word: "Request a correction"},
	{Path: "/cases/new", Word: "Record a complaint"},
	{Path: "/statements/new", Word: "Compare a statement"},
	{Path: "/packs/new", Word: "Make a dispute pack"},
	{Path: "/reports/compared", Word: "Compared periods"},
	{Path: "/reports/players", Word: "Report by player"},
	{Path: "/reports/games", Word: "Report by game"},
	{Path: "/reports/liability", Word: "Liability to players"},
	{Path: "/reports/funds", Word: "Players’ funds"},
	{Path: "/reports/ranked", Word: "Rankings of players"},
	{Path: "/reports/rates", Word: "Exchange rates"},
	{Path: "/reports/returns", Word: "Returns of games"},
	{Path: "/settings/free-spins", Word: "Limits on free spins"},
	{Path: "/settings/notices", Word: "E-mails and notices"},
	{Path: "/staff/new", Word: "Create an account for a colleague"},
	{Path: "/clients/new", Word: "Add an API client"},
	{Path: "/account", Word: "Your account, password and sessions"},
	{Path: "/help", Word: "Handbook"},
}
