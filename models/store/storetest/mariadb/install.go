package mariadb

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// installation has the paths of a MariaDB server's programs.
type installation struct {
	server    string // mariadbd, or mysqld in older releases
	installer string // creates the system tables
}

// packages are the Debian packages with only the programs. The package mariadb-server would start a service.
var packages = []string{"mariadb-server-core", "mariadb-client-core"}

// ErrNotInstalled means that MariaDB is not installed on this machine and could not be installed. Its text says what to do.
var ErrNotInstalled = errors.New("mariadb: no server program found.\n" +
	"The tests need a real MariaDB. Either name one whose account may create databases:\n" +
	"    PITBOSS_TEST_MYSQL_DSN='user:password@tcp(127.0.0.1:3306)/'\n" +
	"or install the server's programs; no service needs to run. On Debian and Ubuntu:\n" +
	"    sudo apt-get update && sudo apt-get install --no-install-recommends " + strings.Join(packages, " "))

// locate returns the paths of the server's programs. It also looks outside PATH, which may lack /usr/sbin. If they are missing
// on Debian and the user is root, it installs them.
func locate() (installation, error) {
	if os.Geteuid() == 0 && isDebian() {
		return locateOrInstall()
	}
	if found, ok := search(); ok {
		return found, nil
	}
	return installation{}, ErrNotInstalled
}

// locateOrInstall lets one process at a time look for the programs. Tests of several packages run at the same time, and while
// one installs MariaDB, another must not use the programs before all their files exist.
func locateOrInstall() (installation, error) {
	lock, err := os.OpenFile(filepath.Join(os.TempDir(), "pitboss-apt.lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return installation{}, fmt.Errorf("mariadb: %w", err)
	}
	defer lock.Close() // which releases the lock
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return installation{}, fmt.Errorf("mariadb: wait for another installer: %w", err)
	}
	if found, ok := search(); ok {
		return found, nil
	}
	if err := installPackages(); err != nil {
		return installation{}, fmt.Errorf("%w\n(tried to install them: %w)", ErrNotInstalled, err)
	}
	if found, ok := search(); ok {
		return found, nil
	}
	return installation{}, ErrNotInstalled
}

func search() (found installation, ok bool) {
	found.server = program("mariadbd", "mysqld")
	found.installer = program("mariadb-install-db", "mysql_install_db")
	return found, found.server != "" && found.installer != ""
}

// program returns the path of the first of these programs that is installed, or an empty string.
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

func isDebian() bool {
	if _, err := os.Stat("/etc/debian_version"); err != nil {
		return false
	}
	_, err := exec.LookPath("apt-get")
	return err == nil
}

// installPackages installs the server's programs with apt.
func installPackages() error {
	options := []string{"-y", "-q", "-o", "DPkg::Lock::Timeout=120"}
	for _, args := range [][]string{
		slices.Concat(options, []string{"update"}),
		slices.Concat(options, []string{"install", "--no-install-recommends"}, packages),
	} {
		cmd := exec.Command("apt-get", args...)
		cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("apt-get %s: %w\n%s", strings.Join(args, " "), err, out)
		}
	}
	return nil
}
