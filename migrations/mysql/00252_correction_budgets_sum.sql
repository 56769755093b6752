-- What somebody has booked alone on a day is the sum of their corrections, which the audit log covers: a sum of its own could be reset. The
-- row stays as what two bookings at once wait for.
-- +goose Up
ALTER TABLE correction_budgets DROP COLUMN sum_minor;
