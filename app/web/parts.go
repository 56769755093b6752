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

// Definition is one of a thing's facts.
type Definition struct {
	Label, Value, Href string
	ID                 *views.ID
}

// Related is a link to something related to the thing that a page shows.
type Related struct {
	Label, Text, Href, Note string
	ID                      *views.ID
}

// SettingInForce is a setting that the program runs with.
type SettingInForce struct {
	What     string
	Value    string
	Variable string // the environment variable that sets it
}
