package web

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"pitboss/models"
	"pitboss/views"
)

// Finder finds objects of one kind for forms and filters, by their numbers in links or by typed IDs. IDs are bytes, so "q1 "
// and "q1" are two players. The ID exactly as typed wins over the ID without the blanks around it.
type Finder[T any] struct {
	Picker   string                                        // the kind of suggestions that its field offers; none if it is empty
	ByNumber func(context.Context, int64) (T, bool, error) // nil if no link carries numbers
	ByID     func(context.Context, string) (T, bool, error)
	Like     func(ctx context.Context, shortened string, limit int) (models.Found[T], error) // by shortened IDs; may be nil
	Of       func(T) (number int64, id string)
	Name     func(T) string // the text in fields and filters, if that is not the ID
}

// shown returns the text of an object in fields and filters.
func (by Finder[T]) shown(found T) string {
	if by.Name != nil {
		return by.Name(found)
	}
	_, id := by.Of(found)
	return id
}

// numberOf returns the name of the parameter with the number of the object that another parameter names.
func numberOf(name string) string { return name + "-number" }

// withoutBreaks removes line breaks from the text of a field, as browsers do.
var withoutBreaks = strings.NewReplacer("\r", "", "\n", "")

// find returns the object with this number if the text is empty or still its ID, and otherwise the object with the text as its
// ID.
func (by Finder[T]) find(ctx context.Context, text, number string) (found T, there bool, err error) {
	if n, bad := strconv.ParseInt(number, 10, 64); bad == nil && by.ByNumber != nil {
		found, there, err = by.ByNumber(ctx, n)
		_, id := by.Of(found)
		typed := withoutBreaks.Replace(text)
		names := typed == withoutBreaks.Replace(id) || typed == withoutBreaks.Replace(by.shown(found))
		if err != nil || there && (text == "" || names) {
			return found, there, err
		}
	}
	bare := strings.TrimSpace(text)
	if bare == "" {
		var none T
		return none, false, nil
	}
	if found, there, err = by.ByID(ctx, text); err != nil || there {
		return found, there, err
	}
	if bare != text {
		if found, there, err = by.ByID(ctx, bare); err != nil || there {
			return found, there, err
		}
	}
	if by.Like == nil || models.ParseIDPattern(bare).Tail == "" {
		return found, false, nil
	}
	like, err := by.Like(ctx, bare, mostAlike)
	switch n := len(like.Rows); {
	case err != nil || n == 0:
		return found, false, err
	case n > 1 || like.More:
		return found, false, alikeError{n, like.More}
	}
	return like.Rows[0], true, nil
}

// mostAlike is the most objects with one shortened ID that are counted.
const mostAlike = 20

// alikeError means that several objects have a shortened ID.
type alikeError struct {
	n    int
	more bool
}

// Error says how many, and what to do.
func (e alikeError) Error() string {
	count := strconv.Itoa(e.n)
	if e.more {
		count = "more than " + count
	}
	return count + " IDs begin and end like this one: enter the whole ID, or open it from the search"
}

// Field returns the form's field that names the object, and the object itself: from the form's values or, if it was not sent
// yet, from the address.
func (by Finder[T]) Field(f *Form, name string) (field views.Field, found T, there bool, err error) {
	text, number := f.named(name)
	found, there, err = by.find(f.C.UserContext(), text, number)
	var alike alikeError
	if errors.As(err, &alike) {
		if err = nil; f.Typed() {
			f.Refuse(name, alike.Error())
		}
	}
	n, _ := by.Of(found)
	if there {
		text = by.shown(found)
		f.set(name, text)
	}
	field = f.Field(views.Field{Name: name, Value: text, Picker: by.Picker}) // the server knows whether the form needs it
	if there {
		field.Number = strconv.FormatInt(n, 10)
	}
	return field, found, there, err
}

// Filter reads a filter that names an object. there is false if the filter is not set, or names nothing; text is then the
// filter's value.
func (by Finder[T]) Filter(ctx context.Context, p *Page, name, label string) (found T, there bool, text string, err error) {
	text, number := p.Params.Get(name), p.Params.Get(numberOf(name))
	if p.Params.Has(name) && strings.TrimSpace(text) == "" {
		number = "" // the field was cleared
	}
	found, there, err = by.find(ctx, text, number)
	if err != nil && !errors.As(err, new(alikeError)) {
		return found, false, text, err
	}
	p.Knows(numberOf(name))
	p.Params.Del(numberOf(name))
	switch {
	case there:
		n, _ := by.Of(found)
		if text, number = by.shown(found), ""; n == 0 { // an ID without a thing of ours
			p.Params.Set(name, text)
			break
		}
		number = strconv.FormatInt(n, 10)
		p.Params.Del(name)
		p.Params.Set(numberOf(name), number)
	case strings.TrimSpace(text) == "" && number != "":
		text, number = "number "+number, ""
		p.Params.Set(name, text)
	default:
		number = ""
	}
	p.Query = Without(p.Params, PlaceNames...)
	p.filters = append(p.filters, name)
	p.offer(views.Filter{Field: views.Field{Name: name, Label: label, Picker: by.Picker}})
	field := &p.Filters[len(p.Filters)-1]
	field.Value, field.Number = text, number
	if strings.TrimSpace(text) == "" {
		return found, false, "", nil
	}
	p.Chips = append(p.Chips, views.Chip{Label: label, Value: text,
		Without: WithQuery(p.Path, Without(p.Params, append(PlaceNames, name, numberOf(name))...))})
	return found, there, text, nil
}
