package players_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

func TestCreatePlayer(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		p, err := s.CreatePlayer(t.Context(), storetest.Tester,
			models.NewPlayer{UserID: "anna", Currency: "EUR", Balance: 12345, Test: true, Zone: "Asia/Tokyo"})
		require.NoError(t, err)
		require.Equal(t, models.UserID("anna"), p.UserID)
		require.True(t, p.Test)
		require.Equal(t, "Asia/Tokyo", p.Zone)
		require.EqualValues(t, 12345, p.Wallet.Balance)
		require.EqualValues(t, 1, p.Wallet.Seq, "the opening balance is an entry")
		require.False(t, p.CreatedAt.IsZero())
		found, ok, err := s.Player(t.Context(), "anna")
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, p, found)
		byID, ok, err := s.PlayerByID(t.Context(), p.ID)
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, p, byID)
		_, ok, err = s.Player(t.Context(), "Anna")
		require.NoError(t, err)
		require.False(t, ok)
		require.EqualValues(t, 1, x.Number(t, "SELECT COUNT(*) FROM entries WHERE kind = 1 AND amount_minor = 12345"))

		var actor, address, session, object, after string
		require.NoError(t, x.DB.QueryRowContext(t.Context(),
			"SELECT actor, address, session, object_id, after_text FROM audit_events WHERE action = 'player created'").
			Scan(&actor, &address, &session, &object, &after))
		require.Equal(t, []string{"tester", "127.0.0.1", "s1", fmt.Sprint(p.ID)}, []string{actor, address, session, object})
		require.JSONEq(t, `{"user_id": "anna", "currency": "EUR", "balance": "123.45", "test": true, "zone": "Asia/Tokyo"}`, after)

		before := x.Digest(t)
		_, err = s.CreatePlayer(t.Context(), storetest.Tester, models.NewPlayer{UserID: "anna", Currency: "USD", Balance: 1})
		require.ErrorIs(t, err, models.ErrPlayerExists)
		require.Equal(t, before, x.Digest(t), "a refusal changes nothing")
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Bet("anna", "1", 12345)).Decline)
		storetest.RequireWhole(t, s)
	})
}

// Many instances create the same player: one succeeds.
func TestCreatePlayerTwiceAtOnce(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		a, b := x.Open(t), x.Open(t)
		errs := make(chan error, 16)
		storetest.Together(16, func(i int) {
			s := a
			if i%2 == 1 {
				s = b
			}
			_, err := s.CreatePlayer(t.Context(), storetest.Tester,
				models.NewPlayer{UserID: "anna", Currency: "EUR", Balance: 100})
			errs <- err
		})
		made := 0
		for range 16 {
			if err := <-errs; err == nil {
				made++
			} else {
				require.ErrorIs(t, err, models.ErrPlayerExists)
			}
		}
		require.Equal(t, 1, made)
		require.EqualValues(t, 1, x.Number(t, "SELECT COUNT(*) FROM audit_events"))
		require.EqualValues(t, 1, storetest.RequireWhole(t, a).Wallets)
	})
}

func TestImportPlayers(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		many := storetest.Scaled(4000, 20000)
		file := storetest.PlayerFile(t, "player-", many)
		var steps []int
		bad, err := s.ImportPlayers(t.Context(), storetest.Tester, file, func(n int) { steps = append(steps, n) })
		require.NoError(t, err)
		require.Empty(t, bad)
		require.IsIncreasing(t, steps)
		require.Equal(t, many, steps[len(steps)-1])
		v := storetest.RequireWhole(t, s)
		require.EqualValues(t, many, v.Wallets)
		require.EqualValues(t, many, v.Entries)
		require.EqualValues(t, many*(many-1)/2, x.Number(t, "SELECT SUM(balance_minor) FROM wallets"))
		require.EqualValues(t, many,
			x.Number(t, "SELECT COUNT(*) FROM audit_events WHERE actor = 'tester' AND action = 'player created'"))
		require.EqualValues(t, many-1, storetest.Balance(t, s, models.UserID(fmt.Sprint("player-", many-1))))
	})
}

// All players of a file are created, or none. Players that exist already are reported with their lines.
func TestImportPlayersAllOrNothing(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		storetest.CreatePlayer(t, s, "p3", 100)
		storetest.CreatePlayer(t, s, "p1100", 100)
		before := x.Digest(t)
		bad, err := s.ImportPlayers(t.Context(), storetest.Tester, storetest.PlayerFile(t, "p", 1200), nil)
		require.NoError(t, err)
		require.Len(t, bad, 2)
		require.Equal(t, []int{5, 1102}, []int{bad[0].Line, bad[1].Line})
		require.ErrorIs(t, bad[0], models.ErrPlayerExists)
		require.ErrorContains(t, bad[0], `line 5: "p3"`)
		require.Equal(t, before, x.Digest(t), "nothing was created")

		// A fault in a later part rolls back the earlier ones.
		file := storetest.PlayerFile(t, "q", 1200)
		file.Players[1150].UserID = file.Players[1149].UserID
		_, err = s.ImportPlayers(t.Context(), storetest.Tester, file, nil)
		require.Error(t, err)
		require.Equal(t, before, x.Digest(t), "nothing was created")

		storetest.ImportPlayers(t, s, "q", 1200)
		bad, err = s.ImportPlayers(t.Context(), storetest.Tester, models.PlayerFile{}, nil)
		require.NoError(t, err)
		require.Empty(t, bad)
		storetest.RequireWhole(t, s)
	})
}

