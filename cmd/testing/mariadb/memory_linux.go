package mariadb

import (
	"os"
	"syscall"
)

const (
	memory       = "/dev/shm"
	memoryNeeded = 2 << 30 // bytes; containers often have only 64 MiB there
)

// TempDir creates a folder for data that may be lost, and returns its path. The folder is in memory if there is room, so that
// tests do not wait for a disk. Crash tests should keep their data on a disk instead.
func TempDir(pattern string) (string, error) {
	var room syscall.Statfs_t
	if err := syscall.Statfs(memory, &room); err == nil && room.Bavail*uint64(room.Bsize) >= memoryNeeded {
		if dir, err := os.MkdirTemp(memory, pattern); err == nil {
			return dir, nil
		}
	}
	return os.MkdirTemp("", pattern)
}
