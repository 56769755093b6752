-- Each comparison of a statement with our transactions, how far it has come and what it found.
-- +goose Up
CREATE TABLE statement_runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  statement_id INTEGER NOT NULL,
  at_us INTEGER NOT NULL,
  actor TEXT NOT NULL,
  state INTEGER NOT NULL,
  phase INTEGER NOT NULL,
  permille INTEGER NOT NULL,
  line_count INTEGER NOT NULL,
  bad_lines INTEGER NOT NULL,
  theirs INTEGER NOT NULL,
  ours INTEGER NOT NULL,
  differences INTEGER NOT NULL,
  edges INTEGER NOT NULL,
  failure TEXT NOT NULL,
  finished_at_us INTEGER NOT NULL,
  took_us INTEGER NOT NULL,
  settled INTEGER NOT NULL,
  new_differences INTEGER NOT NULL,
  before_id INTEGER NOT NULL,
  cases INTEGER NOT NULL,
  sums TEXT NOT NULL
) STRICT;
CREATE INDEX statement_runs_statement ON statement_runs (statement_id, id);
CREATE INDEX statement_runs_state ON statement_runs (state, id);
