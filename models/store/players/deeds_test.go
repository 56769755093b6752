package players_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// TestPlayersByDeeds selects players by what they did, and counts them.
func TestPlayersByDeeds(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s, now := x.OpenAt(t, time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC))
		ids := map[models.UserID]int64{}
		for _, user := range []models.UserID{"anna", "bert", "carl", "dora"} {
			ids[user] = storetest.CreatePlayer(t, s, user, 100_000).ID
		}
		book := func(ops ...models.Operation) {
			for _, op := range ops {
				storetest.Apply(t, s, op)
			}
		}
		book(storetest.Bet("anna", "a-1", 6000), storetest.Bet("bert", "b-1", 6000), storetest.Win("bert", "b-2", 5999),
			storetest.Bet("carl", "c-1", 9000), storetest.Rollback("carl", "c-1"))
		storetest.ApplyCash(t, s, storetest.Cash("dora", "d-1", 2500).Deposit())
		*now = now.AddDate(0, 0, 5)
		book(storetest.Bet("bert", "b-3", 1))
		_, err := s.FollowDays(t.Context())
		require.NoError(t, err)
		require.NoError(t, s.SetLanguage(t.Context(), models.System, ids["carl"], "it", ""))

		grant := func(user models.UserID, campaign, line int, state models.GrantState, used int, at string) {
			x.Exec(t, `INSERT INTO grants (at_us, actor, role, player_id, game_id, spins, reason, again, campaign_id, campaign_line,
				state, result, message, latency_us, answer_raw, sent_at_us, answered_at_us, finished_at_us, resolution, resolved_by,
				resolved_at_us, resolution_note, used, remaining, observed_at_us, next_poll_at_us, polls, poll_error, ours, apart)
				VALUES (?, 'bea', 'bonus', ?, 1, 10, '', 0, ?, ?, ?, 0, '', 0, '', 0, 0, 0, 0, '', 0, '', ?, -1, 0, 0, 0, '', 0, 0)`,
				day(t, at).UnixMicro(), ids[user], campaign, line, state, used)
			x.Exec(t, `INSERT INTO campaign_lines (campaign_id, line, player_id, game_id, spins, grant_id, refused_at_us, message)
				VALUES (?, ?, ?, 1, 10, 1, 0, '')`, campaign, line, ids[user])
		}
		grant("anna", 7, 1, models.GrantActive, -1, "2026-03-01")
		grant("bert", 7, 2, models.GrantCompleted, 10, "2026-03-01")
		grant("carl", 7, 3, models.GrantRefused, -1, "2026-03-12")
		grant("dora", 8, 1, models.GrantExpired, 0, "2026-03-12")

		amount := func(a models.Amount) *models.Amount { return &a }
		for name, of := range map[string]struct {
			models.PlayerFilter
			found []models.UserID
		}{
			"turnover":                 {models.PlayerFilter{Turnover: amount(6000)}, []models.UserID{"anna", "bert"}},
			"turnover, a cent more":    {models.PlayerFilter{Turnover: amount(6001)}, []models.UserID{"bert"}},
			"turnover of a period":     {models.PlayerFilter{Turnover: amount(1), From: "2026-03-11", To: "2026-03-15"}, []models.UserID{"bert"}},
			"turnover of later days":   {models.PlayerFilter{Turnover: amount(1), From: "2026-03-16"}, nil},
			"loss":                     {models.PlayerFilter{Loss: amount(2)}, []models.UserID{"anna", "bert"}},
			"loss, a cent more":        {models.PlayerFilter{Loss: amount(3)}, []models.UserID{"anna"}},
			"loss and turnover":        {models.PlayerFilter{Loss: amount(2), Turnover: amount(6001)}, []models.UserID{"bert"}},
			"deposits":                 {models.PlayerFilter{Deposit: amount(2500)}, []models.UserID{"dora"}},
			"deposits of a currency":   {models.PlayerFilter{Deposit: amount(2500), Currency: "TRY"}, nil},
			"played since":             {models.PlayerFilter{PlayedSince: "2026-03-11"}, []models.UserID{"bert"}},
			"not played since":         {models.PlayerFilter{NotPlayedSince: "2026-03-11"}, []models.UserID{"anna", "carl", "dora"}},
			"lost, and not come back":  {models.PlayerFilter{Loss: amount(1), NotPlayedSince: "2026-03-11"}, []models.UserID{"anna"}},
			"given spins":              {models.PlayerFilter{Spins: models.SpinsGranted}, []models.UserID{"anna", "bert", "dora"}},
			"used spins":               {models.PlayerFilter{Spins: models.SpinsUsed}, []models.UserID{"bert"}},
			"unused spins":             {models.PlayerFilter{Spins: models.SpinsUnused}, []models.UserID{"anna", "dora"}},
			"unused spins of a period": {models.PlayerFilter{Spins: models.SpinsUnused, Span: models.Span{Since: day(t, "2026-03-02")}}, []models.UserID{"dora"}},
			"in a campaign":            {models.PlayerFilter{CampaignID: 7}, []models.UserID{"anna", "bert", "carl"}},
			"used those of a campaign": {models.PlayerFilter{CampaignID: 7, InCampaign: models.SpinsUsed}, []models.UserID{"bert"}},
			"did not use those":        {models.PlayerFilter{CampaignID: 7, InCampaign: models.SpinsUnused}, []models.UserID{"anna"}},
			"language":                 {models.PlayerFilter{Language: new("it")}, []models.UserID{"carl"}},
			"no language":              {models.PlayerFilter{Language: new("")}, []models.UserID{"anna", "bert", "dora"}},
		} {
			var found []models.UserID
			for _, p := range storetest.Pages(t, 1, models.Player.Place, func(at models.Cursor) models.Page[models.Player] {
				f := of.PlayerFilter
				f.Page, f.Limit = at, 1
				page, err := s.Players(t.Context(), f)
				require.NoError(t, err, name)
				return page
			}) {
				found = append(found, p.UserID)
			}
			require.Equal(t, of.found, found, name)
			n, err := s.CountPlayers(t.Context(), of.PlayerFilter)
			require.NoError(t, err, name)
			require.Equal(t, len(of.found), n, name)
		}
	})
}

func day(t *testing.T, text string) time.Time {
	at, err := time.Parse(time.DateOnly, text)
	require.NoError(t, err)
	return at
}
