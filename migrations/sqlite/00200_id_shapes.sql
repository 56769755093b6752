-- How long transactionIDs and roundIDs have been so far, in bytes; round 0 for a rollback that came first. amount_first: the transactionID begins with an amount. Other readings of a signed text are looked for in these shapes.
-- +goose Up
CREATE TABLE id_shapes (
  transaction_length INTEGER NOT NULL,
  round_length INTEGER NOT NULL,
  amount_first INTEGER NOT NULL,
  PRIMARY KEY (transaction_length, round_length, amount_first)
) STRICT, WITHOUT ROWID;
