package db

import "gorm.io/gorm"

// Distinct lists the values of an indexed text column in their order, one step along the index for each: the few kinds that
// many rows have. Rows between two values are not looked at, as they would be for SELECT DISTINCT.
func Distinct(tx *gorm.DB, table, column string) (values []string, err error) {
	next := "SELECT MIN(" + column + ") FROM " + table
	err = tx.Raw("WITH RECURSIVE v (x) AS (" + next + " UNION ALL SELECT (" + next + " WHERE " + column + " > v.x) FROM v " +
		"WHERE v.x IS NOT NULL) SELECT x FROM v WHERE x IS NOT NULL ORDER BY x").Scan(&values).Error
	return values, err
}
