package storetest

import (
	"strings"

	"pitboss/models"
)

// WordsOf returns everything that a verification found as one text.
func WordsOf(v models.Verification) string {
	var all []string
	for _, w := range v.Faulty {
		all = append(all, w.Faults...)
	}
	for _, c := range []models.ChainFaults{v.Audit, v.Rows, v.Figures, v.Written} {
		all = append(all, c.Faults...)
	}
	return strings.Join(all, "; ")
}
