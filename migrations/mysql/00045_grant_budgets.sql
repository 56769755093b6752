-- What each member of staff has granted on a day: the row that their grants of that day lock.
-- +goose Up
CREATE TABLE grant_budgets (
  actor VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  day VARCHAR(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  grants BIGINT NOT NULL,
  spins BIGINT NOT NULL,
  PRIMARY KEY (actor, day)
) ENGINE=InnoDB;
