-- How often an account was tried in vain in its last such minute, so that the audit log holds a few events of a flood and not all of it.
-- +goose Up
CREATE TABLE sign_in_failures (
  staff_id BIGINT NOT NULL,
  action VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  minute_us BIGINT NOT NULL,
  tries BIGINT NOT NULL,
  PRIMARY KEY (staff_id, action)
) ENGINE=InnoDB;
