package app

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/export"
	"pitboss/models"
	"pitboss/views"
)

// The lists that can be exported. Each reads its filters from the address by the function that its page uses, and its rows from
// the store by the pages that its page shows, only longer ones.

// exportPage is how many rows are read at once.
const exportPage = 1000

// exportable is a list that can be exported. Its path may have one part that stands for others: :id for a number, :day for a
// day.
type exportable struct {
	path, title string
	needs       Permission // to read the list, besides the permission to export
	// list reads the filters that page has in its address. Filters in force become chips of the page; what cannot be read, or
	// names nobody, comes back in words.
	list func(c *fiber.Ctx, page Page) (export.List, []views.Chip, *views.Empty, error)
}

// exportables lists them in the order of the navigation.
func (a *App) exportables() []exportable {
	return []exportable{
		{"/players", "Players", readPlayers, a.exportPlayers},
		{ledgerList, "Money ledger", readPlayers, a.exportLedger},
		{"/games", "Games", readGames, a.exportGames},
		{"/games/changes", "Availability of games", readGames, a.exportGameChanges},
		{"/sessions", "Sessions", readGameSessions, a.exportGameSessions},
		{"/free-spins", "Free spins", readFreeSpins, a.exportGrants},
		{"/free-spins/imports", "Free spins from files", readFreeSpins, a.exportImports},
		{"/transactions", "Transactions", readTransactions, a.exportTransactions},
		{"/rounds", "Rounds", readRounds, a.exportRounds},
		{"/corrections/all", "Corrections", readCorrections, a.exportCorrections},
		{"/cases", "Cases", readCases, a.exportCases},
		{"/callbacks", "Callbacks", readCallbacks, a.exportCallbacks},
		{"/audit", "Audit", readAudit, a.exportAudit},
		{"/reports", "Report by day", readReports, a.exportDays},
		{"/reports/players", "Report by player", readReports, a.exportPlayerDays},
		{"/reports/games", "Report by game, inferred", readReports, a.exportGamesReport},
		{"/reports/liability", "Liability", readReports, a.exportLiability},
		{linesList, "Lines of a day", readReports, a.exportDayLines},
		{"/staff", "Staff", readStaff, a.exportStaff},
	}
}

// Paths of lists that belong to one thing.
const (
	ledgerList = "/players/:id/ledger"
	linesList  = "/reports/days/:day/lines"
)

// exportableAt returns the list at a path, with that path, and false where it is none that can be exported.
func (a *App) exportableAt(path string) (exportable, bool) {
	for _, e := range a.lists {
		if _, there := matched(e.path, path); there {
			e.path = path
			return e, true
		}
	}
	return exportable{}, false
}

// matched reports whether path is one that pattern stands for, and returns the part whose list it is. A number or a day is
// taken as it is written here only, so that a list has one path.
func matched(pattern, path string) (part string, there bool) {
	want, parts := strings.Split(pattern, "/"), strings.Split(path, "/")
	if len(want) != len(parts) {
		return "", false
	}
	for i, p := range parts {
		switch want[i] {
		case ":id":
			n, err := strconv.ParseInt(p, 10, 64)
			if err != nil || n < 1 || strconv.FormatInt(n, 10) != p {
				return "", false
			}
			part = p
		case ":day":
			if _, err := models.ParseDay(p); err != nil {
				return "", false
			}
			part = p
		case p:
		default:
			return "", false
		}
	}
	return part, true
}

// newestFirst reads a list by cursors, to its end: rows that come in meanwhile stand above where it began. How far it has come
// is told by time, between its newest row and its oldest or, where the filters name one, the time since which it reads.
func newestFirst[T any](since time.Time, read func(ctx context.Context, at models.Cursor) (models.Page[T], error),
	place func(T) models.Cursor,
	rows func(context.Context, []T) ([]export.Row, error)) func(context.Context, func(export.Page) error) error {
	return func(ctx context.Context, page func(export.Page) error) error {
		if since.IsZero() {
			oldest, err := read(ctx, models.Cursor{Newer: true})
			if err != nil {
				return err
			}
			if n := len(oldest.Rows); n > 0 {
				since = place(oldest.Rows[n-1]).At
			}
		}
		var newest time.Time
		var at models.Cursor
		for {
			found, err := read(ctx, at)
			if err != nil {
				return err
			}
			next := export.Page{}
			if next.Rows, err = rows(ctx, found.Rows); err != nil {
				return err
			}
			if n := len(found.Rows); n > 0 {
				if newest.IsZero() {
					newest = place(found.Rows[0]).At
				}
				at = place(found.Rows[n-1])
			}
			if !found.More {
				at = found.Stopped
			}
			next.Reached, next.Permille = at.At, permille(newest, at.At, since)
			if err := page(next); err != nil {
				return err
			}
			if at.IsZero() {
				return nil
			}
			at.Newer = false
		}
	}
}

