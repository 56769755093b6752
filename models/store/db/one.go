package db

import (
	"database/sql"
	"fmt"

	"gorm.io/gorm"
)

// One returns the first row that a query finds, or false if it finds none. Errors begin with doing.
func One[T any](q *gorm.DB, doing string) (row T, found bool, err error) {
	var rows []T
	if err := q.Limit(1).Find(&rows).Error; err != nil {
		return row, false, fmt.Errorf("%s: %w", doing, err)
	}
	return First(rows, nil)
}

// All returns the rows of a written query. Errors begin with doing.
func All[T any](tx *gorm.DB, doing, query string, args ...any) (rows []T, err error) {
	if err := tx.Raw(query, args...).Scan(&rows).Error; err != nil {
		return nil, fmt.Errorf("%s: %w", doing, err)
	}
	return rows, nil
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

// Need returns the first row that a query finds, or the error missing if it finds none. Other errors begin with doing.
func Need[T any](q *gorm.DB, missing error, doing string) (T, error) {
	row, found, err := One[T](q, doing)
	if err == nil && !found {
		err = missing
	}
	return row, err
}

// ByNumber returns a value for each row with one of these numbers. q selects the columns id and value. Errors begin with doing.
func ByNumber[T any](q *gorm.DB, ids []int64, doing string) (map[int64]T, error) {
	values := make(map[int64]T, len(ids))
	if len(ids) == 0 {
		return values, nil
	}
	var rows []struct {
		ID    int64
		Value T
	}
	if err := q.Where("id IN ?", ids).Scan(&rows).Error; err != nil {
		return nil, fmt.Errorf("%s: %w", doing, err)
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
