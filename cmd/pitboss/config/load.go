package config

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/caarlos0/env/v11"
)

// Problems lists what is wrong with the settings.
type Problems []error

// must adds a problem if ok is false.
func (p *Problems) must(ok bool, format string, args ...any) {
	if !ok {
		*p = append(*p, fmt.Errorf(format, args...))
	}
}

// Err returns an error that lists every problem, one per line, or nil if there are none.
func (p Problems) Err() error {
	if len(p) == 0 {
		return nil
	}
	return fmt.Errorf("the settings have problems:\n%w", errors.Join(p...))
}

// isWeb reports whether a text is a web address such as https://casino.example.
func isWeb(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Host != "" && (u.Scheme == "https" || u.Scheme == "http")
}

// checked is implemented by settings that check themselves.
type checked interface{ Check() Problems }

// Load reads the settings T from an environment of NAME=value lines. Its error lists every problem, one per line.
func Load[T any](environ []string) (T, error) {
	settings, problems := Parse[T](environ)
	return settings, problems.Err()
}

// Parse reads the settings T. It returns the settings that it could read, and every problem.
func Parse[T any](environ []string) (T, Problems) {
	var settings T
	values, problems := withFiles(environ)
	problems = append(problems, misspelled(environ)...)
	var several env.AggregateError
	err := env.ParseWithOptions(&settings, env.Options{Environment: values})
	switch {
	case errors.As(err, &several):
		for _, e := range several.Errors {
			problems = append(problems, nameVariable(e, reflect.TypeFor[T]()))
		}
	case err != nil:
		problems = append(problems, err)
	}
	if c, ok := any(settings).(checked); ok {
		problems = append(problems, c.Check()...)
	}
	return settings, problems
}

// withFiles returns the environment as a map. For each NAME_FILE it also has NAME with the contents of that file.
func withFiles(environ []string) (values map[string]string, problems Problems) {
	values = env.ToMap(environ)
	for name, path := range values {
		plain, isFile := strings.CutSuffix(name, "_FILE")
		if !isFile || !strings.HasPrefix(name, "PITBOSS_") || path == "" {
			continue
		}
		if values[plain] != "" {
			problems = append(problems, fmt.Errorf("%s and %s are both set; set one", plain, name))
			continue
		}
		value, err := readSetting(path)
		if err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", name, err))
			continue
		}
		values[plain] = value
	}
	return values, problems
}

// readSetting reads a setting's value from a file, without the byte order mark that editors on Windows may put in front.
func readSetting(path string) (string, error) {
	content, err := os.ReadFile(path)
	text := strings.TrimRight(strings.TrimPrefix(string(content), "\ufeff"), "\r\n")
	if err == nil && !utf8.ValidString(text) {
		err = fmt.Errorf("%s is not UTF-8 text: save it as UTF-8", path)
	}
	return text, err
}

// nameVariable returns the parser's error with the variable's name in place of the field's.
func nameVariable(err error, settings reflect.Type) error {
	var missing env.VarIsNotSetError
	var empty env.EmptyVarError
	var parse env.ParseError
	switch {
	case errors.As(err, &missing):
		return fmt.Errorf("%s is not set (nor %[1]s_FILE)", missing.Key)
	case errors.As(err, &empty):
		return fmt.Errorf("%s is empty", empty.Key)
	case errors.As(err, &parse):
		return fmt.Errorf("%s: %w", variable(settings, parse.Name), parse.Err)
	}
	return err
}

// variable returns the environment variable of a field in a settings struct.
func variable(settings reflect.Type, field string) string {
	name := field
	eachField(settings, func(f reflect.StructField, variable string) {
		if f.Name == field {
			name = variable
		}
	})
	return name
}

// EachVariable calls fn for every setting.
func EachVariable(fn func(f reflect.StructField, variable string)) {
	eachField(reflect.TypeFor[Server](), fn)
}

func eachField(settings reflect.Type, fn func(f reflect.StructField, variable string)) {
	for i := range settings.NumField() {
		f := settings.Field(i)
		if name, tagged := variableOf(f); tagged {
			fn(f, name)
		} else if f.Type.Kind() == reflect.Struct {
			eachField(f.Type, fn)
		}
	}
}

// variableOf returns the environment variable in a field's tag.
func variableOf(f reflect.StructField) (name string, tagged bool) {
	tag, tagged := f.Tag.Lookup("env")
	name, _, _ = strings.Cut(tag, ",")
	return name, tagged
}

// misspelled returns a problem for each PITBOSS_ variable that no command reads, because a setting with a misspelled name has
// no effect. It ignores the variables of tests.
func misspelled(environ []string) (problems Problems) {
	known := map[string]bool{}
	EachVariable(func(_ reflect.StructField, name string) { known[name], known[name+"_FILE"] = true, true })
	var unknown []string
	for name := range env.ToMap(environ) {
		if strings.HasPrefix(name, "PITBOSS_") && !strings.HasPrefix(name, "PITBOSS_TEST_") && !known[name] {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	for _, name := range unknown {
		problems = append(problems, fmt.Errorf("%s is not a setting; correct its name or remove it", name))
	}
	return problems
}
