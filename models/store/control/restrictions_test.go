package control_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store/storetest"
)

func ofAnna(anna models.Player, kind models.RestrictionKind, until time.Time) models.Restriction {
	return models.Restriction{Subject: models.OfPlayer, PlayerID: anna.ID, Kind: kind, Scope: models.FromPlay, Until: until,
		Reason: "asked us to"}
}

// A restriction is in effect from its commit, in play that is under way too, and ends by itself.
func TestRestrictionOfAPlayer(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		clock := &storetest.Clock{}
		clock.Set(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
		x.Config.Now = clock.Now
		s := x.Open(t)
		anna := storetest.CreatePlayer(t, s, "anna", 1000)
		stan, cleo := storetest.SignerNamed(t, s, "stan", models.Support), storetest.SignerNamed(t, s, "cleo", models.Compliance)
		storetest.Apply(t, s, storetest.Bet("anna", "1", 100))

		tomorrow := clock.Now().Add(24 * time.Hour)
		r, err := s.Restrict(t.Context(), stan, ofAnna(anna, models.CoolOff, tomorrow))
		require.NoError(t, err)
		require.Equal(t, models.PlayerRestricted, storetest.Apply(t, s, storetest.Bet("anna", "2", 100)).Decline)
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Win("anna", "w1", 100)).Decline)
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Rollback("anna", "1")).Decline)
		_, err = s.SyncGames(t.Context(), storetest.Tester, models.GameSync{At: clock.Now()},
			[]models.OfferedGame{{GameID: "g1", Name: "Embers"}})
		require.NoError(t, err)
		grant := models.GrantRequest{UserID: "anna", GameID: "g1", Spins: 10, Reason: "goodwill", Role: models.Bonus}
		_, err = s.RequestGrant(t.Context(), storetest.Tester, grant)
		require.ErrorIs(t, err, models.ErrPlayerRestricted)

		clock.Set(tomorrow)
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Bet("anna", "3", 100)).Decline)
		require.ErrorIs(t, s.RequestEnd(t.Context(), stan, r.ID, "asked again"), models.ErrRestrictionEnded)
		require.ErrorIs(t, s.ApproveEnd(t.Context(), cleo, r.ID), models.ErrRestrictionEnded)

		// Of two, the later end counts, also after the other one was ended early.
		short, err := s.Restrict(t.Context(), stan, ofAnna(anna, models.Abuse, tomorrow.Add(time.Hour)))
		require.NoError(t, err)
		_, err = s.Restrict(t.Context(), cleo, ofAnna(anna, models.MoneyLaundering, tomorrow.Add(2*time.Hour)))
		require.NoError(t, err)
		storetest.EndRestriction(t, s, short.ID)
		clock.Set(tomorrow.Add(90 * time.Minute))
		require.Equal(t, models.PlayerRestricted, storetest.Apply(t, s, storetest.Bet("anna", "4", 100)).Decline)

		only := ofAnna(anna, models.Abuse, models.Permanent)
		only.Scope = models.FromBonuses
		_, err = s.Restrict(t.Context(), cleo, only)
		require.NoError(t, err)
		clock.Set(tomorrow.Add(2 * time.Hour))
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Bet("anna", "5", 100)).Decline)
		_, err = s.RequestGrant(t.Context(), storetest.Tester, grant)
		require.ErrorIs(t, err, models.ErrPlayerRestricted)
		_, err = s.FindCases(t.Context(), models.CaseRulesConfig{}) // the win has no bet
		require.NoError(t, err)
		storetest.RequireWhole(t, s)
	})
}

