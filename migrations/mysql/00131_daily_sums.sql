-- What each player did on each day of the operator's zone: sums of the lines from_seq to to_seq, made again from the ledger while the day is open.
-- +goose Up
CREATE TABLE daily_sums (
  day VARCHAR(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  player_id BIGINT NOT NULL,
  currency VARBINARY(8) NOT NULL,
  test TINYINT NOT NULL,
  from_seq BIGINT NOT NULL,
  to_seq BIGINT NOT NULL,
  from_spin_seq BIGINT NOT NULL,
  to_spin_seq BIGINT NOT NULL,
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
  PRIMARY KEY (day, player_id)
) ENGINE=InnoDB;
