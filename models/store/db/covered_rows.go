package db

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"sync"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/schema"

	"pitboss/models"
)

// A row is covered by being listed in CoveredKinds: the audit log covers all columns of its type, and the rows of other tables
// in fields with the tag covered:"rows". A column with the tag covered:"-" changes without an audit event and authorizes
// nothing; the handbook lists it.

// CoveredKind is a type of rows that authorize money or access.
type CoveredKind struct {
	Object string // of its audit events
	From   string // its table, or a query with its keys
	Key    string // the column whose value is the events' ObjectID
	text   bool   // whether the key is a text
	of     reflect.Type
	id     func(row any) string                                              // its ObjectID
	read   func(tx *gorm.DB, key string, keys []any) (map[string]any, error) // by ObjectID
}

// CoveredKinds are all kinds of covered rows.
var CoveredKinds = []*CoveredKind{
	covers("player", "players", "id", readPlayers, func(p models.Player) any { return p.ID }),
	covers("correction", "corrections", "id", find, func(c models.Correction) any { return c.ID }),
	covers("staff", "staff", "id", readStaff, func(s models.Staff) any { return s.ID }),
	covers("change", "change_requests", "id", find, func(c models.ChangeRequest) any { return c.ID }),
	covers("setting", "settings", "name", find, func(s models.Setting) any { return s.Name }),
	covers("grant", "grants", "id", find, func(g models.Grant) any { return g.ID }),
	covers("campaign", "campaigns", "id", find, func(c models.Campaign) any { return c.ID }),
	covers("case", "cases", "id", readCases, func(c models.Case) any { return c.ID }),
	covers("day", "(SELECT day FROM closed_days UNION SELECT day FROM day_signatures) d", "day", readDays,
		func(c models.ClosedDay) any { return string(c.Day) }),
	covers("checkpoint", "checkpoints", "number", find, func(c models.WrittenCheckpoint) any { return c.Number }),
	covers("verification", "verifications", "id", find, func(r models.VerificationRun) any { return r.ID }),
	covers("restriction", "restrictions", "id", find, func(r models.Restriction) any { return r.ID }),
	covers("cash-out", "cash_reviews", "id", find, func(r models.CashReview) any { return r.ID }),
	covers("API client", "api_clients", "id", find, func(c models.APIClient) any { return c.ID }),
	covers("games", "(SELECT '"+models.AllGames+"' AS id FROM games LIMIT 1) g", "id", readGames,
		func(models.Games) any { return models.AllGames }),
}

