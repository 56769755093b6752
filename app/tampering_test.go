package app

import (
	"fmt"
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

// A row of an export that was changed in the database is shown as such: not under another's name, and without its filters. The
// others stay.
func TestAttackExportsListed(t *testing.T) {
	storetest.Each(t, func(t *testing.T, dbURL string) {
		s := newSite(t, dbURL)
		mira, chloe := s.signedIn("mira", models.Finance), s.signedIn("chloe", models.Compliance)
		first := mira.askFor("/games?q=first", models.CSV)
		mira.askFor("/games?q=second", models.CSV)
		require.Equal(t, 2, mira.get("/exports").Find("#exports tbody tr").Length())
		alterDB(t, dbURL, "UPDATE exports SET staff_id = ?, actor = 'chloe', title = 'Staff' WHERE id = ?",
			mustBe(t, s, "chloe").ID, first.ID)
		shown := chloe.get("/exports").Find("#exports tbody")
		require.Equal(t, 2, shown.Find("tr").Length())
		row := shown.Find("tr").Last().Text()
		for _, want := range []string{fmt.Sprint("Export ", first.ID), "Altered", "changed in the database, not by Pitboss"} {
			require.Contains(t, row, want)
		}
		for _, altered := range []string{"Staff", "chloe", "first", "Download"} {
			require.NotContains(t, row, altered)
		}
		require.Contains(t, shown.Find("tr").First().Text(), "second")
		require.Equal(t, http.StatusConflict, chloe.get(fmt.Sprint("/exports/", first.ID)).status)
		desk := chloe.get("/").Text()
		require.Contains(t, desk, fmt.Sprint("Export ", first.ID))
	})
}
