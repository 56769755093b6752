-- Cases, corrections and the platform's statements.
-- +goose Up

-- Problems found automatically that need a person to decide.
CREATE TABLE cases (
  id INTEGER PRIMARY KEY,
  rule INTEGER NOT NULL, -- models.CaseRule
  key_digest BLOB NOT NULL, -- identifies the finding if it is found again
  state INTEGER NOT NULL, -- models.CaseState
  at_us INTEGER NOT NULL, -- when it happened
  found_at_us INTEGER NOT NULL, -- when it was found
  player_id INTEGER NOT NULL,
  transaction_number INTEGER NOT NULL, -- internal ID; 0 if none
  transaction_id TEXT NOT NULL,
  grant_id INTEGER NOT NULL,
  statement_id INTEGER NOT NULL,
  verification_id INTEGER NOT NULL,
  amount_minor INTEGER NOT NULL, -- the amount at stake; 0 if none or unknown
  currency TEXT NOT NULL,
  owner TEXT NOT NULL,
  decided_by TEXT NOT NULL,
  decided_at_us INTEGER NOT NULL,
  reason TEXT NOT NULL,
  facts TEXT NOT NULL, -- the evidence, as JSON
  reference TEXT NOT NULL, -- a complaint's reference; otherwise empty
  due_us INTEGER NOT NULL -- the end of the last day to answer a complaint; 0 if there is no deadline
) STRICT;
-- The same finding never opens a second case.
CREATE UNIQUE INDEX cases_key ON cases (rule, key_digest);
-- The queue, newest first.
CREATE INDEX cases_state ON cases (state, found_at_us);
CREATE INDEX cases_player ON cases (player_id, found_at_us);
CREATE INDEX cases_transaction ON cases (transaction_number);
CREATE INDEX cases_grant ON cases (grant_id, found_at_us);
-- The queue of one rule.
CREATE INDEX cases_rule ON cases (state, rule, found_at_us);
-- All cases, newest first.
CREATE INDEX cases_found ON cases (found_at_us);
CREATE INDEX cases_statement ON cases (statement_id, found_at_us);
CREATE INDEX cases_statement_state ON cases (statement_id, state, found_at_us);
CREATE INDEX cases_verification ON cases (verification_id, found_at_us);
-- All cases of one rule, newest first.
CREATE INDEX cases_list_rule ON cases (rule, found_at_us);
CREATE INDEX cases_owner ON cases (owner, found_at_us);
-- Somebody's cases in one state.
CREATE INDEX cases_owner_state ON cases (owner, state, found_at_us);
CREATE INDEX cases_currency ON cases (currency, found_at_us);
-- Complaints, nearest deadline first.
CREATE INDEX cases_due ON cases (due_us);
-- what was closed since a time
CREATE INDEX cases_decided ON cases (decided_at_us);
-- Complaints are searched by their reference.
CREATE INDEX cases_reference ON cases (reference) WHERE reference <> '';

-- Notes that colleagues write about a case.
CREATE TABLE case_notes (
  case_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  at_us INTEGER NOT NULL,
  actor TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (case_id, number)
) STRICT;

-- Corrections: who requested them, who decided, and the ledger row that they booked.
CREATE TABLE corrections (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_us INTEGER NOT NULL,
  kind INTEGER NOT NULL, -- models.CorrectionKind
  player_id INTEGER NOT NULL,
  transaction_id TEXT NOT NULL,
  round_id TEXT NOT NULL,
  amount_minor INTEGER NOT NULL,
  effect_minor INTEGER NOT NULL, -- signed change of the balance
  reason TEXT NOT NULL,
  note TEXT NOT NULL,
  reference TEXT NOT NULL,
  another TEXT NOT NULL, -- why it is not what was similar to it; may be empty
  maker_id INTEGER NOT NULL,
  maker TEXT NOT NULL,
  maker_role TEXT NOT NULL,
  asked_before_minor INTEGER NOT NULL, -- the balance when it was requested
  -- username of the person asked to decide it, or empty. It grants no permission: that is checked at the approval
  assignee TEXT NOT NULL DEFAULT '',
  state INTEGER NOT NULL, -- models.ApprovalState
  checker_id INTEGER NOT NULL,
  checker TEXT NOT NULL,
  checker_role TEXT NOT NULL,
  decided_at_us INTEGER NOT NULL,
  decision_note TEXT NOT NULL,
  seq INTEGER NOT NULL, -- the ledger line that it booked; 0 if none
  spin INTEGER NOT NULL, -- 1: that line is in spin_entries
  before_minor INTEGER NOT NULL,
  after_minor INTEGER NOT NULL
) STRICT;
CREATE INDEX corrections_at ON corrections (at_us);
CREATE INDEX corrections_amount ON corrections (amount_minor);
CREATE INDEX corrections_state ON corrections (state, at_us);
CREATE INDEX corrections_kind ON corrections (kind, at_us);
CREATE INDEX corrections_reason ON corrections (reason, at_us);
CREATE INDEX corrections_assignee ON corrections (assignee, at_us);
CREATE INDEX corrections_player ON corrections (player_id, at_us);
CREATE INDEX corrections_transaction ON corrections (transaction_id);
CREATE INDEX corrections_reference ON corrections (reference);
CREATE INDEX corrections_maker ON corrections (maker_id, at_us);
CREATE INDEX corrections_checker ON corrections (checker_id, at_us);
CREATE INDEX corrections_decided ON corrections (decided_at_us);

