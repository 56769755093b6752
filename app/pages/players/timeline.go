package players

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/atonce"
	"pitboss/app/export"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// The timeline shows everything that happened to a player in one order: bookings, refused bets, and what staff did. Each source
// reads a page from the same moment on along an index of its own, and mergeTimeline puts the rows in order.

// timelineNeeds has the permission for reading each kind of event in a timeline.
var timelineNeeds = map[models.TimelineKind]web.Permission{
	models.TimelinePlay: web.ReadTransactions, models.TimelineRefused: web.ReadCallbacks, models.TimelineSpins: web.ReadFreeSpins,
	models.TimelineCash: web.ReadTransactions, models.TimelineCorrections: web.ReadCorrections,
	models.TimelineSessions: web.ReadGameSessions, models.TimelineLimits: web.ReadRestrictions, models.TimelineCases: web.ReadCases,
	models.TimelineAnswers: web.ReadPlayers,
	models.TimelineAccount: web.ReadPlayers, models.TimelineOther: web.ReadAudit, models.TimelineViews: web.ReadAudit,
}

// timelineRow is an event of a timeline.
type timelineRow struct {
	at               time.Time
	rank             int64 // orders simultaneous events: by source, then by when they were written
	Kind             models.TimelineKind
	What, Href, Note string
	transaction      models.TransactionID
	round            models.RoundID
	amount, after    *models.Amount // of a posting or a refused bet; nil if it is not known
	currency         models.Currency
	asked            string // the amount of a refused bet as it was sent
	// only for what staff did
	who, Reason, Change string
}

func (r timelineRow) place() models.Cursor { return models.Cursor{At: r.at, ID: r.rank} }

// rankOf returns the rank of a source's row with this number, which must be above 0.
func rankOf(source, number int64) int64 { return source<<59 | number&(1<<59-1) }

// timelineSource reads a page of one part of a timeline.
type timelineSource func(context.Context, models.Span) (models.Page[timelineRow], error)

// Timeline shows a player's timeline.
func (a *Area) Timeline(c *fiber.Ctx) error {
	return a.Events().Serve(a.Site.Site, c, "players/timeline")
}

// Events is the list of events in a player's timeline.
func (a *Area) Events() web.List[pages.PlayerList, timelineRow] {
	return web.List[pages.PlayerList, timelineRow]{
		Path: web.TimelineList, Title: "Timeline", Needs: web.ReadPlayers, Select: a.selectedEvents, Load: pages.LoadHead[timelineRow](a.Site),
		Implied: func(p *pages.PlayerList) []views.Chip { return playerChip(p.Player) },
		Columns: []web.Column[pages.PlayerList, timelineRow]{
			{Head: "Time", Kind: export.Time, Order: web.ByTime, Value: func(r timelineRow) any { return r.at }},
			{Name: "Kind", Value: func(r timelineRow) any { return r.Kind.String() }},
			{Head: "What", Class: "c-what wrap", Block: "what", Value: func(r timelineRow) any { return r.What }},
			{Name: "Note", Value: func(r timelineRow) any { return r.Note }},
			{Head: "Transaction", Name: "Transaction ID", Value: func(r timelineRow) any { return string(r.transaction) },
				Cell: func(_ *pages.PlayerList, r timelineRow) views.Cell {
					return views.Cell{ID: views.ShortID(string(r.transaction), "transaction ID")}
				}},
			{Name: "Round ID", Value: func(r timelineRow) any { return string(r.round) }},
			{Head: "Amount", Kind: export.Money, Class: "c-lead", Value: func(r timelineRow) any { return export.AmountOrNone(r.amount) },
				Cell: func(p *pages.PlayerList, r timelineRow) (cell views.Cell) {
					if r.after != nil {
						cell.Money = new(p.Signed(*r.amount, r.currency))
					} else if r.asked != "" {
						cell.Money = &views.Money{Text: r.asked, Second: true}
					}
					return cell
				}},
			{Head: "Balance after", Kind: export.Money, Class: "pb-2nd", Value: func(r timelineRow) any { return export.AmountOrNone(r.after) }},
			{Name: "Currency", Value: func(r timelineRow) any { return string(r.currency) }},
			{Head: "Who", Value: func(r timelineRow) any { return r.who }},
			{Name: "Reason", Value: func(r timelineRow) any { return r.Reason }},
			{Name: "Change", Value: func(r timelineRow) any { return r.Change }},
		},
	}
}

// selectedEvents reads the player and the filters from the address.
func (a *Area) selectedEvents(ctx context.Context, page *pages.PlayerList) (list models.Listing[timelineRow], err error) {
	if err := a.ofPlayer(ctx, &page.Page, &page.PlayerHead); err != nil {
		return list, err
	}
	all, options := []models.TimelineKind{}, []web.Option[[]models.TimelineKind]{{Word: "Everything but views"}}
	for _, kind := range models.TimelineKinds {
		if !page.Can(timelineNeeds[kind]) {
			continue
		}
		if kind != models.TimelineViews {
			all = append(all, kind)
		}
		value := strings.NewReplacer(",", "", " ", "-").Replace(kind.String())
		options = append(options, web.Offer(value, web.FirstUpper(kind.String()), []models.TimelineKind{kind}))
	}
	kinds := web.Choose(&page.Page, "kind", "Kind", options)
	if kinds == nil {
		kinds = all
	}
	sources := a.timelineSources(&page.Page, page.Player, kinds)
	return models.Listing[timelineRow]{Span: page.Period(&page.Page), Place: timelineRow.place,
		Read: func(ctx context.Context, span models.Span) (models.Page[timelineRow], error) {
			return mergeTimeline(ctx, sources, span)
		}}, nil
}

