package db

import (
	"database/sql"

	"gorm.io/gorm"
)

// One returns the first row that a query finds, or false if it finds none.
func One[T any](q *gorm.DB) (row T, found bool, err error) { return First(Find[T](q.Limit(1))) }

// Find returns the rows that a query finds.
func Find[T any](q *gorm.DB) (rows []T, err error) {
	err = q.Find(&rows).Error
	return rows, err
}

// All returns the rows of a written query.
func All[T any](tx *gorm.DB, query string, args ...any) (rows []T, err error) {
	err = tx.Raw(query, args...).Scan(&rows).Error
	return rows, err
}

// Value returns the only row of a written query.
func Value[T any](tx *gorm.DB, query string, args ...any) (value T, err error) {
	err = tx.Raw(query, args...).Scan(&value).Error
	return value, err
}

// Each runs a written query and calls scan for each row, so that the rows need not fit into memory.
func Each(tx *gorm.DB, scan func(*sql.Rows) error, query string, args ...any) error {
	rows, err := tx.Raw(query, args...).Rows()
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Need returns the first row that a query finds, or the error missing if it finds none.
func Need[T any](q *gorm.DB, missing error) (T, error) {
	row, found, err := One[T](q)
	if err == nil && !found {
		err = missing
	}
	return row, err
}

// ByNumber returns a value for each row with one of these numbers. q selects the columns id and value.
func ByNumber[T any](q *gorm.DB, ids []int64) (map[int64]T, error) {
	values := make(map[int64]T, len(ids))
	if len(ids) == 0 {
		return values, nil
	}
	var rows []struct {
		ID    int64
		Value T
	}
	if err := q.Where("id IN ?", ids).Scan(&rows).Error; err != nil {
		return nil, err
	}
	for _, r := range rows {
		values[r.ID] = r.Value
	}
	return values, nil
}

// First returns the first row of a list and whether there is one, and passes err on.
func First[T any](rows []T, err error) (row T, found bool, _ error) {
	if err != nil || len(rows) == 0 {
		return row, false, err
	}
	return rows[0], true, nil
}
