package pages

import (
	"strconv"

	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// NoticeRow is a notice, or a delivery to an API client, in a list.
type NoticeRow struct {
	models.Notice
	What, Href string
	Again      string // where it is sent again; empty if the reader may not
	Badge      views.Badge
}

// NoticeRows returns the rows of a list that has this address.
func (s *Site) NoticeRows(p *web.Page, list []models.Notice, path string) (rows []NoticeRow) {
	for _, n := range list {
		row := NoticeRow{Notice: n, What: n.Text(), Badge: noticeBadge(n)}
		if n.Kind == models.NoticeEvent {
			row.What = n.Detail
		} else if n.Kind != models.NoticeTest {
			row.Href = n.Path()
		}
		if n.Tries > 0 && (n.ClientID != 0 || n.SentAt.IsZero()) && p.Can(web.ChangeSettings) {
			row.Again = path + "/" + strconv.FormatInt(n.ID, 10) + "/again"
		}
		rows = append(rows, row)
	}
	return rows
}

// noticeBadge returns the state of a notice.
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
