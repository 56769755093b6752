package db

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"

	"pitboss/migrations"
	"pitboss/models"
)

// A number alone does not say what a migration did: until the first release, its file may still be rewritten. So the database
// keeps the digest of each migration that it was made with. Their table is created here, because it is needed before the first
// migration.

// storeDigests stores the digests of the migrations that are about to be applied. If applying them fails, the next attempt stores
// the digests again.
func (s *DB) storeDigests(ctx context.Context, p *goose.Provider, pool *sql.DB) error {
	all, err := p.Status(ctx)
	if err != nil {
		return err
	}
	_, err = pool.ExecContext(ctx, "CREATE TABLE IF NOT EXISTS migration_digests "+
		"(version_id BIGINT NOT NULL PRIMARY KEY, digest CHAR(64) NOT NULL)")
	if err != nil {
		return fmt.Errorf("create table of digests: %w", err)
	}
	for _, m := range all {
		if m.State == goose.StateApplied {
			continue
		}
		digest, err := s.digest(m.Source.Path)
		if err != nil {
			return err
		}
		_, err = pool.ExecContext(ctx, "REPLACE INTO migration_digests (version_id, digest) VALUES (?, ?)", m.Source.Version, digest)
		if err != nil {
			return fmt.Errorf("store digest of %s: %w", m.Source.Path, err)
		}
	}
	return nil
}

// checkDigests returns an error if an applied migration was another than the one that this program has under its number.
func (s *DB) checkDigests(ctx context.Context, list []models.Migration) error {
	stored := map[int64]string{}
	kept, err := s.hasTable(ctx, "migration_digests")
	if err != nil {
		return err
	}
	if kept {
		type applied struct {
			VersionID int64
			Digest    string
		}
		rows, err := All[applied](s.Read.WithContext(ctx), "read digests of migrations",
			"SELECT version_id, digest FROM migration_digests")
		if err != nil {
			return err
		}
		for _, r := range rows {
			stored[r.VersionID] = r.Digest
		}
	}
	for _, m := range list {
		if m.AppliedAt.IsZero() {
			continue
		}
		digest, err := s.digest(m.File)
		if err != nil {
			return err
		}
		if stored[m.Number] != digest {
			return fmt.Errorf("the database was made by another build of Pitboss: its migration %s is not this program's, so tables "+
				"may lack columns. Nothing was changed. Run the build that made it, or name an empty database in "+
				"PITBOSS_DATABASE_URL", m.File)
		}
	}
	return nil
}

func (s *DB) digest(file string) (string, error) {
	text, err := fs.ReadFile(migrations.FS, string(s.Dialect)+"/"+file)
	return fmt.Sprintf("%x", sha256.Sum256(text)), err
}
