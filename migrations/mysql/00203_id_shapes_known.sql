-- The shapes of what the ledger holds already, with and without an amount in front, and the row (0, 0), which whoever adds a shape locks.
-- +goose Up
INSERT INTO id_shapes (transaction_length, round_length, amount_first)
SELECT 0, 0, 0 UNION SELECT LENGTH(transaction_id), LENGTH(round_id), 0 FROM transactions WHERE source = 1
UNION SELECT LENGTH(transaction_id), LENGTH(round_id), 1 FROM transactions WHERE source = 1
UNION SELECT LENGTH(transaction_id), 0, 0 FROM tombstones;
