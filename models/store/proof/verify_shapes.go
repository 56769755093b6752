package proof

import (
	"context"
	"database/sql"
	"fmt"

	"pitboss/models"
	"pitboss/models/store/db"
)

// Whether the ledger knows the lengths of all IDs and user IDs that it has accepted.

// shape notes the lengths of a posting's IDs.
func (v *verifier) shape(p *models.Posting) {
	switch {
	case p.Source != models.SourcePlatform:
	case p.Claim == models.ClaimNone:
		v.shapes[models.IDShape{Transaction: len(p.TransactionID)}] = true
	default:
		v.shapes[(&models.Operation{Kind: p.Kind, TransactionID: p.TransactionID, RoundID: p.RoundID}).Shape()] = true
	}
}

// idShapes checks that the ledger knows the lengths of all IDs that it has accepted. Otherwise other readings of a signed text
// would no longer be found (models/signed.go).
func (v *verifier) idShapes(ctx context.Context) error {
	var list []models.IDShape
	var q db.Statement
	q.Begin("SELECT transaction_length, round_length, amount_first FROM id_shapes")
	err := q.Query(ctx, v.tx, func(rows *sql.Rows) error {
		var shape models.IDShape
		var amount int64
		if err := rows.Scan(&shape.Transaction, &shape.Round, &amount); err != nil {
			return err
		}
		shape.Amount = amount == 1
		if most := models.MaxIDBytes; min(shape.Transaction, shape.Round) < 0 || max(shape.Transaction, shape.Round) > most ||
			amount != 0 && amount != 1 {
			v.report.Rows.Add("id_shapes has the lengths %d and %d (%d), which no IDs can have", shape.Transaction, shape.Round,
				amount)
			return nil
		}
		list = append(list, shape)
		return nil
	})
	if err != nil {
		return fmt.Errorf("read the shapes of IDs: %w", err)
	}
	var unknown int64
	err = q.Begin("SELECT COUNT(*) FROM ledgers WHERE retired = 0 AND EXISTS (SELECT 1 FROM retired_postings)").Query(ctx,
		v.tx, func(rows *sql.Rows) error { return rows.Scan(&unknown) })
	if err != nil {
		return fmt.Errorf("read whether postings are retired: %w", err)
	}
	if unknown > 0 {
		v.report.Rows.Add("the ledger says that nothing was ever purged, but something was: old transaction IDs could be " +
			"used again")
	}
	if err := v.userLengths(ctx); err != nil {
		return err
	}
	known := models.NewIDShapes(list)
	for shape := range v.shapes {
		if !known.Has(shape) {
			v.report.Rows.Add("id_shapes lacks transaction IDs of %d bytes with round IDs of %d bytes: a signature could be "+
				"used for other values",
				shape.Transaction, shape.Round)
		}
	}
	return nil
}

// userLengths checks that the ledger knows the lengths of the names of all players who have played. The name of an erased
// player is gone; its length stays known.
func (v *verifier) userLengths(ctx context.Context) error {
	check := func(fault, query string, args ...any) error {
		rows, err := v.tx.QueryContext(ctx, query, args...)
		if err != nil {
			return fmt.Errorf("read the lengths of user IDs: %w", err)
		}
		defer rows.Close()
		for rows.Next() {
			var length int64
			if err := rows.Scan(&length); err != nil {
				return fmt.Errorf("read the lengths of user IDs: %w", err)
			}
			v.report.Rows.Add(fault, length)
		}
		return rows.Err()
	}
	err := check("user_lengths has the length %d, which no user ID can have",
		"SELECT length FROM user_lengths WHERE length NOT BETWEEN 1 AND ?", models.MaxIDBytes)
	if err != nil {
		return err
	}
	// LIMIT 1, because one row of each player is enough. For EXISTS, MariaDB may copy the whole ledger first.
	return check("user_lengths lacks user IDs of %d bytes: a signature could be used for other values",
		"SELECT DISTINCT OCTET_LENGTH(p.user_id) FROM players p JOIN wallets w ON w.player_id = p.id WHERE w.erased = 0 "+
			"AND OCTET_LENGTH(p.user_id) NOT IN (SELECT length FROM user_lengths) "+
			"AND COALESCE((SELECT 1 FROM postings e WHERE e.player_id = p.id AND e.source = 1 LIMIT 1), "+
			"(SELECT 1 FROM retired_postings r WHERE r.player_id = p.id AND r.source = 1 LIMIT 1)) = 1")
}
