package db

import "gorm.io/gorm"

// Distinct lists the values of an indexed text column in their order, one step along the index for each: the few kinds that
// many rows have. Rows between two values are not looked at, as they would be for SELECT DISTINCT.
func Distinct(tx *gorm.DB, table, column string) (values []string, err error) {
	// A statement for each value: within one recursive statement MariaDB looks for each next value through the whole index.
	for next := "SELECT MIN(" + column + ") FROM " + table; ; {
		var value *string
		q := tx.Raw(next)
		if len(values) > 0 {
			q = tx.Raw(next+" WHERE "+column+" > ?", values[len(values)-1])
		}
		if err := q.Scan(&value).Error; err != nil || value == nil {
			return values, err
		}
		values = append(values, *value)
	}
}
