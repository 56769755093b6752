-- A day of all players can add up to more than an INTEGER holds: such a sum is stored as text, in two halves.
-- An instance that another was quicker than must fail here, not do it again.
-- +goose Up
CREATE TEMP TABLE migrate_once (done INTEGER CHECK (done = 0));
INSERT INTO migrate_once SELECT COUNT(*) FROM goose_db_version WHERE version_id = 213 AND is_applied;
DROP TABLE migrate_once;
CREATE TABLE daily_totals_wide (
  day TEXT NOT NULL,
  currency TEXT NOT NULL,
  test INTEGER NOT NULL,
  bets INTEGER NOT NULL,
  stake_minor ANY NOT NULL,
  stake_reversed_minor ANY NOT NULL,
  win_minor ANY NOT NULL,
  win_reversed_minor ANY NOT NULL,
  spins INTEGER NOT NULL,
  spin_stake_minor ANY NOT NULL,
  spin_win_minor ANY NOT NULL,
  spin_win_reversed_minor ANY NOT NULL,
  reversals INTEGER NOT NULL,
  opening_minor ANY NOT NULL,
  credit_minor ANY NOT NULL,
  debit_minor ANY NOT NULL,
  corrections INTEGER NOT NULL,
  moved_minor ANY NOT NULL,
  players INTEGER NOT NULL,
  PRIMARY KEY (day, currency, test)
) STRICT, WITHOUT ROWID;
INSERT INTO daily_totals_wide SELECT * FROM daily_totals;
DROP TABLE daily_totals;
ALTER TABLE daily_totals_wide RENAME TO daily_totals;
