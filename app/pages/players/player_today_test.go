package players_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/pages"
	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

// What a player has won today covers only play, without the wallet's opening balance and corrections.
func TestNetOfTodayIsAboutPlay(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		p, err := s.Store.CreatePlayer(t.Context(), apptest.Tester,
			models.NewPlayer{UserID: "anna", Currency: "EUR", Balance: 100000})
		require.NoError(t, err)
		mira, jonas := s.SignedIn("mira", models.Finance), s.SignedIn("jonas", models.Finance)
		today := func() (value, note string) {
			t.Helper()
			fact := mira.Get(pages.PlayerPath(p.ID)).Find(".pb-facts > div:contains('Net from play today') dd")
			require.Equal(t, 1, fact.Length())
			note = fact.Find("small").Text()
			return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(fact.Text()), note)), note
		}
		value, note := today()
		require.Equal(t, "0.00 EUR", value)
		require.Equal(t, "from 0.00 at midnight, not counted: opening balance +1,000.00", note)
		require.Zero(t, s.Apply(models.Operation{Kind: models.Bet, UserID: "anna", TransactionID: "b", RoundID: "r",
			Bet: 1000}).Decline)
		require.Zero(t, s.Apply(models.Operation{Kind: models.Win, UserID: "anna", TransactionID: "w", RoundID: "r",
			Win: 250}).Decline)
		asked := mira.RequestCorrection(map[string][]string{"kind": {"credit"}, "player": {"anna"}, "amount": {"50.00"},
			"reason": {"goodwill"}, "text": {"As agreed."}})
		require.Equal(t, http.StatusOK, asked.Status)
		path := pages.CorrectionPath(1)
		require.Equal(t, http.StatusSeeOther,
			jonas.Post("", path+"/approval", apptest.FieldsOf(jonas.Get(path), ".pb-confirm", "password",
				apptest.Password)).Status)
		value, note = today()
		require.Equal(t, "−7.50 EUR", value)
		require.Equal(t, "from 0.00 at midnight, not counted: opening balance +1,000.00, corrections +50.00", note)

		s.Later(48 * time.Hour)
		require.Equal(t, http.StatusSeeOther, mira.SignIn("mira", apptest.Password).Status)
		value, note = today()
		require.Equal(t, "0.00 EUR", value)
		require.Equal(t, "from 1,042.50 at midnight", note)
	})
}

// Bets that were refused on earlier days are one click away.
func TestRefusedBetsOfEarlierDays(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		s.PlayerWithRefusedBet()
		anna, _, err := s.Store.Player(t.Context(), "anna")
		require.NoError(t, err)
		bert := s.PlayerWithBalance("bert", 0)
		s.Later(48 * time.Hour)
		sofia := s.SignedIn("sofia", models.Support)
		fact := func(p models.Player) *apptest.Selection {
			t.Helper()
			fact := sofia.Get(pages.PlayerPath(p.ID)).Find(".pb-facts > div:contains('Refused today') dd")
			require.Equal(t, 1, fact.Length())
			return fact
		}
		refused := fact(anna)
		require.Contains(t, refused.Text(), "None")
		require.Contains(t, refused.Text(), "needed 1,000.00, had 575.00")
		list := sofia.Get(refused.Find("a").AttrOr("href", ""))
		require.Equal(t, 2, list.Find("tbody tr").Length(), "the platform sent it twice")
		require.Contains(t, list.Find("tbody").Text(), "needed 1,000.00, had 575.00")
		require.Equal(t, "None", strings.TrimSpace(fact(bert).Text()))
	})
}
