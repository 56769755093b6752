package store

import (
	"database/sql/driver"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"syscall"
	"time"

	mysqldriver "github.com/go-sql-driver/mysql"
	"gorm.io/gorm"
	"modernc.org/sqlite"
)

// What an error from the database means for whoever asked.

// Numbers of MySQL's and MariaDB's errors.
const (
	mysqlLockWait       = 1205
	mysqlDeadlock       = 1213
	mysqlDuplicateEntry = 1062
	mysqlNotPrepared    = 1047 // a Galera node that has left its cluster
	mysqlShutdown       = 1053
	mysqlKilled         = 1927
	mysqlTooManyConns   = 1040
)

// SQLite's result codes.
const (
	sqliteBusy       = 5
	sqliteLocked     = 6
	sqlitePrimaryKey = 1555
	sqliteUnique     = 2067
)

func mysqlNumber(err error) int {
	var e *mysqldriver.MySQLError
	if errors.As(err, &e) {
		return int(e.Number)
	}
	return 0
}

func sqliteCode(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code()
	}
	return 0
}

// isContention reports an error after which the whole transaction has to be repeated: others were in the way.
func isContention(err error) bool {
	switch mysqlNumber(err) {
	case mysqlDeadlock, mysqlLockWait:
		return true
	}
	code := sqliteCode(err) & 0xff
	return code == sqliteBusy || code == sqliteLocked
}

// isDuplicate reports a violated unique key.
func isDuplicate(err error) bool {
	code := sqliteCode(err)
	return mysqlNumber(err) == mysqlDuplicateEntry || code == sqliteUnique || code == sqlitePrimaryKey || errors.Is(err, gorm.ErrDuplicatedKey)
}

// isDown reports that the database, or the way to it, was lost: it may be back for another try.
func isDown(err error) bool {
	switch mysqlNumber(err) {
	case mysqlNotPrepared, mysqlShutdown, mysqlKilled, mysqlTooManyConns:
		return true
	}
	var network net.Error
	var call syscall.Errno
	return errors.Is(err, driver.ErrBadConn) || errors.Is(err, mysqldriver.ErrInvalidConn) || errors.Is(err, io.EOF) ||
		errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &network) || errors.As(err, &call)
}

// backoff is how long to wait before try number try+1: about 5 ms at first, doubled each time up to 200 ms, with jitter so that
// those who collided do not meet again.
func backoff(try int) time.Duration {
	d := min(5*time.Millisecond<<min(try, 10), 200*time.Millisecond)
	return d/2 + rand.N(d/2+1)
}

// More numbers of MySQL's and MariaDB's errors.
const (
	mysqlPasswordRefused = 1045
	mysqlNoDatabase      = 1049
	mysqlDiskFull        = 1021
	mysqlWriteFailed     = 1026
	mysqlEngineError     = 1030
	mysqlTableFull       = 1114
	mysqlUnknownTable    = 1146
	mysqlUserConns       = 1203
	mysqlOptionPrevents  = 1290
	mysqlReadOnlyTx      = 1792
	mysqlReadOnlyMode    = 1836
)

// More of SQLite's result codes.
const (
	sqliteReadOnly = 8
	sqliteIO       = 10
	sqliteCorrupt  = 11
	sqliteFull     = 13
	sqliteCantOpen = 14
	sqliteNoDB     = 26
)

// Numbers of MySQL's and MariaDB's errors for an account that may not sign in (any more).
const (
	mysqlNoPassword      = 1698
	mysqlPasswordExpired = 1862
	mysqlAccountLocked   = 3118
	mariaDBAccountLocked = 4151
)
