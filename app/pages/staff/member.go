package staff

import (
	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

type staffMemberPage struct {
	web.Page
	Member     models.Staff
	Unreadable bool  // the second factor cannot be read with this session key
	CodesLeft  int64 // unused recovery codes
	Link       *models.StaffLink
	LinkMailed bool
	Sessions   []pages.SessionLine
	Lock       models.SignInLock
	Locked     bool
	Role       string
	History    []web.HistoryLine

	Confirmable bool           // the reader can confirm the account
	Confirmers  []models.Staff // who can confirm it if the reader cannot
}

// LoadMember reads the member of staff whose number is in the address.
func (a *Area) LoadMember(c *fiber.Ctx) (models.Staff, error) {
	return web.Find(c, "member of staff", a.Store.Staff)
}

func (a *Area) Detail(c *fiber.Ctx, s models.Staff) (err error) {
	page := &staffMemberPage{Page: a.Page(c, ""), Member: s, Role: roleWords[s.Role]}
	page.Badges = []views.Badge{StaffState(s)}
	page.HeadID = &views.ID{Text: s.Username, Kind: "username"}
	if s.HasSecondFactor() {
		if page.CodesLeft, err = a.Store.RecoveryCodesLeft(c.UserContext(), s.ID); err != nil {
			return err
		}
		_, err := a.Sealer.OpenTOTP(s.ID, s.TOTPSecret)
		page.Unreadable = err != nil && s.HasTOTP()
	}
	if s.PasswordHash == "" {
		link, usable, err := a.Store.StaffLink(c.UserContext(), s.ID)
		if err != nil {
			return err
		}
		if usable {
			page.Link, page.LinkMailed = &link, link.Delivery == models.LinkMailed
		}
	}
	if len(s.Unconfirmed) > 0 {
		page.Confirmable = s.MayConfirm(a.Signer(c)) == nil
		page.Confirmers, err = a.Approvers(c.UserContext(), []models.Role{models.Administrator}, s.MayConfirm)
		if err != nil {
			return err
		}
	}
	if page.Lock, err = a.Store.SignInLock(c.UserContext(), s.Username); err != nil {
		return err
	}
	page.Locked = page.Lock.Until.After(a.Now())
	list, err := a.Store.StaffSessions(c.UserContext(), s.ID)
	if err != nil {
		return err
	}
	page.Sessions = pages.SessionLines(list, "")
	history, err := a.History(c.UserContext(), &page.Page, models.HistoryOf("staff", s.ID, 20))
	if err != nil {
		return err
	}
	page.History = history.Rows
	return a.Render(c, "staff/member", page)
}

type sessionsPage struct {
	web.Page
	Sessions []pages.SessionLine
}

// Sessions shows who is signed in now.
func (a *Area) Sessions(c *fiber.Ctx) error {
	page := &sessionsPage{Page: a.Page(c, "")}
	list, err := a.Store.StaffSessions(c.UserContext(), 0)
	if err != nil {
		return err
	}
	page.Sessions = pages.SessionLines(list, page.Reader.Row.Hash)
	return a.Render(c, "staff/sessions", page)
}
