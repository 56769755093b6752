package players

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"

	"pitboss/models"
	"pitboss/models/store/db"
)

// idsSeen is how many transactions SeenIDs reads.
const idsSeen = 500

// SeenIDs returns the IDs of the platform's latest bets and wins, and the lengths of all IDs so far, so that ID formats can be
// proposed that refuse none of them.
func (s *Store) SeenIDs(ctx context.Context) (seen models.SeenIDs, err error) {
	err = db.Each(s.db.Read.WithContext(ctx), func(r *sql.Rows) error {
		var t models.SeenTransaction
		err := r.Scan(&t.Kind, &t.UserID, &t.TransactionID, &t.RoundID, &t.Bet, &t.Win)
		seen.Latest = append(seen.Latest, t)
		return err
	}, "SELECT e.kind, p.user_id, e.transaction_id, e.round_id, e.bet_minor, e.win_minor FROM (SELECT * FROM postings"+
		db.Path{}.Hint(s.db.Dialect)+" WHERE source = ? AND claim = ? ORDER BY id DESC LIMIT ?) e "+
		"JOIN players p ON p.id = e.player_id AND p.test = 0 WHERE e.kind IN (?, ?, ?)",
		models.SourcePlatform, models.ClaimApplied, idsSeen, models.Bet, models.Win, models.BetWin)
	if err != nil {
		return seen, fmt.Errorf("read the latest IDs: %w", err)
	}
	var lengths string
	err = s.db.Pools.Read.QueryRowContext(ctx, "SELECT COALESCE(MIN(OCTET_LENGTH(p.user_id)), 0), "+
		"COALESCE(MAX(OCTET_LENGTH(p.user_id)), 0), COALESCE((SELECT id_lengths FROM ledgers WHERE id = 1), '') "+
		"FROM players p JOIN wallets w ON w.player_id = p.id WHERE w.erased = 0").
		Scan(&seen.Users.Min, &seen.Users.Max, &lengths)
	if err != nil {
		return seen, fmt.Errorf("read the lengths of IDs: %w", err)
	}
	for _, field := range strings.Fields(lengths) {
		if n, err := strconv.Atoi(field); err == nil {
			seen.Transactions = seen.Transactions.With(n)
		}
	}
	return seen, nil
}
