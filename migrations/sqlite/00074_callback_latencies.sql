-- How long the answers of each minute took: a histogram by upper bounds, over all instances. Bound 0: longer than all.
-- +goose Up
CREATE TABLE callback_latencies (
  minute_us INTEGER NOT NULL,
  endpoint TEXT NOT NULL,
  bound_us INTEGER NOT NULL,
  answers INTEGER NOT NULL,
  PRIMARY KEY (minute_us, endpoint, bound_us)
) STRICT, WITHOUT ROWID;
