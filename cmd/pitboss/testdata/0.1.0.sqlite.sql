CREATE TABLE api_clients (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_us INTEGER NOT NULL,
  name TEXT NOT NULL,
  scopes TEXT NOT NULL, -- JSON
  networks TEXT NOT NULL, -- from which it may call; empty for any
  test INTEGER NOT NULL, -- it only reaches test players
  per_minute INTEGER NOT NULL, -- calls
  cash TEXT NOT NULL, -- the largest deposit or cash-out, by currency
  cash_per_day TEXT NOT NULL, -- the most in a day, by currency: deposits and cash-outs each
  cash_per_player TEXT NOT NULL, -- likewise, with one player
  approve_above TEXT NOT NULL, -- larger cash-outs wait for approval, by currency
  webhook TEXT NOT NULL, -- to which its events are sent
  events TEXT NOT NULL, -- JSON: which
  secret_hash BLOB NOT NULL,
  secret_at_us INTEGER NOT NULL,
  previous_hash BLOB NOT NULL,
  previous_until_us INTEGER NOT NULL, -- until when the previous secret is accepted
  revoked_at_us INTEGER NOT NULL,
  UNIQUE (name)
) STRICT;
CREATE TABLE api_requests (
  client_id INTEGER NOT NULL,
  idem_key TEXT NOT NULL, -- Idempotency-Key; with a blank and a number for parts of a request
  route TEXT NOT NULL,
  digest BLOB NOT NULL, -- of its contents
  object TEXT NOT NULL, -- what it made, as in audit_events
  object_id TEXT NOT NULL,
  number TEXT NOT NULL, -- of the request that made it: the session of its audit events
  at_us INTEGER NOT NULL,
  PRIMARY KEY (client_id, idem_key)
) STRICT;
CREATE TABLE audit_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_us INTEGER NOT NULL,
  actor TEXT NOT NULL,
  address TEXT NOT NULL,
  session TEXT NOT NULL, -- short name of the staff session
  action TEXT NOT NULL,
  object TEXT NOT NULL,
  object_id TEXT NOT NULL, -- the object's internal ID, in decimal
  player_id INTEGER NOT NULL DEFAULT 0, -- whom it concerns
  before_text TEXT NOT NULL,
  after_text TEXT NOT NULL,
  reason TEXT NOT NULL,
  salts BLOB NOT NULL DEFAULT x'', -- one per text; a keyed mark for an erased text
  digests BLOB NOT NULL DEFAULT x'', -- salted digest of each text
  hash BLOB NOT NULL DEFAULT x'',
  channel INTEGER NOT NULL DEFAULT 0, -- models.Channel: how the actor reached Pitboss
  os_user TEXT NOT NULL DEFAULT '', -- the operating system's user, for actions at the command line
  stated INTEGER NOT NULL DEFAULT 0, -- 1: digests includes one of the object's row after the event
  replaces INTEGER NOT NULL DEFAULT 0 -- the object's previous event with stated = 1; 0 if none
) STRICT;
CREATE TABLE audit_head (
  id INTEGER NOT NULL PRIMARY KEY,
  seq INTEGER NOT NULL,
  hash BLOB NOT NULL
) STRICT;
CREATE TABLE callback_minutes (
  minute_us INTEGER NOT NULL,
  endpoint TEXT NOT NULL, -- empty: not a callback, and result is the HTTP status
  result INTEGER NOT NULL,
  answers INTEGER NOT NULL,
  PRIMARY KEY (minute_us, endpoint, result)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE campaign_lines (
  campaign_id INTEGER NOT NULL,
  line INTEGER NOT NULL,
  player_id INTEGER NOT NULL,
  game_id INTEGER NOT NULL,
  spins INTEGER NOT NULL,
  mac BLOB NOT NULL DEFAULT x'', -- keyed hash of what was uploaded, so that a line that nobody uploaded grants nothing
  grant_id INTEGER NOT NULL,
  refused_at_us INTEGER NOT NULL, -- 0 while the line is not refused
  message TEXT NOT NULL,
  PRIMARY KEY (campaign_id, line)
) STRICT, WITHOUT ROWID;
CREATE TABLE campaigns (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_us INTEGER NOT NULL,
  actor TEXT NOT NULL,
  role TEXT NOT NULL,
  file_name TEXT NOT NULL,
  digest TEXT NOT NULL, -- SHA-256 of the lines, so that they are not granted twice by mistake
  name TEXT NOT NULL, -- also the reason of its grants
  starts_at_us INTEGER NOT NULL, -- nothing is granted before; 0 for at once
  ends_at_us INTEGER NOT NULL, -- nothing is granted from then on; 0 for no end
  budget_spins INTEGER NOT NULL, -- 0 for no budget
  budget_cost TEXT NOT NULL, -- by currency, as JSON
  stopped_for TEXT NOT NULL, -- why it was stopped before all lines had an outcome
  again INTEGER NOT NULL,
  job_state INTEGER NOT NULL,
  row_count INTEGER NOT NULL,
  spins INTEGER NOT NULL,
  exceeded TEXT NOT NULL DEFAULT '', -- the limits that were exceeded when it was requested, in words
  expires_at_us INTEGER NOT NULL DEFAULT 0,
  -- Who requested and approved a campaign beyond the limits.
  maker_id INTEGER NOT NULL DEFAULT 0,
  maker TEXT NOT NULL DEFAULT '',
  maker_role TEXT NOT NULL DEFAULT '',
  state INTEGER NOT NULL DEFAULT 0, -- models.ApprovalState; 0 for a campaign within the limits
  checker_id INTEGER NOT NULL DEFAULT 0,
  checker TEXT NOT NULL DEFAULT '',
  checker_role TEXT NOT NULL DEFAULT '',
  decided_at_us INTEGER NOT NULL DEFAULT 0,
  decision_note TEXT NOT NULL DEFAULT '', -- why it was refused
  finished_at_us INTEGER NOT NULL
) STRICT;
CREATE TABLE case_notes (
  case_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  at_us INTEGER NOT NULL,
  actor TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (case_id, number)
) STRICT;
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
CREATE TABLE change_requests (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_us INTEGER NOT NULL,
  subject TEXT NOT NULL, -- models.ChangeSubject
  value_before TEXT NOT NULL,
  value_after TEXT NOT NULL,
  reason TEXT NOT NULL,
  day TEXT NOT NULL DEFAULT '', -- the first day of exchange rates; otherwise empty
  maker_id INTEGER NOT NULL,
  maker TEXT NOT NULL,
  maker_role TEXT NOT NULL,
  state INTEGER NOT NULL, -- models.ApprovalState
  checker_id INTEGER NOT NULL,
  checker TEXT NOT NULL,
  checker_role TEXT NOT NULL,
  decided_at_us INTEGER NOT NULL,
  decision_note TEXT NOT NULL -- why it was refused
) STRICT;
CREATE TABLE checkpoints (
  number INTEGER NOT NULL PRIMARY KEY,
  at_us INTEGER NOT NULL,
  previous BLOB NOT NULL, -- digest of the previous checkpoint
  digest BLOB NOT NULL,
  signature BLOB NOT NULL,
  key_fingerprint TEXT NOT NULL,
  actor TEXT NOT NULL,
  wallets INTEGER NOT NULL,
  entries INTEGER NOT NULL,
  spin_entries INTEGER NOT NULL,
  audit_seq INTEGER NOT NULL,
  size_bytes INTEGER NOT NULL,
  file_name TEXT NOT NULL DEFAULT '',
  kept_at_us INTEGER NOT NULL DEFAULT 0 -- when the file was written to PITBOSS_CHECKPOINT_DIR
) STRICT;
CREATE TABLE client_cash (
  client_id INTEGER NOT NULL,
  day_us INTEGER NOT NULL, -- its beginning, UTC
  player_id INTEGER NOT NULL, -- 0: the client's sum
  kind INTEGER NOT NULL, -- models.OperationKind; 0: the day's sums are there
  currency TEXT NOT NULL,
  amount_minor INTEGER NOT NULL,
  PRIMARY KEY (client_id, day_us, player_id, kind, currency)
) STRICT, WITHOUT ROWID;
CREATE TABLE closed_days (
  day TEXT NOT NULL,
  zone TEXT NOT NULL,
  from_us INTEGER NOT NULL,
  until_us INTEGER NOT NULL,
  closed_at_us INTEGER NOT NULL,
  digest TEXT NOT NULL, -- of the day's figures; pitboss figures check recalculates it
  stakes TEXT NOT NULL, -- in play at its end, as JSON (models.Stakes): part of what is signed
  PRIMARY KEY (day)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE daily_heads (
  player_id INTEGER NOT NULL,
  currency TEXT NOT NULL,
  test INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  balance_minor INTEGER NOT NULL, -- the balance after row seq
  held_minor INTEGER NOT NULL, -- the held amount after row seq
  day TEXT NOT NULL, -- the day of row seq
  spin_seq INTEGER NOT NULL,
  spin_day TEXT NOT NULL,
  PRIMARY KEY (player_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE daily_sums (
  day TEXT NOT NULL,
  player_id INTEGER NOT NULL,
  currency TEXT NOT NULL,
  test INTEGER NOT NULL,
  from_seq INTEGER NOT NULL, -- the row sums entries from_seq to to_seq
  to_seq INTEGER NOT NULL,
  from_spin_seq INTEGER NOT NULL,
  to_spin_seq INTEGER NOT NULL,
  bets INTEGER NOT NULL,
  stake_minor INTEGER NOT NULL,
  stake_reversed_minor INTEGER NOT NULL,
  win_minor INTEGER NOT NULL,
  win_reversed_minor INTEGER NOT NULL,
  spins INTEGER NOT NULL,
  spin_stake_minor INTEGER NOT NULL,
  spin_win_minor INTEGER NOT NULL,
  spin_win_reversed_minor INTEGER NOT NULL,
  reversals INTEGER NOT NULL, -- rollbacks
  opening_minor INTEGER NOT NULL,
  credit_minor INTEGER NOT NULL,
  debit_minor INTEGER NOT NULL,
  corrections INTEGER NOT NULL,
  deposit_minor INTEGER NOT NULL, -- cash deposits
  requested_minor INTEGER NOT NULL, -- cash-outs
  returned_minor INTEGER NOT NULL, -- cash-outs
  paid_minor INTEGER NOT NULL, -- cash-outs, less those that bounced
  moved_minor INTEGER NOT NULL, -- sum of all rows: the change of the balance
  players INTEGER NOT NULL, -- 1 if the player had a bet or free spin
  largest_win_minor INTEGER NOT NULL, -- of one transaction
  largest_win_seq INTEGER NOT NULL, -- its entry; 0 if there was no win
  PRIMARY KEY (day, player_id)
) STRICT, WITHOUT ROWID;
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
  deposit_minor INTEGER NOT NULL, -- cash deposits
  requested_minor INTEGER NOT NULL, -- cash-outs
  returned_minor INTEGER NOT NULL, -- cash-outs
  paid_minor INTEGER NOT NULL, -- cash-outs, less those that bounced
  moved_minor INTEGER NOT NULL,
  players INTEGER NOT NULL, -- players with a bet or free spin
  PRIMARY KEY (day, currency, test)
) STRICT, WITHOUT ROWID;
CREATE TABLE day_signatures (
  day TEXT NOT NULL,
  role TEXT NOT NULL,
  signed_by TEXT NOT NULL,
  at_us INTEGER NOT NULL,
  note TEXT NOT NULL,
  digest TEXT NOT NULL,
  checkpoint INTEGER NOT NULL, -- the latest checkpoint at that time
  verification INTEGER NOT NULL, -- the latest verification that ended; 0 if none had
  statements TEXT NOT NULL, -- the platform's statements of the day, as JSON (models.SignedStatement)
  open_cases INTEGER NOT NULL, -- about this day and earlier ones
  unknown_grants INTEGER NOT NULL,
  faults INTEGER NOT NULL, -- that the latest verification found
  PRIMARY KEY (day, role)
) STRICT, WITHOUT ROWID;
CREATE TABLE declined_texts (
  digest BLOB NOT NULL PRIMARY KEY,
  kind INTEGER NOT NULL,
  user_length INTEGER NOT NULL,
  transaction_length INTEGER NOT NULL,
  at_us INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE event_order (
  number INTEGER NOT NULL PRIMARY KEY,
  ledger INTEGER NOT NULL,
  player_id INTEGER NOT NULL, -- 0 for the audit log
  from_seq INTEGER NOT NULL,
  to_seq INTEGER NOT NULL,
  mark INTEGER NOT NULL -- random, so that cursors show to which history they belong
) STRICT;
CREATE TABLE file_chunks (
  file_id TEXT NOT NULL,
  number INTEGER NOT NULL, -- from 0
  content BLOB NOT NULL,
  PRIMARY KEY (file_id, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE game_changes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_us INTEGER NOT NULL,
  sync_id INTEGER NOT NULL,
  game INTEGER NOT NULL,
  kind INTEGER NOT NULL, -- models.GameChangeKind
  name TEXT NOT NULL,
  former_name TEXT NOT NULL
) STRICT;
CREATE TABLE game_sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_us INTEGER NOT NULL,
  actor TEXT NOT NULL,
  player_id INTEGER NOT NULL,
  game_id INTEGER NOT NULL,
  language TEXT NOT NULL,
  currency TEXT NOT NULL,
  reason TEXT NOT NULL,
  state INTEGER NOT NULL, -- models.GameSessionState
  failure TEXT NOT NULL,
  latency_us INTEGER NOT NULL,
  game_url TEXT NOT NULL, -- redacted
  -- random: the form's tab finds the session by it; it reveals nothing about the game's address
  launch TEXT NOT NULL DEFAULT '',
  answer_raw TEXT NOT NULL -- the platform's answer if it failed, truncated
) STRICT;
CREATE TABLE game_syncs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_us INTEGER NOT NULL,
  actor TEXT NOT NULL,
  latency_us INTEGER NOT NULL,
  offered INTEGER NOT NULL,
  unusable INTEGER NOT NULL, -- entries without a usable ID, or with a duplicate ID
  added INTEGER NOT NULL,
  renamed INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  gone INTEGER NOT NULL,
  returned INTEGER NOT NULL,
  error TEXT NOT NULL
) STRICT;
CREATE TABLE games (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  game_id TEXT NOT NULL, -- the platform's ID
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  provider TEXT NOT NULL,
  thumbnail TEXT NOT NULL,
  former_name TEXT NOT NULL,
  search TEXT NOT NULL, -- name, ID and provider, case-folded; lists are in this order
  added_at_us INTEGER NOT NULL,
  seen_at_us INTEGER NOT NULL,
  gone_at_us INTEGER NOT NULL, -- when it first was missing from the list; 0 while it is offered
  added_sync INTEGER NOT NULL DEFAULT 0, -- the synchronization that first offered it
  UNIQUE (game_id)
) STRICT;
CREATE TABLE goose_db_version (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		version_id INTEGER NOT NULL,
		is_applied INTEGER NOT NULL,
		tstamp TIMESTAMP DEFAULT (datetime('now'))
	);
CREATE TABLE grant_observations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  grant_id INTEGER NOT NULL,
  at_us INTEGER NOT NULL,
  result INTEGER NOT NULL,
  status TEXT NOT NULL,
  total INTEGER NOT NULL,
  used INTEGER NOT NULL,
  remaining INTEGER NOT NULL,
  ours INTEGER NOT NULL,
  answer_raw TEXT NOT NULL
) STRICT;
CREATE TABLE grants (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_us INTEGER NOT NULL,
  actor TEXT NOT NULL,
  role TEXT NOT NULL, -- of whoever requested it
  player_id INTEGER NOT NULL,
  game_id INTEGER NOT NULL,
  spins INTEGER NOT NULL,
  reason TEXT NOT NULL,
  again INTEGER NOT NULL, -- requested although an earlier outcome was unknown
  campaign_id INTEGER,
  campaign_line INTEGER,
  state INTEGER NOT NULL, -- models.GrantState
  free_spin_id TEXT, -- the platform's; NULL while it is unknown
  result INTEGER NOT NULL, -- the platform's, or -1
  message TEXT NOT NULL,
  latency_us INTEGER NOT NULL,
  answer_raw TEXT NOT NULL, -- the platform's answer, truncated
  sent_at_us INTEGER NOT NULL,
  answered_at_us INTEGER NOT NULL,
  finished_at_us INTEGER NOT NULL,
  resolution INTEGER NOT NULL, -- models.Resolution
  resolved_by TEXT NOT NULL,
  resolved_at_us INTEGER NOT NULL,
  resolution_note TEXT NOT NULL,
  used INTEGER NOT NULL, -- according to the platform's last answer, or -1
  remaining INTEGER NOT NULL, -- according to the platform's last answer, or -1
  observed_at_us INTEGER NOT NULL,
  next_poll_at_us INTEGER NOT NULL,
  polls INTEGER NOT NULL, -- answered queries; each doubles the wait for the next
  poll_error TEXT NOT NULL,
  ours INTEGER NOT NULL, -- spins in our ledger attributed to this grant
  apart INTEGER NOT NULL, -- consecutive answers in which used and ours differed
  compared_at_us INTEGER NOT NULL DEFAULT 0, -- when used and ours were last compared; 0: not yet
  disowned_at_us INTEGER NOT NULL DEFAULT 0, -- since when the platform no longer knows it; 0 while it does
  UNIQUE (free_spin_id),
  UNIQUE (campaign_id, campaign_line)
) STRICT;
CREATE TABLE leases (
  name TEXT NOT NULL,
  holder TEXT NOT NULL,
  until_us INTEGER NOT NULL,
  position INTEGER NOT NULL, -- the job's position; each job defines what it counts
  mac BLOB NOT NULL DEFAULT x'', -- proves that the program wrote the position
  -- how often the row was locked: Galera only detects conflicts between rows that two nodes have written
  turns INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (name)
) STRICT, WITHOUT ROWID;
CREATE TABLE ledgers (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  key_fingerprint TEXT NOT NULL,
  begun_at_us INTEGER NOT NULL
) STRICT;
CREATE TABLE money_minutes (
  minute_us INTEGER NOT NULL,
  currency TEXT NOT NULL,
  test INTEGER NOT NULL,
  day TEXT NOT NULL, -- on which the lines count
  bets INTEGER NOT NULL,
  stake_minor INTEGER NOT NULL,
  stake_reversed_minor INTEGER NOT NULL,
  win_minor INTEGER NOT NULL,
  win_reversed_minor INTEGER NOT NULL,
  spins INTEGER NOT NULL,
  spin_stake_minor INTEGER NOT NULL,
  spin_win_minor INTEGER NOT NULL,
  spin_win_reversed_minor INTEGER NOT NULL,
  PRIMARY KEY (minute_us, currency, test, day)
) STRICT, WITHOUT ROWID;
CREATE TABLE notices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_us INTEGER NOT NULL,
  event_id INTEGER NOT NULL, -- the audit event that caused it
  kind TEXT NOT NULL,
  object_id TEXT NOT NULL,
  channel TEXT NOT NULL,
  client_id INTEGER NOT NULL DEFAULT 0, -- whose webhook it is for
  state INTEGER NOT NULL,
  tries INTEGER NOT NULL,
  next_us INTEGER NOT NULL, -- next attempt
  sent_at_us INTEGER NOT NULL,
  error TEXT NOT NULL,
  detail TEXT NOT NULL DEFAULT '',
  occasions INTEGER NOT NULL DEFAULT 1, -- how many events it represents
  UNIQUE (event_id, channel, client_id)
) STRICT;
CREATE TABLE players (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id TEXT NOT NULL,
  test INTEGER NOT NULL DEFAULT 0, -- a test player, excluded from reports by default
  created_at_us INTEGER NOT NULL,
  zone TEXT NOT NULL, -- the player's time zone, in which limits begin; empty: that of reports
  language TEXT NOT NULL DEFAULT '' -- in which staff answer the player; empty: not chosen
) STRICT;
CREATE TABLE postings (
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- the order of booking across all wallets
  source INTEGER NOT NULL, -- 1 the platform, 2 Pitboss, 3 clients of the API: three key spaces
  transaction_id TEXT NOT NULL,
  -- 1 applied, 2 rolled back, or the end of a cash-out; NULL for a rollback that came first: several players may have one for
  -- the same ID
  claim INTEGER,
  player_id INTEGER NOT NULL,
  -- the number of the row's last line. A wallet's lines are numbered from 1 without gaps. A free spin has no line here, so its
  -- row has the number of the line before it
  seq INTEGER NOT NULL,
  kind INTEGER NOT NULL, -- models.OperationKind of the operation that was applied or rolled back
  round_id TEXT NOT NULL,
  bet_minor INTEGER NOT NULL,
  win_minor INTEGER NOT NULL,
  free_spin INTEGER NOT NULL, -- 1: the stake is only a figure, and the line is in spin_entries
  after_minor INTEGER NOT NULL, -- the wallet's balance
  at_us INTEGER NOT NULL,
  -- hash of this row and of the hash of the wallet's previous row; for a free spin, the hash of its line in spin_entries
  hash BLOB NOT NULL,
  held_minor INTEGER, -- held by cash-outs, after cash; NULL for everything else
  -- the callback that it comes from, as the callback log shows it; NULL for everything else
  request INTEGER, -- models.RequestID, without its time
  received_us INTEGER,
  address BLOB,
  -- of its callback's signed text (models/signed.go), so that no text is applied twice; NULL if no callback brought it
  signed_digest BLOB
) STRICT;
CREATE TABLE program_runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  place TEXT NOT NULL,
  version TEXT NOT NULL,
  settings TEXT NOT NULL, -- a digest of each setting, as JSON
  schema_no INTEGER NOT NULL,
  started_at_us INTEGER NOT NULL,
  seen_at_us INTEGER NOT NULL,
  ended_at_us INTEGER NOT NULL
) STRICT;
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
CREATE TABLE saved_views (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  staff_id INTEGER NOT NULL,
  page TEXT NOT NULL,
  name TEXT NOT NULL,
  query TEXT NOT NULL,
  shared INTEGER NOT NULL,
  created_at_us INTEGER NOT NULL
) STRICT;
CREATE TABLE settings (
  name TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL,
  changed_at_us INTEGER NOT NULL
) STRICT;
CREATE TABLE sign_in_counters (
  scope TEXT NOT NULL,
  username TEXT NOT NULL,
  origin TEXT NOT NULL,
  failures INTEGER NOT NULL,
  last_at_us INTEGER NOT NULL,
  until_us INTEGER NOT NULL, -- no attempt is accepted before this time
  PRIMARY KEY (scope, username, origin)
) STRICT;
CREATE TABLE spin_attributions (
  player_id INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  grant_id INTEGER NOT NULL,
  rule INTEGER NOT NULL, -- how it was inferred
  PRIMARY KEY (player_id, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE spin_entries (
  player_id INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  transaction_id TEXT NOT NULL,
  round_id TEXT NOT NULL,
  spins INTEGER NOT NULL, -- +1 used, -1 given back
  stake_minor INTEGER NOT NULL, -- only a figure: it never changed the balance
  grant_known INTEGER NOT NULL, -- whether a grant that explains it was known at the time
  at_us INTEGER NOT NULL,
  hash BLOB NOT NULL,
  signed_digest BLOB, -- as in its posting
  PRIMARY KEY (player_id, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE staff (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  username TEXT NOT NULL,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  password_hash TEXT NOT NULL,
  must_change_password INTEGER NOT NULL,
  totp_secret TEXT NOT NULL, -- encrypted with PITBOSS_SESSION_KEY
  totp_step INTEGER NOT NULL, -- the last step used: a code works once
  disabled INTEGER NOT NULL,
  zone TEXT NOT NULL,
  theme TEXT NOT NULL,
  density TEXT NOT NULL,
  quiet INTEGER NOT NULL DEFAULT 0, -- no e-mails about their own cases and requests
  created_at_us INTEGER NOT NULL,
  password_set_at_us INTEGER NOT NULL,
  signed_in_at_us INTEGER NOT NULL,
  email TEXT NOT NULL DEFAULT '', -- where one-time links are sent; empty: none
  enabled_at_us INTEGER NOT NULL DEFAULT 0, -- when it was last enabled: days of disuse count from here at the earliest
  unconfirmed TEXT NOT NULL, -- what an administrator still has to confirm, as JSON (models.Unconfirmed)
  identity TEXT, -- issuer#subject at the identity provider; NULL: not linked
  UNIQUE (username),
  UNIQUE (identity)
) STRICT;
CREATE TABLE staff_devices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  staff_id INTEGER NOT NULL,
  device_hash TEXT NOT NULL,
  address TEXT NOT NULL,
  seen_at_us INTEGER NOT NULL,
  UNIQUE (staff_id, device_hash)
) STRICT;
CREATE TABLE staff_links (
  staff_id INTEGER PRIMARY KEY,
  code_hash TEXT NOT NULL,
  delivery TEXT NOT NULL,
  made_at_us INTEGER NOT NULL,
  expires_at_us INTEGER NOT NULL
) STRICT;
CREATE TABLE staff_passkeys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  staff_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  credential TEXT NOT NULL, -- its ID and public key, as JSON
  sign_count INTEGER NOT NULL, -- that the authenticator last sent: a copy of the key would repeat it
  added_at_us INTEGER NOT NULL,
  used_at_us INTEGER NOT NULL
) STRICT;
CREATE TABLE staff_passwords (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  staff_id INTEGER NOT NULL,
  password_hash TEXT NOT NULL
) STRICT;
CREATE TABLE staff_recovery_codes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  staff_id INTEGER NOT NULL,
  code_hash TEXT NOT NULL,
  UNIQUE (staff_id, code_hash)
) STRICT;
CREATE TABLE staff_sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  id_hash TEXT NOT NULL, -- SHA-256 of the cookie, in hexadecimal
  staff_id INTEGER NOT NULL,
  data TEXT NOT NULL, -- the session's values, as JSON
  address TEXT NOT NULL,
  agent TEXT NOT NULL,
  created_at_us INTEGER NOT NULL,
  seen_at_us INTEGER NOT NULL, -- last request by the person; polling does not count
  expires_at_us INTEGER NOT NULL,
  mac TEXT NOT NULL DEFAULT '', -- keyed hash of owner, times and values, so that a row changed with SQL signs nobody in
  -- SHA-256 of the last form that was sent, and where its answer led, so that a second click does nothing
  form TEXT NOT NULL DEFAULT '',
  form_led_to TEXT NOT NULL DEFAULT '',
  UNIQUE (id_hash)
) STRICT;
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
CREATE TABLE verifications (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_us INTEGER NOT NULL,
  actor TEXT NOT NULL,
  state INTEGER NOT NULL, -- models.JobState
  tries INTEGER NOT NULL DEFAULT 0, -- how often it was begun
  started_at_us INTEGER NOT NULL DEFAULT 0,
  finished_at_us INTEGER NOT NULL DEFAULT 0,
  lines_read INTEGER NOT NULL DEFAULT 0,
  lines_expected INTEGER NOT NULL DEFAULT 0,
  faults INTEGER NOT NULL DEFAULT 0,
  report TEXT NOT NULL, -- the findings, as JSON
  failure TEXT NOT NULL
) STRICT;
CREATE TABLE wallets (
  player_id INTEGER PRIMARY KEY,
  currency TEXT NOT NULL,
  -- bets, free spins, cash deposits and cash-outs are refused before these times: the latest ends of the player's restrictions
  play_from_us INTEGER NOT NULL DEFAULT 0,
  bonuses_from_us INTEGER NOT NULL DEFAULT 0,
  deposits_from_us INTEGER NOT NULL DEFAULT 0,
  cash_outs_from_us INTEGER NOT NULL DEFAULT 0,
  limits TEXT NOT NULL DEFAULT '', -- the player's limits (models/player_limit.go), as JSON; empty: none
  limit_sums TEXT NOT NULL DEFAULT '', -- what is used of them: what the ledger has of the current periods, added up
  balance_minor INTEGER NOT NULL,
  held_minor INTEGER NOT NULL DEFAULT 0, -- by cash-outs that are neither paid nor returned
  seq INTEGER NOT NULL,
  head BLOB NOT NULL, -- hash of the last posting; seq is the number of its last line
  spin_seq INTEGER NOT NULL,
  spin_head BLOB NOT NULL, -- hash of the last row in spin_entries; spin_seq is its number
  erased INTEGER NOT NULL DEFAULT 0 -- the player's personal data were erased: callbacks treat the player as unknown
) STRICT;
INSERT INTO `api_clients` VALUES (1, 1795429620000000, 'cashier', '["players","deposits","cashouts","launches","grants","read","restriction-kinds"]', '127.0.0.1/32', 0, 6000, 'EUR 500.00', 'EUR 2000.00', '', 'EUR 20.00', 'https://127.0.0.1:9/events', '["player","restriction","grant","game session","correction","cash-out"]', X'eb096bd783076c6c7a7ba4c7b6bd12c000ee41fb8b23eed54ba2df99f96f5bf3', 1795429740000000, X'0000000000000000000000000000000000000000000000000000000000000000', 0, 0);
INSERT INTO `api_requests` VALUES (1, 'r-1', 'restrictPlayer', X'a5fa777a3dc67268caea6eea038ba14177e360dba84e1db44e738dbae137e7ef', 'restriction', '1', '1-2', 1795430760000000);
INSERT INTO `audit_events` VALUES (1, 1795424400000000, 'system', '', '', 'setting changed', 'setting', 'sign-in rules', 0, '', '{"IdleMinutes":15,"SessionHours":12,"SecondFactorRoles":null,"UnusedDays":90}', '', X'6ae6783f4fbde91b6eb88b73a48ed247dbe5882e2579683432c1bfc525454add0cd87274d67084caaf0e0d36c8496db7fef55fe0e125750aa608d5e20ffc2d1212f4a4654efa2bd11e3a9e97e2e230e1', X'65d4e765959a8c952e6002b2e82e09a472a9bdf60bfebdb574fdbbb46511b83d59bfbb1754c6859b0c3e135c48ec52645e59a9c399dfbc7bfc53f79a1dbe86f039540feaa455120c65e132ef0541eb31ad09de5a0ed4ceb47296ebba004070e4e8cd8b078ce06199525c05893ccdee6aebebaf4edd347b5c64d38d6babbaa7d40a7c71d4437e906ee810e47938b78e4c9f764d10e63d61b115262585aa4cb1de', X'269e49451808a4fc585eb28b57379674f441376053456201f1bd67c30a2a1197', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (2, 1795424400000000, 'system', '', '', 'staff created', 'staff', '1', 0, '', '{"email":"","identity":"","name":"Ada Lindqvist","role":"admin","username":"ada"}', '', X'3a311de85bcdb3207b7c831d1c902015740489ea155426385fb678d710f367fb289d04f4291941fe374303f2209ea4533c7518dbb4996558145171bb9af2b29856eb44337c4fdfe2f9404220e7c5010f', X'345587266e149f32c98366be2b4344a6fc6139f38c712ed3668519b442773dcde34c10009ba0aab16826eca90e84f8f164398aedcde36a46cf387dc9333b159e1919e9023b60a56d38a5787d682ec044fc64d48bf6c12537c77b4cd5a723434ebdd85540bf718fc26f0e4c237368f78c77301cd47f8d56df9d9fb8d5e5199c7599c38dcb8c033957cd53b329bd311b4f727d1dcfc27e63b0016fa70c44a4214e', X'c82901de369c29829d44a68f5b6212141bd4767a1bbe91eaf04f9f32b0dc1f48', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (3, 1795424400000000, 'system', '', '', 'staff created', 'staff', '2', 0, '', '{"email":"","identity":"","name":"Adam Okafor","role":"admin","username":"adam"}', '', X'8cd8464d31a6cd4dfc928ac8812b65af3763ddbbc067392e77d1000930f8eecd9222ee3b67982fe5e68ec4fe9d17472fd8fae3c83278c0b4ef9dd60334dc47bce640a1be4658fc73ce7d28a6c6fb35ca', X'5ba709a4fb1f5bd7c092bb4de9eba7814193f4f297a4ae75fed995ba4dac792e0f28fd5fe72dfac3755e5edd06d8d81480e8af14b45c0f87c384a8651ee35db3543ef8cd2759d4b1a03fbf388fdb526b975b3c9548a28b7a799e3e9f655273a17cd5d8e2ee36dcc69ceb0cbbd81d564f1a6bf4b9cfc8999085574c191a24002e9f33f98cd080d9c016938fd8623f47b6724d81696b3b31ec1958255b1ddb6409', X'325dc2a273c9c4c3fb1d15acff9545527044012f7098ddd2b7d8b196773d6faa', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (4, 1795424400000000, 'system', '', '', 'staff created', 'staff', '3', 0, '', '{"email":"","identity":"","name":"Bruno Keller","role":"bonus","username":"bruno"}', '', X'ffb9da32cbf3c17bd96d5088db91b4bda70e2b99f3fd848130685b0020f829280003eeb7bf4146fb0ce1b146bece598b9f8e0cd0ea3236752f1b683fd92dd62a6dfec284257a82cf288cda576ae5e204', X'6d3345e9c8a63bcbec523c1367362c95d4338bcbfa4634e469da2b0923a5f5c540a0804c5aa92dc78d8639cfda8f5b55dd34e512b5a52c61733a10a3a439c46d70d8019ceaf1cfd4935ddfe1b10163a893dd86bad20750f61bf6bb43921fd554a2b09c7ed7811d88bd377d70c60a6bb45eee702a8d8d29530c43a3340438958991a9019f588b7b137d4dc8b5fe35ddfc8b6e0e51ae8c88b3e1df5f9d49a0536c', X'3654697995dfebeb31161c43f4b474c2b3331a1e03d6bb4e3f7325fc111e0947', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (5, 1795424400000000, 'system', '', '', 'staff created', 'staff', '4', 0, '', '{"email":"","identity":"","name":"Sofia Marchetti","role":"support","username":"sofia"}', '', X'b1efae9f96d79409c78a82d452f99c8e2aaee7010384d7f0594247bcfd10b30554f54b2767c4d14c695a27a641057b19d4545e34e106fc59d7b998d6639690eaa1b21dbf348bbf59d33e57303265b83c', X'ae9fd9d5f36632782160e4b7fd46cfdf01d482b77db17e01227eeea838b555064d391cf8dd14ac9ab36ff85489688bd4379594357a2b544707fae17bf506567655e9d4bee0032421ada7dd27dd33ce93b03f88b8397871051a9c259409ea1540026e095e77e89254db9d14684b60e4838eeb0d4e21b8a76ee7e8bb6c3af02e3f9d1fa280130c0d4e992f20a690b2c50d4cae515b52c5665fa5e51fa6fb849345', X'3bd2e2f35c6610cfc6671b557acbbf862d135dd585e654dbf80e41d9213b8794', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (6, 1795424400000000, 'system', '', '', 'staff created', 'staff', '5', 0, '', '{"email":"","identity":"","name":"Farid Haddad","role":"finance","username":"farid"}', '', X'bbd4f6963efabac9a8af8c4b2fdaffd63ee1ac7c8125a5af9ff4fae277ec58fd9c0d081693f00a297bb70b210f0312b13c485fb6fcf881fdff090e813b04c3cbeba7b8e0bfcda3545a716664059ee341', X'47dea0c4b8c78fedc75970209a6974555797f8f1f7e4a818baa4fc872d399b7ed8f466409792d54c8c54b5d823ac31b2b4c5b396d9b083ab73d61d72d5125f6c99e50c55f3a96afca597467a700e19936c45998666b70734c2ee1e52e5ab346f4ac8b59be220485209a8aaa87c8d4afb1233f6164736c171c0808345de2c564aec11ec19c67c7a5d45a96cb24ea7f8a08081c8b4429e4bc31ef2f1fffa6fde25', X'5572b4d58062384f626c87bd0e3de4ec74c1ada3bf865b0ed63c741849348af5', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (7, 1795424400000000, 'system', '', '', 'staff created', 'staff', '6', 0, '', '{"email":"","identity":"","name":"Mira Novak","role":"finance","username":"mira"}', '', X'd83e9f187924382beadad4bd26d083e9b2654468436be6a2a40d536604f4ba22417ff62ea183cb0053689948feed813ab7f839ee808f3c625f638e055026d4fed6e89196f0041e7155c06c4e2c0ff719', X'3555f72a6a95cd4a56f50d65a12740f77d1954810c2671c54529d64708441d5702f08262ba3cb380eaaa7beb1130737cbe4b0f315e45107ca55df6a7255357ae9fe343a26f7e7fcea929d77cb2f902eb46f4ac334e798390f7b5d0b447149e3fa82d3854408abff817c7fa9961a985e0b9ec8aae40f230a6ac85d02bc49ac2a716c449be40d96d9947d0ddc35b7ccd4be84545f8dc85e9c0e6bc242d02a1534b', X'a4986432adf87e3edb3270a1079a246a01857d00e969ed5799f422cf9409a38e', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (8, 1795424400000000, 'system', '', '', 'staff created', 'staff', '7', 0, '', '{"email":"","identity":"","name":"Chloe Martin","role":"compliance","username":"chloe"}', '', X'eccfa5e88e7d42ee38c9dae05404773b4ab58aca5f75de78192ad3108ea4c90b0c418cc429c9e87964c52b6b65db36cbcae753ba8c2e5cf5bb9c3e3e9742523653557e9e96f2fbd636898c48db30b7aa', X'5c2b060a76acc9c466c4d07e847ac2c35fc7086eaa7c1df187872792ec03e90d73ae8c41979080b7442dd2ce329f3b3cd4ed917026ccf1c9357c96a77a6d8fcaa15367f74d766c54a29b1d2e9a7e8c909c557692f9166dddfdcc99630afcf66a6b032a335943f7a188f3b66e2a012be5c551e8415f5faf4666a5b5704bae270bd80abb7c0726bcd287012cc9c6612ea160052133b7c43f995f370be03de67648', X'a64990e8c49bf36304b74850e34a31dc641b72a5798837c0e993caf4f799e5a0', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (9, 1795424880000000, 'system', '', '', 'program started', 'program', '1', 0, '', '{"configuration":"be21911ff881de25b49d8ad739477097","place":"a host, callbacks 127.0.0.1:8081, back office 127.0.0.1:8080","schema":9,"version":"0.1.0"}', '', X'e965310c829fe1f3031066a233a4e425e4a72c060da6e28e8ff820dfb6880a8d2b1b91a4c6d397777b91eae13ee2f857c25626c9adb82d82dfab6b426457126c00000000000000000000000000000000', X'b82a00005eeedd30f63117703e737d9c008a33ec321f586a3ae5ca513da10e642096eb102826478e8c5b364184e7907b8e80d6d7104eff5441ac875fd5fc33e54ad9dbb037d2ac597babff35440df18ae7ee4da96456d463ba788422a5e06e2977f48cf027602291e81a4bb98658fff85fad96ea8a8f0e09493d6b20c8b78cd60000000000000000000000000000000000000000000000000000000000000000', X'f3241b568bff4cb88cab701128a58dc27b18e003e4e51501b12dcdfc05674776', 1, '', 0, 0);
INSERT INTO `audit_events` VALUES (10, 1795424880000000, 'system', '', '', 'program stopped', 'program', '1', 0, '', '', '', X'd57d2e7ac543764716461ac2406a942c9642da966928f9b98d6fb5cc65a0e5a72002cb79872a3f608e94512e9e2635a773e7390c90a9defc0a9607351327a14700000000000000000000000000000000', X'3f0fd133edba805bb69ff9769809f0a02f25945f3969c03c737fa708ae0d22a16baa060fb684f096a03a3644dc6fb320e0eee0a47bd778355e25fe0d4b13cbd518840a82701befa66746c74b3e9792ebf820b9403eb3666dc099a91ae6ae49e5211fdde00ad8c8860bea8118cbae248a6d461aa72b2cfe3af1dda7e995a91b930000000000000000000000000000000000000000000000000000000000000000', X'a9efeb056d2e09d0675d1bcda803937f04c41966c8e6fe9ea10985be2de3fe9b', 1, '', 0, 0);
INSERT INTO `audit_events` VALUES (11, 1795424940000000, 'ada', '192.0.2.10', 'of ada', 'change requested', 'change', '1', 0, '{"value":{"Limits":{"SpinsPerGrant":50,"PlayerGrantsPerDay":3,"PlayerSpinsPerDay":100,"StaffGrantsPerDay":2000,"StaffSpinsPerDay":15000,"HouseSpinsPerDay":30000}}}', '{"requested_by":"ada","subject":"grant limits","value":{"Limits":{"SpinsPerGrant":50,"PlayerGrantsPerDay":3,"PlayerSpinsPerDay":100,"StaffGrantsPerDay":2000,"StaffSpinsPerDay":15000,"HouseSpinsPerDay":30000,"Cost":{"EUR":{"Grant":2000,"PlayerPerDay":4000,"HousePerDay":600000}}},"SpinCost":{"EUR":20}}}', 'Agreed in the meeting.', X'b9cf06d7e96eff9c86886431b1d45325e2989f7603a5a65f3d230f1e148585a6c474e22a740f0a50416ce351245549ffe059afb4aab10186b38e3a3e4043220dd16de92a7c8c87dc6e9adb76accccb75', X'80eb143621155235f610b3b3d2bd161d73e96db76bee5da7f48a519be8fc91e358b36db5e6472005c085cbfe71b5ec97cdfbb9a614bf1a91fd45ad226e77ea3d73b10dbe551df3f1a96931fe3ab8c192e424cfd8de44f2d2b144dd6f776815187f9ebb9bbaf57cecf1901248ef2a2b60e736790ef6017876dc61d67fbe94ef91de8fdba88e2ccc37c6439cfc77f1ff9484e0487ff416796ce30ec4ef0b7d646b', X'07c157de50f93b5782733a5bc24046178bb61b6098f3df1332a027001f53a819', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (12, 1795425000000000, 'adam', '192.0.2.10', 'of adam', 'setting changed', 'setting', 'grant limits', 0, '', '{"Limits":{"SpinsPerGrant":50,"PlayerGrantsPerDay":3,"PlayerSpinsPerDay":100,"StaffGrantsPerDay":2000,"StaffSpinsPerDay":15000,"HouseSpinsPerDay":30000,"Cost":{"EUR":{"Grant":2000,"PlayerPerDay":4000,"HousePerDay":600000}}},"SpinCost":{"EUR":20}}', 'Change request 1 of ada: Agreed in the meeting.', X'9eaaa947130acbae5a9c59746e00ae9a9ab2bcd46afc55db3cadf8f4b9af154e092d3745e392fda7c2c58f9f06c15b8cdcf1e535b2f1eb854b9248900764ab0ed3981b258706695946b960dbbe4a08c3', X'03fd7cacff956af6e45188115a0b51c2d0132abe093fc50a479581e70c6990422de4d15368bfcd7c4e327a66c7a99597cc44a718059601e8b30ea66ecd25d5728bbd16f137744021c2a33a9b1abad77384a11376d54af3eb3bdaba4d436bb6ab4ecc248b20b959b79d19ca483ba13fcd8a9b7925f28c9f37f021f1f98d494de0d54bb892f490a449f8114bd0b3e2461a478224fa8e6a327a32de07f2d8947ed2', X'6f9c2effd7e903083826976f6fc1d0b31876cac44f3e03798c0d4a403437808b', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (13, 1795425000000000, 'adam', '192.0.2.10', 'of adam', 'change approved', 'change', '1', 0, '{"value":{"Limits":{"SpinsPerGrant":50,"PlayerGrantsPerDay":3,"PlayerSpinsPerDay":100,"StaffGrantsPerDay":2000,"StaffSpinsPerDay":15000,"HouseSpinsPerDay":30000}}}', '{"requested_by":"ada","subject":"grant limits","value":{"Limits":{"SpinsPerGrant":50,"PlayerGrantsPerDay":3,"PlayerSpinsPerDay":100,"StaffGrantsPerDay":2000,"StaffSpinsPerDay":15000,"HouseSpinsPerDay":30000,"Cost":{"EUR":{"Grant":2000,"PlayerPerDay":4000,"HousePerDay":600000}}},"SpinCost":{"EUR":20}}}', 'Requested by ada: Agreed in the meeting.', X'98c29f020eca289426deba23f7cb5594dc909cebd45b7ef73448347cd9223516087575db8dc65dc93087577b6d577dfc83d672eedbbb5b33a732828ac1a6746c0a919ab25ea991dc398aa183fe6899d4', X'549fd5bc1b367ceb5caf96f52c86fb5fac8e9426bba36555b6eefa880bf5eb9dd6f6736ba2c6512652748371efa575b3a7d75b84782c3d8ec93c5b4127457b1454f284b1455a16f5cb599ecf90a0aada1836b6d90a59f048af1ae07fb5b48c672e7c428e429be256e7c85df917ab0eeb5d1a2f48c110ebebaba7e23d533fc56fc244737573c11a03889e3695a3eca0ace9282f466a87d94c2d53c754162a99cb', X'9e374f42af9260655fc717f2c37ea966e45a43923ec2306144b17ebd1e33b9bf', 2, '', 1, 11);
INSERT INTO `audit_events` VALUES (14, 1795425060000000, 'farid', '192.0.2.10', 'of farid', 'figures requested', 'change', '2', 0, '{"value":""}', '{"requested_by":"farid","subject":"base currency","value":"EUR"}', 'Agreed in the meeting.', X'12b33e96824715b00ddd345365e43718aa4d04188de1598b1ab668040c7a82473b507d2d97ae257314e3fa01e43eaa9a6934feb7365113705cca65d16cd953be98d055e50acc5ab75b64b111eec7e0bc', X'9074fc9d162538141ff700f4a0d0ceaf600f78aa7d582572aa7ee6358ba004290b2bc114ff2eca882af4569c947ca53a97b3bcc664077b9427bacff7088be968dd99d1c92af7db2ff51e0abd4afcf2cdaf8aaf3e3c4930f248ff9d422b423d918c715ce758e9f36c9f15f77138ba028604df1dd7a4d642f0a24ed1ff6f37b0fe0421154e130c174ac3e5078c56b27bdaf50e0c03e1304efd753c21921df5d695', X'8b8bc590e1e5023ec5816fd7adfb2691ac3cf5d78b8b3e33cb1028ec18f455f1', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (15, 1795425120000000, 'chloe', '192.0.2.10', 'of chloe', 'setting changed', 'setting', 'base currency', 0, '', '"EUR"', 'Change request 2 of farid: Agreed in the meeting.', X'4e10422fa739dfdade321bbc500319644c1e0b46eb32b0ffda42919a586f9febc5478cfc14502eab7c723b853c2e0131be709048edc5927c6343b2d8c2c45ccfd99614dd2749786caa065aac61f02ed3', X'51655527e551b721dd34ebcd91c02edaf846d66c38b9f03599843c5497f43e6fa2405d094feaffcab828f7da4726d96ce4cdd5789bb98a681832d0573dee3af3b692a1de90ae8d6212f108c97cee29fe12e55aeb17ff0eeaea03320871e365a35f6567fb260d2359b8765b69c8d3eea1166585e7c491b3ad6336975e7972a1a5bd2679d334820371cc8c901c439e57e739b907b0050177e453df6be6c0393403', X'bad265f154e53c095204faaa16d1ff2278ff42fda61aebd27e24e05494736d15', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (16, 1795425120000000, 'chloe', '192.0.2.10', 'of chloe', 'figures approved', 'change', '2', 0, '{"value":""}', '{"requested_by":"farid","subject":"base currency","value":"EUR"}', 'Requested by farid: Agreed in the meeting.', X'bf449a5d318f84d7adf1d51ffd70e1a18ae299a53cea45f67baf2476c5f49529f4067ae49e63e542fd54c6587a1c952cfd0917f685391bef0070bc7c879c9fd6d3f6007ea973e80fc1559889ab92f685', X'f2b953d8a560ee9388023cf2494ed7600fcaa2fef7cfcd3aa23bd2ed4ff1ed3a160b77f8236dbe22f9c2e4a030fe2e3e047d1610280fa1d2b0eba8ef3c2b7b9e1c70c66c630f96f4494e10f526a420fd02126b44065573d1f76bc0f9f37317154006cfa254dc9eeff58057a13cb6909c607b6550f7beb84f36afa086e0020b240c438f381c195a379e36c8749fe9a43c5eb7e892e0f0cf35e1f2e7c6be8dc93e', X'45c95ea302e9d793f1c9fac06abf6b67bb542736be9880e8fd897ac024bbdf59', 2, '', 1, 14);
INSERT INTO `audit_events` VALUES (17, 1795425180000000, 'ada', '192.0.2.10', 'of ada', 'change requested', 'change', '3', 0, '{"value":{"Limits":{"SpinsPerGrant":50,"PlayerGrantsPerDay":3,"PlayerSpinsPerDay":100,"StaffGrantsPerDay":2000,"StaffSpinsPerDay":15000,"HouseSpinsPerDay":30000,"Cost":{"EUR":{"Grant":2000,"PlayerPerDay":4000,"HousePerDay":600000}}},"SpinCost":{"EUR":20}}}', '{"requested_by":"ada","subject":"grant limits","value":{"Limits":{"SpinsPerGrant":50,"PlayerGrantsPerDay":3,"PlayerSpinsPerDay":100,"StaffGrantsPerDay":2000,"StaffSpinsPerDay":15000,"HouseSpinsPerDay":30001,"Cost":{"EUR":{"Grant":2000,"PlayerPerDay":4000,"HousePerDay":600000}}},"SpinCost":{"EUR":20}}}', 'Agreed in the meeting.', X'6f1caf84fc5195998ed63f2074ec9cf65bcce7be303f405aa5082ad1c84a809da3057a9b0a6ac8f6124f98a956a426bac7e6247a6f996fa7bcb21791d5d035808a1895579150845ba6767cf7a3298dfc', X'5c20f42de0f8e40214c6c80d307aa2c95ea03164d551b9a7d89d5c360f1ee3dc71b0d464c99249970a3e1b3a48928b7a4496620b010963fb5e84d401bc0a6e475fec015777f55200ff64fbc9051b41918a35a05f8ee10d9b3b2d476e0a90389322513c3cf845f83373750ea9296a2fa1b15e68ea37074f2cc2a346b273f04d891c5541d7f807b7e449b87067387cefcd036c7cea8f355dd19dbc126a0e5fb8f3', X'fcfdd2a773f04ae71289d61118056c9bd8d684ec23c9242cb000320a47e8d39d', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (18, 1795425240000000, 'adam', '192.0.2.10', 'of adam', 'change refused', 'change', '3', 0, '{"value":{"Limits":{"SpinsPerGrant":50,"PlayerGrantsPerDay":3,"PlayerSpinsPerDay":100,"StaffGrantsPerDay":2000,"StaffSpinsPerDay":15000,"HouseSpinsPerDay":30000,"Cost":{"EUR":{"Grant":2000,"PlayerPerDay":4000,"HousePerDay":600000}}},"SpinCost":{"EUR":20}}}', '{"requested_by":"ada","subject":"grant limits","value":{"Limits":{"SpinsPerGrant":50,"PlayerGrantsPerDay":3,"PlayerSpinsPerDay":100,"StaffGrantsPerDay":2000,"StaffSpinsPerDay":15000,"HouseSpinsPerDay":30001,"Cost":{"EUR":{"Grant":2000,"PlayerPerDay":4000,"HousePerDay":600000}}},"SpinCost":{"EUR":20}}}', 'Not now.', X'a53b24a8b5f2435359bc53f2235ee896f7764a20bf2a7442273a4cd58738ea289dd4a25518f26da71cccbfde3d42231cb63910639ff929bfd48545c2059a2c11f439dbb987dadc3a74deae23fca47314', X'deea92d5e1d3aa23984efcbd7ee2344f3bccac6282c90e40329c9862f82c0abfce024da7f712f7873ac1691eab243e47dce23c9d32ad4b01554b9d512808ecaf9c4b44b075adb1f39cf64cc7461f1a8ff4b5b970fcb3108861f986dd38c214c260ad0788bd6b220a05aaef770f4d5ec548704628b7cb64c29ee6ab2204721c1d3d5932347a2b8c9413492568a81ed073f419409ef89f05f873f50934232172ef', X'204dd04af29ad470d978af89c5a5a7dd1296ec032831cfad1f1d228a32ff652f', 2, '', 1, 17);
INSERT INTO `audit_events` VALUES (19, 1795425300000000, 'ada', '192.0.2.10', 'of ada', 'change requested', 'change', '4', 0, '{"value":{"Limits":{"SpinsPerGrant":50,"PlayerGrantsPerDay":3,"PlayerSpinsPerDay":100,"StaffGrantsPerDay":2000,"StaffSpinsPerDay":15000,"HouseSpinsPerDay":30000,"Cost":{"EUR":{"Grant":2000,"PlayerPerDay":4000,"HousePerDay":600000}}},"SpinCost":{"EUR":20}}}', '{"requested_by":"ada","subject":"grant limits","value":{"Limits":{"SpinsPerGrant":50,"PlayerGrantsPerDay":3,"PlayerSpinsPerDay":100,"StaffGrantsPerDay":2000,"StaffSpinsPerDay":15000,"HouseSpinsPerDay":30001,"Cost":{"EUR":{"Grant":2000,"PlayerPerDay":4000,"HousePerDay":600000}}},"SpinCost":{"EUR":20}}}', 'Agreed in the meeting.', X'b24ecb8c8829d77bb3a5425e76f4dfd92a23a7aa3824627734b6e903129fbee3c25f1d43cb97c7a33c1a3a18f10f92c4b881cb3d9be4871bdb0fc94a1ea2699657371aa4e6ef3ead8adde7c13fe185f9', X'1272bcf50193467dab817f2fd3683095449920ab14507931801ac0fde5a5c838f830de394f9c70987824b803254d84e7e3f792e8fa98b9e5a93486d1f26a190d433bfc25c64d955c5d0a4cd28bbce3b7f1ebca8eedde95a9f5c6ce337b6231cdca5af96abb1d86cd4dccde8a287f15c6b58e6fc9007359536e894e723acc633adbec98a2799a7b6172bd5f07987bcc29fe86df26b28fdef24b91ccb159859b68', X'fc7ed397d4e0194740af81fb070566c5b94885c22f2d42a1a8c37df25497e2da', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (20, 1795425360000000, 'ada', '192.0.2.10', 'of ada', 'setting changed', 'setting', 'notices', 0, '', '{"kinds":["case","request"]}', '', X'5eac1661ba0eae2dd3e2abc606fbe274a340505c4e6bfbc7e988bb804d435d346fce6b8800c8acc6c665f889f985457abb794e4c15a92fe786e2b00d56bc5d5bc37ea62e8ed01f93852bb62033c18f01', X'8b7d92cf21f82fec074dada600a6031ee15e663c3066eb5b17b321ed3e033aeca8b7797cd96eb4f3f823f59b6b730f402e0a71e0c81a2b521c133969190e952750b1152aef9af25723a1d08e89922c95fc5d4b7d74978513574536f9601b38652cd0c38dcf77c532074e5af0aadf0c4407c407fd98bd5c929ea09f8a8285ea4020aa1496cbb2d7923d6e04e5d0cbec780e5e118d8130a61af515fb9d362c6793', X'a031d136a911e9236f5f67e3c06b694510f54355a98f777de5d5ab0e8de830e2', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (21, 1795425420000000, 'ada', '192.0.2.10', 'of ada', 'games changed', 'games', 'all', 0, '', '', '', X'78e4b8e6fe0f0ff710a1b5bf4367f9782b6b77adb7ab4dd9644984ee45cc1a80603c096740ad47dc39494594602b8ef510cd87f4f100b6970bcf272bc01a97d7eb52c761f1f9fb2166cab171d33425c1', X'f7211c3ea093e0b974dcff32c5d503dd16ceefdd80702ac6986aa0c169126daa626e7f899bbddcdec99b9dd045e5a6df256bd271f938dcf21f091dad9e14d0c0bd9c14e8e15bf866ae244469a0fd94b5edd7f77857375775cba4830da816c30617fc925bb4e0833652b9bcc1970fc55078ccace0d08ba694a3de3179b89bf6573e9857222217de6fb91f7c7e9dc5f1c466c588cb94d0c3970e1c47ce0c26fd9c', X'be49e097bd2cb8f192963ec8243db62386a4d79947afefe45480c8fc51555fb9', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (22, 1795425420000000, 'ada', '192.0.2.10', 'of ada', 'games synchronized', 'game sync', '1', 0, '', '{"added":3,"changed":0,"error":"","gone":0,"offered":3,"renamed":0,"returned":0}', '', X'3c56cef5799a14dce162411a404411fe7c8d00297b2f2636dd361e59f0008974b863f41352ffc53ecfcc9cf3008af93a9801acc7d48df21ddabfa50ee480ae7300000000000000000000000000000000', X'56ec8ddf6dc1261078ebe4566bd26b418bec3eb33146425464953993a963e7b850299c1e518298b7cce82c883df2c7782a3675f2e724fbf02c457123c6060b239e4131a900cfb9730a51a41fb6c40cae300e1d90f1fe8006fcdcd370505c7db5c17c42adca2be2a815d7d442ca8cec22c31d72dfd35f5134af96127675983e150000000000000000000000000000000000000000000000000000000000000000', X'61ad4fbc84283c0875cbab88ed9a14d0038c6d73e0b3230a7cdfc7fa06199729', 2, '', 0, 0);
INSERT INTO `audit_events` VALUES (23, 1795425480000000, 'ada', '192.0.2.10', 'of ada', 'games changed', 'games', 'all', 0, '', '', '', X'66e4abe7be73248843f5f839ff9ff0c551b459730ea0bf40d74a3f575dba42109faa93316aa662e182edeebe1054633f8bce17347dfca7e6ff9cfad31baa59b41849d9f6a56bea369507839f1248c0e3', X'a6e83ae0f8ad1c320c7eae3ceaf8f5dbdb17cb717798788e52fae3fbf2658d1c117d0873d7356aa476108b535e79e9df2600808163c2be9188c99b17bdb83d694e95f9e5c80edff74568a82346a8bf38d93041c85d7d7b40062961a0e66d7538edbd4311f8c73bbb8c5b20cd281e8cf75d4e215681b0bc75c93cd64937acb6cf4afc853984826cfd93b791fa24d94d051beef7acb78c1271b1f35e1c390d903f', X'6f8e2711348a9cd3a29bea3e6a1ed7ffb5b6b7961d0f9dda299b89d5830a3478', 2, '', 1, 21);
INSERT INTO `audit_events` VALUES (24, 1795425480000000, 'ada', '192.0.2.10', 'of ada', 'games synchronized', 'game sync', '2', 0, '', '{"added":0,"changed":1,"error":"","gone":1,"offered":2,"renamed":1,"returned":0}', '', X'6463f0c310d33fa16a7bed337ad05b97506de5908ba9d3b237a0259c5e869e4d2707d5f4b99eb543312cb7acf0a5792ae6132a7cc14f156fdb1ef0b9a382e74600000000000000000000000000000000', X'a36cc63650220a30ec62069850a645ac10bdfe499bc5b1f0e81d5c64f4d8854693053fa4c975b9c09aae45cc8c6a7e248b3896ac9bf3807060039026f8589f66868246ec8f4417fdbb95b6680c4cf6a3889db0bf0bfaff5cc54700efe84d0fe0e0490090456e120c8729c6f5a7c5866b69066a62829cd2c9e5534e7a4bb171a30000000000000000000000000000000000000000000000000000000000000000', X'f577f71029e226bc6c6a9bc0aa4281c5ed62088a72afe808b050d3709432ca59', 2, '', 0, 0);
INSERT INTO `audit_events` VALUES (25, 1795425540000000, 'ada', '192.0.2.10', 'of ada', 'player created', 'player', '1', 1, '', '{"balance":"1000.00","currency":"EUR","test":false,"user_id":"anna","zone":""}', '', X'46bca4cbe9427c2e7b1aa627aff565b5380b145da9ee76647312dfddb7cb95fb91acccd2de1f66ca78be58843eb2985b3411959928617a40bee8c17ec16ddc3b52e71589e58770b4728c539f4969ba02', X'9f99bc45e3dda122420ed0935a62912f3de90493518cb76002363231462df0f344bb5b7f9d538e81a293a70f91d30e03fa5ad4a2622d1e3509a79a389a4bedd3fef15d34fb37fffce046f7596aba2d0520c11c7b953d123e73fb4f5749c31798007d781d36659506878b13613a01753b7723f593e032618ed4be2959bf0291ad11c75922a78b2befe18836600eba008aac14e3e081bc759f0570d1a0855b21eb', X'3dd1b41cc98e14557463d927eec2ba17c2b91b84bc3e5cb3214f2015d8ee2a93', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (26, 1795425600000000, 'ada', '192.0.2.10', 'of ada', 'player created', 'player', '2', 2, '', '{"balance":"500.00","currency":"EUR","test":false,"user_id":"bert","zone":""}', '', X'3d446a952ce898ab548612509b9ea4f0f6fc31b524f53fe506bdc11dd79cba014fbeff3d7ade7b2b018998552461aec122a7556419226baac769297aa4b34f68ef070206f39f8344811c65a026ee5b04', X'5c2c4b796f4fa192c7cfa81160ae4cb94f0cb65f6647538b9590dbc3cf33042b2a57856159b0dc01d7473cc3bbc9bb222b142c457ae16272c38a15c647661635b55a3bc687c2193fd988dfb5187fe55f2ee289123557800c626d2622dcabe94f545123ab6a86dba330479662779a61804d586f524dc8524d388b7b7a20f5dc0800ce2ed83b1ad33e7d8b4de0e163f61d2d53b969b69936fbf3a934d79bd5dd07', X'c25bd7828a5a7dc36d8c7be6647382c2541474a0c42fc8cdc1772a0784319ce3', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (27, 1795425660000000, 'ada', '192.0.2.10', 'of ada', 'player created', 'player', '3', 3, '', '{"balance":"0.00","currency":"EUR","test":false,"user_id":"carl","zone":""}', '', X'08ab144442588b094febfdec671c97a765139bc26a195cb1e5c9f2c8732991798a544f2a4dc19e7a3ee4676d5dec8cc06af6c2fbdee9776c37cdc7dd7e98163030c644d7e9089b0eebd760631422ad8d', X'f937f09da2c0e329ece33a11c110941776ad5b6005d538d3c753dc273717f22dad1f1227f993b05fc08d9c7001779295980a8b4c70f52e93e033f8cb384383f62c09edbd238aafd607310721c86944963e92c3a30c5ad439919ea2d7fdee595462411bb9ef7ee4c2f2e285113773efb6ea93e39734af2c400ba07460b6463801b70859afa73902b1e9ac1c12ec477a454cf96fac4ee40b74d8f79d4b5b1d48b7', X'd10fa75b94cd0a2c9d8d12db24bb8210948d7d0f55016d9d47146b461ea8b7cd', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (28, 1795425720000000, 'ada', '192.0.2.10', 'of ada', 'player created', 'player', '4', 4, '', '{"balance":"4000.00","currency":"TRY","test":false,"user_id":"deniz","zone":"Europe/Istanbul"}', '', X'8b9eb23ab7db125848a1ddb95de0f226465346835d266f94ddde6785e48b78ecab2b7111ec9382518f1ff74d26e0023925d604fead7d826fee248055cc8352b1d9ffea2aa5212fc078682a2e68f6c922', X'c53d80f134f2da2fd4191b42c131daec29f874c701a24d4c758cd52788283fdab8b9c8b7a1e283723812f81cfb4846ba350518b18a4037f09915af4ac2ee6a71b0795dc655ca3edb1d97b1335a116dce432ba51bfebc4b3d5c03e1d35061f6a945326a05e6cca35d43a1fe890c5ac21bc272c2154cfe7b6a24dcae08ed7af98ee86040b32cd5232686428ead5d47005a4d086167993b1f9b7a7b72b8fdc9d1e8', X'5c727bb90269e4e0f059576b16740c293551a8f815ef0482b9ff1c0ae232e569', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (29, 1795425780000000, 'ada', '192.0.2.10', 'of ada', 'player created', 'player', '5', 5, '', '{"balance":"500.00","currency":"EUR","test":true,"user_id":"test-eur","zone":""}', '', X'e0d86c72b5d2921424f63d886953dbc0afb544a2911215ab81a27822ac1a153c0e17273d69309524ea29fc91786ea9aedac4733bcecf2381f7ba44ecc963886bd497381c7b6219df3025d36599503b00', X'62f00d91c8f5d16c39187a30685bc58552340a56135325aed60f293071338b35067ab196a8606df81b798a67b135ebf88e0ab5f5dca5aa09360d547d5c710721563e101c0817b45da58d4e7d5538b054e5d1ba2cd4dc8bb6ce3fe45223c1fe9aa9f19b96a3926a6fca44394ca441e6aff3458758006b6d5a21b2113b33e14a5f319f15195bcc521844ca7326d307c805f273667d1096b91bd2d5b4611602a36c', X'c16d26940d1b690668561e422c607076bdd25e5e962676c9a31e9ee1d7ce929c', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (30, 1795425900000000, 'sofia', '192.0.2.10', 'of sofia', 'player language set', 'player', '1', 1, '{"language":"","zone":""}', '{"language":"de","zone":"Europe/Vienna"}', '', X'01ece65904740855555185d66516099aac0647163dc00171f57015082f5f5d7d104360c1a381e23279c53998df8db764a3fd498b9cbbb497b288294075c30c642fca0eefd24226fc1e79ae86d71646e3', X'035c333207f1cd51a3aa20aa348f047b36da81b9cdf5cf2e7a5dfa68171c2f5a998530e433a1911faf8b2b3e05e6cd4eeacf56d0b2de9ed97bbca9d4ec3dd4a79997b8f6b82a569a7815b58702b15bdf73c6217d977661c75427f6c43de15cd14d20d45e16666641adc4513253fe7f1f7eebd559f362afdaa592e473e6b6c8c8d20e48e5a2d40fb57e018552429da94db4b045222cbe5dca73f6c291c4fa4b04', X'a3e3e238909f4e0bd52679c807314ca74cb768361a97c1d85fe153c366a1f461', 2, '', 1, 25);
INSERT INTO `audit_events` VALUES (31, 1795427400000000, 'bruno', '192.0.2.10', 'of bruno', 'grant requested', 'grant', '1', 1, '', '{"again":true,"campaign":0,"game_id":"g1","line":0,"player":1,"spins":3,"user_id":"anna"}', 'Goodwill', X'664841c07f54c43dc49eac8925bf85c8726b940ca2d6dd951b5c80e9209828249f6481eff98f787c1a395b81352460f126731bfa50c22ef428b95b66ed88bb10f979ab6a96683493a14990e2b7b8f345', X'a41c2d49a2df19f04560d13765ac1b3b060fa54234c10b4756e6ce3d20f18997eb2eea8ca41f914c14f45d36af77b1c68094b973121940c0bba7ca3af6e8821d36a81588437b3f0571fc5dd41f826621bca4c3164e5603956d0ca61e764fc7bd940829f038b7d148b90a1b11316ec3127c55d82fb78ef9b341dbbf920c98861e12fc7faf1e3f93f4f4ac4efa106f527364b46d3f2daad42925d5b09b9aa4d29d', X'903c15f995617c2317191c276a477f93cb2c4a1901b45eb74759c78a7a1dd87d', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (32, 1795427460000000, 'bruno', '192.0.2.10', 'of bruno', 'grant confirmed', 'grant', '1', 1, 'sent', '{"free_spin_id":"fs-1","message":"","result":0,"state":"active"}', '', X'def1648611c6f49213e244528cfd3733a77c493711c735846158aa82dbd219c18a5a3e8741a36c8064f70db87f8ec733d42cc7c184a969142cb1ed0ef963b1e14588b282472a04a96c28c455d9fbe8ea', X'f4799f8910cc687fefd5025a99ee6fa6802d2dfc4642773bfe8f5fee12d97ebfcfd6b27461c323371930077f3195a5249d8290335a4f3e1d669c803e0d9c9821558de4921fb5dbc2943496735d6dad5adbc5be1c88d2bab25058c62da29df978460fe3c3827076ca008fdfe9b42750f2f441541a581731ff613bba3b894fb38a07d9c55f942f81696a3432b0f531c4a16252e86e69276c92486971347a6d72f3', X'f24d5a637e9fc344737ffa7dcc9267a232f265c6c3072b4c8662a286ea192aea', 2, '', 1, 31);
INSERT INTO `audit_events` VALUES (33, 1795428060000000, 'bruno', '192.0.2.10', 'of bruno', 'grant requested', 'grant', '2', 2, '', '{"again":true,"campaign":0,"game_id":"g1","line":0,"player":2,"spins":2,"user_id":"bert"}', 'Goodwill', X'efae3c9511cd0dd9fadfaf991d43a93095c8451154c365c1547bba3965fe5935e8a966ab4d65fccc881a532d7a98bb07553688572435c390d2d0798ecef6b7f6eef8069a2c2611b5a6cd7931d041dffa', X'693765ea892dd88ab107531f0590264dd7a318bfd2e2b62a37b7a9ff201921be1a6e8ba9004782dfc7b2fb9b25f28a353a4df5a5beccd1ed6ddaabf388bd1b27890f204674e7cac903ef85b4ba8fa17a6c68ee316f576bbadf5cda3ebc3dd2b35631471b600aa6976748234f554f5440e66f5b2912f3eabc4819523e3009e997630cb015da8a6693c4e0adffc4c22afaff605d7fba822f529d882a06067766a6', X'12e46c525b696024bd983b90b035df9116f887204947436a346981a7d37f5153', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (34, 1795428120000000, 'bruno', '192.0.2.10', 'of bruno', 'grant refused', 'grant', '2', 2, 'sent', '{"free_spin_id":"","message":"refused with result 2, no such game","result":2,"state":"refused"}', '', X'8c4fc847c01d4f001f896bb2da44cbf5ba4782d43800c1b19de3d358fcff9a2fcdadcd26c3d8baf87a7fe160f2bbef5389ad659ec9d040faec8ef9739feee30d0ede7e7d63ffc0b135607d3baf04ce3b', X'f9f341eb50331eec4f1b0a1646c6fd98e83a98bcb2907fbd9326c9771b0ca30ae92cd34856dfa3925c7320dc7ef314d6d207c5e1b83b875be3bbb49cfa7d9a0af868d9756cc24eefce8b6f50758db00443c3b25ad8ca4fd88bc4255a1a20669589d7ebed238a0e24eb0a707e557f8587e0c6b09c5941434648f9fe2494fa3868f3413241cc41e995f1f6ad20fb08115223db66a88d5e9b5f1a170c940bbb4917', X'29ac9d1c3c8bcf5d40f81a3dbd6963b5dd7353626ddcb193a87f34585fc74849', 2, '', 1, 33);
INSERT INTO `audit_events` VALUES (35, 1795428180000000, 'bruno', '192.0.2.10', 'of bruno', 'grant requested', 'grant', '3', 2, '', '{"again":true,"campaign":0,"game_id":"g1","line":0,"player":2,"spins":1,"user_id":"bert"}', 'Goodwill', X'367d18f25290cb5b4ce304fcef1ca6e1c5b3819198af0382ecabe4008df1e7e05fefa0499852d4d7942b187a24f9330d190a1d93f6895edce050e6a86183547ec3ff7f74158756a9e29e838c56bc9740', X'28359add27b475e27b586c8a3da3b467d786a455b0c0b448f39fa2d91f68addae6391e45d1fb9f1e7a4d299271b7616cc08cb4999d1991c642301ae8dda363fd918d684790240774aebffcb4d9a66adc0759a5665f2e85c5b25b5a63676f8696c66f324ec41b5b50399c27e0527007674e68af9dd855dc4c1a36b5f025f7541e520dff0ff0a6d7d5c6856e22e1e4fceb9ac3ba7a0e21f9836032e1b2ccd13a7f', X'3d6ed7925599aef1fdd33311e6369695a4d945976ef5a36a4686534230ebe3d3', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (36, 1795428240000000, 'bruno', '192.0.2.10', 'of bruno', 'grant of unknown outcome', 'grant', '3', 2, 'sent', '{"free_spin_id":"","message":"The platform answered with HTTP status 500.","result":-1,"state":"outcome unknown"}', '', X'2fb5a636c3330391cbb51b835b9b32e5faf78058025e9d7f149b3f74796469755db0afaccd5c3a58bae594023b5e74cd72219971cc97553330eaf55c4a2c4da36953f7783cf21e4dbd7321536b3c7fd6', X'f661c0258022e71572b7e9929d7b4da73a68d3ab37146696d5d4173f22ec806602762a4f8f7dfe5ddeb862abfd2f6e5ea90b6b36cb26133c2155a53562c31e93fb3940228071f8fa7315f06b329139290a2258c2610c87317bfebe30c5f78a34a6193d8876a268917f5152cbed272990b27879f6e7370d343ddb20ce35a10e002306527bd465bc759b59eb718b7b5863f0afa2f1b1b13c31526a4731d64438d1', X'f5b1baf391fdff3b9add9f25a623f45499798e763c6ad7952a7b5d87631bcb3b', 2, '', 1, 35);
INSERT INTO `audit_events` VALUES (37, 1795428300000000, 'bruno', '192.0.2.10', 'of bruno', 'grant resolved', 'grant', '3', 2, 'outcome unknown', '{"free_spin_id":"fs-found","resolution":"found on the platform"}', 'The platform has it.', X'aff88c30581b62c379b8d27b3ecf20b1b891560889d65e18f08d20b73191018050fcdf03598f8b698fdabfdd2105f59908e9de83f3b55803e28c79063c31ea64f2e0216ed89d47a5c6bf4375d72775e3', X'3de8b266f58b9179303134313bde71a676139462b733acede50f6895c8d455b5c3b893718efd3ceece6e8c01ada1fd15f72937908ef8b76a748dd06cb952f5effbf33727c53f1115794bf8cde6d1de67b497b81cf2f4f70726b7c55b56cf426a5174ffb52027543ae30e37f7ff0d7846ba658116b3b8ad98ddcac7f1c3c5dd310764d385a3b0e324ad411400d5f0786adc7ca8878536bd9df0e65e6a4355ba9b', X'864620656e540fbb19cc299a7f57e83371ff69e44bb4cffb9b7c301af776e001', 2, '', 1, 36);
INSERT INTO `audit_events` VALUES (38, 1795428360000000, 'bruno', '192.0.2.10', 'of bruno', 'grant requested', 'grant', '4', 3, '', '{"again":true,"campaign":0,"game_id":"g1","line":0,"player":3,"spins":1,"user_id":"carl"}', 'Goodwill', X'eb619db8966d63d2ca60f365f0f8d9f31ecadd914963274272a440e5022e9f0cd707ece892dc28a67b242b1237d576ca1730c9cb6f1cd9c3676e15c7ead00b525f6e2ed5c87cbcfbbd53a7d44f3e596e', X'4771e4aeaefa0642dae6d72573ccc9a370ccc69e7867b124a4ad06eeb8fe49dedef0f440f57a8cedfbbb1adaa8dac36f60b5ff4e91fd7ac59ffee1c3e917395a5506faeb58f80a739bbb5cc4b2054311085ee11d52984ae134e5f533e75c2a2a60789105a5497e6bc8d45ecb7b977c2b09ed65d08954ed1a8372189d208bebee256f1762f3d606f9cf3cae9a55a13b9e2163d0f07a1588a2aa55f5fb410aae45', X'17cf94a2ad1907c51d814c35893f4306c0cc0ec170fb1ff3f346f79751906009', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (39, 1795428420000000, 'bruno', '192.0.2.10', 'of bruno', 'grant of unknown outcome', 'grant', '4', 3, 'sent', '{"free_spin_id":"","message":"The platform answered with HTTP status 500.","result":-1,"state":"outcome unknown"}', '', X'b4bd6e16c267ecaf36ea08d2219305401e94e7cba8dfd203cca61e5a83206bc39fe728f08249d6f86c709cc63e2bd8c37351233d445cf0db54e3498733127232f7732d1840dab5f0073a38edf103a5d7', X'7d21bbd8780763225ab8cfc79b5307ead8a42b225b288bb6495bcbb1c2fb10b03efcf9679369bd5c3f1b26a1b3875fe6cd1af20544c1926e854d71f7bcd0f56525227dc975f2530e38e41c93a2a977a39f8477d225c6186f3175cd255166b56efcea304ce670257af89fb7054ccd155ff881f69f6fb312fd7f579e19d0e2c494c26518958bda168bf31aa854b3f88b46f3a1a3b725db7cfbe8323bf55e788772', X'a4447b0bf04eb79bc0717a88cf1c40c60a51c2142d09a2354cc77618ab532bc6', 2, '', 1, 38);
INSERT INTO `audit_events` VALUES (40, 1795428480000000, 'bruno', '192.0.2.10', 'of bruno', 'campaign created', 'campaign', '1', 0, '', '{"again":true,"budget_cost":null,"budget_spins":0,"file":"Loyalty.csv","lines":2,"name":"Loyalty","spins":4}', 'Loyalty', X'294e5949c8c1e851b54ee8ca1e7a76d68d836f512a7622634ed67364102db77628c7ecbf1aea24ea4add2ac55dc247a33539446469ff78fc853bcb4430756d40ee97642d5c2c5dfa4165b7681b102382', X'a28a7843df3b35288fdd06f1337090673509f5724f46e21881ad01ca38c587f5f6b18f0ff801f4b83f422a2c6f9c5aec140a3a6bffc2faeacde449c8ebc73a28486db42563a497c9e2b89da0b443ebaf9eab69d3a6bdbaed8ed615d2352e7a5935190f46be2c204320862865b83fdac4f2381bf6581cd51c4221a507ba0c2d4295cbb0e1b490b9a8f812c76d928d0d4a2cce540e3e9230eb30052dce20f11254', X'a930b30d73e8ebd5e5b859e2fb456f3484507a5158d515c31d5f93d4289ca3a5', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (41, 1795428540000000, 'bruno', '192.0.2.10', 'of bruno', 'grant requested', 'grant', '5', 1, '', '{"again":true,"campaign":1,"game_id":"g2","line":1,"player":1,"spins":2,"user_id":"anna"}', 'Loyalty', X'52def0b37a33dcbd04df1f85ecf663c991ad8708ec6a376e5f29d3abcf35f103ee53fcc6225e9570ee4549aec5d6c25ae6aa1ce751c7ff27db009ae1a07b1fd7b22da045c82bae06298d12b94a09420a', X'252d559742dbe79239c5ac2da2e8341b8f3b688a3519fda374ef9f71e8f243edf867f8197aa87ba39545f85fdb636565e1c1fdae42af529d600e0fd16b817df1e4fc411c7537e54343c3b2ad860269be017e818e897c5fcdb42f277963e1cac2c6191dfbb44ad869008f055a43ce5bbb4dec0d89c38d39b99321836579ccff75531827cfb20380bf762170e2b0e3c278b27d935550e57ea585a662eebf3d1560', X'2a342dc2fb3d3167c9eb1a0123ffd375b1699a0f69576ab550d08156b33a182a', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (42, 1795428600000000, 'bruno', '192.0.2.10', 'of bruno', 'grant confirmed', 'grant', '5', 1, 'sent', '{"free_spin_id":"fs-anna","message":"","result":0,"state":"active"}', '', X'f51c4e92b72fc5e9b8ba703989c721ecc5448a318eac8cf6fd2d105c523183db9a2cf3e956810afea3f41c5992e4c0182d0bfaffd7db044af65ce496a1383d5025571994e052e7b5c885c855088e8ffc', X'093db2c728cbe41d36a6e32d0db177a120c1282a175f8944d3bc6f390f12328b919c6ebfc49bcdb34808a52f35ccfb488d0a576f6bca049326f585d3031e266944594c69476bb763962b7f7cbf43c5ef6438633f446aff47f0dd3ec814628579ebe800cbe551b6d59faa8690c5c7898d7c5735eca02bef19c57d7f24302eebcd9d66cb43773cf4ccb6990c26f9b7e9948ea2151dee318298d14e19a6525c2601', X'edc3124b1edf5f49b9a169dd54cf3a2b1678d6d67fe550a0a48efba5fb509420', 2, '', 1, 41);
INSERT INTO `audit_events` VALUES (43, 1795428660000000, 'bruno', '192.0.2.10', 'of bruno', 'grant requested', 'grant', '6', 2, '', '{"again":true,"campaign":1,"game_id":"g2","line":2,"player":2,"spins":2,"user_id":"bert"}', 'Loyalty', X'd7b605d21cf66b163023b62987793dea46b1359b137cdbeebe57f114ca000d3ddbb9a850bdb84970e2a2776f3454df4eb4a80b411f6ecd62282d9647f30ef20f3551e2cb2f4d1b8028e27837bfb5d426', X'58ec822f0ddece0668ac022dd74b2601ac3c4b972c00982c7f7e44deff345347daedb93f6bbda7b99f23b3820059b14e55cdc0e79385668af18bb85fd829121b1d5f0abb23bb135b005bd00b9a9f58d53d3b4b10a83a1545a622c7c9fb6e41b9dcb4ba92c589f1edd8b440d5cf4b2f509fa5a832b99f78c28fc5b213380cd0a5beca245cf4b007c6983307d1b1b5774e77376b3fc13d1bdd570e66588103f2a7', X'a5b489ec5dee6b75be4dbca6ffb966047cfc24810a3a3cda1ee0fff43ba3c228', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (44, 1795428720000000, 'bruno', '192.0.2.10', 'of bruno', 'grant confirmed', 'grant', '6', 2, 'sent', '{"free_spin_id":"fs-bert","message":"","result":0,"state":"active"}', '', X'0011724ca2240bfd3d2d61c66178e5a9509ffe3bfb962eadc58decf6ab2b8bf0acf1d2459261ccd748c6be75de47d6f6fb9fe7c04d445e2ee7d72f8ab33be8c0426a573641bcf66630d3820306fde35a', X'ebc1ea7af21e1cbcde2c3e501afab344c19f1cfbaa8de811755cf0840edb91435c89e68c8bf34bd89c06a916a86dcf2c0bd1b38783c9e2c8bfe74642d74c1f5fbcba2ee59796b398d4365d2480cc3e477ef8c251c08677ea896196291361f197dcb799a2101a197324aa5b7666472d067683a45d51dda41295bb3c18b45392eee974a3963efd913c84027a3fdd2777b4f714a341b7feac30bf20b8ca9d2efd58', X'3a5dea73f7ee5917acf7a2d894362f6e69a6cb5ea3b7898634e28e53962d6a3f', 2, '', 1, 43);
INSERT INTO `audit_events` VALUES (45, 1795428780000000, 'system', '', '', 'campaign finished', 'campaign', '1', 0, 'running', '"finished"', '', X'7150ecb487e4a37c9a8d1f5622f75bf1d395e5af821170dd544d5d3e9936fcafc41e14630437e6ddd75e6430d4a5ce1a351b37c93cbfa8322617c153c6db94ce5f6b9b10f8dd6b6bbb2328c99243615b', X'1b3f68214dfa6c8b1ea755e61267e7c42a9199f54ddf76c84c6736b3424e9e5165df919e4d7c3ed8dfbf3f678b268db517b34ee63e2b0ff4246a7a26c877af0da9b06b672322e0d101d508b731ee674f76eb04e66ef06c0129f308a20773efd3ac268cecd867ffbbca091cfcd67c16fb210eec94292e0c62e71a7ecae4aa086c1d8145645aa4e612428b69bf785cddf59f8647244f67b0548d5965901ba682c5', X'd2eed2a97cb5b9fb98e51a7fbc09f3641fc310cc47d2b26a36b94b1fee6f5e9b', 1, '', 1, 40);
INSERT INTO `audit_events` VALUES (46, 1795428840000000, 'bruno', '192.0.2.10', 'of bruno', 'campaign created', 'campaign', '2', 0, '', '{"again":true,"budget_cost":null,"budget_spins":0,"file":"Paused.csv","lines":2,"name":"Paused","spins":2}', 'Paused', X'ff58aeca492b3409f7328608beabf9b56f868c02d613e2a5afa9739a9b97361d0360fdf6fa025172b8d7b3f263c7d931f3379ce261761c57de7b77b42b3f0e4ba5af8180dbd48c93957e03b5ac97c44d', X'54513d8960886bda20c2875eabcfa9470f7c6ae87ac662d403d2c95397eef21a79a7c7c3c85533e42e209e5419e03004b34e4b72e3a482eaddf69305242e5d3dd2cf17d6f80a9bd07b4efeb4c8ad916af4f16d367ccaca3076803786fbea3d30d63c28e10d731485094727c1d70b619c4dc8a4d2e28218179ccc03191f3148a88a61c693fd0de1e3e2ada17bec6a53eb75e270564fbff7ed907802ec6b5b8692', X'ced5a49bc848547a1e9faa117c63d266b5123e45dce354e36949e0115386aecc', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (47, 1795428900000000, 'bruno', '192.0.2.10', 'of bruno', 'campaign paused', 'campaign', '2', 0, 'running', '"paused"', 'Repairs.', X'084f720c588f5c5fd92cf635ea1920229a35683a7bdc54d7c63b99d9b69f86b372110db7b1f66e2d6a061825a7273410dccc6c22662740437b1cbd10e28be911e7687e28491c342817cc548b30d60c71', X'ef217c12ab2e2c59d112466913e5b09d81b0cec44753db64f1ac544965ee8e0deb26dbc4982b4fb680825d5d5099d8913d3d4b4eb277a21db7837e2ddfb6e3a19e48a3aa36f68770d75cba02cc7b5c16f7cea38a74d60139f18ce28cb4b87c071b171e393824515082ffa15543423a7e0ab17cad2f1e8d600c95fac4ef6a27c08ac1b10aa25c03fff02ff1d1a983976430341bc476473e2dd315e0bebf43a97a', X'c996e12610dd03ed95294db34dfdce858006e5c4996ce8a44fb583ffbd4dd375', 2, '', 1, 46);
INSERT INTO `audit_events` VALUES (48, 1795428960000000, 'bruno', '192.0.2.10', 'of bruno', 'campaign created', 'campaign', '3', 0, '', '{"again":true,"budget_cost":null,"budget_spins":0,"exceeds":"over the limit: spins in one grant, 50 allowed, 130 requested; over the limit: spins to one player a day, 100 allowed, 5 used already, 130 requested; over the limit: cost of one grant, 20.00 EUR allowed, 26.00 EUR requested","file":"Refused.csv","lines":1,"name":"Refused","spins":130}', 'Refused', X'0272057f0a139b4585a4d8f6ddbb5d2a8defb96f979ee60cae699e22af167fcc141f6f2eea915f86a40c499f763d2c34575e24537d090206a4e17b183254b3069661c8183d01a254a968f9c2bfbaaf22', X'24bf14e139a0bc250b931a5e98bc1045d4a8240b28d8a5b2c696cddddc8f89f43928b252edb72ccaf4403c163eabd0e5187e1392b3fed0b20bcbc933da6c4ae026f0ab902d6a3cfa5e919e24c6fd0798fc44e0ea9bdd356436b730f8bea31ab016539c5798069eea91137ee357a53af436d03c7fae5e5ee9bf175fd41db9b7a79e86f0641a56185926b57b10175ee8f38a228035ff6d619667bd5e6e71b135ef', X'7bd76bc54a59d501f41672e2c9fc6af27fc0cbbfd1327d0bf6764f78bffd7cc6', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (49, 1795429020000000, 'farid', '192.0.2.10', 'of farid', 'campaign refused', 'campaign', '3', 0, 'waiting', '{"maker":"bruno","spins":130,"state":"refused"}', 'Too many.', X'df559fee8dd6b49a48493f8d18a6b33cfb66da7fce113436075b01003ab7c477f14fa274418475e651cc597e36ddd4d25acb46b0703be0dd47c2e6302e1f3e127706447d7373a84bdeb9f648ab6b1e98', X'51ae169b6da2799cc0fd70aa644942da47e5cd65640c152fe4551c52cbf79fd60c8634dd3f6670fad16a6480c72326b8d600ec50915bebc757da1b26b1033c8485920025c5b024b1611bdc9c56840cd2d2e1a9f95e6c60c28b7275fc8098da1b744afc08a5998fff3a5d23db4a91a3fd4e924c680313105cb207ed1045b92f378f3c1be7921a4745db4fdf9a84a3d5f2bea9043bc0815a7fd4c723f83fbc834e', X'd4744333a53525dcb765845131f8734f61b5a7ce507f5e8e08f37e3b22228a17', 2, '', 1, 48);
INSERT INTO `audit_events` VALUES (50, 1795429080000000, 'bruno', '192.0.2.10', 'of bruno', 'campaign created', 'campaign', '4', 0, '', '{"again":true,"budget_cost":null,"budget_spins":0,"exceeds":"over the limit: spins in one grant, 50 allowed, 140 requested; over the limit: spins to one player a day, 100 allowed, 5 used already, 140 requested; over the limit: cost of one grant, 20.00 EUR allowed, 28.00 EUR requested","file":"Withdrawn.csv","lines":1,"name":"Withdrawn","spins":140}', 'Withdrawn', X'edd9c7785cb4e13708acc5b72713b864ffa728dc33087b9d2034f21220bcbdb81fb508ca3f648c26f96ae60c810bc00a3cd86549141dd0617458be9f752cff1f8754ad73788d19091fcfb9e6fc9b7763', X'fc8b34437dec9aec175e92d4e2e37f9a65418e4c06ee75f716d451cb3d82f560c5e07739f776a447db1c1581f6346def8095f4ed7bf7d0239006dd356685961bd5db1509697291d857158cfa753407ecbb9b2aa5b78db025946de1ebfa2e518e97ae822a4bc9fac6bcf4b7722dd24791da0ec1e397d9135daaf563470dcb733dda31c412682c2d86e3e8e2035a760f69c33276003521a466604ceee77272913f', X'8f3ce583420430b3e9c1c388de76d9fde04e0b640c06d840cda8df83e6d48221', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (51, 1795429140000000, 'bruno', '192.0.2.10', 'of bruno', 'campaign withdrawn', 'campaign', '4', 0, 'waiting', '{"maker":"bruno","spins":140,"state":"withdrawn"}', 'A mistake.', X'bbf09e38c0e7afe9ed0fe575fd7fd5f15ea54683837a2042227a32585d7dc4a329b025856709ae7651d0dbcc5caf4904869dbf823b1271d29511cd3e5e1fe3023be784437bb26ba6db333438584fa08f', X'04b70fbf6ee0e2b633cbf57ed63e1f2258800c93f29567d815f075b6a8d1f3c90600733fbd9d733e8f4ee43fcf1a852c0c5e714171e32464d9eda0da0d683abf032c96f5896f7419f73ac2f77198149b20fdbefd43f231d906c4ed205bc7f052cebd38daaaca10e017c58a64969e2153c52772523857dab31ae7eaf6e2c498ee4a08303ab11554fe28ff63b19eddefe52c0067371f3ac9c200bc2bef217d816b', X'a0266c2aa4c2196ce7c0c57a2eb0117ca5f2511ffd8928414f5e819e23aa6631', 2, '', 1, 50);
INSERT INTO `audit_events` VALUES (52, 1795429200000000, 'bruno', '192.0.2.10', 'of bruno', 'campaign created', 'campaign', '5', 0, '', '{"again":true,"budget_cost":null,"budget_spins":0,"exceeds":"over the limit: spins in one grant, 50 allowed, 120 requested; over the limit: spins to one player a day, 100 allowed, 3 used already, 120 requested; over the limit: cost of one grant, 20.00 EUR allowed, 24.00 EUR requested","file":"Approved.csv","lines":1,"name":"Approved","spins":120}', 'Approved', X'bae36d69b5d8cff52f4c49268b72412a50cfd8398287aeb2a904ffc91294c8e5cd66d3f89a4c940c4f23e6e05a112a6736e3daa86c834990fcfe4a4db2c4eec84002d3b81b0787a8f20307dd0ff4bdb5', X'b7b838bdcf845e425aad10f5134f26418d408853e7eae3ba16a3fd6e56b279a865c0926915cf4fdd90d278704d476fd96a4f748993d5af9d5abf3d91a4da1da047d406c3304aecef216fb4dd584409fffe252cdf6e1deb8ab5dc3b747d809431aa81bfb3105d7ac27ddeb6fbe1d590c7365af47673e303c601b1e475e7fc0c375d2b52857eb3b80f2392e35139955a4ae39b01877f80f296f8c7b2d223c36281', X'201c0c7b7f83c354549fdbbec5ea9c3358ffb542aad8a985b916e28990c5ec64', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (53, 1795429260000000, 'farid', '192.0.2.10', 'of farid', 'campaign approved', 'campaign', '5', 0, 'waiting', '{"maker":"bruno","spins":120,"state":"approved"}', '', X'27c814f1d435ebdd70734d057cc5100b31ca12288467fed5f935c8cd438acb57ce07260176bc7c2d7bcc1e54996ae3fe1e40c4502827671d7b3d75ca41dc91ff01341a2f9d4d6f9fa2301b124f2eb22d', X'02c6f7f4d25c37945b221a635077828d6c9a1435ea1731f7c67b90538a714098541affcb09a00f46a3b54c200c6d12555bc21d8aabae9424640477770ea7e570bcbb518106c0614c0410af7311a4f550f78fb7e607b00fc229ef8f7ab3f3cd8b59df53d3d68afd77bbdf85374a94fcdbb0f862c6e99f9e551cd5d4257aaeae34cafa1a44c3b1ae797f6c953c22c79d37f2d92d7b57a35e52d2416b7dfd4c4e86', X'85f8d4f3ebb1465d5c44e6c6a85fc3bb568e78c31f8212db8a8d4ae528452e36', 2, '', 1, 52);
INSERT INTO `audit_events` VALUES (54, 1795429320000000, 'bruno', '192.0.2.10', 'of bruno', 'campaign created', 'campaign', '6', 0, '', '{"again":true,"budget_cost":null,"budget_spins":0,"exceeds":"over the limit: spins in one grant, 50 allowed, 150 requested; over the limit: spins to one player a day, 100 allowed, 5 used already, 150 requested; over the limit: cost of one grant, 20.00 EUR allowed, 30.00 EUR requested","file":"Waiting.csv","lines":1,"name":"Waiting","spins":150}', 'Waiting', X'1d5e294421c3ac4ab5345d0510b7e7ce71cb29c4db84a1851e2c3c1659a432c25519179fce9d7d939746b90a95b231e029cba757bfab1f2836f09488328693e54c0501237ca0290e10200537c0d425d4', X'863d06635545db7702a2d58e3f6a52599b632c470bdebf8fc9ae1cebb07862a207ca72039fc19ec568c8d085169ab25879803e7b302cd044cb76eb34a245aa8ffbffe87fa0c14c35c24fc92f8ffbaae384186df04d8473c884438462aacbfce787734e74ec525bd6a4c533265febc2ae4fb11e8ba62f9052d7ef9836390edb7c5eeef322ff1d477a8501e3dcdb7b8ae54252ba072d353106c3adf6a2a3f536a5', X'a477735c835ff91b72b31fc7fe5fe1ee5b274be693fd6e0e92c6f6c103e6f086', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (55, 1795429500000000, 'sofia', '192.0.2.10', 'of sofia', 'game session requested', 'game session', '1', 5, '', '{"game_id":"g1","language":"de","player":5,"user_id":"test-eur"}', 'The reels froze', X'836abf4bf9501b7128360d71653a5e46b256e6a68afa57ef27d4ce377c5ce256916cbbc8ed865e273a7196a2e1629af01f83d9f35986051e0ee5a341be70ef5000000000000000000000000000000000', X'bd31f95b40443550778391d5c15bec8bd02e5448ea480f2dbd81382f6cc476a0f906d35192dfe3c399167970afb775048eed515513c49316aebcdf2d3e31ad974aca917d43adeecc392d5d714f7585c0bedf23558f9da9a90d2d10a2fcef834a213db0cdd1af437ad57a90df3d429537a8e9da8d480bd81417ff64a8a6cc540a0000000000000000000000000000000000000000000000000000000000000000', X'48aee39fcba7fd1ee42c21e2c040b240de1aef35aedd47c7ca3cfdbc8388ddfd', 2, '', 0, 0);
INSERT INTO `audit_events` VALUES (56, 1795429500000000, 'sofia', '192.0.2.10', 'of sofia', 'game session opened', 'game session', '1', 5, 'asked for', '{"failure":"","game_url":"","state":"opened"}', '', X'5390a147cae90235e930488eaebbe6da175aaf21ab157497e340983a32019c67414f66a26ea433b81e6d296e52a37940a2ca9769e74a77bf1448656e71e5f18d00000000000000000000000000000000', X'50c6dcb9ac5d38149ff02c32417b0e3abed22c9d1aa6a86ac205b0089febfc6e1d39383d86f170075fc086369c809760662b7031da4b85749d219c6c040350bfb9156725e18532852029e59cb40ff9f07624b611a91f3eb1b284278c4b3a53e0dc29d4266fcfd0c4472a65836cc082601ce57e560a9c6e5d3a0e4b142148238a0000000000000000000000000000000000000000000000000000000000000000', X'3c27db409895c32fe5b8e2759541b1c23dba9f9e791814b73a36d0cb5a80d3f0', 2, '', 0, 0);
INSERT INTO `audit_events` VALUES (57, 1795429560000000, 'ada', '192.0.2.10', 'of ada', 'change requested', 'change', '5', 0, '{"value":""}', '{"requested_by":"ada","subject":"API client","value":{"id":0,"name":"cashier","scopes":["players","deposits","cashouts","launches","grants","read","restriction-kinds"],"networks":"127.0.0.1/32","test":false,"per_minute":6000,"cash":"EUR 500.00","cash_per_day":"EUR 2000.00","cash_per_player":"","approve_above":"EUR 20.00","webhook":"https://127.0.0.1:9/events","events":["player","restriction","grant","game session","correction","cash-out"]}}', 'Agreed in the meeting.', X'676eb8bdc7873a9315ea301575811d5106ba85bca236d6def3d9399cdc5c4cc0c81ddbedd61e77a310724f5be0287f666b31eae9978bd40ab94f7a148cb162302d87474d4306c7bbd603551bd4fcd5fc', X'a23a24b0afd1b61d37913a39a2e2f95c1c38ae6f5de0ab21eeb3d098ebc0ea3d4671fd0ec05a50fed1fcd1498ddaa9f7da769cd535ffc5b323c023db221fb6c75abad4a03a40dd38ae15805f0c48b58099626f0e06325f6b5501d37351b246be0a308ea31b31df4741e80ee4d661a4cf64113749c86d48412ef5ce5931e4466022c90ac307918baa3710c8f72a24695a1bdd0d7374eafa9f8945782724ee2504', X'4ed4d129eed7cb5959900e235b4e2ef3e2fff2ff64ad1f129fa3970ed394a76e', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (58, 1795429620000000, 'adam', '192.0.2.10', 'of adam', 'API client created', 'API client', '1', 0, '', '{"approve_above":"EUR 20.00","cash":"EUR 500.00","cash_per_day":"EUR 2000.00","cash_per_player":"","events":["player","restriction","grant","game session","correction","cash-out"],"name":"cashier","networks":"127.0.0.1/32","per_minute":6000,"previous_until":"","scopes":["players","deposits","cashouts","launches","grants","read","restriction-kinds"],"test":false,"webhook":"https://127.0.0.1:9/events"}', 'Change request 5 of ada: Agreed in the meeting.', X'7dbb9b463e1a00d24276a292509e7f46de290921193c01fe2c19bc6f3042250c6d2f63b7c1e1f59d0189b3954d697fb54b1f149534c4d847a2f847ece3629299732b11ac04cc21ecd3e6c5e4854ab227', X'a6d548f552e3090b0b3dcfb748b75b8638e579a3c758f503d0922d0f6ec4aa4312f27abce2a4dce08bd21dd5257fd5d8c2504c5c49800e06cbdd750727ffa688c578c662ac0955724dd1f33fae03b919a3b6b0e077d579947f27c36b654330e9dd5dc6f1cc479958b1b9cf1dd98e6be5f7f38fd46cc88eff538caf6afb176f7be9dd2a941abfe14c1718d24f83fc3ca371a40dff869e95fd1b7f667b430d47c2', X'26c61919093507821b31fab150858553fa964e6a7014e34f7386011add806d49', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (59, 1795429620000000, 'adam', '192.0.2.10', 'of adam', 'change approved', 'change', '5', 0, '{"value":""}', '{"requested_by":"ada","subject":"API client","value":{"id":0,"name":"cashier","scopes":["players","deposits","cashouts","launches","grants","read","restriction-kinds"],"networks":"127.0.0.1/32","test":false,"per_minute":6000,"cash":"EUR 500.00","cash_per_day":"EUR 2000.00","cash_per_player":"","approve_above":"EUR 20.00","webhook":"https://127.0.0.1:9/events","events":["player","restriction","grant","game session","correction","cash-out"]}}', 'Requested by ada: Agreed in the meeting.', X'7d3c7f5c85beb01a596c38619fdccfe6dbbea8f5f7b9b952b136c3532c7c496a63e498bd1d21305f1d378452ea35c0a122d4548dc110d36b60386e3611af0ba7561a4ab45312febb7e3a7801a0c13ab4', X'8c02f67450ae6a76493a5a117003f8c43a75101a7f9e9c69e722c24edfa10b6556d1b5d08c1ea92402941a19e1e9fbb50708ebb9fc2b7b028ca3e310b41031ee946a73d11fc306ffab5a6b5c97c101808337083577c393749d1d77acd8180caa631d771f0807efc66ce5d63497a23c48f5a364152e1e763d2291e0bc1242083f38a6cf9773326b75d78fb987b67bcbc54bfc5a322d7cf2b743d5b71e49dc9535', X'8bdb103fce227a15ea13f40e073d1bb226e15aba1aa20791c4c3b687c3599df5', 2, '', 1, 57);
INSERT INTO `audit_events` VALUES (60, 1795429680000000, 'ada', '192.0.2.10', 'of ada', 'change requested', 'change', '6', 0, '{"value":{"id":1,"revoked_at":"","secret_at":""}}', '{"requested_by":"ada","subject":"API secret","value":{"id":1,"name":"cashier","first":"2cf24b8e82460eb4aeeb76d20867168f524e1b539250e7b11474aa89a5971c3b","overlap":0}}', 'It goes live.', X'4999ff681e678f3ffa23f61187c98feb609949531a61f0f7531a89e8dc095835e78cff4f12fab72888030b7d22874e1d2e4c44c05cbae33b966eb5cde4b0fe3c3bde44b4e70fafce49508f36fd61e027', X'7a44400b184eab6b7f460525fc57483b18515f9e88aaee4fb2683f397fd0aa0945368ba83417b70962b1fae5abe372030b2f25b86f6aa80a0ac6e4247f763d75672680cb4821f84ce5cada3f75c67e12cb295d766f91973beb1fc868e7db2fd47c220a4dbabad166a90c783b200b0c81c693a23baf3b04343bb565da49ec6bd4751446137a93697be068d066e5f48244c465c97adbb43b5f3772109df7fa7a4e', X'b01c119be0617f50f7dd7e508d643558c92a6d7c7435a3ea25486f6d7b60c0b5', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (61, 1795429740000000, 'adam', '192.0.2.10', 'of adam', 'API client given a secret', 'API client', '1', 0, '', '{"approve_above":"EUR 20.00","cash":"EUR 500.00","cash_per_day":"EUR 2000.00","cash_per_player":"","events":["player","restriction","grant","game session","correction","cash-out"],"name":"cashier","networks":"127.0.0.1/32","per_minute":6000,"previous_until":"","scopes":["players","deposits","cashouts","launches","grants","read","restriction-kinds"],"test":false,"webhook":"https://127.0.0.1:9/events"}', 'Change request 6 of ada: It goes live.', X'36adde861db95eeab9f47a3e2d35f76a6ffb9c3122ed81fcee9b548ecabb1c15ad6b66aca87966d19cd189351be3f326fa45408f28b1c06290d5576b4f484ca6c75543dc53d93de8bedfff7449d57221', X'402e1d3d60a8dc2d431264ef2affb0e5d8ca2fafed131d627310432fcd6fda923ddbcf6fa54dfa253d7c7f0b3d90031af7f85f91cae5064fe8f26408779800dbc0cdd5dc207e69e810a5b0ea4b7de550c31722911c2182caaaa13dbd6ef14948fc8a5d1748efa30c36b17481454de8cc00d1bc0d919189e461191bc03c051e06208be4d58605c4e21f3e930b97528163cb7dbb3818f25dc7384a8c6ab64664b6', X'6c5eda3a6a4d0fdbd2fe1b29ec82ee1aeb3601d6f311ea25ad191213eff4e8dc', 2, '', 1, 58);
INSERT INTO `audit_events` VALUES (62, 1795429740000000, 'adam', '192.0.2.10', 'of adam', 'change approved', 'change', '6', 0, '{"value":{"id":1,"revoked_at":"","secret_at":""}}', '{"requested_by":"ada","subject":"API secret","value":{"id":1,"name":"cashier","first":"2cf24b8e82460eb4aeeb76d20867168f524e1b539250e7b11474aa89a5971c3b","overlap":0}}', 'Requested by ada: It goes live.', X'77dbc1faefd8f9e49c77b1a6f5578dbd72a176c304a88895d595e44f90daf38c704e97328c64abfa36240c95f317747a1117b8db49a0f798c056df2bf30af3be6a2810d65ca998e01c0023ac50277abb', X'cbbcf910598d0f302be6c832680634b269eaa33977d58ad76b1ca8f96805d957e2cc34953553a671cfac3d21ea9bbfbcc18e968724432aa7609501a7560db4b60c1bce88b50b965d8a38e6682bea374a042dca04caf1908747034303cfd6b5a70d9a77d9bc661dd7135d8f0f42e6e5b6a69e1fddc4cf68ac8b35000bab59884da03d3c842e87dfec70bd922453589b2b361543ccf8866fe5582a98ca3e8fe87b', X'c04067f12e26925887b0db744b78c48d95008748593f5ec0baff97304776197f', 2, '', 1, 60);
INSERT INTO `audit_events` VALUES (63, 1795430340000000, 'api:cashier', '127.0.0.1', '1-1', 'cash-out waiting', 'cash-out', '37', 1, '', '{"amount":"30.00","client":1,"currency":"EUR","id":"approved","player":1,"state":"waiting"}', '', X'38a2e64a8750c83a425c3951b0041a2705f78005842ed0ce174922539696a49c511ff75d30834413ae544769ce61af8e9b2cffacfaa0d6ba768f2d7333f495d9e5248122bb610b443a0fe32ca3831760', X'eb7f9b7829cb3d0fe7c8f4260818d7afd08d27e17a62676068ebbfa0f76c16f645a2c6a22d9f325c0a2665a000ef86f9f9caf894da10500cd8cff893c79d3ee2b6357683f3f7494f619403163c3ea4935b10414082fa8b72f6b0d262f8116038bf7830bf479a430719e3274b65780b9ac6a125fe2045ab280a16b45538bdbb846d8a606c9344f4facc1b5bfeb4059d4c663cd3fd58d69121b24dc38fc255f62d', X'68275a76a927805ad1fe37b12dfb105134448c4b0bba209a43b015af0343249b', 4, '', 1, 0);
INSERT INTO `audit_events` VALUES (64, 1795430400000000, 'farid', '192.0.2.10', 'of farid', 'cash-out approved', 'cash-out', '37', 1, '', '{"amount":"30.00","client":1,"currency":"EUR","id":"approved","player":1,"state":"approved"}', '', X'bcc3271d54e985c3381f7de47c92186518ae392569c9b8f65b7d2c164be3a9b50c78e153ddffef40e7d41eb819ca110fba0a2788f1ab22c749617856f86f3131f9b4576bbb4616876f938227d85cfea5', X'ad4eb1128c4f7b899bbe2d7a9fec809049403deb35ed1ae3504bdb394e59f0a80d17aca05765b6e8e959015473873139bee1a3930c16988a4693ceb38fe62a4efe509d8f563bc7b7210efe7b4862d6298598fd9b75e5ceb6eceb2dcf9783cfcac03a9efe39b59737a57769e3cb477d6fb92b6534952dd9a8e05cbf23a73c3d41487e3001c617459ce95b9bbf8f1a9ab5fd78e6ffd83130973b4afda0aa6f0e17', X'03e8f76549fe668448c34a0099f5b89504de2ad8ed1610d4b8634f476caf1d2b', 2, '', 1, 63);
INSERT INTO `audit_events` VALUES (65, 1795430460000000, 'api:cashier', '127.0.0.1', '1-1', 'cash-out waiting', 'cash-out', '38', 1, '', '{"amount":"30.00","client":1,"currency":"EUR","id":"refused","player":1,"state":"waiting"}', '', X'4b0c50f23fcd03ce3c760a87c5d79814c7dad9e1d1c237e812cf337ef60be334f22b1cb663d0055caf093ca805d454c97b99a0df7d862d33fd19a9cc1a4a2174cf135620460ba80b9d8c40d2e2c67980', X'5e401f1cb0eaf9cd8f65959860a8a81a04c991e78fbeb038f6692ab413ffcc70ff594d9361705b513ef62bd98e76db16fd44e0bd670f20ca56b898c0adc43f437f0a795ae32f3d9c08a0c1820950150c9f800c7f5fa86651d89f0d665a8e9f97df732b98ea9004efa6f2794f20074c30e17ac0004094e70ff133a17726d8cafbdf53bfd3da10c5c3a440b253a91846566ef29030c4d5fa4e13942b49b3c3cc90', X'214b1f45af9980cb5db9a1e7efc7081c7498ebc30a84ef0bebfb5e6173a3ecda', 4, '', 1, 0);
INSERT INTO `audit_events` VALUES (66, 1795430520000000, 'farid', '192.0.2.10', 'of farid', 'cash-out refused', 'cash-out', '38', 1, '', '{"amount":"30.00","client":1,"currency":"EUR","id":"refused","player":1,"state":"refused"}', 'Unknown card.', X'4a53ef6f06d78c2ca08839ee7497d9326825b4fbba5916d4d858c4f823d8d330289ea774c7c6ce4041b700e55873cf4d3e244dae36d7ecdd4f7ad5f2825b7384049779b291eee6fdd56bd0337e80f73e', X'c6cd45bfc529e273e0ddb970e64a1f48c51f100d441544817f3495ef2b86e094e4f69ef6276097cbb6514197d3f93d4c647f69630d6dcdf44394293c197b6e12c8fe2a2c2af7902b544f7d1487ac4d71cd582867314e49815301adf8ee001f642b69fdb89274050c723473907f200f12b80a781fd22359d4a5133f7264d301530f6a6866bccf7ac526b99a65f782adb2cb043ffda26c3a864e1ad1927e71f4e4', X'a285295fa54711f94b29a371d8e4733fb5f0ceaae1f92c9af6ef4cde2da0aa04', 2, '', 1, 65);
INSERT INTO `audit_events` VALUES (67, 1795430580000000, 'api:cashier', '127.0.0.1', '1-1', 'cash-out waiting', 'cash-out', '40', 1, '', '{"amount":"30.00","client":1,"currency":"EUR","id":"waiting","player":1,"state":"waiting"}', '', X'f9aa80edb71997d9d8cd6ee9855355885c6874a3667d8f84a160fbdfeed6df6a63bd98a64070b30d0bf75478a9a987fabc79a80b63f5220b5b0b1962c60eea8bb0d8babf0a6eee38d197acadc35a9271', X'5630c27530a4d17fd153e21cd6190d187323c0d4d9e846762213308b313b3e859a3ecd5435ee5c2065a2a27dc5821c29fbd9e0d5f1a18063a2a866628e487cda70afad0843a49899d5d242c735118c8b74ae24f030aa6fba18faa1bc8aa54f15d027353542da7b1f890b5720fe02c710e579486bef5498daade2e3a355670c3f10675928aa7dfeb5b248c5c7af9700419d1f46cc33b7e118016dc911e96598fc', X'8403dc55c4838cc09e1353194fc97884bfe895720fbfc200c2ed257bbbf273e4', 4, '', 1, 0);
INSERT INTO `audit_events` VALUES (68, 1795430760000000, 'api:cashier', '127.0.0.1', '1-1', 'restriction set', 'restriction', '1', 3, '', '{"about":"","kind":"cool-off","player":3,"scope":"deposits only","subject":"player","until":"2026-11-24T10:46:00Z"}', 'Asked for it.', X'37c5e3491d4655211a5deb2489d0953b3214fccea3ddfb71d83f8fecb4563702e4124be99c0bf58c0ba7766ff9aba1adbd0400047b87e5fb03f26fc9f346372f03b30aa51afca4eba5b7eb00fd03c9f8', X'73958d215b801d32e733f4eeb6ad59b89e7ffd8794530c4ba93e54c0ae57857fb0f6643065ca5c5ef3e99fee630615ba5abc611dbc78b59cb4840e656085c2b03a693cdf791655fe5cbea01785299e9624bb6b441ed8dc0474633b1dc31457c4c4e8d93ea075807f6c081131d4f2d51d9277c3387b162ad20a0b0e5c8c85aafad79c839a815136efaaeb0ee01e534da39dfa358345d5531acf2fb0b3dafc5b53', X'b2d88484d248e5953b3924bd473c5dd64d5412c8b3a51fd15484ba7206bdf6d5', 4, '', 1, 0);
INSERT INTO `audit_events` VALUES (69, 1795430760000000, 'api:cashier', '127.0.0.1', '1-1', 'player restriction set', 'player', '3', 3, '{"deposits_from":""}', '{"deposits_from":"2026-11-24T10:46:00Z"}', 'Asked for it.', X'005510b1c6370c77bdb0220d7c7ba8f4df9b62ba670145d9308f3a5cdb16823dbf2a0d0e95c27f2410606362bbdfa72378d5be29f6d60ad00b63d88e1e3b81429fe370544f8662c564ebc43a3733dd73', X'bd2c9968eb775d80563c44a6d949f603fd525fc2028cba44fd40e54b28a8a5403da5d20ffe9605ca26281e84d1ff5d00c360a6b71aeeee1bbdf0f052ac4d42cb1063ba8362dc7b3519b5eb2c816fefdaccae728963dae5a308323875f9ae507f6b20d613cf01ed4eaf76412829108c82178b2487dda8fdd5d949a9b9fef4a56bacac0f2509b558a21ed835bf503eaa0530f75c933a8cc98fea039077c7256c1a', X'1bb027ad3f4c07504916b2252616d2b5915fbb9c173cd339458ca906dbf8aacf', 4, '', 1, 27);
INSERT INTO `audit_events` VALUES (70, 1795430880000000, 'sofia', '192.0.2.10', 'of sofia', 'restriction set', 'restriction', '2', 2, '', '{"about":"","kind":"other","player":2,"scope":"play, deposits and bonuses","subject":"player","until":"permanent"}', 'Asked us to.', X'1b8bdc295f758720ce5f38f43b11fc39094a1a2ebc45822d727b16b592957712e000df87f52cf93a21ff37acb6d62f364adbf772ac6b0c6a376cb1c10a1d231b0eb4c17707c3b70a91f61d45ece58113', X'fd7c440f3bcbfa96089dab5f6110f9243ff8e0b2b4c7188cd53a40d8a0ddcadddf27bdae3ed28297ac837361bf832dd16a017fb098a13c65456d057a4058ef7074248486738a8ac190271a23390adf3b1fbaf1d4ed5bfe6efdf3b076b743f563e15fb3b834107c608027a9ba01c090899c60f79bf890eeed739b5b423d12ff2d9a2a6c626c93b8e634838e8f800285ca2d6d041ce094cb29d85f5f9ce65652d8', X'05b48d33cd4c0b97ab0a5476c7d62e4b31830d0eede73c532ede9c4814446502', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (71, 1795430880000000, 'sofia', '192.0.2.10', 'of sofia', 'player restriction set', 'player', '2', 2, '{"play_from":""}', '{"play_from":"permanent"}', 'Asked us to.', X'5c9b2be6e261aef272997340051a6725305580b93f6bc709fd8e366429c7d01895a9b4b148c86de026f5b545f6a92f41e848a8e8e6ceac7461592acf69ed9067d3fe01f5b275b3cbb4d8d600ec1b388f', X'8eb984079134006533bdf47cf10c9903b47b69ac347d934d50ed4a6d47487d39065e67f168a47b5c6fa96cad5a38c491fc08d2c3f4ed35efeed4226d450481d9eaa1bab8cbe0a8e178495ce899696c46b7d32fef52c303285d897b22b9490dc29b3de76c9c277ebddd93d6e3f854b7e0314c32317bb9c0bbc153cc29a87d8235fa5e5042c2b12c9e2866ab8251e76e6691063288054868432356ef85e054b93a', X'05689d5c23bb3c048b0df204c298805ba5ae1c8df543e5d2209c4ab282132b9d', 2, '', 1, 26);
INSERT INTO `audit_events` VALUES (72, 1795430940000000, 'sofia', '192.0.2.10', 'of sofia', 'restriction end requested', 'restriction', '2', 2, '', '{"player":2}', 'Asked again.', X'b00a5a00d3d48ff9fc2e95e3f5b91e009883e0647f3fe6a43f45be1ce4f7543bbcad65d1ad1c0eaba0c00263f89a20f8e9b30d0faefbc5c54f4470a288af51610ed74a23ae9d4ede172169d3b721c854', X'e4a5e3e415deb4ae48074986e1fe008f6092f144803fc3c01113414932e9bcd1b42e9e487e7c11552851ce3ee8b959525f007b93fe91d6f044a6fa0ccc3d756756c2e54101f048738b3085a3b7599548324287440fe395a1c2c62157cafb46897e999f35d9bcd92795934833e07b1515468ffa503bc3b4e7ccfb02099b2144b7f8dd52d8aa3c183274aa58fca531d02a6f5b1048ace46c139a3a2e03d14c4939', X'd445d337ad523f947c06d1bbc70e59b7105ad83c8e8692f9b01031b5a360b148', 2, '', 1, 70);
INSERT INTO `audit_events` VALUES (73, 1795431000000000, 'chloe', '192.0.2.10', 'of chloe', 'restriction ended', 'restriction', '2', 2, '', '{"about":"","kind":"other","player":2,"scope":"play, deposits and bonuses","subject":"player","until":"permanent"}', 'Asked again.', X'0a1e8d21105441c07a8b40fe6db7db26d6cb814ac25d39f027f1df9f3557d14a77741ea5f00de82560dcf4cec95cd828282109117b0d59755767fc05d66bd946176ad4d49e9480563b200e2598a86d25', X'10b9eee36d6d8bdf725188e75207eb43c78981a56298994591624571c3475d8cad5cf43a1a64dfbcade62003a154c2b6e6352872daeb9ccc8edb6bab011c6b66ef184509d3fab220946e1621da8efa751b48898990839dc3dd9447e8b266d1257d76549ca34ebbdc83c8d6d39e5a26f316c8ccd68667d3a21392e0a2232a729ffd759d81b544f1ded751095202008dbc015c0693c9a69340916ed69849c6e2d2', X'277affe1a3ff87e55f5663aa903aa17bd84e3ef3878a1f9295cffc277288808a', 2, '', 1, 72);
INSERT INTO `audit_events` VALUES (74, 1795431000000000, 'chloe', '192.0.2.10', 'of chloe', 'player restriction ended', 'player', '2', 2, '{"play_from":"permanent"}', '{"play_from":""}', 'Asked again.', X'519ae5b042f33cca482bc7ed7627a6553a76629987365747b8ad6f3d4a951ae7735ec7965933e90122b5955d7bf2337c20da85a5de33d2bb04b94dff2a8d84bb9a47ff1689e399c99a4da709b23acff5', X'1b6ece6c2d92fd80142372098f677e84fe3135789bc4a8a5b44d57b8e03016ca09f4315307b8ba9c7a17036a1dd517ae4a52b7c0e8b5ac65df957359ce7b327b9a14a7bd31a80dfb8f2f2704c90ad6ac6b06f127eed8eb6da8e527556a6a4ba5ab0dbc714261d79ec1acca45ef45284edb7251b3cacaf3262c3224238af739e9aef41e06c8b628afbcbf14f44f1ae33c5f178d80414936feb138e85db08a4dbe', X'7205decc38ac70f39c5525c6b52e3e38c535539284f3f1c7b597d144b57ea269', 2, '', 1, 71);
INSERT INTO `audit_events` VALUES (75, 1795431060000000, 'sofia', '192.0.2.10', 'of sofia', 'restriction set', 'restriction', '3', 2, '', '{"about":"","kind":"other","player":2,"scope":"bonuses only","subject":"player","until":"permanent"}', 'Asked us to.', X'555cef5e4b623c897e02f801559261b9b816869416263bdc270a5b648cdfbd1120899cc9eab316ec5f9738b345e918e18f7ae0a356c1ff0e541fc2c80087692fc006320644487cbf1620b10a71c4b289', X'a95024ee31ae193833834967f384347c12ad0fde17d5f530b5c42d00ac63752c4a964087b94e33fd580db8a58145d474ccc4013fa27dfc8b15311305203dec4d8f63e353ca6bb3d632fbd59e5c174f294dd54af7dde84041fa3e49e2c2ec445d0a551fbc6863a5e018f513b187850bbcdf48360feee4f2914ab18e81bdf43c94cbe7a4a2303feaf324f54ffcdf9b29b7f924048c3f53b801c8c9c40c2c10ad42', X'ee8a76d970ea301426bb2d215bb3cbaa11aa52ab1c64bd0fac6c3419aa13aa4a', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (76, 1795431060000000, 'sofia', '192.0.2.10', 'of sofia', 'player restriction set', 'player', '2', 2, '{"bonuses_from":""}', '{"bonuses_from":"permanent"}', 'Asked us to.', X'743a5a04dea7e45a3beb720f0fe36c7d94b942ae63ac423c26a034168dcdfa70cd4e2f636d791be15512e9e3cae9969bc87dcab098de6d9f24f4cf9a1b435a99055fb8e3389bc930d8adda427e3304e4', X'e3916e141afdc7cbd7ac50e5f24e171fe4c2f565609206789cf29b052377fa5beeefdd2d31e0d4505cb51dcd9a81cb5c9ed76cc71c7f9936d6ffe48286ff29b2857aec2fd807b4f5f395f39cca5edd04b974fa802e3c4624089d53591de36978018512e9d3ed08b8886cd2e285c9e126dc1517e83708427cd823eb98aed014a733c17b340193fb8765da6f47c33a8c9d8c42816cc0c3aa731ec213bffd5cf74f', X'470340b0d7d2d593a89041a706c3aac9b52c0b019eb67f16f9d40de48d6ed977', 2, '', 1, 74);
INSERT INTO `audit_events` VALUES (77, 1795431120000000, 'sofia', '192.0.2.10', 'of sofia', 'restriction end requested', 'restriction', '3', 2, '', '{"player":2}', 'Asked again.', X'057df1966b5dc2afc3df338ee4e0b855fc4eb530666ef11ef54a71cbdf4394d7f297178b630f7d367a31f0fa5e3e2f48776ca2ed84d7126f35e815e37be835e4bd9f4e4d8484094824e2baea82812c8c', X'ac6753db077e1c02f3a147040331de25048ab260980f803d86708b6368b08378995106d48cc7728349f33beae46e223456cfb9b2e20f63e13ea875ade4217ccd06279b92b49ea2d7bd0ebee776f0c16db2c917cf86a4ab0e5f33fc9815fe5ac8858cf35abcbf377f4a380d2eb60081e2773ed9de50e93c689d97805e768faed751b28c2685653472696405eed797f5168c320abb8f42f92cfc04479d6aa1da3a', X'2c82807210b90a606a91e116dd12c7095ed346e36620ed4e3c92329da26f5a72', 2, '', 1, 75);
INSERT INTO `audit_events` VALUES (78, 1795431180000000, 'chloe', '192.0.2.10', 'of chloe', 'restriction set', 'restriction', '4', 0, '', '{"about":"g3","kind":"other","player":0,"scope":"play, deposits and bonuses","subject":"game","until":"permanent"}', 'Asked us to.', X'69f19a173578dce648f3a12472c9ee3c32b8a887152fae3d427e4d6df126ca41ce9e73823d5f38e4d33636f84f41ae8acb027931265ca2754d87eaece04044584901802875c634a83ef20006d3ec498d', X'7aacaeaa5532523bcc34a677463ab483498acbafd1a816aad51c2ca34af3ac5ff21f20097524e31fb54872fd7262bb07d71dc33d9371acbca67755f0ca025cd9684ffd059daef6695df6207098a72185e7fb74298f33519f9e45560334174cef765002f2e8fe1bba03a5af23acb5b3ab13a215820740f5a5b40db1a392345d0ed8862be884b5f592e3f2d338927b70fb731f6d39c54ab9fae99f311e03db48df', X'4323958e507f7515bdfab9a21527b1af89def3a533525d4cef8661bb74b122e5', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (79, 1795431240000000, 'sofia', '192.0.2.10', 'of sofia', 'player limits set', 'player', '1', 1, '{}', '{"loss limit per month":"5000.00","stake limit per day":"3000.00","zone":"Europe/Vienna"}', 'Asked for it.', X'd891410b8233cc3216838047f5e6827ef6a580c4bd6da8f076bae4fa83561871e6b6359c8818e6e01e0860b66e17bd934c4a30db38cfb12a0784c212e936696e39e20a9c76d03d8822afc823240d5367', X'4da610864ed6ff171b6a76bc57c53f5a8813fc8b89c32c5d29382ec25b7ae1350b1a8d95c462e0ab164f71b9e999dccb77e5233074414c0c290fa05e4ad801ab9bb5ab5774f83890c2321a5b3622d1199939aa5e9f230485185c1bd2dd1aa2bfdc61b5c7291ae5024dfc600ee6ac43183e4bbd2e89b8e1dcb6e007454e360b21be2197d54a65af5475ac6ae7e1bca4503409b540cc731e6f727f5ee1a5bf2011', X'c8924230833f23cf26a8996d77a8b973df3a0841fd60827931bdcf326c8a8a3b', 2, '', 1, 30);
INSERT INTO `audit_events` VALUES (80, 1795431300000000, 'sofia', '192.0.2.10', 'of sofia', 'player limits set', 'player', '1', 1, '{"loss limit per month":"5000.00","stake limit per day":"3000.00","zone":"Europe/Vienna"}', '{"loss limit per month":"5000.00","stake limit per day":"3000.00, 4000.00 from 24 Nov 2026 11:55","zone":"Europe/Vienna"}', 'Asked for more.', X'8350918185e8ddfadb4b106f04c8b17cb2c8a67e65252b2a46d78a63f0673a9e70c8056420b77b54d4b9a9879f9b52d8539a9bd9473b3a7e3cedece9b041301d0d6f8bc087ea5078979e139f194aa721', X'0a874b70d214dd998f8280101cc6bf64d89d79c18429865e97359aba9e70087a442d54410d2eac1c62fc6f84ac6530c6dcd15992b08f1c2a8ee24da42d03922b9b3eca73ce30d51072a37168b993f3fb2325981099307f1e9dd972a9c086c73320af2c5749d6aeff6ebb3e083bf8f9e0fcd42efe55a2963a28ee3a0f474d11b058e9f07d72998baf55331cd383fc398b5535a97b50533efd0d01eb735cd19b84', X'b3c98ef04759d520213cae1dfb3aedc14cd2c4331e91aef1adef6664e5d8c84f', 2, '', 1, 79);
INSERT INTO `audit_events` VALUES (81, 1795431360000000, 'sofia', '192.0.2.10', 'of sofia', 'correction requested', 'correction', '1', 1, '', '{"amount":"3.00","another":"each of these is for another loss","balance":"977.00","currency":"EUR","kind":"credit","player":1,"reason":"goodwill","reference":"","role":"support","round_id":"","transaction_id":"","user_id":"anna"}', 'As agreed.', X'09873dd25e7db87dce214d59e1174e0dcfda57f638c08ad015d17810606900316c732dd65b38684804058d2900d0d64c2978038f74398073d837526a5243268940019947e2c196e9ecebf98ec00a6e3d', X'd97809bbfe8f39b7019d03facc2e0bca421c67bed459ff84820c3fdbfaa0dd2164562202da912eb01fd33e11603241c2b50a9f68ac84de5dedffa1d48b217333ec2fbbb29734ac5b294c5d2f5bef08fa8bb69e781ffcce1800012f16bf2a25bc9f08d09b0e25b63ee310baa46745ff2139c0d266ce02453972e8febd9b5118c0a881353638d2307ceec8d8477d4fc3b137e72d62e11eecb7b814f733637ac86f', X'382258ee0c52697c8c24434f39433492607272254831afb744a59bed2a1aa502', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (82, 1795431420000000, 'mira', '192.0.2.10', 'of mira', 'correction approved', 'correction', '1', 1, 'waiting', '{"balance_after":"980.00","balance_before":"977.00","currency":"EUR","line":31,"maker":"sofia","player":1,"role":"finance","spin_ledger":false,"state":"approved"}', '', X'1a5bd5c196ac1e8207537a330e4dae6209e6f5ca332d528040abf6e4462a7edf10e3f97a31d5e569ded356b745c7999fcd7250ef42f0b5ba77716022ab6d09245022ae6a1e0c9f8d40828405494121c3', X'3399ff355619191ff1f5d709ba3e6816454a94754ee0018c29fd4d3523e237fe651043015c953117ec14f75fc61361608f53affb9329cc1d701c12106a4c3f76f32bb6235375c5223be10a0bed6439ad38e4862710c5af6561bccaa1691928101a5ed4229796bdc44a32e4c329ba5420df70b640247831b851de5dd3e06d717b5e84a1424c2116dfd59c0d2a578736128c1aa3660aeebac9fbb6ab9ad436e303', X'42fdc8711621cea46cea34605a5357ccf4f3c0242aed3016899eeba43155b42e', 2, '', 1, 81);
INSERT INTO `audit_events` VALUES (83, 1795431480000000, 'sofia', '192.0.2.10', 'of sofia', 'correction requested', 'correction', '2', 1, '', '{"amount":"1.00","another":"each of these is for another loss","balance":"980.00","currency":"EUR","kind":"debit","player":1,"reason":"paid-twice","reference":"","role":"support","round_id":"","transaction_id":"","user_id":"anna"}', 'As agreed.', X'bad7c0cc645e1b9b55b4035835a3b8d13c6d419457216cdc41e101a0540b95d488026f71872b53a845c800dd87cf381a0287dc34876e87ed1a4193662e5c441ee13206579818e39ea10f2aadbb8c28b4', X'27252a9708e0cf8b97ce2c2e3fa45c27505e6262c96cdce072e0bd133c0ef53ed31e5f6ed08fb63d42c8e8d2700688be8fae1e96983090ec9c3e6386e0e4cbae32e9d38d7bdb9a8212715560d4f62649c5dfe8395ab079590b14df87f7bd399e0a1d054e37e4ba098b33ee2c787c27eb3642b29badfce42827fefd069371090a5aebcac4984f68a1f71aba5671931604886d0f16e81aa4d66d98a43334ab59eb', X'b6b6acccd5963b3b31b9b80fe4b025d24b0f40a3b643b7581ff89ed43c473d2d', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (84, 1795431540000000, 'mira', '192.0.2.10', 'of mira', 'correction approved', 'correction', '2', 1, 'waiting', '{"balance_after":"979.00","balance_before":"980.00","currency":"EUR","line":32,"maker":"sofia","player":1,"role":"finance","spin_ledger":false,"state":"approved"}', '', X'169069081e861e22f8771b147c31fae9cefbae3ae27a37e9962a7ef59d610bc5eea5027391ea85cf8682ae5543a4d4b59c9da899dd36db7f182a7a0ab38bd33fae359aad68e6e632695296613b7fe1ed', X'91dd400fc2fca560308403574ac691eac12d8a132b888b7109bf86c119e349284334ce88282e7ee50ff06d33b9b4f5fbc4df297246691056458348f86737141a12d9a76d8e185b4f74157b202ef91b4f3af61a632a8261bb6068f48055a9585e2890868d0b0e4c6f4a11b85ff18d98abdc5a532689b10ee77d38181c17cca14f0d325cc6d61347ffbf2e954fac60fbd348c89313dcf3a776e5a72b56935cdadb', X'0fa3d229968c04adbffc1e50f32163e1255aa30c01348f6c3c2a9f7d54d1beb3', 2, '', 1, 83);
INSERT INTO `audit_events` VALUES (85, 1795431600000000, 'sofia', '192.0.2.10', 'of sofia', 'correction requested', 'correction', '3', 1, '', '{"amount":"4.00","another":"each of these is for another loss","balance":"979.00","currency":"EUR","kind":"rollback","player":1,"reason":"round-voided","reference":"","role":"support","round_id":"r-bet-8","transaction_id":"bet-8","user_id":"anna"}', 'Their ticket 88213.', X'4eaf50a43a0c3f029647a16b4315dc12c5e56615f0b276b893b20d30d0daee7e17112ae5b1ba7235a985ea25d6e40bd2abc7f3c4b3b81d02eabb5233fcd68489beea403412fc791c1d83e6d2e15ec629', X'73c2ee5403576a8e435497ee690c89be5410d7d46aad6747576fc094bf57721b2f66d96461ac5c39fb1e558002842f6264493a85da150aa0dddd488ac9ea95b60982e173edcf9af4db9ab57c6c5f404c7f35c1b03957174108150b367b9d3af62ae56d7e302098d399925920fdbf53629d395b3f4cde34a3d1eb23b89e011f276bcff188214559805a73b07ae971a8d8750935729264b55bf79403167e0b985d', X'e54d1a1e400d9bce528c9ce292dfa757a754c41f9cc68f4baf921498932dfd78', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (86, 1795431660000000, 'mira', '192.0.2.10', 'of mira', 'correction approved', 'correction', '3', 1, 'waiting', '{"balance_after":"983.00","balance_before":"979.00","currency":"EUR","line":33,"maker":"sofia","player":1,"role":"finance","spin_ledger":false,"state":"approved"}', '', X'42e0c2428eb9c1cf51a36b8e9138d095e7721534945ba25bd05fccb6823eb624fc8bd4d85bfb0066beee4a59349d3bd4cbe438d3809a9f710b324fa4727aad9a2cadf0ead65f9172b8f6e9d826dd0084', X'fbebbb8ed09f9f2dc8c24debb2d8e840e1b30ac998b0f529e1fb91bf3c6a0b0b27c0e167c9839b0ea46971eb48509a08ea86519518b5cdc92c8dff0fccf2bb82e0b3e519026d839ada569d07490dec5393a829502b46a28fc7ee4734758d939f0ec511c7470f835ee402e2339a65f24f99468ae1a3537fcbdedd44498ca93be539ca7f8e0ef37eede0029350fb9fda2cdae3e0796acfc5ffdae1643635904320', X'a26fe4b9940a0c3170fec317f2ab528795d966214391764a66e18ebd45f4f31c', 2, '', 1, 85);
INSERT INTO `audit_events` VALUES (87, 1795431720000000, 'sofia', '192.0.2.10', 'of sofia', 'correction requested', 'correction', '4', 1, '', '{"amount":"9.00","another":"each of these is for another loss","balance":"983.00","currency":"EUR","kind":"win","player":1,"reason":"win-not-credited","reference":"","role":"support","round_id":"r-bet-9-win","transaction_id":"bet-9-win","user_id":"anna"}', 'Their win was lost.', X'13b70654066b9cb72f95e71040673054e11939e96ac059c3f7233ede43cb03415614b055fbcd16f90c969a5bdc015c0956824885fe6df1a9cd1c0e0a47947eb2500b556d4722d8b1d8fcf215da4b6c2e', X'cfee2bcf60d1d17715339e68c9715194c7878c4024534f683ee3cc0632e7b8626c128705a588a3013ae8d77425025acafbf7d1cc1a8c3fe63cf68f7f5450c3d16cf32cf0f133ba100ffa00661d20e042451ac2c1d56828560184f6998f584ae849a44e4071fe15261c04ac7f3eee436ed4a57509a1630a3bb5ce1f410f0d9f2bbb1798dc3a399fed03d2fdfbc7a388c39deeabd743f06ed6c1627d5afd073f33', X'18014ed8695c1b8db7a496bcd6deefe53c6a544b3b1431aa5d02b5339eff04c2', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (88, 1795431780000000, 'mira', '192.0.2.10', 'of mira', 'correction approved', 'correction', '4', 1, 'waiting', '{"balance_after":"992.00","balance_before":"983.00","currency":"EUR","line":34,"maker":"sofia","player":1,"role":"finance","spin_ledger":false,"state":"approved"}', '', X'4c9e0857dba180e65c665bdab9690ccffce2e8396178bb6cfe5877fe106af7a4d25bfc2838f4a744931f70757a876cc44c924145cc34c48aeb0ddb64f9a03b289e50e14bf266e5e15ed67c07f5d739c9', X'2aaa96f0684f4d0e82f28549ed1b802e07e7edcdaf26183e502362c4379e927b43cba43a4b18fd47aeb092196b7b10b993ba731bc123a88915b2f2a62b9ad7d38cd52b4738d788e3675907cf7a2046a0d142a80a844e6ddf888dc000ddaff2ee4c82a2127ccc570069fa73ee80eed2b98f4cbfd0fcd51593f400f1b7259ec1b48aa30ac1ae187dcd80cc97f236a83abcdb836845a782d9713fa7112bdc828d99', X'ade3dd4b40597411431bacdfe49f467a1fccea1ba4db7aa42a9b8867cdc3277d', 2, '', 1, 87);
INSERT INTO `audit_events` VALUES (89, 1795431840000000, 'sofia', '192.0.2.10', 'of sofia', 'correction requested', 'correction', '5', 1, '', '{"amount":"10.00","another":"each of these is for another loss","balance":"992.00","currency":"EUR","kind":"credit","player":1,"reason":"goodwill","reference":"","role":"support","round_id":"","transaction_id":"","user_id":"anna"}', 'As agreed.', X'c8c41733bff1b26955bf7341f6ab4fd94b5a502e08765b4b29eda0d8d72b082ba4269a55f247236000eb2310ff5a8582019e1f1a8643bb2c40ce5dd16cfffa3c41e2621e5f5d20ce24f8abaff3ad44aa', X'754dc92070236354521c03379d69d93ee8e1d6eedc5979b110b81ee6a1f04016c8868581672e6911332d936810f4c3e4e6e45f097e79473797cc6050d7dc0ecb18d74873a76882bf59e46641d3ef9d69035b2cd6fe5e4a2942ce75da22af9fe33594b29a204899ffaf5824cc151fd9036ed25d444cfc252efa5e3d1ac6b656c6ed443149ed496a232692896b375663ea98be9cb368cb69b93b278eb8c88055f7', X'ce2f803c9dbed9dff9a677a097f760ee680fde1af5450dc05dfc5459841d7db2', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (90, 1795431900000000, 'farid', '192.0.2.10', 'of farid', 'correction refused', 'correction', '5', 1, 'waiting', '{"maker":"sofia","role":"finance","state":"refused"}', 'The player’s history explains it.', X'f3a5807f90f0b2470e4dd3c8f22223c810647e206eb4595daf5caed37b29064da2a7e98f41ad27401e89a895e0c1d755dbaccf3aad4483ffb84cc2c1e4d5040fa0f37939f6e9caaecc76fe9bd3f0038e', X'f959d4bb4b524906fcf7529e1391f054546a667e76dbafd8589c8a1a81d65466671beeadb5df2b8d282fa4e209a88d67d4d8a7a6f8b9e0fd896d6ad1f6753cd49c0e4ea70fcadbd0049f8a3d819477bb698b15fb8e580782b90bc6bb253162bd5247d9e8f9ea78ca4a2c41be3bcbd4ee06399cb0d4ce7469799d2f7aa28894dfc6495380141478f178c5c51539eca83c12225b0a53a3f8aef39e06b173fb17c2', X'131d76f18f1f7beffbe65d16ef5b187089a218814f07409278176188b099b6da', 2, '', 1, 89);
INSERT INTO `audit_events` VALUES (91, 1795432020000000, 'sofia', '192.0.2.10', 'of sofia', 'correction requested', 'correction', '6', 1, '', '{"amount":"20.00","another":"each of these is for another loss","balance":"992.00","currency":"EUR","kind":"credit","player":1,"reason":"goodwill","reference":"","role":"support","round_id":"","transaction_id":"","user_id":"anna"}', 'As agreed.', X'2a14cbfa8a94034a3249e950d409345d69393dfefac51cd9d712aeba9e4cc79ae659b17df2db27f5437f36860d1f714b5f85ed188ee5953458ca2e1f8c20c38ff9c9c8c68b737691c20a6dc8f7dd2f8a', X'24d7e11e9166387d904a0ee88d509284f445565414452caa458484014c1610fef8775771a1b656b34ec928faf559ae7fc51a0d169c7af5cd8bc9e235e6c2d8071fe6c35bb5c205d679f3dd3ba15c73de8a6705dd35b9975138b2471f6c15c05232eb131781c8e69c0b9954b42f1b5b45eb2b9d5df14620b1e07a40bdd2bfa94f6270d50c4a371f4ef50b0ac1a350fb4a2f2610dce0a4c30d9f102c9a7ff55e85', X'32f7ef3089e87f75a93210892073e673b531339ec0221b9e54a10149437182d8', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (92, 1795432080000000, 'sofia', '192.0.2.10', 'of sofia', 'correction withdrawn', 'correction', '6', 1, 'waiting', '{"maker":"sofia","role":"support","state":"withdrawn"}', 'A mistake.', X'8d3aafb31dcd5d2451ae2ed9223c22f45541b075a78a8210517dbab3e616bc601612dcb2da10e6e07f88d8a552ec8bb9f35a378086e5adfc16511d39ebfce81e7dcc6b3cd432d32a3f74696359935743', X'1216bf1f2ac5d5237e428cc65db686ec7ab7a0adceb04c50df1e8ca4d2fea3e4af9862827ae435d6f40d146adaacb8f04d1256db5546ff4bb5e2f7c8b9587e070b52266c58c936fb3df2203a21bb44a710d160af090e38c47798d3bcdef4e3fdd704aa6adacc6abcaa1820566400449068c3355f8469ea78710d4c6380a34a80130e2e5a609a5899041845e1b95d4ae6e36f8f42a6becedc3b058575cc38eb57', X'fcbcb2180ead371558b3cbaf4e6e13ddcc400defec341dc21a9d00d0a9c1ad7f', 2, '', 1, 91);
INSERT INTO `audit_events` VALUES (93, 1795432200000000, 'sofia', '192.0.2.10', 'of sofia', 'correction requested', 'correction', '7', 1, '', '{"amount":"5.00","another":"each of these is for another loss","balance":"992.00","currency":"EUR","kind":"credit","player":1,"reason":"goodwill","reference":"","role":"support","round_id":"","transaction_id":"","user_id":"anna"}', 'As agreed.', X'6bbe3e7dd6eee16b47491b3694b1a99155ccadecdacc148cb1786fdbf65bfcc29fe282125b0b19b955f1e45ba1c9448937e4484c45a04515a17d5b7803978a3ccb009da32076c871126036d23424df3c', X'398d6ed794fc56811be929ce0a12040a92d57e355dc2b23ea11a20c8d31bcf43ced41010e19d26ec8b3fa3f1ebbbdfc1626823b4485d2f7204c65bd7de04d63925dab1dcd568f06f65a884003694f40ca7bebccf0953b9979cef8d3b4cb86de7c183cc5f19ee69482c76e251f8ac10862573632abe67fa8e3d0e8948387542a6251287bc6fcd71943d7a85089590821ae41823beaec49bf53a9e0f0ec0a772aa', X'4e034c918a273af138bb876e9a96c32078493ce2cce8294f5b3b3ae74d45f860', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (94, 1795432260000000, 'farid', '192.0.2.10', 'of farid', 'correction assigned', 'correction', '7', 1, '', 'farid', '', X'92d8efdfd91e3f3ff8428ae368dc653090a9c1dd19448e99d11fe7daa861a6ccf4d487f8c52e8d3649f26110ac914bb19819045ef07ed1cb5ba6dd5a360fde0c942a40436148092521922718591f569c', X'734a332dbc13c78bc91422f7dd88fe6444a89b1779f2fd60cfa2982f5157897fcdc75ddac52461cf97d8b909813782227196d188f6507b0f049285d429c8a44a539055eb539310161e88b9edf5cdb281657b4231af735d25edebcfd8a89d5e59c523ac5754034d96f999bf4ee635d08621fce9faf481461f323fae5de71faf823a4eaa797576779c734085c6ef22faf80cbd00c2d7d7f37573252b86295f87be', X'1110aa98d2f5376489b6f6bae6e25d0d8cc10d3c3a1a8ab436684002a3fba270', 2, '', 1, 93);
INSERT INTO `audit_events` VALUES (95, 1795432380000000, 'system', '', '', 'case opened', 'case', '1', 1, '', '{"rule":"ledger verification failed"}', '', X'7cdf2f0754eb936c912c243b78d02cf233c68930a67fbd285c6f9bfdf2119e959f3ab6858f6c2c78a2ca5bbd5465c0f806ae0aa108d55cb82e1a1c5ddd8fe120e0c04f9eaf07d5ee6a1de993293416ac', X'08334564c31275340272f3e9384624f08c47f29232a4453f288b89a04771b1611f9f77a5581c087e60515c53a596ae19f5d0a09e985e769568acb76e5e317ff4337692d790385c1a92862cdcc4423b9ffa3c7b02cefee19d74e8c9de012984ca843e891262fceb44a40d0ac7485d7ee4e22661a81e7311a5c4db090e6352902a4748eca2ef0dbe8f3a38187ee4d9d5ff4ba690b9a21dd9ba3b02b7e335341e24', X'e4cfd9ed84f20c70e50b1ff21a59040cafe130cc9a38128bb9a26e1232931316', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (96, 1795432440000000, 'farid', '192.0.2.10', 'of farid', 'case commented', 'case', '1', 1, '', '', '', X'fbaddd4b4c4382977769d57542918817eb93955b31f4c4fb600ef0bc07847290cde6bd2cd4048b96d31d2c773805222f9f24d58a096c89a706fe912398efcab4c58df0c5ef8a17ac1770b5acf7f65bc0', X'eabbc5e478431a2614ad3d7d347805b60458a3119b0f40b8590756a8bdc5f1981300212072a1b687e3aeede67274840b69cb70f8ab382888d9e571e3fe6a77d5c66cbf1204b4636767acd243e18e50e8f08db1797c59d5c688f3d3e01bdf47bb11d88b1bed456539ee6bc1fb5f85c3953e0efbb4140ba377101558ce6cbafe9073f1d83bead84771fb2bc50dbc9d6fe5cce9242ec35af77a767c323954129bb6', X'80990530a78252b5abbff816de0862b47d135f1bdf226dd57104e7f013fe5a4b', 2, '', 1, 95);
INSERT INTO `audit_events` VALUES (97, 1795432500000000, 'farid', '192.0.2.10', 'of farid', 'case closed', 'case', '1', 1, 'open', 'explained', 'The platform confirmed it.', X'c4be611cd107eb2e589bc4a1df1cc05d6866b366965ad0a8fa63990b4c2ea9c4c3e41a8343e915d27a2438a2649059d9991aae4b78cf07691b468bb347a08c8eec45f17f899630a5418b1d355a355527', X'71d341ed9072269687c02fbe0d287cc91f6eff4c567c6ccf472d45fc1576558cd1a509adcf66073c5c9d1bc291d58c151e92bc067d2dd7b0b60f7f4da70c94f4dfbeaa6b1f923a7f5882e1be820833a66727e07958046a951a6a273871171809ca3a924f9e42ff4ed42b4f0df84ad674527e862cb751d5bd6d2519e58954c9bb342495feb77674cff9131d089b366ef81deff524d41eb6b6074a11ea2d2f63e0', X'e230a26262a7f2bdc966b123a172122b5abc950b34d83265cb8667892e17eef2', 2, '', 1, 96);
INSERT INTO `audit_events` VALUES (98, 1795432560000000, 'system', '', '', 'case opened', 'case', '2', 1, '', '{"rule":"signature reused for different values"}', '', X'72083776060ad854166c518777b414610e3038e1186ee487cf1f4e44ad9860237ef3f1954676f157735369a80b0e086687ae0f96ff1d8253db37fb2df4a0e4a9676141807e21d140d1eb6786cedf742b', X'35d39dd3fe30531350b0feae6cee6560ea2c3aaf710b385db770fff3d821cd5ce3f2f13d04a7bfe8015ca9916d45241adae5c232c590f60504096c8cfc1ef8991b2f2b8713dc9295c98198deeb5a4ea631d445abe02b1c8c9e12088af7485cb6fbaee740507c87cd831d7acb19c7f478553c15df4dfb93705d38cf1870522cbe6e4a9e82475dda7789dd010e752e6087fbebf0c504f72a4ac63ed33a125cbccf', X'597f02619f3cac11deaab45c7473e97bf2186a3f2910879cdb96b6a95b517b4d', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (99, 1795432620000000, 'farid', '192.0.2.10', 'of farid', 'case commented', 'case', '2', 1, '', '', '', X'c57d02712c72a2aec081c2d1764b16c741354f4c80ce73e1a0c4e71bc763ec748c28294da4a958e9016b8c963710e33fc8c3161bdbaf4161cd0445c230dffba99799410ef9e1ed54aa93370f1bc17422', X'2f3a996d43436dff80a3bb3e302f4d46abfdc207c7add7a010459031eca7af0c465fa443ae035689f695ee7bac7c54f857bbf0082b85b4566d45e3f2ccf24611aff0d2ab48495410073ce165aed690ffdff84d245b45c7cef70794eb6dca9ac4719f6bc7a8b9ae23f4418769f8954143ff2679871238e816ddc9e32db57ed3e4026a9e6ecc3005018043fdfd5ac139a692763de99c25cfb8f1705443c2d36a6d', X'f3b977d1ddd1856b9c61c4fe33ac83221f7dc0c2566bb4d0e1132ad421e54e77', 2, '', 1, 98);
INSERT INTO `audit_events` VALUES (100, 1795432680000000, 'farid', '192.0.2.10', 'of farid', 'case closed', 'case', '2', 1, 'open', 'adjusted', 'The platform confirmed it.', X'9d7ab40ff80060b04b27552a14130aff4055a35a7879c3c62bedce6c829f86f005974da0edfb5fb6630fc842573b6e656e06ec3422f427a96db08c355984f9f703c51ed68f55d7e9d703d42136d2f061', X'ba20b3eb1c46d3b9b2ac78148c6a01ea3e3a300b387fd191568de6f4b97c1ba4301f940b143f449b7ac9cbfc54d12e3abe631e7a0e2cee588356b913c62c4f75763e328610f2281e52e95d38bb6f36f6d733df1106dab9a511e6657f548ce3ebdeb8bef96fddc8cb7001c941ca345368e28251408e4b371095fcd66dbfa30c9fb721590c6190ad9a7fc565942af34cf4e14ed0908b51dd7199f31f3faf070d0a', X'1eeebb2c3559ae26b676619deb2e74520aca017b3901ba35b8c28844e3fd1e83', 2, '', 1, 99);
INSERT INTO `audit_events` VALUES (101, 1795432740000000, 'system', '', '', 'case opened', 'case', '3', 1, '', '{"rule":"negative balance"}', '', X'6ec7afcb88f6908adf1a6ed9bc5aa4a38c9e3761558f4c246c0545f70f8cc6383d07598c485252ad1783a4545242bb859d3bb4e57a73cbb2942f59e339ca08f5a1bfe43c0193d6cb962b62e0720158ef', X'9dc47d0cfb64af6908c3bc201d75aecf39c3bf55519d7ed36c341740ba56c9768ddd3b8c6e27a3c1a39ca6ab3d8420db4631e60f553eeefcf33540dbbf42de3d13f29c2c7b5352fb9fc64637eda4d1f032db14f69f6392125675cf684e61c4ff94514435ca9fbcd765368c8dd06bb2e16f4e7157ed585482e0e4596c7952110682ae188ec0f331d69c58d85c07160769308ed497717b2d75e1fee3e1ee4e07a2', X'7ee62d5ed18a80732912274ce3cc5c7fca8a76c2332c6a5d1b5e6b8d82bc613e', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (102, 1795432800000000, 'farid', '192.0.2.10', 'of farid', 'case commented', 'case', '3', 1, '', '', '', X'a9b6303a7259f19df09564ed2435e7d2d6dc638fce32d161b14e44fcd8b39fcb6406d2ddda8ad39cd5525f66e6489b4d15f60287d7c0a370343bbedd7f2db7270c665ab3ce91fbee5a6eaa358da076b9', X'783c0dee96a6b6f7fef7bc92ad590ad968919ec8850f44c4adc4bb0e05aeb54a97908fb7f6a492ed3db7f7f0cc63b23205101940e374734f9dbb72bb3b7c7206c682e1a0c97f3a94c9cff819b2789e16ae85b5a6ade2628a16c3da549059df4848e28e22f20a7f75ea0cded6b0f5b8a36df903fb2b61a439176526aa5fc742680b91859207fb5090ea625d7be3053274b76078eef44066ad54b8164b1248ab28', X'56b81a51ccffdc39d3df3f58b38376ad108a8e4573b60cccc516d67ddf2a0235', 2, '', 1, 101);
INSERT INTO `audit_events` VALUES (103, 1795432860000000, 'farid', '192.0.2.10', 'of farid', 'case closed', 'case', '3', 1, 'open', 'written off', 'The platform confirmed it.', X'a81caddc1f73963205876b862a046e07c14882ea825a0e14ac1f8771021bd52b97e8dbe7cebc3f9a3bd7f96195f6f985e79f004e0dc26d1c3d06bc11c568ac0cfd430df04c96e932073f0ca4e82bd228', X'891497f62ee45f18fb51be9f863ff15d6031f0fd3a90076480e3081bdf282ec73cd6109f0e526b29949bebd25ca15ec0f04c782a2ce8704c7b356b44e22782a55d2bd7180ee10ea2813ac2af10a78e4d18377b067a80dce5daa319f058a796f378b0c2cefdcbec20df1a42707d01e5d3120c9d57d4122303b191aaf249305297848034d661a3ccd398f25542d3e6172d45a33520f89d5fd411bf662d12699aad', X'171b4a4582c8330242f21c62afe46ec90f58eab1b8a370cd53cf9178dc34ded1', 2, '', 1, 102);
INSERT INTO `audit_events` VALUES (104, 1795432920000000, 'system', '', '', 'case opened', 'case', '4', 1, '', '{"rule":"free spin without a grant"}', '', X'e17b593d627409814e4468f162cb2afc62b366c5cae53e3e5546e71b906db634966ee38c623e6d4fc3f0c86ea3b1c179f6c6591ca9dbded8be973f60dd912bd28fffb8db70a43b6f3f37f84f7dc68c13', X'dfd3c35c27c6c1dfc2abb96f442befdb4d66c218ee43e9ed2129c32ba6e59cb20f48e638ce6ad606e68845276a8985e31e5ea40dd82f0469c7dbcfeba6a3cb520bf97efc61f8ec9ca771e423d4ea8dae0e3314f8cd1a2380e162d58ea7257e55cbfd2a4b93241e7a1f086af6303c1b2c236e22b4b3724641a8dbbd6f3017dfa5765105b2eb65c603f2cf6136657cf1b68c8917692d8b23d9eed3ee6bd3112a75', X'd92809e7ae27a157362dbdd34d9058956f6291af0073cee8963bca650d581da2', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (105, 1795432980000000, 'system', '', '', 'case opened', 'case', '5', 1, '', '{"rule":"win without a bet"}', '', X'9468a99cdd833816c26b9dccfa23056e31761800edd5b55932fe165753a0baede21def3babd51e4fc3789e5913be861d63c19133d69d603256b35fade3935826ca54e2cd7520c9b425386eefd11e78eb', X'4f64cd89e5bdb76c78736d91feeed34b69f7742d39c1a5a5e3cf22a50b7c23408cb130b729c36bb17e9ee33409824a87e0f93002ce06e437f8ef83f1c710f86e2191ebe7f805be2c437ed77b3b7a7a4af2d680718db9519b1d9f3049611045759b0584904c5e050b71214d77da4ae1130f00e8bcee74a45f56ff1f249c32f734199cc014b0105de107daa690736c74448b2b01f32fd32c0789a6f27208d01ae0', X'a9d85a1f7245ffbeaff8bc48cfac25809592c52e831d1c0184656a3046e3bda8', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (106, 1795433040000000, 'system', '', '', 'case opened', 'case', '6', 1, '', '{"rule":"transaction ID reused with different details"}', '', X'a00609146cc6414b348da9bc1248ddbe4dbe58acd67017ca3fa011b66d601379ea46c10146a9d5bb6f19a3d8c57702cb0f8da402882b7d14b512e3401e9fbb41d81f2b5d463300efe0ca2ef70ad3f156', X'f83fa806a3c9a571c8fabdd550cba308f54a8ff2ce2a2540d19a011ba114b9fae2d32ac447f945d2cfbb3c1d3c89b7a4f35ce70306542b25d7bba1c23a5a2014c78e688b67ab88a601f6d286986e8a746a2f64976e791155df8f9ddc2e4e711f2459531e33695dfaa357dbcaaa1b750bda059ac094d69d8734f32b921684cb9d4827a2e280f6a1e6c32bce350d4b8788bb60d3727bb8a8fc742812cd09cc21cf', X'aa97f01be694b5c732a3fae1e88122d9b640bd94e9f6454d5ae99dda24f47143', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (107, 1795433100000000, 'system', '', '', 'case opened', 'case', '7', 1, '', '{"rule":"cash ID reused with different details"}', '', X'44ccf329cc57545e3a4688eecfb00224d5609c4a2108f59b0966fba1fc946d368f5f8bc52e51e54f3c0e4210eadefc2d9c9de3da3247ef1c4854c5643bf255a785b57c63fd3a4a245aeed0302f252fe9', X'1f4c56904066631b5a0e678d5313768d605a580541afad9f62aced91892ee944ad2480d2e550d449e89040c9abd581c3f71253802cad22b97c209e1fdc0c13bdbcb23c1195c665a92ebe2c7e8a134ceb8b30a58643640e121bce373ab3bd271d0211311a5bc618a88046b8dc5ba8283fdec1ddd59c431d328b7ee7cf7c18446aa150a58acb403f4c271c9c2566ff5e4b138a2c5f16561faabaebec725b5e3848', X'6d18e3017ca8260140c7d3c19b7da7d8227d2757f1990e72afb55c81b7df5163', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (108, 1795433160000000, 'system', '', '', 'case opened', 'case', '8', 1, '', '{"rule":"cash-out neither paid nor returned"}', '', X'816293f979aa5450ef7f4bb16d4ad977635f21b04b7aacfa8c3e0c9cb2e3ffee00486305c0f7ad0a6e9915ba65731c3ba4f3f7749ff1af34aea6a8897da56fd0209a9cf42758d9a61e7c78024133be29', X'353c948b059c967b42041f411810aca14dbf174a5597e95a15f375227e0375a6b2a8b218767b69c986da56b89616c1dc916128c67dfbfdff45bcf2637491a6150bb66cf056a10171a6f622a3e86ac71fcbef5736c002dfee03cefc68d8d8c15630d4b0f4dd4adcb9ab6420a3bb58f795e14af1a7d0bb503beedfcb8ff54c4dcc94bee9e127437d0125b4619ec4fbc39ea99b3f96850ec73344c912f8aa067b5a', X'559910c7700bcf5828cd6fc9f040dfe6330554c01594b6c9f76a3bc7665f99d6', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (109, 1795433220000000, 'system', '', '', 'case opened', 'case', '9', 1, '', '{"rule":"overflow refused"}', '', X'8ecf6f1af067f6eeae3cfa2497893b5ee13ca272b61a1a474fc2f06ed9f5c263a086736fc84be3a4939693888de1449cc7c82fb4faf59a2e424ed11a0a048399852ff9d50271798cead4be6295c37035', X'0460ac6b42a2ac2801f8f8eaa1794e9bacadfa37b2b8ca86d1b9be704bbd4e521f810f3e54defafa4a25ad3f96e83f48819e30db988261197343cb21f00c6af35383c472c171031e7cd1de43296fe62c93d6d85743f24de98d2fb00a0e7bf3ce1a068ac5bf476d9058b5a13582e1fb947ab315a515cebb3e992731025c8a3c53d0b92970467af9659b37a8ba635419156906bd4a09f7865926aaf6f8dae60a06', X'8f90e76571cf808db844e7b3a989fd3908e804ad155a998b7229be3fc1fdd49d', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (110, 1795433280000000, 'system', '', '', 'case opened', 'case', '10', 1, '', '{"rule":"correction of a difference that is gone"}', '', X'00821217187c083fd5b2b71903715c08df76fb3ac17e2dd959330ff7a516e867dc86660e7fe8eaef7895fe4480d720522dc98caf379582360a9adc7b8c9a48f27914e26323a9152a6c52d3d8f3d0a86d', X'53d5df57c63f26b7c3ca61046964c61fda9f47778d6c195f695d34ca9724f1db2ab2e0afcbff05aadd28eeed88bbd65bb60bb79d5f6c22a3382333e9382d9d174acf027f36b7f2073e240953211324157985c3ac4c2d3c9ae5f2b997f291bd0abf1a84cdd178cae4e46dd24e47885a8f2e3ecb398bdfaa50472afd130e833446e22e0d88c43f8da56d5415350d78ebd291b3738222d7ea6785130eb9faabf415', X'2debdb841ec1809733bfabfc171fa0a3bc0c438d3808892b0335293b370c7743', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (111, 1795433340000000, 'system', '', '', 'case opened', 'case', '11', 1, '', '{"rule":"difference from a statement"}', '', X'9e5bfbc01750ef5d1c6daf7f8e9e5b9443af3e92ddfd480d6d8f21bfdc2bdab31188878ca01d066aa372d5f546e6af2eae42303a403a9ca91d332c316a5678ba5272d347e36871aa041f2ba54d686d86', X'98cb8df3e421b3963707e24b041f5aff417780d7a0465b2571ef5a69278364fd6dd019bc5c2040d49646f8bc4c64d63a0e44d96b85ae4d8f916dd599f653c01a133b8e8508fd53306947052d4a5f6a4e8f4b15f37f86b07a7e54469564294758ee01509716ce271bb17ff1c428fe2c4e3908f23441efb30381fd564fce4357a411e6033bc0cd9c0abd3b3bb022dc5cdf748ec2d743c671b9732f7d37f85ceb2d', X'7afda872030d2f49c7c0db28e5d4f012d29cad89a5ff3d7ee1646b2a38910f50', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (112, 1795433400000000, 'system', '', '', 'case opened', 'case', '12', 1, '', '{"rule":"complaint"}', '', X'0a659ee564ac105b5e9d3021dc3eabf0fb707d37994b44fcbe5cab7744f8575467f84861fa14a31602038e9a7a281e9d15a8f0673ac0dbc6a9b22c5b4b88fc3e6339848ca114d905018e53264fa4bda9', X'1aa09ec0a9c12545040f8cc63f595b838889026fb7cbdf8208f11aff72a324cd07e13e8e5dcbba80eb05901f4df9513971c75c5cd53364b1a7952a5189c9d957f9fb6e17484bc210bbf61ab1c02b7a048fc123d98dffccb9dfa299bcccf78666ba530da93fa814834dc8d26ba593fcf2181d4374f635426bb869c3d737a7e22a596174903188a5715cfca01faf3ff1ab1a5eefec53d3abe235fdf1553263b6a0', X'4044e12c427c4e0a9f5c0153d27fb5e792d7a6eadf282d4729e548970324adf5', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (113, 1795433460000000, 'system', '', '', 'case opened', 'case', '13', 1, '', '{"rule":"rollback of an unknown transaction"}', '', X'018831720c96f092bffc33cb38d361e057a4d215201510246921faa0cab05af342e134877ff34d71a3d6bdd9588a7a49a955c807bec676c4b9b5ba970fece3ab4bd05d7111af6abb69f95ee5b590aece', X'7b9c4079ddaf13ea29532e5da503526493a27fe1935a91a04aac5701ec206b4fcee3ce5e6bdedd58dbe6b2de6601330c9c015b2fef0ac457537b8aacabdab654ca79db33ff3e360c06e70807120caed747a3d3854420493662950359691a8da36e5f7096a72991ff6d2cc3962d1ec30ddb31923245dfde9ef991028ca1752cd1155be349d3657d61c62aa6e9fa8238e25e475df8ce01e649168daa325e121238', X'03ef388c585c4e55c0fa0df943f12a5a78ca55b1f70e1b409af542a19153f4c2', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (114, 1795433520000000, 'system', '', '', 'case opened', 'case', '14', 1, '', '{"rule":"unconfirmed grant"}', '', X'27f7a29a0f308bf3614df78a23325daa0b15d1958b352b5dd7b0e32372943c2cbb2565a9f1878205aac2dc9e292e39de33a673220cfcfa2798de20c85057c3f78931d3e79d458b6a8794420cc518be04', X'85f08954c65aeb1676af68f01bc510443cbafc2cbb706be1574db0750df223d5593911032321bb2dfe7389bc943575d1ed283ad09e96f1baefcc6aba1ec771a11b0674ef64441bfae585e41e6f145bbe6122dc01a8599db0ad133fe521ed3bc50cdcc83d690176cb1dea1bd41f254d53a10a0ec899b80984cf1dbfc270cb5313d0bc59794b9e02e169180d16952c5c3916c0c02137cad884c53ed22ea29764b1', X'72095e47c17cd886b3c2c74173d0b880efd7428e4f21735770520a804177b080', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (115, 1795433580000000, 'system', '', '', 'case opened', 'case', '15', 1, '', '{"rule":"grant unknown to the platform"}', '', X'3ee7f1f0429ccd9b911016c58de70937d3e4b4743f898a05bb3b96a1756f511e927546eeccca8dd70e8b4c14753495e98f575277b0711fe83a9a5c13d5cf4e4ec0acffa913ee6d39fbce9f8a03465d30', X'eb16779eee42753617faa0b6e7b5f5ad09fb4210d8b7cc7761e21f90c9d2a00888ed868874e3b5b8dcdffe0c67ed636eb792cae0227fbb740e2258cafb45dc24c9a6745da4253a0e6e4a83093be81e9754137b15f72b2c7957a9944744c29616f667c59b0ba12015c919b10c405003ae8917de0291ba15f3a19079b7a797bf19603ac1d5b01b0ed20dc31effab6cab1b2bff011bad836565333fbcaf93563106', X'8b2d1aee5daf489e6ef03df57ab7238c4f68680786c161a8af86393fa70ef2d9', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (116, 1795433640000000, 'system', '', '', 'case opened', 'case', '16', 1, '', '{"rule":"free-spin count mismatch"}', '', X'850008e6d00beb4338604a5987e146749fa72a2691474de3b4f4df3fa68dc367bb359a2b17f6761a201f19342093e81f82c28631b5b7f2157aea109fe45518b6846335ed3449d3700ee77ae3c753c02e', X'241da537d976839320a148df830e48e9fd92b0b2c0350a3b90464534d6e207e8e9ecac26faf5d11b8f33e239349d3baf3309a52b9666ece017ba79732e02ea93424f8b91d7cf02d17798082af49e60ec1af25aab9c1f12fedf0e283889b2c7a18ecf2b55faee21875ae62bf25ddd5168c5d150afd8d1f5e4aa2f259f3d8ee51fcd85fea4fcf1dd3489adc9a4abb8e81472546339da626c3207bd0b497066fb1e', X'6f22f2f81e027889d3bf4de355a60a82999f0c03aa57f324953d7b242380bc56', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (117, 1795433700000000, 'system', '', '', 'case opened', 'case', '17', 1, '', '{"rule":"round rolled back in part"}', '', X'5ab8b514b06315127c075fa44e2e8843bce7a1f8d625e0560377fc140fbf81624b5f0a567c906be048eee16c0e01a5f490bcba9455fd392b83af2e8e0311c24dd1ad7c6c8bef7886e12ad104f4f2a462', X'e8ee9ad34f6ca2267719bbc8dd51bd6fb964aed1135c994e22770fec4b2387e7784f7f490e18edbca9c68b57ad0815564ae7bc145a5b0cfe5fd95fea456f27750dd30faf5769e9b704fb32fcd16acf0c119e401b65e1f6d28734d52adac3cc292b43293ce660fb2e58c2c5ef94753c8b4bed98bd72ca79b559780fa5fded59525114b31b4a53c9b49057977accae60e825e1d0a30a4eb4ed71cfb21855b47fb0', X'c1e63216fa5048763137ccd671d0adb55920efda79b715cc8ee77e8b1dc2c3a4', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (118, 1795433760000000, 'system', '', '', 'case opened', 'case', '18', 1, '', '{"rule":"threshold reached"}', '', X'52c9d716e7b40359a81ed85ac03894150ba94280314d8d9ae5a00f0ea4369f3bbe89cd92800f0baa3ed36c25a1076b9ce2bf4ff28291a7019149f36b8e8202eee82f51cab1cca41aeb928f0adda7a7e6', X'184ece6b12438471b2af2bbf3a30cbe687d61f5c57f48b882b15af6a2c1a6833301ff056e40f179c48dc371465c1b67d02b096e6dc0aaae8cab680f96cadf67711610bded46b8b10916da335dccb3ab73a43886c7d8a2eded5ed4d36af153b0d0ddc2429882b3d7999bcae1f19ee8f614448c41143a748ce25c92619bb8885e8eb5bf4256e893610c1d4b9b3c40682de6bb1311bb95c534bffb43ffde49f754a', X'99b129a14f0d3e0ebd290cb165728d13a4e6d8ab1047ff7be0690b36ff9975c3', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (119, 1795433820000000, 'system', '', '', 'case opened', 'case', '19', 1, '', '{"rule":"round open too long"}', '', X'8601e1eb2128f24a58704f88c11b10edbc90e0e3020e6345e452a1ba126954fa24af831a8474b2261c6f962a98c076e0742427a57668999fb31b06fc80834a0aa107c021579583dd3de618a7330c6c22', X'dea25e20b5de6644aa31a90c19c6a1b934ff25b55828ba8569bb488c686e42acca85667ad24a763bebf90c0d730de5cd71b46ae8ec4c8b7f3e407e655efcab731c6003c78d986eb5c7be7b69e3006c4b701b7f76e3cf21f8c4c55d8044917ac945687538b57c69ece23212f258e58258b905ca467daa8c0fc7b646c25eb813140c61b67ae84106d8b1f2de00fa8a42acdd7b5c8d62c8cb11f5f24fc5f69085d5', X'a125228a1be4c4791d17deba81e91907e5896aaff92d28f00ca08798654e0e91', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (120, 1795433880000000, 'sofia', '192.0.2.10', 'of sofia', 'case opened', 'case', '20', 1, '', '{"due":"2026-12-01","rule":"complaint"}', '', X'b834c57933a4ec01d67b3673133b2ab02fcef6c98d1c7cda67ca977b69965656148ae355e3f5ef7117d8ea370e28fba9d795bb5799e7429c31459c9b935f8b52094de0c0a1803831397498299b36da20', X'a2b0ac8e8c0fefcb8160bb81300839351a66c951e28859cc49fbca4fc6a93c881051961fe4bb691efc2ddd8c908f081867a5b322b88a64917f8c3364278d665fddfd0a39744e361115f4d6dfde07d16837a055813566ed700694df43b150f0335a5dff917706aea4c1e4cbb90790f37a7e49374825f4dae9db9079b0aa60bb411e10c0bb118c7063fdbacb1118d9c65b1c4abd56faae740fdc40e6aefa20688a', X'fffe07b91f8826c73a184fa224a881a10fdf58c944ca9b608ffc1b657771f445', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (121, 1795433880000000, 'sofia', '192.0.2.10', 'of sofia', 'case handed over', 'case', '20', 1, '', 'sofia', '', X'878947da218dcc926bf727185a2044061ccdace942eb4f4f92640cdbbdfecc76992781ac5e290a1664bf75fd6cf8d205530e07f8abcf3d79d2583242edf666510d4324c03bca40b761576f9f25e2fe37', X'93aa4893fa5779762b492d7c1c996ef7aac821ed9384f7cf1b24a829572e9b83399f45272b88afdd0b51af6fdafd0b5b31e06cf3a79f71050cc519de6ec526c3fd9cfa7e53934fb4ac986301b51e842f75bcfc73642f3654b9ce964bfc5baf9309bc9350bd2ce6c81b63c6561d20b82afe3adff45fff503812166b16e82c9149459c3e49552444817801132403e3092ab1124cc93e18e8f98b99f71c360b07f4', X'daed509e81606703c20beb2eb21e21e66a1aa72babe114ef2ca9db008e5786fb', 2, '', 1, 120);
INSERT INTO `audit_events` VALUES (122, 1795433940000000, 'farid', '192.0.2.10', 'of farid', 'statement uploaded', 'statement', '1', 0, '', '{"bytes":132,"client":0,"file":"platform.csv","sha256":"d0b59516b5d18fdaac7a4915bfbf2645e2accfa23106b069e6ec2e3332f9f403"}', '', X'cbcebe74916fab38916d28a57db7e2a2d36748d78858278522bb7eac37587e93d9bd0c5a2e7226c0186edbd43e7df8cf4e21eb1a60167e97fbdf82f123f85c7400000000000000000000000000000000', X'37e852e3c64748e67176675dfcc45b5d8defcb4ad0869b99fd6178c5f3c14dd0e0ecfbb166d92fac3f68f1141af05324d301be02b364e18c55e4e00c02087a423358e8b3df804c44d45c282d78046976348beb76876c1e171ec6340cd8fc705505e62ba79f03fe0e9df4587c45099e176b853597c716d13b932c86d87666d5a00000000000000000000000000000000000000000000000000000000000000000', X'459df46c7bbbd745c18682b4d64cd83aa5ed332600d00bafbbd62aaac78c2d5a', 2, '', 0, 0);
INSERT INTO `audit_events` VALUES (123, 1795433940000000, 'farid', '192.0.2.10', 'of farid', 'statement compared', 'statement', '1', 0, '', '{"file":"platform.csv","margin_minutes":5,"read_as":"Transaction ID from “transaction_id”, Kind from “type”, Amount from “amount”, State from “status”, Player from “user_id”, Currency from “currency”","run":1,"sha256":"d0b59516b5d18fdaac7a4915bfbf2645e2accfa23106b069e6ec2e3332f9f403","since":"2026-11-22T11:39:00Z","until":"2026-11-23T11:39:00Z","zone":"UTC"}', '', X'3a268441295fb08056a00bf890937f982e4a9639404a992df43d6c92d64293e176be9cba79e3b8f2bafbcd04fd1d05612efb8f30c12e07c73b1144b710a99fc000000000000000000000000000000000', X'3c6eb3ad8129e59a94e08fc72fa42f9d84cc91abbc8db97dbbbd33a710dcdf550894240176cee71ec452c916cf2d4b5cbf2829dccf56df7a882f6ca653e64115bf5c23ce9323f412d7245259f48cd0daedd8c0f3716a1f64685a0d5eebbeadf6bb98a11505878ea979b30d42cbe5cac04ba934deadc9cb1d7d1f131ddd2308ae0000000000000000000000000000000000000000000000000000000000000000', X'a8911c6376c82a9b99f5993d0bee8b5a50b27c6f87682656bb5218ae2c303f9b', 2, '', 0, 0);
INSERT INTO `audit_events` VALUES (124, 1795433940000000, 'system', '', '', 'case opened', 'case', '21', 2, '', '{"rule":"difference from a statement"}', '', X'913610e533fa4f661b45083473bf89a5ed89c09d1995513dba5533315b4b2742946a3a7476836970943d08c8764506a55952e5c1a36ec7dd3c81ec3194a7efd0e11b1e4c8fc5f7ac7908d21b957e977f', X'9c90160491c1d7c63bfceee85d37eb424f0401d39493938df698fabc7e7d5b5df67ab59ef0e8ba011c3a9573ae322fbf4c718ea9494d98259605a8fffc8ecf96c0176a07faf1fecacaebe883debacb165c829bae0a489f1ebf011428ba303f9f7c309b820c2a225fa43d651fc3825a97f15359a8386e8b610da1b6060714c42e9b19753ac9c07963fa2d977e15eb5968d040d9628fa4ece817dc5d81470f0587', X'28fa7f558db6fa1a2ae0216b6f5ca15b89c6033bbc256d59edeb25fb1bc2764a', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (125, 1795433940000000, 'system', '', '', 'case opened', 'case', '22', 1, '', '{"rule":"difference from a statement"}', '', X'2e781c6d94c57124fa32be642670910cad00976d3794720685f41692dea580275023af256b0189caa53beeb4d3ac0d1c065669874c878ed99a54adaa86679f0f706b1ebdf684a12cc781b8206309e561', X'4a0c1a8a8823bdcf5312cfc6184f040a992b6472f06fd05c3189045c006946a181824d3dcce1a876badb7fd5ac736a60564bd3de32423333a36f1a36ff8ca43eadb43b3c8b0a44873faf913ac3d3a50b9f3fe37ae8e9b8a8f8fd3bdd43285e33ed048dd212ce387ea08fa5f2a8473aac6223bd18597920bb0c29875b3fc5e0c48e64c841c5d7433a28ce075563852f57793f37f65b7cd057cf69f3867900b6d7', X'9037aa2e915b37809f87daee6097a7c873407a4edd57d9ad634d2a9d2a8eddd9', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (126, 1795433940000000, 'system', '', '', 'case opened', 'case', '23', 1, '', '{"rule":"difference from a statement"}', '', X'26dadac21de97368e267f3c4224f424226a724eb1e75894f59ed329e012bedf3ec89e6eaf07fbedadeffcdb24badf6b2efa7e65b5af92e21c3d86e185c0f4e9208ad8fd4537457c185cb3e436aaa76d5', X'e017d142e7435919acc725a808da2ef8543d70ebb5a66c67429c8f7308a863dcbc3fe4c267dc4c590f46bc53fee2548531de88a4b315dd747accabc60720a3a7371f69c8b838e2f9f43528c5f5932d58767f4875bfb7fea4fac11b2cc2b8a82bd936ee6695551705be2bd516f61d0eb134cd5c2695a8e77ed70aba7d6906fc7169a8f5a7c465863fd700954237b51aa8ed2bcc94c1d515a2ca213eaf30b76863', X'ffd31991ae7efb245799c311d6e9674fb77a22c31c80ccbe92bda504d839f6e6', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (127, 1795433940000000, 'system', '', '', 'case opened', 'case', '24', 2, '', '{"rule":"difference from a statement"}', '', X'307e3ba129662d2079b93c91dd06f26e7acf8a68f1b93e7b73d106b45c88558c7dff0335cc40f077990bd3bb52ae461037ffd6cd406b091c32819390520d301dfe39a556429494b31656786fe43862ea', X'bd30321b6e18932f25778eb16c4e26bdf86571764f0bcbc1851deabc9c3988e5de25d9af158c78b649f61217c271e9a1f4e348f82ca9223354e33df31c51927f9c2fc06f5cf39df6ee3d27eb7d88c3deeacb1810ab5e1010231863be2451e4ca72569eba1d39f460e8af93d151c943711dc47c6d3a61bea5cfbcb7abe1f6930a4299b727838f7a7e5966c7b6f0e802f0c80c536925ddb2afd6f80de54e8fea9d', X'98df5abccea7b2180c4805007d71ee4cb5e2db784800328c967ce8e35e9fa962', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (128, 1795433940000000, 'system', '', '', 'case opened', 'case', '25', 4, '', '{"rule":"difference from a statement"}', '', X'75c65882bb12a4b4d76264300ddcd579f1bf499c65899a7ae41fdb371fc78ccc1ea3cb0b37119ee463f324b64ee2b3476732506ec0f94022908f46cfcb2baddce2e8ee98f926dc05960cc6fe05c6331c', X'c711c1490732f0765f2c2013a702731e9daa262f94a826209b564225cec244d0b83563675e4b9edd7a066b108f2d486f9288a89fb1a7fa502cdbffbea8d13bbe8e1d26e293bbd1dc27f722fbe2c8fb55102f7a95ff32bbd267dc81d6716a89975b14a011c6b1dea4530333cd4020c46c805b56755e81d520551b7e9b586c595d6e62ecf9e9b137fcea74e43cc747ff7ef9fd6223ad6869f51b1d4a453d667fe2', X'7b7cc609a9fe9efba90195f68a122003c46ddd9f04f1e39547a028a0c85b378f', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (129, 1795433940000000, 'system', '', '', 'case opened', 'case', '26', 4, '', '{"rule":"difference from a statement"}', '', X'f2f7d5b82e2d3b0a23ec7dbf0cee97d7e61472f830dddafc75e592f132cb2b1cc0decebb32cab2ec2f73b779863deaa61b39ee947b1d5c701c12693a110ed51eb0e5a17ba698791feb3988a4141963c5', X'19b626a44a72bd4f5b909e8d38ad8faea021d8ffe66aeab35e6772a710f9557b04c9480e6e2b3d09be4c798c1c91e36aa0399fc9952d058da600e371afb26ac5cb1e0995b0c5d56e2ee1013f0e93a7c8b1ec0fe77bb38f026a8c131e0d0f817dd0fc8c477851beb275376251575cfbbe1a86c28a8660fbc09e3ab221340a066195cf6dac039591b0b69464704f4fb792a58e26c7db90e78c9098330b0aff729d', X'6d880c6831de7cc471f4caf5e76ca1cc79b6fbb670d3428f57284c333213c95c', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (130, 1795433940000000, 'system', '', '', 'case opened', 'case', '27', 5, '', '{"rule":"difference from a statement"}', '', X'fefd9c1cf187aef9aafefadf6d527f98a84323ff39f73c9778293e9c2efd241f4444c7db21aea183972ab079a0da4d5f9bfce19c78f95cb60096a07709af9722627671c0c38babff6660bf810c515209', X'f3b34d398254747e379475ad09b7bb472c80eee963fd647aae2928b00534741905465f31c064992673c6703ed049fd3a27c5809adbcb8b811668cca5f5501f1c6ecd6ac61a9c93aadfa9b0027e0708436ff9c623e2de166e607b4cb28d6690349f4c13f6025cee6cd712653212bf9eafadb30881a7eb979c088e79059cf7d4f30937f2dc37cd3e0269528bd49abb61c51a23d263262316762201c58d760a27da', X'589417e562ea97808e8148210165216ec5fceeeca76395de473ae7f5ac4a09b7', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (131, 1795433940000000, 'system', '', '', 'case opened', 'case', '28', 1, '', '{"rule":"difference from a statement"}', '', X'95461a4c70f26bb1958c1c69feae31a071e8fa1b61feeedd84073c27fa8e6c217d2da4ad97e9d7bf7de9560e5735e8002ea0fad06ba825132b8aa76a3baec75bac4727afc283964c64adc7672f5afec4', X'53f2fa3c30c286ceff2df70e1609a4eb1f64575274a935378ffcffd679e9bd56ba91cf92c34e2431df86921ae3d8af0bc4449444ae9a11165d1d3190fe19632cff290bc8d8e08d905f1ed4b0205a78e0efa853da26bf67ff9fb52f82d1844d7e1f40bf5ed4c7d0c03e698c84e58d59027d60430aa319fc5c21866d1c8dc523665aae8fa5afde4462ab1561efbb5635697f47b6a98028371cbc90c5bd3e4269bd', X'4fa88ec51d967384052b468233c5f6325587979600c8cb4cbf1a1daf9df842b2', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (132, 1795433940000000, 'system', '', '', 'case opened', 'case', '29', 2, '', '{"rule":"difference from a statement"}', '', X'f58ee1abb879e217f52e7050a2e0d36276580de71f813594c7dbc0100b01cdd9871f88cf9c642d3cb80dcfb678311d3dc04ff7f60bee984b20326ae36831450a9c88e8af236cbf449b8ae14cb5d54ebb', X'a749452314f55d94656cc8832d9cdc085996b9184c3155a8960988328b4486d1f1046148dfc4c6fd7b1a20d3ca4cd70917e0f2bf2ecef776a7a6736667bce1f2ffe47595c1cb820ebd84c77991c1be312790549644c7da3d5f397d6d462c916236067d9eac8511675fe0adc3bec8198fcfe7743cd35719848f6ce2b4bb44cb521690c6c33aa6e8783e7ce1e3346c780d8f10e143b8d80cd7cd7e87737a6bd54d', X'a49ca603dceeeae7f104f3c0453cc253c793587446ccd296e9c5f0898f30bd4b', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (133, 1795433940000000, 'system', '', '', 'case opened', 'case', '30', 1, '', '{"rule":"difference from a statement"}', '', X'af9e93efc4a8e4f64fc6d74b73b48600235dcbf7c0045b2fce17026d71d7db355b53334ed9504fada1560fd403c0bcdb57c1ffceb2cf6d7c58dc89bb5341caef0f53699c8a41349cbe95f48ae2772e40', X'6c04a5d28b811c8c6d6ae07c41939cbc616b4854ce0ed9ba0724f28e8f564d344e88a497a74146b52d06b2996254cb8e5f9be7a9f4ec91f4748a4b52f521c677b8554a4a80a5b2298da5889b81ec8cb6aceda5c217e2519e64b068939c87c35f7bc6746c10c5be495effe369c7a60ecfad01069c7d2fb914a62dbb6c5206fc4bfeac22f9cbff1e7bb3ad102e6a9de97cf7e9857459e8808ba181f531f602b46f', X'bc7b3954cef80de7b192c5b457c54f5e91ef9faf6028436eb3ac38a902097e53', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (134, 1795433940000000, 'system', '', '', 'case opened', 'case', '31', 1, '', '{"rule":"difference from a statement"}', '', X'de23618326bec8f5751bb0dcf64abf2abd9eab36e6c88dbf48575427d220e5abf86eca882134e0b6a70585c3dc832b42cc883fd7ba58dc18560ba7e6126e161f58c4a2db4702cfa9d53d6f497721d830', X'8d168aa428b78981f8c8d69cfdc574cd1477588f04e4676b6eaeb30d70d6b91b8ca50563c81439ba4fb840a51e6da16238db09b0e54ad3763ff07111fe90e05f4a7f378b89b01b392012fb5b4963e416572d16aac19d4d153aef33b756417749ebf5a22bd0cbca6fc63bca11a937ed85227d151bfe6a894dbabfc92dc76c9fd9d329a171aa38dc0c40f2cbe76f849bfd0fec0cac5445b66b4d1fb1bbde786d1c', X'85c94d5f671e54cc900ab7fbf9ee2b2498c8c881efd7fa78a5251ea765d96716', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (135, 1795433940000000, 'system', '', '', 'case opened', 'case', '32', 2, '', '{"rule":"difference from a statement"}', '', X'd8af6f89cf663ee72134473339a94870cc4a2dbb49c3a2a6ccbb47508744829eec7916739d4d2bdf1e2ab4ea0c2bd8c3557c031cb14c8d17679d0ea39597907b2d6bf51524f5f51c7cbfab22bef23ef4', X'1439bf78d92a932deca28530482ab8c1e2541c02ba58ce4f3e95a1b34b15fe04d5d1ff3a3b4a74e5ad5253bebcb32241ee02f7f86c2d542905c55377144208f06c54758d5e8fbae0d40317ebdc7495ef632202b268ef2b626196165c674c388e8f234ad124b31354da322c8d890e51712c5d1c719f9c10bde11c587ca67ee5f28b9f30e63fec164a2916b28d8bbab7ac8dc39bb053267d381c00deeefe210e29', X'9111404f7cf1d5e22e2cbf6719c385f6011a41240ed70cb9d26992322c64cbec', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (136, 1795433940000000, 'system', '', '', 'case opened', 'case', '33', 1, '', '{"rule":"difference from a statement"}', '', X'9a550d423f08b046b1403e26f1b1fcdac048918b5ab7b75658ff8d2a4e1eac74299b6b237bc8a9b14f5a918bb56e72be78994092ffc060121dadeb6a5f0330e8c3299c3541f669082498b070f93e222b', X'b990ef10da8a6c67d6039d8a8db77dcde90826d489fdafea4c1213d316ae8faf6a6435273c06731ec89ec3b3516a0127044ba042cea7364d9196d24bdb63f57e8bec5121df09015c60f99c02912fb18b2bd9a7e5c5ce9459a34bca0ce932184876352ee8a084fca2feb0de0e670a0dd913d5e02a58aee0f98dec1b03ee461c141aa7c5db4f1a0b9c194661ad6fe2378052c0216ff856a8f922872c1d89ca7641', X'183507d85e5b8bdd304f9833a18ce69d4d41f7b32a0fd4e4f838fbb99648228d', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (137, 1795433940000000, 'system', '', '', 'statement comparison finished', 'statement', '1', 0, '', '{"bad_lines":0,"differences":13,"lines":3,"run":1}', '', X'af194e8da1797c11563adbbd1ae8391826a36c31bfa7b0e7cf1a4419a01767f82a3aff8b94931d865bcb3d89237ffcc5149d51e6861eda993db7287556dcc9ef00000000000000000000000000000000', X'af635e3a5149563e3b7a0f5a213d0fe090ba2e27d35f8b271cb4878f844375b14f59a9047cd8d49a21dd25f64b4b64135fd667cefa81d09f4600bdf0019c6bcccdec177c0be3b95e19bb0a1aa47f307f146cd5116f1677d1b7ee1d8e5ccae22a7de2899b9fde0fd9fa4f0ba9fcf34eecdf3c5c2fc153aa07f1e3c71188762ad50000000000000000000000000000000000000000000000000000000000000000', X'bc9fafce863881088a0b30d49ffc9c030f3ddfe8b1e4b21c5f92c3650c644620', 1, '', 0, 0);
INSERT INTO `audit_events` VALUES (138, 1795434000000000, 'ada', '192.0.2.10', 'of ada', 'staff created', 'staff', '8', 0, '', '{"email":"","identity":"","name":"nora","role":"finance","username":"nora"}', '', X'6ceac13108fabc6a6859f5cfc2829dce3b5d2f11f3d4d0195595b6fa715193d54a11c81fc2a94226be20a1f8e263210b47b938af6338016af7b58e408999ab15246322fa04db46ce2d00ac2ab66937fd', X'e60cd7dc735efb9922d89fe01e6d28fbbd025bab639074ee52dc8c295cf739138ab5b140f4690c83fee8bc64b8b942044a95f7c0ca90a0706d4d1717184842e3a23cf9d1bf0d0151159e37682d626c494dbdfa725f865d1a498ca67ee5e58faf4b5e1520c9e940807a44574706e44553f5d8da62daecaf6fff9db92af1e2eda42d30abc34f881ba68a4797afdb478341e7478138ddc494e662d8d9a9eed06ddc', X'c9a7e7aa3943777e74ad0a715a29e15d94f64f1ba97b254c9c17a676422e6199', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (139, 1795434060000000, 'ada', '192.0.2.10', 'of ada', 'staff password link made', 'staff', '8', 0, '', '{"delivery":"shown","expires":"2026-11-23T12:41:00Z"}', '', X'549e12605d699acc6a4e841b82a8b8c75fea6aae032a0a91ef9eaffb3cbfe4649096e4db9f8bd9fd99e1f05d5d4eab84f3d0736cbc695ed94c16b2bf636d3d35288f0fc9001d172c4d2ed6b4b6d5c876', X'49aa8cef2a98f9ba5556e55fe7396eda09c7fbc3213330f634a026dbd8e3bea227eb946c9d4a29e3cddd96c7a823ebccb1543c3cafd131700793305a1e6fcd3cec4236e0f5fb7400efac7d680820f16f3f7b71af627484b9a791d1b8bb729e2772f0f061ee3a946765cf4625cc035c1924dade7701987ef7e155f901e3672ba2613012abf679d540cbec3c5ec399a2c0762d18c650f02c843b0f73b6b43c8f02', X'101f1f15596a6f2eedbcaaf28e6bb29ada7e1ff6bc2e939355a48832e9892e06', 2, '', 1, 138);
INSERT INTO `audit_events` VALUES (140, 1795434120000000, 'ada', '192.0.2.10', 'of ada', 'staff created', 'staff', '9', 0, '', '{"email":"","identity":"","name":"otto","role":"compliance","username":"otto"}', '', X'2612474afeba6300f70b9aecd900e575a48ea60ca071d382aa29679e8739b4e86bc69022fbcd2b4b0820425c0cca86d7e896c30b0127c1a831cb3466d1d90098442519734882aa941bd026fbc842f6eb', X'cbe07e0821cd1cc609b60efd86b8f7829757867d166e070d5e29dc8170491b5ff7801c9166e11859cc2af8d983fcd18f1056ef9673edb4a9c3de2597ddaa63ae4078bccfcc0cedfa766c4a1920b701118c80608cb1a54d453b226127f9a8420903e8e9b773afb8a93393ae5cd908a0e378d0fed0e08860fb14e52b9c113d9d5b6e4c895449706678e8acc6020667dc5dd35f55c7c4a561c35fe09da786be2620', X'dece151e665d2a9e33b581e9d92d402cd1f8939e12732e84a1f867f5e304f40b', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (141, 1795434180000000, 'ada', '192.0.2.10', 'of ada', 'staff password changed', 'staff', '9', 0, '', '', '', X'b5ca7a89832aa528164e2125e2aac9e63def482fc7040bbaa39ac81624fb0189a00c83289fe3c8bcff325472d5a1dabad6d0b0a631130f1dc86078921cb3d95066f13b7b81f1d276660157c06faa7b54', X'5a4b6635cffa380302c763094a102d1c39832932e1424ec7db410103cc72292d125a5b59cc7bafa5cd914f4821f96fcaacbc8e1dca2762e2093a5bf000546f2ac4648e34cc4ba486e40b98717ec1625ee4b7a849691107ac2340a1fc6b7358f91894ecb4f1534c6c27229a6bcfc5baff019582aed2bf586ee10b9ec940d1331feff140a753827bd4dd0a990a45dc01f5cb91ea31442a3c62ce3a5e5977337e71', X'dd7d959b20aa8363084477f446ed3aafc1f095dd1e6b0ad22e9e5927d4e6be93', 2, '', 1, 140);
INSERT INTO `audit_events` VALUES (142, 1795434240000000, 'ada', '192.0.2.10', 'of ada', 'staff password changed', 'staff', '9', 0, '', '', '', X'0e8b7ab65c1532d1af3940e42400c5301684a2d5b047f16a900e0a4ab290e47fb6280e990e91ec5dbcbc50c4ba080f69151a4b790e2b412fd2959df84ea6ec976e81006a0577478e51c79b0609b2cd74', X'173579ca408e04e9f68ecad4399b03175a9a32eb53aa9bad8c0ef48f353c3ee8dfd6727b2138b1e0d9c397c6dfad2f7973ebab7165d86e478ccc3e2f10b6ffe446f5d7c03a86cd643f8eabf1dd37a108b8dfebc48cf22014c841e606514e378ec1302e30fc5a166569a1f36b420cc71af0e87fdace31698cb443f01c301f5a06bc125e5a73c0c34a36a51e82485a2a2a2a64a727e5a1dc4f2bd978ee45ccd297', X'3d4e628f12b826312c291c874465aacbb0bd4ffcd7b5e230d272a7ae7c149cca', 2, '', 1, 141);
INSERT INTO `audit_events` VALUES (143, 1795434300000000, 'ada', '192.0.2.10', 'of ada', 'staff second factor set up', 'staff', '9', 0, '', '', '', X'cb1fcb7bbc5887ab3c8e259529cc7a22b0e89866f940514af3849a3d276846beb57c4a7240c225aba44740e2cdbcaa63532576cbe726bfe78ac504c1dad3942c20b59ccc243358cf3f4517358632f2b1', X'fb50d1205db7173172f374ef0534aa418045e1c57bbd54600cbde07fd307e5fab76e2f009f0aa5d4e35752f781c5a0f017b35814653b6596ea761258070af5f250c96b0d01624f9be3d2d7ea917157dfc4f474c3334a12c32de88da6aaa630f0fb3e6e6d1b93365453755345a60ac8bfe7fd5ba9a307b0bd36abb08376f4a50a6e3c5a17d577ac4e4113a0a3e112f3e354ffb17e8c88118d1a208aa2fdffdf18', X'22cad86aba7bc7a0dfa4dba32904308fb5c6b799bc563af148d026d42ffbf5f9', 2, '', 1, 142);
INSERT INTO `audit_events` VALUES (144, 1795434360000000, 'ada', '192.0.2.10', 'of ada', 'staff passkey added', 'staff', '9', 0, '', 'key', '', X'463090166d12067312f414135a13d4ac56aafc63873d0b36c037de4ed27e22a56e7d1971b5f737028fd004fb4c7efbbbd2743d99312d1252a9163dbfebccc0a44c9e724ed97a22ea949d05131b39995c', X'93ca7408157c14820c278521ca01f509c84468c1ad77006129f1ee9cea1ddefe534e89bb3b150aac0a7253722608f10467f586ede4705ae2d0c4088f10666b3d9a999de4ac018d92572abd2fae87b0c5d03deb19e8bcd63f1d77c210ebe82e36bc44748fe88b5f3c3e8a48892102c5c376fea7e2c826934555c9aa5e8fb1e0d39280b894ca159cb5f0c21c6091e8a8d06787e4091a8d48e2fc51a6b0c453db45', X'5670cfc1970ba8df30c2d8908e9bf3e54a2ef7622e9695e44ec56d22a9557ba9', 2, '', 1, 143);
INSERT INTO `audit_events` VALUES (145, 1795434420000000, 'ada', '192.0.2.10', 'of ada', 'staff created', 'staff', '10', 0, '', '{"email":"","identity":"","name":"olaf","role":"support","username":"olaf"}', '', X'f3cb1b75bae5ce18d1ff72146c52aa872974c7fe10b3a8efbb11564a5a481345df4352be3e3e01974a0012e4bf69c223fbaeb64da57130a955516c12fd2f24a71d87557136567e263eff3fca791e577d', X'f5acc75a8e638c644cd58c632614557a2b6f460691e8397e2d09ad3bcb03ee4ad437538cd92b75587ee48a9f210e7557210a9677cdee84731710060101046069ff834151b2728346d2edbe06fe7b224f9b4dfd3bf65cfed72b94223f2c45f9cdddb582cbf01d848c26d203ed7cdf3a0311db88e8918f8da0521f9de285a64cb22274e87685178caecfda5b99327c95e1f259500442d1d6c9290d943e0391c91e', X'5798625d94395100f713476a92742fccf4ab857f72f5d1569a2277a4920fe839', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (146, 1795434480000000, 'ada', '192.0.2.10', 'of ada', 'staff disabled', 'staff', '10', 0, '', '', 'Left.', X'cdede4919405766c12f96aa81c972429d134597e7064925c5a5960412ada45b584f0851470f0bd759a17bc4749dec639ab2f072b084a5e8b01137e8ae6f8d133ab759a7b47de51b49fd7922d74819084', X'80fda2c0990358d74dbadb98100067029c454e14ea0282e946d99f809d4eb1e98dcdb2907d688daca8dd99644b3f7238accf139dd3e35943fe635dddc637732c7da7189dd7c357fcdb18e1fc2912c9c0b7829a6561a3f8d1ea9da34d07ae1373c748f484c8f0434b5e2f75ae124633a0b04fafaa20040da0209f45e0794ef89d78a93713459c9171504f0544f52786c4e0fcdf8d6f4994c4f40ae558ed9d2b4b', X'4ca2b986a15e0f1bf8a9ac1bc0e982337efe56d4c3d55319ddd191d6a76d4e1e', 2, '', 1, 145);
INSERT INTO `audit_events` VALUES (147, 1795434540000000, 'system', '', '', 'staff created', 'staff', '11', 0, '', '{"email":"","identity":"","name":"admin-one","role":"admin","username":"admin-one"}', '', X'c874d8d34b1c940528695e4432621a52b4f12a8dad7102d09dde116e535199838f18e2545e264c5ee99431bae0291b0d655913615b9a0234b8823f0dd7cdfc83353355b20001bdaa45ba5aefc373b7fe', X'9f39c5c0b61ceb3f2121dbf4edffbc1206952933bf5b7cdaa9f00e6afbf8bbeb5f86ae47f716a0a065a8f216f0073d2f1be6532cb873313fbf9bbcfa8cb358fb453c54d0a34c3a2b3bea3d7731cdfa0851b873fac34db6814044444287bd48f815b74a1b6792721371d17f8c4b156bd5aaebac010438661970ab35a9e62a0977edbf022d0f65d057f5f9b70e76d6909c7bb63aa17634145458ac8ad34cf1fbd7', X'84ba035d81f90e8d92b037140fed1305843d61a35bc71ed0cd9f0e18d55a210d', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (148, 1795434540000000, 'system', '', '', 'staff created', 'staff', '12', 0, '', '{"email":"","identity":"","name":"admin-two","role":"admin","username":"admin-two"}', '', X'f62fcc772aaf82a43bab3196909471e4f489e36cafc3139422b87689684b3b1e75f1aa7c9f0023683e4cd7488c0387e3536079a3b7e41fb44e4ba64c5f59ca424b9f8f19d123b748ff76de1a3662497b', X'3bb91820e974e553ed064d5d5ed4bad9b1e40ad2f4384268ad9f261af4bac4b78e56ae32ee5ee148606bdd3062e3102278eee910c4498102a8dc28dc2e983cd60f03aef1d7d11ff3bd92d2c2a3e21f9a41bcb65711cef9d18ebc8fbfabb419b809928cfabad20283926ae50cf2ae4d5bcb9c74a461fe94df25cd177f700932f495e8e786f1e775ae2d69f793891eced4ae905206aab9598b8e93398c5ddf3687', X'89c7e496877db1045fa2fccf1184e8d1a4d2fec341dd02978304d273d217979e', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (149, 1795434540000000, 'admin-two', '', 's-admin-two', 'staff confirmed', 'staff', '9', 0, '', '', 'ada created the account.', X'c5843da54a9e483151821e8cc97524223a2179d455884e5deb19bb2282afdc5f393c4348e7843a352720654a555c3c221fea56c508d27e83c03a089979fb3187b7b9bb3146ff667c29be39fd9b8c1b6e', X'b8dfc39f8affc3dc241a74093d6bf2ebee855b0ed555b603122f6130a18606059c3743662e0109024cf26a297de15f3f9af7a0114c2572814f1f1ad53f5ef5fb12010df186a344656c280aa947c2ea6569f5480094e6d5bdd6405b4549ad351df9304758c45593ce1a1a03cbd091fafbd4f34b43906cd61714fe0f48ee1b4f3c0854a32cc0ab81fdae8c76da1a9d8d3c3b5e290d9486db0cb29cef71466e3ed3', X'73b61dddc5fa71707f522d1b910b7cc8365ddeb022598664c36e5988013d0d63', 2, '', 1, 144);
INSERT INTO `audit_events` VALUES (150, 1795434720000000, 'sofia', '192.0.2.10', 'of sofia', 'staff signed in', 'staff', '4', 0, '', '', '', X'e827fd019330a6e745d213396a364b2ae4a6b72cfe75a8ccf2d269310daeac96b17fc4b4b21ad1ab4dd4e84218aa0f9c86546480914c9d972e86cee96526a073443d83e38eb465ffa6b6e883657a7c9c', X'60fa852bef95b76348bad71c4ff5953c48790f638d8d27989f1be23fb129c3c521113796a28d443060a1328315a3dc536549d1039e057a139330f20a1d8a3d6e37b47ab4f1489fd40c288097a4b7d474a154b2e9f0909bc08e9e24db1a13683d7903f6c0702ee4e726769e279c540a0196a731e040cc3d6f50ba16b80c1f082781875b565607f33fa4e73ac045eea248c7648ff9d5b976e4f24a231d42d7abb4', X'913177064eb782cd3bf07a532ba0a91862485d32759e9e2c7df5aafa9e13c8a5', 2, '', 1, 5);
INSERT INTO `audit_events` VALUES (151, 1795500180000000, 'farid', '192.0.2.10', 'of farid', 'figures requested', 'change', '7', 0, '{"value":"EUR"}', '{"requested_by":"farid","subject":"exchange rates","value":{"base":"EUR","rates":[{"day":"2026-11-23","currency":"TRY","rate":"0.0203"}]}}', 'Agreed in the meeting.', X'c489f6ad039ce43c67c5de114254aebf697b1a900f3d53bdfa31bd44b0ca69819ce68d0e8509f944a22b65ba97ee2f28a80176fbcb1573bb170000a4e070a42bd279493da3037b2517a4dda6688a4a92', X'aae44e708960d1543e05afcc694ddd230bc4e57394086d71278aee4f562eca0a79c2d35a80b349d117969a354c6216fa91077dece1fb7cd179595471000e95a17569c93d4cdb058c5b58bfa20f33b8e3cc8e2765b241b816d0f4a6caea87bd0ac44bdb32d92a9774914fd8be2eaa2b113851c8b661183721d529a80e707b1ace41ada7ef7e7df9ff4eb74bea2f7abc8cf45cd5b620c8480f5375565b08287263', X'1f703f86d9db8250a1da7c8571cec70ecde07a3ee8362d08fcdd1a5549b91b88', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (152, 1795500240000000, 'chloe', '192.0.2.10', 'of chloe', 'figures approved', 'change', '7', 0, '{"value":"EUR"}', '{"requested_by":"farid","subject":"exchange rates","value":{"base":"EUR","rates":[{"day":"2026-11-23","currency":"TRY","rate":"0.0203"}]}}', 'Requested by farid: Agreed in the meeting.', X'e5156d46794119ac9d48307b5a7b9d3da2195a96d6944de648b268c8becb00bdd180890d0bfca5d39a6006441e452842bcfaa21e33c919d413910c57c56af1dbc140483c5dd731d7d05b49cfaa901456', X'94e3cfc94c63398a84398ac4149d48228a13b331a8989405d825b6e0286c4f533b0c6111f0cb6cb4eaff5d0a872252b48d7d842239a235d53135e8846a0277764d6c6ccae8e5526501c5e47f0cb07d8bab4cbb0f6bbb6add4b30f39d587dccf864d66ec86d510907bd642daa54cd60f722859c2fbef3ed91d8168299bcce5b3b2ab1c90541692d4a1f825cd0f26f515b5cd1a2820076e71e488c4641f77cdace', X'989b34579a7dfb10973278d56e9d65837210430eee3dbeb722f6bf4464bd3790', 2, '', 1, 151);
INSERT INTO `audit_events` VALUES (153, 1795500300000000, 'mira', '192.0.2.10', 'of mira', 'day closed', 'day', '2026-11-23', 0, '', '{"digest":"88574f7445c30aab21c3a817dc93b2a5b4623789c6fbcd86d6acf98daffee96c","from":"2026-11-23T00:00:00Z","signed":"2026-11-23","until":"2026-11-24T00:00:00Z","zone":"UTC"}', '', X'f081a217d9cc6505b64233bfe1663ff694743be143c556c096329dc36bf6150957df5c73c83e523d49f4b7a1238ce7c9bcfbb7bb168480fb5e1cd29867fd984500000000000000000000000000000000', X'896a2f586b8fe8c6d59be6cf68f4f3ebd165bedf3e00de1db90916e1dc0d281871776e96b5a4338159b7cbdbbd501a11be0c453670f548edbafd7602a7630316855794681a581da2af8d2f11fb157c35e4868bee3c4373cf3ad39dc00fa7bb15e01bb3855cff06ed1ce4c89facb69aa9c36806bbe3d7c462000b4738adcd54c40000000000000000000000000000000000000000000000000000000000000000', X'90368c83d3d137d32817d4b60ae3814cbbffc55cef2398d186c6ea35fa704c2f', 2, '', 0, 0);
INSERT INTO `audit_events` VALUES (154, 1795500300000000, 'mira', '192.0.2.10', 'of mira', 'day signed', 'day', '2026-11-23', 0, '', '{"checkpoint":0,"digest":"88574f7445c30aab21c3a817dc93b2a5b4623789c6fbcd86d6acf98daffee96c","faults":0,"open_cases":30,"role":"finance","statements":[{"statement":1,"run":1,"differences":13,"not_compared":0,"whole":false}],"unknown_grants":1,"verification":0}', 'Compared with the platform’s figures.', X'75aca5174f5d9774859741e1f5881f3cc5907c53dea9a0154a88a90218d1e05b3273bf0cedff529781fd73180c7ba53d34434509b68823441565dc17abd277896481cf77bbbf77cb875635045b28351b', X'ed4ac82334f1767587488b19c8907c8e9bf3f9d56f2c9729a8eaf7f40630a9b4fad44cb858b5b14d33b735259c7864fc9a53531f1f131254b620e84912b6cfb35f5f651b63fc557d4fe514992925092340d5b4c6c9eca302d745b9e76c6dceabc8f7d4afcf199e6f8d15929f5f827fe47088543eb6070f151c0da7d3b98bc270e1ec3e0335417de6d8ac51170f64ba5c562603779b80e404abf489f90e14b57d', X'44249c77caf1c82cc353af0296a6812d3432d148427f56b8497cac64966e7705', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (155, 1795500360000000, 'chloe', '192.0.2.10', 'of chloe', 'day signed', 'day', '2026-11-23', 0, '', '{"checkpoint":0,"digest":"88574f7445c30aab21c3a817dc93b2a5b4623789c6fbcd86d6acf98daffee96c","faults":0,"open_cases":30,"role":"compliance","statements":[{"statement":1,"run":1,"differences":13,"not_compared":0,"whole":false}],"unknown_grants":1,"verification":0}', 'Compared with the platform’s figures.', X'cfcbd3190b579dc1061905c4731fe365a8e8f8746738e0fa01ce75641d73eedae9cd1b10bd3ae2fc435c7823aebf8a7c876e50bd2530cf92f68bf7fcac04defad71502818eb99d37bef2530fc31e39c6', X'0a79ed98a06e7b7593f907c5b1915d2b8a10da7dcb65a3aa351095eb4b830d27fd47d3759f353db8ff63ed259d5ac201457dcc4b4430253902666c7aeb58e85dc5423c2b443df55f613af13fc7caeb21ebdc798b9961a5d034f7e0484f293fd135aaa350a7c3b31b4700ae6e98a0626054d8f9f89f0c9294ce43739039d4f090307ca7aa258b682876368405d02839d3749085efb853604653caa11ed8edb77f', X'aa0b8c5d99e38e735c79a239bb8bbf7475fbf16c66099f5651e97307d1759101', 2, '', 1, 154);
INSERT INTO `audit_events` VALUES (156, 1795586460000000, 'system', '', '', 'case opened', 'case', '34', 1, '', '{"rule":"rollback of an unknown transaction"}', '', X'6f69ea80a18c46afbbcdba87674e8f51342eab2da6740deec16f04de655dd358697a27992bfc786f73afc7a050880225647035bc62b796adadb13b3fbd60adfb49a138d74671affdd78a77a029ce9a86', X'ae91fb8f78c880ffa7d99584a355511bab1ba902618321b313bd6c0383a89056e02d5ab284bce8a9b6ae1adcc7a4b5c63822aff7a200045dbc1fb79033d85199d7ec5c34ce2be30d3a3316d2697dbcbee2240dc08ffc4e7e9fa62058569765a6e4d6b829dfccb68a650a7bf08098527598e1300db02e52cfaf00d194363de2fa07fc4781ec7511245c4a5f88367c7e124ef011f89ad88e51c0505694a8be6aec', X'd5f587e91fe4de21858d707f032299feaa57ad17e91881ca4735c8a5194611cc', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (157, 1795586460000000, 'system', '', '', 'case opened', 'case', '35', 1, '', '{"rule":"transaction ID reused with different details"}', '', X'f1c4d2f9de38b9b40df0e094464bca3bc11bf8e0e14e7b44fbc1c6c0925a489907f8626194e1c9953a5695fc06d99ee49b9adff601b722d2ea57ccca5e9a49aa499acb8f93447f4f2faac6db519630c5', X'a3eab522ed4a72c91ee22aa13b0e9587a4a4249e6b56fb4eeca34618d9fca067e22e4e2d7bba2366b711305b2bcdd7944fbbf648d66ce9fb00aa56cb0673bd540be1264598745cd402abc1a76059390b87ac01edfd49ae6e8ed1b67d636c12ca8b4f15c33515912d20f81c19a24666c5a61539c5232770baea6427b704fb03478c8dcfc5f4ec1671d566f1512b50bee3c767619689b0b294863b9e25601f1904', X'b440abea08d0a92c1641729d8305c7e42d51f8ca91b866d05ecfc366d9c6b062', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (158, 1795586460000000, 'system', '', '', 'case opened', 'case', '36', 1, '', '{"rule":"win without a bet"}', '', X'c3a4e70122efb43af4ccbb6cbcd02efcf521e27e43f9dedd2d010f088ff2ad887e46d95955279c901b4f6a3ebc285e2fb12efd6d8a06a117faecadd9a5c727c4a693268b5468b22c79f6ed02f25df9f9', X'e35e36a4e9f00beaf0dc92eb89f6f8600aa14e04aa886ce224d553d0283427e6dcb1b2b588238da4de2c5cad65571e83ef744d8c5d85d913afff23a1643187e7ed37f9342cd33f7174099cfa59669cc8f4b0ad14faaaccbf3aad8bf8f243c2ec1e2bdf478e5d4ab6578d075bd263b2d1c92dceddc8be44864c956e9cffd74b8fb0586cf179e5afef543773f31780997a763c93e1de0bce7c8335d5bb475c07a6', X'6b4615a47ec9cc9316e65f1ea1d7020a4bf6330f253e4efc5648cc369703f298', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (159, 1795586460000000, 'system', '', '', 'case opened', 'case', '37', 1, '', '{"rule":"win without a bet"}', '', X'88b640030d97864ea7ced27ccdf1d5965b571457e5f76a4b4f2b505770f8f63660271d2d691c23a0d22186fa727d561d68cb61e565854377b6cae64dd0a8aa50d332a5e799fc46ee16d1a953c6c01a23', X'd53bfcfe52f192bfc657bc8567dc92e2734b3aa355375efde8d92e8fb0ed448e950443053886e6b2605c33e6807234e1a8d0e4863b4ece3d43c47ed02449b4cc3e32a8f2da5931cb9ed242f76549deacaa6dceba2c79d96cb1813adcc51824069a92a0bfc0dd65413596dd783c8b88bc0eea3cc82a45530ed7b7ac5d916a41f2bd5c941b3123e3a55c132b975c492e6530c6f1c80ae7274cf03bc40cd3678220', X'c63812188638724ad9011a337cf0f6f66f2ac876dcb50844f9484e25226bcbb2', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (160, 1795586460000000, 'system', '', '', 'case opened', 'case', '38', 4, '', '{"rule":"win without a bet"}', '', X'eb5e1b49bcabdb061bca843e4b3c4b29beb439f1722126c11c96fa618ab5a8aa52be24b3402a954c48f208a3cf4f88622be09bb388a0cc61f10a34e61af8699017486fcd141dd66ad2354aaca1ed2d92', X'd89f422a2a5d263b6750955b051b73828b354ea920af870b2ff5a792e76e15c89c30a4d1730c113039ab9aebc6619f968dc7cc952ad695efb3d5b6b5a346635da6694913caec562c832b79844e40f74300be4fc4fad90f11a09a1415b3ea17a672a8815168a9e09c63c324b0604cdcebe0ec223139aa102a439f1fbefa3db42b8cb54e714ef406106abe3df2319120ed07a6e4f5bf136c1aa92ddf9f193b76f0', X'5edeb566bac7235443ee3b9111c1423cb29f54899626b4b6f9b02019f98baa18', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (161, 1795586460000000, 'system', '', '', 'case opened', 'case', '39', 1, '', '{"rule":"win without a bet"}', '', X'7f6f3d888e297211ce7476115715f01c8130bb04d0cb69b78a626d49075d2b509414a69cf75e6858a34a4f2edbc1dc59446fbd2b68a12b596c795056ecab8a2e1a219481952871f847057049dc205d73', X'1241fca0556ce18d3953756c3f25ccd61232216d0c7ee3cb51d30c4ad98aa3e373d0a9b81f9714cb08088293125df9f913bff4db26c3b0f2dbf62333d388cbdbd8ec260866f7f19a4fd86e41fdfa0b0ee61321c82be098680ab1d4d05cf33ad00bbccb96231cd569c7960a9a4c8666127bcead730470e2cc25bd68162874ac394a1cd1a1adf1df28ec3070992e01a7a19d4bd3d878d3a274551b5da0803d5ba0', X'6e7df2ddd426e3aff9eff86e9b2e6d8e212f6c038ddd8b757630765b267d68a5', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (162, 1795586460000000, 'system', '', '', 'case opened', 'case', '40', 2, '', '{"rule":"free spin without a grant"}', '', X'5f955a2e929b630bc142cabe48c2d4181d47c6ef562bc43688cf344dfbe29b1215ee162250daccd263614da3a2ab3789f2c0ff7724ca8c6daa3d6b33e73c410dd95803bc8f450c6a58f6d540ed03752c', X'aaa09a732ddef33a822551d6edee8d292327ce0a02e4b72dc92567a83c154fe525d36abdc64a83c8bdef52b0588c344ab549cd39726b88a911e91349a27d2d971ed6f25e2280a0fe6826d23231ca21e958f9df7f89e9fadaf679e9d5f08856b662afd82d30121de42ce314d4e621e08b2cff183c172d1e199772e27944af3063e9ede0bea98d6995491361f6806a2a0bec8deb885229ac957284d703e7160dc6', X'7197bbb90260ae2a208429a0855dea5cc4d4104af91e1abacc9fca5fceebe7f7', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (163, 1795586460000000, 'system', '', '', 'case opened', 'case', '41', 3, '', '{"rule":"unconfirmed grant"}', '', X'24c831f5fc5d9fe0df92e0a9ae10bf4cfffb976ba964f9ccf0325b5657deb068daeed1568de2aac7441b5d3efd1c94001dbfa6479526598d2f567425fccf0bd551a1794ecfc188a5c283344b488212a5', X'85ddd849f495000fb9dad09cd206bef03802c215543f1b24bb3d5877d2bcb5879b81cd41154450b57774ea18e753a217f5f261723d05d2b5c406962582f7af4764ce395ee2142fe1555df5b37679062fbc10eb24a5d7a1bdac85844dd3903c76444b03ea9cf54c69d0f5fc90ed8fd12e5b40687191cd40ff847d44c0943e7a9ebcda0e435a681103a6d73be84fd5a5c8d8039e908192f04786918d25cb3d1d3c', X'5058963e4e95594db3b89b042f3267dd993cd4c5388f72fe92daa958932b25f3', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (164, 1795586520000000, 'chloe', '192.0.2.10', 'of chloe', 'ledger verified', 'verification', '1', 0, '', '{"faults":0}', '', X'373b6cad62357cc1bd5be8b711e8c7b8d4264e1b66dd44c1123da92fa81e3ea1a325bf871d1ef7b4e443051bb7e1731808cbc5ac1008c614a7608eb5405d3744daa7b17d363ab558f3c549b62c6fcb1d', X'6cb19636eb5063eb493c8aef05a051bd1208de8d246f3e5baaae7f3f0cf175b58e816c4eba6a718f01bdfd167f50f395fb3cff4ff8716e48dcca0445a56cd43832a556dc7ff6e022d0e9139abbadac5f1cf22b01f8d2755319de91bf52bae7407be93b938da187d081298e146691422e84ec0054e1de4821fa147b5054a4c8768213296c9e2aef1f50d115751b23f19f173a3325c497d7c263c063c3c143ad01', X'0ddca4a2d8e6eeed65b136d59488ca6cd7905275cbb787dfd21adb344d8cc4fe', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (165, 1795586580000000, 'tester', '127.0.0.1', 's1', 'checkpoint written', 'checkpoint', '1', 0, '', '{"audit_seq":164,"digest":"1ca6566f735384c2a01d6a7586b398f2fe6c35d770a66752d0dc24501306ff45","entries":45,"spin_entries":4,"wallets":5}', '', X'88bd7c8fdb0ba8201fde75a5228388a3f3813f67a2e737f6aa8f0cee2ac3157861e80f492e79bffddd7b33876606305ce1070500531ccc1d3f0a229a59e577ed0840dfd221dd8ece28eff007d65edbfe', X'66e0c345a3e7ab5b05e53edbb3bc91f83d951d85403672927e38beff80e0b503d1c4b53611b7af208660934b4ea01cf5bcb53e7394c4b9becf777c02c50d6585e814d61b19ac0836c30a4394a3a42a57bbea28820d5c6ff21516b530d783ba49ef441b6d4884b7f1843923e07a1afc9644b458e31b1c927f057531516fdf87bca730e914fea655b93434ce5202d45211b92872fe0c8890df820654c4ad5481f5', X'0e7e2176f3e47484cde34d4e48b9992f22c1d9572ab425ead51bba127e535964', 1, '', 1, 0);
INSERT INTO `audit_head` VALUES (1, 165, X'0e7e2176f3e47484cde34d4e48b9992f22c1d9572ab425ead51bba127e535964');
INSERT INTO `callback_minutes` VALUES (1795427340000000, 'RollbackTransaction', 8, 1);
INSERT INTO `callback_minutes` VALUES (1795427340000000, 'Withdraw', 0, 7);
INSERT INTO `callback_records` VALUES (-62135596800000000, 4294967309, 1795426680000000, 1, 2, X'cb007107', 'nobody', 'bet-4', 'r-bet-4', '1.00', '', 0, '', 0, 0, 0, 1, 200, 0);
INSERT INTO `callback_records` VALUES (1795426320000000, 4294967303, 1795426320000000, 4, 4, X'cb007107', 'anna', 'early', '', '', '', 0, '', 0, 1, 10, 3, 200, 99700);
INSERT INTO `callback_records` VALUES (1795426380000000, 4294967304, 1795426380000000, 1, 3, X'cb007107', 'anna', 'early', 'r-early', '1.00', '', 0, '', 0, 1, 0, 2, 200, 99700);
INSERT INTO `callback_records` VALUES (1795426440000000, 4294967305, 1795426440000000, 1, 5, X'cb007107', 'anna', 'bet-1', 'r-bet-1', '10.00', '', 0, '', 0, 1, 0, 4, 200, 99700);
INSERT INTO `callback_records` VALUES (1795426500000000, 4294967306, 1795426500000000, 1, 19, X'cb007107', 'anna', 'bet-1', 'r-bet-1', '10.01', '', 0, '', 0, 1, 0, 4, 200, 99700);
INSERT INTO `callback_records` VALUES (1795426560000000, 4294967307, 1795426560000000, 1, 7, X'cb007107', 'anna', 'bet-3', 'r-bet-3', '999999.99', '', 0, '', 0, 1, 0, 6, 200, 99700);
INSERT INTO `callback_records` VALUES (1795427280000000, 8589934592, 1795427280000000, 1, 21, X'20010db8000000000000000000000099', 'anna', 'bet-1', '<script>', 'much', '', 0, 'the sign does not match', 0, 0, 0, 3, 200, NULL);
INSERT INTO `campaign_lines` VALUES (1, 1, 1, 2, 2, X'd6be5031ba076602fc53f887aec2f24578cb84da3274baafe35b50909ab088bc', 5, 0, '');
INSERT INTO `campaign_lines` VALUES (1, 2, 2, 2, 2, X'2757d90785521f8229d3bd91fe1112b8f375a34d6ce60c95daff07d7f3bcbd2a', 6, 0, '');
INSERT INTO `campaign_lines` VALUES (2, 1, 1, 2, 1, X'3372d7b7160d395affc092bf213cafaff7b5c97c872e7ecb75de719c9bea3433', 0, 0, '');
INSERT INTO `campaign_lines` VALUES (2, 2, 4, 2, 1, X'418eb631ab94b3519268fe5fe08eabe11043c977f2aed59ad84f395a84f22354', 0, 0, '');
INSERT INTO `campaign_lines` VALUES (3, 1, 1, 2, 130, X'b33a27db81114b2fce74ef32f8e732b4270f304799552270f62c5303e58e4ebc', 0, 0, '');
INSERT INTO `campaign_lines` VALUES (4, 1, 1, 2, 140, X'685e8431d4e95526bdcc47f1b8f503892519f2b20baaa53aa065ab7f4fb4e87d', 0, 0, '');
INSERT INTO `campaign_lines` VALUES (5, 1, 2, 2, 120, X'96c4daa5c2822a6115f14d4a99d7d39177466a3b6ee295d13c9f014a881e1edb', 0, 0, '');
INSERT INTO `campaign_lines` VALUES (6, 1, 1, 2, 150, X'32f858956d67206831dc43fec1e51f5f53dba729e89bd9e5e30061aacb682827', 0, 0, '');
INSERT INTO `campaigns` VALUES (1, 1795428480000000, 'bruno', 'bonus', 'Loyalty.csv', 'Loyalty', 'Loyalty', 0, 0, 0, 'null', '', 1, 5, 2, 4, '', 0, 0, '', '', 0, 0, '', '', 0, '', 1795428780000000);
INSERT INTO `campaigns` VALUES (2, 1795428840000000, 'bruno', 'bonus', 'Paused.csv', 'Paused', 'Paused', 0, 0, 0, 'null', '', 1, 3, 2, 2, '', 0, 0, '', '', 0, 0, '', '', 0, '', 0);
INSERT INTO `campaigns` VALUES (3, 1795428960000000, 'bruno', 'bonus', 'Refused.csv', 'Refused', 'Refused', 0, 0, 0, 'null', '', 1, 9, 1, 130, 'over the limit: spins in one grant, 50 allowed, 130 requested; over the limit: spins to one player a day, 100 allowed, 5 used already, 130 requested; over the limit: cost of one grant, 20.00 EUR allowed, 26.00 EUR requested', 1795688160000000, 3, 'bruno', 'bonus', 3, 5, 'farid', 'finance', 1795429020000000, 'Too many.', 1795429020000000);
INSERT INTO `campaigns` VALUES (4, 1795429080000000, 'bruno', 'bonus', 'Withdrawn.csv', 'Withdrawn', 'Withdrawn', 0, 0, 0, 'null', '', 1, 9, 1, 140, 'over the limit: spins in one grant, 50 allowed, 140 requested; over the limit: spins to one player a day, 100 allowed, 5 used already, 140 requested; over the limit: cost of one grant, 20.00 EUR allowed, 28.00 EUR requested', 1795688280000000, 3, 'bruno', 'bonus', 4, 0, '', '', 1795429140000000, 'A mistake.', 1795429140000000);
INSERT INTO `campaigns` VALUES (5, 1795429200000000, 'bruno', 'bonus', 'Approved.csv', 'Approved', 'Approved', 0, 0, 0, 'null', '', 1, 2, 1, 120, 'over the limit: spins in one grant, 50 allowed, 120 requested; over the limit: spins to one player a day, 100 allowed, 3 used already, 120 requested; over the limit: cost of one grant, 20.00 EUR allowed, 24.00 EUR requested', 1795688400000000, 3, 'bruno', 'bonus', 2, 5, 'farid', 'finance', 1795429260000000, '', 0);
INSERT INTO `campaigns` VALUES (6, 1795429320000000, 'bruno', 'bonus', 'Waiting.csv', 'Waiting', 'Waiting', 0, 0, 0, 'null', '', 1, 8, 1, 150, 'over the limit: spins in one grant, 50 allowed, 150 requested; over the limit: spins to one player a day, 100 allowed, 5 used already, 150 requested; over the limit: cost of one grant, 20.00 EUR allowed, 30.00 EUR requested', 1795688520000000, 3, 'bruno', 'bonus', 1, 0, '', '', 0, '', 0);
INSERT INTO `case_notes` VALUES (1, 1, 1795432440000000, 'farid', 'Asked the platform.');
INSERT INTO `case_notes` VALUES (2, 1, 1795432620000000, 'farid', 'Asked the platform.');
INSERT INTO `case_notes` VALUES (3, 1, 1795432800000000, 'farid', 'Asked the platform.');
INSERT INTO `case_notes` VALUES (20, 1, 1795433880000000, 'sofia', 'I never saw the win of 12.50.');
INSERT INTO `cases` VALUES (1, 10, X'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', 2, 1795432380000000, 1795432380000000, 1, 0, '', 0, 0, 0, 120, 'EUR', '', 'farid', 1795432500000000, 'The platform confirmed it.', '[{"label":"Amount","value":"1.20"}]', '', 0);
INSERT INTO `cases` VALUES (2, 13, X'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', 3, 1795432560000000, 1795432560000000, 1, 0, '', 0, 0, 0, 120, 'EUR', '', 'farid', 1795432680000000, 'The platform confirmed it.', '[{"label":"Amount","value":"1.20"}]', '', 0);
INSERT INTO `cases` VALUES (3, 2, X'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', 4, 1795432740000000, 1795432740000000, 1, 0, '', 0, 0, 0, 120, 'EUR', '', 'farid', 1795432860000000, 'The platform confirmed it.', '[{"label":"Amount","value":"1.20"}]', '', 0);
INSERT INTO `cases` VALUES (4, 6, X'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', 1, 1795432920000000, 1795432920000000, 1, 0, '', 0, 0, 0, 120, 'EUR', '', '', 0, '', '[{"label":"Amount","value":"1.20"}]', '', 0);
INSERT INTO `cases` VALUES (5, 5, X'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', 1, 1795432980000000, 1795432980000000, 1, 0, '', 0, 0, 0, 120, 'EUR', '', '', 0, '', '[{"label":"Amount","value":"1.20"}]', '', 0);
INSERT INTO `cases` VALUES (6, 4, X'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', 1, 1795433040000000, 1795433040000000, 1, 0, '', 0, 0, 0, 120, 'EUR', '', '', 0, '', '[{"label":"Amount","value":"1.20"}]', '', 0);
INSERT INTO `cases` VALUES (7, 23, X'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', 1, 1795433100000000, 1795433100000000, 1, 0, '', 0, 0, 0, 120, 'EUR', '', '', 0, '', '[{"label":"Amount","value":"1.20"}]', '', 0);
INSERT INTO `cases` VALUES (8, 22, X'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', 1, 1795433160000000, 1795433160000000, 1, 0, '', 0, 0, 0, 120, 'EUR', '', '', 0, '', '[{"label":"Amount","value":"1.20"}]', '', 0);
INSERT INTO `cases` VALUES (9, 3, X'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', 1, 1795433220000000, 1795433220000000, 1, 0, '', 0, 0, 0, 120, 'EUR', '', '', 0, '', '[{"label":"Amount","value":"1.20"}]', '', 0);
INSERT INTO `cases` VALUES (10, 25, X'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', 1, 1795433280000000, 1795433280000000, 1, 0, '', 0, 0, 0, 120, 'EUR', '', '', 0, '', '[{"label":"Amount","value":"1.20"}]', '', 0);
INSERT INTO `cases` VALUES (11, 11, X'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', 1, 1795433340000000, 1795433340000000, 1, 0, '', 0, 0, 0, 120, 'EUR', '', '', 0, '', '[{"label":"Amount","value":"1.20"}]', '', 0);
INSERT INTO `cases` VALUES (12, 21, X'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', 1, 1795433400000000, 1795433400000000, 1, 0, '', 0, 0, 0, 120, 'EUR', '', '', 0, '', '[{"label":"Amount","value":"1.20"}]', '', 0);
INSERT INTO `cases` VALUES (13, 1, X'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', 1, 1795433460000000, 1795433460000000, 1, 0, '', 0, 0, 0, 120, 'EUR', '', '', 0, '', '[{"label":"Amount","value":"1.20"}]', '', 0);
INSERT INTO `cases` VALUES (14, 8, X'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', 1, 1795433520000000, 1795433520000000, 1, 0, '', 0, 0, 0, 120, 'EUR', '', '', 0, '', '[{"label":"Amount","value":"1.20"}]', '', 0);
INSERT INTO `cases` VALUES (15, 12, X'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', 1, 1795433580000000, 1795433580000000, 1, 0, '', 0, 0, 0, 120, 'EUR', '', '', 0, '', '[{"label":"Amount","value":"1.20"}]', '', 0);
INSERT INTO `cases` VALUES (16, 7, X'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', 1, 1795433640000000, 1795433640000000, 1, 0, '', 0, 0, 0, 120, 'EUR', '', '', 0, '', '[{"label":"Amount","value":"1.20"}]', '', 0);
INSERT INTO `cases` VALUES (17, 20, X'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', 1, 1795433700000000, 1795433700000000, 1, 0, '', 0, 0, 0, 120, 'EUR', '', '', 0, '', '[{"label":"Amount","value":"1.20"}]', '', 0);
INSERT INTO `cases` VALUES (18, 24, X'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', 1, 1795433760000000, 1795433760000000, 1, 0, '', 0, 0, 0, 120, 'EUR', '', '', 0, '', '[{"label":"Amount","value":"1.20"}]', '', 0);
INSERT INTO `cases` VALUES (19, 9, X'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', 1, 1795433820000000, 1795433820000000, 1, 0, '', 0, 0, 0, 120, 'EUR', '', '', 0, '', '[{"label":"Amount","value":"1.20"}]', '', 0);
INSERT INTO `cases` VALUES (20, 21, X'fec53c517cea20a132aa792f9bc29469ad09a49e958ab71624ee3345618862db', 1, 1795433880000000, 1795433880000000, 1, 0, '', 0, 0, 0, 0, '', 'sofia', '', 0, '', 'null', 'ADR 2026/114', 1796125080000000);
INSERT INTO `cases` VALUES (21, 11, X'62dfdc31c2c7956033cb2ade6709c88b3c541b2b594a8c1880b50c1e747a13f5', 1, 0, 1795433940000000, 2, 0, 'lost', 0, 1, 0, 500, 'EUR', '', '', 0, '', '[{"label":"Difference","value":"missing here"},{"label":"Here","value":"nothing"},{"label":"Platform","value":"bet of 5.00 EUR, applied"},{"label":"If the platform is right","value":"leave 5.00 EUR"},{"label":"Statement","value":"platform.csv, line 4"}]', '', 0);
INSERT INTO `cases` VALUES (22, 11, X'050985f77aa241ed103996d529a94324b406875148c5e483e42eeaebe584819d', 1, 1795426020000000, 1795433940000000, 1, 7, 'win-1', 0, 1, 0, 100, 'EUR', '', '', 0, '', '[{"label":"Difference","value":"amount differs: the amount: platform 8.00, here 7.00"},{"label":"Here","value":"win of 7.00 EUR, applied"},{"label":"Platform","value":"win of 8.00 EUR, applied"},{"label":"If the platform is right","value":"credit 1.00 EUR"},{"label":"Statement","value":"platform.csv, line 3"}]', '', 0);
INSERT INTO `cases` VALUES (23, 11, X'bc3fec0b047053725a2ec932e4bd69f2653db4a1c74b27c6d27cf28eb4373444', 1, 1795426620000000, 1795433940000000, 1, 13, 'alone', 0, 1, 0, 50, 'EUR', '', '', 0, '', '[{"label":"Difference","value":"missing at platform"},{"label":"Here","value":"win of 0.50 EUR, applied"},{"label":"Platform","value":"nothing"},{"label":"If the platform is right","value":"leave 0.50 EUR"},{"label":"Statement","value":"platform.csv"}]', '', 0);
INSERT INTO `cases` VALUES (24, 11, X'1c56c92aba882fd86bef7154760f8e5840d778be6a032dc22d5efcdc74a1a544', 1, 1795426860000000, 1795433940000000, 2, 16, 'bet-5', 0, 1, 0, 300, 'EUR', '', '', 0, '', '[{"label":"Difference","value":"missing at platform"},{"label":"Here","value":"bet of 3.00 EUR, applied"},{"label":"Platform","value":"nothing"},{"label":"If the platform is right","value":"refund 3.00 EUR"},{"label":"Statement","value":"platform.csv"}]', '', 0);
INSERT INTO `cases` VALUES (25, 11, X'8e8a812e80f9b28c900f04db51abcf05e3d6e0a427a132c8fea0d2d63e12d006', 1, 1795426920000000, 1795433940000000, 4, 17, 'bet-6', 0, 1, 0, 2000, 'TRY', '', '', 0, '', '[{"label":"Difference","value":"missing at platform"},{"label":"Here","value":"bet of 20.00 TRY, applied"},{"label":"Platform","value":"nothing"},{"label":"If the platform is right","value":"refund 20.00 TRY"},{"label":"Statement","value":"platform.csv"}]', '', 0);
INSERT INTO `cases` VALUES (26, 11, X'cdde357f08c5af0d3bd093a9d304208ee7bed56a83ee47b5225a3bc7bba117df', 1, 1795426980000000, 1795433940000000, 4, 18, 'win-6', 0, 1, 0, 90000, 'TRY', '', '', 0, '', '[{"label":"Difference","value":"missing at platform"},{"label":"Here","value":"win of 900.00 TRY, applied"},{"label":"Platform","value":"nothing"},{"label":"If the platform is right","value":"leave 900.00 TRY"},{"label":"Statement","value":"platform.csv"}]', '', 0);
INSERT INTO `cases` VALUES (27, 11, X'8c4e6d27a668d5b09f235a8b6e53ec75278ef22476e6abe7f7e17e3312d78643', 1, 1795427040000000, 1795433940000000, 5, 19, 'both-7', 0, 1, 0, 50, 'EUR', '', '', 0, '', '[{"label":"Difference","value":"missing at platform"},{"label":"Here","value":"bet and win of 1.00 / 0.50 EUR, applied"},{"label":"Platform","value":"nothing"},{"label":"If the platform is right","value":"refund 0.50 EUR"},{"label":"Statement","value":"platform.csv"}]', '', 0);
INSERT INTO `cases` VALUES (28, 11, X'1a80456333970f6f2bc57249649a4adccf455f6b0b041bd637c08ad5eda73de8', 1, 1795427160000000, 1795433940000000, 1, 21, 'bet-9', 0, 1, 0, 600, 'EUR', '', '', 0, '', '[{"label":"Difference","value":"missing at platform"},{"label":"Here","value":"bet of 6.00 EUR, applied"},{"label":"Platform","value":"nothing"},{"label":"If the platform is right","value":"refund 6.00 EUR"},{"label":"Statement","value":"platform.csv"}]', '', 0);
INSERT INTO `cases` VALUES (29, 11, X'5357648fdb48762f76acb1bf57ac2ac9dd86929c18a2849fdd34423a4dd41c67', 1, 1795427220000000, 1795433940000000, 2, 22, 'void', 0, 1, 0, 700, 'EUR', '', '', 0, '', '[{"label":"Difference","value":"missing at platform"},{"label":"Here","value":"bet of 7.00 EUR, applied"},{"label":"Platform","value":"nothing"},{"label":"If the platform is right","value":"refund 7.00 EUR"},{"label":"Statement","value":"platform.csv"}]', '', 0);
INSERT INTO `cases` VALUES (30, 11, X'0f9f7bee9d441750b9678511e27c7e566f6e97490b852fb5cdc91a730d81ed0f', 1, 1795427520000000, 1795433940000000, 1, 23, 'spin-1', 0, 1, 0, 0, 'EUR', '', '', 0, '', '[{"label":"Difference","value":"missing at platform"},{"label":"Here","value":"free spin of 0.20 EUR, applied"},{"label":"Platform","value":"nothing"},{"label":"If the platform is right","value":"no money differs"},{"label":"Statement","value":"platform.csv"}]', '', 0);
INSERT INTO `cases` VALUES (31, 11, X'3392d3d28e06584ae1b1f1f23050fb0fbeb454fb3519ec09a7b6762b29347e19', 1, 1795427580000000, 1795433940000000, 1, 24, 'spin-1-win', 0, 1, 0, 150, 'EUR', '', '', 0, '', '[{"label":"Difference","value":"missing at platform"},{"label":"Here","value":"win of 1.50 EUR, applied"},{"label":"Platform","value":"nothing"},{"label":"If the platform is right","value":"leave 1.50 EUR"},{"label":"Statement","value":"platform.csv"}]', '', 0);
INSERT INTO `cases` VALUES (32, 11, X'399676cca7b88d1f6611524989c1b6644126108b20f894dcaf9e5ffd3597235d', 1, 1795427760000000, 1795433940000000, 2, 27, 'spin-3', 0, 1, 0, 0, 'EUR', '', '', 0, '', '[{"label":"Difference","value":"missing at platform"},{"label":"Here","value":"free spin of 0.20 EUR, applied"},{"label":"Platform","value":"nothing"},{"label":"If the platform is right","value":"no money differs"},{"label":"Statement","value":"platform.csv"}]', '', 0);
INSERT INTO `cases` VALUES (33, 11, X'693f92abdcf39dce5ef21bf2d2a54213c9ed19b0ed01aa362beb90c7859b18ff', 1, 1795431780000000, 1795433940000000, 1, 45, 'bet-9-win', 0, 1, 0, 900, 'EUR', '', '', 0, '', '[{"label":"Difference","value":"missing at platform"},{"label":"Here","value":"win of 9.00 EUR, applied"},{"label":"Platform","value":"nothing"},{"label":"If the platform is right","value":"leave 9.00 EUR"},{"label":"Statement","value":"platform.csv"}]', '', 0);
INSERT INTO `cases` VALUES (34, 1, X'ca631b5fa7d42b06a2869ef6fe5b3bb97d93a32b732200e0ba310aa4cac0341d', 1, 1795426320000000, 1795586460000000, 1, 0, 'early', 0, 0, 0, 0, 'EUR', '', '', 0, '', '[{"label":"What came","value":"RollbackTransaction for a transaction that was neither applied nor refused"},{"label":"Answered","value":"8, transaction not found"}]', '', 0);
INSERT INTO `cases` VALUES (35, 4, X'39157be9cd34adcf8a07a538970b61750c8627e724de87461394b166ff5b4fef', 1, 1795426500000000, 1795586460000000, 1, 6, 'bet-1', 0, 0, 0, 0, 'EUR', '', '', 0, '', '[{"label":"The first","value":"bet of 10.00 EUR, round r-bet-1"},{"label":"Came again as","value":"Withdraw of 10.01 EUR, round r-bet-1"},{"label":"Answered","value":"11, duplicate transaction: the first stands"}]', '', 0);
INSERT INTO `cases` VALUES (36, 5, X'8842c50e590199a9ad0ca59f52216b15a3cd6fd5f6501d13ac445030f424e172', 1, 1795426020000000, 1795586460000000, 1, 7, 'win-1', 0, 0, 0, 700, 'EUR', '', '', 0, '', '[{"label":"Win","value":"7.00 EUR"},{"label":"Round","value":"r-win-1, without a bet or free spin that stood before the win"}]', '', 0);
INSERT INTO `cases` VALUES (37, 5, X'70bffeab08a5fe0ad66947f43d44180fad18adb8652d75afa83042306cc79f79', 1, 1795426620000000, 1795586460000000, 1, 13, 'alone', 0, 0, 0, 50, 'EUR', '', '', 0, '', '[{"label":"Win","value":"0.50 EUR"},{"label":"Round","value":"r-alone, without a bet or free spin that stood before the win"}]', '', 0);
INSERT INTO `cases` VALUES (38, 5, X'6ad3d49981d1198f7c2c2a78fc299a5519a93b0ab54f09d31d49aa9f379237fe', 1, 1795426980000000, 1795586460000000, 4, 18, 'win-6', 0, 0, 0, 90000, 'TRY', '', '', 0, '', '[{"label":"Win","value":"900.00 TRY"},{"label":"Round","value":"r-win-6, without a bet or free spin that stood before the win"}]', '', 0);
INSERT INTO `cases` VALUES (39, 5, X'd384f74e0f8dbc86cc6fe76229c9b539ba4c6fbf34f3d44d9aebe27db74d5177', 1, 1795427580000000, 1795586460000000, 1, 24, 'spin-1-win', 0, 0, 0, 150, 'EUR', '', '', 0, '', '[{"label":"Win","value":"1.50 EUR"},{"label":"Round","value":"r-spin-1-win, without a bet or free spin that stood before the win"}]', '', 0);
INSERT INTO `cases` VALUES (40, 6, X'9e49966a53a5aec73b4331a2975a4703c732a87a71ed0c5c58ed66a76e70e08e', 1, 1795427760000000, 1795586460000000, 2, 27, 'spin-3', 0, 0, 0, 20, 'EUR', '', '', 0, '', '[{"label":"Stake not taken","value":"0.20 EUR"},{"label":"Grants","value":"the player had none with spins left that was open, under way or recently ended"}]', '', 0);
INSERT INTO `cases` VALUES (41, 8, X'7392a57146de1096362d942a5964deddbfdec5d2ff9cacae6bf87c094dbee7e8', 1, 1795428360000000, 1795586460000000, 3, 0, '', 4, 0, 0, 0, 'EUR', '', '', 0, '', '[{"label":"Granted","value":"1 spins"},{"label":"The platform","value":"gave no answer that could be read. The spins may or may not have been granted."}]', '', 0);
INSERT INTO `cash_reviews` VALUES (37, 1795430340000000, 1, 'approved@1', 3000, 'EUR', 0, 'api:cashier', '', 2, 5, 'farid', 'finance', 1795430400000000, '');
INSERT INTO `cash_reviews` VALUES (38, 1795430460000000, 1, 'refused@1', 3000, 'EUR', 0, 'api:cashier', '', 3, 5, 'farid', 'finance', 1795430520000000, 'Unknown card.');
INSERT INTO `cash_reviews` VALUES (40, 1795430580000000, 1, 'waiting@1', 3000, 'EUR', 0, 'api:cashier', '', 1, 0, '', '', 0, '');
INSERT INTO `change_requests` VALUES (1, 1795424940000000, 'grant limits', '{"Limits":{"SpinsPerGrant":50,"PlayerGrantsPerDay":3,"PlayerSpinsPerDay":100,"StaffGrantsPerDay":2000,"StaffSpinsPerDay":15000,"HouseSpinsPerDay":30000}}', '{"Limits":{"SpinsPerGrant":50,"PlayerGrantsPerDay":3,"PlayerSpinsPerDay":100,"StaffGrantsPerDay":2000,"StaffSpinsPerDay":15000,"HouseSpinsPerDay":30000,"Cost":{"EUR":{"Grant":2000,"PlayerPerDay":4000,"HousePerDay":600000}}},"SpinCost":{"EUR":20}}', 'Agreed in the meeting.', '', 1, 'ada', 'admin', 2, 2, 'adam', 'admin', 1795425000000000, '');
INSERT INTO `change_requests` VALUES (2, 1795425060000000, 'base currency', '""', '"EUR"', 'Agreed in the meeting.', '', 5, 'farid', 'finance', 2, 7, 'chloe', 'compliance', 1795425120000000, '');
INSERT INTO `change_requests` VALUES (3, 1795425180000000, 'grant limits', '{"Limits":{"SpinsPerGrant":50,"PlayerGrantsPerDay":3,"PlayerSpinsPerDay":100,"StaffGrantsPerDay":2000,"StaffSpinsPerDay":15000,"HouseSpinsPerDay":30000,"Cost":{"EUR":{"Grant":2000,"PlayerPerDay":4000,"HousePerDay":600000}}},"SpinCost":{"EUR":20}}', '{"Limits":{"SpinsPerGrant":50,"PlayerGrantsPerDay":3,"PlayerSpinsPerDay":100,"StaffGrantsPerDay":2000,"StaffSpinsPerDay":15000,"HouseSpinsPerDay":30001,"Cost":{"EUR":{"Grant":2000,"PlayerPerDay":4000,"HousePerDay":600000}}},"SpinCost":{"EUR":20}}', 'Agreed in the meeting.', '', 1, 'ada', 'admin', 3, 2, 'adam', 'admin', 1795425240000000, 'Not now.');
INSERT INTO `change_requests` VALUES (4, 1795425300000000, 'grant limits', '{"Limits":{"SpinsPerGrant":50,"PlayerGrantsPerDay":3,"PlayerSpinsPerDay":100,"StaffGrantsPerDay":2000,"StaffSpinsPerDay":15000,"HouseSpinsPerDay":30000,"Cost":{"EUR":{"Grant":2000,"PlayerPerDay":4000,"HousePerDay":600000}}},"SpinCost":{"EUR":20}}', '{"Limits":{"SpinsPerGrant":50,"PlayerGrantsPerDay":3,"PlayerSpinsPerDay":100,"StaffGrantsPerDay":2000,"StaffSpinsPerDay":15000,"HouseSpinsPerDay":30001,"Cost":{"EUR":{"Grant":2000,"PlayerPerDay":4000,"HousePerDay":600000}}},"SpinCost":{"EUR":20}}', 'Agreed in the meeting.', '', 1, 'ada', 'admin', 1, 0, '', '', 0, '');
INSERT INTO `change_requests` VALUES (5, 1795429560000000, 'API client', '', '{"id":0,"name":"cashier","scopes":["players","deposits","cashouts","launches","grants","read","restriction-kinds"],"networks":"127.0.0.1/32","test":false,"per_minute":6000,"cash":"EUR 500.00","cash_per_day":"EUR 2000.00","cash_per_player":"","approve_above":"EUR 20.00","webhook":"https://127.0.0.1:9/events","events":["player","restriction","grant","game session","correction","cash-out"]}', 'Agreed in the meeting.', '', 1, 'ada', 'admin', 2, 2, 'adam', 'admin', 1795429620000000, '');
INSERT INTO `change_requests` VALUES (6, 1795429680000000, 'API secret', '{"id":1,"revoked_at":"","secret_at":""}', '{"id":1,"name":"cashier","first":"2cf24b8e82460eb4aeeb76d20867168f524e1b539250e7b11474aa89a5971c3b","overlap":0}', 'It goes live.', '', 1, 'ada', 'admin', 2, 2, 'adam', 'admin', 1795429740000000, '');
INSERT INTO `change_requests` VALUES (7, 1795500180000000, 'exchange rates', 'EUR', '{"base":"EUR","rates":[{"day":"2026-11-23","currency":"TRY","rate":"0.0203"}]}', 'Agreed in the meeting.', '2026-11-23', 5, 'farid', 'finance', 2, 7, 'chloe', 'compliance', 1795500240000000, '');
INSERT INTO `checkpoints` VALUES (1, 1795586580000000, X'0000000000000000000000000000000000000000000000000000000000000000', X'1ca6566f735384c2a01d6a7586b398f2fe6c35d770a66752d0dc24501306ff45', X'ce9dd22569504f763ff91540b65071e3b98c022caea6adc3e7aa68f2e27e6e04', '50015e51341b6daa', 'tester', 5, 45, 4, 164, 676, 'a file', 0);
INSERT INTO `client_cash` VALUES (1, 1795392000000000, 0, 0, '', 0);
INSERT INTO `client_cash` VALUES (1, 1795392000000000, 0, 7, 'EUR', 5000);
INSERT INTO `client_cash` VALUES (1, 1795392000000000, 0, 8, 'EUR', 6300);
INSERT INTO `client_cash` VALUES (1, 1795392000000000, 1, 7, 'EUR', 5000);
INSERT INTO `client_cash` VALUES (1, 1795392000000000, 1, 8, 'EUR', 6300);
INSERT INTO `closed_days` VALUES ('2026-11-23', 'UTC', 1795392000000000, 1795478400000000, 1795500300000000, '88574f7445c30aab21c3a817dc93b2a5b4623789c6fbcd86d6acf98daffee96c', '[]');
INSERT INTO `corrections` VALUES (1, 1795431360000000, 1, 1, '', '', 300, 300, 'goodwill', 'As agreed.', '', 'each of these is for another loss', 4, 'sofia', 'support', 97700, '', 2, 6, 'mira', 'finance', 1795431420000000, '', 31, 0, 97700, 98000);
INSERT INTO `corrections` VALUES (2, 1795431480000000, 2, 1, '', '', 100, -100, 'paid-twice', 'As agreed.', '', 'each of these is for another loss', 4, 'sofia', 'support', 98000, '', 2, 6, 'mira', 'finance', 1795431540000000, '', 32, 0, 98000, 97900);
INSERT INTO `corrections` VALUES (3, 1795431600000000, 3, 1, 'bet-8', 'r-bet-8', 400, 400, 'round-voided', 'Their ticket 88213.', '', 'each of these is for another loss', 4, 'sofia', 'support', 97900, '', 2, 6, 'mira', 'finance', 1795431660000000, '', 33, 0, 97900, 98300);
INSERT INTO `corrections` VALUES (4, 1795431720000000, 4, 1, 'bet-9-win', 'r-bet-9-win', 900, 900, 'win-not-credited', 'Their win was lost.', '', 'each of these is for another loss', 4, 'sofia', 'support', 98300, '', 2, 6, 'mira', 'finance', 1795431780000000, '', 34, 0, 98300, 99200);
INSERT INTO `corrections` VALUES (5, 1795431840000000, 1, 1, '', '', 1000, 1000, 'goodwill', 'As agreed.', '', 'each of these is for another loss', 4, 'sofia', 'support', 99200, '', 3, 5, 'farid', 'finance', 1795431900000000, 'The player’s history explains it.', 0, 0, 0, 0);
INSERT INTO `corrections` VALUES (6, 1795432020000000, 1, 1, '', '', 2000, 2000, 'goodwill', 'As agreed.', '', 'each of these is for another loss', 4, 'sofia', 'support', 99200, '', 4, 0, '', '', 1795432080000000, 'A mistake.', 0, 0, 0, 0);
INSERT INTO `corrections` VALUES (7, 1795432200000000, 1, 1, '', '', 500, 500, 'goodwill', 'As agreed.', '', 'each of these is for another loss', 4, 'sofia', 'support', 99200, 'farid', 1, 0, '', '', 0, '', 0, 0, 0, 0);
INSERT INTO `daily_heads` VALUES (1, 'EUR', 0, 35, 99100, 3100, '2026-11-24', 3, '2026-11-23');
INSERT INTO `daily_heads` VALUES (2, 'EUR', 0, 3, 49000, 0, '2026-11-23', 1, '2026-11-23');
INSERT INTO `daily_heads` VALUES (3, 'EUR', 0, 1, 0, 0, '2026-11-23', 0, '');
INSERT INTO `daily_heads` VALUES (4, 'TRY', 0, 3, 488000, 0, '2026-11-23', 0, '');
INSERT INTO `daily_heads` VALUES (5, 'EUR', 1, 3, 49950, 0, '2026-11-23', 0, '');
INSERT INTO `daily_sums` VALUES ('2026-11-23', 1, 'EUR', 0, 1, 34, 1, 3, 5, 2750, 1150, 2740, 940, 1, 20, 0, 0, 5, 100000, 300, 100, 2, 5000, 9400, 3200, 3100, 99200, 1, 900, 5);
INSERT INTO `daily_sums` VALUES ('2026-11-23', 2, 'EUR', 0, 1, 3, 1, 1, 2, 1000, 0, 0, 0, 1, 20, 0, 0, 0, 50000, 0, 0, 0, 0, 0, 0, 0, 49000, 1, 0, 0);
INSERT INTO `daily_sums` VALUES ('2026-11-23', 3, 'EUR', 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
INSERT INTO `daily_sums` VALUES ('2026-11-23', 4, 'TRY', 0, 1, 3, 0, 0, 1, 2000, 0, 90000, 0, 0, 0, 0, 0, 0, 400000, 0, 0, 0, 0, 0, 0, 0, 488000, 1, 90000, 3);
INSERT INTO `daily_sums` VALUES ('2026-11-23', 5, 'EUR', 1, 1, 3, 0, 0, 1, 100, 0, 50, 0, 0, 0, 0, 0, 0, 50000, 0, 0, 0, 0, 0, 0, 0, 49950, 1, 50, 3);
INSERT INTO `daily_sums` VALUES ('2026-11-24', 1, 'EUR', 0, 35, 35, 0, 0, 1, 100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -100, 1, 0, 0);
INSERT INTO `daily_totals` VALUES ('2026-11-23', 'EUR', 0, 7, 3750, 1150, 2740, 940, 2, 40, 0, 0, 5, 150000, 300, 100, 2, 5000, 9400, 3200, 3100, 148200, 2);
INSERT INTO `daily_totals` VALUES ('2026-11-23', 'EUR', 1, 1, 100, 0, 50, 0, 0, 0, 0, 0, 0, 50000, 0, 0, 0, 0, 0, 0, 0, 49950, 1);
INSERT INTO `daily_totals` VALUES ('2026-11-23', 'TRY', 0, 1, 2000, 0, 90000, 0, 0, 0, 0, 0, 0, 400000, 0, 0, 0, 0, 0, 0, 0, 488000, 1);
INSERT INTO `daily_totals` VALUES ('2026-11-24', 'EUR', 0, 1, 100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -100, 1);
INSERT INTO `day_signatures` VALUES ('2026-11-23', 'compliance', 'chloe', 1795500360000000, 'Compared with the platform’s figures.', '88574f7445c30aab21c3a817dc93b2a5b4623789c6fbcd86d6acf98daffee96c', 0, 0, '[{"statement":1,"run":1,"differences":13,"not_compared":0,"whole":false}]', 30, 1, 0);
INSERT INTO `day_signatures` VALUES ('2026-11-23', 'finance', 'mira', 1795500300000000, 'Compared with the platform’s figures.', '88574f7445c30aab21c3a817dc93b2a5b4623789c6fbcd86d6acf98daffee96c', 0, 0, '[{"statement":1,"run":1,"differences":13,"not_compared":0,"whole":false}]', 30, 1, 0);
INSERT INTO `declined_texts` VALUES (X'24f11afa193262b7915dc498784be711', 1, 6, 5, 1795426680000000);
INSERT INTO `declined_texts` VALUES (X'46130922d06e812f9ee1da87220ae639', 1, 4, 5, 1795426560000000);
INSERT INTO `declined_texts` VALUES (X'6d5cb7ce5e3a258e2bb8f295cdef21c9', 1, 4, 5, 1795426500000000);
INSERT INTO `declined_texts` VALUES (X'b8c0096e6b5a0d1ca13738ae8a6cfad4', 1, 4, 5, 1795426380000000);
INSERT INTO `event_order` VALUES (1, 1, 0, 1, 150, 1);
INSERT INTO `event_order` VALUES (2, 2, 1, 1, 35, 2);
INSERT INTO `event_order` VALUES (3, 3, 1, 1, 3, 3);
INSERT INTO `event_order` VALUES (4, 2, 2, 1, 3, 4);
INSERT INTO `event_order` VALUES (5, 3, 2, 1, 1, 5);
INSERT INTO `event_order` VALUES (6, 2, 3, 1, 1, 6);
INSERT INTO `event_order` VALUES (7, 2, 4, 1, 3, 7);
INSERT INTO `event_order` VALUES (8, 2, 5, 1, 3, 8);
INSERT INTO `event_order` VALUES (9, 1, 0, 151, 152, 9);
INSERT INTO `event_order` VALUES (10, 1, 0, 153, 154, 10);
INSERT INTO `event_order` VALUES (11, 1, 0, 155, 155, 11);
INSERT INTO `file_chunks` VALUES ('20261123T113900-F7GWH63ITOLI27BRNEJZMWYM43', 0, X'5ccbb10ac2301006e03dcfd2423208c23ff7050a9de5126f08ea45727f287d7b519c3a7f7cec622e85b5d9addec1e3ad90571b463885c3315cfb97cae85dad1c212be784ac448a538c680f889960d9d6b0579b13f66ab84e277a36e76f5dfe296b27966d0d9f000000ffff');
INSERT INTO `game_changes` VALUES (1, 1795425420000000, 1, 1, 1, 'Ancient Bells', '');
INSERT INTO `game_changes` VALUES (2, 1795425420000000, 1, 2, 1, 'Tides', '');
INSERT INTO `game_changes` VALUES (3, 1795425420000000, 1, 3, 1, 'Embers', '');
INSERT INTO `game_changes` VALUES (4, 1795425480000000, 2, 2, 4, 'Lucky Tides', 'Tides');
INSERT INTO `game_changes` VALUES (5, 1795425480000000, 2, 3, 2, 'Embers', '');
INSERT INTO `game_sessions` VALUES (1, 1795429500000000, 'sofia', 5, 1, 'de', '', 'The reels froze', 2, '', 0, '', '', '');
INSERT INTO `game_syncs` VALUES (1, 1795425420000000, 'ada', 0, 3, 0, 3, 0, 0, 0, 0, '');
INSERT INTO `game_syncs` VALUES (2, 1795425480000000, 'ada', 0, 2, 0, 0, 1, 1, 1, 0, '');
INSERT INTO `games` VALUES (1, 'g1', 'Ancient Bells', 'slot', 'Lumen', 'https://games.example/g1.png', '', 'ancient bells
g1
lumen', 1795425420000000, 1795425480000000, 0, 1);
INSERT INTO `games` VALUES (2, 'g2', 'Lucky Tides', 'slot', 'Lumen', '', 'Tides', 'lucky tides
g2
lumen', 1795425420000000, 1795425480000000, 0, 1);
INSERT INTO `games` VALUES (3, 'g3', 'Embers', 'roulette', 'Castor', '', '', 'embers
g3
castor', 1795425420000000, 1795425420000000, 1795425480000000, 1);
INSERT INTO `goose_db_version` VALUES (1, 0, 1, '2026-11-23T09:00:00Z');
INSERT INTO `goose_db_version` VALUES (2, 1, 1, '2026-11-23T09:00:00Z');
INSERT INTO `goose_db_version` VALUES (3, 2, 1, '2026-11-23T09:00:00Z');
INSERT INTO `goose_db_version` VALUES (4, 3, 1, '2026-11-23T09:00:00Z');
INSERT INTO `goose_db_version` VALUES (5, 4, 1, '2026-11-23T09:00:00Z');
INSERT INTO `goose_db_version` VALUES (6, 5, 1, '2026-11-23T09:00:00Z');
INSERT INTO `goose_db_version` VALUES (7, 6, 1, '2026-11-23T09:00:00Z');
INSERT INTO `goose_db_version` VALUES (8, 7, 1, '2026-11-23T09:00:00Z');
INSERT INTO `goose_db_version` VALUES (9, 8, 1, '2026-11-23T09:00:00Z');
INSERT INTO `goose_db_version` VALUES (10, 9, 1, '2026-11-23T09:00:00Z');
INSERT INTO `grant_observations` VALUES (1, 1, 1795428000000000, 0, 'active', 3, 1, 2, 1, '{}');
INSERT INTO `grants` VALUES (1, 1795427400000000, 'bruno', 'bonus', 1, 1, 3, 'Goodwill', 1, NULL, NULL, 3, 'fs-1', 0, '', 0, '{"result":0}', 1795427400000000, 1795427460000000, 0, 0, '', 0, '', 1, 2, 1795428000000000, 1795428120000000, 1, '', 1, 0, 1795428000000000, 0);
INSERT INTO `grants` VALUES (2, 1795428060000000, 'bruno', 'bonus', 2, 1, 2, 'Goodwill', 1, NULL, NULL, 6, NULL, 2, 'refused with result 2, no such game', 0, '', 1795428060000000, 1795428120000000, 1795428120000000, 0, '', 0, '', -1, -1, 0, 0, 0, '', 0, 0, 0, 0);
INSERT INTO `grants` VALUES (3, 1795428180000000, 'bruno', 'bonus', 2, 1, 1, 'Goodwill', 1, NULL, NULL, 3, 'fs-found', -1, 'The platform answered with HTTP status 500.', 0, '', 1795428180000000, 1795428240000000, 0, 1, 'bruno', 1795428300000000, 'The platform has it.', -1, -1, 0, 1795428300000000, 0, '', 0, 0, 0, 0);
INSERT INTO `grants` VALUES (4, 1795428360000000, 'bruno', 'bonus', 3, 1, 1, 'Goodwill', 1, NULL, NULL, 7, NULL, -1, 'The platform answered with HTTP status 500.', 0, '', 1795428360000000, 1795428420000000, 0, 0, '', 0, '', -1, -1, 0, 0, 0, '', 0, 0, 0, 0);
INSERT INTO `grants` VALUES (5, 1795428540000000, 'bruno', 'bonus', 1, 2, 2, 'Loyalty', 1, 1, 1, 3, 'fs-anna', 0, '', 0, '{"result":0}', 1795428540000000, 1795428600000000, 0, 0, '', 0, '', -1, -1, 0, 1795428660000000, 0, '', 0, 0, 0, 0);
INSERT INTO `grants` VALUES (6, 1795428660000000, 'bruno', 'bonus', 2, 2, 2, 'Loyalty', 1, 1, 2, 3, 'fs-bert', 0, '', 0, '{"result":0}', 1795428660000000, 1795428720000000, 0, 0, '', 0, '', -1, -1, 0, 1795428780000000, 0, '', 0, 0, 0, 0);
INSERT INTO `leases` VALUES ('campaigns', '', 0, 0, X'', 5);
INSERT INTO `leases` VALUES ('case rule 1', '', 0, 1795586400000000, X'bfc2fce83c3e33199d61cd5b9d6ca9616861ab4ee1232dbff9683312e579705c', 0);
INSERT INTO `leases` VALUES ('case rule 10', '', 0, 1795586458000000, X'3af496c0185d962f772728721f418709e538f5c5661f99acd194a13efd6dc151', 0);
INSERT INTO `leases` VALUES ('case rule 13', '', 0, 1795586458000000, X'ed98304a147728e472ea32e2ac698ca8e2e4be0f917d77a184616b1151265ee5', 0);
INSERT INTO `leases` VALUES ('case rule 2', '', 0, 1795586458000000, X'f126944f32ed3be4b72d662a698b7b9006331df77907a6c7485151202d33873a', 0);
INSERT INTO `leases` VALUES ('case rule 20', '', 0, 1795586160000000, X'973b251606b89549329e2738de7544d0d148554b20a6fe09b36efa66e09ef8f7', 0);
INSERT INTO `leases` VALUES ('case rule 22', '', 0, 1795327260000000, X'b39f47a95446f27040f5b91245dd47d9f4e3bde7c4ab9f38fd5b829df36f45ce', 0);
INSERT INTO `leases` VALUES ('case rule 24', '', 0, 1795585560000000, X'3aacfd91844e052026af50f5d619afe082d805cee74d650c9393c3f9bcbfd1bd', 0);
INSERT INTO `leases` VALUES ('case rule 3', '', 0, 1795586458000000, X'f55e2f7a7918969717f07693b6ef01f330dffb606f740989317848699e382889', 0);
INSERT INTO `leases` VALUES ('case rule 4', '', 0, 1795586458000000, X'3bb042c4cd92759b77f19ddfb4709c315b8221cfe441dbbcf0ede5bccff73e23', 0);
INSERT INTO `leases` VALUES ('case rule 5', '', 0, 1795586400000000, X'18bc1b733c2e40faf4c3fb360eedb03b9bb7d411239264b4b04ee512fac5a615', 0);
INSERT INTO `leases` VALUES ('case rule 5, bets rolled back', '', 0, 1795586400000000, X'c8c0c348528824c65222d0b2ac4c9cbfa8bf4c5e490f70cc93106498241ca8fc', 0);
INSERT INTO `leases` VALUES ('case rule 6', '', 0, 1795586458000000, X'3553732fb33cadd98e17457b92ca93964bc6db99cc76db2fe92c89cbe757a5f5', 0);
INSERT INTO `leases` VALUES ('case rule 6, stakes', '', 0, 1795586458000000, X'5504d2822888ba0b1206607b91e0563ef9b3107cb5044a3ef1b5e275b9134811', 0);
INSERT INTO `leases` VALUES ('case rules, ledger', '', 0, 46, X'5cb45334554714fa7273f929db1e78e4ecf4a8e35356b08f6c9fb58d1d48b7ed', 0);
INSERT INTO `leases` VALUES ('change requests', '', 0, 0, X'', 12);
INSERT INTO `leases` VALUES ('free spins', '', 0, 1795500060000000, X'b533bf365e808582076441fccc35a882d226351afb08667e4d880cb29a0e1809', 0);
INSERT INTO `leases` VALUES ('games', '', 0, 0, X'', 1);
INSERT INTO `leases` VALUES ('grants', '', 0, 0, X'', 5);
INSERT INTO `leases` VALUES ('notices follow the audit log', '', 0, 163, X'b739e4bd0de56c3eb5a1a35789e0db5519dba0b583133dfab5aea28aad8e9a2b', 0);
INSERT INTO `leases` VALUES ('program runs', '', 0, 0, X'', 0);
INSERT INTO `leases` VALUES ('restrictions', '', 0, 0, X'', 6);
INSERT INTO `leases` VALUES ('settings', '', 0, 0, X'', 3);
INSERT INTO `leases` VALUES ('sums of days', '', 0, 1795586400000000, X'262d8b63191e3be08c246c5349c9f75abbd8fd92a9155a1a04dbf210185f7315', 6);
INSERT INTO `ledgers` VALUES (1, '50015e51341b6daa', 1795424400000000);
INSERT INTO `money_minutes` VALUES (1795425960000000, 'EUR', 0, '2026-11-23', 1, 1000, 0, 0, 0, 0, 0, 0, 0);
INSERT INTO `money_minutes` VALUES (1795426020000000, 'EUR', 0, '2026-11-23', 0, 0, 0, 700, 0, 0, 0, 0, 0);
INSERT INTO `money_minutes` VALUES (1795426080000000, 'EUR', 0, '2026-11-23', 1, 500, 0, 900, 0, 0, 0, 0, 0);
INSERT INTO `money_minutes` VALUES (1795426140000000, 'EUR', 0, '2026-11-23', 1, 250, 0, 0, 0, 0, 0, 0, 0);
INSERT INTO `money_minutes` VALUES (1795426200000000, 'EUR', 0, '2026-11-23', 0, 0, 250, 0, 0, 0, 0, 0, 0);
INSERT INTO `money_minutes` VALUES (1795426260000000, 'EUR', 0, '2026-11-23', 0, 0, 500, 0, 900, 0, 0, 0, 0);
INSERT INTO `money_minutes` VALUES (1795426620000000, 'EUR', 0, '2026-11-23', 0, 0, 0, 50, 0, 0, 0, 0, 0);
INSERT INTO `money_minutes` VALUES (1795426740000000, 'EUR', 0, '2026-11-23', 0, 0, 0, 40, 0, 0, 0, 0, 0);
INSERT INTO `money_minutes` VALUES (1795426800000000, 'EUR', 0, '2026-11-23', 0, 0, 0, 0, 40, 0, 0, 0, 0);
INSERT INTO `money_minutes` VALUES (1795426860000000, 'EUR', 0, '2026-11-23', 1, 300, 0, 0, 0, 0, 0, 0, 0);
INSERT INTO `money_minutes` VALUES (1795426920000000, 'TRY', 0, '2026-11-23', 1, 2000, 0, 0, 0, 0, 0, 0, 0);
INSERT INTO `money_minutes` VALUES (1795426980000000, 'TRY', 0, '2026-11-23', 0, 0, 0, 90000, 0, 0, 0, 0, 0);
INSERT INTO `money_minutes` VALUES (1795427040000000, 'EUR', 1, '2026-11-23', 1, 100, 0, 50, 0, 0, 0, 0, 0);
INSERT INTO `money_minutes` VALUES (1795427100000000, 'EUR', 0, '2026-11-23', 1, 400, 0, 0, 0, 0, 0, 0, 0);
INSERT INTO `money_minutes` VALUES (1795427160000000, 'EUR', 0, '2026-11-23', 1, 600, 0, 0, 0, 0, 0, 0, 0);
INSERT INTO `money_minutes` VALUES (1795427220000000, 'EUR', 0, '2026-11-23', 1, 700, 0, 0, 0, 0, 0, 0, 0);
INSERT INTO `money_minutes` VALUES (1795427520000000, 'EUR', 0, '2026-11-23', 0, 0, 0, 0, 0, 1, 20, 0, 0);
INSERT INTO `money_minutes` VALUES (1795427580000000, 'EUR', 0, '2026-11-23', 0, 0, 0, 150, 0, 0, 0, 0, 0);
INSERT INTO `money_minutes` VALUES (1795427640000000, 'EUR', 0, '2026-11-23', 0, 0, 0, 0, 0, 1, 20, 0, 0);
INSERT INTO `money_minutes` VALUES (1795427700000000, 'EUR', 0, '2026-11-23', 0, 0, 0, 0, 0, -1, -20, 0, 0);
INSERT INTO `money_minutes` VALUES (1795427760000000, 'EUR', 0, '2026-11-23', 0, 0, 0, 0, 0, 1, 20, 0, 0);
INSERT INTO `money_minutes` VALUES (1795431660000000, 'EUR', 0, '2026-11-23', 0, 0, 400, 0, 0, 0, 0, 0, 0);
INSERT INTO `money_minutes` VALUES (1795431780000000, 'EUR', 0, '2026-11-23', 0, 0, 0, 900, 0, 0, 0, 0, 0);
INSERT INTO `money_minutes` VALUES (1795500000000000, 'EUR', 0, '2026-11-24', 1, 100, 0, 0, 0, 0, 0, 0, 0);
INSERT INTO `notices` VALUES (1, 1795586460000000, 156, 'case', '34', 'e-mail', 0, 1, 0, 1795586520000000, 0, '', 'rollback of an unknown transaction', 1);
INSERT INTO `notices` VALUES (2, 1795586460000000, 157, 'case', '35', 'e-mail', 0, 1, 0, 1795586520000000, 0, '', 'transaction ID reused with different details', 1);
INSERT INTO `notices` VALUES (3, 1795586460000000, 158, 'case', '36', 'e-mail', 0, 1, 0, 1795586520000000, 0, '', 'win without a bet', 1);
INSERT INTO `notices` VALUES (4, 1795586460000000, 159, 'case', '37', 'e-mail', 0, 1, 0, 1795586520000000, 0, '', 'win without a bet', 1);
INSERT INTO `notices` VALUES (5, 1795586460000000, 160, 'case', '38', 'e-mail', 0, 1, 0, 1795586520000000, 0, '', 'win without a bet', 1);
INSERT INTO `notices` VALUES (6, 1795586460000000, 161, 'case', '39', 'e-mail', 0, 1, 0, 1795586520000000, 0, '', 'win without a bet', 1);
INSERT INTO `notices` VALUES (7, 1795586460000000, 162, 'case', '40', 'e-mail', 0, 1, 0, 1795586520000000, 0, '', 'free spin without a grant', 1);
INSERT INTO `notices` VALUES (8, 1795586460000000, 163, 'case', '41', 'e-mail', 0, 1, 0, 1795586520000000, 0, '', 'unconfirmed grant', 1);
INSERT INTO `players` VALUES (1, 'anna', 0, 1795425540000000, 'Europe/Vienna', 'de');
INSERT INTO `players` VALUES (2, 'bert', 0, 1795425600000000, '', '');
INSERT INTO `players` VALUES (3, 'carl', 0, 1795425660000000, '', '');
INSERT INTO `players` VALUES (4, 'deniz', 0, 1795425720000000, 'Europe/Istanbul', '');
INSERT INTO `players` VALUES (5, 'test-eur', 1, 1795425780000000, '', '');
INSERT INTO `postings` VALUES (1, 2, 'opening:1', 1, 1, 1, 5, '', 0, 100000, 0, 100000, 1795425540000000, X'3b330477174d4f2cdaa7a7efa1528b3be88b706fc20bd098b78162764f51bc13', NULL, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (2, 2, 'opening:2', 1, 2, 1, 5, '', 0, 50000, 0, 50000, 1795425600000000, X'c9962cd0f152a4d99a6a973c67616cb2c43085d7f54b4f90896b3395f18a68b0', NULL, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (3, 2, 'opening:3', 1, 3, 1, 5, '', 0, 0, 0, 0, 1795425660000000, X'2d7321a290fc1e564451e8ffe377f8de7ada728028d962dd3a32a67f75301e2b', NULL, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (4, 2, 'opening:4', 1, 4, 1, 5, '', 0, 400000, 0, 400000, 1795425720000000, X'81a00a5c65632073f6415251dec101a35b272aba17a5854877f9f1407ee03d81', NULL, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (5, 2, 'opening:5', 1, 5, 1, 5, '', 0, 50000, 0, 50000, 1795425780000000, X'a3764a04f29c3c1404ef60df1468e5c567c85794e415abb402e5aea14c88aae8', NULL, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (6, 1, 'bet-1', 1, 1, 2, 1, 'r-bet-1', 1000, 0, 0, 99000, 1795425960000000, X'ac3b6482da1b0ab5e2ed55670bb0bbcfd546a1f8a04ec65020ba377390b192d8', NULL, 4294967297, 1795425960000000, X'cb007107', X'4c3d5894012f0022fa6e7515c02f9bbe');
INSERT INTO `postings` VALUES (7, 1, 'win-1', 1, 1, 3, 2, 'r-win-1', 0, 700, 0, 99700, 1795426020000000, X'821649a426d8d91893c5096490feb6627096088b494cb984648c1bd45d6aeaa8', NULL, 4294967298, 1795426020000000, X'cb007107', X'a6492ffe12300e873263a2a042c9acfc');
INSERT INTO `postings` VALUES (8, 1, 'both-1', 1, 1, 5, 3, 'r-both-1', 500, 900, 0, 100100, 1795426080000000, X'a66b9fe0c1ca8ffb9b58a1c2c65f3b3efd5be1d49c47b6cdbcf07cb5bbccadce', NULL, 4294967299, 1795426080000000, X'cb007107', X'cc4400d239e6e4f8c04723ad8c24fa8c');
INSERT INTO `postings` VALUES (9, 1, 'bet-2', 1, 1, 6, 1, 'r-bet-2', 250, 0, 0, 99850, 1795426140000000, X'f532642e51deb311167294439e271c11114e495ae5bbd46b1786ffef1f8f7406', NULL, 4294967300, 1795426140000000, X'cb007107', X'98ecdd5db73561dd529ee778b2b913b1');
INSERT INTO `postings` VALUES (10, 1, 'bet-2', 2, 1, 7, 1, 'r-bet-2', 250, 0, 0, 100100, 1795426200000000, X'c162b53ff2919969059ebb9946cfcdf292dedc9736b75e9a0726decd43cff1f4', NULL, 4294967301, 1795426200000000, X'cb007107', X'a92e0831f61ec607b4d99c6f75684afa');
INSERT INTO `postings` VALUES (11, 1, 'both-1', 2, 1, 9, 3, 'r-both-1', 500, 900, 0, 99700, 1795426260000000, X'3bb2db52d4c263d40e7e9796fe7adac3d9ac81116322f724b072ca16bcbb3763', NULL, 4294967302, 1795426260000000, X'cb007107', X'723f858e341824ecb6d9ff96b5e3d823');
INSERT INTO `postings` VALUES (12, 1, 'early', NULL, 1, 10, 4, '', 0, 0, 0, 99700, 1795426320000000, X'18678289c0b9890e055e467448e1c7ec9042578adf6eaa3ff5a6f765bc7e1fb5', NULL, 4294967303, 1795426320000000, X'cb007107', X'9aec9c299f7ff2ecad552eec31f57e64');
INSERT INTO `postings` VALUES (13, 1, 'alone', 1, 1, 11, 2, 'r-alone', 0, 50, 0, 99750, 1795426620000000, X'3f8b59749efb5d47fc09aa76620147c86e2148de12104772003c0670f044507f', NULL, 4294967308, 1795426620000000, X'cb007107', X'14755f1f32ef8459f5aac2ba85ecef13');
INSERT INTO `postings` VALUES (14, 1, 'win-2', 1, 1, 12, 2, 'r-win-2', 0, 40, 0, 99790, 1795426740000000, X'bc7d0dad4e1810f881f64480da67b70b9389064f324f84768f48bc9e483641b2', NULL, 4294967310, 1795426740000000, X'cb007107', X'73d382dea8ca167dfe60dcd4073175a8');
INSERT INTO `postings` VALUES (15, 1, 'win-2', 2, 1, 13, 2, 'r-win-2', 0, 40, 0, 99750, 1795426800000000, X'161e3623f7b37c07187a47da9d2dd29d088530f9735571e56e232ccd0b90206b', NULL, 4294967311, 1795426800000000, X'cb007107', X'3d91a5bd67e78e21a1303799b2f392b4');
INSERT INTO `postings` VALUES (16, 1, 'bet-5', 1, 2, 2, 1, 'r-bet-5', 300, 0, 0, 49700, 1795426860000000, X'e01504b2cb7a4a3825489c99813c80ac882d928640b33668e2fda8f901869f71', NULL, 4294967312, 1795426860000000, X'cb007107', X'631bfb7eecdf0d5e449ba6e99fafc9ae');
INSERT INTO `postings` VALUES (17, 1, 'bet-6', 1, 4, 2, 1, 'r-bet-6', 2000, 0, 0, 398000, 1795426920000000, X'00acc4681c15226da04c2dcef566b1838fe42f0ffe68443b8472e761650eccbd', NULL, 4294967313, 1795426920000000, X'cb007107', X'8449c729dec01eb80cef7fbb7a4a7bf2');
INSERT INTO `postings` VALUES (18, 1, 'win-6', 1, 4, 3, 2, 'r-win-6', 0, 90000, 0, 488000, 1795426980000000, X'524bdda18cee1bcb4084fb9bad310b98804dd39e6f1c1a42f63c328e2c6b3e92', NULL, 4294967314, 1795426980000000, X'cb007107', X'9f81888d9d37a1f00145016df81ea6e9');
INSERT INTO `postings` VALUES (19, 1, 'both-7', 1, 5, 3, 3, 'r-both-7', 100, 50, 0, 49950, 1795427040000000, X'6bffd0aae2e1628de88e687d34d860976df3716850faa9d800f03282a0e35c9a', NULL, 4294967315, 1795427040000000, X'cb007107', X'dd6226b0acefaf8db8b43b80fc63c1c7');
INSERT INTO `postings` VALUES (20, 1, 'bet-8', 1, 1, 14, 1, 'r-bet-8', 400, 0, 0, 99350, 1795427100000000, X'e048b87a5fc5aecf1fb1e921785161c53886881d63dbd64196da8b90e1051c6e', NULL, 4294967316, 1795427100000000, X'cb007107', X'674a24da7ee62a1df7f5b0fc01a1694e');
INSERT INTO `postings` VALUES (21, 1, 'bet-9', 1, 1, 15, 1, 'r-bet-9', 600, 0, 0, 98750, 1795427160000000, X'355372cdea9cfdefe460307519581c9933494835c8cddc68181efecd03599b67', NULL, 4294967317, 1795427160000000, X'cb007107', X'edded6d163839d82778e72f9acc7bc69');
INSERT INTO `postings` VALUES (22, 1, 'void', 1, 2, 3, 1, 'r-void', 700, 0, 0, 49000, 1795427220000000, X'cb8830bdaaacc1e3e0160a7c6a9ac366f2b50090217c0b67a9a6086fd0f0bc53', NULL, 4294967318, 1795427220000000, X'cb007107', X'c9188ad9f7b32db87c261a481f7158d4');
INSERT INTO `postings` VALUES (23, 1, 'spin-1', 1, 1, 15, 1, 'r-spin-1', 20, 0, 1, 98750, 1795427520000000, X'bdb368d99d77113b0ca03653f6844d17c92b52decb4c18d493a121bad0d360dc', NULL, 4294967319, 1795427520000000, X'cb007107', X'39708a1d18fa5d82924822c70c9bbc45');
INSERT INTO `postings` VALUES (24, 1, 'spin-1-win', 1, 1, 16, 2, 'r-spin-1-win', 0, 150, 0, 98900, 1795427580000000, X'a2b7876068fe8d5fe281df52efbde927062d3aa816c0db94a4fc35e365f3a65e', NULL, 4294967320, 1795427580000000, X'cb007107', X'19d26da6bf9647bab7e2e02e6fe0ac86');
INSERT INTO `postings` VALUES (25, 1, 'spin-2', 1, 1, 16, 1, 'r-spin-2', 20, 0, 1, 98900, 1795427640000000, X'59442625037504de2066a0bd0efaa6c6c67167c16745680031cfc97e931999bb', NULL, 4294967321, 1795427640000000, X'cb007107', X'9aa28064599545a75de71f9cfb9f6ef2');
INSERT INTO `postings` VALUES (26, 1, 'spin-2', 2, 1, 16, 1, 'r-spin-2', 20, 0, 1, 98900, 1795427700000000, X'b57ae26dc9c99575b553c706e4edb7cf2c099341357f95590f114ca8eeff869d', NULL, 4294967322, 1795427700000000, X'cb007107', X'668098e5dc93059c00f560eb89285b03');
INSERT INTO `postings` VALUES (27, 1, 'spin-3', 1, 2, 3, 1, 'r-spin-3', 20, 0, 1, 49000, 1795427760000000, X'b2aa582233ef0d165535f1de3821655b6b11ec29fadf40149192b072c30694c3', NULL, 4294967323, 1795427760000000, X'cb007107', X'c467234e9ed7bf9a77c841b58143fa0f');
INSERT INTO `postings` VALUES (28, 3, 'deposit@1', 1, 1, 17, 7, '', 0, 5000, 0, 103900, 1795429800000000, X'52cc175dd26581e780961dba5bca3eedd1049576e71f79fd5b206f7855e51dbc', 0, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (29, 3, 'held@1', 1, 1, 18, 8, '', 100, 0, 0, 103800, 1795429860000000, X'5e293dea24f3fcf283fccc037322727c61f9a253e32d9e4179fb7072519953d4', 100, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (30, 3, 'paid@1', 1, 1, 19, 8, '', 100, 0, 0, 103700, 1795429920000000, X'698745e0343f39c140d458d72c98ed8edab115de988535b4b22d9c541c00f0fa', 200, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (31, 3, 'returned@1', 1, 1, 20, 8, '', 100, 0, 0, 103600, 1795429980000000, X'd2c9155863d942d9e55aae0529e958e7fbfa2042a7854dbd2a906143b2a1f81b', 300, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (32, 3, 'bounced@1', 1, 1, 21, 8, '', 100, 0, 0, 103500, 1795430040000000, X'08bfa21498ca605e75f45b238b075b1fbfa661287e8d3b1ff34b937221d74a38', 400, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (33, 3, 'paid@1', 2, 1, 22, 9, '', 100, 0, 0, 103500, 1795430100000000, X'4a12bbf66082b3326b0973d46c6dbd9702d5bae7893b6ef23ff6a591d7e226d4', 300, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (34, 3, 'returned@1', 2, 1, 23, 8, '', 100, 0, 0, 103600, 1795430160000000, X'f01d0599a3e8be3473300e1232487aeba0d4b168eb98621343a805aaa232f8d9', 200, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (35, 3, 'bounced@1', 2, 1, 24, 9, '', 100, 0, 0, 103600, 1795430220000000, X'4b1d9eeb3c217f878c3a5b2080f725e75a5bb589c75179ea6a701511afef2e03', 100, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (36, 3, 'bounced bounced@1', 1, 1, 25, 11, '', 0, 100, 0, 103700, 1795430280000000, X'28ba9042620165c6c0db2f922089b65a56dd8214943441461ee3602da797f29e', 100, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (37, 3, 'approved@1', 1, 1, 26, 8, '', 3000, 0, 0, 100700, 1795430340000000, X'c262838b6a2dce9ac35e511465a55f0a3c72dda53e8f00e7c687869c9ced5f02', 3100, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (38, 3, 'refused@1', 1, 1, 27, 8, '', 3000, 0, 0, 97700, 1795430460000000, X'1de2db5c680aa9f300b7507de50f45da2348f14adfd247527d785d8b11d81e9f', 6100, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (39, 3, 'refused@1', 2, 1, 28, 8, '', 3000, 0, 0, 100700, 1795430520000000, X'684e3d25b79f97fc3b0d380cf85fd7fec46d434d986f9d69f8c9f8bf57089774', 3100, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (40, 3, 'waiting@1', 1, 1, 29, 8, '', 3000, 0, 0, 97700, 1795430580000000, X'97875dc350d599e4b38161fd652671f1968a9888e68dde2d40403df119563852', 6100, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (41, 3, 'approved@1', 2, 1, 30, 9, '', 3000, 0, 0, 97700, 1795430640000000, X'013247322cbbdb33ed1b7b1c5330fe673bd47bebdb2c8c916ef00e77e2618948', 3100, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (42, 2, 'correction:1', 1, 1, 31, 6, '', 0, 300, 0, 98000, 1795431420000000, X'da342cf377f3ed03e4e3289861087bd386217c0ecfa87ad285142c9d0a2f277d', NULL, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (43, 2, 'correction:2', 1, 1, 32, 6, '', 100, 0, 0, 97900, 1795431540000000, X'c0be91f01cb5c6f18099e37204c3b4017327cac864ca1eb0745ab6f6d80ff3d2', NULL, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (44, 1, 'bet-8', 2, 1, 33, 1, 'r-bet-8', 400, 0, 0, 98300, 1795431660000000, X'a05b6fa999fd538367b54133a1986c40de643b37a9c468530641dd85b7a9f7bf', NULL, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (45, 1, 'bet-9-win', 1, 1, 34, 2, 'r-bet-9-win', 0, 900, 0, 99200, 1795431780000000, X'935406a736ae62f42c1fa673729fec0080c809a29017cca3515e8b3bbb7adfa4', NULL, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (46, 1, 'bet-10', 1, 1, 35, 1, 'r-bet-10', 100, 0, 0, 99100, 1795500000000000, X'9290374d5bc0d1c5de311afdcef4a07d9bfb924bc6ac897ff8db6b8821294c8e', NULL, 4294967324, 1795500000000000, X'cb007107', X'a4f5a7a67b4c2b3ff7d59042c0fe52c4');
INSERT INTO `program_runs` VALUES (1, 'a host, callbacks 127.0.0.1:8081, back office 127.0.0.1:8080', '0.1.0', '{"PITBOSS_AGENT_ID":"1f3a"}', 9, 1795424880000000, 1795424880000000, 1795424880000000);
INSERT INTO `restrictions` VALUES (1, 1, 3, '', 2, 3, 1795430760000000, 1795517160000000, 'Asked for it.', 0, 'api:cashier', '', '', 0, '', '', 0, 0, '', '', 0, '');
INSERT INTO `restrictions` VALUES (2, 1, 2, '', 5, 1, 1795430880000000, 253402214400000000, 'Asked us to.', 4, 'sofia', 'support', 'Asked again.', 4, 'sofia', 'support', 2, 7, 'chloe', 'compliance', 1795431000000000, '');
INSERT INTO `restrictions` VALUES (3, 1, 2, '', 5, 2, 1795431060000000, 253402214400000000, 'Asked us to.', 4, 'sofia', 'support', 'Asked again.', 4, 'sofia', 'support', 1, 0, '', '', 0, '');
INSERT INTO `restrictions` VALUES (4, 4, 0, 'g3', 5, 1, 1795431180000000, 253402214400000000, 'Asked us to.', 7, 'chloe', 'compliance', '', 0, '', '', 0, 0, '', '', 0, '');
INSERT INTO `saved_views` VALUES (1, 4, '/transactions', 'Anna', 'player=anna', 0, 1795434780000000);
INSERT INTO `settings` VALUES ('sign-in rules', '{"IdleMinutes":15,"SessionHours":12,"SecondFactorRoles":null,"UnusedDays":90}', 1795424400000000);
INSERT INTO `settings` VALUES ('grant limits', '{"Limits":{"SpinsPerGrant":50,"PlayerGrantsPerDay":3,"PlayerSpinsPerDay":100,"StaffGrantsPerDay":2000,"StaffSpinsPerDay":15000,"HouseSpinsPerDay":30000,"Cost":{"EUR":{"Grant":2000,"PlayerPerDay":4000,"HousePerDay":600000}}},"SpinCost":{"EUR":20}}', 1795425000000000);
INSERT INTO `settings` VALUES ('base currency', '"EUR"', 1795425120000000);
INSERT INTO `settings` VALUES ('notices', '{"kinds":["case","request"]}', 1795425360000000);
INSERT INTO `sign_in_counters` VALUES ('stranger', 'sofia', '192.0.2.10', 1, 1795434600000000, 0);
INSERT INTO `sign_in_counters` VALUES ('strangers', 'sofia', '', 1, 1795434600000000, 0);
INSERT INTO `sign_in_counters` VALUES ('address', '', '192.0.2.10', 1, 1795434600000000, 0);
INSERT INTO `spin_attributions` VALUES (1, 1, 1, 2);
INSERT INTO `spin_attributions` VALUES (1, 2, 1, 2);
INSERT INTO `spin_attributions` VALUES (1, 3, 1, 3);
INSERT INTO `spin_attributions` VALUES (2, 1, 0, 0);
INSERT INTO `spin_entries` VALUES (1, 1, 20, 'spin-1', 'r-spin-1', 1, 20, 1, 1795427520000000, X'bdb368d99d77113b0ca03653f6844d17c92b52decb4c18d493a121bad0d360dc', X'39708a1d18fa5d82924822c70c9bbc45');
INSERT INTO `spin_entries` VALUES (1, 2, 20, 'spin-2', 'r-spin-2', 1, 20, 1, 1795427640000000, X'59442625037504de2066a0bd0efaa6c6c67167c16745680031cfc97e931999bb', X'9aa28064599545a75de71f9cfb9f6ef2');
INSERT INTO `spin_entries` VALUES (1, 3, 21, 'spin-2', 'r-spin-2', -1, -20, 0, 1795427700000000, X'b57ae26dc9c99575b553c706e4edb7cf2c099341357f95590f114ca8eeff869d', X'668098e5dc93059c00f560eb89285b03');
INSERT INTO `spin_entries` VALUES (2, 1, 20, 'spin-3', 'r-spin-3', 1, 20, 0, 1795427760000000, X'b2aa582233ef0d165535f1de3821655b6b11ec29fadf40149192b072c30694c3', X'c467234e9ed7bf9a77c841b58143fa0f');
INSERT INTO `staff` VALUES (1, 'ada', 'Ada Lindqvist', 'admin', '$argon2id$v=19$m=8,t=1,p=1$7mNazKih4tdnZmPz1BVyRw$afhj6ghI+P9S3NeqieHvz9NaPVkWWRO1yb8n1sh9MZQ', 0, '', 0, 0, 'UTC', 'system', 'roomy', 0, 1795424400000000, 1795424400000000, 0, '', 0, 'null', NULL);
INSERT INTO `staff` VALUES (2, 'adam', 'Adam Okafor', 'admin', '$argon2id$v=19$m=8,t=1,p=1$5JihIxnPDsGLFVLQd4Zs/w$WRaQiV7wM0xiCejJNlH4C28yt692R7xKk006aqro55k', 0, '', 0, 0, 'UTC', 'system', 'roomy', 0, 1795424400000000, 1795424400000000, 0, '', 0, 'null', NULL);
INSERT INTO `staff` VALUES (3, 'bruno', 'Bruno Keller', 'bonus', '$argon2id$v=19$m=8,t=1,p=1$P1UCSmLxXYETfegTSN0yXQ$2hqGiFwjbfCz9qyWqeu5KllDsg+raSTyHtE2N5nt0es', 0, '', 0, 0, 'UTC', 'system', 'roomy', 0, 1795424400000000, 1795424400000000, 0, '', 0, 'null', NULL);
INSERT INTO `staff` VALUES (4, 'sofia', 'Sofia Marchetti', 'support', '$argon2id$v=19$m=8,t=1,p=1$XyWsN6De5dBLv68IKg48PA$KriatGOLDIhIQnY+8EFlzrwgn31GYxm9t+ve+fhgOuU', 0, '', 0, 0, 'UTC', 'system', 'roomy', 0, 1795424400000000, 1795424400000000, 1795434720000000, '', 0, 'null', NULL);
INSERT INTO `staff` VALUES (5, 'farid', 'Farid Haddad', 'finance', '$argon2id$v=19$m=8,t=1,p=1$j0tpLVXhFH/2Et159wxmGg$QYC+qwwa0xUVh0W8fOzht24sNVFq6H8HSncUNej9aUk', 0, '', 0, 0, 'UTC', 'system', 'roomy', 0, 1795424400000000, 1795424400000000, 0, '', 0, 'null', NULL);
INSERT INTO `staff` VALUES (6, 'mira', 'Mira Novak', 'finance', '$argon2id$v=19$m=8,t=1,p=1$vmpe1cQRXEU+RYcdcuo9bw$mcN/IJ2ROQVwl9IXUgK7G7dL+/HEQwfDXyoKiIfUoCA', 0, '', 0, 0, 'UTC', 'system', 'roomy', 0, 1795424400000000, 1795424400000000, 0, '', 0, 'null', NULL);
INSERT INTO `staff` VALUES (7, 'chloe', 'Chloe Martin', 'compliance', '$argon2id$v=19$m=8,t=1,p=1$AmvlXFacmvRovzgyUUPg4g$8njmgvpMyZ2COSFg0+FQxZWedhICnHxNzWrMrk/7Y2I', 0, '', 0, 0, 'UTC', 'system', 'roomy', 0, 1795424400000000, 1795424400000000, 0, '', 0, 'null', NULL);
INSERT INTO `staff` VALUES (8, 'nora', 'nora', 'finance', '', 0, '', 0, 0, 'UTC', 'system', 'roomy', 0, 1795434000000000, 0, 0, '', 0, '[{"act":"created","by_id":1,"by":"ada","at":"2026-11-23T11:40:00Z"},{"act":"link","by_id":1,"by":"ada","at":"2026-11-23T11:41:00Z"}]', NULL);
INSERT INTO `staff` VALUES (9, 'otto', 'otto', 'compliance', 'another hash', 0, 'sealed', 1, 0, 'UTC', 'system', 'roomy', 0, 1795434120000000, 1795434240000000, 0, '', 0, '[]', NULL);
INSERT INTO `staff` VALUES (10, 'olaf', 'olaf', 'support', '', 0, '', 0, 1, 'UTC', 'system', 'roomy', 0, 1795434420000000, 0, 0, '', 0, '[{"act":"created","by_id":1,"by":"ada","at":"2026-11-23T11:47:00Z"}]', NULL);
INSERT INTO `staff` VALUES (11, 'admin-one', 'admin-one', 'admin', 'x', 0, '', 0, 0, 'UTC', 'system', 'roomy', 0, 1795434540000000, 1795434540000000, 0, '', 0, 'null', NULL);
INSERT INTO `staff` VALUES (12, 'admin-two', 'admin-two', 'admin', 'x', 0, '', 0, 0, 'UTC', 'system', 'roomy', 0, 1795434540000000, 1795434540000000, 0, '', 0, 'null', NULL);
INSERT INTO `staff_devices` VALUES (1, 4, 'a device', '192.0.2.10', 1795434720000000);
INSERT INTO `staff_links` VALUES (8, 'of a link', 'shown', 1795434060000000, 1795437660000000);
INSERT INTO `staff_passkeys` VALUES (1, 9, 'key', '{"id":1}', 0, 1795434360000000, 0);
INSERT INTO `staff_passwords` VALUES (1, 9, 'a hash');
INSERT INTO `staff_recovery_codes` VALUES (1, 9, 'code 1');
INSERT INTO `staff_recovery_codes` VALUES (2, 9, 'code 2');
INSERT INTO `staff_sessions` VALUES (1, '5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e', 4, '{}', '192.0.2.10', 'Firefox', 1795434660000000, 1795434660000000, 1795438260000000, 'of the session', '', '');
INSERT INTO `statement_differences` VALUES (1, 1, 2, 0, 'win-1', 7, 1, 'anna', 'EUR', 2, 0, 1795426020000000, 3, '', '', 1, 'EUR', 0, 700, 0, 1, 1, 'EUR', 0, 800, 0, 1, 'the amount: platform 8.00, here 7.00', 2, 100, 22);
INSERT INTO `statement_differences` VALUES (1, 2, 4, 0, 'alone', 13, 1, 'anna', 'EUR', 2, 0, 1795426620000000, 0, '', '', 1, 'EUR', 0, 50, 0, 1, 0, '', 0, 0, 0, 0, '', 4, 50, 23);
INSERT INTO `statement_differences` VALUES (1, 3, 4, 0, 'bet-5', 16, 2, 'bert', 'EUR', 1, 0, 1795426860000000, 0, '', '', 1, 'EUR', 300, 0, 0, 1, 0, '', 0, 0, 0, 0, '', 1, 300, 24);
INSERT INTO `statement_differences` VALUES (1, 4, 4, 0, 'bet-6', 17, 4, 'deniz', 'TRY', 1, 0, 1795426920000000, 0, '', '', 1, 'TRY', 2000, 0, 0, 1, 0, '', 0, 0, 0, 0, '', 1, 2000, 25);
INSERT INTO `statement_differences` VALUES (1, 5, 4, 0, 'win-6', 18, 4, 'deniz', 'TRY', 2, 0, 1795426980000000, 0, '', '', 1, 'TRY', 0, 90000, 0, 1, 0, '', 0, 0, 0, 0, '', 4, 90000, 26);
INSERT INTO `statement_differences` VALUES (1, 6, 4, 0, 'both-7', 19, 5, 'test-eur', 'EUR', 3, 0, 1795427040000000, 0, '', '', 1, 'EUR', 100, 50, 0, 1, 0, '', 0, 0, 0, 0, '', 1, 50, 27);
INSERT INTO `statement_differences` VALUES (1, 7, 4, 0, 'bet-9', 21, 1, 'anna', 'EUR', 1, 0, 1795427160000000, 0, '', '', 1, 'EUR', 600, 0, 0, 1, 0, '', 0, 0, 0, 0, '', 1, 600, 28);
INSERT INTO `statement_differences` VALUES (1, 8, 4, 0, 'void', 22, 2, 'bert', 'EUR', 1, 0, 1795427220000000, 0, '', '', 1, 'EUR', 700, 0, 0, 1, 0, '', 0, 0, 0, 0, '', 1, 700, 29);
INSERT INTO `statement_differences` VALUES (1, 9, 4, 0, 'spin-1', 23, 1, 'anna', 'EUR', 1, 1, 1795427520000000, 0, '', '', 1, 'EUR', 20, 0, 1, 1, 0, '', 0, 0, 0, 0, '', 0, 0, 30);
INSERT INTO `statement_differences` VALUES (1, 10, 4, 0, 'spin-1-win', 24, 1, 'anna', 'EUR', 2, 0, 1795427580000000, 0, '', '', 1, 'EUR', 0, 150, 0, 1, 0, '', 0, 0, 0, 0, '', 4, 150, 31);
INSERT INTO `statement_differences` VALUES (1, 11, 4, 0, 'spin-3', 27, 2, 'bert', 'EUR', 1, 1, 1795427760000000, 0, '', '', 1, 'EUR', 20, 0, 1, 1, 0, '', 0, 0, 0, 0, '', 0, 0, 32);
INSERT INTO `statement_differences` VALUES (1, 12, 4, 0, 'bet-9-win', 45, 1, 'anna', 'EUR', 2, 0, 1795431780000000, 0, '', '', 1, 'EUR', 0, 900, 0, 1, 0, '', 0, 0, 0, 0, '', 4, 900, 33);
INSERT INTO `statement_differences` VALUES (1, 13, 5, 0, 'lost', 0, 2, 'bert', 'EUR', 1, 0, 0, 4, '', '', 0, '', 0, 0, 0, 0, 1, 'EUR', 500, 0, 0, 1, '', 4, 500, 21);
INSERT INTO `statement_runs` VALUES (1, 1, 1795433940000000, 'farid', 5, 1, 1000, 3, 0, 13, 0, 0, 0, '', 1795433940000000, 1795433940000000, 1, '[{"currency":"EUR","bucket":1,"count":1,"silent":5,"ours":{"turnover":1000,"payout":0,"spin_stakes":0},"theirs":{"turnover":1000,"payout":0,"spin_stakes":0}},{"currency":"EUR","bucket":2,"count":1,"ours":{"turnover":0,"payout":700,"spin_stakes":0},"theirs":{"turnover":0,"payout":800,"spin_stakes":0}},{"currency":"EUR","bucket":4,"count":9,"ours":{"turnover":1700,"payout":1150,"spin_stakes":40},"theirs":{"turnover":0,"payout":0,"spin_stakes":0}},{"currency":"EUR","bucket":5,"count":1,"ours":{"turnover":0,"payout":0,"spin_stakes":0},"theirs":{"turnover":500,"payout":0,"spin_stakes":0}},{"currency":"TRY","bucket":4,"count":2,"ours":{"turnover":2000,"payout":90000,"spin_stakes":0},"theirs":{"turnover":0,"payout":0,"spin_stakes":0}}]', 'null');
INSERT INTO `statements` VALUES (1, 1795433940000000, 'farid', 'platform.csv', 'd0b59516b5d18fdaac7a4915bfbf2645e2accfa23106b069e6ec2e3332f9f403', 132, '["transaction_id","type","amount","status","user_id","currency"]', '1c414bb28145580a1b1a8ed994f1c53c8bf918d62930d5b65c504c2516958e4c', '20261123T113900-F7GWH63ITOLI27BRNEJZMWYM43', '{"decimal":",","columns":{"amount":"amount","currency":"currency","kind":"type","player":"user_id","state":"status","transaction":"transaction_id"},"times":"iso","zone":"UTC"}', 1795347540000000, 1795433940000000, 300000000, 0);
INSERT INTO `verifications` VALUES (1, 1795586520000000, 'chloe', 5, 0, 1795586520000000, 1795586520000000, 49, 49, 0, '{"Keyed":true,"Wallets":5,"Entries":45,"SpinEntries":4,"Transactions":35,"Tombstones":1,"AuditEvents":163,"ErasedTexts":0,"CoveredRows":98,"Checkpoints":0,"Held":0,"Faulty":null,"Audit":{"Faults":null,"Total":0},"Rows":{"Faults":null,"Total":0},"Figures":{"Faults":null,"Total":0},"Written":{"Faults":null,"Total":0}}', '');
INSERT INTO `wallets` VALUES (1, 'EUR', 0, 0, 0, 0, '{"zone":"Europe/Vienna","list":[{"kind":1,"period":1,"amount":300000,"next":{"to":400000,"at":"2026-11-24T10:55:00Z"}},{"kind":2,"period":3,"amount":500000}]}', '[{"from":"2026-11-23T23:00:00Z","until":"2026-11-24T23:00:00Z","stake":100,"won":0,"paid":0},{"from":"2026-11-22T23:00:00Z","until":"2026-11-29T23:00:00Z","stake":1700,"won":1800,"paid":5000},{"from":"2026-10-31T23:00:00Z","until":"2026-11-30T23:00:00Z","stake":1700,"won":1800,"paid":5000}]', 99100, 3100, 35, X'9290374d5bc0d1c5de311afdcef4a07d9bfb924bc6ac897ff8db6b8821294c8e', 3, X'b57ae26dc9c99575b553c706e4edb7cf2c099341357f95590f114ca8eeff869d', 0);
INSERT INTO `wallets` VALUES (2, 'EUR', 0, 253402214400000000, 0, 0, '', '', 49000, 0, 3, X'cb8830bdaaacc1e3e0160a7c6a9ac366f2b50090217c0b67a9a6086fd0f0bc53', 1, X'b2aa582233ef0d165535f1de3821655b6b11ec29fadf40149192b072c30694c3', 0);
INSERT INTO `wallets` VALUES (3, 'EUR', 0, 0, 1795517160000000, 0, '', '', 0, 0, 1, X'2d7321a290fc1e564451e8ffe377f8de7ada728028d962dd3a32a67f75301e2b', 0, X'0000000000000000000000000000000000000000000000000000000000000000', 0);
INSERT INTO `wallets` VALUES (4, 'TRY', 0, 0, 0, 0, '', '', 488000, 0, 3, X'524bdda18cee1bcb4084fb9bad310b98804dd39e6f1c1a42f63c328e2c6b3e92', 0, X'0000000000000000000000000000000000000000000000000000000000000000', 0);
INSERT INTO `wallets` VALUES (5, 'EUR', 0, 0, 0, 0, '', '', 49950, 0, 3, X'6bffd0aae2e1628de88e687d34d860976df3716850faa9d800f03282a0e35c9a', 0, X'0000000000000000000000000000000000000000000000000000000000000000', 0);
INSERT INTO `sqlite_sequence` VALUES ('goose_db_version', '10');
INSERT INTO `sqlite_sequence` VALUES ('audit_events', '165');
INSERT INTO `sqlite_sequence` VALUES ('staff', '12');
INSERT INTO `sqlite_sequence` VALUES ('program_runs', '1');
INSERT INTO `sqlite_sequence` VALUES ('change_requests', '7');
INSERT INTO `sqlite_sequence` VALUES ('game_syncs', '2');
INSERT INTO `sqlite_sequence` VALUES ('games', '4');
INSERT INTO `sqlite_sequence` VALUES ('game_changes', '5');
INSERT INTO `sqlite_sequence` VALUES ('players', '5');
INSERT INTO `sqlite_sequence` VALUES ('postings', '46');
INSERT INTO `sqlite_sequence` VALUES ('grants', '6');
INSERT INTO `sqlite_sequence` VALUES ('grant_observations', '1');
INSERT INTO `sqlite_sequence` VALUES ('campaigns', '6');
INSERT INTO `sqlite_sequence` VALUES ('game_sessions', '1');
INSERT INTO `sqlite_sequence` VALUES ('api_clients', '1');
INSERT INTO `sqlite_sequence` VALUES ('restrictions', '4');
INSERT INTO `sqlite_sequence` VALUES ('corrections', '7');
INSERT INTO `sqlite_sequence` VALUES ('statements', '1');
INSERT INTO `sqlite_sequence` VALUES ('statement_runs', '1');
INSERT INTO `sqlite_sequence` VALUES ('staff_passwords', '1');
INSERT INTO `sqlite_sequence` VALUES ('staff_recovery_codes', '2');
INSERT INTO `sqlite_sequence` VALUES ('staff_passkeys', '1');
INSERT INTO `sqlite_sequence` VALUES ('staff_sessions', '1');
INSERT INTO `sqlite_sequence` VALUES ('staff_devices', '1');
INSERT INTO `sqlite_sequence` VALUES ('saved_views', '1');
INSERT INTO `sqlite_sequence` VALUES ('notices', '8');
INSERT INTO `sqlite_sequence` VALUES ('verifications', '1');
CREATE INDEX api_clients_at ON api_clients (at_us, id);
CREATE INDEX audit_events_action ON audit_events (action);
CREATE INDEX audit_events_actor ON audit_events (actor);
CREATE INDEX audit_events_address ON audit_events (address);
CREATE INDEX audit_events_kind ON audit_events (object);
CREATE INDEX audit_events_object ON audit_events (object, object_id);
CREATE INDEX audit_events_player ON audit_events (player_id);
CREATE INDEX audit_events_session ON audit_events (session);
CREATE INDEX audit_events_state ON audit_events (object, object_id) WHERE stated = 1;
CREATE INDEX callback_records_address ON callback_records (address);
CREATE INDEX callback_records_transaction ON callback_records (transaction_id);
CREATE INDEX callback_records_user ON callback_records (user_id);
CREATE INDEX callback_records_verdict ON callback_records (verdict);
CREATE INDEX campaign_lines_player ON campaign_lines (campaign_id, player_id);
CREATE INDEX campaign_lines_to_go ON campaign_lines (campaign_id, grant_id, refused_at_us, line);
CREATE INDEX campaigns_at ON campaigns (at_us);
CREATE INDEX campaigns_digest ON campaigns (digest);
CREATE INDEX campaigns_job_state ON campaigns (job_state, at_us);
CREATE INDEX campaigns_maker ON campaigns (maker_id, at_us);
CREATE INDEX campaigns_state ON campaigns (state, maker_id);
CREATE INDEX cases_currency ON cases (currency, found_at_us);
CREATE INDEX cases_decided ON cases (decided_at_us);
CREATE INDEX cases_due ON cases (due_us);
CREATE INDEX cases_found ON cases (found_at_us);
CREATE INDEX cases_grant ON cases (grant_id, found_at_us);
CREATE UNIQUE INDEX cases_key ON cases (rule, key_digest);
CREATE INDEX cases_list_rule ON cases (rule, found_at_us);
CREATE INDEX cases_owner ON cases (owner, found_at_us);
CREATE INDEX cases_owner_state ON cases (owner, state, found_at_us);
CREATE INDEX cases_player ON cases (player_id, found_at_us);
CREATE INDEX cases_reference ON cases (reference) WHERE reference <> '';
CREATE INDEX cases_rule ON cases (state, rule, found_at_us);
CREATE INDEX cases_state ON cases (state, found_at_us);
CREATE INDEX cases_statement ON cases (statement_id, found_at_us);
CREATE INDEX cases_statement_state ON cases (statement_id, state, found_at_us);
CREATE INDEX cases_transaction ON cases (transaction_number);
CREATE INDEX cases_verification ON cases (verification_id, found_at_us);
CREATE INDEX cash_reviews_at ON cash_reviews (at_us, id);
CREATE INDEX cash_reviews_maker ON cash_reviews (maker_id, at_us, id);
CREATE INDEX cash_reviews_player ON cash_reviews (player_id, at_us, id);
CREATE INDEX cash_reviews_state ON cash_reviews (state, at_us, id);
CREATE INDEX change_requests_day ON change_requests (subject, day);
CREATE INDEX change_requests_state ON change_requests (state, id);
CREATE INDEX corrections_amount ON corrections (amount_minor);
CREATE INDEX corrections_assignee ON corrections (assignee, at_us);
CREATE INDEX corrections_at ON corrections (at_us);
CREATE INDEX corrections_checker ON corrections (checker_id, at_us);
CREATE INDEX corrections_decided ON corrections (decided_at_us);
CREATE INDEX corrections_kind ON corrections (kind, at_us);
CREATE INDEX corrections_maker ON corrections (maker_id, at_us);
CREATE INDEX corrections_player ON corrections (player_id, at_us);
CREATE INDEX corrections_reason ON corrections (reason, at_us);
CREATE INDEX corrections_reference ON corrections (reference);
CREATE INDEX corrections_state ON corrections (state, at_us);
CREATE INDEX corrections_transaction ON corrections (transaction_id);
CREATE INDEX daily_sums_player ON daily_sums (player_id, day);
CREATE INDEX daily_sums_win ON daily_sums (day, currency, largest_win_minor);
CREATE INDEX event_order_reached ON event_order (player_id, ledger, to_seq);
CREATE INDEX game_changes_at ON game_changes (at_us);
CREATE INDEX game_changes_game ON game_changes (game, at_us);
CREATE INDEX game_changes_kind ON game_changes (kind, at_us);
CREATE INDEX game_sessions_actor ON game_sessions (actor, at_us);
CREATE INDEX game_sessions_at ON game_sessions (at_us);
CREATE INDEX game_sessions_game ON game_sessions (game_id, at_us);
CREATE INDEX game_sessions_launch ON game_sessions (launch);
CREATE INDEX game_sessions_player ON game_sessions (player_id, at_us);
CREATE INDEX game_sessions_state ON game_sessions (state, at_us);
CREATE INDEX game_syncs_at ON game_syncs (at_us);
CREATE INDEX games_provider ON games (provider);
CREATE INDEX games_search ON games (search);
CREATE INDEX games_type ON games (type);
CREATE INDEX grant_observations_grant ON grant_observations (grant_id, at_us);
CREATE INDEX grants_actor ON grants (actor, at_us, state, spins);
CREATE INDEX grants_apart ON grants (apart);
CREATE INDEX grants_at ON grants (at_us);
CREATE INDEX grants_disowned ON grants (disowned_at_us);
CREATE INDEX grants_game ON grants (game_id, at_us);
CREATE INDEX grants_limits ON grants (at_us, state, spins, player_id);
CREATE INDEX grants_list_actor ON grants (actor, at_us);
CREATE INDEX grants_list_campaign ON grants (campaign_id, at_us);
CREATE INDEX grants_next_poll ON grants (next_poll_at_us);
CREATE INDEX grants_player ON grants (player_id, at_us);
CREATE INDEX grants_state ON grants (state, at_us);
CREATE INDEX notices_at ON notices (at_us);
CREATE INDEX notices_client ON notices (client_id, at_us);
CREATE INDEX notices_due ON notices (state, next_us);
CREATE INDEX notices_state ON notices (client_id, state, at_us);
CREATE INDEX players_test ON players (test, user_id);
CREATE UNIQUE INDEX players_user_id ON players (user_id);
CREATE INDEX postings_at ON postings (at_us);
CREATE INDEX postings_class ON postings (claim, kind, free_spin);
CREATE UNIQUE INDEX postings_key ON postings (source, transaction_id, claim);
CREATE INDEX postings_player ON postings (player_id, seq);
CREATE INDEX postings_round ON postings (round_id);
CREATE UNIQUE INDEX postings_signed ON postings (signed_digest);
CREATE INDEX program_runs_ended ON program_runs (ended_at_us, seen_at_us);
CREATE INDEX restrictions_at ON restrictions (at_us, id);
CREATE INDEX restrictions_maker ON restrictions (maker_id, at_us, id);
CREATE INDEX restrictions_player ON restrictions (player_id, at_us, id);
CREATE INDEX restrictions_state ON restrictions (state, at_us, id);
CREATE INDEX restrictions_subject ON restrictions (subject, state, at_us, id);
CREATE INDEX saved_views_page ON saved_views (page, staff_id);
CREATE INDEX sign_in_counters_last ON sign_in_counters (last_at_us);
CREATE INDEX sign_in_counters_username ON sign_in_counters (username);
CREATE INDEX spin_attributions_grant ON spin_attributions (grant_id);
CREATE INDEX spin_entries_at ON spin_entries (at_us);
CREATE INDEX spin_entries_round ON spin_entries (player_id, round_id);
CREATE INDEX staff_devices_address ON staff_devices (staff_id, address);
CREATE INDEX staff_passkeys_staff ON staff_passkeys (staff_id);
CREATE INDEX staff_passwords_staff ON staff_passwords (staff_id);
CREATE INDEX staff_sessions_expiry ON staff_sessions (expires_at_us);
CREATE INDEX staff_sessions_staff ON staff_sessions (staff_id);
CREATE INDEX statement_differences_at ON statement_differences (run_id, at_us, number);
CREATE INDEX statement_differences_bucket ON statement_differences (run_id, bucket, player_id);
CREATE INDEX statement_differences_bucket_at ON statement_differences (run_id, bucket, at_us, number);
CREATE INDEX statement_differences_ours ON statement_differences (our_number);
CREATE INDEX statement_differences_transaction ON statement_differences (transaction_id, run_id);
CREATE INDEX statement_runs_state ON statement_runs (state, id);
CREATE INDEX statement_runs_statement ON statement_runs (statement_id, id);
CREATE INDEX statements_at ON statements (at_us);
CREATE INDEX statements_digest ON statements (digest);
CREATE INDEX statements_file ON statements (file_id);
CREATE INDEX statements_header ON statements (header_digest, at_us);
CREATE INDEX verifications_ended ON verifications (finished_at_us);
CREATE INDEX verifications_state ON verifications (state);
CREATE INDEX wallets_currency ON wallets (currency);
CREATE INDEX wallets_play_from ON wallets (play_from_us);
CREATE TRIGGER audit_events_no_delete BEFORE DELETE ON audit_events BEGIN SELECT RAISE(ABORT, 'audit_events are only added'); END;
CREATE TRIGGER audit_events_no_update BEFORE UPDATE ON audit_events BEGIN SELECT RAISE(ABORT, 'audit_events are only added'); END;
CREATE TRIGGER declined_texts_no_delete BEFORE DELETE ON declined_texts BEGIN SELECT RAISE(ABORT, 'declined_texts are only added'); END;
CREATE TRIGGER declined_texts_no_update BEFORE UPDATE ON declined_texts BEGIN SELECT RAISE(ABORT, 'declined_texts are only added'); END;
CREATE TRIGGER postings_no_delete BEFORE DELETE ON postings BEGIN SELECT RAISE(ABORT, 'postings are only added'); END;
CREATE TRIGGER postings_no_update BEFORE UPDATE ON postings BEGIN SELECT RAISE(ABORT, 'postings are only added'); END;
CREATE TRIGGER spin_entries_no_delete BEFORE DELETE ON spin_entries BEGIN SELECT RAISE(ABORT, 'spin_entries are only added'); END;
CREATE TRIGGER spin_entries_no_update BEFORE UPDATE ON spin_entries BEGIN SELECT RAISE(ABORT, 'spin_entries are only added'); END;
