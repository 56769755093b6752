package players

import (
	"context"
	"database/sql"
	"fmt"

	"pitboss/models"
	"pitboss/models/store/db"
)

// idsSeen is how many transactions SeenIDs reads.
const idsSeen = 500

// SeenIDs returns the IDs of the platform's latest bets and wins, so that ID formats can be proposed from them.
func (s *Store) SeenIDs(ctx context.Context) (list []models.SeenIDs, err error) {
	var q db.Statement
	q.Text("SELECT e.kind, p.user_id, e.transaction_id, e.round_id, e.bet_minor, e.win_minor FROM (SELECT * FROM postings" +
		db.Path{}.Hint(s.db.Dialect) + " WHERE source = ").Int(int64(models.SourcePlatform)).
		Text(" AND claim = ").Int(int64(models.ClaimApplied)).Text(" ORDER BY id DESC LIMIT ").Int(idsSeen).
		Text(") e JOIN players p ON p.id = e.player_id WHERE e.kind IN (").Int(int64(models.Bet)).Comma().
		Int(int64(models.Win)).Comma().Int(int64(models.BetWin)).Text(")")
	err = q.Query(ctx, s.db.Pools.Read, func(r *sql.Rows) error {
		var t models.SeenIDs
		err := r.Scan(&t.Kind, &t.UserID, &t.TransactionID, &t.RoundID, &t.Bet, &t.Win)
		list = append(list, t)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the latest IDs: %w", err)
	}
	return list, nil
}
