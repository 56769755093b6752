-- Who played in each quarter of an hour, and from when on: every zone's day is made of whole quarters.
-- +goose Up
CREATE TABLE active_players (
  quarter_us BIGINT NOT NULL,
  player_id BIGINT NOT NULL,
  currency VARBINARY(8) NOT NULL,
  test TINYINT NOT NULL,
  first_at_us BIGINT NOT NULL,
  PRIMARY KEY (quarter_us, player_id)
) ENGINE=InnoDB;
