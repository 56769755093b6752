-- Callbacks that were not applied, and counts of answers.
-- +goose Up

-- The callbacks of the log that were not applied: declined, refused or unanswered. Those that were are postings
-- (models/store/ledger/callback_log.go).
CREATE TABLE IF NOT EXISTS callback_records (
  at_us BIGINT NOT NULL, -- when it was decided, or answered if nothing was decided
  request BIGINT NOT NULL, -- models.RequestID, without its time
  received_us BIGINT NOT NULL,
  kind TINYINT NOT NULL,
  verdict TINYINT NOT NULL, -- models.Verdict
  address VARBINARY(16) NOT NULL,
  user_id VARBINARY(255) NOT NULL,
  transaction_id VARBINARY(255) NOT NULL,
  round_id VARBINARY(255) NOT NULL,
  amount VARBINARY(64) NOT NULL,
  win_amount VARBINARY(64) NOT NULL,
  free_spin TINYINT NOT NULL,
  cause VARBINARY(255) NOT NULL, -- why it was refused, if the verdict does not say it
  left_out BIGINT NOT NULL, -- how many callbacks were not logged, in a row that replaces them; otherwise 0
  player_id BIGINT NOT NULL,
  seq BIGINT NOT NULL, -- number of the first ledger line that it wrote; 0 if none
  result INT NOT NULL,
  status INT NOT NULL,
  balance_minor BIGINT NULL, -- the balance at that moment; NULL unless the wallet's rules declined the callback
  PRIMARY KEY (at_us, request),
  KEY callback_records_verdict (verdict),
  KEY callback_records_address (address),
  KEY callback_records_user (user_id),
  KEY callback_records_transaction (transaction_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Answers per minute, endpoint and result, across all instances.
CREATE TABLE IF NOT EXISTS callback_minutes (
  minute_us BIGINT NOT NULL,
  endpoint VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, -- empty: not a callback, and result is the HTTP status
  result INT NOT NULL,
  answers BIGINT NOT NULL,
  PRIMARY KEY (minute_us, endpoint, result)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
