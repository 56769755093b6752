package mariadb

import (
	"os"
	"syscall"
)

const (
	memory       = "/dev/shm"
	memoryNeeded = 2 << 30 // bytes; containers often have 64 MiB there
)

// TempDir makes a folder for the data of a server whose loss nobody minds, and returns its path. It is in memory where there is
// room, so that no test waits for a disk. A test of what a crash leaves behind keeps its data elsewhere, on the disk.
func TempDir(pattern string) (string, error) {
	var room syscall.Statfs_t
	if err := syscall.Statfs(memory, &room); err == nil && room.Bavail*uint64(room.Bsize) >= memoryNeeded {
		if dir, err := os.MkdirTemp(memory, pattern); err == nil {
			return dir, nil
		}
	}
	return os.MkdirTemp("", pattern)
}
