package games

import (
	"net/url"

	"pitboss/app/gamehosts"
	"pitboss/models"
	"pitboss/views"
)

// Sizes of a picture on a page, so that the browser reserves its space before the picture arrives.
const (
	listThumbWidth, listThumbHeight = 40, 30
	pageThumbWidth, pageThumbHeight = 160, 120
)

// thumb returns a game's picture in this size. The address is empty unless the picture is on a host that the operator has
// named.
func (a *Area) thumb(g models.Game, width, height int) views.Thumb {
	t := views.Thumb{Width: width, Height: height}
	if u, err := url.Parse(g.Thumbnail); err == nil && gamehosts.Allow(a.Site.Thumbnails, u) {
		t.Src = g.Thumbnail
	}
	return t
}
