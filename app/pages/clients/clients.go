// Package clients has the pages of API clients: the operator's systems that call the API.
package clients

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/callbacks/listener"
	"pitboss/models"
	"pitboss/views"
)

// Area has the handlers of this part of the site.
type Area struct {
	*pages.Site
}

type row struct {
	models.APIClient
	Href string
}

func newRow(c models.APIClient) row { return row{c, pages.APIClientPath(c.ID)} }

func badge(c models.APIClient) views.Badge {
	switch {
	case !c.RevokedAt.IsZero():
		return views.Gone("Revoked")
	case c.Active():
		return views.Quiet("Active")
	}
	return views.Waiting("No secret yet")
}

type listPage struct {
	web.ListPage
	Waiting []pages.ChangeLine
}

var states = []web.Option[models.APIClientFilter]{
	{Word: "All"},
	web.Offer("valid", "Not revoked", models.APIClientFilter{Revoked: new(false)}),
	web.Offer("revoked", "Revoked", models.APIClientFilter{Revoked: new(true)}),
}

// List lists the clients, newest first, and the requests about clients that wait for a second administrator.
func (a *Area) List(c *fiber.Ctx) error { return a.clients().Serve(a.Site.Site, c, "clients/list") }

type client = models.APIClient

func (a *Area) clients() web.List[listPage, client] {
	return web.List[listPage, client]{
		Title: "API clients",
		Select: func(_ context.Context, page *listPage) (models.Listing[client], error) {
			return models.List(web.Choose(&page.Page, "state", "State", states), a.Store.APIClients, client.Place), nil
		},
		Load: func(ctx context.Context, page *listPage, _ []client) error {
			waiting, err := a.Store.WaitingChanges(ctx)
			page.Waiting = pages.ChangeLines(&page.Page, slices.DeleteFunc(waiting, func(r models.ChangeRequest) bool {
				return r.Subject != models.ChangeAPIClient && r.Subject != models.ChangeAPISecret
			}))
			return err
		},
		Columns: []web.Column[listPage, client]{
			{Head: "Name", Class: "c-what", Cell: func(_ *listPage, c client) views.Cell {
				return views.Cell{Text: c.Name, Href: pages.APIClientPath(c.ID)}
			}},
			{Head: "Scopes", Class: "wrap", Value: func(c client) any { return pages.ClientWords(c.APITerms)[1].Words }},
			{Head: "Players", Value: func(c client) any {
				if c.Test {
					return "Test players only"
				}
				return "All"
			}},
			{Head: "Last secret", Class: "pb-nowrap", Value: func(c client) any { return c.SecretAt }},
			{Head: "State", Badge: func(_ *listPage, c client) views.Badge { return badge(c) }},
		},
	}
}

// Load reads the client whose ID is in the address.
func (a *Area) Load(c *fiber.Ctx) (models.APIClient, error) {
	return web.Find(c, "API client", a.Store.APIClient)
}

type clientPage struct {
	web.ListPage
	Client                         row
	Terms                          []pages.ClientWord
	SecretAt, Overlap, Since, Gone views.Moment
}

// Detail shows a client and the events that were sent to its webhook.
func (a *Area) Detail(c *fiber.Ctx, client models.APIClient) error {
	page := &clientPage{ListPage: web.ListPage{Page: a.Page(c, "")}, Client: newRow(client), Terms: pages.ClientWords(client.APITerms)[1:]}
	page.Badges = []views.Badge{badge(client)}
	page.Since, page.SecretAt, page.Gone = page.Time(client.At), page.Time(client.SecretAt), page.Time(client.RevokedAt)
	if client.PreviousUntil.After(page.Now) {
		page.Overlap = page.Time(client.PreviousUntil)
	}
	sent := a.NoticeList("Deliveries", func(*web.ListPage) models.NoticeFilter { return models.NoticeFilter{ClientID: client.ID} })
	if _, err := sent.Show(c.UserContext(), &page.ListPage); err != nil {
		return err
	}
	return a.Render(c, "clients/client", page)
}

// Resend sends an event to a client's webhook once more.
func (a *Area) Resend(c *fiber.Ctx, client models.APIClient) error {
	id, err := web.Number(c, "delivery")
	if err != nil {
		return web.NotFound("delivery")
	}
	err = a.Store.RetryNotice(c.UserContext(), a.Actor(c), client.ID, id)
	if errors.Is(err, models.ErrNoticeUnknown) {
		return web.NotFound("delivery of this client")
	} else if err != nil {
		return err
	}
	return a.Done(c, pages.APIClientPath(client.ID), "The event is being sent again.")
}

// The terms of a client, new or existing.

