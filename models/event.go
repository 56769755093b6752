package models

import (
	"errors"
	"fmt"
)

// EventPlace is a place in the one order of all events: a part of the order, and a line of that part. Mark is the part's own
// random number: a database that was restored orders later events in parts with other marks. The zero value is the beginning.
type EventPlace struct{ Part, Line, Mark int64 }

// Why a place is refused.
var (
	ErrEventPlace = errors.New("invalid cursor: send `next` from an earlier response, or 0 to start from the beginning")
	ErrEventsLost = errors.New("this database has no event at this position: the restored backup is older than the event")
)

// ParseEventPlace reads the text of a place. The empty text is the beginning. It returns ErrEventPlace.
func ParseEventPlace(text string) (p EventPlace, err error) {
	if text == "" || text == "0" {
		return p, nil
	}
	_, err = fmt.Sscanf(text, "%d-%d-%x", &p.Part, &p.Line, &p.Mark)
	if err != nil || p.String() != text || p.Part < 1 || p.Line < 1 || p.Mark < 1 {
		return EventPlace{}, ErrEventPlace
	}
	return p, nil
}

// String returns the place as ParseEventPlace reads it.
func (p EventPlace) String() string {
	if p == (EventPlace{}) {
		return "0"
	}
	return fmt.Sprintf("%d-%d-%016x", p.Part, p.Line, p.Mark)
}

// Event is a committed change: an event of the audit log, a posting that moved money, or a free spin. One of the three is set.
type Event struct {
	Place    EventPlace
	Audit    *AuditEvent
	Posting  *Posting
	Spin     *SpinEntry
	UserID   UserID   // of the player whom it is about; empty for none
	Currency Currency // of the wallet of a Posting or Spin
}
