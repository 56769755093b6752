-- A day of all players can add up to more than a BIGINT holds.
-- +goose Up
ALTER TABLE daily_totals
  MODIFY stake_minor DECIMAL(38,0) NOT NULL,
  MODIFY stake_reversed_minor DECIMAL(38,0) NOT NULL,
  MODIFY win_minor DECIMAL(38,0) NOT NULL,
  MODIFY win_reversed_minor DECIMAL(38,0) NOT NULL,
  MODIFY spin_stake_minor DECIMAL(38,0) NOT NULL,
  MODIFY spin_win_minor DECIMAL(38,0) NOT NULL,
  MODIFY spin_win_reversed_minor DECIMAL(38,0) NOT NULL,
  MODIFY opening_minor DECIMAL(38,0) NOT NULL,
  MODIFY credit_minor DECIMAL(38,0) NOT NULL,
  MODIFY debit_minor DECIMAL(38,0) NOT NULL,
  MODIFY moved_minor DECIMAL(38,0) NOT NULL;
