-- The sums of days of all players: reports over months read these alone.
-- +goose Up
CREATE TABLE daily_totals (
  day VARCHAR(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  currency VARBINARY(8) NOT NULL,
  test TINYINT NOT NULL,
  bets BIGINT NOT NULL,
  stake_minor BIGINT NOT NULL,
  stake_reversed_minor BIGINT NOT NULL,
  win_minor BIGINT NOT NULL,
  win_reversed_minor BIGINT NOT NULL,
  spins BIGINT NOT NULL,
  spin_stake_minor BIGINT NOT NULL,
  spin_win_minor BIGINT NOT NULL,
  spin_win_reversed_minor BIGINT NOT NULL,
  reversals BIGINT NOT NULL,
  opening_minor BIGINT NOT NULL,
  credit_minor BIGINT NOT NULL,
  debit_minor BIGINT NOT NULL,
  corrections BIGINT NOT NULL,
  moved_minor BIGINT NOT NULL,
  players BIGINT NOT NULL,
  PRIMARY KEY (day, currency, test)
) ENGINE=InnoDB;
