-- A player's day can add up to more than an INTEGER holds: such a sum is stored as text, in two halves.
-- An instance that another was quicker than must fail here, not do it again.
-- +goose Up
CREATE TEMP TABLE migrate_once (done INTEGER CHECK (done = 0));
INSERT INTO migrate_once SELECT COUNT(*) FROM goose_db_version WHERE version_id = 212 AND is_applied;
DROP TABLE migrate_once;
CREATE TABLE daily_sums_wide (
  day TEXT NOT NULL,
  player_id INTEGER NOT NULL,
  currency TEXT NOT NULL,
  test INTEGER NOT NULL,
  from_seq INTEGER NOT NULL,
  to_seq INTEGER NOT NULL,
  from_spin_seq INTEGER NOT NULL,
  to_spin_seq INTEGER NOT NULL,
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
  PRIMARY KEY (day, player_id)
) STRICT, WITHOUT ROWID;
INSERT INTO daily_sums_wide SELECT * FROM daily_sums;
DROP TABLE daily_sums;
ALTER TABLE daily_sums_wide RENAME TO daily_sums;
CREATE INDEX daily_sums_player ON daily_sums (player_id, day);
