-- Staff made by the command line had no time zone, colours and rows of their own, so that they could not choose any one of them alone.
-- +goose Up
UPDATE staff SET zone = 'UTC', theme = 'system', density = 'roomy' WHERE zone = '';
