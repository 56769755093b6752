-- The callback log: every callback, what was decided and what was answered (models/store/ledger/callback_log.go), and its counts.
-- +goose Up

-- Receipts of applied callbacks, written in the transaction of their effect: one row per batch, one line per callback.
CREATE TABLE IF NOT EXISTS callback_receipts (
  at_us BIGINT NOT NULL, -- the batch's time, which its ledger rows carry too
  first_request BIGINT NOT NULL, -- number of the first request in packed
  callbacks INT NOT NULL,
  packed MEDIUMTEXT CHARACTER SET ascii COLLATE ascii_bin NOT NULL, -- one line of text per callback
  PRIMARY KEY (at_us, first_request)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Every other callback: declined, refused, unanswered, and rollbacks. They are rare, so each has a row and indexes.
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
  cause VARBINARY(255) NOT NULL, -- why it was refused, where the verdict does not say everything
  left_out BIGINT NOT NULL, -- how many callbacks this row stands for
  player_id BIGINT NOT NULL,
  seq BIGINT NOT NULL, -- first ledger row that it wrote; 0 none
  spin TINYINT NOT NULL, -- that row is in spin_entries
  result INT NOT NULL,
  status INT NOT NULL,
  latency_us BIGINT NOT NULL,
  balance_minor BIGINT NULL, -- the balance at that moment; NULL unless the wallet's rules declined the callback
  PRIMARY KEY (at_us, request),
  KEY callback_records_verdict (verdict),
  KEY callback_records_address (address),
  KEY callback_records_user (user_id),
  KEY callback_records_transaction (transaction_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- How the callbacks in callback_receipts were answered, and how long it took, which is only known after their commit.
CREATE TABLE IF NOT EXISTS callback_answers (
  at_us BIGINT NOT NULL,
  first_request BIGINT NOT NULL,
  callbacks INT NOT NULL,
  packed MEDIUMTEXT CHARACTER SET ascii COLLATE ascii_bin NOT NULL, -- one line of text per callback
  PRIMARY KEY (at_us, first_request)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Answers per minute, endpoint and result, over all instances.
CREATE TABLE IF NOT EXISTS callback_minutes (
  minute_us BIGINT NOT NULL,
  endpoint VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, -- empty: not a callback, and result is the HTTP status
  result INT NOT NULL,
  answers BIGINT NOT NULL,
  PRIMARY KEY (minute_us, endpoint, result)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- How long the answers of each minute took: a histogram, over all instances.
CREATE TABLE IF NOT EXISTS callback_latencies (
  minute_us BIGINT NOT NULL,
  endpoint VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  over_us BIGINT NOT NULL,
  bound_us BIGINT NOT NULL, -- answers took over_us to bound_us; 0: no upper bound
  answers BIGINT NOT NULL,
  PRIMARY KEY (minute_us, endpoint, over_us, bound_us)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