-- Files of the platform's transactions, or of a client's cash: how each is read, and the period it covers.
CREATE TABLE statements (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_us INTEGER NOT NULL,
  actor TEXT NOT NULL,
  file_name TEXT NOT NULL,
  digest TEXT NOT NULL,
  file_bytes INTEGER NOT NULL,
  header TEXT NOT NULL,
  header_digest TEXT NOT NULL, -- files with the same header are read the same way
  file_id TEXT NOT NULL, -- in file_chunks; empty: not kept
  layout TEXT NOT NULL, -- which column is what, as JSON
  since_us INTEGER NOT NULL,
  until_us INTEGER NOT NULL,
  margin_us INTEGER NOT NULL, -- transactions this close to the period's ends may be in the neighboring file
  client_id INTEGER NOT NULL -- the API client whose cash it has; 0: the platform's
) STRICT;
CREATE INDEX statements_at ON statements (at_us);
CREATE INDEX statements_digest ON statements (digest);
CREATE INDEX statements_file ON statements (file_id);
CREATE INDEX statements_header ON statements (header_digest, at_us);

-- Each comparison of a statement with our ledger: progress and result.
CREATE TABLE statement_runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  statement_id INTEGER NOT NULL,
  at_us INTEGER NOT NULL,
  actor TEXT NOT NULL,
  state INTEGER NOT NULL, -- models.JobState
  tries INTEGER NOT NULL DEFAULT 0, -- how often it was begun
  permille INTEGER NOT NULL,
  line_count INTEGER NOT NULL,
  bad_lines INTEGER NOT NULL,
  differences INTEGER NOT NULL,
  erased_lines INTEGER NOT NULL, -- lines about erased players, left out
  edges INTEGER NOT NULL, -- differences too close to the period's ends to judge
  respelled INTEGER NOT NULL, -- IDs that differ only in the case of their letters
  failure TEXT NOT NULL,
  started_at_us INTEGER NOT NULL,
  finished_at_us INTEGER NOT NULL,
  cases INTEGER NOT NULL,
  sums TEXT NOT NULL, -- by currency and bucket, as JSON
  bad TEXT NOT NULL -- the first lines that were not compared, as JSON
) STRICT;
CREATE INDEX statement_runs_statement ON statement_runs (statement_id, id);
CREATE INDEX statement_runs_state ON statement_runs (state, id);

