package players

import (
	"context"
	"fmt"

	"pitboss/models"
	"pitboss/models/store/db"
)

// idsSeen is how many transactions SeenIDs reads.
const idsSeen = 500

// SeenIDs returns the IDs of the platform's latest bets and wins, from which formats are proposed.
func (s *Store) SeenIDs(ctx context.Context) (list []models.SeenIDs, err error) {
	err = s.db.Read.WithContext(ctx).Raw(`SELECT e.kind, p.user_id, e.transaction_id, e.round_id, e.bet_minor, e.win_minor
		FROM (SELECT * FROM postings`+db.Path{}.Hint(s.db.Dialect)+` WHERE source = ? AND claim = ? ORDER BY id DESC LIMIT ?) e
		JOIN players p ON p.id = e.player_id WHERE e.kind IN ?`, models.SourcePlatform, models.ClaimApplied, idsSeen,
		[]models.OperationKind{models.Bet, models.Win, models.BetWin}).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read the latest IDs: %w", err)
	}
	return list, nil
}
