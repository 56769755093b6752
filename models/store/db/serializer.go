package db

import (
	"context"
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

// JoinedNames are the columns that queries join to a row with a maker and a checker (models.Signature). Whoever writes such a row
// omits them: of several embedded fields called Name, GORM remembers only of one that it is not to be written.
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
