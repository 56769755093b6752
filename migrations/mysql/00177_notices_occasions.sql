-- How many occasions one notice tells of: of very many cases at once, one notice.
-- +goose Up
ALTER TABLE notices ADD COLUMN occasions BIGINT NOT NULL DEFAULT 1;
