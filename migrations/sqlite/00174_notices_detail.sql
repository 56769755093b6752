-- What a notice says beside its kind: the rule that found a case.
-- +goose Up
ALTER TABLE notices ADD COLUMN detail TEXT NOT NULL DEFAULT '';
