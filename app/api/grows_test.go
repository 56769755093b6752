package api_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/api"
)

// keptRelease names the release that make keep-release keeps.
const keptRelease = "PITBOSS_KEEP_RELEASE"

var described = sync.OnceValues(func() ([]byte, error) { return api.New(api.Config{}).Description() })

// today returns the description of this program.
func today(t *testing.T) map[string]any {
	t.Helper()
	text, err := described()
	require.NoError(t, err)
	return decoded(t, text)
}

func decoded(t *testing.T, text []byte) (document map[string]any) {
	t.Helper()
	require.NoError(t, json.Unmarshal(text, &document))
	return document
}

// TestAPIOnlyGrows compares the description of /v1 with those of all releases, so that a client that was written for one of
// them still works.
func TestAPIOnlyGrows(t *testing.T) {
	now := today(t)
	if release := os.Getenv(keptRelease); release != "" {
		var text bytes.Buffer
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "\t")
		require.NoError(t, encoder.Encode(now))
		require.NoError(t, os.WriteFile(filepath.Join("testdata", release+".json"), text.Bytes(), 0o644))
	}
	releases, err := filepath.Glob("testdata/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, releases)
	for _, file := range releases {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		breaks, notes := compareAPI(decoded(t, text), now)
		require.Empty(t, breaks, "since %s, clients break. Add a call or an optional field instead", file)
		for _, note := range notes {
			t.Logf("since %s: %s", file, note)
		}
	}
}

// direction is who sends the values of a schema.
type direction int

const (
	fromClient direction = iota // what was accepted has to be accepted
	toClient                    // what was promised has to be kept
)

// growth compares two descriptions. The schemas of requests may only become wider. Those of answers keep their fields and
// types; a wider range of values is noted.
type growth struct {
	before, after map[string]any
	breaks, notes []string
	seen          map[string]bool // compared, by reference and direction: schemas contain each other
}

func compareAPI(before, after map[string]any) (breaks, notes []string) {
	g := &growth{before: before, after: after, seen: map[string]bool{}}
	was, is := operations(before, "paths"), operations(after, "paths")
	for _, name := range names(was) {
		g.operation(name, in(was, name), in(is, name), fromClient, toClient)
	}
	was, is = operations(before, "webhooks"), operations(after, "webhooks") // Pitboss sends these
	for _, name := range names(was) {
		g.operation("webhook "+name, in(was, name), in(is, name), toClient, fromClient)
	}
	return g.breaks, g.notes
}

// operations returns the operations of a description, by method and path.
func operations(document map[string]any, kind string) map[string]any {
	all := map[string]any{}
	for _, path := range names(in(document, kind)) {
		for method, op := range in(document, kind, path) {
			all[strings.ToUpper(method)+" "+path] = op
		}
	}
	return all
}

// in returns the object at a path of names, or nil.
func in(object map[string]any, path ...string) map[string]any {
	for _, name := range path {
		object, _ = object[name].(map[string]any)
	}
	return object
}

func names(object map[string]any) []string { return slices.Sorted(maps.Keys(object)) }

func (g *growth) breaksIf(broken bool, format string, args ...any) bool {
	if broken {
		g.breaks = append(g.breaks, fmt.Sprintf(format, args...))
	}
	return broken
}

func (g *growth) operation(where string, was, is map[string]any, asked, answered direction) {
	if g.breaksIf(is == nil, "%s was removed", where) {
		return
	}
	g.breaksIf(was["description"] != is["description"], "%s needs another scope: %v", where, is["description"])
	parameters := func(op map[string]any) map[string]any {
		all := map[string]any{}
		list, _ := op["parameters"].([]any)
		for _, p := range list {
			p := p.(map[string]any)
			all[fmt.Sprint(p["in"], " ", p["name"])] = p
		}
		return all
	}
	before, after := parameters(was), parameters(is)
	for _, name := range names(before) {
		if g.breaksIf(after[name] == nil, "%s: parameter %s was removed", where, name) {
			continue
		}
		g.schema(where+", "+name, in(before, name, "schema"), in(after, name, "schema"), asked)
	}
	for _, name := range names(after) {
		required := in(after, name)["required"] == true && in(before, name)["required"] != true
		g.breaksIf(required && asked == fromClient, "%s: parameter %s is required now", where, name)
	}
	required := in(is, "requestBody")["required"] == true && in(was, "requestBody")["required"] != true
	g.breaksIf(required && asked == fromClient, "%s: a body is required now", where)
	g.contents(where, in(was, "requestBody", "content"), in(is, "requestBody", "content"), asked)
	for _, status := range names(in(was, "responses")) {
		now := in(is, "responses", status)
		if g.breaksIf(now == nil, "%s: status %s was removed", where, status) {
			continue
		}
		for _, header := range names(in(was, "responses", status, "headers")) {
			g.breaksIf(in(now, "headers", header) == nil, "%s %s: header %s was removed", where, status, header)
		}
		g.contents(where+" "+status, in(was, "responses", status, "content"), in(now, "content"), answered)
	}
}

