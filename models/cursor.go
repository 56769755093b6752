package models

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// Cursor is a place between two rows of a list ordered by time and then number, newest first. A page begins or ends at a
// cursor, so no rows are counted or skipped to find it. The zero Cursor is the newest end of the list. In a list by name, the
// cursor has only the number of a row, the zero Cursor is the first row, and "newer" rows are those before.
type Cursor struct {
	At    time.Time
	ID    int64
	Newer bool // the page is the one before this place, not after it
}

// ErrCursorShape refuses an address with an invalid place in the list.
var ErrCursorShape = errors.New("this is not a position in a list")

// IsZero reports whether c is the list's newest end.
func (c Cursor) IsZero() bool { return c.ID == 0 }

// String returns the place as in addresses, without its direction.
func (c Cursor) String() string {
	if c.At.IsZero() {
		return strconv.FormatInt(c.ID, 10)
	}
	return strconv.FormatInt(c.At.UnixMicro(), 10) + "." + strconv.FormatInt(c.ID, 10)
}

// ParseCursor parses what String returned, or returns ErrCursorShape.
func ParseCursor(s string) (Cursor, error) {
	at, id, timed := strings.Cut(s, ".")
	if !timed {
		id = at
	}
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil || n < 1 {
		return Cursor{}, ErrCursorShape
	}
	if !timed {
		return Cursor{ID: n}, nil
	}
	us, err := strconv.ParseInt(at, 10, 64)
	if err != nil {
		return Cursor{}, ErrCursorShape
	}
	return Cursor{At: time.UnixMicro(us).UTC(), ID: n}, nil
}
