package models

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Similar lists bookings that may already have moved the money of a correction, so that nobody pays or takes it twice: the
// platform and spreadsheets write one transaction ID in several ways, and two people may work on one loss.
type Similar struct {
	// transactions that paid the player: with the same ID except for case, blanks and quotes, or the same amount at about the
	// same time; for an adjustment, also cash of the same amount and direction within a day
	Transactions []TransactionLine
	// corrections, booked or waiting: for the same case or transaction, or with the same amount within a day
	Corrections []Correction
	// transactions that only the platform's file has, with the same amount and about the same time as one that only we have
	Lines []Difference
}

// Count returns how many there are.
func (s Similar) Count() int64 { return int64(len(s.Transactions) + len(s.Corrections) + len(s.Lines)) }

// SimilarWithin is the most by which the times of two similar transactions of one amount differ. If nobody knows when the money
// was lost, all transactions of the amount within SimilarBefore before the request are similar.
const (
	SimilarWithin = 5 * time.Minute
	SimilarBefore = 24 * time.Hour
)

// FoldID returns an ID in lower case, without blanks, invisible characters and quotes at the ends. Spellings of one ID fold to
// the same.
func FoldID(id TransactionID) string {
	return strings.ToLower(strings.TrimFunc(string(id), func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r) || unicode.Is(unicode.Quotation_Mark, r) || r == '`' || r == '´'
	}))
}

// Spellings returns the usual misspellings of an ID by people and spreadsheets, all of which FoldID equates with it: without
// blanks and quotes, in upper and lower case, with a quote in front or a blank at an end. id is not among them.
func Spellings(id TransactionID) (list []TransactionID) {
	lower := FoldID(id)
	bare := string(id)
	if at := strings.Index(strings.ToLower(bare), lower); at >= 0 && at+len(lower) <= len(bare) {
		bare = bare[at : at+len(lower)]
	}
	for _, word := range []string{bare, lower, strings.ToUpper(lower)} {
		for _, spelling := range []string{word, "'" + word, `"` + word + `"`, word + " ", " " + word} {
			if s := TransactionID(spelling); s != id && CheckID(spelling) == nil && !slices.Contains(list, s) {
				list = append(list, s)
			}
		}
	}
	return list
}

// InOtherCase returns the IDs that are id in lower and in upper case. id is not among them.
func InOtherCase[ID ~string](id ID) (list []ID) {
	for _, s := range []ID{ID(strings.ToLower(string(id))), ID(strings.ToUpper(string(id)))} {
		if s != id && !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// ErrAnother means that a correction needs a reason why it does not repeat a similar booking.
var ErrAnother = errors.New("this may already be booked: look at the list, and explain in at least ten characters why this " +
	"is another one")

// SimilarError refuses a correction that may move the same money again, because nobody has said why it does not.
type SimilarError struct{ Similar Similar }

// Error says what to do.
func (e SimilarError) Error() string { return ErrAnother.Error() }

// Unwrap returns ErrAnother.
func (e SimilarError) Unwrap() error { return ErrAnother }

// Told returns a SimilarError unless nothing is similar or why says why this is another one.
func (s Similar) Told(why string) error {
	if n := utf8.RuneCountInString(strings.TrimSpace(why)); s.Count() > 0 && n < 10 {
		return SimilarError{s}
	}
	return nil
}

// CaseReference returns the reference of a correction that was requested on the page of a case.
func CaseReference(id int64) string { return "case " + strconv.FormatInt(id, 10) }

var caseReference = regexp.MustCompile(`(?i)^\s*case\s*([1-9][0-9]{0,17})\s*$`)

// CaseOf returns the number of the case that a correction's reference names, or 0.
func CaseOf(reference string) int64 {
	named := caseReference.FindStringSubmatch(reference)
	if named == nil {
		return 0
	}
	id, _ := strconv.ParseInt(named[1], 10, 64) // 18 digits always fit
	return id
}
