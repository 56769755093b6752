-- Callbacks that were not applied, and counts of answers.
-- +goose Up

-- The callbacks of the log that were not applied: declined, refused or unanswered. Those that were are postings
-- (models/store/ledger/callback_log.go).
CREATE TABLE callback_records (
  at_us INTEGER NOT NULL, -- when it was decided, or answered if nothing was decided
  request INTEGER NOT NULL, -- models.RequestID, without its time
  received_us INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  verdict INTEGER NOT NULL, -- models.Verdict
  address BLOB NOT NULL,
  user_id TEXT NOT NULL,
  transaction_id TEXT NOT NULL,
  round_id TEXT NOT NULL,
  amount TEXT NOT NULL,
  win_amount TEXT NOT NULL,
  free_spin INTEGER NOT NULL,
  cause TEXT NOT NULL, -- why it was refused, if the verdict does not say it
  left_out INTEGER NOT NULL, -- how many callbacks were not logged, in a row that replaces them; otherwise 0
  player_id INTEGER NOT NULL,
  seq INTEGER NOT NULL, -- number of the first ledger line that it wrote; 0 if none
  result INTEGER NOT NULL,
  status INTEGER NOT NULL,
  balance_minor INTEGER, -- the balance at that moment; NULL unless the wallet's rules declined the callback
  PRIMARY KEY (at_us, request)
) STRICT, WITHOUT ROWID;
CREATE INDEX callback_records_verdict ON callback_records (verdict);
CREATE INDEX callback_records_address ON callback_records (address);
CREATE INDEX callback_records_user ON callback_records (user_id);
CREATE INDEX callback_records_transaction ON callback_records (transaction_id);

-- Answers per minute, endpoint and result, across all instances.
CREATE TABLE callback_minutes (
  minute_us INTEGER NOT NULL,
  endpoint TEXT NOT NULL, -- empty: not a callback, and result is the HTTP status
  result INTEGER NOT NULL,
  answers INTEGER NOT NULL,
  PRIMARY KEY (minute_us, endpoint, result)
) STRICT, WITHOUT ROWID;
