package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"

	"pitboss/models"
)

// secretVariables are the settings whose values are secret or may contain a secret. The recorded configuration only has one
// keyed digest of all of them.
var secretVariables = map[string]bool{
	"PITBOSS_DATABASE_URL": true, "PITBOSS_MIGRATE_DATABASE_URL": true,
	"PITBOSS_LEDGER_KEY": true, "PITBOSS_SESSION_KEY": true,
	"PITBOSS_SECRET_KEY": true, "PITBOSS_SECRET_KEY_PREVIOUS": true, "PITBOSS_API_TOKEN": true,
	"PITBOSS_PLATFORM_USER_AUTH_FIELDS": true,
	"PITBOSS_CHECKPOINT_WEBHOOK":        true, "PITBOSS_NOTICE_WEBHOOK": true, "PITBOSS_NOTICE_WEBHOOK_SECRET": true,
	"PITBOSS_NOTICE_SMTP_USER": true, "PITBOSS_NOTICE_SMTP_PASSWORD": true,
}

// programRun describes this start of the program. The digests of non-secret settings are short and unkeyed: they show whether a
// setting has changed. The digest of the secrets is keyed with the session key, which is not in the database, so guessed values
// cannot be tested against it.
func (s serverSettings) programRun(place string) (models.ProgramRun, error) {
	run := models.ProgramRun{Place: place, Version: version, Settings: map[string]string{}}
	secrets := hmac.New(sha256.New, []byte("pitboss program run "+s.Site.SessionKey))
	var failed error
	eachSetting(reflect.ValueOf(s), func(name string, value any) {
		text, err := json.Marshal(value)
		if err != nil {
			failed = fmt.Errorf("%s: %w", name, err)
			return
		}
		if secretVariables[name] {
			fmt.Fprintf(secrets, "%s %d %s\n", name, len(text), text)
			return
		}
		digest := sha256.Sum256(text)
		run.Settings[name] = hex.EncodeToString(digest[:8])
	})
	run.Secrets = hex.EncodeToString(secrets.Sum(nil))
	return run, failed
}

// eachSetting visits the settings in a struct, by their variables.
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
