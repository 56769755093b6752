package db

import (
	"strings"

	"gorm.io/gorm"
)

// distinct has a statement per database that takes one step along an index for each value, without reading the rows in between.
// MariaDB does that for a GROUP BY of an indexed column, for which SQLite reads the whole index. SQLite does it with a
// recursive statement, for which MariaDB reads the whole index for each value.
var distinct = map[Dialect]string{
	MySQL: "SELECT COLUMN FROM TABLE GROUP BY COLUMN ORDER BY COLUMN",
	SQLite: "WITH RECURSIVE one (v) AS (SELECT MIN(COLUMN) FROM TABLE UNION ALL " +
		"SELECT (SELECT MIN(COLUMN) FROM TABLE WHERE COLUMN > v) FROM one WHERE v IS NOT NULL) " +
		"SELECT v FROM one WHERE v IS NOT NULL",
}

// Distinct returns the values of an indexed text column, sorted. It is fast if many rows have few values.
func (s *DB) Distinct(tx *gorm.DB, table, column string) (values []string, err error) {
	query := strings.NewReplacer("TABLE", table, "COLUMN", column).Replace(distinct[s.Dialect])
	return values, tx.Raw(query).Scan(&values).Error
}
