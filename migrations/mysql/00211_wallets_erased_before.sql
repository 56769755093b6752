-- Players erased before the flag existed.
-- +goose Up
UPDATE wallets SET erased = 1 WHERE player_id IN (SELECT id FROM players WHERE user_id = CONCAT('erased-', id));
