package app

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/pages"
	"pitboss/models"
	"pitboss/models/store/storetest"
)

// Somebody who can only write to the database inserts and changes rows that would move money or let them in. Nobody can act on
// any of these rows.
func TestAttackInsertedCorrection(t *testing.T) {
	storetest.Each(t, func(t *testing.T, dbURL string) {
		s := newSite(t, dbURL)
		mira, jonas := s.signedIn("mira", models.Finance), s.signedIn("jonas", models.Finance)
		s.stranded("anna", "bet", 10000, 100)
		mira.asks(url.Values{"kind": {"credit"}, "player": {"anna"}, "amount": {"5.00"}, "reason": {"goodwill"},
			"text": {"As agreed."}})
		before := s.balance("anna")
		const columns = `at_us, kind, player_id, transaction_id, round_id, reason, note, reference, another, maker_id, maker, maker_role, asked_before_minor, state,
			checker_id, checker, checker_role, alone, decided_at_us, decision_note, seq, spin, before_minor, after_minor`
		alterDB(t, dbURL, "INSERT INTO corrections (amount_minor, effect_minor, "+columns+") SELECT 900000, 900000, "+columns+
			" FROM corrections WHERE id = 1")
		alterDB(t, dbURL, "UPDATE corrections SET amount_minor = 80000, effect_minor = 80000 WHERE id = 1")
		for _, path := range []string{pages.CorrectionPath(1), pages.CorrectionPath(2)} {
			refused := jonas.approves(path)
			require.Equal(t, http.StatusConflict, refused.status, refused.text)
			require.Contains(t, refused.text, "The database and the audit log disagree")
			require.Contains(t, refused.text, "/integrity")
		}
		require.Equal(t, before, s.balance("anna"))

		// As it was requested, it can be approved.
		alterDB(t, dbURL, "UPDATE corrections SET amount_minor = 500, effect_minor = 500 WHERE id = 1")
		require.Equal(t, http.StatusSeeOther, jonas.approves(pages.CorrectionPath(1)).status)
		require.Equal(t, before+500, s.balance("anna"))

		// A role changed in the database lets nobody in.
		alterDB(t, dbURL, "UPDATE staff SET role = 'admin' WHERE username = 'mira'")
		require.Equal(t, http.StatusConflict, mira.get("/staff").status)
		require.Equal(t, http.StatusConflict, mira.get("/").status)
		again := s.browser("198.51.100.9")
		require.Equal(t, http.StatusConflict, again.signIn("mira", password).status)
		require.Equal(t, http.StatusOK, jonas.get("/").status, "others go on working")
	})
}
