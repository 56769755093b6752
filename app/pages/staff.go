package pages

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/web"
	"pitboss/models"
)

// SessionLine is a browser in which somebody is signed in to an account.
type SessionLine struct {
	models.StaffSession
	Browser string
	Here    bool
	Halfway bool // the password was right, but the second factor is still missing
}

// SessionLines returns the lines of sessions. here is the hash of the reader's own session.
func SessionLines(list []models.StaffSession, here string) []SessionLine {
	var lines []SessionLine
	for _, s := range list {
		values := map[string]string{}
		json.Unmarshal([]byte(s.Data), &values) // a browser whose data cannot be read is signed out at its next request
		lines = append(lines, SessionLine{s, browserName(s.Agent), s.Hash == here, values[web.ValueStage] == web.StageCode})
	}
	return lines
}

// browserName returns a short name for a browser and its system, such as "Firefox on Linux". It is for display only.
func browserName(agent string) string {
	name, system := "Unknown browser", ""
	for _, known := range []struct{ mark, name string }{
		{"Edg/", "Edge"}, {"OPR/", "Opera"}, {"Firefox/", "Firefox"}, {"Chrome/", "Chrome"}, {"Safari/", "Safari"},
		{"curl/", "curl"},
	} {
		if strings.Contains(agent, known.mark) {
			name = known.name
			break
		}
	}
	for _, known := range []struct{ mark, name string }{
		{"Android", "Android"}, {"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Windows", "Windows"}, {"Mac OS", "macOS"},
		{"Linux", "Linux"},
	} {
		if strings.Contains(agent, known.mark) {
			system = " on " + known.name
			break
		}
	}
	return name + system
}

// StaffLinkHash returns the keyed hash of a one-time link's code, which the store has instead of the code.
func StaffLinkHash(sessionKey []byte, code string) string {
	h := hmac.New(sha256.New, sessionKey)
	h.Write([]byte("staff link " + code))
	return hex.EncodeToString(h.Sum(nil))
}

// RefuseOldPassword refuses a password that is among the account's last few.
func (s *Site) RefuseOldPassword(c *fiber.Ctx, f *web.Form, staffID int64, chosen string) error {
	hashes, err := s.Store.OldPasswords(c.UserContext(), staffID)
	if err != nil {
		return err
	}
	for _, hash := range hashes {
		used, err := s.PasswordMatches(c.UserContext(), chosen, hash)
		if err != nil {
			return err
		}
		if used {
			f.Refuse("new", "You have used this password before. Choose one that is not among your last "+
				strconv.Itoa(models.OldPasswords)+".")
			return nil
		}
	}
	return nil
}
