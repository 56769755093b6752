-- What was staked and won in each minute: sums of the ledger, made again from it at will.
-- +goose Up
CREATE TABLE money_minutes (
  minute_us INTEGER NOT NULL,
  currency TEXT NOT NULL,
  test INTEGER NOT NULL,
  bets INTEGER NOT NULL,
  stake_minor INTEGER NOT NULL,
  stake_reversed_minor INTEGER NOT NULL,
  win_minor INTEGER NOT NULL,
  win_reversed_minor INTEGER NOT NULL,
  spins INTEGER NOT NULL,
  spin_stake_minor INTEGER NOT NULL,
  spin_win_minor INTEGER NOT NULL,
  spin_win_reversed_minor INTEGER NOT NULL,
  PRIMARY KEY (minute_us, currency, test)
) STRICT, WITHOUT ROWID;
