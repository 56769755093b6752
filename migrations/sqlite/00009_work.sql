-- What running instances share: leases of jobs, notices, and starts of the program.
-- +goose Up

-- Which instance runs a job that only one instance runs, until when, and the job's position.
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

-- Messages to people outside the back office: an outbox with one row per event and channel, and the delivery log.
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
CREATE INDEX notices_at ON notices (at_us);
CREATE INDEX notices_client ON notices (client_id, at_us);
CREATE INDEX notices_state ON notices (client_id, state, at_us);
CREATE INDEX notices_due ON notices (state, next_us);

-- Each start of the program: its version and settings, so that the next start notices an upgrade or a change of settings, and
-- whether it ended cleanly.
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
CREATE INDEX program_runs_ended ON program_runs (ended_at_us, seen_at_us);

-- The contents of files that staff request or upload: compressed pieces of 256 KiB, which fit into a packet of any database.
CREATE TABLE file_chunks (
  file_id TEXT NOT NULL,
  number INTEGER NOT NULL, -- from 0
  content BLOB NOT NULL,
  PRIMARY KEY (file_id, number)
) STRICT, WITHOUT ROWID;
