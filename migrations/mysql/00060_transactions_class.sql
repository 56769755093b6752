-- What is rolled back, or a free spin, or of a rare kind is found without reading everything else: each class ends in ascending numbers.
-- +goose Up
CREATE INDEX transactions_class ON transactions (state, kind, free_spin);
