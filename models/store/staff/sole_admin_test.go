package staff_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// No administrator gets rid of all others in the browser: whatever takes away what another one can do needs a third one who can
// act.
func TestSoleAdministrator(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s, ctx := x.Open(t), t.Context()
		storetest.SignerNamed(t, s, "ada", models.Administrator)
		bea := storetest.SignerNamed(t, s, "bea", models.Administrator)
		stan := storetest.SignerNamed(t, s, "stan", models.Support)
		ada := models.Actor{Name: "ada", Channel: models.ChannelBrowser}
		acts := map[string]func(by models.Actor, id int64) error{
			"disable": func(by models.Actor, id int64) error { return s.DisableStaff(ctx, by, id, "tired of her") },
			"role":    func(by models.Actor, id int64) error { return s.SetStaffRole(ctx, by, id, models.Bonus) },
			"factor":  func(by models.Actor, id int64) error { return s.ResetStaffTOTP(ctx, by, id, "lost phone") },
			"identity": func(by models.Actor, id int64) error {
				return s.SetStaffIdentity(ctx, by, id, models.NewIdentity("https://id.example", "x"))
			},
			"link": func(by models.Actor, id int64) error {
				return s.MakeStaffLink(ctx, by, models.StaffLink{StaffID: id, Hash: "x", Delivery: models.LinkShown,
					ExpiresAt: s.Now().Add(time.Hour)})
			},
		}
		digest := x.Digest(t)
		for name, act := range acts {
			require.ErrorIs(t, act(ada, bea.StaffID), models.ErrSoleAdmin, name)
		}
		require.Equal(t, digest, x.Digest(t))
		require.NoError(t, acts["factor"](ada, stan.StaffID), "not an administrator")
		require.NoError(t, acts["link"](models.Actor{Name: "root", Channel: models.ChannelCommandLine}, bea.StaffID))

		cara, dora := storetest.SignerNamed(t, s, "cara", models.Administrator), storetest.SignerNamed(t, s, "dora", models.Administrator)
		require.NoError(t, acts["disable"](ada, cara.StaffID), "dora can act")
		require.ErrorIs(t, acts["disable"](ada, dora.StaffID), models.ErrSoleAdmin, "bea has no password yet")
	})
}
