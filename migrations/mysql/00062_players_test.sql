-- Test players are few and listed by name among many.
-- +goose Up
CREATE INDEX players_test ON players (test, user_id);
