package web

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
	LongestDraft  = 7 << 10  // bytes in the address; proxies commonly accept addresses of 8 KB
	largestDraft  = 64 << 10 // bytes unpacked
	draftName     = "draft"
	NobodysDraft  = 0 // the owner of what was typed while signed out: it fills in a form, as a link with parameters does
	draftLostText = "What was typed is not kept longer than 12 hours, and only for whoever typed it. Nothing has changed."
)

// neverKept are the fields that do not go into a draft.
var neverKept = []string{"csrf", "password", "code", draftName}

// Draft is the contents of a draft.
type Draft struct {
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

// ErrLongDraft is returned for a draft that does not fit into an address. It is never cut: half of a pasted sheet would look
// whole.
var ErrLongDraft = errors.New("app: the draft is too long for an address")

// SealDraft returns the draft as it is in the address of the page at path, or ErrLongDraft.
func (s *Site) SealDraft(path string, staffID int64, d Draft) (string, error) {
	d.At = s.Now().Unix()
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
	sealed := base64.RawURLEncoding.EncodeToString(s.drafts.Seal(nil, nil, packed.Bytes(), draftOwner(path, staffID)))
	if len(sealed) > LongestDraft || len(plain) > largestDraft {
		return "", ErrLongDraft
	}
	return sealed, nil
}

// OpenDraft returns the draft that was sealed for the page at path and the member of staff with this number, or errDraft.
func (s *Site) OpenDraft(path string, staffID int64, text string) (d Draft, err error) {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return d, errDraft
	}
	packed, err := s.drafts.Open(nil, nil, raw, draftOwner(path, staffID))
	if err != nil {
		return d, errDraft
	}
	plain, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), largestDraft))
	if err != nil || json.Unmarshal(plain, &d) != nil {
		return d, errDraft
	}
	if age := s.Now().Sub(time.Unix(d.At, 0)); age < -time.Minute || age > draftLasts {
		return d, errDraft
	}
	return d, nil
}

// takeDraft reads the draft in the address, for NewForm to find. Without a readable draft it leads to the page as it is without
// one.
func (s *Site) takeDraft(c *fiber.Ctx, r Route) error {
	text := c.Query(draftName)
	if !Safe(c) || text == "" || r.Needs == Public {
		return nil
	}
	d, err := s.OpenDraft(c.Path(), ReaderOf(c).ID, text)
	if err != nil {
		d, err = s.OpenDraft(c.Path(), NobodysDraft, text)
	}
	if err != nil {
		return s.Flash(c, c.Path(),
			views.Note{Kind: "wait", Icon: "info", Title: "This form is empty again", Text: draftLostText})
	}
	c.Locals(draftKey, &d)
	return nil
}

// Again leads to the page at path, which shows what was typed and what is wrong with it. Values beside the fields are added by
// their name. What is too long for an address is shown at once, as the answer to the form.
func (s *Site) Again(c *fiber.Ctx, f *Form, path string, beside ...views.Hidden) error {
	address, err := s.draftAddress(c, f, path, beside...)
	if errors.Is(err, ErrLongDraft) {
		return s.showAtOnce(c, f, path, beside)
	}
	if err != nil {
		return err
	}
	return c.Redirect(address, fiber.StatusSeeOther)
}

// showAtOnce answers with the page at path. Its parameters are those of the form's own address.
func (s *Site) showAtOnce(c *fiber.Ctx, f *Form, path string, beside []views.Hidden) error {
	values := f.Values()
	for _, h := range beside {
		values[h.Name] = h.Value
	}
	c.Locals(draftKey, &Draft{Values: values, Wrong: f.Wrong})
	for _, r := range s.Contents.Routes {
		if r.Method == Get && fiber.RoutePatternMatch(path, r.Path, strictly) {
			return r.Handle(c)
		}
	}
	return NotFound("page")
}

// draftAddress is the address of the page at path with what was typed.
func (s *Site) draftAddress(c *fiber.Ctx, f *Form, path string, beside ...views.Hidden) (string, error) {
	values := f.Values()
	for _, h := range beside {
		values[h.Name] = h.Value
	}
	owner := int64(NobodysDraft)
	if who := ReaderOf(c); who != nil {
		owner = who.ID
	}
	sealed, err := s.SealDraft(path, owner, Draft{Values: values, Wrong: f.Wrong})
	return path + "?" + draftName + "=" + sealed, err
}

// Unchanged is the address of the page at path with what was typed and nothing wrong with it: the way back from a confirmation
// page.
func (s *Site) Unchanged(c *fiber.Ctx, f *Form, path string) (string, error) {
	address, err := s.draftAddress(c, &Form{C: c, kept: f.kept}, path)
	if errors.Is(err, ErrLongDraft) {
		return path, nil
	}
	return address, err
}

// RefusedBeside reports whether anything is wrong with the form other than the password, which a confirmation page asks for
// itself.
func (f *Form) RefusedBeside(password string) bool {
	_, wrong := f.Wrong[password]
	return len(f.Wrong) > 1 || len(f.Wrong) == 1 && !wrong
}

// FormPages are the pages of the forms that are kept for whoever has to sign in again before the form can be sent, by the
// form's address.
var FormPages = map[string]string{
	"/free-spins/new": "/free-spins/new", "/free-spins": "/free-spins/new", "/free-spins/:id/resolution": "/free-spins/:id",
	"/free-spins/imports/drafts": "/free-spins/imports/new", "/free-spins/exceptions/new": "/free-spins/new",
	"/free-spins/exceptions": "/free-spins/new",
	"/corrections/new":       "/corrections/new", "/corrections": "/corrections/new",
	"/corrections/:id/refusal": "/corrections/:id/refusal", "/corrections/:id/withdrawal": "/corrections/:id/withdrawal",
	"/players": "/players/new", "/players/:id/block": "/players/:id/block", "/players/:id/unblock": "/players/:id/unblock",
	"/sessions": "/sessions/new", "/cases/:id/decision": "/cases/:id", "/cases/:id/comments": "/cases/:id",
	"/cases": "/cases/new", "/packs": "/packs/new",
}

// keepForSignIn leads somebody whose session has ended to the sign-in page, and from there to the form with what they typed. It
// reports false for a form that is not kept.
func (s *Site) keepForSignIn(c *fiber.Ctx) (bool, error) {
	page, kept := FormPages[c.Route().Path]
	if !kept || c.Get("HX-Request") != "" {
		return false, nil
	}
	if id := c.Params("id"); id != "" {
		page = strings.Replace(page, ":id", id, 1)
	}
	address, err := s.draftAddress(c, NewForm(c), page)
	if errors.Is(err, ErrLongDraft) {
		return false, nil
	}
	if err != nil {
		return true, err
	}
	return true, c.Redirect("/signin?next="+EscapeQuery(address), fiber.StatusSeeOther)
}
