package client_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/format"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/api"
)

var write = flag.Bool("write", false, "write the client's types and calls")

// description is what the generator reads of the description of the API.
type description struct {
	Paths      map[string]map[string]operation
	Components struct{ Schemas map[string]schema }
}

type operation struct {
	OperationID, Summary, Description string
	Parameters                        []struct {
		Name, In, Description string
		Required              bool
		Schema                schema
	}
	RequestBody content
	Responses   map[string]content
}

type content struct {
	Content map[string]struct{ Schema schema }
}

type schema struct {
	Ref                 string `json:"$ref"`
	Type                any    // a text, or a list of it and null
	Format, Description string
	Enum, Required      []string
	Items               *schema
	Properties          map[string]schema
}

func (c content) goType() string { return c.Content["application/json"].Schema.goType() }

// goType returns the Go type of a schema.
func (s schema) goType() string {
	if list, ok := s.Type.([]any); ok {
		if s.Type = list[0]; s.Type != "array" {
			return "*" + s.goType()
		}
	}
	switch {
	case s.Ref != "":
		return exported(path.Base(s.Ref))
	case s.Type == "array":
		return "[]" + s.Items.goType()
	case s.Format == "date-time":
		return "time.Time"
	case s.Type == "integer":
		return "int64"
	case s.Type == "boolean":
		return "bool"
	case s.Type == "string":
		return "string"
	}
	return "json.RawMessage"
}

// exported returns a name as Go writes it: game_url becomes GameURL.
func exported(name string) (out string) {
	for part := range strings.SplitSeq(name, "_") {
		if part == "id" || part == "url" {
			part = strings.ToUpper(part)
		}
		out += strings.ToUpper(part[:1]) + part[1:]
	}
	return out
}

func comment(description string, enum []string) string {
	if len(enum) > 0 {
		description = strings.TrimSpace(strings.Join(enum, ", ") + ". " + description)
	}
	if description == "" {
		return "\n"
	}
	return " // " + description + "\n"
}

// source returns the client's types and calls.
func (d description) source() []byte {
	b := &bytes.Buffer{}
	fmt.Fprint(b, `// Code generated from the description of the API by "go generate"; DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"time"
)
`)
	for _, name := range slices.Sorted(maps.Keys(d.Components.Schemas)) {
		s := d.Components.Schemas[name]
		fmt.Fprintf(b, "\ntype %s struct {\n", exported(name))
		for _, field := range slices.Sorted(maps.Keys(s.Properties)) {
			p, tag := s.Properties[field], field
			kind := p.goType()
			if !slices.Contains(s.Required, field) {
				tag += ",omitempty"
				if p.Ref != "" || kind == "time.Time" {
					kind = "*" + kind
				}
			}
			fmt.Fprintf(b, "%s %s `json:%q`%s", exported(field), kind, tag, comment(p.Description, p.Enum))
		}
		fmt.Fprintln(b, "}")
	}
	calls := map[string]func(){} // write them, by name
	for path, methods := range d.Paths {
		for method, o := range methods {
			calls[o.OperationID] = func() { o.write(b, exported(method), path) }
		}
	}
	for _, name := range slices.Sorted(maps.Keys(calls)) {
		calls[name]()
	}
	return b.Bytes()
}

// write writes the method of a call, and the type of the parameters that may be left out.
func (o operation) write(b *bytes.Buffer, method, path string) {
	name, arguments, address, query, options, contents := exported(o.OperationID), "ctx context.Context", strconv.Quote(path),
		"", "", `"", nil`
	for _, p := range o.Parameters {
		argument := ", " + p.Name + " " + p.Schema.goType()
		switch {
		case p.In == "header":
			contents = "key, in"
		case p.In == "path":
			arguments, address = arguments+argument, fmt.Sprintf("with(%q, %s)", path, p.Name)
		case p.Required:
			arguments, query = arguments+argument, query+fmt.Sprintf("set(query, %q, %s)\n", p.Name, p.Name)
		default:
			options += exported(p.Name) + " " + p.Schema.goType() + comment(p.Description, p.Schema.Enum)
			query += fmt.Sprintf("set(query, %q, options.%s)\n", p.Name, exported(p.Name))
		}
	}
	switch in := o.RequestBody.goType(); {
	case in == "Nothing":
		arguments, contents = arguments+", key string", "key, Nothing{}"
	case contents == "key, in":
		arguments += ", key string, in " + in
	}
	if options != "" {
		arguments += ", options " + name + "Options"
		fmt.Fprintf(b, "\n// %sOptions may be left out.\ntype %sOptions struct {\n%s}\n", name, name, options)
	}
	out := o.Responses[map[string]string{"Get": "200", "Post": "201"}[method]].goType()
	fmt.Fprintf(b, "\n// %s calls %s %s: %s. %s\nfunc (c *Client) %s(%s) (out %s, err error) {\nquery := url.Values{}\n%s", name,
		strings.ToUpper(method), path, o.Summary, o.Description, name, arguments, out, query)
	fmt.Fprintf(b, "err = c.call(ctx, http.Method%s, %s, query, %s, &out)\nreturn out, err\n}\n", method, address, contents)
}

// The client has the types and calls of the description. go generate writes them.
func TestIsGenerated(t *testing.T) {
	text, err := api.New(api.Config{}).Description()
	require.NoError(t, err)
	var d description
	require.NoError(t, json.Unmarshal(text, &d))
	source := d.source()
	want, err := format.Source(source)
	require.NoError(t, err, string(source))
	if *write {
		require.NoError(t, os.WriteFile("generated.go", want, 0o644))
	}
	had, err := os.ReadFile("generated.go")
	require.NoError(t, err)
	require.Equal(t, string(want), string(had), "run go generate ./app/api/client")
}
