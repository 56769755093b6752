package storetest

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store"
)

// WriteCheckpoint writes a checkpoint, records it, and returns its file.
func WriteCheckpoint(t *testing.T, s *store.Store) []byte {
	t.Helper()
	var file bytes.Buffer
	cp, err := s.WriteCheckpoint(t.Context(), &file)
	require.NoError(t, err)
	require.NoError(t, s.RecordCheckpoint(t.Context(), Tester, cp, int64(file.Len()), "a file"))
	return file.Bytes()
}

// VerifyAgainst verifies the ledger against a checkpoint's file.
func VerifyAgainst(t *testing.T, s *store.Store, file []byte) models.Verification {
	t.Helper()
	cp, err := s.OpenCheckpoint(bytes.NewReader(file))
	require.NoError(t, err)
	v, err := s.VerifyAgainst(t.Context(), cp, nil)
	require.NoError(t, err)
	require.Equal(t, cp.Number, v.Held)
	return v
}
