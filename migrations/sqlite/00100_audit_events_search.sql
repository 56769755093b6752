-- Who, what, from where and in which session are looked for in the whole log; each index ends in ascending numbers. No callback writes here.
-- +goose Up
CREATE INDEX audit_events_actor ON audit_events (actor);
CREATE INDEX audit_events_action ON audit_events (action);
CREATE INDEX audit_events_kind ON audit_events (object);
CREATE INDEX audit_events_address ON audit_events (address);
CREATE INDEX audit_events_session ON audit_events (session);
