package settings

import (
	"errors"
	"slices"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

type noticesPage struct {
	web.ListPage
	Kinds                  []views.Choice
	Rules                  []views.Choice // the rules that open cases
	WrongKinds, WrongRules string
	Mail                   bool // e-mail is set up
	Changed                *pages.LastChange
}

var noticeStates = []web.Option[models.NoticeState]{
	{Word: "All"},
	web.Offer("waiting", "Waiting", models.NoticeWaiting),
	web.Offer("sent", "Sent", models.NoticeSent),
	web.Offer("failed", "Given up", models.NoticeFailed),
}

// NoticesPage shows the notification settings and the delivery log.
func (a *Area) NoticesPage(c *fiber.Ctx) (err error) {
	f := web.NewForm(c)
	page := &noticesPage{ListPage: web.ListPage{Page: a.Page(c, "")}, WrongKinds: f.Wrong["kind"], WrongRules: f.Wrong["case"]}
	rules, err := a.Store.NoticeRules(c.UserContext())
	if err != nil {
		return err
	}
	page.MadeFrom = f.MadeFrom(rules)
	for _, k := range models.NoticeKinds {
		page.Kinds = append(page.Kinds, views.Choice{Value: string(k), Word: k.Word(), Chosen: rules.Tells(k)})
	}
	for _, rule := range models.CaseRules {
		page.Rules = append(page.Rules,
			views.Choice{Value: strconv.Itoa(int(rule)), Word: web.FirstUpper(rule.String()), Chosen: rules.TellsCase(rule)})
	}
	if page.Changed, err = a.LastChange(c, &page.Page, models.NoticeRulesSetting); err != nil {
		return err
	}
	page.Mail = a.Notices != nil && a.Notices.Mails()
	if _, err := a.sent().Show(c.UserContext(), &page.ListPage); err != nil {
		return err
	}
	return a.RenderForm(c, !f.Ok(), "settings/notices", page)
}

// sent is the delivery log.
func (a *Area) sent() web.List[web.ListPage, models.Notice] {
	return a.NoticeList("Sent notices", func(page *web.ListPage) models.NoticeFilter {
		filter := models.NoticeFilter{State: web.Choose(&page.Page, "state", "State", noticeStates)}
		filter.Span = page.Period(&page.Page)
		return filter
	})
}

func (a *Area) SaveNotices(c *fiber.Ctx) error {
	f, rules := web.NewForm(c), models.NoticeRules{Kinds: []models.NoticeKind{}}
	now, err := a.Store.NoticeRules(c.UserContext())
	if err != nil {
		return err
	}
	if outdated, err := a.Outdated(c, f, "/settings/notices", now); outdated || err != nil {
		return err
	}
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
		f.Refuse("case", "There is no rule “"+chosen[0]+"”. Nothing was saved; these are the current settings.")
		return a.NoticesPage(c)
	}
	if err := a.Store.SetNoticeRules(c.UserContext(), a.Actor(c), rules); errors.Is(err, models.ErrNoticeKind) {
		f.Refuse("kind", "You chose a kind of notice that does not exist. Nothing was saved; these are the current settings.")
		return a.NoticesPage(c)
	} else if err != nil {
		return err
	}
	return a.Done(c, "/settings/notices", "Your choice of notices was saved.")
}

func (a *Area) TestNotice(c *fiber.Ctx) error {
	if a.Notices == nil || !a.Notices.Mails() {
		return a.Flash(c, "/settings/notices", views.Info("", "E-mail is not set up (PITBOSS_NOTICE_SMTP). Nothing was sent."))
	}
	if err := a.Store.RequestTestNotice(c.UserContext(), a.Actor(c)); err != nil {
		return err
	}
	return a.Done(c, "/settings/notices", "A test e-mail is on its way.")
}

func (a *Area) RetryNotice(c *fiber.Ctx) error {
	id, err := web.Number(c, "id")
	if err != nil {
		return web.NotFound("notice")
	}
	if err := a.Store.RetryNotice(c.UserContext(), a.Actor(c), 0, id); errors.Is(err, models.ErrNoticeUnknown) {
		return web.NotFound("waiting notice")
	} else if err != nil {
		return err
	}
	return a.Done(c, "/settings/notices", "The notice is being sent again.")
}
