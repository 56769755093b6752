-- A transaction's cases stand on its page.
-- +goose Up
CREATE INDEX cases_transaction ON cases (transaction_number);
