package storetest

import (
	"testing"

	"pitboss/models/store"
)

// Open opens the store at cfg.URL, applies pending migrations, begins its ledger, and closes the store when the test ends.
func Open(t testing.TB, cfg store.Config) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	if _, err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.BeginLedger(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}
