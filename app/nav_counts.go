package app

import "pitboss/app/web"

// allCounters returns the counters of the navigation, by path.
func (a *App) allCounters() map[string]web.Counter {
	return map[string]web.Counter{
		"/free-spins":  a.freespins.CountUnknownGrants,
		"/corrections": a.corrections.CountCorrections,
		"/cases":       a.cases.CountCases,
		"/integrity":   a.integrity.CountFaults,
		"/staff":       a.staff.CountAlerts,
		"/settings":    a.settings.CountChanges,
	}
}
