package db

import (
	"strings"

	"gorm.io/gorm"
)

// distinct takes one step along an index for each value, so that the rows between two values are not read. MariaDB does so by
// itself for a GROUP BY of an index; in a recursive statement it would read the whole index for each value, as SQLite would for
// the GROUP BY.
var distinct = map[Dialect]string{
	MySQL: "SELECT COLUMN FROM TABLE GROUP BY COLUMN ORDER BY COLUMN",
	SQLite: "WITH RECURSIVE one (v) AS (SELECT MIN(COLUMN) FROM TABLE UNION ALL " +
		"SELECT (SELECT MIN(COLUMN) FROM TABLE WHERE COLUMN > v) FROM one WHERE v IS NOT NULL) SELECT v FROM one WHERE v IS NOT NULL",
}

// Distinct lists the values of an indexed text column in their order: the few kinds that many rows have.
func (s *DB) Distinct(tx *gorm.DB, table, column string) (values []string, err error) {
	query := strings.NewReplacer("TABLE", table, "COLUMN", column).Replace(distinct[s.Dialect])
	return values, tx.Raw(query).Scan(&values).Error
}
