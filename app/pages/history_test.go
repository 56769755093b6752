package pages

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/web"
	"pitboss/models"
)

var utc = &web.Page{Zone: time.UTC}

// Limits are stored in minor units, but nobody should read 2,000 for 20.00. Unchanged fields are left out.
func TestChangedLimitsAreShownAsAmounts(t *testing.T) {
	before, after := `{"SpinCost":{"EUR":20,"TRY":700}}`, `{"SpinCost":{"EUR":30,"TRY":700}}`
	want := "One spin counts as, EUR: 0.20 → 0.30"
	require.Equal(t, want, ChangeWords(utc, models.AuditEvent{Object: "setting", ObjectID: string(models.ChangeGrantLimits),
		Before: before, After: after}))
	require.Equal(t, want, ChangeWords(utc, models.AuditEvent{Object: "change", ObjectID: "7", Before: `{"value":` + before + `}`,
		After: `{"subject":"grant limits","value":` + after + `,"requested_by":"ada"}`}))
	require.Equal(t, "blocked: no → yes", ChangeWords(utc, models.AuditEvent{Object: "player", ObjectID: "grant limits",
		Before: `{"blocked":false}`, After: `{"blocked":true}`}))
}

// Times in events are written for people to read, and midnight is written as the day that begins.
func TestTimesOfEvents(t *testing.T) {
	vienna, err := time.LoadLocation("Europe/Vienna")
	require.NoError(t, err)
	for value, want := range map[string]string{"2026-12-02T23:00:00Z": "3 Dec 2026", "2026-12-02T14:05:06Z": "2 Dec 2026, 15:05:06",
		"2026-12-02T23:00:00Z, 2026-12-03T23:00:00Z": "3 Dec 2026, 4 Dec 2026", "2026-12-02": "2026-12-02", "x": "x"} {
		require.Equal(t, want, timeWords(&web.Page{Zone: vienna}, value), value)
	}
}

func TestAuditChanges(t *testing.T) {
	require.Equal(t, []AuditChange{
		{Field: "limits, spins a day", Before: "5", After: "7", Had: true, Has: true},
		{Field: "name", Before: "ann", After: "ann", Had: true, Has: true},
		{Field: "roles", Before: "a, b", After: "", Had: true, Has: false},
		{Field: "test", Before: "", After: "yes", Had: false, Has: true},
		{Field: "very large", Before: "", After: "12345678901234567890", Had: false, Has: true},
	}, AuditChanges(`{"name":"ann","Limits":{"SpinsADay":5},"roles":["a","b"]}`,
		`{"name":"ann","Limits":{"SpinsADay":7},"test":true,"very_large":12345678901234567890}`))
	require.True(t, AuditChange{Before: "x", After: "x", Had: true, Has: true}.Same())
	require.Equal(t, []AuditChange{
		{Field: "failure", Before: "", After: "", Had: false, Has: true},
		{Field: "state", Before: "asked for", After: "opened", Had: true, Has: true},
	},
		AuditChanges("asked for", `{"state":"opened","failure":""}`))
	require.Equal(t, "state: asked for → opened",
		ChangeWords(utc, models.AuditEvent{Before: "asked for", After: `{"state":"opened","failure":""}`}))
	require.Equal(t, []AuditChange{
		{Field: "", Before: "asked for", After: "", Had: true, Has: false},
		{Field: "spins", Before: "", After: "5", Had: false, Has: true},
	},
		AuditChanges("asked for", `{"spins":5}`))
	require.Equal(t, "running → finished", ChangeWords(utc, models.AuditEvent{Before: "running", After: `"finished"`}))
	link := models.AuditEvent{After: `{"expires":"2026-11-26T23:05:06Z"}`}
	require.Equal(t, "expires: 26 Nov 2026, 23:05:06", ChangeWords(utc, link))
	require.Equal(t, "27 Nov 2026, 01:05:06", EventChanges(&web.Page{Zone: time.FixedZone("", 7200)}, link)[0].After)
	require.Equal(t, []AuditChange{{Field: "", Before: "30", After: "60", Had: true, Has: true}},
		AuditChanges("30", "60"))
	require.Equal(t, []AuditChange{
		{Field: "filters, 1, label", Before: "", After: "Player", Had: false, Has: true},
		{Field: "filters, 1, value", Before: "", After: "none", Had: false, Has: true},
	}, AuditChanges("", `{"filters":[{"label":"Player","value":null}]}`))
	require.Empty(t, AuditChanges("", ""))
	require.Equal(t, []AuditChange{{Field: "", Before: "", After: `{"broken": `, Had: false, Has: true}},
		AuditChanges("", `{"broken": `))
	for _, r := range AuditChanges(`{"a":`+strings.Repeat("[", 50)+strings.Repeat("]", 50)+`}`, "") {
		require.NotEmpty(t, r.Field)
	}
}
