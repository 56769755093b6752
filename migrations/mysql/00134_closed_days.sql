-- Days whose figures stay as they were, with their interval and the digest of the figures.
-- +goose Up
CREATE TABLE closed_days (
  day VARCHAR(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  zone VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  from_us BIGINT NOT NULL,
  until_us BIGINT NOT NULL,
  closed_at_us BIGINT NOT NULL,
  digest VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  PRIMARY KEY (day)
) ENGINE=InnoDB;