// permille is how much of the time from newest back to oldest is behind at; 0 where nobody can say.
func permille(newest, at, oldest time.Time) int {
	if at.IsZero() || oldest.IsZero() || !oldest.Before(newest) {
		return 0
	}
	return int(max(0, min(999, 1000*newest.Sub(at).Seconds()/newest.Sub(oldest).Seconds())))
}

// looked makes a page of a list that never gives up.
func looked[T any](list []T, more bool, err error) (models.Page[T], error) {
	return models.Page[T]{Rows: list, More: more}, err
}

// each makes rows one by one.
func each[T any](row func(T) export.Row) func(context.Context, []T) ([]export.Row, error) {
	return func(_ context.Context, list []T) ([]export.Row, error) {
		rows := make([]export.Row, len(list))
		for i, v := range list {
			rows[i] = row(v)
		}
		return rows, nil
	}
}

// sums adds amounts up by label and currency.
type sums struct {
	labels []string
	of     map[models.Currency]map[string]models.Sum
}

func newSums(labels ...string) *sums {
	return &sums{labels, map[models.Currency]map[string]models.Sum{}}
}

func (s *sums) add(c models.Currency, label string, more models.Sum) {
	if s.of[c] == nil {
		s.of[c] = map[string]models.Sum{}
	}
	s.of[c][label] = s.of[c][label].Plus(more)
}

func (s *sums) addAmount(c models.Currency, label string, a models.Amount) {
	s.add(c, label, models.SumOf(a))
}

func (s *sums) list() (list []export.Sum) {
	for _, c := range slices.Sorted(maps.Keys(s.of)) {
		for _, label := range s.labels {
			list = append(list, export.Sum{Label: label, Currency: c, Amount: s.of[c][label]})
		}
	}
	return list
}

func (a *App) exportTransactions(c *fiber.Ctx, p Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &transactionsPage{Page: p}
	f, wrong, err := a.transactionFilter(c, page)
	f.Limit = exportPage
	// What stands of all transactions is the sum of the ledger: a rollback's lines take back those of its original.
	const bets, wins, openings, adjustments, net = "Bets that stand", "Wins that stand", "Opening balances", "Adjustments", "Sum of what stands"
	total := newSums(bets, wins, openings, adjustments, net)
	return export.List{
		Columns: []export.Column{
			{Name: "Number", Kind: export.Number}, {Name: "Time", Kind: export.Time}, {Name: "Transaction ID"}, {Name: "Kind"},
			{Name: "Played with"}, {Name: "Player"},
			{Name: "Test player", Kind: export.Flag}, {Name: "Round ID"}, {Name: "Bet", Kind: export.Money},
			{Name: "Win", Kind: export.Money},
			{Name: "Moved", Kind: export.Money}, {Name: "Of it stands", Kind: export.Money},
			{Name: "Balance after", Kind: export.Money}, {Name: "Currency"}, {Name: "State"},
			{Name: "Rolled back", Kind: export.Time}, {Name: "Came again, changed", Kind: export.Time},
		},
		Sums: total.list,
		Read: newestFirst(f.Since, func(ctx context.Context, at models.Cursor) (models.Page[models.TransactionLine], error) {
			f := f
			f.Page = at
			return a.Store.Transactions(ctx, f)
		}, transactionCursor, each(func(t models.TransactionLine) export.Row {
			var stands models.Amount
			if t.State == models.Processed && !t.FreeSpin {
				stands = t.Effect()
				switch t.Kind {
				case models.Opening:
					total.addAmount(t.Currency, openings, stands)
				case models.Adjustment:
					total.addAmount(t.Currency, adjustments, stands)
				default:
					total.addAmount(t.Currency, bets, t.Bet)
					total.addAmount(t.Currency, wins, t.Win)
				}
			}
			total.addAmount(t.Currency, net, stands)
			with := "real money"
			if t.FreeSpin {
				with = "free spin"
			}
			return export.Row{
				t.ID, t.At, string(t.TransactionID), t.Kind.String(), with, string(t.UserID), t.Test, string(t.RoundID), t.Bet,
				t.Win, t.Effect(), stands,
				amountOrNone(t.After), string(t.Currency), transactionState(t.Transaction).Word, t.ReversedAt, t.OtherContents,
			}
		})),
	}, page.Chips, wrong, err
}

