package games

import (
	"context"
	"errors"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/thumbnails"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Pictures of games come from the platform's hosts through our server, so that browsers of staff connect to no other host.

// Sizes of a picture on a page. The browser reserves the space before the picture arrives.
const (
	listThumbWidth, listThumbHeight = 40, 30
	pageThumbWidth, pageThumbHeight = 160, 120
)

// thumb returns a game's picture in this size. Its address is empty if there is no picture that we may fetch.
func (a *Area) thumb(g models.Game, width, height int) views.Thumb {
	t := views.Thumb{Width: width, Height: height}
	if a.Thumbnails != nil && a.Thumbnails.Allows(g.Thumbnail) {
		// The tag changes with the address, so that a browser does not show an old picture.
		t.Src = web.PathOf("/games", g.ID) + "/thumbnail?v=" + thumbnails.Tag(g.Thumbnail)
	}
	return t
}

// ThumbnailPolicy is the Content-Security-Policy of pictures. It allows nothing, in case somebody opens a picture by itself.
const ThumbnailPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox"

// Thumbnail answers with the picture of a game.
func (a *Area) Thumbnail(c *fiber.Ctx) error {
	g, err := web.Find(c, "thumbnail", a.Store.GameByID)
	if err != nil {
		return err
	}
	if a.Thumbnails == nil || g.Thumbnail == "" {
		return web.NotFound("thumbnail")
	}
	ctx, cancel := context.WithTimeout(c.UserContext(), 10*time.Second)
	defer cancel()
	picture, err := a.Thumbnails.Get(ctx, g.Thumbnail)
	if errors.Is(err, thumbnails.ErrNoImage) || errors.Is(err, context.DeadlineExceeded) {
		return web.NotFound("thumbnail")
	}
	if err != nil {
		return err
	}
	tag := `"` + picture.Tag + `"`
	c.Set(fiber.HeaderContentSecurityPolicy, ThumbnailPolicy)
	c.Set(fiber.HeaderCacheControl, "private, max-age=86400")
	c.Set(fiber.HeaderETag, tag)
	c.Set(fiber.HeaderVary, fiber.HeaderCookie)
	if c.Get(fiber.HeaderIfNoneMatch) == tag {
		return c.SendStatus(fiber.StatusNotModified)
	}
	c.Set(fiber.HeaderContentType, picture.Type)
	return c.Send(picture.Bytes)
}
