package simulator

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The moods of the platform API: how a call can go wrong. "The work" is what the call asks for, such as granting spins.
const (
	moodNormal = "normal" // does the work and answers
	// waits (argument: how long), then behaves normally, even if the caller has hung up
	moodSlow          = "slow"
	moodStatus        = "status"         // answers with an HTTP status (argument: which), without doing the work
	moodTruncated     = "truncated"      // does the work; the answer is complete HTTP but truncated JSON
	moodRefused       = "refused"        // answers with a result (argument: number and message), without doing the work
	moodNotJSON       = "not-json"       // answers with an HTML page and status 200, without doing the work
	moodDroppedBefore = "dropped-before" // the connection breaks before the work is done
	moodDroppedAfter  = "dropped-after"  // does the work, then the connection breaks before any answer
)

var moodKinds = []string{moodNormal, moodSlow, moodStatus, moodTruncated, moodRefused, moodNotJSON, moodDroppedBefore,
	moodDroppedAfter}

// The names of the four platform calls in moods.
var platformCalls = []string{"gameList", "userAuth", "assignFreeSpin", "freeSpinStatus"}

// everyCall is the name of a mood for all four calls.
const everyCall = "*"

// callMood is how a platform call behaves.
type callMood struct {
	kind    string        // one of the mood constants
	delay   time.Duration // slow: how long
	number  int           // status: which; refused: the result
	message string        // refused: the message
	calls   int           // for how many more calls; 0 for all until the mood is changed
}

var moodShape = regexp.MustCompile(`^([a-zA-Z*]+)=([a-z-]+)(?:\((.*)\))?(?::([1-9][0-9]{0,5}))?$`)

// SetMood sets how one platform call, or with * each of the four, behaves. It is written CALL=MOOD, with (ARGUMENT), :CALLS or
// both after it:
//
//	assignFreeSpin=dropped-after:1
//	userAuth=refused(2 no such game):5
//	*=slow(3s)
//
// The default arguments are five seconds for slow, 500 for status and result 1 for refused.
func (s *Simulator) SetMood(spec string) error {
	parts := moodShape.FindStringSubmatch(spec)
	if parts == nil {
		return fmt.Errorf("%.80q must be like CALL=MOOD, CALL=MOOD(ARGUMENT):CALLS", spec)
	}
	call, mood := parts[1], callMood{kind: parts[2]}
	if call != everyCall && !slices.Contains(platformCalls, call) {
		return fmt.Errorf("%.40q is not a platform call; use %s, or * for all", call, strings.Join(platformCalls, ", "))
	}
	if !slices.Contains(moodKinds, mood.kind) {
		return fmt.Errorf("%.40q is not a mood; use %s", mood.kind, strings.Join(moodKinds, ", "))
	}
	if err := mood.argue(parts[3]); err != nil {
		return fmt.Errorf("mood %.80q: %w", spec, err)
	}
	mood.calls, _ = strconv.Atoi(parts[4]) // empty: 0
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range platformCalls {
		if call == everyCall || call == name {
			s.moods[name] = mood
		}
	}
	return nil
}

// argue parses the argument in brackets, whose meaning depends on the mood.
func (m *callMood) argue(argument string) (err error) {
	switch m.kind {
	case moodSlow:
		if m.delay = 5 * time.Second; argument != "" {
			m.delay, err = time.ParseDuration(argument)
		}
	case moodStatus:
		if m.number = http.StatusInternalServerError; argument != "" {
			m.number, err = strconv.Atoi(argument)
		}
		if err == nil && (m.number < 200 || m.number > 599) {
			err = fmt.Errorf("%d is not an HTTP status from 200 to 599", m.number)
		}
	case moodRefused:
		number, message, _ := strings.Cut(argument, " ")
		if m.number = 1; number != "" {
			m.number, err = strconv.Atoi(number)
		}
		m.message = message
	default:
		if argument != "" {
			err = fmt.Errorf("%s takes no argument", m.kind)
		}
	}
	return err
}

// nextMood returns the mood for a call, and counts the call.
func (s *Simulator) nextMood(name string) callMood {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls[name]++
	mood := s.moods[name]
	if left := mood; mood.calls == 1 {
		delete(s.moods, name)
	} else if mood.calls > 1 {
		left.calls--
		s.moods[name] = left
	}
	return mood
}
