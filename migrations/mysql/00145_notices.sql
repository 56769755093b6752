-- What people outside are told of: an outbox, a row for each occasion and channel, and the log of what was sent.
-- +goose Up
CREATE TABLE notices (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  at_us BIGINT NOT NULL,
  event_id BIGINT NOT NULL,
  kind VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  object_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  channel VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  state TINYINT NOT NULL,
  tries INT NOT NULL,
  next_us BIGINT NOT NULL,
  sent_at_us BIGINT NOT NULL,
  error TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  UNIQUE KEY notices_event (event_id, channel),
  KEY notices_at (at_us),
  KEY notices_due (state, next_us)
) ENGINE=InnoDB;
