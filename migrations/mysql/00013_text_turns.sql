-- Signed texts that an attempt on a Galera node is about to accept: a row is deleted by the transaction that inserted it, so the table is
-- always empty (models/store/db/galera.go).
-- +goose Up

CREATE TABLE IF NOT EXISTS text_turns (
  digest BINARY(16) NOT NULL PRIMARY KEY
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
