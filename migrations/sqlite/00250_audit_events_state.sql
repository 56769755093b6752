-- How the actor came (browser, command line, system), and whether the event says what its object's row must be from then on: the digest of
-- that row is the fifth of the event's digests. Both are covered by the event's hash.
-- +goose Up
ALTER TABLE audit_events ADD COLUMN channel INTEGER NOT NULL DEFAULT 0;
ALTER TABLE audit_events ADD COLUMN os_user TEXT NOT NULL DEFAULT '';
ALTER TABLE audit_events ADD COLUMN stated INTEGER NOT NULL DEFAULT 0;
