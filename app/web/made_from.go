package web

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/gofiber/fiber/v2"

	"pitboss/views"
)

// MadeFrom returns a digest of the state that a form shows, for the page's MadeFrom. The form sends it back (template
// "made-from"), so that it does not silently overwrite a colleague's change. It stays while a refused form is shown again.
func (f *Form) MadeFrom(state any) string {
	if f.Typed() {
		return f.Raw("made-from")
	}
	return digestOf(state)
}

// Outdated reports whether a form was made from a state other than the present one. If so, it redirects to the page that shows
// the present state, and the caller must change nothing.
func (s *Site) Outdated(c *fiber.Ctx, f *Form, back string, present any) (outdated bool, err error) {
	if made := f.Raw("made-from"); made == "" || made == digestOf(present) {
		return false, nil
	}
	return true, s.Flash(c, back, views.Warning("Nothing was changed",
		"These values have changed since you opened the form. It shows the present ones now: enter your change again."))
}

func digestOf(state any) string {
	text, err := json.Marshal(state)
	if err != nil {
		panic(err) // its types are ours
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:12])
}
