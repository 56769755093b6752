package db_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"

	"pitboss/models/store/db"
)

// An error says which statement failed, without its values, and is still the database's error.
func TestErrorsNameStatements(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		d, err := db.Open(t.Context(), db.Config{URL: url})
		require.NoError(t, err)
		defer d.Close()
		write := d.Write.WithContext(t.Context())
		row := db.Lease{Name: "twice"}
		require.NoError(t, write.Create(&row).Error)
		err = write.Create(&row).Error
		require.ErrorContains(t, err, "insert leases: ")
		require.True(t, db.IsDuplicate(err))
		require.ErrorContains(t, write.Exec("UPDATE leases SET nothing = 'secret'").Error, "update leases: ")
		_, err = db.All[int64](write, "SELECT n FROM (SELECT nothing AS n FROM leases) l")
		require.ErrorContains(t, err, "select leases: ")
	})
}