func amountOrNone(a *models.Amount) any {
	if a == nil {
		return nil
	}
	return *a
}

func (a *App) exportRounds(c *fiber.Ctx, p Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &roundsPage{Page: p}
	f, wrong, err := a.roundFilter(c, page)
	f.Limit = exportPage
	const staked, won, funds = "Bets that stand", "Wins that stand", "Stakes without a result"
	total := newSums(staked, won, funds)
	return export.List{
		Columns: []export.Column{
			{Name: "Number", Kind: export.Number}, {Name: "Started", Kind: export.Time},
			{Name: "Last transaction", Kind: export.Time}, {Name: "Round ID"}, {Name: "Player"},
			{Name: "Test player", Kind: export.Flag}, {Name: "State"}, {Name: "Transactions", Kind: export.Number},
			{Name: "Bets", Kind: export.Number},
			{Name: "Free spins", Kind: export.Number}, {Name: "Wins", Kind: export.Number},
			{Name: "Rolled back", Kind: export.Number}, {Name: "Staked", Kind: export.Money},
			{Name: "Won", Kind: export.Money}, {Name: "Net", Kind: export.Money},
			{Name: "Stakes without a result", Kind: export.Money}, {Name: "Stake of free spins", Kind: export.Money},
			{Name: "Currency"},
		},
		Sums: total.list,
		Read: newestFirst(f.Since, func(ctx context.Context, at models.Cursor) (models.Page[models.Round], error) {
			f := f
			f.Page = at
			return a.Store.Rounds(ctx, f)
		}, f.Place, each(func(r models.Round) export.Row {
			total.add(r.Currency, staked, r.Staked)
			total.add(r.Currency, won, r.Won)
			total.add(r.Currency, funds, r.Funds())
			return export.Row{
				r.ID, r.At, r.LastAt, string(r.RoundID), string(r.UserID), r.Test, r.State().String(), r.Transactions, r.Bets,
				r.Spins, r.Wins, r.Reversed,
				r.Staked, r.Won, r.Net(), r.Funds(), r.SpinStake, string(r.Currency),
			}
		})),
	}, page.Chips, wrong, err
}

func (a *App) exportPlayers(_ *fiber.Ctx, p Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &playersPage{Page: p}
	f := page.filters()
	f.Limit = exportPage
	const balances = "Balances"
	total := newSums(balances)
	return export.List{
		Columns: []export.Column{
			{Name: "Number", Kind: export.Number}, {Name: "Player"}, {Name: "Test player", Kind: export.Flag},
			{Name: "Blocked", Kind: export.Flag},
			{Name: "Balance", Kind: export.Money}, {Name: "Currency"}, {Name: "Lines in the ledger", Kind: export.Number},
			{Name: "Created", Kind: export.Time},
		},
		Sums: total.list,
		Read: func(ctx context.Context, next func(export.Page) error) error {
			f := f
			for {
				list, more, err := a.Store.Players(ctx, f)
				if err != nil {
					return err
				}
				rows := make([]export.Row, len(list))
				for i, p := range list {
					total.addAmount(p.Wallet.Currency, balances, p.Wallet.Balance)
					rows[i] = export.Row{p.ID, string(p.UserID), p.Test, p.Wallet.Blocked, p.Wallet.Balance,
						string(p.Wallet.Currency), p.Wallet.Seq, p.CreatedAt}
				}
				if err := next(export.Page{Rows: rows}); err != nil || !more {
					return err
				}
				f.After = list[len(list)-1].UserID
			}
		},
	}, page.Chips, nil, nil
}

