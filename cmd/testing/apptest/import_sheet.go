package apptest

import (
	"net/url"
)

// FormFields returns a form's fields as a browser would send them unchanged.
func FormFields(page *Answer, action string) url.Values {
	form := url.Values{}
	for _, input := range page.Find(`form[action="` + action + `"]`).First().Find("input[name]").EachIter() {
		form.Set(input.AttrOr("name", ""), input.AttrOr("value", ""))
	}
	return form
}
