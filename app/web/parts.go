package web

import (
	"pitboss/models"
	"pitboss/views"
)

// QueueKey is a keyboard shortcut of a page, and what it does.
type QueueKey struct{ Key, Word string }

// HistoryLine is an audit event in the history on a thing's own page.
type HistoryLine struct {
	models.AuditEvent
	Moment views.Moment
	What   string
	Change string
	Href   string // of the event; empty if the reader may not view the log
}

// SettingInForce is a setting that the program runs with.
type SettingInForce struct {
	What     string
	Value    string
	Variable string // the environment variable that sets it
}
