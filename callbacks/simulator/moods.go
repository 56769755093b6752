package simulator

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The moods of the platform API: how a call can go wrong. "The work" is what the call asks for, such as granting spins.
const (
	moodNormal = "normal" // does the work and answers
	// waits (argument: how long), then behaves normally, even if the caller has hung up
	moodSlow          = "slow"
	moodStatus        = "status"         // answers with an HTTP status (argument: which), without doing the work
	moodHalf          = "half"           // does the work, then the connection breaks in the middle of the answer
	moodTruncated     = "truncated"      // does the work; the answer is complete HTTP but truncated JSON
	moodRefused       = "refused"        // answers with a result (argument: number and message), without doing the work
	moodNotJSON       = "not-json"       // answers with an HTML page and status 200, without doing the work
	moodDroppedBefore = "dropped-before" // the connection breaks before the work is done
	moodDroppedAfter  = "dropped-after"  // does the work, then the connection breaks before any answer
)

var moodKinds = []string{moodNormal, moodSlow, moodStatus, moodHalf, moodTruncated, moodRefused, moodNotJSON,
	moodDroppedBefore, moodDroppedAfter}

// The names of the four platform calls in moods.
var platformCalls = []string{"gameList", "userAuth", "assignFreeSpin", "freeSpinStatus"}

// everyCall is the endpoint of a mood for all four calls.
const everyCall = "*"

// callMood is how one platform call, or all of them, behaves.
type callMood struct {
	Endpoint string        // gameList, userAuth, assignFreeSpin, freeSpinStatus, or * for all
	Kind     string        // one of the mood constants
	Delay    time.Duration // slow: how long
	Status   int           // status: which
	Result   int           // refused: which
	Message  string        // refused: the message
	Calls    int           // for how many more calls; 0 for all until the mood is changed
}

// parseMoods parses a list of moods separated by commas, each ENDPOINT=MOOD, with (ARGUMENT), :CALLS or both after it:
//
//	assignFreeSpin=dropped-after:1
//	gameList=slow(3s),userAuth=refused(2 no such game):5,*=status(502)
//
// The default arguments are five seconds for slow, 500 for status and result 1 for refused.
func parseMoods(spec string) ([]callMood, error) {
	var moods []callMood
	for _, part := range splitOutsideBrackets(spec) {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		mood, err := parseMood(part)
		if err != nil {
			return nil, fmt.Errorf("mood %.80q: %w", part, err)
		}
		moods = append(moods, mood)
	}
	return moods, nil
}

func splitOutsideBrackets(spec string) []string {
	depth := 0
	return strings.FieldsFunc(spec, func(char rune) bool {
		switch char {
		case '(':
			depth++
		case ')':
			depth--
		}
		return char == ',' && depth == 0
	})
}

func parseMood(part string) (callMood, error) {
	endpoint, kind, ok := strings.Cut(part, "=")
	if !ok {
		return callMood{}, errors.New("expected ENDPOINT=MOOD")
	}
	mood := callMood{Endpoint: strings.TrimPrefix(strings.TrimSpace(endpoint), "/")}
	argument := ""
	if open := strings.Index(kind, "("); open >= 0 {
		shut := strings.LastIndex(kind, ")")
		if shut < open {
			return callMood{}, errors.New("a bracket is not closed")
		}
		argument = kind[open+1 : shut]
		kind = kind[:open] + kind[shut+1:]
	}
	kind, calls, counted := strings.Cut(kind, ":")
	if counted {
		count, err := strconv.Atoi(strings.TrimSpace(calls))
		if err != nil || count < 1 {
			return callMood{}, fmt.Errorf("%.20q is not a number of calls", calls)
		}
		mood.Calls = count
	}
	mood.Kind = strings.TrimSpace(kind)
	if err := mood.argue(strings.TrimSpace(argument)); err != nil {
		return callMood{}, err
	}
	return mood, mood.check()
}

// argue parses the argument in brackets, whose meaning depends on the mood.
func (m *callMood) argue(argument string) (err error) {
	switch m.Kind {
	case moodSlow:
		if m.Delay = 5 * time.Second; argument != "" {
			m.Delay, err = time.ParseDuration(argument)
		}
	case moodStatus:
		if m.Status = http.StatusInternalServerError; argument != "" {
			m.Status, err = strconv.Atoi(argument)
		}
	case moodRefused:
		number, message, _ := strings.Cut(argument, " ")
		if m.Result = 1; number != "" {
			m.Result, err = strconv.Atoi(number)
		}
		m.Message = strings.TrimSpace(message)
	default:
		if argument != "" {
			err = fmt.Errorf("%s takes no argument", m.Kind)
		}
	}
	return err
}

func (m callMood) check() error {
	if m.Endpoint != everyCall && !slices.Contains(platformCalls, m.Endpoint) {
		return fmt.Errorf("%.40q is not a platform call; use %s, or * for all", m.Endpoint,
			strings.Join(platformCalls, ", "))
	}
	if !slices.Contains(moodKinds, m.Kind) {
		return fmt.Errorf("%.40q is not a mood; use %s", m.Kind, strings.Join(moodKinds, ", "))
	}
	if m.Kind == moodStatus && (m.Status < 200 || m.Status > 599) {
		return fmt.Errorf("%d is not an HTTP status from 200 to 599", m.Status)
	}
	if m.Delay < 0 || m.Calls < 0 {
		return errors.New("neither the delay nor the number of calls can be negative")
	}
	return nil
}

// moodRing has the mood of each call. A mood for all is stored for each of the four, so that each counts its own calls.
type moodRing struct {
	mu    sync.Mutex
	moods map[string]callMood
}

func newMoodRing() *moodRing {
	ring := &moodRing{moods: map[string]callMood{}}
	ring.set(callMood{Endpoint: everyCall, Kind: moodNormal})
	return ring
}

func (r *moodRing) set(mood callMood) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, name := range platformCalls {
		if mood.Endpoint == everyCall || mood.Endpoint == name {
			held := mood
			held.Endpoint = name
			r.moods[name] = held
		}
	}
}

// next returns the mood for a call, and counts the call.
func (r *moodRing) next(name string) callMood {
	r.mu.Lock()
	defer r.mu.Unlock()
	mood := r.moods[name]
	if mood.Calls == 1 {
		r.moods[name] = callMood{Endpoint: name, Kind: moodNormal}
	} else if mood.Calls > 1 {
		left := mood
		left.Calls--
		r.moods[name] = left
	}
	return mood
}

// SetMoods sets every mood of a list in the format of parseMoods, or none if one of them is invalid.
func (s *Simulator) SetMoods(spec string) error {
	moods, err := parseMoods(spec)
	if err != nil {
		return err
	}
	for _, mood := range moods {
		s.moods.set(mood)
	}
	return nil
}
