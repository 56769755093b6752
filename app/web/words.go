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
	Percent, OrDash, WaitWords       = views.Percent, views.OrDash, views.WaitWords
)

// PathOf returns the address of a row: "/games" and its internal ID.
func PathOf(list string, id int64) string { return list + "/" + strconv.FormatInt(id, 10) }

// Clock returns a time for a sentence, in the reader's zone.
func (s *Site) Clock(c *fiber.Ctx, at time.Time) string {
	return views.NewMoment(at, s.Now(), ReaderOf(c).Zone).Brief()
}

// ByWord returns the value with a word, or the zero value if there is none.
func ByWord[T fmt.Stringer](values []T, word string) (value T) {
	for _, v := range values {
		if v.String() == word {
			return v
		}
	}
	return value
}
