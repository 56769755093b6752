package pages

import (
	"context"
	"strconv"

	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

type notice = models.Notice

// NoticeList is a list of notices, or of deliveries to an API client. filter returns which of them to list, from the address.
func (s *Site) NoticeList(title string, filter func(*web.ListPage) models.NoticeFilter) web.List[web.ListPage, notice] {
	return web.List[web.ListPage, notice]{
		Title: title,
		Select: func(_ context.Context, page *web.ListPage) (models.Listing[notice], error) {
			return models.List(filter(page), s.Store.Notices, notice.Place), nil
		},
		Columns: []web.Column[web.ListPage, notice]{
			{Head: "Time", Order: web.ByTime, Value: func(n notice) any { return n.At }},
			{Head: "What", Class: "c-what wrap", Cell: func(_ *web.ListPage, n notice) views.Cell {
				switch n.Kind {
				case models.NoticeEvent:
					return views.Cell{Text: n.Detail}
				case models.NoticeTest:
					return views.Cell{Text: n.Text()}
				}
				return views.Cell{Text: n.Text(), Href: n.Path()}
			}},
			{Head: "ID", Value: func(n notice) any { return n.ObjectID }},
			{Head: "Channel", Value: func(n notice) any { return string(n.Channel) }},
			{Head: "State", Badge: func(_ *web.ListPage, n notice) views.Badge { return noticeBadge(n) }},
			{Head: "Sent, or next try", Class: "pb-nowrap", Cell: func(p *web.ListPage, n notice) (cell views.Cell) {
				if !n.SentAt.IsZero() {
					cell.Moment = new(p.Time(n.SentAt))
				} else if n.Retries() {
					cell.Text = "next try " + p.Time(n.Next).Brief()
				}
				return cell
			}},
			{Head: "Error", Class: "wrap", Value: func(n notice) any { return n.Error }},
			{Head: "Again", Unseen: true, Class: "keep", Cell: func(p *web.ListPage, n notice) (cell views.Cell) {
				if n.Tries > 0 && (n.ClientID != 0 || n.SentAt.IsZero()) && p.Can(web.ChangeSettings) {
					cell = views.Cell{Block: "again", Of: sentAgain{&p.Page, n}}
				}
				return cell
			}},
		},
	}
}

// sentAgain is the form that sends a notice once more.
type sentAgain struct {
	*web.Page
	notice
}

// Action returns the form's address.
func (s sentAgain) Action() string {
	path := "/settings/notices"
	if s.ClientID != 0 {
		path = APIClientPath(s.ClientID) + "/deliveries"
	}
	return path + "/" + strconv.FormatInt(s.ID, 10) + "/again"
}

// noticeBadge returns the badge for a notice's state.
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
