package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	mysqldriver "github.com/go-sql-driver/mysql"
	"gorm.io/driver/mysql"
	gormsqlite "gorm.io/driver/sqlite"
	"gorm.io/gorm"
	"modernc.org/sqlite"
)

// Dialect is a kind of database. Its methods return the SQL that differs.
type Dialect string

// The databases. MySQL includes MariaDB.
const (
	MySQL  Dialect = "mysql"
	SQLite Dialect = "sqlite"
)

// Ascii makes typed text comparable with an ASCII column: MySQL would return an error for other characters. Each of them is
// replaced by a character that no such column contains, so that the query finds nothing.
func Ascii(text string) string {
	return strings.Map(func(r rune) rune {
		if r > '~' {
			return '\x7f'
		}
		return r
	}, text)
}

// pick returns the SQL for this database.
func (d Dialect) pick(mysql, sqlite string) string {
	if d == MySQL {
		return mysql
	}
	return sqlite
}

// ForUpdate returns the end of a SELECT that locks its rows.
func (d Dialect) ForUpdate() string { return d.pick(" FOR UPDATE", "") }

// ForShare returns the end of a SELECT that lets others read its rows but not change them.
func (d Dialect) ForShare() string { return d.pick(" LOCK IN SHARE MODE", "") }

var (
	locks       = regexp.MustCompile(`\s+(FOR UPDATE( SKIP LOCKED)?|LOCK IN SHARE MODE)$`)
	forcedIndex = regexp.MustCompile(`FORCE INDEX \((\w+)\)`)
	onConflict  = regexp.MustCompile(`ON CONFLICT \([^)]*\) DO UPDATE SET`)
	excluded    = regexp.MustCompile(`excluded\.(\w+)`)
)

// Words returns a statement in the words of the database. It may have locks and index hints as in MySQL, and ON CONFLICT as in
// SQLite.
func (d Dialect) Words(text string) string {
	if d == SQLite {
		return forcedIndex.ReplaceAllString(locks.ReplaceAllString(text, ""), "INDEXED BY $1")
	}
	return excluded.ReplaceAllString(onConflict.ReplaceAllString(text, "ON DUPLICATE KEY UPDATE"), "VALUES($1)")
}

// Number returns the expression that reads a text as a number.
func (d Dialect) Number(text string) string {
	return "CAST(" + text + d.pick(" AS SIGNED)", " AS INTEGER)")
}

// JoinInOrder returns a join that reads the tables before it first. Optimizers choose the order by estimates, which are
// sometimes far off.
func (d Dialect) JoinInOrder() string { return d.pick(" STRAIGHT_JOIN ", " CROSS JOIN ") }

// InsertAbsent returns the beginning of an INSERT that leaves out rows whose key exists already.
func (d Dialect) InsertAbsent() string {
	return d.pick("INSERT IGNORE INTO ", "INSERT OR IGNORE INTO ")
}

// OnConflict returns the beginning of the clause that turns an INSERT of an existing key into an UPDATE. Incoming and New refer
// to the new values there.
func (d Dialect) OnConflict(key string) string {
	return d.pick(" ON DUPLICATE KEY UPDATE ", " ON CONFLICT ("+key+") DO UPDATE SET ")
}

// Incoming returns the assignment that sets a column to its new value in the clause of OnConflict.
func (d Dialect) Incoming(column string) string { return column + " = " + d.New(column) }

// New returns a column's new value, for expressions in the clause of OnConflict.
func (d Dialect) New(column string) string { return d.pick("VALUES("+column+")", "excluded."+column) }

func (d Dialect) dialector(pool gorm.ConnPool) gorm.Dialector {
	if d == MySQL {
		return mysql.New(mysql.Config{Conn: pool, SkipInitializeWithVersion: true})
	}
	return gormsqlite.New(gormsqlite.Config{Conn: pool})
}

// Pools are the connections to one database. On SQLite, reads have a pool of their own, because they would have to wait for its
// one writer. On MySQL, money has a pool of its own: its connections always have a transaction, which saves each batch the
// round trip that begins one, and accept several statements in one packet.
type Pools struct {
	dialect            Dialect
	Write, Read, Money *sql.DB
	galera             *atomic.Bool // whether the database is a Galera cluster: known after the first connection
}

func (p Pools) close() error {
	return errors.Join(p.Money.Close(), p.Write.Close(), p.Read.Close()) // a pool that is closed twice returns nil
}

// CheckURL returns what is wrong with a database URL. The error does not contain its password.
func CheckURL(raw string) error {
	_, _, err := splitURL(raw)
	return err
}

var errURL = errors.New("a database URL is sqlite://PATH, or mysql:// and a DSN such as " +
	"mysql://user:password@tcp(127.0.0.1:3306)/pitboss; " +
	"several hosts are separated by commas: tcp(10.0.0.1:3306,10.0.0.2:3306)")

func splitURL(raw string) (Dialect, string, error) {
	scheme, rest, _ := strings.Cut(raw, "://")
	switch {
	case scheme == "sqlite" && rest != "" && rest != ":memory:":
		return SQLite, rest, nil
	case scheme == "mysql":
		list, err := hostDSNs(rest)
		for _, dsn := range list {
			cfg, wrong := mysqldriver.ParseDSN(dsn)
			if wrong != nil || cfg.DBName == "" {
				err = errURL // the driver's own message may quote the DSN
			}
		}
		if err != nil {
			return "", "", err
		}
		return MySQL, rest, nil
	}
	return "", "", errURL
}

