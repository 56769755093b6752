package db

import (
	"strings"

	"gorm.io/gorm"
)

// Distinct returns the values of an indexed text column, sorted, in one step along the index for each value. MariaDB does that
// for a GROUP BY, and SQLite for a recursive statement; each would read the whole index for the other's.
func (s *DB) Distinct(tx *gorm.DB, table, column string) (values []string, err error) {
	query := s.Dialect.pick("SELECT COLUMN FROM TABLE GROUP BY COLUMN ORDER BY COLUMN",
		"WITH RECURSIVE one (v) AS (SELECT MIN(COLUMN) FROM TABLE UNION ALL "+
			"SELECT (SELECT MIN(COLUMN) FROM TABLE WHERE COLUMN > v) FROM one WHERE v IS NOT NULL) "+
			"SELECT v FROM one WHERE v IS NOT NULL")
	query = strings.NewReplacer("TABLE", table, "COLUMN", column).Replace(query)
	return values, tx.Raw(query).Scan(&values).Error
}
