-- One-time links with which staff set their own password. A new link replaces the earlier one; a used one is deleted. Only a keyed hash is stored.
-- +goose Up
CREATE TABLE staff_links (
  staff_id BIGINT NOT NULL PRIMARY KEY,
  code_hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  delivery VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  made_at_us BIGINT NOT NULL,
  expires_at_us BIGINT NOT NULL
) ENGINE=InnoDB;
