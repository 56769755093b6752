package main

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"pitboss/app/golive"
	"pitboss/cmd/pitboss/config"
)

type goliveCommand struct {
	CallbackURL string        `required:"" help:"Base address of the callbacks. The endpoints, such as /GetBalance, are appended to it."`
	UserID      string        `required:"" help:"A test player with at least 2.00 that is not used for anything else meanwhile. Bets and wins are placed and rolled back."`
	Timeout     time.Duration `default:"5s" help:"How long each answer may take."`
}

// goliveSettings are the settings needed to call as the platform does and to judge the answers.
type goliveSettings struct {
	Platform  config.Platform
	Callbacks config.Callbacks
}

// Run runs the go-live checks and prints their table.
func (c goliveCommand) Run(ctx context.Context, con *console) error {
	settings, err := config.Load[goliveSettings](con.environ)
	if err != nil {
		return err
	}
	report, err := golive.Run(ctx, golive.Config{
		CallbackURL: c.CallbackURL, UserID: c.UserID, AgentID: settings.Platform.AgentID,
		SecretKey: settings.Platform.SecretKey,
		Dialect:   settings.Callbacks.Wire, Timeout: c.Timeout,
	})
	if len(report.Checks) > 0 {
		if err := report.Write(con.out); err != nil {
			return err
		}
	}
	server, _ := config.Parse[config.Server](con.environ) // of which not everything needs to be set here
	warnings := server.Warnings()
	if u, err := url.Parse(c.CallbackURL); err == nil && u.Scheme != "https" && !config.IsLoopback(u.Hostname()) {
		warnings = append(warnings, "The callback URL is not https. The platform only calls https addresses.")
	}
	for _, warning := range warnings {
		fmt.Fprintln(con.out, "Warning:", warning)
	}
	if err != nil {
		return err
	}
	if !report.Passed() {
		return errFailed
	}
	return nil
}
