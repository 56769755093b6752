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
  KEY audit_events_actor (actor),
  KEY audit_events_action (action),
  KEY audit_events_kind (object),
  KEY audit_events_address (address),
  KEY audit_events_session (session),
  KEY audit_events_state (object, stated, object_id) -- a row's latest digest is looked up before the program acts on the row
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- One row: where the audit chain begins and ends. Every change locks it last.
CREATE TABLE IF NOT EXISTS audit_head (
  id TINYINT NOT NULL PRIMARY KEY,
  begin_seq BIGINT NOT NULL, -- the chain begins after this event
  begin_hash BINARY(32) NOT NULL,
  proof VARBINARY(32) NOT NULL, -- of the beginning, keyed with the ledger's key
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

-- The audit chain begins empty. BeginLedger proves its beginning with the ledger's key.
INSERT IGNORE INTO audit_head (id, begin_seq, begin_hash, proof, seq, hash)
VALUES (1, 0, REPEAT(x'00', 32), x'', 0, REPEAT(x'00', 32));

-- Declared restores of an older state of the database (models/restore.go). A declaration says what the database contained
-- before, and from where it continues. The audit chain covers it.
CREATE TABLE IF NOT EXISTS restores (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  at_us BIGINT NOT NULL,
  maker_id BIGINT NOT NULL, -- the account with the name that they gave, or 0
  maker VARCHAR(255) NOT NULL, -- who declared it: the name that they gave
  maker_role VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  os_user VARCHAR(255) NOT NULL,
  source VARCHAR(255) NOT NULL, -- the backup, as described by the person who declared the restore
  reason TEXT NOT NULL,
  state TINYINT NOT NULL, -- models.ApprovalState
  checker_id BIGINT NOT NULL,
  checker VARCHAR(255) NOT NULL,
  checker_role VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  decided_at_us BIGINT NOT NULL,
  decision_note TEXT NOT NULL,
  checkpoints TEXT NOT NULL, -- the checkpoints that the restored database did not have, newest first, as JSON
  audit_seq BIGINT NOT NULL, -- head of the audit chain before the declaration
  audit_head BINARY(32) NOT NULL,
  wallets BIGINT NOT NULL, -- how many rows restore_wallets has for this restore
  entries BIGINT NOT NULL, -- lines of the ledger that are known to be lost
  spin_entries BIGINT NOT NULL,
  sums TEXT NOT NULL, -- balances and held amounts before and after, by currency, as JSON
  digest BINARY(32) NOT NULL -- of the rows in restore_wallets, keyed
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- A wallet that does not continue from its state in a checkpoint: its last known lines, and from where it continues.
CREATE TABLE IF NOT EXISTS restore_wallets (
  restore_id BIGINT NOT NULL,
  player_id BIGINT NOT NULL,
  currency VARBINARY(8) NOT NULL,
  lost_seq BIGINT NOT NULL, -- according to the newest checkpoint with more lines
  lost_spin_seq BIGINT NOT NULL,
  lost_minor BIGINT NOT NULL, -- the balance
  lost_held_minor BIGINT NOT NULL, -- by cash-outs
  seq BIGINT NOT NULL, -- when the restore was declared; 0 if there was no such wallet
  head BINARY(32) NOT NULL,
  spin_seq BIGINT NOT NULL,
  spin_head BINARY(32) NOT NULL,
  balance_minor BIGINT NOT NULL,
  held_minor BIGINT NOT NULL,
  PRIMARY KEY (restore_id, player_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
