-- What running instances share: leases of jobs, notices, and starts of the program.
-- +goose Up

-- Which instance runs a job that only one instance runs, until when, and the job's position.
CREATE TABLE IF NOT EXISTS leases (
  name VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  holder VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  until_us BIGINT NOT NULL,
  position BIGINT NOT NULL, -- the job's position; each job defines what it counts
  mac VARBINARY(32) NOT NULL DEFAULT '', -- proves that the program wrote the position
  -- how often the row was locked: Galera only detects conflicts between rows that two nodes have written
  turns BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (name)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Messages to people outside the back office: an outbox with one row per event and channel, and the delivery log.
CREATE TABLE IF NOT EXISTS notices (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  at_us BIGINT NOT NULL,
  event_id BIGINT NOT NULL, -- the audit event that caused it
  kind VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  object_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  channel VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  client_id BIGINT NOT NULL DEFAULT 0, -- whose webhook it is for
  state TINYINT NOT NULL,
  tries INT NOT NULL,
  next_us BIGINT NOT NULL, -- next attempt
  sent_at_us BIGINT NOT NULL,
  error TEXT NOT NULL,
  detail VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
  occasions BIGINT NOT NULL DEFAULT 1, -- how many events it represents
  UNIQUE KEY notices_event (event_id, channel, client_id),
  KEY notices_at (at_us),
  KEY notices_client (client_id, at_us),
  KEY notices_state (client_id, state, at_us),
  KEY notices_due (state, next_us)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Each start of the program: its version and settings, so that the next start notices an upgrade or a change of settings, and
-- whether it ended cleanly.
CREATE TABLE IF NOT EXISTS program_runs (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  place VARCHAR(255) NOT NULL,
  version VARCHAR(64) NOT NULL,
  settings TEXT CHARACTER SET ascii COLLATE ascii_bin NOT NULL, -- a digest of each setting, as JSON
  schema_no BIGINT NOT NULL,
  started_at_us BIGINT NOT NULL,
  seen_at_us BIGINT NOT NULL,
  ended_at_us BIGINT NOT NULL,
  KEY program_runs_ended (ended_at_us, seen_at_us)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- The contents of files that staff request or upload: compressed pieces of 256 KiB, which fit into a packet of any database.
CREATE TABLE IF NOT EXISTS file_chunks (
  file_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  number BIGINT NOT NULL, -- from 0
  content MEDIUMBLOB NOT NULL,
  PRIMARY KEY (file_id, number)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
