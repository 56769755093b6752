package main

import (
	"fmt"
	"net"
	"os"
	"strings"
)

// States of a service, as sd_notify(3) names them.
const (
	serviceReady    = "READY=1"
	serviceStopping = "STOPPING=1"
)

// notifyManager tells the service manager that started this program what state it is in. systemd names a socket in
// NOTIFY_SOCKET for units with Type=notify; without it, notifyManager does nothing.
func notifyManager(state string) error {
	socket := os.Getenv("NOTIFY_SOCKET")
	if socket == "" {
		return nil
	}
	if name, abstract := strings.CutPrefix(socket, "@"); abstract {
		socket = "\x00" + name
	}
	conn, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: socket, Net: "unixgram"})
	if err != nil {
		return fmt.Errorf("tell the service manager %s: %w", state, err)
	}
	defer conn.Close()
	if _, err := conn.Write([]byte(state)); err != nil {
		return fmt.Errorf("tell the service manager %s: %w", state, err)
	}
	return nil
}

// tellManager notifies the service manager. That fails only if the manager is gone, which is no reason to stop serving.
func (s *Server) tellManager(state string) {
	if err := notifyManager(state); err != nil {
		s.log.Warn("The service manager could not be notified.", "error", err)
	}
}
