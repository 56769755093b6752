-- Who, what, from where and in which session are looked for in the whole log; each index ends in ascending numbers. No callback writes here.
-- +goose Up
ALTER TABLE audit_events
  ADD KEY audit_events_actor (actor),
  ADD KEY audit_events_action (action),
  ADD KEY audit_events_kind (object),
  ADD KEY audit_events_address (address),
  ADD KEY audit_events_session (session);
