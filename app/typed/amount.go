// Package typed reads amounts as people type them.
package typed

import (
	"fmt"
	"regexp"
	"strings"

	"pitboss/models"
)

// Decimals follow a point or, if the installation allows it, a comma. Amount never guesses: it refuses an amount with two
// possible readings and names both, because one is a thousand times the other.

// amountError is a sentence that says why an amount is refused.
type amountError string

// Error returns the sentence.
func (e amountError) Error() string { return string(e) }

var (
	amountChars  = regexp.MustCompile(`^[0-9][0-9.,]*$`)
	groupedByTwo = regexp.MustCompile(`^[0-9]{1,3}(,[0-9]{3}){2,}$|^[0-9]{1,3}(\.[0-9]{3}){2,}$`)
	ambiguous    = regexp.MustCompile(`^[1-9][0-9]{0,2}[.,][0-9]{3}$`)
	oneSeparator = regexp.MustCompile(`^([0-9]+)(?:([.,])([0-9]{1,2}))?$`)
	bothEnglish  = regexp.MustCompile(`^[0-9]{1,3}(,[0-9]{3})+\.[0-9]{1,2}$`)
	bothGerman   = regexp.MustCompile(`^[0-9]{1,3}(\.[0-9]{3})+,[0-9]{1,2}$`)
	// Separators of thousands that nobody uses before decimals.
	plainGroups = strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "", "'", "", "’", "")
)

// Amount reads an amount as a person typed it. With comma, decimals may also follow a comma. The error is an amountError.
func Amount(text string, comma bool) (models.Amount, error) {
	example := "12.50"
	if comma {
		example = "12,50"
	}
	unreadable := amountError(fmt.Sprintf("Enter an amount above zero with at most two decimals, such as %s or 12.", example))
	bare := plainGroups.Replace(strings.TrimSpace(text))
	if !amountChars.MatchString(bare) {
		return 0, unreadable
	}
	switch parts := oneSeparator.FindStringSubmatch(bare); {
	case bothEnglish.MatchString(bare):
		bare = strings.ReplaceAll(bare, ",", "")
	case bothGerman.MatchString(bare):
		bare = strings.Replace(strings.ReplaceAll(bare, ".", ""), ",", ".", 1)
	case groupedByTwo.MatchString(bare):
		bare = strings.NewReplacer(",", "", ".", "").Replace(bare)
	case ambiguous.MatchString(bare):
		whole, rest := bare[:len(bare)-4], bare[len(bare)-3:]
		return 0, amountError(fmt.Sprintf("“%s” can mean %s or %s. Write %s or %s.", text, whole+","+rest+".00",
			whole+"."+rest, whole+rest, strings.Replace(whole+"."+rest[:2], ".", example[2:3], 1)))
	case parts == nil:
		return 0, unreadable
	case parts[2] == "," && !comma:
		return 0, amountError(fmt.Sprintf("Write %s.%s: amounts have a decimal point here.", parts[1], parts[3]))
	default:
		bare = strings.Replace(bare, ",", ".", 1)
	}
	whole, cents, _ := strings.Cut(bare, ".")
	whole = strings.TrimLeft(whole, "0")
	if whole == "" {
		whole = "0"
	}
	amount, err := models.ParseAmount(whole + "." + (cents + "00")[:2])
	if err != nil {
		return 0, amountError("This amount is too large.")
	}
	return amount, nil
}
