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

// PathOf is the address of a row: "/games" and its number.
func PathOf(list string, id int64) string { return list + "/" + strconv.FormatInt(id, 10) }

// Clock is a time in a sentence, in the reader's zone.
func (s *Site) Clock(c *fiber.Ctx, at time.Time) string {
	return views.NewMoment(at, s.Now(), ReaderOf(c).Zone).Brief()
}

// WaitWords says how long somebody has to wait after failed tries to sign in.
func WaitWords(wait time.Duration) string {
	words := fmt.Sprintf("%d seconds", int(wait/time.Second)+1)
	if wait > time.Minute {
		words = fmt.Sprintf("%d minutes", int(wait/time.Minute)+1)
	}
	return "Too many failed attempts. Wait " + words + ", or sign in from a browser that you have used before. An " +
		"administrator can lift this."
}

// WordOf returns a function that finds the word of a value, in pairs of value and word.
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
