-- Who signed the report of a day, for which role, and what was in front of them.
-- +goose Up
CREATE TABLE day_signatures (
  day TEXT NOT NULL,
  role TEXT NOT NULL,
  signed_by TEXT NOT NULL,
  at_us INTEGER NOT NULL,
  note TEXT NOT NULL,
  digest TEXT NOT NULL,
  checkpoint INTEGER NOT NULL,
  open_cases INTEGER NOT NULL,
  unknown_grants INTEGER NOT NULL,
  PRIMARY KEY (day, role)
) STRICT, WITHOUT ROWID;
