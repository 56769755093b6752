-- What somebody has granted on a day is the sum of their grants, read from this index alone.
-- +goose Up
CREATE INDEX grants_actor ON grants (actor, at_us, state, spins);
