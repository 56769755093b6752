package players_test

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// callbacksIn applies a random history of callbacks, a second apart, and writes refusals between them. It returns what the log
// must have, newest first, without the fields that reading adds.
func callbacksIn(t *testing.T, x *storetest.Database, n int) (log []models.Callback) {
	t.Helper()
	now := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
	x.Config.Now = func() time.Time { return now }
	s := x.Open(t)
	players := []models.Player{storetest.CreatePlayer(t, s, "anna", 100000), storetest.CreatePlayer(t, s, "<b>öl</b>", 100000),
		storetest.CreatePlayer(t, s, "carl", 0)}
	random := rand.New(rand.NewPCG(3, 4))
	addresses := []netip.Addr{netip.MustParseAddr("203.0.113.7"), netip.MustParseAddr("2001:db8::7"), {}}
	keep := func(c models.Callback) {
		if c.Verdict != models.Applied {
			require.NoError(t, s.LogCallbacks(t.Context(), []models.Callback{c}))
		}
		c.PlayerID, c.Seq, c.Spin = 0, 0, false
		log = append(log, c)
	}
	var applied []models.Operation
	for i := range n {
		now = now.Add(time.Second)
		request := models.RequestID{Received: now.Add(-2 * time.Millisecond), Number: 7<<32 | int64(i+1)}
		p := players[random.IntN(3)]
		id := models.TransactionID(fmt.Sprintf("t-%03d", i))
		op := storetest.Bet(p.UserID, id, 10)
		switch random.IntN(10) {
		case 0:
			op = storetest.Win(p.UserID, id, 20)
		case 1:
			op = storetest.BetWin(p.UserID, id, 5, 7)
		case 2:
			op = storetest.FreeSpin(p.UserID, id, 30)
		case 3, 4:
			if len(applied) > 0 {
				first := applied[random.IntN(len(applied))]
				op = storetest.Rollback(first.UserID, first.TransactionID)
			}
		case 5, 6:
			if len(applied) > 0 {
				op = applied[random.IntN(len(applied))]
			}
		case 7:
			if len(applied) > 0 {
				op = applied[random.IntN(len(applied))]
				op.RoundID = "another"
			}
		case 8:
			op = storetest.Rollback(p.UserID, id)
		case 9:
			c := models.Callback{
				At: now, Request: request, Kind: models.Withdraw, Verdict: models.VerdictInvalidSign,
				Address: addresses[random.IntN(3)], UserID: "anna",
				TransactionID: "t-000", RoundID: "?", Amount: "1.0", Cause: "the sign does not match",
				Answered: models.Answered{Result: 3, Status: 200},
			}
			if i%2 == 0 {
				c.Kind, c.UserID, c.TransactionID, c.Verdict = models.GetBalance, "nobody", "", models.VerdictUnknownPlayer
			}
			keep(c)
			continue
		}
		op.Sender = models.Sender{Request: request, Address: addresses[random.IntN(3)]}
		r := storetest.Apply(t, s, op)
		if r.Decline == models.None && op.Kind != models.Rollback {
			applied = append(applied, op)
		}
		keep(storetest.Logged(op, r))
	}
	slices.Reverse(log)
	return log
}

func TestCallbackLog(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		log := callbacksIn(t, x, 250)
		s := x.Open(t)
		plain := func(c models.Callback) models.Callback {
			c.PlayerID, c.Seq, c.Spin, c.Transaction, c.Currency, c.Before, c.After = 0, 0, false, 0, "", nil, nil
			return c
		}
		list := func(t *testing.T, f models.CallbackFilter) []models.Callback {
			f.Limit = 7
			return storetest.Pages(t, 7, func(c models.Callback) models.Cursor { return c.Cursor() },
				func(at models.Cursor) models.Page[models.Callback] {
					f.Page = at
					page, err := s.Callbacks(t.Context(), f)
					require.NoError(t, err)
					return page
				})
		}
		since, until := log[200].At, log[50].At
		for name, f := range map[string]models.CallbackFilter{
			"all":                    {},
			"endpoint":               {Kind: models.BetWinCallback},
			"rollbacks":              {Kind: models.RollbackTransaction},
			"balances":               {Kind: models.GetBalance},
			"applied":                {Verdicts: []models.Verdict{models.Applied}},
			"duplicates":             {Verdicts: []models.Verdict{models.VerdictDuplicate, models.VerdictOtherContents}},
			"other contents":         {Verdicts: []models.Verdict{models.VerdictOtherContents}},
			"signs":                  {Verdicts: []models.Verdict{models.VerdictInvalidSign}},
			"refused":                {Refused: true},
			"player":                 {UserID: "anna"},
			"hostile player":         {UserID: "<b>öl</b>"},
			"nobody":                 {UserID: "nobody"},
			"player in another case": {UserID: "Anna"},
			"transaction":            {TransactionID: "t-000"},
			"address":                {Address: netip.MustParseAddr("2001:db8::7")},
			"strange address":        {Address: netip.MustParseAddr("192.0.2.1")},
			"times":                  {Span: models.Span{Since: since, Until: until}},
			"player and endpoint":    {UserID: "anna", Kind: models.Withdraw},
			"player and times":       {UserID: "anna", Span: models.Span{Since: since, Until: until}},
			"player and transaction": {UserID: "anna", TransactionID: "t-000"},
			"transaction of another": {UserID: "nobody", TransactionID: "t-000"},
			"player and refused":     {UserID: "anna", Refused: true},
			"address and endpoint":   {Address: netip.MustParseAddr("203.0.113.7"), Kind: models.Deposit},
			"address, applied, and times": {Address: netip.MustParseAddr("203.0.113.7"),
				Verdicts: []models.Verdict{models.Applied}, Span: models.Span{Since: since}},
		} {
			t.Run(name, func(t *testing.T) {
				var want, got []models.Callback
				for _, c := range log {
					if f.Matches(&c) {
						want = append(want, c)
					}
				}
				for _, c := range list(t, f) {
					got = append(got, plain(c))
				}
				require.Equal(t, want, got)
			})
		}
		var wins, spins, rollbacks int
		for i, c := range list(t, models.CallbackFilter{}) {
			byPlace, found, err := s.Callback(t.Context(), c.Cursor())
			require.NoError(t, err)
			require.True(t, found)
			require.Equal(t, c, byPlace)
			id, err := models.ParseRequestID(log[i].Request.String())
			require.NoError(t, err)
			byRequest, found, err := s.CallbackByRequest(t.Context(), id)
			require.NoError(t, err)
			require.True(t, found)
			require.Equal(t, c, byRequest)
			switch {
			case c.Verdict == models.Applied && c.Spin:
				spins++
				require.Nil(t, c.After)
			case c.Verdict == models.Applied && c.Kind == models.BetWinCallback:
				wins++
				require.EqualValues(t, 2, *c.After-*c.Before)
			case c.Verdict == models.Applied && c.Kind == models.RollbackTransaction:
				rollbacks++
			}
			if c.Verdict == models.Applied {
				require.NotZero(t, c.Transaction)
				require.EqualValues(t, "EUR", c.Currency)
			}
		}
		require.NotZero(t, wins*spins*rollbacks)
		_, found, err := s.Callback(t.Context(), models.Cursor{At: log[0].At, ID: 1})
		require.NoError(t, err)
		require.False(t, found)
	})
}

