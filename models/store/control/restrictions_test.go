package control_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
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
		require.ErrorIs(t, storetest.Approve(t.Context(), s, "restriction", cleo, r.ID), models.ErrRestrictionEnded)

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
		for _, who := range []models.Signer{stan, sue, cleo, cora} {
			require.NoError(t, s.SetStaffEmail(t.Context(), storetest.Tester, who.StaffID, who.Name+"@casino.example"))
		}
		told, err := s.NoticeReaders(t.Context(), models.Notice{Kind: models.NoticeRequest, Detail: "restriction", ObjectID: fmt.Sprint(r.ID)})
		require.NoError(t, err)
		require.Equal(t, []string{"cora@casino.example"}, told)
		require.ErrorIs(t, storetest.Approve(t.Context(), s, "restriction", sue, r.ID), models.ErrCheckerRole)
		waiting, err := s.WaitingRequests(t.Context(), "restriction")
		require.NoError(t, err)
		require.Equal(t, []models.Role{models.Compliance}, waiting[0].Rule().Checkers)
		require.NoError(t, storetest.Approve(t.Context(), s, "restriction", cora, r.ID))

		r, err = s.Restrict(t.Context(), stan, ofAnna(anna, models.MoneyLaundering, models.Permanent))
		require.NoError(t, err)
		require.NoError(t, s.RequestEnd(t.Context(), stan, r.ID, "a mistake"), "support set it")
		require.NoError(t, storetest.Approve(t.Context(), s, "restriction", sue, r.ID))
	})
}

// It takes two people to end a restriction early.
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
		refused(storetest.Approve(t.Context(), s, "restriction", cleo, r.ID), models.ApprovalError{Why: models.DecidedError{}})
		refused(s.RequestEnd(t.Context(), mira, r.ID, "asked nicely"), models.ErrMakerRole)
		refused(s.RequestEnd(t.Context(), stan, r.ID, " "), models.ErrDecisionText)
		refused(s.RequestEnd(t.Context(), stan, r.ID+1, "asked"), models.ErrRestrictionUnknown)
		require.NoError(t, s.RequestEnd(t.Context(), stan, r.ID, "asked nicely"))
		refused(s.RequestEnd(t.Context(), sofia, r.ID, "asked nicely"), models.ErrEndRequested)
		refused(storetest.Approve(t.Context(), s, "restriction", stan, r.ID), models.ErrOwnRequest)
		refused(storetest.Approve(t.Context(), s, "restriction", mira, r.ID), models.ErrCheckerRole)
		require.Equal(t, models.PlayerRestricted, storetest.Apply(t, s, storetest.Bet("anna", "1", 1)).Decline)
		require.NoError(t, storetest.Refuse(t.Context(), s, "restriction", cleo, r.ID, "not before we know more"))
		require.NoError(t, s.RequestEnd(t.Context(), sofia, r.ID, "now we know"))
		require.NoError(t, storetest.Withdraw(t.Context(), s, "restriction", sofia, r.ID, ""))
		storetest.EndRestriction(t, s, r.ID)
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Bet("anna", "2", 1)).Decline)
		refused(s.RequestEnd(t.Context(), stan, r.ID, "again"), models.ErrRestrictionEnded)

		own, err := s.Restrict(t.Context(), cleo, ofAnna(anna, models.SelfExclusion, until))
		require.NoError(t, err)
		refused(s.RequestEnd(t.Context(), mira, own.ID, "the player begs"), models.ErrMakerRole)
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

