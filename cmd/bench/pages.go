package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptrace"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/pquerna/otp/totp"
)

// Pages of two builds, over real HTTP: one member of staff for each role signs in and follows links. Of several pages of one
// kind, such as those of two players, only the first is timed. Only pages that both builds have are compared.

// roles are all roles of a build. A page is read by the first of them that finds a link to it.
var roles = []string{"support", "bonus", "finance", "compliance", "admin"}

const (
	staffPassword = "the benchmark's staff password"
	deepest       = 3  // how many links from the overview are followed
	pageRounds    = 15 // readings of each page by each build
)

// site is a build's pages.
type site struct {
	base  string
	pages map[string]page // by their kind
}

// page is a page and who reads it.
type page struct {
	address string
	client  *http.Client
}

// pageReadings are the times to the first byte and the sizes of a page, of both builds.
type pageReadings struct {
	kind  string
	times [2][]float64 // milliseconds
	bytes [2]float64
}

// comparePages finds the pages that both builds have, and reads them in turns.
func (c *comparison) comparePages(ctx context.Context) error {
	var sites [2]*site
	for i, b := range c.builds {
		var err error
		if sites[i], err = b.explore(ctx); err != nil {
			return fmt.Errorf("pages of the %s build: %w", b.name, err)
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(sites[0].pages)) {
		if _, both := sites[1].pages[kind]; !both {
			continue
		}
		r := pageReadings{kind: kind}
		for n := range pageRounds {
			for i := range sites {
				i = (i + n) % 2
				p := sites[i].pages[kind]
				took, size, err := p.read(ctx, sites[i].base)
				if err != nil {
					return fmt.Errorf("%s of the %s build: %w", kind, c.builds[i].name, err)
				}
				r.times[i], r.bytes[i] = append(r.times[i], milliseconds(took)), float64(size)
			}
		}
		c.pages = append(c.pages, r)
	}
	fmt.Fprintf(os.Stderr, "pages: %d that both builds have were read %d times each\n", len(c.pages), pageRounds)
	return nil
}

// printPages writes the medians over all pages, and then each page.
func (c *comparison) printPages(w io.Writer) {
	var times, sizes [2][]float64
	middle := func(list []float64) float64 { return median(list, func(v float64) float64 { return v }) }
	for _, r := range c.pages {
		for i := range c.builds {
			times[i], sizes[i] = append(times[i], middle(r.times[i])), append(sizes[i], r.bytes[i])
		}
	}
	row(w, "page", "time to the first byte, ms", "bytes of HTML")
	rule(w, 3)
	field := func(values [2]float64, digits int) string {
		return compare([]float64{values[0]}, []float64{values[1]}, digits)
	}
	row(w, fmt.Sprintf("median of %d pages", len(c.pages)), field([2]float64{middle(times[0]), middle(times[1])}, 1),
		field([2]float64{middle(sizes[0]), middle(sizes[1])}, 0))
	for _, r := range c.pages {
		row(w, r.kind, compare(r.times[0], r.times[1], 1), field(r.bytes, 0))
	}
}

// explore makes a member of staff for each role and has them follow links.
func (b *build) explore(ctx context.Context) (*site, error) {
	s := &site{base: "http://" + b.admin, pages: map[string]page{}}
	if err := b.createAdministrator(ctx); err != nil {
		return nil, err
	}
	for _, role := range roles {
		client, err := b.signIn(ctx, s, role)
		if err != nil {
			return nil, fmt.Errorf("sign in as %s: %w", role, err)
		}
		if err := s.follow(ctx, client); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// createAdministrator makes the first member of staff, the only one for whom every build accepts a password on standard input.
func (b *build) createAdministrator(ctx context.Context) error {
	cmd := b.prepare(ctx, nil, "staff", "create", "--username", "admin", "--role", "admin", "--password-stdin")
	cmd.Stdin = strings.NewReader(staffPassword + "\n")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("pitboss staff create: %w\n%s", err, out)
	}
	return nil
}

var linkCode = regexp.MustCompile(`/link#(\S+)`)

// signIn makes the member of staff whose username is the role, with a link, and signs in, with a second factor if the build asks
// for one.
func (b *build) signIn(ctx context.Context, s *site, role string) (*http.Client, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	client := &http.Client{Jar: jar, Timeout: time.Minute}
	if role != "admin" {
		out, err := b.command(ctx, nil, "staff", "create", "--username", role, "--role", role)
		if err != nil {
			return nil, err
		}
		code := linkCode.FindStringSubmatch(out)
		if code == nil {
			return nil, fmt.Errorf("pitboss staff create printed no link: %s", out)
		}
		if _, err := s.submit(ctx, client, "/link", map[string]string{"[data-fragment]": code[1]}); err != nil {
			return nil, err
		}
	}
	landed, err := s.submit(ctx, client, "/signin", map[string]string{"[name=username]": role})
	if err != nil {
		return nil, err
	}
	if !strings.HasSuffix(landed.Url.Path, "/second-factor") {
		return client, nil
	}
	secret := strings.Join(strings.Fields(landed.Find(".pb-steps .id").Text()), "")
	code, err := totp.GenerateCode(secret, time.Now())
	if err != nil {
		return nil, fmt.Errorf("second factor: %w", err)
	}
	_, err = s.submit(ctx, client, landed.Url.Path, map[string]string{"[name=code]": code})
	return client, err
}

// submit fills in the form that the page at path posts to the same path, sends it and returns the resulting page. Fields for
// passwords get staffPassword.
func (s *site) submit(ctx context.Context, client *http.Client, path string,
	values map[string]string) (*goquery.Document, error) {
	doc, err := s.document(ctx, client, http.MethodGet, path, nil)
	if err != nil {
		return nil, err
	}
	form := doc.Find(fmt.Sprintf("form[action=%q]", path))
	filled := url.Values{}
	for _, input := range form.Find("input[name]").EachIter() {
		name, value := input.AttrOr("name", ""), input.AttrOr("value", "")
		if input.AttrOr("type", "") == "password" {
			value = staffPassword
		}
		for selector, given := range values {
			if input.Is(selector) {
				value = given
			}
		}
		filled.Set(name, value)
	}
	answer, err := s.document(ctx, client, http.MethodPost, path, strings.NewReader(filled.Encode()))
	if err != nil {
		return nil, err
	}
	if wrong := strings.TrimSpace(answer.Find("[role=alert], .invalid-feedback").Text()); wrong != "" {
		return nil, fmt.Errorf("%s: %s", path, wrong)
	}
	return answer, nil
}

// document sends a request, follows redirects and returns the resulting page.
func (s *site) document(ctx context.Context, client *http.Client, method, path string,
	body io.Reader) (*goquery.Document, error) {
	req, err := http.NewRequestWithContext(ctx, method, s.base+path, body)
	if err != nil {
		return nil, err
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("Origin", s.base)
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if !isPage(resp) {
		io.Copy(io.Discard, resp.Body)
		return nil, &notAPage{path, resp.Status}
	}
	doc, err := goquery.NewDocumentFromReader(resp.Body)
	if err != nil {
		return nil, err
	}
	doc.Url = resp.Request.URL
	return doc, nil
}

func isPage(resp *http.Response) bool {
	return resp.StatusCode == http.StatusOK && strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html")
}

// notAPage is the error for an address that has no page, or none that this reader may see.
type notAPage struct{ path, status string }

func (e *notAPage) Error() string { return e.path + " is not a page: " + e.status }

// follow reads every kind of page that it finds by following links.
func (s *site) follow(ctx context.Context, client *http.Client) error {
	seen, level := map[string]bool{"/": true}, []string{"/"}
	for range deepest + 1 {
		var next []string
		for _, path := range level {
			doc, err := s.document(ctx, client, http.MethodGet, path, nil)
			var other *notAPage
			if errors.As(err, &other) {
				continue
			}
			if err != nil {
				return err
			}
			kind := kindOf(path)
			if _, known := s.pages[kind]; !known && doc.Url.Path == path { // a redirect is a page of another kind
				s.pages[kind] = page{path, client}
			}
			for _, a := range doc.Find("a[href^='/']").EachIter() {
				to, _, _ := strings.Cut(a.AttrOr("href", ""), "?")
				to, _, _ = strings.Cut(to, "#")
				if kind := kindOf(to); !seen[kind] {
					seen[kind] = true
					next = append(next, to)
				}
			}
		}
		level = next
	}
	return nil
}

var word = regexp.MustCompile(`^[a-z-]*$`)

// kindOf returns a path with "ID" in place of each ID.
func kindOf(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		if !word.MatchString(p) {
			parts[i] = "ID"
		}
	}
	return strings.Join(parts, "/")
}

// read times a page until the first byte of its answer, and counts its HTML.
func (p page) read(ctx context.Context, base string) (took time.Duration, size int64, err error) {
	var began, first time.Time
	trace := &httptrace.ClientTrace{
		WroteRequest:         func(httptrace.WroteRequestInfo) { began = time.Now() },
		GotFirstResponseByte: func() { first = time.Now() },
	}
	req, err := http.NewRequestWithContext(httptrace.WithClientTrace(ctx, trace), http.MethodGet, base+p.address, nil)
	if err != nil {
		return 0, 0, err
	}
	resp, err := p.client.Do(req)
	if err != nil {
		return 0, 0, err
	}
	defer resp.Body.Close()
	size, err = io.Copy(io.Discard, resp.Body)
	if err == nil && !isPage(resp) {
		err = &notAPage{p.address, resp.Status}
	}
	return first.Sub(began), size, err
}
