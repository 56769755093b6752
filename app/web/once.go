package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"time"

	"github.com/gofiber/fiber/v2"
)

// A browser sends a form twice after a double click, and shows only the second answer. So the second request does nothing: it
// waits for the first one and leads to the same page. A session's row has its last form, so this works on any instance. Every
// page gives its forms a new token, so a form that is opened and filled in again counts as a new form, even with the same
// values.

// once answers a form, unless the same session has just sent it. A form that was refused or failed can be sent again.
func (s *Site) once(c *fiber.Ctx, r Route) error {
	ctx, session, form := c.UserContext(), ReaderOf(c).Row.Hash, formHash(c)
	for {
		first, ledTo, err := s.Store.BeginForm(ctx, session, form)
		switch {
		case err != nil:
			return err
		case first:
			defer func() {
				led := ""
				if c.Response().StatusCode() == fiber.StatusSeeOther {
					led = string(c.Response().Header.Peek(fiber.HeaderLocation))
				}
				if err := s.Store.EndForm(context.WithoutCancel(ctx), session, form, led); err != nil {
					s.Log.Error("A form's answer could not be stored.", "request", requestID(c), "err", err)
				}
			}()
			return r.Handle(c)
		case ledTo != "":
			return c.Redirect(Local(ledTo, "/"), fiber.StatusSeeOther)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// formHash identifies a sent form by its address, its token and its values.
func formHash(c *fiber.Ctx) string {
	h := sha256.New()
	io.WriteString(h, c.OriginalURL()+"\n")
	if sent, err := c.MultipartForm(); err == nil {
		fmt.Fprintln(h, sent.Value) // in the order of names
		for name, files := range sent.File {
			for _, file := range files {
				fmt.Fprintln(h, name, file.Filename, file.Size)
			}
		}
	} else {
		h.Write(c.Body())
	}
	return hex.EncodeToString(h.Sum(nil))
}