func openPools(cfg Config) (Pools, error) {
	if cfg.Idle == 0 {
		cfg.Idle = 5 * time.Second
	}
	if cfg.LockWait == 0 {
		cfg.LockWait = time.Second
	}
	if cfg.MaxConns == 0 {
		cfg.MaxConns = 32
	}
	d, rest, err := splitURL(cfg.URL)
	if err != nil {
		return Pools{}, err
	}
	if d == SQLite {
		write := sqliteConnector{sqliteURI(rest, cfg.LockWait, "_txlock=immediate")}
		read := sqliteConnector{sqliteURI(rest, cfg.LockWait, "_txlock=deferred", "_pragma=query_only(1)")}
		p := Pools{dialect: d, Write: sql.OpenDB(write), Read: sql.OpenDB(read), galera: new(atomic.Bool)}
		p.Money = p.Write
		// One connection, so that writers wait in Go, in order of arrival, and not in SQLite's polling.
		p.Write.SetMaxOpenConns(1)
		p.Read.SetMaxOpenConns(8)
		p.Read.SetMaxIdleConns(8)
		return p, nil
	}
	galera := new(atomic.Bool)
	hosts, err := newHosts(rest, cfg, galera)
	if err != nil {
		return Pools{}, errURL
	}
	open := func(together bool, statement string) *sql.DB {
		// The isolation level, set in a way that works on MySQL and MariaDB, saves a round trip before every transaction.
		pool := sql.OpenDB(connector{hosts, together, []string{statement, "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED"}})
		pool.SetMaxOpenConns(cfg.MaxConns)
		pool.SetMaxIdleConns(cfg.MaxConns)
		pool.SetConnMaxLifetime(4 * time.Minute)
		return pool
	}
	// The locks of a machine that vanished in the middle of a transaction would last until the server notices: hours, by
	// default. MariaDB ends such a transaction if it is told to; MySQL has no such setting, and ignores the comment. A
	// transaction takes milliseconds between two statements, and may hold the head of the audit log, even if it has not written
	// anything yet: so both limits are the same. Snapshots, which lock nothing, may wait for longer (nodeConn.BeginTx).
	idle := fmt.Sprintf(" /*M!100300 , idle_transaction_timeout = %[1]d, idle_write_transaction_timeout = %[1]d */",
		int(cfg.Idle.Seconds()))
	// A change of the schema, such as of a trigger, waits for every transaction that has read the table, such as the snapshot
	// of a verification, and meanwhile all callbacks wait for the change. So it waits for a second only, and tries again
	// (DB.migrating). An attempt looks up many IDs with one index, which it names. Without the limit, the optimizer first looks
	// up each ID to estimate its rows, which costs 4 µs of the database's time per callback.
	p := Pools{dialect: d, galera: galera, Write: open(false, "SET autocommit = 1, lock_wait_timeout = 1"+idle),
		Money: open(true, "SET autocommit = 0, eq_range_index_dive_limit = 1"+idle)}
	p.Read = p.Write
	return p, nil
}

// sqliteURI returns the driver's URI for a database file. Commits are on disk (synchronous FULL) before they return.
func sqliteURI(path string, lockWait time.Duration, extra ...string) string {
	query := append([]string{
		fmt.Sprintf("_pragma=busy_timeout(%d)", lockWait.Milliseconds()), "_pragma=journal_mode(WAL)",
		"_pragma=synchronous(FULL)",
		"_pragma=foreign_keys(1)", "_pragma=recursive_triggers(1)",
	}, extra...)
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + strings.Join(query, "&")
}

type sqliteConnector struct{ uri string }

// Connect opens a connection.
func (c sqliteConnector) Connect(context.Context) (driver.Conn, error) { return c.Driver().Open(c.uri) }

// Driver returns modernc's driver.
func (sqliteConnector) Driver() driver.Driver { return &sqlite.Driver{} }

// mysqlConfig returns the driver's configuration for a DSN with one host. Addr is the host's name.
func mysqlConfig(dsn string, lockWait time.Duration) (*mysqldriver.Config, error) {
	cfg, err := mysqldriver.ParseDSN(dsn)
	if err != nil {
		return nil, err
	}
	cfg.ParseTime, cfg.Loc = true, time.UTC
	cfg.InterpolateParams = true
	cfg.MultiStatements = false // even if the DSN sets it: packet.go has the connections that need it
	cfg.ClientFoundRows = true
	cfg.MaxAllowedPacket = max(cfg.MaxAllowedPacket, 64<<20) // the driver cannot send longer packets with bound values
	// In character sets such as GBK, the backslash that escapes a quotation mark may be the second half of a character, so a
	// text could end its own literal. A collation implies a character set.
	if err := cfg.Apply(mysqldriver.Charset("utf8mb4", "")); err != nil {
		return nil, err
	}
	params := map[string]string{} // parameter names are not case-sensitive
	for name, value := range cfg.Params {
		if name = strings.ToLower(name); !strings.HasPrefix(name, "character_set") && !strings.HasPrefix(name, "collation") {
			params[name] = value
		}
	}
	cfg.Params = params
	cfg.Params["time_zone"] = "'+00:00'"
	cfg.Params["sql_mode"] = "'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'"
	cfg.Params["innodb_lock_wait_timeout"] = strconv.Itoa(max(1, int(lockWait/time.Second)))
	cfg.Logger = &mysqldriver.NopLogger{} // errors are returned
	return cfg, nil
}

// JsonText returns a value as JSON, such as a small value for the audit log.
func JsonText(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprintf("%q", err)
	}
	return string(b)
}

// MaxAlternatives is the most conditions that a query joins with OR: SQLite refuses an expression that is 1,000 levels deep.
const MaxAlternatives = 500
