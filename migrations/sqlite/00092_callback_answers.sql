-- What the callbacks of receipts were told, and after how long, which is known only after the commit that holds the receipt: a line for each.
-- +goose Up
CREATE TABLE callback_answers (
  at_us INTEGER NOT NULL,
  first_request INTEGER NOT NULL,
  callbacks INTEGER NOT NULL,
  packed TEXT NOT NULL,
  PRIMARY KEY (at_us, first_request)
) STRICT, WITHOUT ROWID;
