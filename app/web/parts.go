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

// Neighbour is a thing beside this one.
type Neighbour struct {
	Label, Text, Href, Note string
	ID                      *views.ID
}

// SettingInForce is a setting that the program runs with.
type SettingInForce struct {
	What     string
	Value    string
	Variable string // that it comes from
}
