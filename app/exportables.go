package app

import "pitboss/app/web"

// exportables returns the lists that can be exported, in the order of the navigation.
func (a *App) exportables() []web.Exportable {
	return []web.Exportable{
		a.players.Players().Exportable(),
		a.players.Events().Exportable(),
		a.players.Ledger().Exportable(),
		a.players.Statement().Exportable(),
		a.restrictions.Restrictions().Exportable(),
		a.games.Games().Exportable(),
		a.games.Changes().Exportable(),
		a.sessions.Sessions().Exportable(),
		a.freespins.Grants().Exportable(),
		a.campaigns.Campaigns().Exportable(),
		a.campaigns.Lines().Exportable(),
		a.transactions.Transactions().Exportable(),
		a.rounds.Rounds().Exportable(),
		a.cashouts.CashOuts().Exportable(),
		a.corrections.Corrections().Exportable(),
		a.cases.Cases().Exportable(),
		a.callbacks.Callbacks().Exportable(),
		a.statements.Differences().Exportable(),
		a.audit.Events().Exportable(),
		{Path: "/reports", Title: "Report by day", Needs: web.ReadReports, List: a.reports.Export},
		{Path: "/reports/compared", Title: "Compared periods", Needs: web.ReadReports, List: a.reports.Export},
		{Path: "/reports/players", Title: "Report by player", Needs: web.ReadReports, List: a.reports.Export},
		{Path: "/reports/games", Title: "Report by game, inferred", Needs: web.ReadReports, List: a.reports.Export},
		{Path: "/reports/liability", Title: "Liability", Needs: web.ReadReports, List: a.reports.Export},
		{Path: "/reports/funds", Title: "Player funds by month", Needs: web.ReadReports, List: a.reports.Export},
		{Path: "/reports/ranked", Title: "Ranking", Needs: web.ReadReports, List: a.reports.Export},
		a.staff.Staff().Exportable(),
	}
}
