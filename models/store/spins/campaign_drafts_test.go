package spins_test

import (
	"crypto/rand"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store"
	"pitboss/models/store/storetest"
)

// TestCampaignDraftsOfTwoInstances stores sheets with one instance, and reads them with another.
func TestCampaignDraftsOfTwoInstances(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		ctx, now := t.Context(), time.Now()
		cfg := store.Config{URL: url, Now: func() time.Time { return now }, LedgerKey: storetest.LedgerKey}
		one, two := storetest.Open(t, cfg), storetest.Open(t, cfg)
		made := models.CampaignDraft{StaffID: 7, FileName: "x.csv"}
		for i := range 20_000 { // random names, so that the compressed sheet has several chunks
			made.Rows = append(made.Rows, models.GrantRow{Line: i + 2, Player: rand.Text(), Spins: "0"})
		}
		id, err := one.AddCampaignDraft(ctx, made)
		require.NoError(t, err)
		made.ID = id
		sheet, err := two.CampaignDraft(ctx, 7, id)
		require.NoError(t, err)
		require.Equal(t, made, sheet)
		for _, row := range []struct {
			staffID int64
			id      string
		}{{8, id}, {7, ""}, {7, id[:25]}, {7, id + "A"}, {7, "ä"}} {
			_, err := two.CampaignDraft(ctx, row.staffID, row.id)
			require.ErrorIs(t, err, models.ErrDraftGone, row)
		}

		var ids []string
		for range 22 {
			now = now.Add(time.Second)
			id, err := one.AddCampaignDraft(ctx, models.CampaignDraft{StaffID: 9})
			require.NoError(t, err)
			ids = append(ids, id)
		}
		for i, id := range ids {
			_, err := two.CampaignDraft(ctx, 9, id)
			if i < 2 {
				require.ErrorIs(t, err, models.ErrDraftGone, "only the newest 20 are kept")
			} else {
				require.NoError(t, err)
			}
		}
		now = now.Add(13 * time.Hour)
		_, err = two.CampaignDraft(ctx, 9, ids[21])
		require.ErrorIs(t, err, models.ErrDraftGone, "it is too old")
	})
}
