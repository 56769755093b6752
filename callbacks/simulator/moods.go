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

// The moods of the platform API: ways in which a call goes wrong between two companies. "Work" is what the call asks for, such
// as the granting of spins.
const (
	MoodNormal = "normal" // the work is done and answered
	// waits (argument: how long), then is normal; a caller that hangs up still gets the work done
	MoodSlow          = "slow"
	MoodStatus        = "status"         // answers an HTTP status (argument: which) without the work
	MoodHalf          = "half"           // does the work, then the connection breaks in the middle of the answer
	MoodTruncated     = "truncated"      // does the work; the answer is whole as HTTP but half as JSON
	MoodRefused       = "refused"        // answers a result (argument: number and message) without the work
	MoodNotJSON       = "not-json"       // answers a page of HTML with status 200, without the work
	MoodDroppedBefore = "dropped-before" // the connection breaks and no work is done
	MoodDroppedAfter  = "dropped-after"  // does the work, then the connection breaks before any answer
)

var moodKinds = []string{MoodNormal, MoodSlow, MoodStatus, MoodHalf, MoodTruncated, MoodRefused, MoodNotJSON,
	MoodDroppedBefore, MoodDroppedAfter}

// The four platform calls, as moods name them.
var platformCalls = []string{"gameList", "userAuth", "assignFreeSpin", "freeSpinStatus"}

// everyCall is the endpoint of a mood that holds for all four calls.
const everyCall = "*"

// Mood says how one platform call behaves, or all of them.
type Mood struct {
	Endpoint string        // gameList, userAuth, assignFreeSpin, freeSpinStatus, or * for all
	Kind     string        // one of the Mood constants
	Delay    time.Duration // slow: how long
	Status   int           // status: which
	Result   int           // refused: which
	Message  string        // refused: with what words
	Calls    int           // how many calls it still lasts; 0 until it is changed
}

// String writes the mood as ParseMoods reads it.
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

// ParseMoods reads a list of moods separated by commas, each ENDPOINT=MOOD, MOOD(ARGUMENT), MOOD:CALLS or both:
//
//	assignFreeSpin=dropped-after:1
//	gameList=slow(3s),userAuth=refused(2 no such game):5,*=status(502)
//
// Without an argument slow waits five seconds, status is 500 and refused answers result 1.
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

// argue reads the argument in brackets, each kind's own.
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
		return fmt.Errorf("%.40q is no platform call; there are %s, and * for all", m.Endpoint,
			strings.Join(platformCalls, ", "))
	}
	if !slices.Contains(moodKinds, m.Kind) {
		return fmt.Errorf("%.40q is no mood; there are %s", m.Kind, strings.Join(moodKinds, ", "))
	}
	if m.Kind == MoodStatus && (m.Status < 200 || m.Status > 599) {
		return fmt.Errorf("%d is no HTTP status from 200 to 599", m.Status)
	}
	if m.Delay < 0 || m.Calls < 0 {
		return errors.New("neither the delay nor the number of calls can be negative")
	}
	return nil
}

// moodRing holds the mood of each call. A mood for all is held by each of the four, so that a count belongs to each.
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

// next answers the mood for one call, and counts it.
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

// SetMood changes how a platform call behaves from now on. The error says what is wrong with the mood; then nothing changes.
func (s *Simulator) SetMood(mood Mood) error {
	if err := mood.check(); err != nil {
		return err
	}
	s.moods.set(mood)
	return nil
}

// SetMoods sets every mood of a list as ParseMoods reads it, or none when one of them is wrong.
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

// Moods lists the mood of each of the four platform calls.
func (s *Simulator) Moods() []Mood { return s.moods.list() }
