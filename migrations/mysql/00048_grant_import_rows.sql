-- The lines of a file of grants: to go while they have neither a grant nor a refusal.
-- +goose Up
CREATE TABLE grant_import_rows (
  import_id BIGINT NOT NULL,
  line BIGINT NOT NULL,
  player_id BIGINT NOT NULL,
  game_id BIGINT NOT NULL,
  spins BIGINT NOT NULL,
  grant_id BIGINT NOT NULL,
  refused_at_us BIGINT NOT NULL,
  message TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  PRIMARY KEY (import_id, line),
  KEY grant_import_rows_to_go (import_id, grant_id, refused_at_us, line)
) ENGINE=InnoDB;
