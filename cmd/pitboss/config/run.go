package config

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"

	"pitboss/models"
)

// Secret has the settings whose values are secret, or may contain a secret.
var Secret = map[string]bool{
	"PITBOSS_DATABASE_URL": true, "PITBOSS_MIGRATE_DATABASE_URL": true,
	"PITBOSS_LEDGER_KEY": true, "PITBOSS_SESSION_KEY": true,
	"PITBOSS_SECRET_KEY": true, "PITBOSS_SECRET_KEY_PREVIOUS": true, "PITBOSS_API_TOKEN": true,
	"PITBOSS_PLATFORM_USER_AUTH_FIELDS": true,
	"PITBOSS_NOTICE_SMTP_USER":          true, "PITBOSS_NOTICE_SMTP_PASSWORD": true,
	"PITBOSS_OIDC_CLIENT_SECRET": true,
}

// ProgramRun describes this start of the program. The digests of its settings show which ones have changed since the last
// start. The digests of secrets are keyed with the session key, which is not in the database, so nobody can test guesses
// against them. If the session key changes, every secret counts as changed.
func (s Server) ProgramRun(place, version string) (models.ProgramRun, error) {
	run := models.ProgramRun{Place: place, Version: version, Settings: map[string]string{}}
	var failed error
	eachSetting(reflect.ValueOf(s), func(name string, value any) {
		text, err := json.Marshal(value)
		if err != nil {
			failed = fmt.Errorf("%s: %w", name, err)
			return
		}
		digest := sha256.New()
		if Secret[name] {
			digest = hmac.New(sha256.New, []byte("pitboss program run "+s.Site.SessionKey))
		}
		digest.Write(text)
		run.Settings[name] = hex.EncodeToString(digest.Sum(nil)[:8])
	})
	return run, failed
}

// eachSetting calls fn for each setting in a struct, with its variable.
func eachSetting(settings reflect.Value, fn func(variable string, value any)) {
	for i := range settings.NumField() {
		field, value := settings.Type().Field(i), settings.Field(i)
		if name, tagged := variableOf(field); tagged {
			fn(name, value.Interface())
		} else if field.Type.Kind() == reflect.Struct {
			eachSetting(value, fn)
		}
	}
}
