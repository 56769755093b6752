//go:build !linux

package mariadb

import "os"

// TempDir creates a folder for data that may be lost, and returns its path.
func TempDir(pattern string) (string, error) { return os.MkdirTemp("", pattern) }