func (a *App) exportGames(_ *fiber.Ctx, p Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &gamesPage{Page: p}
	f := page.filters()
	f.Limit = exportPage
	return export.List{
		Columns: []export.Column{
			{Name: "Number", Kind: export.Number}, {Name: "Game ID"}, {Name: "Name"}, {Name: "Formerly called"},
			{Name: "Provider"}, {Name: "Type"}, {Name: "Offered", Kind: export.Flag},
			{Name: "First offered", Kind: export.Time}, {Name: "Last offered", Kind: export.Time},
			{Name: "Gone since", Kind: export.Time},
		},
		Read: func(ctx context.Context, next func(export.Page) error) error {
			f := f
			for {
				list, more, err := a.Store.Games(ctx, f)
				if err != nil {
					return err
				}
				rows := make([]export.Row, len(list))
				for i, g := range list {
					rows[i] = export.Row{g.ID, string(g.GameID), g.Name, g.FormerName, g.Provider, g.Type, !g.Gone(),
						g.AddedAt, g.SeenAt, g.GoneAt}
				}
				if err := next(export.Page{Rows: rows}); err != nil || !more {
					return err
				}
				f.Next = list[len(list)-1].ID
			}
		},
	}, page.Chips, nil, nil
}

// nobodyThere is what is said where a filter names a player or a game that there is none of.
func nobodyThere(there bool) *views.Empty {
	if there {
		return nil
	}
	return &views.Empty{Title: "Nothing to export",
		Text: "There is no such player or game. IDs are compared letter for letter."}
}

func (a *App) exportGameSessions(c *fiber.Ctx, p Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &sessionsPage{Page: p}
	f, wrong, err := a.gameSessionFilter(c, page)
	f.Limit = exportPage
	return export.List{
		Columns: []export.Column{
			{Name: "Number", Kind: export.Number}, {Name: "Time", Kind: export.Time}, {Name: "Player"}, {Name: "Game ID"},
			{Name: "Game"}, {Name: "Language"}, {Name: "Opened by"}, {Name: "Reason"},
			{Name: "State"}, {Name: "Failure"}, {Name: "Answer took, ms", Kind: export.Number},
			{Name: "Address given, redacted"},
		},
		Read: newestFirst(time.Time{}, func(ctx context.Context, at models.Cursor) (models.Page[models.GameSession], error) {
			f := f
			f.Page = at
			return looked(a.Store.GameSessions(ctx, f))
		}, func(s models.GameSession) models.Cursor { return models.Cursor{At: s.At, ID: s.ID} },
			each(func(s models.GameSession) export.Row {
				return export.Row{
					s.ID, s.At, string(s.UserID), string(s.Game.GameID), s.Game.Name, s.Language, s.Actor, s.Reason,
					s.State.String(), s.Failure, s.Latency.Milliseconds(), s.GameURL,
				}
			})),
	}, page.Chips, wrong, err
}

func (a *App) exportGrants(c *fiber.Ctx, p Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &freeSpinsPage{Page: p}
	f, there, err := a.grantFilter(c, page)
	f.Limit = exportPage
	const won = "Won by free spins"
	total := newSums(won)
	return export.List{
		Columns: []export.Column{
			{Name: "Number", Kind: export.Number}, {Name: "Time", Kind: export.Time}, {Name: "Player"}, {Name: "Game ID"},
			{Name: "Game"}, {Name: "Spins", Kind: export.Number},
			{Name: "Used, says the platform", Kind: export.Number},
			{Name: "Remaining, says the platform", Kind: export.Number}, {Name: "Used, by our ledger", Kind: export.Number},
			{Name: "Won", Kind: export.Money}, {Name: "Currency"}, {Name: "State"}, {Name: "Free-spin ID"},
			{Name: "Granted by"}, {Name: "Reason"}, {Name: "Message"},
			{Name: "Sent", Kind: export.Time}, {Name: "Answered", Kind: export.Time}, {Name: "Finished", Kind: export.Time},
			{Name: "Resolved by"}, {Name: "Resolution"},
			{Name: "Import", Kind: export.Number}, {Name: "Line", Kind: export.Number},
		},
		Sums: total.list,
		Read: newestFirst(time.Time{}, func(ctx context.Context, at models.Cursor) (models.Page[models.Grant], error) {
			f := f
			f.Page = at
			return looked(a.Store.Grants(ctx, f))
		}, func(g models.Grant) models.Cursor { return models.Cursor{At: g.At, ID: g.ID} },
			func(ctx context.Context, list []models.Grant) ([]export.Row, error) {
				ids := make([]int64, len(list))
				for i, g := range list {
					ids[i] = g.ID
				}
				wins, err := a.Store.SpinWinsOf(ctx, ids)
				rows := make([]export.Row, len(list))
				for i, g := range list {
					total.add(g.Currency, won, wins[g.ID].Won)
					rows[i] = export.Row{
						g.ID, g.At, string(g.UserID), string(g.Game.GameID), g.Game.Name, g.Spins, countOrNone(g.Used),
						countOrNone(g.Remaining), g.Ours,
						wins[g.ID].Won, string(g.Currency), g.State.String(), string(g.FreeSpinID), g.Actor, g.Reason,
						g.Message,
						g.SentAt, g.AnsweredAt, g.FinishedAt,
						g.ResolvedBy, g.ResolutionNote, numberOrNone(g.ImportID), numberOrNone(int64(g.ImportLine)),
					}
				}
				return rows, err
			}),
	}, page.Chips, nobodyThere(there), err
}

