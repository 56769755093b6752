-- Filters of a list under a name: a view is an address, so that it can be shared.
-- +goose Up
CREATE TABLE saved_views (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  staff_id BIGINT NOT NULL,
  page VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  name VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  query VARCHAR(2048) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  shared TINYINT NOT NULL,
  created_at_us BIGINT NOT NULL,
  KEY saved_views_page (page, staff_id)
) ENGINE=InnoDB;
