-- What each member of staff has granted on a day: the row that their grants of that day lock.
-- +goose Up
CREATE TABLE grant_budgets (
  actor TEXT NOT NULL,
  day TEXT NOT NULL,
  grants INTEGER NOT NULL,
  spins INTEGER NOT NULL,
  PRIMARY KEY (actor, day)
) STRICT, WITHOUT ROWID;
