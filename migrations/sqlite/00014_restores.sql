-- Restores of an older state of the database that somebody has declared (models/restore.go).
-- +goose Up

-- A declaration says what the database had known before, and from where it goes on. It is covered by the audit chain.
CREATE TABLE restores (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_us INTEGER NOT NULL,
  declared_by TEXT NOT NULL,
  os_user TEXT NOT NULL,
  source TEXT NOT NULL, -- the backup, in the words of whoever restored it
  reason TEXT NOT NULL,
  state INTEGER NOT NULL, -- models.RestoreState
  checker_id INTEGER NOT NULL,
  checker TEXT NOT NULL,
  checker_role TEXT NOT NULL,
  confirmed_at_us INTEGER NOT NULL,
  checkpoints TEXT NOT NULL, -- those that the restored database did not know, newest first, as JSON
  audit_seq INTEGER NOT NULL, -- head of the audit chain before the declaration
  audit_head BLOB NOT NULL,
  wallets INTEGER NOT NULL, -- how many rows restore_wallets has for this restore
  entries INTEGER NOT NULL, -- lines of the ledger that are known to be gone
  spin_entries INTEGER NOT NULL,
  sums TEXT NOT NULL, -- balances before and after, by currency, as JSON
  digest BLOB NOT NULL, -- of the rows in restore_wallets, keyed
  missing INTEGER NOT NULL, -- transactions of the platform that are gone; -1 if no statement was compared
  report_digest TEXT NOT NULL -- SHA-256 of the list of these transactions
) STRICT;
