package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"pitboss/app"
	"pitboss/models"
	"pitboss/models/store"
)

type staffCommand struct {
	Create staffCreateCommand `cmd:"" help:"Make a member of staff, such as the first administrator."`
}

type staffCreateCommand struct {
	Username      string `required:"" help:"With which to sign in."`
	Name          string `help:"As colleagues read it; by default the username."`
	Role          string `required:"" help:"admin, bonus, support, finance or compliance."`
	PasswordStdin bool   `required:"" help:"Read the password from standard input, one line."`
	actorFlag
}

// Run makes the member of staff.
func (c staffCreateCommand) Run(ctx context.Context, con *console) error {
	password, err := bufio.NewReader(con.in).ReadString('\n')
	if err != nil && password == "" {
		return errors.New("no password came on standard input; try: read -rs p; echo \"$p\" | pitboss staff create ... --password-stdin")
	}
	s, err := openLedger(ctx, con)
	if err != nil {
		return err
	}
	defer s.Close()
	if c.Name == "" {
		c.Name = c.Username
	}
	staff, err := createStaff(ctx, s, c.actor(), models.Staff{Username: c.Username, Name: c.Name, Role: models.Role(c.Role)}, strings.TrimRight(password, "\r\n"))
	if err != nil {
		return err
	}
	fmt.Fprintf(con.out, "%s, %s, can sign in\n", staff.Username, staff.Role)
	return nil
}

// createStaff makes a member of staff with a password that keeps the rules.
func createStaff(ctx context.Context, s *store.Store, by models.Actor, staff models.Staff, password string) (_ models.Staff, err error) {
	var nameErr, usernameErr, roleErr error
	staff.Username, usernameErr = models.ParseUsername(staff.Username)
	staff.Name, nameErr = models.ParseName(staff.Name)
	staff.Role, roleErr = models.ParseRole(string(staff.Role))
	if err := errors.Join(usernameErr, nameErr, roleErr, models.CheckPassword(staff.Username, password)); err != nil {
		return models.Staff{}, err
	}
	if staff.PasswordHash, err = app.HashPassword(password); err != nil {
		return models.Staff{}, err
	}
	return s.CreateStaff(ctx, by, staff)
}
