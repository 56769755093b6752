// Package client calls the operator's API from Go. It is for the casino's own systems, such as its website and its cashier, and
// needs nothing but the standard library: copy the folder into your program.
//
// Its types and calls are generated from the description that the program serves. A call that was refused returns an *Error, whose
// Type says why, and has changed nothing. After an *Error with status 500 or 503, or any other error, such as a broken connection,
// nobody knows whether the call was done. Make the same call with the same key again: it is never done twice, and returns what
// the first one made. The client never repeats a call by itself.
package client

//go:generate go test -count=1 -run ^TestIsGenerated$ . -write

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Client makes calls as an API client.
type Client struct {
	base, token string
	http        *http.Client
}

// New returns a client of the API at base, such as https://api.casino.example, that sends token. A nil http is
// http.DefaultClient.
func New(base, token string, http *http.Client) *Client {
	return &Client{base: strings.TrimRight(base, "/"), token: token, http: http}
}

// Error is a problem with which the API answered.
type Error struct {
	Problem
	RetryAfter time.Duration // how long to wait before the call is made again; 0 if the API did not say
}

// Error returns what is wrong and what to do.
func (e *Error) Error() string { return e.Detail }

const maxAnswer = 16 << 20

// call makes a call. The key is empty for calls that only read. in is nil for calls without contents.
func (c *Client) call(ctx context.Context, method, path string, query url.Values, key string, in, out any) error {
	var body io.Reader
	if in != nil {
		text, err := json.Marshal(in)
		if err != nil {
			return fmt.Errorf("%s %s: %w", method, path, err)
		}
		body = bytes.NewReader(text)
	}
	address := c.base + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	request, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+c.token)
	if in != nil {
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Idempotency-Key", key)
	}
	sender := c.http
	if sender == nil {
		sender = http.DefaultClient
	}
	response, err := sender.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	if response.StatusCode/100 == 2 {
		if err := json.Unmarshal(text, out); err != nil {
			return fmt.Errorf("%s %s: the answer is not readable: %w", method, path, err)
		}
		return nil
	}
	var problem Error
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if kind != "application/problem+json" || json.Unmarshal(text, &problem.Problem) != nil {
		return fmt.Errorf("%s %s: status %s, without a problem of the API", method, path, response.Status)
	}
	seconds, _ := strconv.Atoi(response.Header.Get("Retry-After")) // 0 if there is none
	problem.RetryAfter = time.Duration(seconds) * time.Second
	return &problem
}

// with puts the ID into a path.
func with(path string, id any) string {
	return strings.Replace(path, "{id}", url.PathEscape(fmt.Sprint(id)), 1)
}

// set sets a parameter, unless its value is zero, which stands for one that was left out.
func set(query url.Values, name string, value any) {
	switch v := value.(type) {
	case time.Time:
		if !v.IsZero() {
			query.Set(name, v.Format(time.RFC3339Nano))
		}
	case int64:
		if v != 0 {
			query.Set(name, strconv.FormatInt(v, 10))
		}
	case string:
		if v != "" {
			query.Set(name, v)
		}
	}
}
