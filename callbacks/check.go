package callbacks

import "errors"

// Check returns what is wrong with a configuration, every problem at once, the certificate files included. New would return the
// same.
func (c Config) Check() error {
	_, err := c.WithDefaults()
	if c.TLSCertFile != "" && c.TLSKeyFile != "" {
		_, unreadable := loadCertificate(c.TLSCertFile, c.TLSKeyFile, c.Logger)
		err = errors.Join(err, unreadable)
	}
	return err
}
