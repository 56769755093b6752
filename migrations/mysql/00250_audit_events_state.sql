-- How the actor came (browser, command line, system), and whether the event says what its object's row must be from then on: the digest of
-- that row is the fifth of the event's digests. Both are covered by the event's hash.
-- +goose Up
ALTER TABLE audit_events
  ADD COLUMN channel TINYINT UNSIGNED NOT NULL DEFAULT 0,
  ADD COLUMN os_user VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  ADD COLUMN stated TINYINT NOT NULL DEFAULT 0,
  MODIFY COLUMN salts VARBINARY(80) NOT NULL DEFAULT '',
  MODIFY COLUMN digests VARBINARY(160) NOT NULL DEFAULT '';