// A self-exclusion ends early within a day of its entry, if one of the two who say that it was a mistake is of compliance.
// Administrators and compliance are told.
func TestAttackSelfExclusionOfOthers(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		clock := &storetest.Clock{}
		clock.Set(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
		x.Config.Now = clock.Now
		s := x.Open(t)
		anna := storetest.CreatePlayer(t, s, "anna", 1000)
		stan, sofia := storetest.SignerNamed(t, s, "stan", models.Support), storetest.SignerNamed(t, s, "sofia", models.Support)
		cleo, cora := storetest.SignerNamed(t, s, "cleo", models.Compliance), storetest.SignerNamed(t, s, "cora", models.Compliance)
		ada := storetest.SignerNamed(t, s, "ada", models.Administrator)
		for _, who := range []models.Signer{stan, sofia, cleo, cora, ada} {
			require.NoError(t, s.SetStaffEmail(t.Context(), storetest.Tester, who.StaffID, who.Name+"@casino.example"))
		}
		exclude := func() models.Restriction {
			r, err := s.Restrict(t.Context(), stan, ofAnna(anna, models.SelfExclusion, models.Permanent))
			require.NoError(t, err)
			return r
		}
		r := exclude()
		require.NoError(t, s.RequestEnd(t.Context(), stan, r.ID, "this was anna2"))
		require.ErrorIs(t, storetest.Approve(t.Context(), s, "restriction", sofia, r.ID), models.ErrCheckerRole, "two of support")
		waiting, err := s.WaitingRequests(t.Context(), "restriction")
		require.NoError(t, err)
		require.Equal(t, []models.Role{models.Compliance}, waiting[0].Rule().Checkers)
		require.NoError(t, storetest.Approve(t.Context(), s, "restriction", cleo, r.ID))
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Bet("anna", "1", 1)).Decline)
		events, err := s.AuditEvents(t.Context(), models.AuditFilter{Action: "restriction ended", Span: models.Span{Limit: 1}})
		require.NoError(t, err)
		kind, _, told := models.NoticeOf(events.Rows[0])
		require.True(t, told)
		require.Equal(t, models.NoticeMistake, kind)
		readers, err := s.NoticeReaders(t.Context(), models.Notice{Kind: kind, EventID: events.Rows[0].ID, ObjectID: events.Rows[0].ObjectID})
		require.NoError(t, err)
		require.ElementsMatch(t, []string{"cora@casino.example", "ada@casino.example"}, readers)

		r = exclude()
		require.NoError(t, s.RequestEnd(t.Context(), cora, r.ID, "this was anna2"))
		require.NoError(t, storetest.Approve(t.Context(), s, "restriction", sofia, r.ID), "one of the two is of compliance")

		r, later := exclude(), exclude()
		require.NoError(t, s.RequestEnd(t.Context(), stan, r.ID, "this was anna2"))
		clock.Set(clock.Now().Add(models.MistakeFor))
		require.ErrorIs(t, storetest.Approve(t.Context(), s, "restriction", cleo, r.ID), models.ErrNeverEndsEarly)
		require.ErrorIs(t, s.RequestEnd(t.Context(), cleo, later.ID, "this was anna2"), models.ErrNeverEndsEarly)
		waiting, err = s.WaitingRequests(t.Context(), "restriction")
		require.NoError(t, err)
		require.Empty(t, waiting)
		require.Equal(t, models.PlayerRestricted, storetest.Apply(t, s, storetest.Bet("anna", "2", 1)).Decline)
		storetest.RequireWhole(t, s)
	})
}

// One person, or one API client, restricts a bounded number of players an hour.
func TestAttackRestrictionsOfAnHour(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		clock := &storetest.Clock{}
		clock.Set(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
		x.Config.Now = clock.Now
		s := x.Open(t)
		anna := storetest.CreatePlayer(t, s, "anna", 1000)
		stan, sofia := storetest.SignerNamed(t, s, "stan", models.Support), storetest.SignerNamed(t, s, "sofia", models.Support)
		client := models.Actor{Name: "lobby", Channel: models.ChannelAPI}
		again := ofAnna(anna, models.CoolOff, models.Permanent)
		for _, restrict := range []func() error{
			func() error { _, err := s.Restrict(t.Context(), stan, again); return err },
			func() error { _, err := s.RestrictAs(t.Context(), client, again); return err },
		} {
			require.NoError(t, restrict())
			const others = "subject, about, kind, scope, at_us, until_us, reason, setter_id, setter, setter_role, end_reason, maker_id, maker, " +
				"maker_role, state, checker_id, checker, checker_role, decided_at_us, decision_note"
			for range 10 { // 1,023 more of the same
				x.Exec(t, "INSERT INTO restrictions (player_id, "+others+") SELECT 0, "+others+" FROM restrictions "+
					"WHERE setter = (SELECT setter FROM restrictions WHERE id = (SELECT MAX(id) FROM restrictions))")
			}
			require.ErrorIs(t, restrict(), models.ErrRestrictedMany)
		}
		_, err := s.Restrict(t.Context(), sofia, again)
		require.NoError(t, err, "a colleague can")
		clock.Set(clock.Now().Add(time.Hour))
		_, err = s.Restrict(t.Context(), stan, again)
		require.NoError(t, err)
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
		require.NoError(t, storetest.Approve(t.Context(), a, "restriction", cleo, r.ID))
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
