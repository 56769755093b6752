package api_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// reader is a client of the feed that knows the server's OpenAPI document and nothing else.
type reader struct {
	t        *testing.T
	s        *listening
	token    string
	document map[string]any
	path     string
	answers  map[string]any // the schema of a page
}

func newReader(t *testing.T, s *listening, token string) *reader {
	t.Helper()
	r := &reader{t: t, s: s, token: token, document: s.send(t, "", "/v1/openapi.json", "", "").is}
	delete(s.seen, "GET /v1/openapi.json 200")
	for path, methods := range r.document["paths"].(map[string]any) {
		if get, ok := methods.(map[string]any)["get"].(map[string]any); ok && get["operationId"] == "listEvents" {
			r.path, r.answers = path, r.in(get, "responses", "200", "content", "application/json", "schema")
		}
	}
	require.NotEmpty(t, r.path)
	return r
}

// in returns what is at a path of names.
func (r *reader) in(from map[string]any, names ...string) map[string]any {
	for _, name := range names {
		require.IsType(r.t, map[string]any{}, from[name], name)
		from = from[name].(map[string]any)
	}
	return from
}

// faults returns how a value differs from its schema.
func (r *reader) faults(schema map[string]any, value any, at string) (list []string) {
	if ref, ok := schema["$ref"].(string); ok {
		return r.faults(r.in(r.document, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...), value, at)
	}
	if one, ok := schema["oneOf"].([]any); ok {
		for _, s := range one {
			found := r.faults(s.(map[string]any), value, at)
			if len(found) == 0 {
				return nil
			}
			list = append(list, found...)
		}
		return list
	}
	kind := "null"
	switch v := value.(type) {
	case map[string]any:
		kind = "object"
		properties, _ := schema["properties"].(map[string]any)
		for name, of := range v {
			if p, ok := properties[name].(map[string]any); ok {
				list = append(list, r.faults(p, of, at+"."+name)...)
			} else {
				list = append(list, at+"."+name+" is not described")
			}
		}
		required, _ := schema["required"].([]any)
		for _, name := range required {
			if _, ok := v[name.(string)]; !ok {
				list = append(list, fmt.Sprint(at, ".", name, " is missing"))
			}
		}
	case []any:
		kind = "array"
		for i, of := range v {
			list = append(list, r.faults(schema["items"].(map[string]any), of, fmt.Sprint(at, i))...)
		}
	case string:
		kind = "string"
	case bool:
		kind = "boolean"
	case float64:
		if kind = "number"; schema["type"] == "integer" || fmt.Sprint(schema["type"]) == "[integer null]" {
			kind = "integer"
		}
	}
	kinds, several := schema["type"].([]any)
	if !several {
		kinds = []any{schema["type"]}
	}
	if enum, ok := schema["enum"].([]any); !slices.Contains(kinds, any(kind)) || ok && !slices.Contains(enum, value) {
		list = append(list, fmt.Sprint(at, " is ", value))
	}
	return list
}

func (r *reader) conform(page answer) {
	r.t.Helper()
	require.Equal(r.t, 200, page.status, page.text)
	delete(page.is, "$schema")
	require.Empty(r.t, r.faults(r.answers, page.is, ""))
}

// read reads the feed after a place until its end, and returns the events' objects by their IDs.
func (r *reader) read(after string, limit int, seen map[string]string) (next string) {
	r.t.Helper()
	for {
		page := r.s.send(r.t, r.token, fmt.Sprintf("%s?after=%s&limit=%d", r.path, url.QueryEscape(after), limit), "", "")
		r.conform(page)
		list := page.is["data"].([]any)
		for _, e := range list {
			e := e.(map[string]any)
			id := e["id"].(string)
			require.Empty(r.t, seen[id], "an event is read once")
			seen[id] = e["object"].(string)
		}
		after = page.is["next"].(string)
		if page.is["end"] == true {
			return after
		}
		require.NotEmpty(r.t, list, "a page is empty only at the end")
	}
}