func (g *growth) contents(where string, was, is map[string]any, by direction) {
	for _, kind := range names(was) {
		if !g.breaksIf(is[kind] == nil, "%s: %s was removed", where, kind) {
			g.schema(where, in(was, kind, "schema"), in(is, kind, "schema"), by)
		}
	}
}

// compared are the keywords of schemas that growth compares, and those that are for people.
var compared = strings.Fields("$ref type enum format pattern minLength maxLength minimum maximum minItems maxItems properties " +
	"required items additionalProperties oneOf discriminator description patternDescription examples default")

// schema compares two schemas of one value.
func (g *growth) schema(where string, was, is map[string]any, by direction) {
	if ref, _ := was["$ref"].(string); ref != "" {
		key := fmt.Sprint(ref, is["$ref"], by)
		if g.seen[key] {
			return
		}
		g.seen[key] = true
		where = where + ", " + ref[strings.LastIndexByte(ref, '/')+1:]
	}
	was, is = resolved(g.before, was), resolved(g.after, is)
	for _, keyword := range names(is) {
		g.breaksIf(!slices.Contains(compared, keyword), "%s: this test cannot compare %s", where, keyword)
	}
	before, after := list(was["type"]), list(is["type"])
	g.breaksIf(by == fromClient && !within(before, after) || by == toClient && !within(after, before),
		"%s: type was %v, is %v", where, before, after)
	g.values(where, was, is, by)
	for _, name := range names(in(was, "properties")) {
		if !g.breaksIf(in(is, "properties", name) == nil, "%s: field %s was removed", where, name) {
			g.schema(where+"."+name, in(was, "properties", name), in(is, "properties", name), by)
		}
	}
	needed, needs := list(was["required"]), list(is["required"])
	for _, name := range needs {
		g.breaksIf(by == fromClient && !slices.Contains(needed, name), "%s: field %s is required now", where, name)
	}
	for _, name := range needed {
		g.breaksIf(by == toClient && !slices.Contains(needs, name), "%s: field %s may be missing now", where, name)
	}
	g.breaksIf(by == fromClient && is["additionalProperties"] == false && was["additionalProperties"] != false,
		"%s: other fields are refused now", where)
	if in(was, "items") != nil && in(is, "items") != nil {
		g.schema(where+"[]", in(was, "items"), in(is, "items"), by)
	}
	kinds, now := in(was, "discriminator", "mapping"), in(is, "discriminator", "mapping")
	for _, kind := range names(kinds) {
		if !g.breaksIf(now[kind] == nil, "%s: kind %s was removed", where, kind) {
			g.schema(where, map[string]any{"$ref": kinds[kind]}, map[string]any{"$ref": now[kind]}, by)
		}
	}
	g.breaksIf(len(list(was["oneOf"])) != len(kinds) || len(list(is["oneOf"])) != len(now),
		"%s: oneOf and discriminator differ", where)
}

// values compares which values of a type are allowed.
func (g *growth) values(where string, was, is map[string]any, by direction) {
	differs := func(narrower, wider bool, keyword string) {
		text := fmt.Sprintf("%s: %s was %v, is %v", where, keyword, cmp.Or[any](was[keyword], "any"),
			cmp.Or[any](is[keyword], "any"))
		if by == fromClient && narrower {
			g.breaks = append(g.breaks, text)
		} else if by == toClient && wider {
			g.notes = append(g.notes, text)
		}
	}
	before, after := list(was["enum"]), list(is["enum"])
	differs(after != nil && (before == nil || !within(before, after)),
		before != nil && (after == nil || !within(after, before)), "enum")
	for _, keyword := range []string{"minimum", "minLength", "minItems", "maximum", "maxLength", "maxItems"} {
		from, had := was[keyword].(float64)
		to, has := is[keyword].(float64)
		less, more := had && has && to < from, had && has && to > from
		if strings.HasPrefix(keyword, "min") {
			less, more = more, less
		}
		differs(has && !had || less, had && !has || more, keyword)
	}
	for _, keyword := range []string{"format", "pattern"} { // which of two is narrower is not compared
		changed := was[keyword] != is[keyword]
		differs(changed && is[keyword] != nil, changed && was[keyword] != nil, keyword)
	}
}

func resolved(document, schema map[string]any) map[string]any {
	if ref, _ := schema["$ref"].(string); ref != "" {
		return in(document, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...)
	}
	return schema
}

// list returns the texts of a list, or a single one; nil if there is none.
func list(value any) (texts []string) {
	values, ok := value.([]any)
	if !ok && value != nil {
		values = []any{value}
	}
	for _, v := range values {
		texts = append(texts, fmt.Sprint(v))
	}
	return texts
}

