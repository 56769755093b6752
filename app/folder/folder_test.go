package folder_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pitboss/app/folder"
)

const mark = ".mark"

func TestName(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	_, err := folder.Marked(dir, mark)
	require.ErrorIs(t, err, fs.ErrNotExist)
	name, err := folder.Name(dir, mark)
	require.NoError(t, err)
	require.NotEmpty(t, name)
	again, err := folder.Name(dir, mark)
	require.NoError(t, err)
	require.Equal(t, name, again)
	marked, err := folder.Marked(dir, mark)
	require.NoError(t, err)
	require.Equal(t, name, marked)
	other, err := folder.Name(t.TempDir(), mark)
	require.NoError(t, err)
	require.NotEqual(t, name, other)

	info, err := os.Stat(dir)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o700), info.Mode().Perm())
	require.NoError(t, os.WriteFile(filepath.Join(dir, mark), nil, 0o600))
	_, err = folder.Name(dir, mark)
	require.ErrorContains(t, err, "delete it")
}

// Calls at the same time get the same name.
func TestNameAtOnce(t *testing.T) {
	for range 50 {
		dir := t.TempDir()
		var names sync.Map
		var all sync.WaitGroup
		for range 16 {
			all.Go(func() {
				name, err := folder.Name(dir, mark)
				assert.NoError(t, err)
				names.Store(name, true)
			})
		}
		all.Wait()
		n := 0
		names.Range(func(_, _ any) bool { n++; return true })
		require.Equal(t, 1, n)
	}
}