func countOrNone(n int64) any {
	if n == models.NoCount {
		return nil
	}
	return n
}

func numberOrNone(n int64) any {
	if n == 0 {
		return nil
	}
	return n
}

func (a *App) exportAudit(c *fiber.Ctx, p Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &auditPage{Page: p}
	f, wrong, err := a.auditFilter(c, page)
	f.Limit = exportPage
	return export.List{
		Columns: []export.Column{
			{Name: "Number", Kind: export.Number}, {Name: "Time", Kind: export.Time}, {Name: "Who"}, {Name: "What"},
			{Name: "On"}, {Name: "Its number"}, {Name: "Reason"},
			{Name: "Before"}, {Name: "After"}, {Name: "Address"}, {Name: "Session"}, {Name: "Channel"}, {Name: "System user"},
		},
		Read: newestFirst(f.Since, func(ctx context.Context, at models.Cursor) (models.Page[models.AuditEvent], error) {
			f := f
			f.Page = at
			return a.Store.AuditLog(ctx, f)
		}, auditCursor, each(func(e models.AuditEvent) export.Row {
			return export.Row{e.ID, e.At, e.Actor.Name, e.Action, e.Object, e.ObjectID, e.Reason, e.Before, e.After,
				e.Actor.Address, e.Actor.Session, e.Actor.Channel.String(), e.Actor.OSUser}
		})),
	}, page.Chips, wrong, err
}

func (a *App) exportCases(c *fiber.Ctx, p Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &casesPage{Page: p}
	f, wrong, err := a.caseFilter(c, page)
	f.Limit = exportPage
	if p.params.Get("state") == "" {
		page.Chips = append(page.Chips, views.Chip{Label: "State", Value: "Open"}) // which the list says by itself
	}
	const open = "At stake in open cases"
	total := newSums(open)
	return export.List{
		Columns: []export.Column{
			{Name: "Number", Kind: export.Number}, {Name: "Found", Kind: export.Time}, {Name: "Rule"},
			{Name: "Happened", Kind: export.Time}, {Name: "Player"},
			{Name: "Transaction ID"}, {Name: "Transaction", Kind: export.Number}, {Name: "Grant", Kind: export.Number},
			{Name: "Statement", Kind: export.Number},
			{Name: "Verification", Kind: export.Number}, {Name: "At stake", Kind: export.Money}, {Name: "Currency"},
			{Name: "Evidence"}, {Name: "Owner"}, {Name: "State"},
			{Name: "Closed", Kind: export.Time}, {Name: "Closed by"}, {Name: "What was found out"},
		},
		Sums: total.list,
		Read: newestFirst(time.Time{}, func(ctx context.Context, at models.Cursor) (models.Page[models.Case], error) {
			f := f
			f.Page = at
			return looked(a.Store.Cases(ctx, f))
		}, func(c models.Case) models.Cursor { return models.Cursor{At: c.FoundAt, ID: c.ID} },
			each(func(c models.Case) export.Row {
				if c.State == models.CaseOpen && c.Currency != "" {
					total.addAmount(c.Currency, open, c.Amount)
				}
				var atStake any // nothing where nothing is, or nobody knows
				if c.Amount != 0 {
					atStake = c.Amount
				}
				var evidence []string
				for _, fact := range c.Facts {
					evidence = append(evidence, fact.Label+": "+fact.Value)
				}
				return export.Row{
					c.ID, c.FoundAt, c.Rule.String(), c.At, string(c.UserID), string(c.TransactionID),
					numberOrNone(c.Transaction),
					numberOrNone(c.GrantID), numberOrNone(c.StatementID),
					numberOrNone(c.Verification), atStake, string(c.Currency), strings.Join(evidence, "; "), c.Owner,
					c.State.String(), c.DecidedAt, c.DecidedBy, c.Reason,
				}
			})),
	}, page.Chips, wrong, err
}

// exportPath is an export's page.
func exportPath(id int64) string { return "/exports/" + strconv.FormatInt(id, 10) }
