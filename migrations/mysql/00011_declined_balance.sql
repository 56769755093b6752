-- The balance at the moment when the wallet's rules declined a callback.
-- +goose Up

ALTER TABLE callback_records ADD COLUMN balance_minor BIGINT NULL; -- NULL unless the wallet's rules declined the callback
