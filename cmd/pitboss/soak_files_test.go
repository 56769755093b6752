package main

import (
	"bytes"
	"context"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/stretchr/testify/require"
)

// moveFiles uploads statements, and has lists exported and downloads them, until ctx ends. Whichever instance HAProxy asks has to
// have the whole file.
func (s *soak) moveFiles(ctx context.Context) {
	v := newVisitor(s.t, s.balancer.office, "farid", s.balancer.transport)
	every := time.NewTicker(time.Second)
	defer every.Stop()
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-every.C:
		}
		began := time.Now()
		wrong := s.moveStatement(ctx, v, n)
		if wrong == "" {
			wrong = s.moveExport(ctx, v)
		}
		s.mu.Lock()
		if wrong == "" {
			s.files++
		} else if ctx.Err() == nil {
			s.failures = append(s.failures, failure{began, time.Now(), wrong, true})
		}
		s.mu.Unlock()
	}
}

// each is how often a file is read: so often that both instances are asked.
const each = 4

// moveStatement uploads a statement, reads it and removes it. It returns what went wrong.
func (s *soak) moveStatement(ctx context.Context, v *visitor, n int) (wrong string) {
	status, page := v.ask(ctx, http.MethodGet, "/statements/new", nil)
	if status != http.StatusOK {
		return fmt.Sprintf("form for a statement: %d %.80s", status, page)
	}
	token := formToken(page)
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	require.NoError(s.t, w.WriteField("csrf", token))
	part, err := w.CreateFormFile("file", fmt.Sprintf("statement-%d.csv", n))
	require.NoError(s.t, err)
	fmt.Fprintf(part, "transaction_id,type,amount\nfirst-of-%d,bet,1.00\n%s", n, strings.Repeat("x,bet,1.00\n", 20_000))
	require.NoError(s.t, w.Close())
	status, to, page := v.send(ctx, http.MethodPost, "/statements", w.FormDataContentType(), &body)
	if status != http.StatusSeeOther {
		return fmt.Sprintf("upload of a statement: %d %.80s", status, page)
	}
	for range each {
		status, page := v.ask(ctx, http.MethodGet, to, nil)
		if status != http.StatusOK || !strings.Contains(page, fmt.Sprintf("first-of-%d", n)) {
			return fmt.Sprintf("uploaded statement %s: %d %.80s", to, status, page)
		}
	}
	removal := strings.TrimSuffix(to, "/reading") + "/removal"
	if status, page = v.ask(ctx, http.MethodPost, removal, url.Values{"csrf": {token}}); status != http.StatusSeeOther {
		return fmt.Sprintf("%s: %d %.80s", removal, status, page)
	}
	return ""
}

// moveExport has a player's transactions exported, downloads the file and removes it. It returns what went wrong.
func (s *soak) moveExport(ctx context.Context, v *visitor) (wrong string) {
	status, page := v.ask(ctx, http.MethodGet, "/statements/new", nil)
	if status != http.StatusOK {
		return fmt.Sprintf("form: %d %.80s", status, page)
	}
	token := formToken(page)
	form := url.Values{"csrf": {token}, "list": {"/transactions"}, "query": {"player=" + s.users[0]}, "format": {"csv"}}
	status, to, page := v.send(ctx, http.MethodPost, "/exports", "application/x-www-form-urlencoded",
		strings.NewReader(form.Encode()))
	if status != http.StatusSeeOther {
		return fmt.Sprintf("request of an export: %d %.80s", status, page)
	}
	for ; !strings.Contains(page, to+"/file"); status, page = v.ask(ctx, http.MethodGet, to, nil) {
		if status >= http.StatusBadRequest || status == 0 || ctx.Err() != nil {
			return fmt.Sprintf("export %s: %d %.80s", to, status, page)
		}
		time.Sleep(50 * time.Millisecond)
	}
	var first string
	for i := range each {
		status, file := v.ask(ctx, http.MethodGet, to+"/file", nil)
		if first == "" {
			first = file
		}
		if status != http.StatusOK || !strings.Contains(file, s.users[0]) || file != first {
			return fmt.Sprintf("download %d of %s: %d, %d bytes, and %d at first: %.80s", i+1, to, status, len(file), len(first), file)
		}
	}
	if status, page = v.ask(ctx, http.MethodPost, to+"/removal", url.Values{"csrf": {token}}); status != http.StatusSeeOther {
		return fmt.Sprintf("%s/removal: %d %.80s", to, status, page)
	}
	return ""
}
