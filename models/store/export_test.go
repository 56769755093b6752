package store

import (
	"context"
	"database/sql"

	"pitboss/models/store/db"
)

// ExecWhereRead executes a statement on the database that reads with this context come from, as a bug might.
func (s *Store) ExecWhereRead(ctx context.Context, statement string) error {
	_, err := s.db.Pools.Read.ExecContext(ctx, statement)
	return err
}

// SinglePools limits the store to one connection for reads, and returns its pools. On SQLite, the pool for writes is separate,
// and has one connection anyway. The counters of the pools' connections then include all reads.
func (s *Store) SinglePools() []*sql.DB {
	s.db.Pools.Read.SetMaxOpenConns(1)
	if s.db.Pools.Write == s.db.Pools.Read {
		return []*sql.DB{s.db.Pools.Read}
	}
	return []*sql.DB{s.db.Pools.Read, s.db.Pools.Write}
}

// LookNear has pages of lists look through fewer rows for those that match, so that a small table shows that they stop.
func (s *Store) LookNear() { s.db.Far = db.Far{AlongTable: 5_000, AlongIndex: 2_000} }

// OnMySQL reports whether the database is MySQL or MariaDB.
func (s *Store) OnMySQL() bool { return s.db.Dialect == db.MySQL }
