package proof_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store/proof"
)

// No trace is left of an erased player's name. Money and chains are intact, and nothing else has changed.
func TestErasePlayer(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		storetest.BookEveryKind(t, s)
		storetest.CreatePlayer(t, s, "luiza_fernandes", 500)
		storetest.CreatePlayer(t, s, "luizaxfernandes", 0)
		_, err := s.ErasePlayer(t.Context(), storetest.Keeper, "luiza_fernandes", "asked to")
		require.ErrorIs(t, err, proof.ErrNotErasable)
		_, err = s.ErasePlayer(t.Context(), storetest.Keeper, "nobody", "asked to")
		require.ErrorIs(t, err, models.ErrPlayerUnknown)
		storetest.Apply(t, s, storetest.Bet("luiza_fernandes", "l1", 500))
		restricted := storetest.Restrict(t, s, "luiza_fernandes")
		luiza, _, err := s.Player(t.Context(), "luiza_fernandes")
		require.NoError(t, err)
		_, _, err = s.OpenCases(t.Context(), []models.Finding{
			{Rule: models.CaseWinWithoutBet, Key: "hers", PlayerID: luiza.ID},
			{Rule: models.CaseWinWithoutBet, Key: "another's"}, {Rule: models.CaseWinWithoutBet, Key: "a third"},
		})
		require.NoError(t, err)
		for id, text := range map[int64]string{1: "She telephoned from Porto.", 2: "It was luiza_fernandes, they say.",
			3: "They look into it."} {
			require.NoError(t, s.CommentCase(t.Context(), storetest.Keeper, id, text))
			require.NoError(t, s.DecideCase(t.Context(), storetest.Keeper, id, models.CaseExplained, text))
		}
		require.NoError(t, s.Note(t.Context(), models.AuditEvent{Actor: storetest.Keeper, Action: "export started", Object: "list",
			ObjectID: "/transactions", After: `{"Player":"luiza_fernandes"}`}))
		e, err := s.ErasePlayer(t.Context(), storetest.Keeper, "luiza_fernandes", "asked to")
		require.NoError(t, err)
		require.Positive(t, e.AuditTexts)
		require.EqualValues(t, 4, e.CaseTexts)
		restricted, _, err = s.Restriction(t.Context(), restricted.ID)
		require.NoError(t, err)
		require.Empty(t, restricted.Reason)
		require.Equal(t, models.Permanent, restricted.Until, "what was restricted stays")
		require.Zero(t, x.Number(t, "SELECT COUNT(*) FROM audit_events WHERE reason = ?", storetest.RestrictedFor))
		require.EqualValues(t, 1, x.Number(t, "SELECT COUNT(*) FROM case_notes WHERE body <> ''"))
		require.EqualValues(t, 1, x.Number(t, "SELECT COUNT(*) FROM cases WHERE reason <> ''"))
		require.Zero(t, x.Number(t, "SELECT COUNT(*) FROM audit_events WHERE INSTR(reason, 'Porto') > 0"))
		require.EqualValues(t, 1, x.Number(t, "SELECT COUNT(*) FROM audit_events WHERE INSTR(reason, 'They look') > 0"))
		for _, text := range []string{"before_text", "after_text", "reason"} {
			require.Zero(t, x.Number(t, "SELECT COUNT(*) FROM audit_events WHERE "+
				"INSTR(REPLACE("+text+", 'a-luiza_fernandes', ''), 'luiza_fernandes') > 0"), text) // the other ID is not hers
		}
		v := storetest.RequireWhole(t, s)
		require.EqualValues(t, e.AuditTexts, v.ErasedTexts)
		_, found, err := s.Player(t.Context(), "luiza_fernandes")
		require.NoError(t, err)
		require.False(t, found)
		_, found, err = s.Player(t.Context(), e.Player.UserID)
		require.NoError(t, err)
		require.True(t, found)
		_, found, err = s.Player(t.Context(), "luizaxfernandes")
		require.NoError(t, err)
		require.True(t, found)
		missing, err := s.Unguarded(t.Context())
		require.NoError(t, err)
		require.Empty(t, missing)
	})
}

// After a bad statement a player has more cases than SQLite accepts parameters in one query: the player is erased all the same.
func TestErasePlayerOfManyCases(t *testing.T) {
	t.Parallel()
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		anna := storetest.CreatePlayer(t, s, "anna", 0)
		storetest.Restrict(t, s, "anna")
		findings := make([]models.Finding, 33_000)
		for i := range findings {
			findings[i] = models.Finding{Rule: models.CaseStatement, Key: fmt.Sprint(i), PlayerID: anna.ID}
		}
		_, _, err := s.OpenCases(t.Context(), findings)
		require.NoError(t, err)
		closed, err := s.DecideCases(t.Context(), storetest.Keeper, models.CaseFilter{Rule: models.CaseStatement},
			models.CaseExplained,
			"Anna's file was of another day.", 10)
		require.NoError(t, err)
		require.Equal(t, 10, closed)
		e, err := s.ErasePlayer(t.Context(), storetest.Keeper, "anna", "asked to")
		require.NoError(t, err)
		require.EqualValues(t, 10, e.CaseTexts)
		require.Zero(t, x.Number(t, "SELECT COUNT(*) FROM audit_events WHERE INSTR(reason, 'another day') > 0"))
	})
}
