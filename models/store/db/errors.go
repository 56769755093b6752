package db

import (
	"cmp"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"regexp"
	"strings"
	"syscall"

	mysqldriver "github.com/go-sql-driver/mysql"
	"gorm.io/gorm"
	"modernc.org/sqlite"
)

// What an error from the database means for the caller.

// Numbers of MySQL's and MariaDB's errors.
const (
	MySQLLockWait        = 1205
	MySQLDeadlock        = 1213
	MySQLNotPrepared     = 1047 // a Galera node that has left its cluster
	MySQLTooManyConns    = 1040
	MySQLPasswordRefused = 1045
	MySQLNoDatabase      = 1049
	MySQLDiskFull        = 1021
	MySQLWriteFailed     = 1026
	MySQLEngineError     = 1030
	MySQLTableFull       = 1114
	MySQLUnknownTable    = 1146
	MySQLUserConns       = 1203
	MySQLOptionPrevents  = 1290
	MySQLReadOnlyTx      = 1792
	MySQLReadOnlyMode    = 1836
	mysqlDuplicateEntry  = 1062
	mysqlShutdown        = 1053
	mysqlKilled          = 1927
)

// SQLite's result codes.
const (
	SQLiteBusy       = 5
	SQLiteReadOnly   = 8
	SQLiteIO         = 10
	SQLiteCorrupt    = 11
	SQLiteFull       = 13
	SQLiteCantOpen   = 14
	SQLiteNoDB       = 26
	sqliteLocked     = 6
	sqlitePrimaryKey = 1555
	sqliteUnique     = 2067
)

// MySQLNumber returns the number of an error of MySQL or MariaDB, or 0 for other errors.
func MySQLNumber(err error) int {
	var e *mysqldriver.MySQLError
	if errors.As(err, &e) {
		return int(e.Number)
	}
	return 0
}

// SQLiteCode returns the result code of an error of SQLite, or 0 for other errors.
func SQLiteCode(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code()
	}
	return 0
}

// IsContention reports whether err is a conflict with another transaction, after which the whole transaction has to be
// repeated.
func IsContention(err error) bool {
	switch MySQLNumber(err) {
	case MySQLDeadlock, MySQLLockWait:
		return true
	}
	if errors.Is(err, errOvertakenElsewhere) {
		return true
	}
	code := SQLiteCode(err) & 0xff
	return code == SQLiteBusy || code == sqliteLocked
}

// IsDuplicate reports whether err is a violation of a unique key.
func IsDuplicate(err error) bool {
	code := SQLiteCode(err)
	return MySQLNumber(err) == mysqlDuplicateEntry || code == sqliteUnique || code == sqlitePrimaryKey
}

// IsDown reports whether err means that the database or the connection to it was lost. Another try may succeed.
func IsDown(err error) bool {
	switch MySQLNumber(err) {
	case MySQLNotPrepared, mysqlShutdown, mysqlKilled, MySQLTooManyConns:
		return true
	}
	var network net.Error
	var call syscall.Errno
	return errors.Is(err, driver.ErrBadConn) || errors.Is(err, mysqldriver.ErrInvalidConn) || errors.Is(err, io.EOF) ||
		errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &network) || errors.As(err, &call)
}

// IsFull reports whether the database has no space left.
func IsFull(err error) bool {
	switch MySQLNumber(err) {
	case MySQLDiskFull, MySQLTableFull, MySQLWriteFailed:
		return true
	}
	return SQLiteCode(err)&0xff == SQLiteFull
}

// statementBegin finds a statement's verb and first table.
var statementBegin = regexp.MustCompile("(?is)^\\s*(UPDATE|(\\w+)\\b.*?\\b(?:FROM|INTO))\\s+[`\"]?(\\w+)")

// nameErrors makes the errors of d begin with the statement that failed, such as "update cases: database is locked", so functions
// return them as they are. The values of a statement are left out, because they may be personal data.
func nameErrors(d *gorm.DB) error {
	name := func(tx *gorm.DB) {
		if tx.Error == nil {
			return
		}
		if parts := statementBegin.FindStringSubmatch(tx.Statement.SQL.String()); parts != nil {
			tx.Error = fmt.Errorf("%s %s: %w", strings.ToLower(cmp.Or(parts[2], parts[1])), parts[3], tx.Error)
		}
	}
	on := d.Callback()
	return errors.Join(on.Create().Register("name", name), on.Query().Register("name", name), on.Update().Register("name", name),
		on.Delete().Register("name", name), on.Row().Register("name", name), on.Raw().Register("name", name))
}
