-- What the platform said about a grant, each time.
-- +goose Up
CREATE TABLE grant_observations (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  grant_id BIGINT NOT NULL,
  at_us BIGINT NOT NULL,
  result BIGINT NOT NULL,
  status VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  total BIGINT NOT NULL,
  used BIGINT NOT NULL,
  remaining BIGINT NOT NULL,
  ours BIGINT NOT NULL,
  answer_raw TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  KEY grant_observations_grant (grant_id, at_us)
) ENGINE=InnoDB;
