-- The audit log, and the proofs of its chain and of the ledger's.
-- +goose Up

-- Every change, sign-in, export and view of player data, in one hash chain. Texts are in the chain as salted digests, so that
-- personal data can be erased and the chain still verifies. Triggers refuse UPDATE and DELETE; an erasure drops the one for
-- UPDATE while it runs.
CREATE TABLE IF NOT EXISTS audit_events (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  at_us BIGINT NOT NULL,
  actor VARCHAR(255) NOT NULL,
  address VARCHAR(64) NOT NULL,
  session VARCHAR(64) NOT NULL, -- short name of the staff session
  action VARCHAR(64) NOT NULL,
  object VARCHAR(64) NOT NULL,
  object_id VARCHAR(255) NOT NULL, -- the object's internal ID, in decimal
  player_id BIGINT NOT NULL DEFAULT 0, -- whom it concerns
  before_text MEDIUMTEXT NOT NULL,
  after_text MEDIUMTEXT NOT NULL,
  reason TEXT NOT NULL,
  salts VARBINARY(80) NOT NULL DEFAULT '', -- one per text; a keyed mark for an erased text
  digests VARBINARY(160) NOT NULL DEFAULT '', -- salted digest of each text
  hash VARBINARY(32) NOT NULL DEFAULT '',
  channel TINYINT UNSIGNED NOT NULL DEFAULT 0, -- models.Channel: how the actor reached Pitboss
  os_user VARCHAR(255) NOT NULL DEFAULT '', -- the operating system's user, for actions at the command line
  stated TINYINT NOT NULL DEFAULT 0, -- 1: digests includes one of the object's row after the event
  replaces BIGINT NOT NULL DEFAULT 0, -- the object's previous event with stated = 1; 0 if none
  KEY audit_events_object (object, object_id),
  KEY audit_events_player (player_id),
  KEY audit_events_actor (actor),
  KEY audit_events_action (action),
  KEY audit_events_kind (object),
  KEY audit_events_address (address),
  KEY audit_events_session (session),
  KEY audit_events_state (object, stated, object_id) -- a row's latest digest is looked up before the program acts on the row
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- One row: where the audit chain ends. Every change locks it last.
CREATE TABLE IF NOT EXISTS audit_head (
  id TINYINT NOT NULL PRIMARY KEY,
  seq BIGINT NOT NULL,
  hash BINARY(32) NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Checkpoints that were written. Their files are compared with the ledger, these rows with the files.
CREATE TABLE IF NOT EXISTS checkpoints (
  number BIGINT NOT NULL PRIMARY KEY,
  at_us BIGINT NOT NULL,
  previous BINARY(32) NOT NULL, -- digest of the previous checkpoint
  digest BINARY(32) NOT NULL,
  signature BINARY(32) NOT NULL,
  key_fingerprint VARBINARY(64) NOT NULL,
  actor VARCHAR(255) NOT NULL,
  wallets BIGINT NOT NULL,
  entries BIGINT NOT NULL,
  spin_entries BIGINT NOT NULL,
  audit_seq BIGINT NOT NULL,
  size_bytes BIGINT NOT NULL,
  file_name VARCHAR(255) NOT NULL DEFAULT '',
  kept_at_us BIGINT NOT NULL DEFAULT 0 -- when the file was written to PITBOSS_CHECKPOINT_DIR
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Requested verifications, with their progress and findings.
CREATE TABLE IF NOT EXISTS verifications (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  at_us BIGINT NOT NULL,
  actor VARCHAR(255) NOT NULL,
  state TINYINT NOT NULL, -- models.JobState
  tries INT NOT NULL DEFAULT 0, -- how often it was begun
  started_at_us BIGINT NOT NULL DEFAULT 0,
  finished_at_us BIGINT NOT NULL DEFAULT 0,
  lines_read BIGINT NOT NULL DEFAULT 0,
  lines_expected BIGINT NOT NULL DEFAULT 0,
  faults BIGINT NOT NULL DEFAULT 0,
  report MEDIUMTEXT NOT NULL, -- the findings, as JSON
  failure TEXT NOT NULL,
  KEY verifications_state (state),
  KEY verifications_ended (finished_at_us) -- ended verifications become cases
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- The audit chain begins empty.
INSERT IGNORE INTO audit_head (id, seq, hash) VALUES (1, 0, REPEAT(x'00', 32));
