package app

import (
	"bytes"
	"compress/flate"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/views"
)

// A draft is what somebody has typed into a form, on its way to the next page: the page that confirms it, or the form again
// with what is wrong. The answer to the form is a redirect to that page, which therefore has an address of its own: Back and
// Reload never ask whether to send a form again. The draft travels in the address, encrypted and authenticated under a key
// derived from the session key, and is bound to the page that it is for and to the member of staff who typed it. Nothing is
// stored, so any instance can show the page, also after the person has signed in again. A draft changes nothing: that takes the
// final POST with the token of the session.

const (
	draftLasts    = 12 * time.Hour
	longestDraft  = 7 << 10  // bytes in the address; proxies commonly accept addresses of 8 KB
	largestDraft  = 64 << 10 // bytes unpacked
	draftName     = "draft"
	nobodysDraft  = 0 // the owner of what was typed while signed out: it fills in a form, as a link with parameters does
	draftLostText = "What was typed is not kept longer than 12 hours, and only for whoever typed it. Nothing has changed."
)

// neverKept are the fields that do not go into a draft.
var neverKept = []string{"csrf", "password", "code", draftName}

// draft is the contents of a draft.
type draft struct {
	At     int64             `json:"a"` // Unix seconds
	Values map[string]string `json:"v"`
	Wrong  map[string]string `json:"w,omitempty"` // what is wrong, by field
}

// errDraft is returned for a draft that was changed, is somebody else's or another page's, or is too old.
var errDraft = errors.New("app: the draft cannot be read")

func newDraftSealer(sessionKey []byte) (cipher.AEAD, error) {
	key, err := hkdf.Key(sha256.New, sessionKey, nil, "pitboss form draft", 32)
	if err != nil {
		return nil, fmt.Errorf("app: key of the drafts: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("app: key of the drafts: %w", err)
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// draftOwner binds a draft to a page and a person.
func draftOwner(path string, staffID int64) []byte {
	return []byte(strconv.FormatInt(staffID, 10) + " " + path)
}

// errLongDraft is returned for a draft that does not fit into an address. It is never cut: half of a pasted sheet would look
// whole.
var errLongDraft = errors.New("app: the draft is too long for an address")

// sealDraft returns the draft as it is in the address of the page at path, or errLongDraft.
func (a *App) sealDraft(path string, staffID int64, d draft) (string, error) {
	d.At = a.Now().Unix()
	plain, err := json.Marshal(d)
	if err != nil {
		return "", err
	}
	var packed bytes.Buffer
	z, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		return "", err
	}
	_, err = z.Write(plain)
	if err = errors.Join(err, z.Close()); err != nil {
		return "", err
	}
	sealed := base64.RawURLEncoding.EncodeToString(a.drafts.Seal(nil, nil, packed.Bytes(), draftOwner(path, staffID)))
	if len(sealed) > longestDraft || len(plain) > largestDraft {
		return "", errLongDraft
	}
	return sealed, nil
}

// openDraft returns the draft that was sealed for the page at path and the member of staff with this number, or errDraft.
func (a *App) openDraft(path string, staffID int64, text string) (d draft, err error) {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return d, errDraft
	}
	packed, err := a.drafts.Open(nil, nil, raw, draftOwner(path, staffID))
	if err != nil {
		return d, errDraft
	}
	plain, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), largestDraft))
	if err != nil || json.Unmarshal(plain, &d) != nil {
		return d, errDraft
	}
	if age := a.Now().Sub(time.Unix(d.At, 0)); age < -time.Minute || age > draftLasts {
		return d, errDraft
	}
	return d, nil
}

// takeDraft reads the draft in the address, for newForm to find. Without a readable draft it leads to the page as it is without
// one.
func (a *App) takeDraft(c *fiber.Ctx, r route) error {
	text := c.Query(draftName)
	if !safe(c) || text == "" || r.needs == public {
		return nil
	}
	d, err := a.openDraft(c.Path(), reader(c).ID, text)
	if err != nil {
		d, err = a.openDraft(c.Path(), nobodysDraft, text)
	}
	if err != nil {
		return a.flash(c, c.Path(),
			views.Note{Kind: "wait", Icon: "info", Title: "This form is empty again", Text: draftLostText})
	}
	c.Locals(draftKey, &d)
	return nil
}

