package admin

import (
	"errors"
	"slices"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

const noticeRows = 30

type noticesPage struct {
	web.Page
	Admins                 *web.People // who else can change it
	Kinds                  []views.Choice
	Rules                  []views.Choice // of cases
	WrongKinds, WrongRules string
	MayChange              bool
	Channels               []web.Definition
	Ready                  bool // there is a channel
	States                 []views.Choice
	Rows                   []noticeRow
	Paging                 views.Paging
	Empty                  views.Empty
}

type noticeRow struct {
	models.Notice
	Moment, When views.Moment
	Word, Href   string
	Badge        views.Badge
	Again        string // where to ask for another try; empty where that is not to be
}

var noticeStates = map[string]models.NoticeState{"waiting": models.NoticeWaiting, "sent": models.NoticeSent,
	"failed": models.NoticeFailed}

func noticeBadge(n models.Notice) views.Badge {
	switch {
	case n.State == models.NoticeSent:
		return views.Quiet("Sent")
	case n.State == models.NoticeFailed:
		return views.Waiting("Given up")
	case n.Tries > 0:
		return views.Waiting("Tried " + web.Several(int64(n.Tries), "time", "times"))
	}
	return views.Plain("Waiting")
}

// NoticesPage shows of what people outside are told, and what was sent.
func (a *Area) NoticesPage(c *fiber.Ctx) error { return a.showNotices(c, web.NewForm(c)) }

func (a *Area) showNotices(c *fiber.Ctx, f *web.Form) error {
	page := &noticesPage{Page: a.Page(c, "Notices"), WrongKinds: f.Wrong["kind"], WrongRules: f.Wrong["case"]}
	page.Crumbs = []views.Crumb{{Word: "Settings", Href: "/settings"}, {Word: "Notices"}}
	page.Lede = "Events that Pitboss reports by e-mail or webhook. A notice has only IDs, and no personal data."
	var err error
	page.MayChange = page.Can(web.ChangeSettings)
	if page.Admins, err = a.WhoMay(c.UserContext(), &page.Page, web.ChangeSettings); err != nil {
		return err
	}
	rules, err := a.Store.NoticeRules(c.UserContext())
	if err != nil {
		return err
	}
	for _, k := range models.NoticeKinds {
		page.Kinds = append(page.Kinds, views.Choice{Value: string(k), Word: k.Word(), Chosen: rules.Tells(k)})
	}
	for _, rule := range models.CaseRules {
		page.Rules = append(page.Rules,
			views.Choice{Value: strconv.Itoa(int(rule)), Word: web.FirstUpper(rule.String()), Chosen: rules.TellsCase(rule)})
	}
	page.channels(a)
	if page.Ready && page.MayChange {
		page.Actions = []views.Link{{Word: "Send a test notice", Href: "/settings/notices/test", Post: true}}
	}
	var state string
	state, page.States = page.Choice("state", "State",
		[]string{"", "All", "waiting", "Waiting", "sent", "Sent", "failed", "Given up"})
	if wrong := page.Unread(); wrong != nil {
		page.Empty = *wrong
		return a.Render(c, "settings/notices", page)
	}
	filter := models.NoticeFilter{State: noticeStates[state], Limit: noticeRows}
	if filter.Page, err = page.Place(); err != nil {
		return err
	}
	list, more, err := a.Store.Notices(c.UserContext(), filter)
	if err != nil {
		return err
	}
	for _, n := range list {
		row := noticeRow{Notice: n, Moment: page.Time(n.At), Word: n.Kind.Word(), Badge: noticeBadge(n)}
		if path := n.Kind.Path(n.ObjectID); n.Kind != models.NoticeTest && a.leadsSomewhere(n.Kind) {
			row.Href = path
		}
		if n.Many > 1 {
			row.Word, row.Detail = n.Text(), ""
		}
		switch {
		case n.State == models.NoticeSent:
			row.When = page.Time(n.SentAt)
		case n.State == models.NoticeWaiting && n.Tries > 0:
			row.When = page.Time(n.Next)
		}
		if page.MayChange && n.State != models.NoticeSent && n.Tries > 0 {
			row.Again = web.PathOf("/settings/notices", n.ID) + "/again"
		}
		page.Rows = append(page.Rows, row)
	}
	if n := len(list); n > 0 {
		page.Paging = page.Around(filter.Page, models.Cursor{At: list[0].At, ID: list[0].ID},
			models.Cursor{At: list[n-1].At, ID: list[n-1].ID}, more, strconv.Itoa(n)+" shown")
	}
	page.Empty = views.Empty{Title: "Nothing was sent yet",
		Text: "Notices appear here when they are sent, with the error of each failed attempt."}
	if !f.Ok() {
		return a.Refused(c, "settings/notices", page)
	}
	return a.Render(c, "settings/notices", page)
}

// leadsSomewhere reports whether the thing of a notice has a page here.
func (a *Area) leadsSomewhere(k models.NoticeKind) bool {
	return a.HasPage(k.Path(":id"))
}

// channels says what is set up, by whether it is: an address may hold a secret.
func (p *noticesPage) channels(a *Area) {
	set := map[models.NoticeChannel]bool{}
	if a.Notices != nil {
		for _, channel := range a.Notices.Channels() {
			set[channel], p.Ready = true, true
		}
	}
	words := func(on bool, yes, no string) string {
		if on {
			return yes
		}
		return no
	}
	p.Channels = []web.Definition{
		{Label: "Webhook", Value: words(set[models.NoticeWebhook], "set up, each message signed",
			"not set up (PITBOSS_NOTICE_WEBHOOK)")},
		{Label: "E-mail", Value: words(set[models.NoticeMail], "set up", "not set up (PITBOSS_NOTICE_SMTP)")},
	}
}

func (a *Area) SaveNotices(c *fiber.Ctx) error {
	f, rules := web.NewForm(c), models.NoticeRules{Kinds: []models.NoticeKind{}}
	for _, k := range web.PostedAll(c, "kind") {
		rules.Kinds = append(rules.Kinds, models.NoticeKind(k))
	}
	chosen := web.PostedAll(c, "case")
	for _, rule := range models.CaseRules {
		if i := slices.Index(chosen, strconv.Itoa(int(rule))); i < 0 {
			rules.Quiet = append(rules.Quiet, rule)
		} else {
			chosen = slices.Delete(chosen, i, i+1)
		}
	}
	if len(chosen) > 0 {
		f.Refuse("case", "There is no rule “"+chosen[0]+"”. Nothing was saved: this is what is set.")
		return a.showNotices(c, f)
	}
	if err := a.Store.SetNoticeRules(c.UserContext(), a.Actor(c), rules); errors.Is(err, models.ErrNoticeKind) {
		f.Refuse("kind", "A kind of notice that you chose does not exist. Nothing was saved: this is what is set.")
		return a.showNotices(c, f)
	} else if err != nil {
		return err
	}
	return a.Done(c, "/settings/notices", "The notices are saved.")
}

func (a *Area) TestNotice(c *fiber.Ctx) error {
	if a.Notices == nil || len(a.Notices.Channels()) == 0 {
		return a.Flash(c, "/settings/notices",
			views.Note{Kind: "wait", Icon: "info", Text: "Neither a webhook nor e-mail is set up. Nothing was sent."})
	}
	if err := a.Store.AskTestNotice(c.UserContext(), a.Actor(c), a.Notices.Channels()); err != nil {
		return err
	}
	return a.Done(c, "/settings/notices", "A test notice is on its way through each channel.")
}

func (a *Area) RetryNotice(c *fiber.Ctx) error {
	id, err := web.Number(c, "id")
	if err != nil {
		return web.NotFound("notice")
	}
	if err := a.Store.RetryNotice(c.UserContext(), a.Actor(c), id); errors.Is(err, models.ErrNoticeUnknown) {
		return web.NotFound("notice that waits to be sent")
	} else if err != nil {
		return err
	}
	return a.Done(c, "/settings/notices", "The notice is being sent again.")
}
