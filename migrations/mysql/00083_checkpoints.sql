-- Which checkpoints were written: their files are held against the ledger, and their rows against the files.
-- +goose Up
CREATE TABLE checkpoints (
  number BIGINT NOT NULL PRIMARY KEY,
  at_us BIGINT NOT NULL,
  previous BINARY(32) NOT NULL,
  digest BINARY(32) NOT NULL,
  signature BINARY(32) NOT NULL,
  key_fingerprint VARBINARY(64) NOT NULL,
  actor VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  wallets BIGINT NOT NULL,
  entries BIGINT NOT NULL,
  spin_entries BIGINT NOT NULL,
  audit_seq BIGINT NOT NULL,
  size_bytes BIGINT NOT NULL,
  file_name VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  sent_at_us BIGINT NOT NULL DEFAULT 0,
  kept_at_us BIGINT NOT NULL DEFAULT 0
) ENGINE=InnoDB;
