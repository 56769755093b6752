package mariadb

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// StartReplicated starts two servers under dir, which must exist and be empty. The second replicates everything from the first.
// Like a replica in production, the second is read-only for all accounts but root, which tests use.
func StartReplicated(dir string) (primary, replica *Server, err error) {
	start := func(name string, args ...string) (*Server, error) {
		folder := filepath.Join(dir, name)
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return nil, fmt.Errorf("mariadb: %w", err)
		}
		return Start(folder, append(args, "--innodb-buffer-pool-size=64M", "--binlog-format=ROW", "--log-bin=bin")...)
	}
	if primary, err = start("primary", "--server-id=1"); err != nil {
		return nil, nil, err
	}
	if replica, err = start("replica", "--server-id=2", "--read-only=ON", "--slave-parallel-threads=4"); err != nil {
		return nil, nil, errors.Join(err, primary.Kill())
	}
	host, port, _ := strings.Cut(primary.Addr(), ":")
	err = replica.Run("CHANGE MASTER TO MASTER_HOST='"+host+"', MASTER_PORT="+port+", MASTER_USER='root', "+
		"MASTER_USE_GTID=slave_pos, MASTER_CONNECT_RETRY=1", "START SLAVE")
	if err != nil {
		return nil, nil, errors.Join(err, primary.Kill(), replica.Kill())
	}
	return primary, replica, nil
}

// Run runs statements on the server, on a connection of its own.
func (s *Server) Run(statements ...string) error {
	db, err := sql.Open("mysql", s.DSN(""))
	if err != nil {
		return fmt.Errorf("mariadb: %w", err)
	}
	defer db.Close()
	for _, statement := range statements {
		if _, err := db.Exec(statement); err != nil {
			return fmt.Errorf("mariadb: %s: %w", statement, err)
		}
	}
	return nil
}
