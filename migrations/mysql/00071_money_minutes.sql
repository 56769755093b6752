-- What was staked and won in each minute: sums of the ledger, made again from it at will.
-- +goose Up
CREATE TABLE money_minutes (
  minute_us BIGINT NOT NULL,
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
  PRIMARY KEY (minute_us, currency, test)
) ENGINE=InnoDB;
