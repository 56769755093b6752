-- Stakes in play at the end of each closed day: part of what is signed.
-- +goose Up

CREATE TABLE day_stakes (
  day TEXT NOT NULL,
  currency TEXT NOT NULL,
  test INTEGER NOT NULL,
  rounds INTEGER NOT NULL, -- to which a win could still come
  stake_minor ANY NOT NULL,
  PRIMARY KEY (day, currency, test)
) STRICT, WITHOUT ROWID;