// Several callbacks at the same moment keep their order across pages.
func TestCallbacksOfOneMoment(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		now := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
		x.Config.Now = func() time.Time { return now }
		s := x.Open(t)
		storetest.CreatePlayer(t, s, "anna", 100000)
		storetest.CreatePlayer(t, s, "bert", 100000)
		for i := range 60 {
			op := storetest.Bet([]models.UserID{"anna", "bert"}[i%2], models.TransactionID(fmt.Sprint(i)), 1)
			if i%3 == 0 {
				op.Bet = 1 << 40 // declined
			}
			op.Sender.Request = models.RequestID{Received: now, Number: int64(1<<32 + i*7%60 + 1)}
			storetest.Called(t, s, op)
			if i%20 == 19 {
				now = now.Add(time.Microsecond)
			}
		}
		for _, f := range []models.CallbackFilter{{}, {UserID: "anna"}} {
			f.Limit = 4
			all := storetest.Pages(t, 4, func(c models.Callback) models.Cursor { return c.Cursor() },
				func(at models.Cursor) models.Page[models.Callback] {
					f.Page = at
					page, err := s.Callbacks(t.Context(), f)
					require.NoError(t, err)
					return page
				})
			want := 60
			if f.UserID != "" {
				want = 30
			}
			require.Len(t, all, want)
			require.True(t, slices.IsSortedFunc(all, func(a, b models.Callback) int {
				if order := b.At.Compare(a.At); order != 0 {
					return order
				}
				return int(b.Request.Number - a.Request.Number)
			}))
		}
	})
}

func TestCallbackLogIsWrittenOnce(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		at := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
		var list []models.Callback
		for i := range 1200 {
			id := models.RequestID{Received: at, Number: int64(i + 1)}
			list = append(list, models.Callback{At: at, Request: id, Verdict: models.VerdictInvalidSign,
				UserID: models.UserID(strings.Repeat("\U0001F3B0", 15) + "'")})
		}
		for range 2 {
			require.NoError(t, s.LogCallbacks(t.Context(), list))
		}
		require.EqualValues(t, 1200, x.Number(t, "SELECT COUNT(*) FROM callback_records"))
	})
}

func TestPurgeCallbacks(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		log := callbacksIn(t, x, 250)
		s := x.Open(t)
		before := log[100].At
		deleted, err := s.PurgeCallbacks(t.Context(), before)
		require.NoError(t, err)
		require.NotZero(t, deleted)
		require.NotZero(t, x.Number(t, "SELECT COUNT(*) FROM callback_records"))
		require.GreaterOrEqual(t, x.Number(t, "SELECT MIN(at_us) FROM callback_records"), before.UnixMicro())
		page, err := s.Callbacks(t.Context(), models.CallbackFilter{Span: models.Span{Limit: 300}})
		require.NoError(t, err)
		kept := 0
		for i, c := range log {
			if i <= 100 || c.Verdict == models.Applied {
				kept++
			}
		}
		require.Len(t, page.Rows, kept)
		page, err = s.Callbacks(t.Context(), models.CallbackFilter{Span: models.Span{Limit: 300}, UserID: "anna"})
		require.NoError(t, err)
		require.NotEmpty(t, page.Rows)
		deleted, err = s.PurgeCallbacks(t.Context(), before)
		require.NoError(t, err)
		require.Zero(t, deleted)
	})
}
