-- Cases, corrections and the platform's statements.
-- +goose Up

-- Problems found automatically that need a person to decide.
CREATE TABLE IF NOT EXISTS cases (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  rule TINYINT NOT NULL, -- models.CaseRule
  key_digest BINARY(32) NOT NULL, -- identifies the finding if it is found again
  state TINYINT NOT NULL, -- models.CaseState
  at_us BIGINT NOT NULL, -- when it happened
  found_at_us BIGINT NOT NULL, -- when it was found
  player_id BIGINT NOT NULL,
  transaction_number BIGINT NOT NULL, -- internal ID; 0 if none
  transaction_id VARBINARY(255) NOT NULL,
  grant_id BIGINT NOT NULL,
  statement_id BIGINT NOT NULL,
  verification_id BIGINT NOT NULL,
  amount_minor BIGINT NOT NULL, -- the amount at stake; 0 if none or unknown
  currency VARBINARY(8) NOT NULL,
  owner VARCHAR(255) NOT NULL,
  decided_by VARCHAR(255) NOT NULL,
  decided_at_us BIGINT NOT NULL,
  reason TEXT NOT NULL,
  facts TEXT NOT NULL, -- the evidence, as JSON
  reference VARCHAR(400) NOT NULL, -- a complaint's reference; otherwise empty
  due_us BIGINT NOT NULL, -- the end of the last day to answer a complaint; 0 if there is no deadline
  UNIQUE KEY cases_key (rule, key_digest), -- the same finding never opens a second case
  KEY cases_state (state, found_at_us), -- the queue, newest first
  KEY cases_player (player_id, found_at_us),
  KEY cases_transaction (transaction_number),
  KEY cases_grant (grant_id, found_at_us),
  KEY cases_rule (state, rule, found_at_us), -- the queue of one rule
  KEY cases_found (found_at_us), -- all cases, newest first
  KEY cases_statement (statement_id, found_at_us),
  KEY cases_statement_state (statement_id, state, found_at_us),
  KEY cases_verification (verification_id, found_at_us),
  KEY cases_list_rule (rule, found_at_us), -- all cases of one rule, newest first
  KEY cases_owner (owner, found_at_us),
  KEY cases_owner_state (owner, state, found_at_us), -- somebody's cases in one state
  KEY cases_currency (currency, found_at_us),
  KEY cases_decided (decided_at_us), -- what was closed since a time
  KEY cases_due (due_us), -- complaints, nearest deadline first
  KEY cases_reference (reference) -- complaints are searched by their reference
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Notes that colleagues write about a case.
CREATE TABLE IF NOT EXISTS case_notes (
  case_id BIGINT NOT NULL,
  number BIGINT NOT NULL,
  at_us BIGINT NOT NULL,
  actor VARCHAR(255) NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (case_id, number)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Corrections: who requested them, who decided, and the ledger row that they booked.
CREATE TABLE IF NOT EXISTS corrections (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  at_us BIGINT NOT NULL,
  kind TINYINT NOT NULL, -- models.CorrectionKind
  player_id BIGINT NOT NULL,
  transaction_id VARBINARY(255) NOT NULL,
  round_id VARBINARY(255) NOT NULL,
  amount_minor BIGINT NOT NULL,
  effect_minor BIGINT NOT NULL, -- signed change of the balance
  reason VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  note TEXT NOT NULL,
  reference VARCHAR(255) NOT NULL,
  another TEXT NOT NULL, -- why it is not what was similar to it; may be empty
  maker_id BIGINT NOT NULL,
  maker VARCHAR(255) NOT NULL,
  maker_role VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  asked_before_minor BIGINT NOT NULL, -- the balance when it was requested
  -- username of the person asked to decide it, or empty. It grants no permission: that is checked at the approval
  assignee VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
  state TINYINT NOT NULL, -- models.ApprovalState
  checker_id BIGINT NOT NULL,
  checker VARCHAR(255) NOT NULL,
  checker_role VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  decided_at_us BIGINT NOT NULL,
  decision_note TEXT NOT NULL,
  seq BIGINT NOT NULL, -- the ledger line that it booked; 0 if none
  spin TINYINT NOT NULL, -- 1: that line is in spin_entries
  before_minor BIGINT NOT NULL,
  after_minor BIGINT NOT NULL,
  KEY corrections_at (at_us),
  KEY corrections_amount (amount_minor),
  KEY corrections_state (state, at_us),
  KEY corrections_kind (kind, at_us),
  KEY corrections_reason (reason, at_us),
  KEY corrections_assignee (assignee, at_us),
  KEY corrections_player (player_id, at_us),
  KEY corrections_transaction (transaction_id),
  KEY corrections_reference (reference), -- those of a case
  KEY corrections_maker (maker_id, at_us),
  KEY corrections_checker (checker_id, at_us),
  KEY corrections_decided (decided_at_us)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Files of the platform's transactions, or of a client's cash: how each is read, and the period it covers.
CREATE TABLE IF NOT EXISTS statements (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  at_us BIGINT NOT NULL,
  actor VARCHAR(255) NOT NULL,
  file_name VARCHAR(255) NOT NULL,
  digest VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  file_bytes BIGINT NOT NULL,
  header MEDIUMTEXT NOT NULL,
  -- files with the same header are read the same way
  header_digest VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  file_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, -- in file_chunks; empty: not kept
  layout TEXT NOT NULL, -- which column is what, as JSON
  since_us BIGINT NOT NULL,
  until_us BIGINT NOT NULL,
  margin_us BIGINT NOT NULL, -- transactions this close to the period's ends may be in the neighboring file
  client_id BIGINT NOT NULL, -- the API client whose cash it has; 0: the platform's
  KEY statements_at (at_us),
  KEY statements_digest (digest),
  KEY statements_file (file_id),
  KEY statements_header (header_digest, at_us)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Each comparison of a statement with our ledger: progress and result.
CREATE TABLE IF NOT EXISTS statement_runs (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  statement_id BIGINT NOT NULL,
  at_us BIGINT NOT NULL,
  actor VARCHAR(255) NOT NULL,
  state TINYINT NOT NULL, -- models.JobState
  tries INT NOT NULL DEFAULT 0, -- how often it was begun
  permille INT NOT NULL,
  line_count BIGINT NOT NULL,
  bad_lines BIGINT NOT NULL,
  differences BIGINT NOT NULL,
  erased_lines BIGINT NOT NULL, -- lines about erased players, left out
  edges BIGINT NOT NULL, -- differences too close to the period's ends to judge
  respelled BIGINT NOT NULL, -- IDs that differ only in the case of their letters
  failure TEXT NOT NULL,
  started_at_us BIGINT NOT NULL,
  finished_at_us BIGINT NOT NULL,
  cases TINYINT NOT NULL,
  sums MEDIUMTEXT NOT NULL, -- by currency and bucket, as JSON
  bad MEDIUMTEXT NOT NULL, -- the first lines that were not compared, as JSON
  KEY statement_runs_statement (statement_id, id),
  KEY statement_runs_state (state, id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Differences that a comparison found: one row per transaction.
CREATE TABLE IF NOT EXISTS statement_differences (
  run_id BIGINT NOT NULL,
  number BIGINT NOT NULL,
  bucket TINYINT NOT NULL, -- models.Bucket
  edge TINYINT NOT NULL, -- 1: close to the period's ends, so there is no case
  transaction_id VARBINARY(255) NOT NULL,
  our_number BIGINT NOT NULL, -- internal ID; 0 if it is only in the statement
  player_id BIGINT NOT NULL,
  user_id VARBINARY(255) NOT NULL,
  currency VARBINARY(8) NOT NULL,
  kind TINYINT NOT NULL,
  free_spin TINYINT NOT NULL,
  at_us BIGINT NOT NULL,
  line BIGINT NOT NULL, -- line of the file; 0 if it is only in our ledger
  their_id VARBINARY(255) NOT NULL, -- the platform's spelling of the ID, if it is another one
  their_user VARBINARY(255) NOT NULL, -- the platform's player, if it is another one
  our_there TINYINT NOT NULL,
  our_currency VARBINARY(8) NOT NULL,
  our_bet_minor BIGINT NOT NULL,
  our_win_minor BIGINT NOT NULL,
  our_free_spin TINYINT NOT NULL,
  our_standing TINYINT NOT NULL,
  their_there TINYINT NOT NULL,
  their_currency VARBINARY(8) NOT NULL,
  their_bet_minor BIGINT NOT NULL,
  their_win_minor BIGINT NOT NULL,
  their_free_spin TINYINT NOT NULL,
  their_standing TINYINT NOT NULL,
  detail TEXT NOT NULL,
  remedy TINYINT NOT NULL, -- models.Remedy
  remedy_minor BIGINT NOT NULL,
  case_id BIGINT NOT NULL,
  PRIMARY KEY (run_id, number),
  KEY statement_differences_bucket (run_id, bucket, player_id), -- whether a player has differences of a kind
  KEY statement_differences_bucket_at (run_id, bucket, at_us, number), -- differences of a kind are listed by time
  KEY statement_differences_transaction (transaction_id, run_id),
  KEY statement_differences_ours (our_number),
  KEY statement_differences_at (run_id, at_us, number) -- differences are listed by time
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- What stops play: restrictions of players, and freezes of the house, a provider or a game (models.Restriction).
CREATE TABLE IF NOT EXISTS restrictions (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  subject TINYINT NOT NULL, -- models.RestrictionSubject
  player_id BIGINT NOT NULL, -- 0 unless it is about a player
  about VARBINARY(1024) NOT NULL, -- the provider or the platform's ID of the game
  kind TINYINT NOT NULL, -- models.RestrictionKind
  scope TINYINT NOT NULL, -- models.RestrictionScope
  at_us BIGINT NOT NULL,
  until_us BIGINT NOT NULL,
  reason TEXT NOT NULL,
  setter_id BIGINT NOT NULL,
  setter VARCHAR(255) NOT NULL,
  setter_role VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  -- the request to end it early
  end_reason TEXT NOT NULL,
  maker_id BIGINT NOT NULL,
  maker VARCHAR(255) NOT NULL,
  maker_role VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  state TINYINT NOT NULL, -- models.ApprovalState; 0 until somebody requests it
  checker_id BIGINT NOT NULL,
  checker VARCHAR(255) NOT NULL,
  checker_role VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  decided_at_us BIGINT NOT NULL,
  decision_note TEXT NOT NULL,
  KEY restrictions_player (player_id, at_us, id),
  KEY restrictions_subject (subject, state, at_us, id), -- each attempt looks for freezes of the house
  KEY restrictions_state (state, at_us, id),
  KEY restrictions_maker (maker_id, at_us, id),
  KEY restrictions_at (at_us, id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Cash-outs that people approve before they are paid (models.CashReview).
CREATE TABLE IF NOT EXISTS cash_reviews (
  id BIGINT NOT NULL PRIMARY KEY, -- of the posting that holds the amount
  at_us BIGINT NOT NULL,
  player_id BIGINT NOT NULL,
  transaction_id VARBINARY(255) NOT NULL,
  amount_minor BIGINT NOT NULL,
  currency VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  maker_id BIGINT NOT NULL, -- 0: the API client requested it
  maker VARCHAR(255) NOT NULL,
  maker_role VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  state TINYINT NOT NULL, -- models.ApprovalState
  checker_id BIGINT NOT NULL,
  checker VARCHAR(255) NOT NULL,
  checker_role VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  decided_at_us BIGINT NOT NULL,
  decision_note TEXT NOT NULL,
  UNIQUE KEY cash_reviews_transaction (transaction_id),
  KEY cash_reviews_player (player_id, at_us, id),
  KEY cash_reviews_state (state, at_us, id),
  KEY cash_reviews_maker (maker_id, at_us, id),
  KEY cash_reviews_at (at_us, id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
