-- What staff ask to be put right, who decided it, and which ledger line came of it.
-- +goose Up
CREATE TABLE corrections (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_us INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  player_id INTEGER NOT NULL,
  transaction_id TEXT NOT NULL,
  round_id TEXT NOT NULL,
  amount_minor INTEGER NOT NULL,
  effect_minor INTEGER NOT NULL,
  reason TEXT NOT NULL,
  note TEXT NOT NULL,
  reference TEXT NOT NULL,
  maker_id INTEGER NOT NULL,
  maker TEXT NOT NULL,
  maker_role TEXT NOT NULL,
  asked_before_minor INTEGER NOT NULL,
  state INTEGER NOT NULL,
  checker_id INTEGER NOT NULL,
  checker TEXT NOT NULL,
  checker_role TEXT NOT NULL,
  alone INTEGER NOT NULL,
  decided_at_us INTEGER NOT NULL,
  decision_note TEXT NOT NULL,
  seq INTEGER NOT NULL,
  spin INTEGER NOT NULL,
  before_minor INTEGER NOT NULL,
  after_minor INTEGER NOT NULL
) STRICT;
CREATE INDEX corrections_at ON corrections (at_us);
CREATE INDEX corrections_state ON corrections (state, at_us);
CREATE INDEX corrections_player ON corrections (player_id, at_us);
CREATE INDEX corrections_transaction ON corrections (transaction_id);
CREATE INDEX corrections_maker ON corrections (maker_id, at_us);
CREATE INDEX corrections_checker ON corrections (checker_id, at_us);
CREATE INDEX corrections_decided ON corrections (decided_at_us);
