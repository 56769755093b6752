package db

import "io/fs"

// BeGalera makes the store treat the database as a Galera cluster.
func (s *DB) BeGalera() { s.Pools.galera.Store(true) }

// Columns returns the columns of each table that the migrations in a file system make.
func Columns(from fs.FS, d Dialect) (map[string][]string, error) {
	list, err := readTables(from, d)
	columns := map[string][]string{}
	for _, t := range list {
		columns[t.name] = t.columns
	}
	return columns, err
}
