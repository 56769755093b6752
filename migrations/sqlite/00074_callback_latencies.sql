-- How long the answers of each minute took: a histogram, over all instances. A bound of 0 is none.
-- +goose Up
CREATE TABLE callback_latencies (
  minute_us INTEGER NOT NULL,
  endpoint TEXT NOT NULL,
  over_us INTEGER NOT NULL,
  bound_us INTEGER NOT NULL,
  answers INTEGER NOT NULL,
  PRIMARY KEY (minute_us, endpoint, over_us, bound_us)
) STRICT, WITHOUT ROWID;