// again leads to the page at path, which shows what was typed and what is wrong with it. Values beside the fields are added by
// their name. What is too long for an address is shown at once, as the answer to the form.
func (a *App) again(c *fiber.Ctx, f *form, path string, beside ...views.Hidden) error {
	address, err := a.draftAddress(c, f, path, beside...)
	if errors.Is(err, errLongDraft) {
		return a.showAtOnce(c, f, path, beside)
	}
	if err != nil {
		return err
	}
	return c.Redirect(address, fiber.StatusSeeOther)
}

// showAtOnce answers with the page at path. Its parameters are those of the form's own address.
func (a *App) showAtOnce(c *fiber.Ctx, f *form, path string, beside []views.Hidden) error {
	values := f.values()
	for _, h := range beside {
		values[h.Name] = h.Value
	}
	c.Locals(draftKey, &draft{Values: values, Wrong: f.wrong})
	for _, r := range a.table {
		if r.method == get && fiber.RoutePatternMatch(path, r.path, strictly) {
			return r.handle(c)
		}
	}
	return notFound("page")
}

// draftAddress is the address of the page at path with what was typed.
func (a *App) draftAddress(c *fiber.Ctx, f *form, path string, beside ...views.Hidden) (string, error) {
	values := f.values()
	for _, h := range beside {
		values[h.Name] = h.Value
	}
	owner := int64(nobodysDraft)
	if who := reader(c); who != nil {
		owner = who.ID
	}
	sealed, err := a.sealDraft(path, owner, draft{Values: values, Wrong: f.wrong})
	return path + "?" + draftName + "=" + sealed, err
}

// unchanged is the address of the page at path with what was typed and nothing wrong with it: the way back from a confirmation
// page.
func (a *App) unchanged(c *fiber.Ctx, f *form, path string) (string, error) {
	address, err := a.draftAddress(c, &form{c: c, kept: f.kept}, path)
	if errors.Is(err, errLongDraft) {
		return path, nil
	}
	return address, err
}

// refusedBeside reports whether anything is wrong with the form other than the password, which a confirmation page asks for
// itself.
func (f *form) refusedBeside(password string) bool {
	_, wrong := f.wrong[password]
	return len(f.wrong) > 1 || len(f.wrong) == 1 && !wrong
}

// formPages are the pages of the forms that are kept for whoever has to sign in again before the form can be sent, by the
// form's address.
var formPages = map[string]string{
	"/free-spins/new": "/free-spins/new", "/free-spins": "/free-spins/new", "/free-spins/:id/resolution": "/free-spins/:id",
	"/free-spins/imports/drafts": "/free-spins/imports/new", "/free-spins/exceptions/new": "/free-spins/new",
	"/free-spins/exceptions": "/free-spins/new",
	"/corrections/new":       "/corrections/new", "/corrections": "/corrections/new",
	"/corrections/:id/refusal": "/corrections/:id/refusal", "/corrections/:id/withdrawal": "/corrections/:id/withdrawal",
	"/players": "/players/new", "/players/:id/block": "/players/:id/block", "/players/:id/unblock": "/players/:id/unblock",
	"/sessions": "/sessions/new", "/cases/:id/decision": "/cases/:id", "/cases/:id/comments": "/cases/:id",
}

// keepForSignIn leads somebody whose session has ended to the sign-in page, and from there to the form with what they typed. It
// reports false for a form that is not kept.
func (a *App) keepForSignIn(c *fiber.Ctx) (bool, error) {
	page, kept := formPages[c.Route().Path]
	if !kept || c.Get("HX-Request") != "" {
		return false, nil
	}
	if id := c.Params("id"); id != "" {
		page = strings.Replace(page, ":id", id, 1)
	}
	address, err := a.draftAddress(c, newForm(c), page)
	if errors.Is(err, errLongDraft) {
		return false, nil
	}
	if err != nil {
		return true, err
	}
	return true, c.Redirect("/signin?next="+escapeQuery(address), fiber.StatusSeeOther)
}
