package db

import (
	"strconv"

	"gorm.io/gorm"

	"pitboss/models"
)

// CoveredKind is how the rows of a type of models.Covered are read.
type CoveredKind struct {
	Object string // of its audit events
	From   string // its table, or a query with its keys
	Key    string // the column whose value is the events' ObjectID
	text   bool   // whether the key is a text
	read   func(tx *gorm.DB, keys []any) ([]models.Covered, error)
}

// CoveredKinds are all kinds of rows that the audit log covers. What it covers of them is in models/covered.go.
var CoveredKinds = []*CoveredKind{
	{Object: "player", From: "players", Key: "id", read: readPlayers},
	{Object: "correction", From: "corrections", Key: "id", read: rowsBy[models.Correction]("id")},
	{Object: "staff", From: "staff", Key: "id", read: readStaff},
	{Object: "change", From: "change_requests", Key: "id", read: rowsBy[models.ChangeRequest]("id")},
	{Object: "setting", From: "settings", Key: "name", text: true, read: rowsBy[models.Setting]("name")},
	{Object: "grant", From: "grants", Key: "id", read: rowsBy[models.Grant]("id")},
	{Object: "campaign", From: "campaigns", Key: "id", read: rowsBy[models.Campaign]("id")},
	{Object: "case", From: "cases", Key: "id", read: readCases},
	{Object: "day", From: "(SELECT day FROM closed_days UNION SELECT day FROM day_signatures) d", Key: "day", text: true,
		read: readDays},
	{Object: "checkpoint", From: "checkpoints", Key: "number", read: rowsBy[models.WrittenCheckpoint]("number")},
	{Object: "verification", From: "verifications", Key: "id", read: rowsBy[models.VerificationRun]("id")},
	{Object: "restriction", From: "restrictions", Key: "id", read: rowsBy[models.Restriction]("id")},
	{Object: "cash-out", From: "cash_reviews", Key: "id", read: rowsBy[models.CashReview]("id")},
	{Object: "API client", From: "api_clients", Key: "id", read: rowsBy[models.APIClient]("id")},
	{Object: "games", From: "(SELECT '" + models.AllGames + "' AS id FROM games LIMIT 1) g", Key: "id", text: true,
		read: readGames},
}

// kindOf returns the kind with this Object.
func kindOf(object string) *CoveredKind {
	for _, k := range CoveredKinds {
		if k.Object == object {
			return k
		}
	}
	return nil
}

// keys returns the values of the key column for these ObjectIDs, without those that it cannot contain.
func (k *CoveredKind) keys(ids []string) (keys []any) {
	for _, id := range ids {
		if k.text {
			keys = append(keys, id)
		} else if number, err := strconv.ParseInt(id, 10, 64); err == nil {
			keys = append(keys, number)
		}
	}
	return keys
}

// rowsBy reads rows of one table.
func rowsBy[T models.Covered](key string) func(*gorm.DB, []any) ([]models.Covered, error) {
	return func(tx *gorm.DB, keys []any) ([]models.Covered, error) {
		var rows []T
		err := tx.Where(key+" IN ?", keys).Find(&rows).Error
		return asCovered(rows), err
	}
}

func asCovered[T models.Covered](rows []T) []models.Covered {
	list := make([]models.Covered, len(rows))
	for i, r := range rows {
		list[i] = r
	}
	return list
}

// belongings reads rows that belong to the rows with some keys. After an error, it reads nothing more.
type belongings struct {
	tx   *gorm.DB
	keys []any
	err  error
}

// belongingTo returns the rows that belong to each key, by their column key.
func belongingTo[T any, K comparable](b *belongings, key, order string, of func(T) K) map[K][]T {
	lists := map[K][]T{}
	if b.err != nil {
		return lists
	}
	var rows []T
	b.err = b.tx.Session(&gorm.Session{NewDB: true}).Where(key+" IN ?", b.keys).Order(order).Find(&rows).Error
	for _, r := range rows {
		lists[of(r)] = append(lists[of(r)], r)
	}
	return lists
}

func readPlayers(tx *gorm.DB, ids []any) ([]models.Covered, error) {
	var rows []models.Player
	err := tx.Table("players p").Joins("JOIN wallets w ON w.player_id = p.id").
		Select("p.id, p.user_id, p.test, p.created_at_us, p.language, p.zone, w.*").Where("p.id IN ?", ids).Find(&rows).Error
	return asCovered(rows), err
}

func readStaff(tx *gorm.DB, ids []any) ([]models.Covered, error) {
	var rows []models.Staff
	if err := tx.Where("id IN ?", ids).Find(&rows).Error; err != nil {
		return nil, err
	}
	b := &belongings{tx: tx, keys: ids}
	codes := belongingTo(b, "staff_id", "id", func(c models.RecoveryCode) int64 { return c.StaffID })
	links := belongingTo(b, "staff_id", "staff_id", func(l models.StaffLink) int64 { return l.StaffID })
	passwords := belongingTo(b, "staff_id", "id", func(p models.OldPassword) int64 { return p.StaffID })
	passkeys := belongingTo(b, "staff_id", "id", func(p models.Passkey) int64 { return p.StaffID })
	for i, r := range rows {
		rows[i].Kept = models.StaffKept{Codes: codes[r.ID], Links: links[r.ID], Passwords: passwords[r.ID], Passkeys: passkeys[r.ID]}
	}
	return asCovered(rows), b.err
}

func readCases(tx *gorm.DB, ids []any) ([]models.Covered, error) {
	var rows []models.Case
	if err := tx.Where("id IN ?", ids).Find(&rows).Error; err != nil {
		return nil, err
	}
	b := &belongings{tx: tx, keys: ids}
	notes := belongingTo(b, "case_id", "number", func(n models.CaseNote) int64 { return n.CaseID })
	for i, r := range rows {
		rows[i].Notes = notes[r.ID]
	}
	return asCovered(rows), b.err
}

// readDays returns a day if it is closed or signed.
func readDays(tx *gorm.DB, days []any) ([]models.Covered, error) {
	b := &belongings{tx: tx, keys: days}
	closed := belongingTo(b, "day", "day", func(c models.ClosedDay) models.Day { return c.Day })
	signed := belongingTo(b, "day", "role", func(s models.DaySignature) models.Day { return s.Day })
	var list []models.Covered
	for _, day := range days {
		c := models.ClosedDay{Day: models.Day(day.(string))}
		if len(closed[c.Day]) > 0 {
			c = closed[c.Day][0]
		}
		c.Signed = signed[c.Day]
		if len(closed[c.Day])+len(c.Signed) > 0 {
			list = append(list, c)
		}
	}
	return list, b.err
}

func readGames(tx *gorm.DB, _ []any) ([]models.Covered, error) {
	var games models.Games
	if err := tx.Order("id").Find(&games).Error; err != nil || len(games) == 0 {
		return nil, err
	}
	return []models.Covered{games}, nil
}
