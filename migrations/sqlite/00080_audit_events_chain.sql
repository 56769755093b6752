-- The audit log's own chain. The texts stand in it as salted digests, so that personal data can be erased and the chain still holds.
-- +goose Up
ALTER TABLE audit_events ADD COLUMN salts BLOB NOT NULL DEFAULT x'';
ALTER TABLE audit_events ADD COLUMN digests BLOB NOT NULL DEFAULT x'';
ALTER TABLE audit_events ADD COLUMN hash BLOB NOT NULL DEFAULT x'';
