-- Where one-time links are sent. Empty for staff without an e-mail address.
-- +goose Up
ALTER TABLE staff ADD COLUMN email VARCHAR(254) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '';
