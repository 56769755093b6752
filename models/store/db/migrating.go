package db

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
)

// Checks of migrations that apply none of them and need no privileges to change the schema.

// migratingPrivileges are what an account needs on the database to apply migrations, besides SELECT, INSERT, UPDATE and DELETE.
var migratingPrivileges = []string{"CREATE", "ALTER", "DROP", "INDEX", "TRIGGER"}

// LackingPrivileges returns the account that would apply migrations and the privileges that it lacks for that. On SQLite both
// are empty. Privileges of a role cannot be listed, so an account with a role counts as lacking none.
func (s *DB) LackingPrivileges(ctx context.Context) (account string, lacking []string, err error) {
	pool := s.Pools.Write
	if s.MigrateURL != "" {
		if pool, err = s.OpenMigrating(ctx); err != nil {
			return "", nil, err
		}
		defer pool.Close()
	}
	if s.Dialect == SQLite {
		return "", nil, nil
	}
	var role sql.NullString
	if err := pool.QueryRowContext(ctx, "SELECT CURRENT_USER(), CURRENT_ROLE()").Scan(&account, &role); err != nil {
		return "", nil, fmt.Errorf("ask for the account: %w", err)
	}
	if role.Valid && role.String != "NONE" {
		return account, nil, nil
	}
	at := strings.LastIndex(account, "@")
	grantee := "'" + account[:at] + "'@'" + account[at+1:] + "'"
	rows, err := pool.QueryContext(ctx, "SELECT privilege_type FROM information_schema.user_privileges WHERE grantee = ?"+
		" UNION SELECT privilege_type FROM information_schema.schema_privileges WHERE grantee = ? "+
		"AND DATABASE() LIKE table_schema", grantee, grantee)
	if err != nil {
		return "", nil, fmt.Errorf("ask for privileges: %w", err)
	}
	defer rows.Close()
	lacking = slices.Clone(migratingPrivileges)
	for rows.Next() {
		var privilege string
		if err := rows.Scan(&privilege); err != nil {
			return "", nil, fmt.Errorf("ask for privileges: %w", err)
		}
		lacking = slices.DeleteFunc(lacking, func(l string) bool { return l == privilege })
	}
	return account, lacking, rows.Err()
}

// hasTable reports whether the database has a table.
func (s *DB) hasTable(ctx context.Context, name string) (bool, error) {
	query := "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ?"
	if s.Dialect == SQLite {
		query = "SELECT COUNT(*) FROM sqlite_schema WHERE type = 'table' AND name = ?"
	}
	var n int
	if err := s.Pools.Read.QueryRowContext(ctx, query, name).Scan(&n); err != nil {
		return false, fmt.Errorf("look for table %s: %w", name, err)
	}
	return n > 0, nil
}

// CheckLedgerKey returns ErrLedgerKey if the ledger was begun with another key. Unlike BeginLedger it writes nothing.
func (s *DB) CheckLedgerKey(ctx context.Context) error {
	var fingerprint string
	err := s.Pools.Read.QueryRowContext(ctx, "SELECT key_fingerprint FROM ledgers WHERE id = 1").Scan(&fingerprint)
	switch {
	case err == sql.ErrNoRows:
		return nil
	case err != nil:
		return fmt.Errorf("read ledger: %w", err)
	case fingerprint != s.Chain.Fingerprint():
		return ErrLedgerKey
	}
	return nil
}
