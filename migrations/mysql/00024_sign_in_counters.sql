-- Failed sign-ins, counted before they are tried so that many at once do not get more tries, and for names that do not exist too.
-- +goose Up
CREATE TABLE sign_in_counters (
  scope VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  username VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  origin VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  failures BIGINT NOT NULL,
  last_at_us BIGINT NOT NULL,
  until_us BIGINT NOT NULL,
  PRIMARY KEY (scope, username, origin),
  KEY sign_in_counters_username (username),
  KEY sign_in_counters_last (last_at_us)
) ENGINE=InnoDB;
