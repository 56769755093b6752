package storetest

import (
	"testing"

	"pitboss/models"
	"pitboss/models/store"
)

// BookEveryKind books a small ledger with a line of every kind, and records a callback text that was refused.
func BookEveryKind(t *testing.T, s *store.Store) (anna, bert, carl int64) {
	t.Helper()
	anna, bert, carl = CreatePlayer(t, s, "anna", 10000).ID, CreatePlayer(t, s, "bert", 10000).ID,
		CreatePlayer(t, s, "carl", 0).ID
	for _, op := range []models.Operation{
		Bet("anna", "b1", 1000), Rollback("anna", "b1"), Win("anna", "w1", 700), BetWin("anna", "bw1", 500, 900),
		Rollback("anna", "bw1"),
		BetWin("anna", "bw2", 300, 0), FreeSpin("anna", "s1", 50), Rollback("anna", "s1"), FreeSpin("anna", "s2", 60),
		Bet("anna", "b2", 0),
		Rollback("anna", "t1"), Win("anna", "w2", 40), Rollback("anna", "w2"), Bet("anna", "b3", 1),
		Bet("bert", "x1", 100), Rollback("bert", "t1"), FreeSpin("bert", "s3", 10), Bet("bert", "x2", 100),
	} {
		Apply(t, s, op)
	}
	if err := s.KeepRefused(t.Context(), "a refused text", models.Reading{}); err != nil {
		t.Fatal(err)
	}
	return anna, bert, carl
}
