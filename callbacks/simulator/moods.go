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
	MoodNormal = "normal" // does the work and answers
	// waits (argument: how long), then behaves normally, even if the caller has hung up
	MoodSlow          = "slow"
	MoodStatus        = "status"         // answers with an HTTP status (argument: which), without doing the work
	MoodHalf          = "half"           // does the work, then the connection breaks in the middle of the answer
	MoodTruncated     = "truncated"      // does the work; the answer is complete HTTP but truncated JSON
	MoodRefused       = "refused"        // answers with a result (argument: number and message), without doing the work
	MoodNotJSON       = "not-json"       // answers with an HTML page and status 200, without doing the work
	MoodDroppedBefore = "dropped-before" // the connection breaks before the work is done
	MoodDroppedAfter  = "dropped-after"  // does the work, then the connection breaks before any answer
)

var moodKinds = []string{MoodNormal, MoodSlow, MoodStatus, MoodHalf, MoodTruncated, MoodRefused, MoodNotJSON,
	MoodDroppedBefore, MoodDroppedAfter}

// The names of the four platform calls in moods.
var platformCalls = []string{"gameList", "userAuth", "assignFreeSpin", "freeSpinStatus"}

// everyCall is the endpoint of a mood for all four calls.
const everyCall = "*"

// Mood is how one platform call, or all of them, behaves.
type Mood struct {
	Endpoint string        // gameList, userAuth, assignFreeSpin, freeSpinStatus, or * for all
	Kind     string        // one of the Mood constants
	Delay    time.Duration // slow: how long
	Status   int           // status: which
	Result   int           // refused: which
	Message  string        // refused: the message
	Calls    int           // for how many more calls; 0 for all until the mood is changed
}

// String returns the mood in the format of ParseMoods.
func (m Mood) String() string {
	written := m.Endpoint + "=" + m.Kind
	switch m.Kind {
	case MoodSlow:
		written += "(" + m.Delay.String() + ")"
	case MoodStatus:
		written += "(" + strconv.Itoa(m.Status) + ")"
	case MoodRefused:
		written += "(" + strings.TrimSpace(strconv.Itoa(m.Result)+" "+m.Message) + ")"
	}
	if m.Calls > 0 {
		written += ":" + strconv.Itoa(m.Calls)
	}
	return written
}

// ParseMoods parses a list of moods separated by commas, each ENDPOINT=MOOD, with (ARGUMENT), :CALLS or both after it:
//
//	assignFreeSpin=dropped-after:1
//	gameList=slow(3s),userAuth=refused(2 no such game):5,*=status(502)
//
// The default arguments are five seconds for slow, 500 for status and result 1 for refused.
func ParseMoods(spec string) ([]Mood, error) {
	var moods []Mood
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

func parseMood(part string) (Mood, error) {
	endpoint, kind, ok := strings.Cut(part, "=")
	if !ok {
		return Mood{}, errors.New("expected ENDPOINT=MOOD")
	}
	mood := Mood{Endpoint: strings.TrimPrefix(strings.TrimSpace(endpoint), "/")}
	argument := ""
	if open := strings.Index(kind, "("); open >= 0 {
		shut := strings.LastIndex(kind, ")")
		if shut < open {
			return Mood{}, errors.New("a bracket is not closed")
		}
		argument = kind[open+1 : shut]
		kind = kind[:open] + kind[shut+1:]
	}
	kind, calls, counted := strings.Cut(kind, ":")
	if counted {
		count, err := strconv.Atoi(strings.TrimSpace(calls))
		if err != nil || count < 1 {
			return Mood{}, fmt.Errorf("%.20q is not a number of calls", calls)
		}
		mood.Calls = count
	}
	mood.Kind = strings.TrimSpace(kind)
	if err := mood.argue(strings.TrimSpace(argument)); err != nil {
		return Mood{}, err
	}
	return mood, mood.check()
}

// argue parses the argument in brackets, whose meaning depends on the mood.
func (m *Mood) argue(argument string) (err error) {
	switch m.Kind {
	case MoodSlow:
		if m.Delay = 5 * time.Second; argument != "" {
			m.Delay, err = time.ParseDuration(argument)
		}
	case MoodStatus:
		if m.Status = http.StatusInternalServerError; argument != "" {
			m.Status, err = strconv.Atoi(argument)
		}
	case MoodRefused:
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

func (m Mood) check() error {
	if m.Endpoint != everyCall && !slices.Contains(platformCalls, m.Endpoint) {
		return fmt.Errorf("%.40q is not a platform call; use %s, or * for all", m.Endpoint,
			strings.Join(platformCalls, ", "))
	}
	if !slices.Contains(moodKinds, m.Kind) {
		return fmt.Errorf("%.40q is not a mood; use %s", m.Kind, strings.Join(moodKinds, ", "))
	}
	if m.Kind == MoodStatus && (m.Status < 200 || m.Status > 599) {
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
	moods map[string]Mood
}

func newMoodRing() *moodRing {
	ring := &moodRing{moods: map[string]Mood{}}
	ring.set(Mood{Endpoint: everyCall, Kind: MoodNormal})
	return ring
}

func (r *moodRing) set(mood Mood) {
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
func (r *moodRing) next(name string) Mood {
	r.mu.Lock()
	defer r.mu.Unlock()
	mood := r.moods[name]
	if mood.Calls == 1 {
		r.moods[name] = Mood{Endpoint: name, Kind: MoodNormal}
	} else if mood.Calls > 1 {
		left := mood
		left.Calls--
		r.moods[name] = left
	}
	return mood
}

func (r *moodRing) list() []Mood {
	r.mu.Lock()
	defer r.mu.Unlock()
	var moods []Mood
	for _, name := range platformCalls {
		moods = append(moods, r.moods[name])
	}
	return moods
}

// SetMood changes the mood of a platform call. If the mood is invalid, it returns an error and changes nothing.
func (s *Simulator) SetMood(mood Mood) error {
	if err := mood.check(); err != nil {
		return err
	}
	s.moods.set(mood)
	return nil
}

// SetMoods sets every mood of a list in the format of ParseMoods, or none if one of them is invalid.
func (s *Simulator) SetMoods(spec string) error {
	moods, err := ParseMoods(spec)
	if err != nil {
		return err
	}
	for _, mood := range moods {
		s.moods.set(mood)
	}
	return nil
}

// Moods returns the mood of each of the four platform calls.
func (s *Simulator) Moods() []Mood { return s.moods.list() }