// What compliance has restricted because of money laundering is ended by compliance only.
func TestMoneyLaunderingIsEndedByCompliance(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		anna := storetest.CreatePlayer(t, s, "anna", 100)
		stan, sue := storetest.SignerNamed(t, s, "stan", models.Support), storetest.SignerNamed(t, s, "sue", models.Support)
		cleo, cora := storetest.SignerNamed(t, s, "cleo", models.Compliance), storetest.SignerNamed(t, s, "cora", models.Compliance)
		r, err := s.Restrict(t.Context(), cleo, ofAnna(anna, models.MoneyLaundering, models.Permanent))
		require.NoError(t, err)
		require.ErrorIs(t, s.RequestEnd(t.Context(), stan, r.ID, "asked"), models.ErrMakerRole)
		require.NoError(t, s.RequestEnd(t.Context(), cleo, r.ID, "explained"))
		require.ErrorIs(t, s.ApproveEnd(t.Context(), sue, r.ID), models.ErrCheckerRole)
		waiting, err := s.WaitingRequests(t.Context(), "restriction")
		require.NoError(t, err)
		require.Equal(t, []models.Role{models.Compliance}, waiting[0].Rule().Checkers)
		require.NoError(t, s.ApproveEnd(t.Context(), cora, r.ID))

		r, err = s.Restrict(t.Context(), stan, ofAnna(anna, models.MoneyLaundering, models.Permanent))
		require.NoError(t, err)
		require.NoError(t, s.RequestEnd(t.Context(), stan, r.ID, "a mistake"), "support set it")
		require.NoError(t, s.ApproveEnd(t.Context(), sue, r.ID))
	})
}

// It takes two people to end a restriction early, and nobody ends a self-exclusion.
func TestEndingARestrictionTakesTwo(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		anna := storetest.CreatePlayer(t, s, "anna", 1000)
		stan, sofia := storetest.SignerNamed(t, s, "stan", models.Support), storetest.SignerNamed(t, s, "sofia", models.Support)
		cleo, mira := storetest.SignerNamed(t, s, "cleo", models.Compliance), storetest.SignerNamed(t, s, "mira", models.Finance)
		until := s.Now().Add(100 * 24 * time.Hour)
		r, err := s.Restrict(t.Context(), stan, ofAnna(anna, models.Abuse, until))
		require.NoError(t, err)
		refused := func(err, want error) {
			t.Helper()
			digest := x.Digest(t)
			require.ErrorIs(t, err, want)
			require.Equal(t, digest, x.Digest(t))
		}
		refused(s.ApproveEnd(t.Context(), cleo, r.ID), models.ApprovalError{Why: models.DecidedError{}})
		refused(s.RequestEnd(t.Context(), mira, r.ID, "asked nicely"), models.ErrMakerRole)
		refused(s.RequestEnd(t.Context(), stan, r.ID, " "), models.ErrDecisionText)
		refused(s.RequestEnd(t.Context(), stan, r.ID+1, "asked"), models.ErrRestrictionUnknown)
		require.NoError(t, s.RequestEnd(t.Context(), stan, r.ID, "asked nicely"))
		refused(s.RequestEnd(t.Context(), sofia, r.ID, "asked nicely"), models.ErrEndRequested)
		refused(s.ApproveEnd(t.Context(), stan, r.ID), models.ErrOwnRequest)
		refused(s.ApproveEnd(t.Context(), mira, r.ID), models.ErrCheckerRole)
		require.Equal(t, models.PlayerRestricted, storetest.Apply(t, s, storetest.Bet("anna", "1", 1)).Decline)
		require.NoError(t, s.RefuseEnd(t.Context(), cleo, r.ID, "not before we know more"))
		require.NoError(t, s.RequestEnd(t.Context(), sofia, r.ID, "now we know"))
		require.NoError(t, s.WithdrawEnd(t.Context(), sofia, r.ID))
		storetest.EndRestriction(t, s, r.ID)
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Bet("anna", "2", 1)).Decline)
		refused(s.RequestEnd(t.Context(), stan, r.ID, "again"), models.ErrRestrictionEnded)

		own, err := s.Restrict(t.Context(), cleo, ofAnna(anna, models.SelfExclusion, until))
		require.NoError(t, err)
		refused(s.RequestEnd(t.Context(), stan, own.ID, "the player begs"), models.ErrNeverEndsEarly)
		bonuses := ofAnna(anna, models.SelfExclusion, until)
		bonuses.Scope = models.FromBonuses
		_, err = s.Restrict(t.Context(), cleo, bonuses)
		refused(err, models.ErrSelfExcludedScope)
		_, err = s.Restrict(t.Context(), mira, ofAnna(anna, models.Abuse, until))
		refused(err, models.ErrMakerRole)
		_, err = s.Restrict(t.Context(), cleo, ofAnna(anna, models.Abuse, s.Now()))
		refused(err, models.ErrRestrictionUntil)
		storetest.RequireWhole(t, s)
	})
}