func TestRestrictedPlayer(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		storetest.CreatePlayer(t, s, "anna", 1000)
		storetest.Apply(t, s, storetest.Bet("anna", "1", 100))
		storetest.Restrict(t, s, "anna")
		require.Equal(t, models.PlayerRestricted, storetest.Apply(t, s, storetest.Bet("anna", "2", 100)).Decline)
		require.Equal(t, models.PlayerRestricted, storetest.Apply(t, s, storetest.FreeSpin("anna", "3", 100)).Decline)
		require.Equal(t, models.PlayerRestricted, storetest.Apply(t, s, storetest.BetWin("anna", "4", 0, 100)).Decline)
		require.Equal(t, models.Duplicate, storetest.Apply(t, s, storetest.Bet("anna", "1", 100)).Decline)
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Win("anna", "5", 100)).Decline)
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Rollback("anna", "1")).Decline)

		storetest.Release(t, s, "anna")
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Bet("anna", "2", 100)).Decline,
			"a refused bet may come again")
		storetest.RequireWhole(t, s)
	})
}

// A change that cannot be recorded is not made.
func TestChangesAreRecordedOrNotMade(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		storetest.CreatePlayer(t, s, "anna", 1000)
		_, err := x.DB.ExecContext(t.Context(), "ALTER TABLE audit_events RENAME TO elsewhere")
		require.NoError(t, err)
		_, err = s.CreatePlayer(t.Context(), storetest.Tester, models.NewPlayer{UserID: "bert", Currency: "EUR", Balance: 100})
		require.Error(t, err)
		_, err = s.ImportPlayers(t.Context(), storetest.Tester, storetest.PlayerFile(t, "p", 3), nil)
		require.Error(t, err)
		_, err = x.DB.ExecContext(t.Context(), "ALTER TABLE elsewhere RENAME TO audit_events")
		require.NoError(t, err)
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Bet("anna", "1", 1)).Decline)
		require.EqualValues(t, 1, x.Number(t, "SELECT COUNT(*) FROM players"))
		require.EqualValues(t, 1, storetest.RequireWhole(t, s).Wallets)
	})
}

// TestAttackRepeatedGrants uploads a corrected file once more: what its other lines grant was granted already.
func TestAttackRepeatedGrants(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		storetest.CreatePlayer(t, s, "anna", 0)
		storetest.CreatePlayer(t, s, "bert", 0)
		_, err := s.SyncGames(t.Context(), models.System, models.GameSync{At: time.Now()},
			[]models.OfferedGame{{GameID: "g1", Name: "Embers"}})
		require.NoError(t, err)
		lines := []models.GrantLine{{Line: 2, UserID: "anna", GameID: "g1", Spins: 5},
			{Line: 3, UserID: "bert", GameID: "g1", Spins: 5},
			{Line: 4, UserID: "anna", GameID: "g1", Spins: 5}}
		first, err := s.CheckGrantLines(t.Context(), models.System, false, lines)
		require.NoError(t, err)
		require.Equal(t, []models.LineError{{Line: 4, Err: models.RepeatedGrantError{Line: 2}}}, first.Bad)

		imp, bad, err := s.CreateCampaign(t.Context(), models.System,
			models.Campaign{CampaignTerms: models.CampaignTerms{Name: "bonus"}, FileName: "spins.csv", Digest: "1", Role: models.Bonus}, lines[:1])
		require.NoError(t, err)
		require.Empty(t, bad)
		list, err := s.CampaignLines(t.Context(), models.CampaignLineFilter{CampaignID: imp.ID, Span: models.Span{Limit: 10}})
		require.NoError(t, err)
		g, err := s.RequestCampaignLine(t.Context(), models.System, imp, list.Rows[0])
		require.NoError(t, err)
		x.Exec(t, "UPDATE grants SET state = ? WHERE id = ?", uint8(models.GrantActive), g.ID)
		check := func(again bool) []models.LineError {
			check, err := s.CheckGrantLines(t.Context(), models.System, again, lines[:2])
			require.NoError(t, err)
			return check.Bad
		}
		require.Equal(t, []models.LineError{{Line: 2, Err: models.RepeatedGrantError{ID: g.ID}}}, check(false))
		require.Empty(t, check(true), "somebody grants them again knowingly")
		_, bad, err = s.CreateCampaign(t.Context(), models.System,
			models.Campaign{CampaignTerms: models.CampaignTerms{Name: "bonus"}, FileName: "corrected.csv", Digest: "2", Role: models.Bonus}, lines[:2])
		require.NoError(t, err)
		require.Len(t, bad, 1)
		x.Exec(t, "UPDATE grants SET at_us = at_us - ? WHERE id = ?", (32 * 24 * time.Hour).Microseconds(), g.ID)
		require.Empty(t, check(false), "it is long ago")
	})
}

// TestDoubtfulPlayers names what a person has to confirm about new players.
func TestDoubtfulPlayers(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		file := models.PlayerFile{}
		for i, user := range []models.UserID{"anna", "plain-1", "Bert", "BERT", "1.2E+15", "a b"} {
			file.Players = append(file.Players, models.NewPlayer{UserID: user, Currency: "EUR"})
			file.Lines = append(file.Lines, i+2)
		}
		storetest.CreatePlayer(t, s, "Anna", 0)
		file.Players[1].Currency = "EUX"
		doubts, err := s.DoubtfulPlayers(t.Context(), file)
		require.NoError(t, err)
		var said []string
		for _, d := range doubts {
			said = append(said, d.Error())
		}
		require.Len(t, said, 5, said)
		for i, words := range []string{"line 2: There is a player “Anna”", "line 3: No player has the currency EUX",
			"line 5: “BERT” differs from “Bert” in line 4 only in case", "line 6: “1.2E+15” is how a spreadsheet",
			"line 7: “a b” has characters that IDs rarely have: a space"} {
			require.Contains(t, said[i], words)
		}
	})
}
