-- The audit chain begins after the events that are there already. Its beginning is proved with the ledger's key, see BeginLedger.
-- +goose Up
INSERT INTO audit_head (id, begin_seq, begin_hash, proof, seq, hash)
SELECT 1, COALESCE(MAX(id), 0), x'0000000000000000000000000000000000000000000000000000000000000000', x'', COALESCE(MAX(id), 0), x'0000000000000000000000000000000000000000000000000000000000000000' FROM audit_events;
