package callbacks

import "errors"

// Check returns every problem of a configuration, including unreadable certificate files, as the same error that New would
// return.
func (c Config) Check() error {
	_, err := c.WithDefaults()
	if c.TLSCertFile != "" && c.TLSKeyFile != "" {
		_, unreadable := loadCertificate(c.TLSCertFile, c.TLSKeyFile, c.Logger)
		err = errors.Join(err, unreadable)
	}
	return err
}
