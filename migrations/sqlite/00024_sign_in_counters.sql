-- Failed sign-ins, counted before they are tried so that many at once do not get more tries, and for names that do not exist too.
-- +goose Up
CREATE TABLE sign_in_counters (
  scope TEXT NOT NULL,
  username TEXT NOT NULL,
  origin TEXT NOT NULL,
  failures INTEGER NOT NULL,
  last_at_us INTEGER NOT NULL,
  until_us INTEGER NOT NULL,
  PRIMARY KEY (scope, username, origin)
) STRICT;
CREATE INDEX sign_in_counters_username ON sign_in_counters (username);
CREATE INDEX sign_in_counters_last ON sign_in_counters (last_at_us);
