package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/gorilla/sessions"
	"github.com/stretchr/testify/require"

	"pitboss/models"
)

// A handler that forgets to look at a form whose password was refused gets a signer whom the store refuses.
func TestRefusedPasswordProvesNothing(t *testing.T) {
	s := &Site{Now: time.Now}
	for name, row := range map[string]struct {
		asks, unproven bool
	}{"asks for a password that is missing": {true, true}, "asks for none": {false, false}} {
		t.Run(name, func(t *testing.T) {
			var signer models.Signer
			route := Route{Asks: func(*fiber.Ctx) bool { return row.asks }, Handle: func(c *fiber.Ctx) error {
				signer = s.Signer(c)
				return nil
			}}
			app := fiber.New()
			app.Post("/", func(c *fiber.Ctx) error {
				c.Locals(readerKey, &Reader{session: new(sessions.Session), Row: models.StaffSession{Hash: strings.Repeat("0", 64)}})
				c.Locals(addressKey, "192.0.2.1")
				return s.asking(route)(c)
			})
			request := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(url.Values{"why": {"x"}}.Encode()))
			request.Header.Set(fiber.HeaderContentType, fiber.MIMEApplicationForm)
			answer, err := app.Test(request)
			require.NoError(t, err)
			require.Equal(t, http.StatusOK, answer.StatusCode)
			require.Equal(t, row.unproven, signer.Unproven)
		})
	}
}
