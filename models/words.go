package models

// words lists the values of a type with their words, in the order of forms.
type words[T comparable] []struct {
	value T
	word  string
}

// of returns the word of a value, or otherwise if the value has none.
func (w words[T]) of(value T, otherwise string) string {
	for _, one := range w {
		if one.value == value {
			return one.word
		}
	}
	return otherwise
}

// values lists the values.
func (w words[T]) values() []T {
	list := make([]T, len(w))
	for i, one := range w {
		list[i] = one.value
	}
	return list
}