// TestFeedIsReadOnce reads the whole feed in small pages with a client written from the OpenAPI document, also over long
// stretches of the audit log that are no events for clients.
func TestFeedIsReadOnce(t *testing.T) {
	each(t, func(t *testing.T, s *listening) {
		token := s.client(models.APITerms{Name: "crm"})
		n := storetest.Scaled(1_500, 50_000) // each has an event in the audit log, and one in the ledger
		storetest.ImportPlayers(t, s.Store, "player-", n)
		s.NewPlayer("anna", false)
		s.Book(storetest.BetWin("anna", "both", 100, 50), storetest.FreeSpin("anna", "spin", 10), storetest.Rollback("anna", "both"))
		r, seen := newReader(t, s, token), map[string]string{}
		_, err := s.Store.FollowDays(t.Context())
		require.NoError(t, err)
		next := r.read("0", storetest.Scaled(37, 500), seen)

		// As many lines as before that clients do not see, and one bet after them.
		db := storetest.OpenURL(t, s.database)
		rows, err := db.QueryContext(t.Context(), "SELECT * FROM audit_events WHERE id = 1")
		require.NoError(t, err)
		columns, err := rows.Columns()
		require.NoError(t, err)
		require.NoError(t, rows.Close())
		names := strings.Join(columns, ", ")
		values := strings.NewReplacer("action", "'setting changed'", "object_id", "'x'", "object", "'setting'").Replace(strings.TrimPrefix(names, "id"))
		_, err = db.ExecContext(t.Context(), "INSERT INTO audit_events ("+names+
			") SELECT id + (SELECT MAX(id) FROM audit_events)"+values+" FROM audit_events")
		require.NoError(t, err)
		s.Book(storetest.Bet("anna", "after", 100))
		_, err = s.Store.FollowDays(t.Context())
		require.NoError(t, err)
		had := len(seen)
		last := r.read(next, 500, seen)
		require.Len(t, seen, had+1)
		require.Equal(t, last, r.read(last, 1, seen))

		count := 0
		require.NoError(t, db.QueryRowContext(t.Context(), "SELECT (SELECT COUNT(*) FROM postings WHERE free_spin = 0) + "+
			"(SELECT COUNT(*) FROM spin_entries) + (SELECT COUNT(*) FROM audit_events WHERE object = 'player')").Scan(&count))
		require.Len(t, seen, count, "nothing is missing")
		require.Greater(t, count, 2*n)
	})
}

// TestRestoredFeed restores a backup. The feed goes on from places that the backup has, and refuses later ones by name,
// whatever the database has there now.
func TestRestoredFeed(t *testing.T) {
	each(t, func(t *testing.T, s *listening) {
		token := s.client(models.APITerms{Name: "crm"})
		s.NewPlayer("anna", false)
		r, seen := newReader(t, s, token), map[string]string{}
		_, err := s.Store.FollowDays(t.Context())
		require.NoError(t, err)
		common := r.read("0", 500, seen)
		s.Book(storetest.Bet("anna", "unordered", 100)) // it is in the backup, but not yet in the feed
		copied := storetest.Copy(t, s.database)
		lost := []string{}
		for i, id := range []models.TransactionID{"a", "b"} {
			s.Book(storetest.Bet("anna", id, 100))
			_, err := s.Store.FollowDays(t.Context())
			require.NoError(t, err)
			lost = append(lost, r.read(slices.Concat([]string{common}, lost)[i], 500, seen))
		}

		restored := storetest.Open(t, store.Config{URL: copied})
		over := listenOver(t, s.Site, restored)
		refused := func() {
			t.Helper()
			for _, place := range lost {
				a := over.send(t, token, "/v1/events?after="+place, "", "")
				require.Equal(t, []any{409, "events-lost"}, []any{a.status, a.kind()}, a.text)
			}
		}
		refused()
		for range 3 { // as many events as before, and more
			_, err := restored.Apply(t.Context(), storetest.Bet("anna", models.TransactionID("c"+fmt.Sprint(len(seen))), 100))
			require.NoError(t, err)
			_, err = restored.FollowDays(t.Context())
			require.NoError(t, err)
			refused()
			newReader(t, over, token).read(common, 500, seen)
			seen = map[string]string{}
		}
	})
}