type termsPage struct {
	web.Page
	pages.ChangeForm
	Of                         *row // nil for a new client
	Path, Back                 string
	Name, Networks, Minutes    views.Field
	Cash, ApproveAbove         views.Field
	PerDay, PerPlayer, Webhook views.Field
	Scopes, Events             []views.Choice
	ScopesWrong, EventsWrong   string
	Test                       bool
}

// NewForm shows the form of a new client.
func (a *Area) NewForm(c *fiber.Ctx) error {
	terms := models.APITerms{PerMinute: 600}
	return a.showTerms(c, web.NewForm(c), nil, terms)
}

// TermsForm shows the form for changing a client's terms.
func (a *Area) TermsForm(c *fiber.Ctx, client models.APIClient) error {
	of := newRow(client)
	return a.showTerms(c, web.NewForm(c), &of, client.APITerms)
}

func (a *Area) showTerms(c *fiber.Ctx, f *web.Form, of *row, terms models.APITerms) error {
	page := &termsPage{Page: a.Page(c, ""), Of: of, Path: "/clients", Back: "/clients", Test: terms.Test,
		ScopesWrong: web.Sentence(f.Wrong["scopes"]), EventsWrong: web.Sentence(f.Wrong["events"]),
		Webhook:      f.Field(views.Field{Name: "webhook", Value: terms.Webhook, Autocomplete: "off"}),
		Name:         f.Field(views.Field{Name: "name", Value: terms.Name, Required: true, Autocomplete: "off"}),
		Cash:         f.Field(views.Field{Name: "cash", Value: terms.Cash, Autocomplete: "off"}),
		PerDay:       f.Field(views.Field{Name: "per-day", Value: terms.CashPerDay, Autocomplete: "off"}),
		PerPlayer:    f.Field(views.Field{Name: "per-player", Value: terms.CashPerPlayer, Autocomplete: "off"}),
		ApproveAbove: f.Field(views.Field{Name: "approve-above", Value: terms.ApproveAbove, Autocomplete: "off"}),
		Networks:     f.Field(views.Field{Name: "networks", Value: terms.Networks, Autocomplete: "off"}),
		Minutes: f.Field(views.Field{Name: "per-minute", Value: strconv.Itoa(terms.PerMinute), Required: true,
			InputMode: "numeric"})}
	if of != nil {
		page.Path, page.Back = of.Href+"/terms", of.Href
		page.MadeFrom = f.MadeFrom(of.APITerms)
	}
	scopes, events := terms.Scopes, terms.Events
	if c.Method() == fiber.MethodPost {
		scopes, page.Test, events = nil, f.Text("test") != "", web.PostedAll(c, "event")
		for _, s := range web.PostedAll(c, "scope") {
			scopes = append(scopes, models.APIScope(s))
		}
	}
	for _, s := range models.APIScopes {
		page.Scopes = append(page.Scopes, views.Choice{Value: string(s), Word: string(s), More: scopeWords[s],
			Chosen: slices.Contains(scopes, s)})
	}
	for _, o := range models.ToldObjects {
		page.Events = append(page.Events, views.Choice{Value: o, Word: o, Chosen: slices.Contains(events, o)})
	}
	var err error
	page.ChangeForm, err = a.ChangeForm(c, &page.Page, f, models.ChangeAPIClient)
	if err != nil {
		return err
	}
	return a.RenderForm(c, !f.Ok(), "clients/terms", page)
}

var scopeWords = map[models.APIScope]string{
	models.ScopePlayers:  "Creates, restricts and closes players.",
	models.ScopeDeposits: "Books deposits.",
	models.ScopeCashouts: "Requests cash-outs, and marks them as paid or canceled.",
	models.ScopeLaunches: "Opens games for players.",
	models.ScopeGrants:   "Grants free spins, within the limits of the bonus role.",
	models.ScopeRead:     "Reads players, games, free spins, transactions, rounds and events.",
	models.ScopeKinds:    "Sees in events why players are restricted, such as money laundering.",
}

// Request requests a new client.
func (a *Area) Request(c *fiber.Ctx) error { return a.request(c, nil) }

// RequestTerms requests new terms for a client.
func (a *Area) RequestTerms(c *fiber.Ctx, client models.APIClient) error {
	of := newRow(client)
	return a.request(c, &of)
}

// termsFields maps the errors in terms to the fields that show them.
var termsFields = map[error]string{models.ErrClientName: "name", models.ErrClientScopes: "scopes",
	models.ErrClientPerMinute: "per-minute", models.ErrClientCash: "cash", models.ErrClientNetworks: "networks",
	models.ErrClientAbove: "approve-above", models.ErrClientWebhook: "webhook",
	models.ErrClientEvents: "events", models.ErrClientPerDay: "per-day", models.ErrClientPerPlayer: "per-player"}

