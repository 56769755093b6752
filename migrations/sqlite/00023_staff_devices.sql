-- Browsers and addresses from which a member of staff has signed in: strangers who fail cannot lock these out.
-- +goose Up
CREATE TABLE staff_devices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  staff_id INTEGER NOT NULL,
  device_hash TEXT NOT NULL,
  address TEXT NOT NULL,
  seen_at_us INTEGER NOT NULL,
  UNIQUE (staff_id, device_hash)
) STRICT;
CREATE INDEX staff_devices_address ON staff_devices (staff_id, address);
