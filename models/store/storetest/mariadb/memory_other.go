//go:build !linux

package mariadb

import "os"

// TempDir makes a folder for the data of a server whose loss nobody minds, and returns its path.
func TempDir(pattern string) (string, error) { return os.MkdirTemp("", pattern) }
