package pages

import (
	"context"
	"errors"

	"pitboss/app/catalogue"
	"pitboss/app/platform"
)

// FailureWords returns a sentence about why a call to the platform failed, with the platform's code if it sent one. The
// sentence does not say whether the call took effect. An error that is not the platform's is described as a failure in Pitboss.
func FailureWords(err error) string {
	var e *platform.Error
	if !errors.As(err, &e) {
		switch {
		case errors.Is(err, catalogue.ErrEmptyList):
			return "The platform’s list has no usable game."
		case errors.Is(err, context.DeadlineExceeded):
			return "There was no answer in time."
		}
		return "It failed in Pitboss, not on the platform."
	}
	switch e.Kind {
	case platform.Refused:
		words := "The platform refused with " + platform.ResultWords(e.Result) + "."
		if e.Message != "" {
			words += " It says: “" + e.Message + "”"
		}
		return words
	case platform.Status, platform.Unreadable, platform.Timeout:
		return e.Words()
	case platform.CircuitOpen:
		return "The platform failed several times in a row, so nothing was sent. Pitboss tries again in a few seconds."
	case platform.Cancelled:
		return "The call was given up before there was an answer."
	}
	return "There was no connection to the platform, or it broke."
}

// RootText returns the text of the innermost error in a chain.
func RootText(err error) string {
	for next := errors.Unwrap(err); next != nil; next = errors.Unwrap(err) {
		err = next
	}
	return err.Error()
}
