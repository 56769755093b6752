-- What administrators set in the browser; each change stands in the audit log.
-- +goose Up
CREATE TABLE settings (
  name VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
  value TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  changed_at_us BIGINT NOT NULL
) ENGINE=InnoDB;
