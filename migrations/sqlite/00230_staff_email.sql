-- Where one-time links are sent. Empty for staff without an e-mail address.
-- +goose Up
ALTER TABLE staff ADD COLUMN email TEXT NOT NULL DEFAULT '';
