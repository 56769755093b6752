package proof

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pitboss/models"
)

// length notes the length of a posting's transaction ID.
func (v *verifier) length(p *models.Posting) {
	if p.Source == models.SourcePlatform {
		v.lengths[len(p.TransactionID)] = true
	}
}

// ledgerRow checks that the ledger's row has the lengths of all transaction IDs that were accepted. Otherwise other readings
// of a signed text would no longer be found (models/signed.go).
func (v *verifier) ledgerRow(ctx context.Context) error {
	var lengths string
	err := v.tx.Raw("SELECT id_lengths FROM ledgers WHERE id = 1").Row().Scan(&lengths)
	if err != nil {
		return fmt.Errorf("read the ledger's row: %w", err)
	}
	known := strings.Fields(lengths)
	for _, field := range known {
		if n, err := strconv.Atoi(field); err != nil || n < 1 || n > models.MaxIDBytes {
			v.report.Rows.Add("ledgers.id_lengths has %.20q, which is no length of a transaction ID", field)
		}
	}
	for n := range v.lengths {
		if !slices.Contains(known, strconv.Itoa(n)) {
			v.report.Rows.Add("ledgers.id_lengths lacks transaction IDs of %d bytes: a signature could be used for other values",
				n)
		}
	}
	return nil
}
