-- Who created, reset, unlocked or otherwise changed whose account. For a while these two cannot approve each other's requests. by_id 0 is somebody at the command line.
-- +goose Up
CREATE TABLE staff_ties (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  staff_id BIGINT NOT NULL,
  by_id BIGINT NOT NULL,
  act VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  at_us BIGINT NOT NULL,
  KEY staff_ties_at (at_us)
) ENGINE=InnoDB;
