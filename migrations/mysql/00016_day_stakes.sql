-- Stakes in play at the end of each closed day: part of what is signed.
-- +goose Up

CREATE TABLE IF NOT EXISTS day_stakes (
  day VARCHAR(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  currency VARBINARY(8) NOT NULL,
  test TINYINT NOT NULL,
  rounds BIGINT NOT NULL, -- to which a win could still come
  stake_minor DECIMAL(38,0) NOT NULL,
  PRIMARY KEY (day, currency, test)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
