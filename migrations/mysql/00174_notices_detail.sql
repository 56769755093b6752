-- What a notice says beside its kind: the rule that found a case.
-- +goose Up
ALTER TABLE notices ADD COLUMN detail VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '';