// covers returns a kind. id returns the key of a row, a number or a text.
func covers[T any](object, from, key string, read func(*gorm.DB, string, []any) ([]T, error), id func(T) any) *CoveredKind {
	var none T
	_, text := id(none).(string)
	return &CoveredKind{Object: object, From: from, Key: key, text: text, of: reflect.TypeFor[T](),
		id: func(row any) string { return fmt.Sprint(id(row.(T))) },
		read: func(tx *gorm.DB, key string, keys []any) (map[string]any, error) {
			list, err := read(tx, key, keys)
			rows := make(map[string]any, len(list))
			for _, r := range list {
				rows[fmt.Sprint(id(r))] = r
			}
			return rows, err
		}}
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

// kindFor returns the kind of the rows of a type.
func kindFor(t reflect.Type) *CoveredKind {
	for _, k := range CoveredKinds {
		if k.of == t {
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

// coveredFields has for each type the fields of its columns that the audit log covers, and those with rows of other tables.
var coveredFields, gormSchemas sync.Map

func fieldsCovered(t reflect.Type) (fields []*schema.Field) {
	if known, ok := coveredFields.Load(t); ok {
		return known.([]*schema.Field)
	}
	s, err := schema.Parse(reflect.New(t).Interface(), &gormSchemas, schema.NamingStrategy{})
	if err != nil {
		panic(err) // a type of the program's own
	}
	for _, f := range s.Fields {
		if tag := coveredTag(t, f.BindNames); tag == "rows" || f.DBName != "" && f.Creatable && tag != "-" {
			fields = append(fields, f)
		}
	}
	coveredFields.Store(t, fields)
	return fields
}

// coveredTag returns the tag of a field, or of a struct that embeds it.
func coveredTag(t reflect.Type, path []string) (tag string) {
	for _, name := range path {
		f, _ := t.FieldByName(name)
		if tag = f.Tag.Get("covered"); tag != "" {
			return tag
		}
		t = f.Type
	}
	return ""
}

// encodeCovered encodes the covered columns of a row: a line for each, with its name and its value. It leaves out zero values
// and empty lists, so that existing rows keep their encoding if a column is added.
func encodeCovered(row any) []byte {
	if r, ok := row.(interface{ Covered() any }); ok {
		row = r.Covered()
	}
	return appendRow(nil, reflect.ValueOf(row))
}

// Seen identifies the state of a row, given by value or pointer, by its covered columns.
func Seen(row any) string {
	sum := sha256.Sum256(encodeCovered(reflect.Indirect(reflect.ValueOf(row)).Interface()))
	return base64.RawURLEncoding.EncodeToString(sum[:16])
}

func appendRow(text []byte, row reflect.Value) []byte {
	if row.Kind() == reflect.Slice {
		for i := range row.Len() {
			text = append(strconv.AppendQuote(text, string(appendRow(nil, row.Index(i)))), '\n')
		}
		return text
	}
	text = append(text, "row"...)
	for _, f := range fieldsCovered(row.Type()) {
		value := f.ReflectValueOf(context.Background(), row)
		if value.IsZero() || value.Kind() == reflect.Slice && value.Len() == 0 {
			continue
		}
		if f.DBName == "" {
			text = append(append(append(text, '\n'), f.Name...), '=')
			text = strconv.AppendQuote(text, string(appendRow(nil, value)))
			continue
		}
		text = append(append(append(text, '\n'), f.DBName...), '=')
		text = appendValue(text, value)
	}
	return text
}

// appendValue appends a value. A text keeps all its bytes, and two different values never look the same. Named numbers are
// written as numbers, because several may have the same word.
func appendValue(text []byte, v reflect.Value) []byte {
	switch value := v.Interface().(type) {
	case time.Time:
		return strconv.AppendInt(text, value.UnixMicro(), 10)
	case models.Hash:
		return hex.AppendEncode(text, value[:])
	}
	switch {
	case v.Kind() == reflect.String:
		return strconv.AppendQuote(text, v.String())
	case v.CanInt():
		return strconv.AppendInt(text, v.Int(), 10)
	case v.CanUint():
		return strconv.AppendUint(text, v.Uint(), 10)
	case v.Kind() == reflect.Bool:
		return strconv.AppendBool(text, v.Bool())
	}
	value, err := json.Marshal(v.Interface())
	if err != nil {
		panic(err) // it was read from JSON
	}
	return strconv.AppendQuote(text, string(value))
}

// find reads rows of one table.
func find[T any](tx *gorm.DB, key string, keys []any) (rows []T, err error) {
	return rows, tx.Where(key+" IN ?", keys).Find(&rows).Error
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

func readPlayers(tx *gorm.DB, _ string, ids []any) (rows []models.Player, err error) {
	return rows, tx.Table("players p").Joins("JOIN wallets w ON w.player_id = p.id").Select("p.*, w.*").Where("p.id IN ?", ids).
		Find(&rows).Error
}

func readStaff(tx *gorm.DB, key string, ids []any) ([]models.Staff, error) {
	rows, err := find[models.Staff](tx, key, ids)
	b := &belongings{tx: tx, keys: ids, err: err}
	codes := belongingTo(b, "staff_id", "id", func(c models.RecoveryCode) int64 { return c.StaffID })
	links := belongingTo(b, "staff_id", "staff_id", func(l models.StaffLink) int64 { return l.StaffID })
	passwords := belongingTo(b, "staff_id", "id", func(p models.OldPassword) int64 { return p.StaffID })
	passkeys := belongingTo(b, "staff_id", "id", func(p models.Passkey) int64 { return p.StaffID })
	for i, r := range rows {
		rows[i].Kept = models.StaffKept{Codes: codes[r.ID], Links: links[r.ID], Passwords: passwords[r.ID], Passkeys: passkeys[r.ID]}
	}
	return rows, b.err
}

func readCases(tx *gorm.DB, key string, ids []any) ([]models.Case, error) {
	rows, err := find[models.Case](tx, key, ids)
	b := &belongings{tx: tx, keys: ids, err: err}
	notes := belongingTo(b, "case_id", "number", func(n models.CaseNote) int64 { return n.CaseID })
	for i, r := range rows {
		rows[i].Notes = notes[r.ID]
	}
	return rows, b.err
}

// readDays returns a day if it is closed or signed.
func readDays(tx *gorm.DB, key string, days []any) (list []models.ClosedDay, err error) {
	b := &belongings{tx: tx, keys: days}
	closed := belongingTo(b, key, "day", func(c models.ClosedDay) models.Day { return c.Day })
	signed := belongingTo(b, key, "role", func(s models.DaySignature) models.Day { return s.Day })
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

func readGames(tx *gorm.DB, _ string, _ []any) ([]models.Games, error) {
	var games models.Games
	if err := tx.Order("id").Find(&games).Error; err != nil || len(games) == 0 {
		return nil, err
	}
	return []models.Games{games}, nil
}
