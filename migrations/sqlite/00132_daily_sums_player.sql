-- A player's days are read without everybody's.
-- +goose Up
CREATE INDEX daily_sums_player ON daily_sums (player_id, day);
