package bonus_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/bonus"
	"pitboss/models"
)

func TestSheets(t *testing.T) {
	now := time.Now()
	sheets := &bonus.Sheets{Dir: filepath.Join(t.TempDir(), "sheets"), Now: func() time.Time { return now }}
	id, err := sheets.Add(bonus.Sheet{StaffID: 7, FileName: "x.csv", Rows: []models.GrantRow{{Line: 2, Player: "anna"}}})
	require.NoError(t, err)
	require.NoError(t, sheets.Change(7, id, func(s *bonus.Sheet) { s.Rows[0].Player = "bert" }))
	sheet, err := sheets.Sheet(7, id)
	require.NoError(t, err)
	require.Equal(t, "bert", sheet.Rows[0].Player)
	for _, row := range []struct {
		staffID int64
		id      string
	}{{8, id}, {7, ""}, {7, "../7-" + id}, {7, id[:25]}, {7, id + "A"}} {
		_, err := sheets.Sheet(row.staffID, row.id)
		require.ErrorIs(t, err, bonus.ErrSheetGone, row)
		require.ErrorIs(t, sheets.Change(row.staffID, row.id, func(*bonus.Sheet) {}), bonus.ErrSheetGone)
	}
	info, err := os.Stat(sheets.Dir)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())

	for range 25 {
		_, err := sheets.Add(bonus.Sheet{StaffID: 9})
		require.NoError(t, err)
	}
	files, err := filepath.Glob(filepath.Join(sheets.Dir, "9-*"))
	require.NoError(t, err)
	require.Len(t, files, 20)
	now = now.Add(13 * time.Hour)
	_, err = sheets.Add(bonus.Sheet{StaffID: 9})
	require.NoError(t, err)
	files, err = filepath.Glob(filepath.Join(sheets.Dir, "*"))
	require.NoError(t, err)
	require.Len(t, files, 1, "sheets that are too old are deleted")
}
