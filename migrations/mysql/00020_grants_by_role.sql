-- Limits per role are summed from an index alone, and grants name the exception that they were made under.
-- +goose Up

ALTER TABLE grants
  ADD COLUMN exception_id BIGINT NOT NULL DEFAULT 0, -- 0 for a grant within the limits
  ADD KEY grants_role (role, at_us, state, spins, player_id);
