package main

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// prepareRawSQL makes the tables of the hand-written wallet, on MariaDB only. SQLite has one writer, so the comparison would
// show nothing.
func (b *bench) prepareRawSQL(ctx context.Context) error {
	if b.mysqlDSN == "" {
		return nil
	}
	db, err := sql.Open("mysql", b.mysqlDSN)
	if err != nil {
		return err
	}
	defer db.Close()
	for _, statement := range []string{
		"CREATE TABLE bench_wallets (user_id VARBINARY(255) PRIMARY KEY, balance_minor BIGINT NOT NULL) ENGINE=InnoDB",
		`CREATE TABLE bench_transactions (id BIGINT AUTO_INCREMENT PRIMARY KEY, transaction_id VARBINARY(255) NOT NULL UNIQUE,
			user_id VARBINARY(255) NOT NULL, round_id VARBINARY(255) NOT NULL, amount_minor BIGINT NOT NULL,
			before_minor BIGINT NOT NULL, after_minor BIGINT NOT NULL, at_us BIGINT NOT NULL) ENGINE=InnoDB`,
	} {
		if _, err := db.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	const chunk = 1000
	for from := 0; from < b.players; from += chunk {
		var values []string
		for i := from; i < min(from+chunk, b.players); i++ {
			values = append(values, fmt.Sprintf("('%s', 100000000)", playerID(i)))
		}
		if _, err := db.ExecContext(ctx, "INSERT INTO bench_wallets VALUES "+strings.Join(values, ",")); err != nil {
			return err
		}
	}
	return nil
}
