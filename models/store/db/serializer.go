package db

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"gorm.io/gorm/schema"
)

// micros stores a time, or how long something took, as microseconds in a BIGINT; the zero time as 0. The domain's types name it
// in their tags: gorm:"column:at_us;serializer:micros".
type micros struct{}

func init() {
	schema.RegisterSerializer("micros", micros{})
	schema.RegisterSerializer("orNull", orNull{})
	schema.RegisterSerializer("jsonText", jsonText{})
	schema.RegisterSerializer("jsonOrNone", jsonText{lenient: true})
}

// Scan sets a field to what the database holds.
func (micros) Scan(ctx context.Context, field *schema.Field, dst reflect.Value, stored any) error {
	var us int64
	switch v := stored.(type) {
	case nil:
	case int64:
		us = v
	case time.Duration:
		us = v.Microseconds()
	case time.Time:
		us = Micros(v)
	default:
		return fmt.Errorf("column %s holds a %T, not microseconds", field.DBName, stored)
	}
	at := field.ReflectValueOf(ctx, dst)
	if at.Type() == reflect.TypeFor[time.Duration]() {
		at.SetInt(int64(time.Duration(us) * time.Microsecond))
	} else {
		at.Set(reflect.ValueOf(FromMicros(us)))
	}
	return nil
}

// Value is what the database is to hold.
func (micros) Value(_ context.Context, field *schema.Field, _ reflect.Value, value any) (any, error) {
	switch v := value.(type) {
	case time.Time:
		return Micros(v), nil
	case time.Duration:
		return v.Microseconds(), nil
	}
	return nil, fmt.Errorf("field %s is a %T, neither a time nor a duration", field.Name, value)
}

// jsonText stores a value as JSON; unlike GORM's own serializer, an empty list as null and never as NULL. An empty text is the
// zero value, and with lenient so is a text that cannot be read.
type jsonText struct{ lenient bool }

// Scan sets a field to what the database holds.
func (j jsonText) Scan(ctx context.Context, field *schema.Field, dst reflect.Value, stored any) error {
	into := reflect.New(field.FieldType)
	var err error
	switch v := stored.(type) {
	case nil:
	case []byte:
		err = decode(v, into.Interface())
	case string:
		err = decode([]byte(v), into.Interface())
	default:
		err = fmt.Errorf("it is a %T", stored)
	}
	if err != nil && !j.lenient {
		return fmt.Errorf("read %s as JSON: %w", field.DBName, err)
	}
	field.ReflectValueOf(ctx, dst).Set(into.Elem())
	return nil
}

func decode(text []byte, into any) error {
	if len(text) == 0 {
		return nil
	}
	return json.Unmarshal(text, into)
}

// Value is what the database is to hold.
func (jsonText) Value(_ context.Context, _ *schema.Field, _ reflect.Value, value any) (any, error) {
	if v := reflect.ValueOf(value); v.Kind() == reflect.Pointer && v.IsNil() {
		return "", nil
	}
	return JsonText(value), nil
}

// JoinedNames are the columns that queries join to a row with a maker and a checker (models.Signature). Whoever writes such a
// row omits them: of several embedded fields called Name, GORM remembers only of one that it is not to be written.
var JoinedNames = []string{"maker_name", "checker_name", "game_name"}

// orNull stores a zero number, or an empty text, as NULL: a unique index takes any number of those.
type orNull struct{}

// Scan sets a field to what the database holds.
func (orNull) Scan(ctx context.Context, field *schema.Field, dst reflect.Value, stored any) error {
	return field.Set(ctx, dst, stored)
}

// Value is what the database is to hold.
func (orNull) Value(_ context.Context, field *schema.Field, _ reflect.Value, value any) (any, error) {
	switch v := reflect.ValueOf(value); {
	case v.IsZero():
		return nil, nil
	case v.CanInt():
		return v.Int(), nil
	case v.Kind() == reflect.String:
		return v.String(), nil
	}
	return nil, fmt.Errorf("field %s is a %T, neither a number nor a text", field.Name, value)
}
