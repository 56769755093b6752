-- Which key the ledger was begun with: it belongs to the ledger for life, so that nobody can downgrade the chains to unkeyed ones.
-- +goose Up
CREATE TABLE ledgers (
  id TINYINT NOT NULL PRIMARY KEY,
  key_fingerprint VARBINARY(64) NOT NULL,
  begun_at_us BIGINT NOT NULL
) ENGINE=InnoDB;
