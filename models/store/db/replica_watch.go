package db

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"pitboss/models"
)

// followReplicas writes beats and asks the replicas for them until ctx ends.
func (s *DB) followReplicas(ctx context.Context) error {
	r := s.replicas
	p, err := s.provider(s.Pools.Write)
	if err != nil {
		return err
	}
	for _, source := range p.ListSources() {
		r.schema = max(r.schema, source.Version)
	}
	r.beat = beatPrefix + rand.Text()
	every := func(do func()) {
		s.following.Go(func() {
			tick := time.NewTicker(beatEvery)
			defer tick.Stop()
			for {
				do()
				select {
				case <-ctx.Done():
					return
				case <-tick.C:
				}
			}
		})
	}
	every(func() { _ = s.writeBeat(ctx) }) // an error shows elsewhere; without beats the replicas count as behind
	for _, one := range r.list {
		every(func() { s.poll(ctx, one) })
	}
	return nil
}

// writeBeat writes the time to the primary. It reads the time first, so that everything committed before that time precedes the
// beat in the order of commits.
func (s *DB) writeBeat(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, pollTimeout)
	defer cancel()
	now := s.Now()
	done, err := s.Pools.Write.ExecContext(ctx, "UPDATE leases SET until_us = ? WHERE name = ?", Micros(now), s.replicas.beat)
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n > 0 {
		return err
	}
	if _, err := s.Pools.Write.ExecContext(ctx, "DELETE FROM leases WHERE name LIKE ? AND until_us < ?", beatPrefix+"%",
		Micros(now.Add(-beatKept))); err != nil {
		return err
	}
	_, err = s.Pools.Write.ExecContext(ctx, "INSERT INTO leases (name, holder, until_us, position) VALUES (?, '', ?, 0)",
		s.replicas.beat, Micros(now))
	return err
}

// endBeats deletes this instance's row.
func (s *DB) endBeats() {
	ctx, cancel := context.WithTimeout(context.Background(), pollTimeout)
	defer cancel()
	_, _ = s.Pools.Write.ExecContext(ctx, "DELETE FROM leases WHERE name = ?", s.replicas.beat) // or another instance does
}

// poll asks a replica how current it is, and logs when that starts or stops its use.
func (s *DB) poll(ctx context.Context, one *replica) {
	at, why, err := s.ask(ctx, one)
	if ctx.Err() != nil {
		return
	}
	one.mu.Lock()
	defer one.mu.Unlock()
	was := one.why
	one.silent++
	if err == nil {
		one.silent = 0
		one.at = at
	}
	if time.Now().Before(one.avoided) && was != "" {
		why = was
	}
	// A replica that was not used must catch up to half of the allowed lag before it is used again, so that it does not go back
	// and forth.
	if most := s.replicas.most; why == "" {
		if was != "" && !one.at.IsZero() {
			most /= 2
		}
		if behind := s.Now().Sub(one.at); behind > most {
			why = "it is too far behind"
		}
	}
	one.why = why
	close(one.polled)
	one.polled = make(chan struct{})
	// Reads from it also end if the server answers but is no longer a replica of this database.
	if one.silent >= pollsLost || err == nil && at.IsZero() {
		for _, end := range one.runs {
			end(errReplicaLost)
		}
	}
	used := why == ""
	switch {
	case used == one.told:
		return
	case !used:
		s.Log.Warn("A replica cannot be used now. Reads go to another server.", "replica", one.name, "reason", why)
	default:
		s.Log.Info("A replica is in use.", "replica", one.name, "behind", s.Now().Sub(one.at).Round(time.Millisecond).String())
	}
	one.told = used
}

// ask returns the time up to which a replica has everything, and why it cannot be used, if so. It returns an error if the
// replica did not answer.
func (s *DB) ask(ctx context.Context, one *replica) (at time.Time, why string, err error) {
	ctx, cancel := context.WithTimeout(ctx, pollTimeout)
	defer cancel()
	var us, schema sql.NullInt64
	err = one.watch.QueryRowContext(ctx, "SELECT (SELECT until_us FROM leases WHERE name = ?), "+
		"(SELECT MAX(version_id) FROM goose_db_version)", s.replicas.beat).Scan(&us, &schema)
	number := MySQLNumber(err)
	switch {
	case number == MySQLUnknownTable:
		return at, "it does not have the tables of Pitboss", nil
	case number != 0 && !IsDown(err):
		return at, fmt.Sprintf("it refuses to be read: error %d", number), nil
	case err != nil:
		return at, "it does not answer", err
	case !us.Valid:
		if s.sameHistory(ctx, one.watch) != nil {
			return at, "it is not a replica of this database", nil
		}
		return at, "it does not have this instance's first beat yet: it is too far behind", nil
	case schema.Int64 < s.replicas.schema:
		return FromMicros(us.Int64), fmt.Sprintf("its schema is older: migration %d is missing", s.replicas.schema), nil
	}
	return FromMicros(us.Int64), "", nil
}

// ErrOtherHistory means that a database is not a replica of this one.
var ErrOtherHistory = errors.New("it is not a replica of this database: its audit log has another history")

// sameHistory returns ErrOtherHistory unless the replica's audit log is equal to this database's up to the replica's last
// event. A copy of the database that has been used since has other events.
func (s *DB) sameHistory(ctx context.Context, replica *sql.DB) error {
	var seq int64
	var theirs, ours []byte
	if err := replica.QueryRowContext(ctx, "SELECT seq, hash FROM audit_head").Scan(&seq, &theirs); err != nil {
		return fmt.Errorf("read the replica's audit log: %w", err)
	}
	err := s.Pools.Write.QueryRowContext(ctx, "SELECT hash FROM audit_events WHERE id = ? UNION ALL "+
		"SELECT hash FROM audit_head WHERE seq = ? LIMIT 1", seq, seq).Scan(&ours)
	if errors.Is(err, sql.ErrNoRows) || err == nil && StoredHash(ours) != StoredHash(theirs) {
		return ErrOtherHistory
	}
	return err
}

// CheckReplicas returns for each replica of a URL that cannot be used an error with its host and the reason. It writes nothing.
func (s *DB) CheckReplicas(ctx context.Context, cfg Config) (problems []error, err error) {
	r, err := newReplicas(cfg)
	if err != nil {
		return nil, err
	}
	defer r.close()
	applied, err := s.Migrations(ctx)
	if err != nil {
		return nil, err
	}
	for _, one := range r.list {
		if err := s.checkReplica(ctx, one, applied); err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", one.name, err))
		}
	}
	return problems, nil
}

func (s *DB) checkReplica(ctx context.Context, one *replica, known []models.Migration) error {
	ctx, cancel := context.WithTimeout(ctx, pollTimeout)
	defer cancel()
	var schema sql.NullInt64
	switch err := one.watch.QueryRowContext(ctx, "SELECT MAX(version_id) FROM goose_db_version").Scan(&schema); {
	case MySQLNumber(err) == MySQLUnknownTable:
		return errors.New("it does not have the tables of Pitboss")
	case err != nil:
		return fmt.Errorf("it cannot be read: %w", err)
	}
	newest := int64(0)
	for _, m := range known {
		if !m.AppliedAt.IsZero() {
			newest = max(newest, m.Number)
		}
	}
	if schema.Int64 < newest {
		return fmt.Errorf("its schema is older: migration %d is missing", newest)
	}
	return s.sameHistory(ctx, one.watch)
}
