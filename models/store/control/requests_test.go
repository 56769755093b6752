package control_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// Two people have the page of a request of each kind open. What one of them changes meanwhile refuses the decision of the other
// by name, and a decision of somebody who has seen nothing is refused too. Nothing changes.
func TestDecidedAsSeen(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		d := storetest.NewColleagues(t, s, 10_000)
		ctx, ada := t.Context(), storetest.SignerNamed(t, s, "adam", models.Administrator)
		stan, cleo := storetest.SignerNamed(t, s, "stan", models.Support), storetest.SignerNamed(t, s, "cleo", models.Compliance)
		bea := storetest.SignerNamed(t, s, "bea", models.Bonus)
		_, err := s.SyncGames(ctx, storetest.Tester, models.GameSync{}, []models.OfferedGame{{GameID: "g1", Name: "Embers"}})
		require.NoError(t, err)
		storetest.CreatePlayer(t, s, "bert", 0)
		restrict := func(s *store.Store) {
			_, err := s.Restrict(ctx, cleo, ofAnna(d.Anna, models.Abuse, s.Now().AddDate(0, 1, 0)))
			require.NoError(t, err)
		}
		rules := models.DefaultGrantRules
		rules.Limits.SpinsPerGrant--
		for _, row := range []struct {
			kind, changed, action string
			by                    models.Signer
			ask                   func() int64
			meanwhile             func(id int64) // nil if nothing but a decision changes such a request
		}{
			{"correction", "correction", "correction assigned", d.Jonas,
				func() int64 { return d.Request(d.Mira, d.Adjust(models.CorrectCredit, 500, "goodwill")).ID },
				func(id int64) { require.NoError(t, s.AssignCorrection(ctx, d.Jonas, id, "", "jonas", "")) }},
			{"cash-out", "player", "player restriction set", d.Jonas, func() int64 { return waiting(t, s, "out") },
				func(int64) { restrict(s) }},
			{"restriction", "player", "player restriction set", cleo, func() int64 {
				r, err := s.Restrict(ctx, stan, ofAnna(d.Anna, models.OtherRestriction, models.Permanent))
				require.NoError(t, err)
				require.NoError(t, s.RequestEnd(ctx, stan, r.ID, "asked again"))
				return r.ID
			}, func(int64) {
				_, err := s.Restrict(ctx, cleo, ofAnna(d.Anna, models.MoneyLaundering, models.Permanent))
				require.NoError(t, err)
			}},
			{"campaign", "campaign", "", d.Mira, func() int64 {
				held, _, err := s.RequestCampaign(ctx, bea, models.Campaign{CampaignTerms: models.CampaignTerms{Name: "goodwill"},
					Digest: "held", Again: true}, []models.GrantLine{{Line: 1, UserID: "bert", GameID: "g1", Spins: 90}})
				require.NoError(t, err)
				return held.ID
			}, nil},
			{"change", "change", "", d.Admin, func() int64 {
				r, err := s.RequestChange(ctx, ada, models.ChangeGrantLimits, rules, "tried")
				require.NoError(t, err)
				return r.ID
			}, nil},
		} {
			id := row.ask()
			opened := storetest.Opened(ctx, s, row.kind, id)
			if row.meanwhile != nil {
				row.meanwhile(id)
			} else {
				opened.Seen = ""
			}
			for _, do := range []models.ApprovalState{models.ApprovalApproved, models.ApprovalRefused} {
				decision, digest := opened, x.Digest(t)
				decision.Do, decision.Why, decision.Basis.AnyBalance = do, "no", true
				_, err := s.Decide(ctx, row.by, decision)
				var changed models.SeenChangedError
				require.ErrorAs(t, err, &changed, row.kind)
				require.ErrorAs(t, err, new(models.ApprovalError), row.kind)
				require.Equal(t, row.changed, changed.Latest.Object, row.kind)
				if row.action != "" {
					require.Contains(t, err.Error(), row.action+", by ", row.kind)
				}
				require.Equal(t, digest, x.Digest(t), "%s: nothing changes", row.kind)
			}

			// Somebody decides it. Whoever has the page of before open is told.
			late := storetest.Opened(ctx, s, row.kind, id)
			require.NoError(t, storetest.Refuse(ctx, s, row.kind, row.by, id, "no"), row.kind)
			late.Do = models.ApprovalApproved
			_, err := s.Decide(ctx, row.by, late)
			require.ErrorIs(t, err, models.DecidedError{State: models.ApprovalRefused}, row.kind)
		}
		storetest.RequireWhole(t, s)
	})
}

// TestAttackUnprovenSignerSignsNothing decides for somebody who has not given the password that the form asked for: a handler
// that forgets to look at its form moves no money.
func TestAttackUnprovenSignerSignsNothing(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		p := storetest.CreatePlayer(t, s, "anna", 10000)
		mira, farid := storetest.SignerNamed(t, s, "mira", models.Finance), storetest.SignerNamed(t, s, "farid", models.Finance)
		mira.Unproven = true
		credit := models.CorrectionRequest{Kind: models.CorrectCredit, PlayerID: p.ID, Amount: 500, Reason: "goodwill", Text: "promised"}
		_, err := s.RequestCorrection(t.Context(), mira, credit)
		require.ErrorIs(t, err, models.ErrUnproven)
		r, err := s.RequestCorrection(t.Context(), farid, credit)
		require.NoError(t, err)
		require.ErrorIs(t, storetest.Approve(t.Context(), s, "correction", mira, r.ID), models.ErrUnproven)
		require.Equal(t, models.Amount(10000), storetest.Balance(t, s, "anna"))
	})
}
