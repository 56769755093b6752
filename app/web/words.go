package web

import (
	"fmt"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/views"
)

// Words that pages share with their templates.
var (
	Grouped, Several, InWords        = views.Grouped, views.Several, views.InWords
	FirstUpper, LowerFirst, Sentence = views.FirstUpper, views.LowerFirst, views.Sentence
	Age, Lasted, LatencyWords        = views.Age, views.Lasted, views.LatencyWords
	SizeWords, Millis                = views.SizeWords, views.Millis
	Percent, OrDash                  = views.Percent, views.OrDash
)

// PathOf returns the address of a row: "/games" and its internal ID.
func PathOf(list string, id int64) string { return list + "/" + strconv.FormatInt(id, 10) }

// Clock returns a time for a sentence, in the reader's zone.
func (s *Site) Clock(c *fiber.Ctx, at time.Time) string {
	return views.NewMoment(at, s.Now(), ReaderOf(c).Zone).Brief()
}

// WaitWords returns a message about how long somebody has to wait after failed attempts to sign in.
func WaitWords(wait time.Duration) string {
	words := fmt.Sprintf("%d seconds", int(wait/time.Second)+1)
	if wait > time.Minute {
		words = fmt.Sprintf("%d minutes", int(wait/time.Minute)+1)
	}
	return "Too many failed attempts. Wait " + words + ", or sign in from a browser that you have used before. An " +
		"administrator can lift this."
}

// WordOf returns a function that returns the word of a value, from pairs of value and word.
func WordOf(pairs []string) func(string) string {
	return func(value string) string {
		for i := 0; i+1 < len(pairs); i += 2 {
			if pairs[i] == value {
				return pairs[i+1]
			}
		}
		return value
	}
}