func (a *Area) request(c *fiber.Ctx, of *row) error {
	f := web.NewForm(c)
	want := models.APITermsRequest{APITerms: models.APITerms{Name: f.Text("name"), Test: f.Text("test") != "",
		Cash: strings.ToUpper(f.Text("cash")), CashPerDay: strings.ToUpper(f.Text("per-day")),
		CashPerPlayer: strings.ToUpper(f.Text("per-player")), ApproveAbove: strings.ToUpper(f.Text("approve-above")),
		Webhook: f.Text("webhook"), Events: web.PostedAll(c, "event")}}
	if of != nil {
		if outdated, err := a.Outdated(c, f, of.Href+"/terms", of.APITerms); outdated || err != nil {
			return err
		}
		want.ID = of.ID
	}
	posted := web.PostedAll(c, "scope")
	for _, s := range models.APIScopes {
		if slices.Contains(posted, string(s)) {
			want.Scopes = append(want.Scopes, s)
		}
	}
	want.PerMinute, _ = strconv.Atoi(f.Text("per-minute"))
	var networks listener.Networks
	if err := networks.UnmarshalText([]byte(f.Text("networks"))); err != nil {
		f.Refuse("networks", err.Error())
	}
	written := make([]string, len(networks))
	for i, n := range networks {
		written[i] = n.String()
	}
	want.Networks = strings.Join(written, ", ")
	if f.Ok() {
		for refusal, field := range termsFields {
			if errors.Is(want.Check(), refusal) {
				f.Refuse(field, web.Sentence(refusal.Error()))
			}
		}
	}
	return a.SendChange(c, f, "/clients", models.ChangeAPIClient, want,
		func(c *fiber.Ctx) error { return a.showTerms(c, f, of, want.APITerms) })
}

// New secrets, and revoking a client.

type actionPage struct {
	web.Page
	pages.ChangeForm
	Row     row
	Revoke  bool
	Overlap views.Field
}

func (a *Area) action(c *fiber.Ctx, f *web.Form, client models.APIClient, revoke bool) error {
	page := &actionPage{Page: a.Page(c, ""), Row: newRow(client), Revoke: revoke,
		Overlap: f.Field(views.Field{Name: "overlap", Value: "24", InputMode: "numeric", Required: true})}
	var err error
	if page.ChangeForm, err = a.ChangeForm(c, &page.Page, f, models.ChangeAPISecret); err != nil {
		return err
	}
	return a.RenderForm(c, !f.Ok(), "clients/action", page)
}

// SecretForm shows the form that requests a new secret.
func (a *Area) SecretForm(c *fiber.Ctx, client models.APIClient) error {
	return a.action(c, web.NewForm(c), client, false)
}

// NewSecret requests a new secret, and shows the first half of it once.
func (a *Area) NewSecret(c *fiber.Ctx, client models.APIClient) error {
	f := web.NewForm(c)
	hours := 0
	if client.Active() {
		var err error
		if hours, err = strconv.Atoi(f.Text("overlap")); err != nil || hours < 0 || hours > int(models.MaxSecretOverlap.Hours()) {
			f.Refuse("overlap", web.Sentence(models.ErrSecretOverlap.Error()))
		}
	}
	f.RequireReason("reason")
	if !f.Ok() {
		return a.action(c, f, client, false)
	}
	begin, r, err := a.Store.RequestAPISecret(c.UserContext(), a.Signer(c), client.ID, hours, f.Text("reason"))
	if err != nil {
		return a.RequestFailed(c, pages.APIClientPath(client.ID), err)
	}
	return a.ShowHalf(c, &pages.HalfPage{Page: a.Page(c, ""), Half: begin, Back: pages.ChangePath(r.ID)})
}

// RevocationForm shows the form that revokes a client.
func (a *Area) RevocationForm(c *fiber.Ctx, client models.APIClient) error {
	return a.action(c, web.NewForm(c), client, true)
}

func (a *Area) Revoke(c *fiber.Ctx, client models.APIClient) error {
	f := web.NewForm(c)
	f.RequireReason("reason")
	if !f.Ok() {
		return a.action(c, f, client, true)
	}
	if err := a.Store.RevokeAPIClient(c.UserContext(), a.Signer(c), client.ID, f.Text("reason")); err != nil {
		return a.DecisionFailed(c, pages.APIClientPath(client.ID), err, models.ErrClientRevoked)
	}
	return a.Done(c, pages.APIClientPath(client.ID), "The client is revoked. From now on, its calls are refused.")
}
