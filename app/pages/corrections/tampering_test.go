package corrections_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/pages"
	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// Somebody with nothing but write access to the database inserts and alters rows that would move money or let them sign in.
// None of these rows can be used.
func TestAttackInsertedCorrection(t *testing.T) {
	storetest.Each(t, func(t *testing.T, dbURL string) {
		s := apptest.NewSite(t, dbURL)
		mira, jonas := s.SignedIn("mira", models.Finance), s.SignedIn("jonas", models.Finance)
		s.PlayerWithOpenBet("anna", "bet", 10000, 100)
		mira.RequestCorrection(url.Values{"kind": {"credit"}, "player": {"anna"}, "amount": {"5.00"}, "reason": {"goodwill"},
			"text": {"As agreed."}})
		before := s.Balance("anna")
		const columns = `at_us, kind, player_id, transaction_id, round_id, reason, note, reference, another, maker_id, maker, maker_role, asked_before_minor, state,
			checker_id, checker, checker_role, decided_at_us, decision_note, seq, spin, before_minor, after_minor`
		apptest.AlterDatabase(t, dbURL,
			"INSERT INTO corrections (amount_minor, effect_minor, "+columns+") SELECT 900000, 900000, "+columns+
				" FROM corrections WHERE id = 1")
		apptest.AlterDatabase(t, dbURL, "UPDATE corrections SET amount_minor = 80000, effect_minor = 80000 WHERE id = 1")
		for _, path := range []string{pages.CorrectionPath(1), pages.CorrectionPath(2)} {
			refused := jonas.ApproveCorrection(path)
			require.Equal(t, http.StatusConflict, refused.Status, refused.Body)
			require.Contains(t, refused.Body, "The database and the audit log disagree")
			require.Contains(t, refused.Body, "/integrity")
		}
		require.Equal(t, before, s.Balance("anna"))

		// With its original values, the request can be approved.
		apptest.AlterDatabase(t, dbURL, "UPDATE corrections SET amount_minor = 500, effect_minor = 500 WHERE id = 1")
		require.Equal(t, http.StatusSeeOther, jonas.ApproveCorrection(pages.CorrectionPath(1)).Status)
		require.Equal(t, before+500, s.Balance("anna"))

		// A role that was changed in the database lets nobody sign in.
		apptest.AlterDatabase(t, dbURL, "UPDATE staff SET role = 'admin' WHERE username = 'mira'")
		require.Equal(t, http.StatusConflict, mira.Get("/staff").Status)
		require.Equal(t, http.StatusConflict, mira.Get("/").Status)
		again := s.Browser("198.51.100.9")
		require.Equal(t, http.StatusConflict, again.SignIn("mira", apptest.Password).Status)
		require.Equal(t, http.StatusOK, jonas.Get("/").Status, "others go on working")
	})
}
