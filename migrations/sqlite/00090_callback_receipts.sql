-- Receipts of callbacks that were plainly applied, written with their effect: a row for each batch, a line in it for each callback.
-- +goose Up
CREATE TABLE callback_receipts (
  at_us INTEGER NOT NULL,
  first_request INTEGER NOT NULL,
  callbacks INTEGER NOT NULL,
  packed TEXT NOT NULL,
  PRIMARY KEY (at_us, first_request)
) STRICT, WITHOUT ROWID;
