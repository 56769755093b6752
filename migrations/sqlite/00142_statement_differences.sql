-- What the two books do not agree on, a row for each transaction and run.
-- +goose Up
CREATE TABLE statement_differences (
  run_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  bucket INTEGER NOT NULL,
  edge INTEGER NOT NULL,
  transaction_id TEXT NOT NULL,
  our_number INTEGER NOT NULL,
  player_id INTEGER NOT NULL,
  user_id TEXT NOT NULL,
  currency TEXT NOT NULL,
  kind INTEGER NOT NULL,
  free_spin INTEGER NOT NULL,
  at_us INTEGER NOT NULL,
  line INTEGER NOT NULL,
  our_there INTEGER NOT NULL,
  our_bet_minor INTEGER NOT NULL,
  our_win_minor INTEGER NOT NULL,
  our_free_spin INTEGER NOT NULL,
  our_standing INTEGER NOT NULL,
  their_there INTEGER NOT NULL,
  their_bet_minor INTEGER NOT NULL,
  their_win_minor INTEGER NOT NULL,
  their_free_spin INTEGER NOT NULL,
  their_standing INTEGER NOT NULL,
  detail TEXT NOT NULL,
  remedy INTEGER NOT NULL,
  remedy_minor INTEGER NOT NULL,
  case_id INTEGER NOT NULL,
  PRIMARY KEY (run_id, number)
) STRICT;
CREATE INDEX statement_differences_bucket ON statement_differences (run_id, bucket, number);
CREATE INDEX statement_differences_transaction ON statement_differences (transaction_id, run_id);
CREATE INDEX statement_differences_ours ON statement_differences (our_number);
