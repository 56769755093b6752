package web

import (
	"fmt"
	"net/netip"

	"github.com/gofiber/fiber/v2"

	"pitboss/models"
	"pitboss/views"
)

// Problem is an error as a person reads it, on a separate page. This file has all problems and their words. Their fields are
// given in order: a problem without one of them does not compile.
type Problem struct {
	Status   int
	Title    string
	Happened string
	Money    string // what it means for money
	Do       string // what to do about it
	Link     views.Link
}

// Error returns the title of p, for the log.
func (p Problem) Error() string { return p.Title }

const unchanged = "Nothing has changed."

var (
	nowhere    = views.Link{}
	toOverview = views.Link{Word: "Overview", Href: "/"}
	toSignIn   = views.Link{Word: "Sign in", Href: "/signin"}
)

// Problems of requests.
var (
	errTooLarge = Problem{fiber.StatusRequestEntityTooLarge, "This is too large",
		"What you sent is larger than this page accepts.", unchanged, "If you are no longer signed in, sign in first. " +
			"Otherwise send it in smaller pieces: a form can have up to 1 MB, a file to import 16 MB and a statement from " +
			"the platform 1 GB. If several files are being imported, wait a minute and try again.", toOverview}
	errManyFields = Problem{fiber.StatusRequestEntityTooLarge, "This form has too many fields",
		"A form has at most " + views.Grouped(MaxFields) + " fields.", unchanged, "Send it in smaller pieces.", toOverview}
	errCompressed = Problem{fiber.StatusUnsupportedMediaType, "Compressed requests are not accepted",
		"The request has a Content-Encoding. Browsers do not send one.", unchanged, "Send it uncompressed.", nowhere}
	errFraming = Problem{fiber.StatusBadRequest, "This request could not be read",
		"It has both a Content-Length and a Transfer-Encoding, or a Transfer-Encoding other than chunked.", unchanged,
		"Send either a Content-Length or chunks.", nowhere}
	errIncomplete = Problem{fiber.StatusBadRequest, "This request could not be read", "The request was incomplete.",
		unchanged, "Open the page again.", nowhere}
	errConnection = Problem{fiber.StatusBadRequest, "The connection failed", "It ended before the request was complete.",
		unchanged, "", nowhere}
	errBusy = Problem{fiber.StatusTooManyRequests, "Too many requests at once",
		"Your address already has as many requests in progress as one address may have.", unchanged,
		"Wait a moment and try again.", nowhere}
)

// Problems of sessions.
var (
	errSignedOut = Problem{fiber.StatusUnauthorized, "You are signed out",
		"Your session has ended: it was idle too long, was ended elsewhere, or is from before a change to your account.",
		"Nothing has changed through this page.", "Sign in, then do it again.", toSignIn}
	errSessionEnded = Problem{fiber.StatusUnauthorized, "You are signed out",
		"Your account was changed, or your session ended, while this request was under way.",
		"Nothing has changed through this page.", "Sign in again. If you cannot, ask an administrator.", toSignIn}
	errSessionRevoked = Problem{fiber.StatusUnauthorized, "You are signed out",
		"Your session ended while this page was being prepared.", "What you requested may or may not have been done.",
		"Sign in and look before you repeat it.", toSignIn}
	errOtherSession = Problem{fiber.StatusForbidden, "This form is from another session",
		"The form belongs to another session than the one you are signed in with now, or it did not come from this site.",
		unchanged, "Open the page again and send the form from there.", nowhere}
	errOtherSite = Problem{fiber.StatusForbidden, "This came from another site",
		"Your browser says that a page of another site sent this change.", unchanged, "Open the page here and do it again. " +
			"If you did not press a button, tell the operator of the server which pages you had open.", nowhere}
)

// Problems of Pitboss itself.
var (
	errSlow = Problem{fiber.StatusServiceUnavailable, "The database did not answer in time",
		"This page waited for the database and gave up.",
		"The platform repeats a bet or win that cannot be saved: none is lost and none is counted twice.",
		"Try again in a minute. If you pressed a button, check first whether it took effect.", nowhere}
	errFailed = Problem{fiber.StatusInternalServerError, "This page could not be shown",
		"Something failed in Pitboss. The log has the error under the number below.", "Bets and wins do not go through this " +
			"page and are not affected. If you pressed a button, it may or may not have taken effect.",
		"Check whether it took effect, then try again. If it fails again, give the number below to the operator of the " +
			"server.", nowhere}
)

