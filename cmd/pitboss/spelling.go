package main

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/caarlos0/env/v11"
)

// everySetting has all groups of settings.
var everySetting = []reflect.Type{reflect.TypeFor[serverSettings](), reflect.TypeFor[simulatorSettings]()}

// misspelled returns a problem for each PITBOSS_ variable that no command reads: a misspelled setting protects nothing. It
// ignores variables for tests, and those that Kubernetes sets for a service called pitboss.
func misspelled(environ []string) (problems []error) {
	known := map[string]bool{}
	for _, t := range everySetting {
		eachVariable(t, func(_ reflect.StructField, name string) { known[name], known[name+"_FILE"] = true, true })
	}
	values := env.ToMap(environ)
	var unknown []string
	for name := range values {
		if strings.HasPrefix(name, "PITBOSS_") && !strings.HasPrefix(name, "PITBOSS_TEST_") && !known[name] &&
			!ofKubernetes(name, values) {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	for _, name := range unknown {
		if like := nearest(name, known); like != "" {
			problems = append(problems, fmt.Errorf("%s is not a setting. Did you mean %s?", name, like))
		} else {
			problems = append(problems, fmt.Errorf("%s is not a setting; remove it", name))
		}
	}
	return problems
}

// ofKubernetes reports whether a variable is one that Kubernetes sets in every container for a service P: P_SERVICE_HOST,
// P_SERVICE_PORT, P_PORT_8080_TCP and so on.
func ofKubernetes(name string, values map[string]string) bool {
	for _, infix := range []string{"_SERVICE_", "_PORT"} {
		if service, _, found := strings.Cut(name, infix); found && values[service+"_SERVICE_HOST"] != "" {
			return true
		}
	}
	return false
}

// nearest returns the known name with the smallest distance from name, or "" if all are too far.
func nearest(name string, known map[string]bool) (best string) {
	least := min(5, len(name)/4) + 1
	for candidate := range known {
		d := distance(name, candidate)
		if d < least || d == least && best != "" && candidate < best {
			best, least = candidate, d
		}
	}
	return best
}

// distance returns how many letters have to be added, removed or replaced to turn a into b (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