// timelineSources returns the sources of events of these kinds.
func (a *Area) timelineSources(page *web.Page, p models.Player, kinds []models.TimelineKind) (sources []timelineSource) {
	has := func(some ...models.TimelineKind) bool {
		return slices.ContainsFunc(some, func(k models.TimelineKind) bool { return slices.Contains(kinds, k) })
	}
	if has(models.TimelinePlay, models.TimelineSpins, models.TimelineCash, models.TimelineCorrections) {
		sources = append(sources, sourceOf(func(ctx context.Context, s models.Span) (models.Page[models.Posting], error) {
			return a.Store.PlayerPostings(ctx, p.ID, kinds, s)
		}, func(posting models.Posting) timelineRow { return postingRow(p, posting) }))
	}
	if has(models.TimelineRefused) {
		sources = append(sources, sourceOf(func(ctx context.Context, s models.Span) (models.Page[models.Callback], error) {
			f := pages.RefusedBets()
			f.UserID, f.Span = p.UserID, s
			return a.Store.Callbacks(ctx, f)
		}, func(c models.Callback) timelineRow { return refusedRow(p, c) }))
	}
	if has(slices.DeleteFunc(slices.Clone(models.TimelineKinds), func(k models.TimelineKind) bool {
		return k == models.TimelinePlay || k == models.TimelineRefused
	})...) {
		sources = append(sources, sourceOf(func(ctx context.Context, s models.Span) (models.Page[web.HistoryLine], error) {
			return a.History(ctx, page, models.AuditFilter{PlayerID: p.ID, Timeline: kinds, Span: s})
		}, historyRow))
	}
	return sources
}

// sourceOf returns a source that reads a list and turns each of its rows into a row of the timeline.
func sourceOf[T any](read func(context.Context, models.Span) (models.Page[T], error), row func(T) timelineRow) timelineSource {
	return func(ctx context.Context, span models.Span) (page models.Page[timelineRow], err error) {
		found, err := read(ctx, span)
		page.More, page.Stopped = found.More, found.Stopped
		for _, one := range found.Rows {
			page.Rows = append(page.Rows, row(one))
		}
		return page, err
	}
}

func postingRow(p models.Player, posting models.Posting) timelineRow {
	row := timelineRow{at: posting.At, rank: rankOf(3, posting.ID), Kind: posting.Timeline(), transaction: posting.TransactionID,
		round: posting.RoundID}
	if effect, _ := posting.Effect(); !posting.FreeSpin {
		row.amount, row.after, row.currency = &effect, &posting.After, p.Wallet.Currency
	}
	var words []string
	for _, line := range posting.Entries(p.Wallet.Currency) {
		words = append(words, pages.EntryWord(line.Kind))
	}
	switch {
	case posting.FreeSpin && posting.Claim == models.ClaimRolledBack:
		words = []string{pages.EntryWord(models.EntrySpinReversed)}
	case posting.FreeSpin:
		words = []string{pages.EntryWord(models.EntrySpin)}
	case len(words) == 2:
		words[1] = views.LowerFirst(words[1])
		row.Note = "bet " + posting.Bet.Grouped() + ", win " + posting.Win.Grouped()
	}
	row.What, row.Href = views.InWords(words), "/search?q="+web.EscapeQuery(string(posting.TransactionID))
	if posting.Claim == models.ClaimApplied {
		row.Href = pages.TransactionPath(posting.ID)
	}
	return row
}

func refusedRow(p models.Player, c models.Callback) timelineRow {
	row := timelineRow{at: c.At, rank: rankOf(2, c.Request.Number), Kind: models.TimelineRefused, What: "Bet refused",
		Href: pages.CallbackPath(c), Note: pages.RefusalNote(c), transaction: c.TransactionID, round: c.RoundID, asked: c.Amount}
	if amount, err := models.ParseAmount(c.Amount); err == nil {
		row.amount, row.currency = &amount, p.Wallet.Currency
	}
	return row
}

func historyRow(l web.HistoryLine) timelineRow {
	row := timelineRow{at: l.At, rank: rankOf(1, l.ID), Kind: l.Timeline(), What: l.What, Href: l.Href, who: l.Actor.Name,
		Reason: l.Reason, Change: l.Change}
	if thing := pages.AuditThings[l.Object]; row.Href == "" && l.Object != "player" && strings.HasSuffix(thing.Path, "/:id") {
		row.Href = strings.TrimSuffix(thing.Path, ":id") + l.ObjectID
	}
	return row
}

// ofOneMoment is how many rows of a source may have the same time as the row before a page, because they are read again.
const ofOneMoment = 50

// mergeTimeline merges a page of all sources into one order, newest first. If a source stops early, the page ends there.
func mergeTimeline(ctx context.Context, sources []timelineSource, span models.Span) (page models.Page[timelineRow], err error) {
	at, newer := span.Page, span.Page.Newer
	part := span
	part.Page, part.Limit = models.Cursor{Newer: newer}, span.Limit+ofOneMoment
	if newer && !at.IsZero() && at.At.After(span.Since) {
		part.Since = at.At
	} else if !newer && !at.IsZero() {
		part.Until = models.Earliest(span.Until, at.At.Add(time.Microsecond))
	}
	// first comes before all ranks in the direction of the page. A list that stops early says where by its own numbers, which
	// are not ranks.
	first := int64(math.MaxInt64)
	if newer {
		first = 1
	}
	found := make([]models.Page[timelineRow], len(sources))
	reads := make([]func() error, len(sources))
	for i, read := range sources {
		reads[i] = func() (err error) {
			if found[i], err = read(ctx, part); !found[i].Stopped.IsZero() {
				found[i].Stopped.ID = first
			}
			return err
		}
	}
	if err := atonce.Read(reads...); err != nil {
		return page, err
	}
	return models.Merge(span, timelineRow.place, found...), nil
}
