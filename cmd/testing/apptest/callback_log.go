package apptest

import (
	"net/netip"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// Callback applies an operation as a callback from the platform would, and logs it as the callback listener would.
func (s *Site) Callback(op models.Operation, result int) models.Callback {
	s.T.Helper()
	op.Source, op.Sender = models.SourcePlatform, storetest.Sender(s.Now())
	r, err := s.Store.Apply(s.T.Context(), op)
	require.NoError(s.T, err)
	c := storetest.Logged(op, r)
	if c.Answered.Result = result; r.Decline != models.None {
		require.NoError(s.T, s.Store.LogCallbacks(s.T.Context(), []models.Callback{c}))
	}
	c, found, err := s.Store.CallbackByRequest(s.T.Context(), c.Request)
	require.NoError(s.T, err)
	require.True(s.T, found)
	return c
}

// LogCallback logs a callback that never reached the store.
func (s *Site) LogCallback(c models.Callback) models.Callback {
	s.T.Helper()
	c.At = time.Now().UTC().Truncate(time.Microsecond)
	c.Request = storetest.Request(c.At.Add(-time.Millisecond))
	require.NoError(s.T, s.Store.LogCallbacks(s.T.Context(), []models.Callback{c}))
	return c
}

// ManyCallbacks logs callbacks of many kinds: a bet that came three times, one that was too large, a rollback, a free spin, and
// requests from strangers.
func (s *Site) ManyCallbacks(user models.UserID, id string) (bets, changed, poor, forged, lost models.Callback) {
	s.T.Helper()
	first := Bet(user, id+"-1", id+"-r1", 2500)
	bets = s.Callback(first, 0)
	s.Callback(first, 11)
	other := first
	other.Bet, other.RoundID = 2501, "another"
	changed = s.Callback(other, 11)
	poor = s.Callback(Bet(user, id+"-2", id+"-r2", 1<<40), 6)
	s.Callback(BetWin(user, id+"-3", id+"-r3", 200, 500), 0)
	s.Callback(FreeSpin(user, id+"-4", id+"-r4", 50), 0)
	s.Callback(Bet(user, id+"-5", id+"-r5", 1000), 0)
	s.Callback(Rollback(user, id+"-5"), 0)
	s.Callback(Rollback(user, id+"-6"), 8)
	answered := models.Answered{Result: 3, Status: 200}
	forged = s.LogCallback(models.Callback{
		Kind: models.Withdraw, Verdict: models.VerdictInvalidSign, Address: netip.MustParseAddr("2001:db8::99"), UserID: user,
		TransactionID: models.TransactionID(id + "-1"),
		RoundID:       "<script>alert(1)</script>", Amount: "much", Cause: "the sign does not match", Answered: answered,
	})
	lost = s.LogCallback(models.Callback{
		Kind: models.Deposit, Verdict: models.VerdictNoAnswer, Address: netip.MustParseAddr("203.0.113.7"), UserID: user,
		TransactionID: models.TransactionID(id + "-9"),
		Amount:        "5.00", Cause: "context deadline exceeded",
		Answered: models.Answered{Result: 1, Status: 503},
	})
	return bets, changed, poor, forged, lost
}
