package models

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// EventPlace is a place in the one order of all events: a part of the order, and a line of that part. Its zero value is the
// beginning.
type EventPlace struct{ Part, Line int64 }

// ErrEventPlace refuses a text that is not an EventPlace.
var ErrEventPlace = errors.New("invalid cursor: send `next` from an earlier response, or 0 to start from the beginning")

// ParseEventPlace reads the text of a place. The empty text is the beginning. It returns ErrEventPlace.
func ParseEventPlace(text string) (p EventPlace, err error) {
	if text == "" || text == "0" {
		return p, nil
	}
	part, line, _ := strings.Cut(text, "-")
	p.Part, err = strconv.ParseInt(part, 10, 64)
	line64, err2 := strconv.ParseInt(line, 10, 64)
	if p.Line = line64; err != nil || err2 != nil || p.String() != text || p.Part < 1 || p.Line < 1 {
		return EventPlace{}, ErrEventPlace
	}
	return p, nil
}

// String returns the place as ParseEventPlace reads it.
func (p EventPlace) String() string {
	if p == (EventPlace{}) {
		return "0"
	}
	return fmt.Sprintf("%d-%d", p.Part, p.Line)
}

// Event is a committed change: an event of the audit log, a posting that moved money, or a free spin. One of the three is set.
type Event struct {
	Place    EventPlace
	Audit    *AuditEvent
	Posting  *Posting
	Spin     *SpinEntry
	UserID   UserID   // whose Posting or Spin it is
	Currency Currency // of that wallet
}
