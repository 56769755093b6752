package mariadb

import "syscall"

// processAttributes makes the kernel kill the server when its starter dies, however that happens, and keeps the server out
// of the terminal's process group, so that an interrupt reaches the tests first.
func processAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}
