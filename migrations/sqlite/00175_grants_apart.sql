-- Grants whose counts stay apart become cases.
-- +goose Up
CREATE INDEX grants_apart ON grants (apart);
