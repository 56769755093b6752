package web

import (
	"pitboss/models"
	"pitboss/views"
)

// QueueKey is a key that a page with a queue explains.
type QueueKey struct{ Key, Word string }

// HistoryLine is an audit event of a thing, on its own page.
type HistoryLine struct {
	models.AuditEvent
	Moment views.Moment
	What   string
	Change string
	Href   string // of the event, for those who may read the log
}

// SettingInForce is a setting that the program runs with.
type SettingInForce struct {
	What     string
	Value    string
	Variable string // the environment variable that sets it
}
