-- A win is a free spin's where its round had one: the sums of minutes look that up.
-- +goose Up
CREATE INDEX spin_entries_round ON spin_entries (player_id, round_id);