// within tells whether b has all of a.
func within(a, b []string) bool {
	return !slices.ContainsFunc(a, func(v string) bool { return !slices.Contains(b, v) })
}

// TestBrokenAPIIsFound changes the description in each way that would break a client, and in some that would not.
func TestBrokenAPIIsFound(t *testing.T) {
	const of, limit, schemas = "paths /v1/transactions get", "paths /v1/transactions get parameters 1", "components schemas "
	type changes []struct {
		says, where, name string
		value             any // nil deletes
	}
	changed := func(where, name string, value any) map[string]any {
		document := today(t)
		var object any = document
		for _, step := range strings.Fields(where) {
			if list, ok := object.([]any); ok {
				i, err := strconv.Atoi(step)
				require.NoError(t, err)
				object = list[i]
			} else {
				object = object.(map[string]any)[step]
			}
		}
		if value == nil {
			require.Contains(t, object, name, where)
			delete(object.(map[string]any), name)
		} else {
			object.(map[string]any)[name] = value
		}
		return document
	}
	for _, c := range (changes{
		{"GET /v1/games was removed", "paths", "/v1/games", nil},
		{"GET /v1/players/{id} was removed", "paths /v1/players/{id}", "get", nil},
		{"GET /v1/games needs another scope", "paths /v1/games get", "description", "Scope: launches."},
		{"parameter query limit was removed", limit, "name", "most"},
		{"parameter query limit is required now", limit, "required", true},
		{"query limit: maximum was 200, is 100", limit + " schema", "maximum", 100.0},
		{"query limit: minimum was 1, is 2", limit + " schema", "minimum", 2.0},
		{"GET /v1/transactions: status 404 was removed", of + " responses", "404", nil},
		{"GET /v1/transactions 200: application/json was removed", of + " responses 200 content", "application/json", nil},
		{"GET /v1/transactions: a body is required now", of, "requestBody", map[string]any{"required": true}},
		{"POST /v1/deposits: application/json was removed", "paths /v1/deposits post requestBody content", "application/json", nil},
		{"NewPlayer: field time_zone is required now", schemas + "NewPlayer", "required", []any{"id", "currency", "time_zone"}},
		{"NewPlayer: field test was removed", schemas + "NewPlayer properties", "test", nil},
		{"NewPlayer.id: maxLength was 255, is 64", schemas + "NewPlayer properties id", "maxLength", 64.0},
		{"NewPlayer.test: type was [boolean], is [string]", schemas + "NewPlayer properties test", "type", "string"},
		{"NewPlayer.time_zone: pattern was any, is ^Europe", schemas + "NewPlayer properties time_zone", "pattern", "^Europe"},
		{"NewPlayer: this test cannot compare not", schemas + "NewPlayer", "not", map[string]any{}},
		{"NewRestriction.scope: enum was", schemas + "NewRestriction properties scope", "enum", []any{"play"}},
		{"NewRestriction.reason: minLength was 1, is 3", schemas + "NewRestriction properties reason", "minLength", 3.0},
		{"NewRestrictions.players: maxItems was 1000, is 10", schemas + "NewRestrictions properties players", "maxItems", 10.0},
		{"NewLimit.amount: type was [string null], is [string]", schemas + "NewLimit properties amount", "type", "string"},
		{"Player: field balance was removed", schemas + "Player properties", "balance", nil},
		{"Player: field balance may be missing now", schemas + "Player", "required", []any{}},
		{"Player.balance: type was [string], is [string null]", schemas + "Player properties balance", "type",
			[]any{"string", "null"}},
		{"webhook POST event was removed", "webhooks", "event", nil},
		{"parameter header webhook-id was removed", "webhooks event post", "parameters", []any{}},
		{"kind grant was removed", schemas + "Message properties data discriminator mapping", "grant", nil},
		{"TransactionAfter: field round was removed", schemas + "TransactionAfter properties", "round", nil},
	}) {
		found, _ := compareAPI(today(t), changed(c.where, c.name, c.value))
		require.Contains(t, strings.Join(found, "\n"), c.says)
	}
	for _, c := range (changes{
		{"", "paths", "/v1/more", map[string]any{"get": map[string]any{}}},
		{"", schemas + "NewPlayer properties", "more", map[string]any{"type": "string"}},
		{"", schemas + "Player properties", "more", map[string]any{"type": "string"}},
		{"", schemas + "NewPlayer properties id", "maxLength", 300.0},
		{"", limit + " schema", "maximum", nil},
		{"RestrictedPlayer.done: enum was", schemas + "RestrictedPlayer properties done", "enum",
			[]any{"restricted", "restricted already", "restricted longer"}},
	}) {
		found, notes := compareAPI(today(t), changed(c.where, c.name, c.value))
		require.Empty(t, found)
		require.Contains(t, strings.Join(notes, "\n"), c.says)
	}
}
