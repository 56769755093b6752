-- Who signed the report of a day, for which role, and what was in front of them.
-- +goose Up
CREATE TABLE day_signatures (
  day VARCHAR(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  role VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  signed_by VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  at_us BIGINT NOT NULL,
  note TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  digest VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  checkpoint BIGINT NOT NULL,
  open_cases BIGINT NOT NULL,
  unknown_grants BIGINT NOT NULL,
  PRIMARY KEY (day, role)
) ENGINE=InnoDB;
