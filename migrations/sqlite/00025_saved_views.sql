-- Filters of a list under a name: a view is an address, so that it can be shared.
-- +goose Up
CREATE TABLE saved_views (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  staff_id INTEGER NOT NULL,
  page TEXT NOT NULL,
  name TEXT NOT NULL,
  query TEXT NOT NULL,
  shared INTEGER NOT NULL,
  created_at_us INTEGER NOT NULL
) STRICT;
CREATE INDEX saved_views_page ON saved_views (page, staff_id);
