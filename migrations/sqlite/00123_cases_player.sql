-- A player's cases stand on the player's page.
-- +goose Up
CREATE INDEX cases_player ON cases (player_id);
