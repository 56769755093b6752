package main

import (
	"context"
	"errors"
	"time"

	"pitboss/app/golive"
	"pitboss/callbacks/wire"
)

type goliveCommand struct {
	CallbackURL string        `required:"" help:"Base address of the callback service; /GetBalance and the others are appended to it."`
	UserID      string        `required:"" help:"A test player with at least 2.00, whom nobody else plays with meanwhile: bets and wins are placed and taken back."`
	Timeout     time.Duration `default:"5s" help:"How long each answer may take."`
}

// goliveSettings are what the platform calls with, and the answers that it expects.
type goliveSettings struct {
	Platform platformSettings
	Wire     wire.Dialect `env:"PITBOSS_WIRE" envDefault:"spec"`
}

// Run plays the go-live checks and prints their table.
func (c goliveCommand) Run(ctx context.Context, con *console) error {
	settings, err := load[goliveSettings](con.environ)
	if err != nil {
		return err
	}
	p := newProgress(con, "checking")
	report, err := golive.Run(ctx, golive.Config{
		CallbackURL: c.CallbackURL, UserID: c.UserID, AgentID: settings.Platform.AgentID, SecretKey: settings.Platform.SecretKey,
		Dialect: settings.Wire, Timeout: c.Timeout,
		Progress: func(done, total int, _ golive.Check) { p.show(int64(done), int64(total)) },
	})
	p.finish()
	if len(report.Checks) > 0 && !errors.Is(err, golive.ErrBalanceTooLow) {
		if err := report.WriteTable(con.out); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	if !report.Passed() {
		return errFailed
	}
	return nil
}
