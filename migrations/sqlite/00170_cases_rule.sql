-- How much is open of each rule, and since when; and the queue of one rule.
-- +goose Up
CREATE INDEX cases_rule ON cases (state, rule, found_at_us);
