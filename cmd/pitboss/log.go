package main

import (
	"log/slog"
	"strings"
)

// newLog returns the program's log. Keys have no blanks, and durations are milliseconds: JSON would show nanoseconds without a
// unit.
func newLog(con *console, format string) *slog.Logger {
	options := &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		a.Key = strings.ReplaceAll(a.Key, " ", "_")
		if a.Value.Kind() == slog.KindDuration {
			return slog.Float64(a.Key+"_ms", float64(a.Value.Duration().Microseconds())/1000)
		}
		return a
	}}
	if format == "json" {
		return slog.New(slog.NewJSONHandler(con.err, options))
	}
	return slog.New(slog.NewTextHandler(con.err, options))
}
