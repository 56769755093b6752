package mariadb

import (
	"errors"
	"os/exec"
	"path/filepath"
)

// installation has the paths of MariaDB's programs.
type installation struct {
	server    string // mariadbd, or mysqld in older releases
	installer string // the program that creates the system tables
}

// ErrNotInstalled means that MariaDB is not installed on this machine. Its text says what to do.
var ErrNotInstalled = errors.New("mariadb: no server program found.\n" +
	"The tests need a real MariaDB. Either name one whose account may create databases:\n" +
	"    PITBOSS_TEST_MYSQL_DSN='user:password@tcp(127.0.0.1:3306)/'\n" +
	"or install the server's programs; no service needs to run. On Debian, as root, this does it: .ci/need mariadb")

// locate returns the paths of the server's programs. It also looks outside PATH, which may lack /usr/sbin.
func locate() (installation, error) {
	found := installation{program("mariadbd", "mysqld"), program("mariadb-install-db", "mysql_install_db")}
	if found.server == "" || found.installer == "" {
		return found, ErrNotInstalled
	}
	return found, nil
}

// program returns the path of the first of these programs that is installed, or an empty string if none is.
func program(names ...string) string {
	folders := []string{"/usr/sbin", "/usr/local/sbin", "/usr/libexec", "/usr/local/bin", "/opt/homebrew/bin"}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
		for _, folder := range folders {
			if path, err := exec.LookPath(filepath.Join(folder, name)); err == nil {
				return path
			}
		}
	}
	return ""
}
