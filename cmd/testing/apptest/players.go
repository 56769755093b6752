package apptest

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/http"
	"strings"

	"github.com/stretchr/testify/require"

	"pitboss/models"
)

// HostileNames are user IDs, and other IDs, that an attacker might send.
var HostileNames = []models.UserID{
	"anna", `"><script>alert(1)</script>`, `'><img src=x onerror=alert(1)>`, "{{.Reader.PasswordHash}}",
	"a/../b?c=d&e#f", "олександр.ш",
	models.UserID(strings.Repeat("w", 200)),
}

// Book books operations as the platform would.
func (s *Site) Book(ops ...models.Operation) {
	s.T.Helper()
	for _, op := range ops {
		op.Source = models.SourcePlatform
		result, err := s.Store.Apply(s.T.Context(), op)
		require.NoError(s.T, err)
		require.Contains(s.T, []models.Decline{models.None, models.Duplicate}, result.Decline)
	}
}

func Bet(user models.UserID, id, round string, amount models.Amount) models.Operation {
	return models.Operation{Kind: models.Bet, UserID: user, TransactionID: models.TransactionID(id),
		RoundID: models.RoundID(round), Bet: amount}
}

func Win(user models.UserID, id, round string, amount models.Amount) models.Operation {
	return models.Operation{Kind: models.Win, UserID: user, TransactionID: models.TransactionID(id),
		RoundID: models.RoundID(round), Win: amount}
}

func BetWin(user models.UserID, id, round string, bet, win models.Amount) models.Operation {
	return models.Operation{Kind: models.BetWin, UserID: user, TransactionID: models.TransactionID(id),
		RoundID: models.RoundID(round), Bet: bet, Win: win}
}

func FreeSpin(user models.UserID, id, round string, stake models.Amount) models.Operation {
	return models.Operation{Kind: models.Bet, FreeSpin: true, UserID: user, TransactionID: models.TransactionID(id),
		RoundID: models.RoundID(round), Bet: stake}
}

func Rollback(user models.UserID, id string) models.Operation {
	return models.Operation{Kind: models.Rollback, UserID: user, TransactionID: models.TransactionID(id)}
}

func (s *Site) PlayerWithBalance(user models.UserID, balance models.Amount) models.Player {
	s.T.Helper()
	p, err := s.Store.CreatePlayer(s.T.Context(), models.Actor{Name: "tester"},
		models.NewPlayer{UserID: user, Currency: "EUR", Balance: balance})
	require.NoError(s.T, err)
	return p
}

// PlayerWithHistory gives a player everything that pages can show: won, lost and void rounds, free spins, and a bet that was
// resent with different data.
func (s *Site) PlayerWithHistory(user models.UserID) models.Player {
	p := s.PlayerWithBalance(user, 10000)
	id := func(n int) string {
		return fmt.Sprintf("%d-%s", n, strings.ToValidUTF8(string(user)[:min(len(user), 30)], ""))
	}
	s.Book(
		Bet(user, id(1), id(100), 500), Win(user, id(2), id(100), 1250), // won
		Bet(user, id(3), id(101), 2500),                        // lost, or open
		Bet(user, id(4), id(102), 1000), Rollback(user, id(4)), // void
		BetWin(user, id(5), id(103), 200, 500), BetWin(user, id(6), id(104), 200, 0), // in one
		FreeSpin(user, id(7), id(105), 50), Win(user, id(8), id(105), 120),
		FreeSpin(user, id(9), id(106), 50), Rollback(user, id(9)),
		Win(user, id(10), id(107), 300), // without a bet
	)
	changed := Bet(user, id(1), id(100), 501)
	s.Book(changed)
	return p
}

// CameAgain logs a callback that resends the player's first bet with different data.
func (s *Site) CameAgain(p models.Player) {
	changed := Bet(p.UserID, fmt.Sprintf("1-%s", p.UserID), "another", 502)
	s.Callback(changed, 11)
}

// OpenGameAndGrant opens a game for a player and grants the player 20 free spins on it.
func (s *Site) OpenGameAndGrant(user models.UserID) models.Grant {
	s.T.Helper()
	ctx, by := s.T.Context(), models.Actor{Name: "bruno"}
	_, err := s.Store.SyncGames(ctx, by, models.GameSync{At: s.Now()},
		[]models.OfferedGame{{GameID: "vs20ember", Name: "Book of <b>Ember</b>"}})
	require.NoError(s.T, err)
	game, _, err := s.Store.Game(ctx, "vs20ember")
	require.NoError(s.T, err)
	p, _, err := s.Store.Player(ctx, user)
	require.NoError(s.T, err)
	session := models.GameSession{At: s.Now(), PlayerID: p.ID, UserID: user, Game: game.Ref(), Language: "de",
		Reason: "the reels froze"}
	session.ID, err = s.Store.BeginGameSession(ctx, by, session)
	require.NoError(s.T, err)
	session.State = models.GameSessionOpened
	require.NoError(s.T, s.Store.EndGameSession(ctx, by, session))
	grant, err := s.Store.RequestGrant(ctx, by,
		models.GrantRequest{UserID: user, GameID: "vs20ember", Spins: 20, Role: models.Bonus})
	require.NoError(s.T, err)
	_, err = s.Store.SendGrant(ctx, grant.ID)
	require.NoError(s.T, err)
	grant, err = s.Store.AnswerGrant(ctx, by, grant.ID,
		models.GrantOutcome{State: models.GrantActive, FreeSpinID: models.FreeSpinID("fs-" + string(user))})
	require.NoError(s.T, err)
	return grant
}

// Upload sends a file with the first page of an import.
func (b *Browser) Upload(name, content string) *Answer {
	b.T.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	require.NoError(b.T, form.WriteField("csrf", b.Token("/players/imports/new")))
	part, err := form.CreateFormFile("file", name)
	require.NoError(b.T, err)
	_, err = part.Write([]byte(content))
	require.NoError(b.T, err)
	require.NoError(b.T, form.Close())
	request, err := http.NewRequestWithContext(b.T.Context(), http.MethodPost, b.Site.Base.String()+"/players/imports/preview",
		&body)
	require.NoError(b.T, err)
	request.Header.Set("Content-Type", form.FormDataContentType())
	request.Header.Set("Origin", b.Site.Base.String())
	return b.Send(request)
}
