package models

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"
)

// SavedView is a named set of filters for a list, stored as the query of an address.
type SavedView struct {
	ID        int64
	StaffID   int64
	Owner     string `gorm:"->"` // its owner's username
	Page      string // the list's path, such as /transactions
	Name      string
	Query     string    // without the question mark
	Shared    bool      // colleagues see it too
	CreatedAt time.Time `gorm:"column:created_at_us;serializer:micros"`
}

const (
	MaxViewQuery = 2048 // bytes of a view's query
	MaxViews     = 20   // of one member of staff for one list
)

// Why a view cannot be saved.
var (
	ErrViewShape = errors.New("a view needs a name of 1 to 60 characters, and filters")
	ErrManyViews = fmt.Errorf("you already have %d views of this list; delete one first", MaxViews)
)

// Check returns ErrViewShape for a view that cannot be saved.
func (v SavedView) Check() error {
	n := utf8.RuneCountInString(strings.TrimSpace(v.Name))
	_, err := url.ParseQuery(v.Query)
	if n < 1 || n > 60 || !utf8.ValidString(v.Name) || err != nil || len(v.Query) > MaxViewQuery || v.Query == "" ||
		!strings.HasPrefix(v.Page, "/") {
		return ErrViewShape
	}
	for _, c := range []byte(v.Query) {
		if c <= ' ' || c > '~' {
			return ErrViewShape
		}
	}
	return nil
}
