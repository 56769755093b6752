-- How the callbacks of each minute were answered, over all instances. An empty endpoint: no callback, and result is the HTTP status.
-- +goose Up
CREATE TABLE callback_minutes (
  minute_us INTEGER NOT NULL,
  endpoint TEXT NOT NULL,
  result INTEGER NOT NULL,
  answers INTEGER NOT NULL,
  PRIMARY KEY (minute_us, endpoint, result)
) STRICT, WITHOUT ROWID;
