-- A minute of all players can add up to more than an INTEGER holds: such a sum is stored as text, in two halves.
-- An instance that another was quicker than must fail here, not do it again.
-- +goose Up
CREATE TEMP TABLE migrate_once (done INTEGER CHECK (done = 0));
INSERT INTO migrate_once SELECT COUNT(*) FROM goose_db_version WHERE version_id = 214 AND is_applied;
DROP TABLE migrate_once;
CREATE TABLE money_minutes_wide (
  minute_us INTEGER NOT NULL,
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
  PRIMARY KEY (minute_us, currency, test)
) STRICT, WITHOUT ROWID;
INSERT INTO money_minutes_wide SELECT * FROM money_minutes;
DROP TABLE money_minutes;
ALTER TABLE money_minutes_wide RENAME TO money_minutes;
