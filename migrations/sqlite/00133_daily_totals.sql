-- The sums of days of all players: reports over months read these alone.
-- +goose Up
CREATE TABLE daily_totals (
  day TEXT NOT NULL,
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
  reversals INTEGER NOT NULL,
  opening_minor INTEGER NOT NULL,
  credit_minor INTEGER NOT NULL,
  debit_minor INTEGER NOT NULL,
  corrections INTEGER NOT NULL,
  moved_minor INTEGER NOT NULL,
  players INTEGER NOT NULL,
  PRIMARY KEY (day, currency, test)
) STRICT, WITHOUT ROWID;