// Problems of single pages.
var (
	ErrNoDay = Problem{fiber.StatusNotFound, "There is no such day",
		"The address has no valid day, or a day in the future.", unchanged, "Choose a day from the list.",
		views.Link{Word: "Reports", Href: "/reports"}}
	ErrGameElsewhere = Problem{fiber.StatusBadGateway, "The game’s address is not on the list",
		"The platform answered with an address on a host that is not in the list of game hosts.",
		"Nothing has changed through this page.",
		"If the platform has moved its games, ask the operator of the server to add the host to the list.", nowhere}
)

// NotFound returns the problem that there is nothing at an address. thing is a noun, such as "player" or "page".
func NotFound(thing string) Problem {
	return Problem{fiber.StatusNotFound, "We can’t find that " + thing,
		"There is no " + thing + " at this address. Check the address.", unchanged,
		"Search for the ID in the box at the top, or open the list in the menu.", toOverview}
}

// BadAddress returns the problem that the address cannot be read, for example because of an invalid number.
func BadAddress(why string) Problem {
	return Problem{fiber.StatusBadRequest, "This address cannot be read", why, unchanged,
		"Go back to the list and follow its links.", toOverview}
}

// BadForm returns the problem that a form contains something that no page sends, such as an altered hidden value. People's
// mistakes are shown at the field instead.
func BadForm(why string) Problem {
	return Problem{fiber.StatusBadRequest, "This form cannot be read", why, unchanged,
		"Open the page again and send its form once more.", toOverview}
}

// Forbidden returns the problem that the reader's role lacks a permission.
func Forbidden(role models.Role, p Permission) Problem {
	ask := "Ask a colleague with the " + rolesOf(p) + " role."
	if role != models.Administrator {
		ask += " Administrators change roles under Staff."
	}
	return Problem{fiber.StatusForbidden, "You don’t have permission to do this",
		fmt.Sprintf("You are signed in with the %s role, which cannot %s.", role, p), unchanged, ask, toOverview}
}

func errUnconfirmed(p Permission) Problem {
	return Problem{fiber.StatusForbidden, "Your account is not confirmed yet", "One administrator created or changed your " +
		"account. Until a second administrator confirms it, you can view pages, but you cannot " +
		p.String() + ".", unchanged, "Ask another administrator to confirm your account under Staff.", toOverview}
}

func errOtherNetwork(client netip.Addr) Problem {
	return Problem{fiber.StatusForbidden, "Your network is not allowed",
		fmt.Sprintf("The back office accepts connections from certain networks only, and %s is in none of them.", client),
		unchanged, "Connect from the office or its VPN. The operator of the server can add your network to the allowed " +
			"ones.", nowhere}
}

func errTampered(row models.TamperedError) Problem {
	return Problem{fiber.StatusConflict, "The database and the audit log disagree",
		fmt.Sprintf("%s %s is not what the audit log says: it was changed in the database without Pitboss.",
			views.FirstUpper(row.Object), row.ObjectID), "Nothing was done, and no money has moved.",
		"Ask compliance to run a verification. It names every row that was changed. No action is possible on this one until " +
			"the " +
			"change is explained.", views.Link{Word: "Integrity", Href: "/integrity"}}
}

// BookingUnknown returns the problem that the outcome of a correction is unknown.
func BookingUnknown(correction int64) Problem {
	return Problem{fiber.StatusServiceUnavailable, "We do not know yet whether this was booked",
		"The database gave no definite answer while the correction was being booked.",
		"The correction is booked once or not at all: approving it again cannot move the money twice.",
		"Open the correction in a minute. If it still waits, nothing was booked, and it can be approved.",
		views.Link{Word: fmt.Sprintf("Correction %d", correction), Href: PathOf("/corrections", correction)}}
}

// StatementDeleted returns the problem that the file of a statement was deleted.
func StatementDeleted(statement int64) Problem {
	return Problem{fiber.StatusNotFound, "The file of this statement is not here", "It was deleted.",
		"Nothing has changed. Earlier results are still there.", "Upload it again to compare it again.",
		views.Link{Word: "Open the statement", Href: PathOf("/statements", statement)}}
}

// rolesOf returns the roles that have a permission, for a sentence.
func rolesOf(p Permission) string {
	var words []string
	for _, role := range Grants[p] {
		words = append(words, string(role))
	}
	return views.EitherOf(words)
}
