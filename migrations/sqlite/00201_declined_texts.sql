-- Texts of bets and wins that were signed and declined, with the one way in which each may be read again. They have no transaction that tells.
-- +goose Up
CREATE TABLE declined_texts (
  digest BLOB NOT NULL PRIMARY KEY,
  kind INTEGER NOT NULL,
  user_length INTEGER NOT NULL,
  transaction_length INTEGER NOT NULL,
  at_us INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
