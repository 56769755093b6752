package store

import (
	"context"
	"database/sql"

	"pitboss/models/store/db"
)

// ExecWhereRead runs a statement where the reads of a context go, as a bug might.
func (s *Store) ExecWhereRead(ctx context.Context, statement string) error {
	_, err := s.db.Reads.ExecContext(ctx, statement)
	return err
}

// SinglePools leaves the store one connection to read with, and on SQLite one to write, and returns their pools: a connection's
// counters then include all reads.
func (s *Store) SinglePools() []*sql.DB {
	s.db.Pools.Read.SetMaxOpenConns(1)
	if s.db.Pools.Write == s.db.Pools.Read {
		return []*sql.DB{s.db.Pools.Read}
	}
	return []*sql.DB{s.db.Pools.Read, s.db.Pools.Write}
}

// OnMySQL reports whether the database is MySQL or MariaDB.
func (s *Store) OnMySQL() bool { return s.db.Dialect == db.MySQL }
