-- What each member of staff has booked alone on a day, in each currency: the row that their corrections of that day lock.
-- +goose Up
CREATE TABLE correction_budgets (
  staff_id BIGINT NOT NULL,
  day VARCHAR(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  currency VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  sum_minor BIGINT NOT NULL,
  PRIMARY KEY (staff_id, day, currency)
) ENGINE=InnoDB;
