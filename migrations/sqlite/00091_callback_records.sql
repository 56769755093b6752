-- All other callbacks: declined, refused, without an answer, and rollbacks. Rare beside the applied, so each has a row and questions an index.
-- +goose Up
CREATE TABLE callback_records (
  at_us INTEGER NOT NULL,
  request INTEGER NOT NULL,
  received_us INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  verdict INTEGER NOT NULL,
  address BLOB NOT NULL,
  user_id TEXT NOT NULL,
  transaction_id TEXT NOT NULL,
  round_id TEXT NOT NULL,
  amount TEXT NOT NULL,
  win_amount TEXT NOT NULL,
  free_spin INTEGER NOT NULL,
  cause TEXT NOT NULL,
  left_out INTEGER NOT NULL,
  player_id INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  spin INTEGER NOT NULL,
  result INTEGER NOT NULL,
  status INTEGER NOT NULL,
  latency_us INTEGER NOT NULL,
  PRIMARY KEY (at_us, request)
) STRICT, WITHOUT ROWID;
CREATE INDEX callback_records_verdict ON callback_records (verdict);
CREATE INDEX callback_records_address ON callback_records (address);
CREATE INDEX callback_records_user ON callback_records (user_id);
CREATE INDEX callback_records_transaction ON callback_records (transaction_id);
