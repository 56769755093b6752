-- What is known about games that were synchronised before there was a log: when each was first offered, and since when it is gone.
-- +goose Up
INSERT INTO game_changes (at_us, sync_id, game, kind, name, former_name)
SELECT added_at_us, 0, id, 1, name, '' FROM games ORDER BY added_at_us, id;
INSERT INTO game_changes (at_us, sync_id, game, kind, name, former_name)
SELECT gone_at_us, 0, id, 2, name, '' FROM games WHERE gone_at_us > 0 ORDER BY gone_at_us, id;
