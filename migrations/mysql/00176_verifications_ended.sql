-- Verifications that found something become cases when they have ended.
-- +goose Up
CREATE INDEX verifications_ended ON verifications (ended_at_us);
