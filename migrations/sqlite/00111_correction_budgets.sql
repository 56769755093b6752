-- What each member of staff has booked alone on a day, in each currency: the row that their corrections of that day lock.
-- +goose Up
CREATE TABLE correction_budgets (
  staff_id INTEGER NOT NULL,
  day TEXT NOT NULL,
  currency TEXT NOT NULL,
  sum_minor INTEGER NOT NULL,
  PRIMARY KEY (staff_id, day, currency)
) STRICT, WITHOUT ROWID;
