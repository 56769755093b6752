-- The TOTP secret is kept encrypted, which takes more room than the secret itself. SQLite's TEXT has no bound to widen.
-- +goose Up
ALTER TABLE staff MODIFY totp_secret VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL;
