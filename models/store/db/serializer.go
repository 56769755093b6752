package db

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"gorm.io/gorm/schema"
)

// micros stores a time or a duration as microseconds in a BIGINT, and the zero time as 0. The domain's types use it with a tag:
// gorm:"column:at_us;serializer:micros".
type micros struct{}

func init() {
	schema.RegisterSerializer("micros", micros{})
	schema.RegisterSerializer("orNull", orNull{})
	schema.RegisterSerializer("jsonText", jsonText{})
	schema.RegisterSerializer("jsonOrNone", jsonText{instead: "null"})
	schema.RegisterSerializer("caseFacts",
		jsonText{instead: `[{"label":"Not readable","value":"The evidence was changed in the database"}]`})
}

// Scan sets a field to the database's value.
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
		return fmt.Errorf("column %s has a %T, not microseconds", field.DBName, stored)
	}
	at := field.ReflectValueOf(ctx, dst)
	if at.Type() == reflect.TypeFor[time.Duration]() {
		at.SetInt(int64(time.Duration(us) * time.Microsecond))
	} else {
		at.Set(reflect.ValueOf(FromMicros(us)))
	}
	return nil
}

// Value returns the value to store.
func (micros) Value(_ context.Context, field *schema.Field, _ reflect.Value, value any) (any, error) {
	switch v := value.(type) {
	case time.Time:
		return Micros(v), nil
	case time.Duration:
		return v.Microseconds(), nil
	}
	return nil, fmt.Errorf("field %s is a %T, neither a time nor a duration", field.Name, value)
}

// jsonText stores a value as JSON. Unlike GORM's own serializer, it stores a nil list as the JSON null and never as an SQL
// NULL, and reads an empty text as the zero value. If instead is not empty, it reads that instead of a text that is not valid
// JSON.
type jsonText struct{ instead string }

// Scan sets a field to the database's value.
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
	if err != nil && j.instead != "" {
		err = decode([]byte(j.instead), into.Interface())
	}
	if err != nil {
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

// Value returns the value to store.
func (jsonText) Value(_ context.Context, _ *schema.Field, _ reflect.Value, value any) (any, error) {
	if v := reflect.ValueOf(value); v.Kind() == reflect.Pointer && v.IsNil() {
		return "", nil
	}
	return JsonText(value), nil
}

// JoinedNames are the columns that queries join to a row with a maker and a checker (models.Signature). Code that writes such a
// row must omit them: if several embedded fields are called Name, GORM only remembers for one of them that it is not to be
// written.
var JoinedNames = []string{"maker_name", "checker_name", "setter_name", "game_name"}

// orNull stores 0 or an empty text as NULL, because a unique index allows any number of NULLs.
type orNull struct{}

// Scan sets a field to the database's value.
func (orNull) Scan(ctx context.Context, field *schema.Field, dst reflect.Value, stored any) error {
	return field.Set(ctx, dst, stored)
}

// Value returns the value to store.
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
