-- What colleagues write to each other about a case.
-- +goose Up
CREATE TABLE case_notes (
  case_id BIGINT NOT NULL,
  number BIGINT NOT NULL,
  at_us BIGINT NOT NULL,
  actor VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  body TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  PRIMARY KEY (case_id, number)
) ENGINE=InnoDB;
