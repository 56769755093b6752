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

func init() { schema.RegisterSerializer("micros", micros{}) }

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
