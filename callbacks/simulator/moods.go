package simulator

import (
	"fmt"
	"regexp"
	"strconv"
)

// callMood is how a platform call behaves.
type callMood struct {
	kind              string
	argument, message string
	calls             int // for how many more calls; 0 for all until the mood is changed
}

var moodShape = regexp.MustCompile(`^(gameList|userAuth|assignFreeSpin|freeSpinStatus|\*)=` +
	`(normal|slow|status|truncated|refused|not-json|dropped-before|dropped-after)(?:\(([^ ()]+) ?(.*)\))?(?::([1-9][0-9]*))?$`)

// SetMood sets how one platform call, or with * each of the four, behaves: CALL=MOOD, with :CALLS after it for so many calls. The work
// is what a call asks for, such as granting spins.
//
//	gameList=normal                     does the work and answers
//	userAuth=slow(3s)                   waits, by default five seconds, then behaves normally, even if the caller has hung up
//	*=status(503)                       answers with an HTTP status, by default 500, without doing the work
//	assignFreeSpin=truncated            does the work; the answer is complete HTTP but truncated JSON
//	userAuth=refused(2 no such game):5  answers with a result, by default 1, and a message, without doing the work
//	gameList=not-json                   answers with an HTML page and status 200, without doing the work
//	assignFreeSpin=dropped-before       the connection breaks before the work is done
//	assignFreeSpin=dropped-after:1      does the work, then the connection breaks before any answer
func (s *Simulator) SetMood(spec string) error {
	parts := moodShape.FindStringSubmatch(spec)
	if parts == nil {
		return fmt.Errorf("%.80q is not a mood, such as userAuth=refused(2 no such game):5", spec)
	}
	mood := callMood{kind: parts[2], argument: parts[3], message: parts[4]}
	mood.calls, _ = strconv.Atoi(parts[5]) // empty: 0
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, call := range platformTable {
		if parts[1] == "*" || parts[1] == call.name {
			s.moods[call.name] = mood
		}
	}
	return nil
}

// number returns the mood's argument.
func (m callMood) number(otherwise int) int {
	if n, err := strconv.Atoi(m.argument); err == nil {
		return n
	}
	return otherwise
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
