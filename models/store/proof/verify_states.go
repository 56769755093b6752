package proof

import (
	"database/sql"
	"fmt"
	"slices"

	"pitboss/models/store/db"
	"pitboss/models/store/spins"
)

// rowFaultsKept is the most rows reported as not matching the audit log.
const rowFaultsKept = 200

// coveredRows compares every covered row with the latest audit event about it. It reads the events' objects in the order of the
// index, in chunks, which finds rows that were changed or deleted. If there are more rows than those with events, it also looks
// for rows that were inserted.
func (v *verifier) coveredRows() error {
	planted, err := v.s.db.Planted(v.tx)
	if err != nil {
		return err
	}
	for _, name := range planted {
		v.report.Rows.AddUpTo(rowFaultsKept,
			"%s does not belong to Pitboss and could change or refuse what Pitboss writes: drop it", name)
	}
	faults, err := v.s.db.WatcherFaults(v.tx)
	if err != nil {
		return err
	}
	for _, fault := range faults {
		v.report.Rows.AddUpTo(rowFaultsKept, "%s", fault)
	}
	for _, k := range db.CoveredKinds {
		known, err := v.knownRows(k)
		var there int64
		if err == nil {
			err = v.tx.Raw("SELECT COUNT(*) FROM " + k.From).Scan(&there).Error
		}
		if err == nil && there != known {
			err = v.unknownRows(k)
		}
		if err != nil {
			return fmt.Errorf("compare each %s with the audit log: %w", k.Object, err)
		}
	}
	return v.campaignLines()
}

// campaignLines checks that campaigns have exactly the lines that were uploaded, and have spent the sum of their grants.
func (v *verifier) campaignLines() error {
	err := db.Each(v.tx, func(rows *sql.Rows) error {
		var r spins.UploadedLine
		if err := rows.Scan(&r.CampaignID, &r.Line, &r.PlayerID, &r.GameID, &r.Spins, &r.MAC); err != nil {
			return err
		}
		if r.MAC != r.ComputeMAC(v.s.db.Chain) {
			v.report.Rows.AddUpTo(rowFaultsKept, "line %d of campaign %d is not one that was uploaded", r.Line, r.CampaignID)
		}
		return nil
	}, "SELECT campaign_id, line, player_id, game_id, spins, mac FROM campaign_lines ORDER BY campaign_id, line")
	if err != nil {
		return err
	}
	type campaign struct{ ID, Uploaded, There int64 }
	wrong, err := db.All[campaign](v.tx,
		`SELECT t.id, t.row_count AS uploaded, COUNT(l.line) AS there
		FROM campaigns t LEFT JOIN campaign_lines l ON l.campaign_id = t.id
		GROUP BY t.id, t.row_count, t.spins HAVING COUNT(l.line) <> t.row_count OR COALESCE(SUM(l.spins), 0) <> t.spins`)
	for _, w := range wrong {
		v.report.Rows.AddUpTo(rowFaultsKept, "campaign %d has %d lines of %d that were uploaded", w.ID, w.There, w.Uploaded)
	}
	return err
}

// knownRows compares the rows that have audit events, and returns how many of them exist.
func (v *verifier) knownRows(k *db.CoveredKind) (there int64, err error) {
	err = v.s.db.EachState(v.tx, k, func(said []db.LatestState) error {
		ids := make([]string, len(said))
		for i, l := range said {
			ids[i] = l.Event.ObjectID
		}
		rows, err := v.s.db.Rows(v.tx, k, ids)
		if err != nil {
			return err
		}
		there += int64(len(rows))
		for _, l := range said {
			v.report.CoveredRows++
			if row := rows[l.Event.ObjectID]; !l.Holds(v.s.db.Chain, row) {
				v.disagrees(l, row)
			}
		}
		return nil
	})
	return there, err
}

// disagrees reports how a row differs from the state in its latest event.
func (v *verifier) disagrees(l db.LatestState, row any) {
	fault := "%s %s differs from audit event %d: it was changed in the database"
	switch {
	case row == nil:
		fault = "%s %s is gone, although audit event %d left it there"
	case l.Removed(v.s.db.Chain):
		fault = "%s %s exists, although audit event %d removed it"
	}
	v.report.Rows.AddUpTo(rowFaultsKept, fault, l.Event.Object, l.Event.ObjectID, l.Event.ID)
}

// unknownRows finds the rows without audit events.
func (v *verifier) unknownRows(k *db.CoveredKind) error {
	for last, begun := "", false; ; begun = true {
		after := ""
		var args []any
		if begun {
			after, args = "WHERE "+k.Key+" > ?", []any{last} // both databases compare a numeric key as a number
		}
		var ids, known []string
		query := fmt.Sprintf("SELECT %[1]s FROM %[2]s %[3]s ORDER BY %[1]s LIMIT %[4]d", k.Key, k.From, after, db.CoveredAtOnce)
		err := v.tx.Raw(query, args...).Scan(&ids).Error
		if err != nil || len(ids) == 0 {
			return err
		}
		last = ids[len(ids)-1]
		err = v.tx.Raw("SELECT DISTINCT object_id FROM audit_events WHERE object = ? AND stated = 1 AND object_id IN ?",
			k.Object, ids).Scan(&known).Error
		if err != nil {
			return err
		}
		for _, id := range ids {
			if !slices.Contains(known, id) {
				v.report.Rows.AddUpTo(rowFaultsKept, "%s %s has no audit event: it was inserted in the database", k.Object, id)
			}
		}
	}
}
