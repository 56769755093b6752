package store

import "context"

// ExecWhereRead runs a statement where the reads of a context go, as a bug might.
func (s *Store) ExecWhereRead(ctx context.Context, statement string) error {
	_, err := s.db.Reads.ExecContext(ctx, statement)
	return err
}
