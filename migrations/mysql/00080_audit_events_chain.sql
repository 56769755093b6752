-- The audit log's own chain. The texts stand in it as salted digests, so that personal data can be erased and the chain still holds.
-- +goose Up
ALTER TABLE audit_events
  ADD COLUMN salts VARBINARY(64) NOT NULL DEFAULT '',
  ADD COLUMN digests VARBINARY(128) NOT NULL DEFAULT '',
  ADD COLUMN hash VARBINARY(32) NOT NULL DEFAULT '';
