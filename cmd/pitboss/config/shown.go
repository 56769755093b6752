package config

import (
	"fmt"
	"net/url"
	"reflect"
	"strings"

	"pitboss/app/web"
)

// inForce returns each setting with its value, for the platform's page. For a secret it only says whether one is set.
func (s Server) inForce() (list []web.SettingInForce) {
	eachSetting(reflect.ValueOf(s), func(variable string, value any) {
		if address, ok := value.(url.URL); ok {
			value = address.String()
		}
		text := fmt.Sprint(value)
		if kind := reflect.TypeOf(value).Kind(); kind == reflect.Slice || kind == reflect.Map {
			text = strings.Trim(strings.TrimPrefix(text, "map"), "[]")
		}
		switch {
		case text == "":
			text = "not set"
		case Secret[variable]:
			text = "set"
		}
		list = append(list, web.SettingInForce{Variable: variable, Value: text})
	})
	return list
}
