package platform

import (
	"maps"
	"slices"
	"time"
)

// Settings are the settings of a client that people may see. None is secret.
type Settings struct {
	URL             string
	AgentID         string
	SignGameList    []string
	SignUserAuth    []string
	SendCurrency    bool
	UserAuthFields  []string      // the names of the further fields
	Timeout         time.Duration // for one attempt
	ListTimeout     time.Duration // for one attempt of /gameList
	Attempts        int           // of a call that is safe to repeat
	BreakerFailures uint          // until the circuit opens
	BreakerDelay    time.Duration // until it is tried again
}

// Settings returns what the client works with, defaults included.
func (c *Client) Settings() Settings {
	return Settings{
		URL: c.base, AgentID: c.config.AgentID, SignGameList: c.config.SignGameList, SignUserAuth: c.config.SignUserAuth,
		SendCurrency: c.config.SendCurrency, UserAuthFields: slices.Sorted(maps.Keys(c.config.UserAuthFields)),
		Timeout: c.config.Timeout, ListTimeout: c.config.ListTimeout, Attempts: c.config.Attempts,
		BreakerFailures: c.config.BreakerFailures, BreakerDelay: c.config.BreakerDelay,
	}
}
