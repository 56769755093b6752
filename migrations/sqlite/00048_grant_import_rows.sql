-- The lines of a file of grants: to go while they have neither a grant nor a refusal.
-- +goose Up
CREATE TABLE grant_import_rows (
  import_id INTEGER NOT NULL,
  line INTEGER NOT NULL,
  player_id INTEGER NOT NULL,
  game_id INTEGER NOT NULL,
  spins INTEGER NOT NULL,
  grant_id INTEGER NOT NULL,
  refused_at_us INTEGER NOT NULL,
  message TEXT NOT NULL,
  PRIMARY KEY (import_id, line)
) STRICT, WITHOUT ROWID;
CREATE INDEX grant_import_rows_to_go ON grant_import_rows (import_id, grant_id, refused_at_us, line);
