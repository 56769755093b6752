-- Texts of bets and wins that were signed and declined, with the one way in which each may be read again. They have no transaction that tells.
-- +goose Up
CREATE TABLE declined_texts (
  digest BINARY(16) NOT NULL PRIMARY KEY,
  kind TINYINT NOT NULL,
  user_length SMALLINT NOT NULL,
  transaction_length SMALLINT NOT NULL,
  at_us BIGINT NOT NULL
) ENGINE=InnoDB;