-- Differences that a comparison found: one row per transaction.
CREATE TABLE statement_differences (
  run_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  bucket INTEGER NOT NULL, -- models.Bucket
  edge INTEGER NOT NULL, -- 1: close to the period's ends, so there is no case
  transaction_id TEXT NOT NULL,
  our_number INTEGER NOT NULL, -- internal ID; 0 if it is only in the statement
  player_id INTEGER NOT NULL,
  user_id TEXT NOT NULL,
  currency TEXT NOT NULL,
  kind INTEGER NOT NULL,
  free_spin INTEGER NOT NULL,
  at_us INTEGER NOT NULL,
  line INTEGER NOT NULL, -- line of the file; 0 if it is only in our ledger
  their_id TEXT NOT NULL, -- the platform's spelling of the ID, if it is another one
  their_user TEXT NOT NULL, -- the platform's player, if it is another one
  our_there INTEGER NOT NULL,
  our_currency TEXT NOT NULL,
  our_bet_minor INTEGER NOT NULL,
  our_win_minor INTEGER NOT NULL,
  our_free_spin INTEGER NOT NULL,
  our_standing INTEGER NOT NULL,
  their_there INTEGER NOT NULL,
  their_currency TEXT NOT NULL,
  their_bet_minor INTEGER NOT NULL,
  their_win_minor INTEGER NOT NULL,
  their_free_spin INTEGER NOT NULL,
  their_standing INTEGER NOT NULL,
  detail TEXT NOT NULL,
  remedy INTEGER NOT NULL, -- models.Remedy
  remedy_minor INTEGER NOT NULL,
  case_id INTEGER NOT NULL,
  PRIMARY KEY (run_id, number)
) STRICT;
-- Whether a player has differences of a kind.
CREATE INDEX statement_differences_bucket ON statement_differences (run_id, bucket, player_id);
-- Differences of a kind are listed by time.
CREATE INDEX statement_differences_bucket_at ON statement_differences (run_id, bucket, at_us, number);
CREATE INDEX statement_differences_transaction ON statement_differences (transaction_id, run_id);
CREATE INDEX statement_differences_ours ON statement_differences (our_number);
-- Differences are listed by time.
CREATE INDEX statement_differences_at ON statement_differences (run_id, at_us, number);

-- What stops play: restrictions of players, and freezes of the house, a provider or a game (models.Restriction).
CREATE TABLE restrictions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  subject INTEGER NOT NULL, -- models.RestrictionSubject
  player_id INTEGER NOT NULL, -- 0 unless it is about a player
  about TEXT NOT NULL, -- the provider or the platform's ID of the game
  kind INTEGER NOT NULL, -- models.RestrictionKind
  scope INTEGER NOT NULL, -- models.RestrictionScope
  at_us INTEGER NOT NULL,
  until_us INTEGER NOT NULL,
  reason TEXT NOT NULL,
  setter_id INTEGER NOT NULL,
  setter TEXT NOT NULL,
  setter_role TEXT NOT NULL,
  -- the request to end it early
  end_reason TEXT NOT NULL,
  maker_id INTEGER NOT NULL,
  maker TEXT NOT NULL,
  maker_role TEXT NOT NULL,
  state INTEGER NOT NULL, -- models.ApprovalState; 0 until somebody requests it
  checker_id INTEGER NOT NULL,
  checker TEXT NOT NULL,
  checker_role TEXT NOT NULL,
  decided_at_us INTEGER NOT NULL,
  decision_note TEXT NOT NULL
) STRICT;
CREATE INDEX restrictions_player ON restrictions (player_id, at_us, id);
CREATE INDEX restrictions_subject ON restrictions (subject, state, at_us, id); -- each attempt looks for freezes of the house
CREATE INDEX restrictions_state ON restrictions (state, at_us, id);
CREATE INDEX restrictions_maker ON restrictions (maker_id, at_us, id);
CREATE INDEX restrictions_at ON restrictions (at_us, id);

-- Cash-outs that people approve before they are paid (models.CashReview).
CREATE TABLE cash_reviews (
  id INTEGER NOT NULL PRIMARY KEY, -- of the posting that holds the amount
  at_us INTEGER NOT NULL,
  player_id INTEGER NOT NULL,
  transaction_id TEXT NOT NULL,
  amount_minor INTEGER NOT NULL,
  currency TEXT NOT NULL,
  maker_id INTEGER NOT NULL, -- 0: the API client requested it
  maker TEXT NOT NULL,
  maker_role TEXT NOT NULL,
  state INTEGER NOT NULL, -- models.ApprovalState
  checker_id INTEGER NOT NULL,
  checker TEXT NOT NULL,
  checker_role TEXT NOT NULL,
  decided_at_us INTEGER NOT NULL,
  decision_note TEXT NOT NULL,
  UNIQUE (transaction_id)
) STRICT;
CREATE INDEX cash_reviews_player ON cash_reviews (player_id, at_us, id);
CREATE INDEX cash_reviews_state ON cash_reviews (state, at_us, id);
CREATE INDEX cash_reviews_maker ON cash_reviews (maker_id, at_us, id);
CREATE INDEX cash_reviews_at ON cash_reviews (at_us, id);
