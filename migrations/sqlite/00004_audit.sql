-- The audit log, and the proofs of its chain and of the ledger's.
-- +goose Up

-- Every change, sign-in, export and view of player data, in one hash chain. Texts are in the chain as salted digests, so that
-- personal data can be erased and the chain still verifies. Triggers refuse UPDATE and DELETE; an erasure drops the one for
-- UPDATE while it runs.
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
CREATE INDEX audit_events_object ON audit_events (object, object_id);
CREATE INDEX audit_events_player ON audit_events (player_id);
CREATE INDEX audit_events_actor ON audit_events (actor);
CREATE INDEX audit_events_action ON audit_events (action);
CREATE INDEX audit_events_kind ON audit_events (object);
CREATE INDEX audit_events_address ON audit_events (address);
CREATE INDEX audit_events_session ON audit_events (session);
-- A row's latest digest is looked up before the program acts on the row.
CREATE INDEX audit_events_state ON audit_events (object, object_id) WHERE stated = 1;

-- One row: where the audit chain ends. Every change locks it last.
CREATE TABLE audit_head (
  id INTEGER NOT NULL PRIMARY KEY,
  seq INTEGER NOT NULL,
  hash BLOB NOT NULL
) STRICT;

-- Checkpoints that were written. Their files are compared with the ledger, these rows with the files.
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

-- Requested verifications, with their progress and findings.
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
CREATE INDEX verifications_state ON verifications (state);
-- Ended verifications become cases.
CREATE INDEX verifications_ended ON verifications (finished_at_us);

-- The audit chain begins empty.
INSERT INTO audit_head (id, seq, hash) VALUES (1, 0, zeroblob(32));
