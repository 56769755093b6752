-- Restores of an older state of the database that somebody has declared (models/restore.go).
-- +goose Up

-- A declaration says what the database had known before, and from where it goes on. It is covered by the audit chain.
CREATE TABLE IF NOT EXISTS restores (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  at_us BIGINT NOT NULL,
  declared_by VARCHAR(255) NOT NULL,
  os_user VARCHAR(255) NOT NULL,
  source VARCHAR(255) NOT NULL, -- the backup, in the words of whoever restored it
  reason TEXT NOT NULL,
  state TINYINT NOT NULL, -- models.RestoreState
  checker_id BIGINT NOT NULL,
  checker VARCHAR(255) NOT NULL,
  checker_role VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  confirmed_at_us BIGINT NOT NULL,
  checkpoints TEXT NOT NULL, -- those that the restored database did not know, newest first, as JSON
  audit_seq BIGINT NOT NULL, -- head of the audit chain before the declaration
  audit_head BINARY(32) NOT NULL,
  wallets BIGINT NOT NULL, -- how many rows restore_wallets has for this restore
  entries BIGINT NOT NULL, -- lines of the ledger that are known to be gone
  spin_entries BIGINT NOT NULL,
  sums TEXT NOT NULL, -- balances before and after, by currency, as JSON
  digest BINARY(32) NOT NULL, -- of the rows in restore_wallets, keyed
  missing BIGINT NOT NULL, -- transactions of the platform that are gone; -1 if no statement was compared
  report_digest VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL -- SHA-256 of the list of these transactions
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
