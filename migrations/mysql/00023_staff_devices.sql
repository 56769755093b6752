-- Browsers and addresses from which a member of staff has signed in: strangers who fail cannot lock these out.
-- +goose Up
CREATE TABLE staff_devices (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  staff_id BIGINT NOT NULL,
  device_hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  address VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  seen_at_us BIGINT NOT NULL,
  UNIQUE KEY staff_devices_device (staff_id, device_hash),
  KEY staff_devices_address (staff_id, address)
) ENGINE=InnoDB;
