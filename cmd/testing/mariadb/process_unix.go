//go:build unix && !linux

package mariadb

import "syscall"

// processAttributes keeps the server out of the terminal's process group, so that an interrupt reaches the tests first.
func processAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
