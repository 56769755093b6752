package mariadb

import "syscall"

// processAttributes makes the kernel kill the server if the process that started it dies for any reason. It also keeps the
// server out of the terminal's process group, so that an interrupt reaches the tests first.
func processAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}