// The house is frozen in the middle of play: no bet is booked after the commit, and what was booked settles.
func TestFreezeRacesBets(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		a, b := x.Open(t), x.Open(t)
		for i := range 8 {
			storetest.CreatePlayer(t, a, models.UserID(fmt.Sprint("player-", i)), 1_000_000)
		}
		ada, cleo := storetest.SignerNamed(t, a, "ada", models.Administrator), storetest.SignerNamed(t, a, "cleo", models.Compliance)
		stop, flowing := make(chan struct{}), make(chan struct{}, 100_000)
		var bets sync.WaitGroup
		for player := range 8 {
			bets.Go(func() {
				for i := 0; ; i++ {
					select {
					case <-stop:
						return
					default:
					}
					on := a
					if i%2 == 1 {
						on = b
					}
					r, err := on.Apply(t.Context(), storetest.Bet(models.UserID(fmt.Sprint("player-", player)),
						models.TransactionID(fmt.Sprintf("bet-%d-%d", player, i)), 1))
					if err != nil {
						t.Error(err)
						return
					}
					if r.Decline == models.None {
						select {
						case flowing <- struct{}{}:
						default:
						}
					}
				}
			})
		}
		for range 50 {
			<-flowing
		}
		freeze := models.Restriction{Subject: models.OfHouse, Kind: models.OtherRestriction, Scope: models.FromPlay,
			Until: models.Permanent, Reason: "a game pays too much"}
		r, err := b.Restrict(t.Context(), ada, freeze)
		require.NoError(t, err)
		lines := x.Number(t, "SELECT SUM(seq) FROM wallets")
		require.Equal(t, models.HouseFrozen, storetest.Apply(t, a, storetest.Bet("player-0", "after", 1)).Decline)
		require.Equal(t, models.None, storetest.Apply(t, b, storetest.Win("player-0", "win", 1)).Decline)
		close(stop)
		bets.Wait()
		require.Equal(t, lines+1, x.Number(t, "SELECT SUM(seq) FROM wallets"), "only the win was booked after the freeze")
		_, err = b.Restrict(t.Context(), cleo, freeze)
		require.ErrorIs(t, err, models.ErrRestrictionStands)
		require.NoError(t, a.RequestEnd(t.Context(), ada, r.ID, "mended"))
		require.NoError(t, a.ApproveEnd(t.Context(), cleo, r.ID))
		require.Equal(t, models.None, storetest.Apply(t, a, storetest.Bet("player-0", "again", 1)).Decline)
		storetest.RequireWhole(t, a)
	})
}

// A frozen game, provider or house gets no free spins.
func TestFreezeOfGames(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		storetest.CreatePlayer(t, s, "anna", 1000)
		_, err := s.SyncGames(t.Context(), storetest.Tester, models.GameSync{At: s.Now()},
			[]models.OfferedGame{{GameID: "g1", Name: "Embers", Provider: "Ash"}, {GameID: "g2", Name: "Bells", Provider: "Brass"}})
		require.NoError(t, err)
		grants := func(game models.GameID) error {
			_, err := s.RequestGrant(t.Context(), storetest.Tester,
				models.GrantRequest{UserID: "anna", GameID: game, Spins: 1, Reason: "goodwill", Role: models.Bonus, Again: true})
			return err
		}
		for _, freeze := range []models.Restriction{{Subject: models.OfGame, About: "g1"}, {Subject: models.OfProvider, About: "Ash"},
			{Subject: models.OfHouse}} {
			freeze.Kind, freeze.Scope, freeze.Until, freeze.Reason = models.OtherRestriction, models.FromPlay, models.Permanent, "odd"
			r, err := s.Restrict(t.Context(), storetest.SignerNamed(t, s, "stan", models.Support), freeze)
			require.NoError(t, err)
			require.ErrorAs(t, grants("g1"), new(models.FrozenError))
			if err := grants("g2"); freeze.Subject == models.OfHouse {
				require.ErrorAs(t, err, new(models.FrozenError))
			} else {
				require.NoError(t, err)
				require.Equal(t, models.None, storetest.Apply(t, s,
					storetest.Bet("anna", models.TransactionID(freeze.Subject.String()), 1)).Decline)
			}
			storetest.EndRestriction(t, s, r.ID)
		}
		require.NoError(t, grants("g1"), "nothing is frozen any more")
	})
}
