package models

// words are the values of a type and the word for each, in the order of lists. A new value is one line.
type words[T comparable] []struct {
	value T
	word  string
}

// of returns a value's word, and otherwise for a value that has none.
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
