package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"pitboss/app/credentials"
	"pitboss/app/pages/staff"
	"pitboss/cmd/pitboss/config"
	"pitboss/models"
	"pitboss/models/store"
)

type staffCommand struct {
	Create staffCreateCommand `cmd:"" help:"Create the first administrator with a password, or any member of staff with a one-time link."`
	Link   staffLinkCommand   `cmd:"" help:"Make a one-time link that sets a new password. The old password stops working."`
}

type staffCreateCommand struct {
	Username      string `required:"" help:"The name to sign in with."`
	Name          string `help:"The name that colleagues see. By default the username."`
	Role          string `required:"" help:"admin, bonus, support, finance or compliance."`
	Email         string `help:"Where the link is sent if a mail server is configured."`
	PasswordStdin bool   `help:"Read the password from standard input, one line. Only for the first administrator of an installation; others set their own with the link that this command makes."`
	actorFlag
}

// Run creates the member of staff. It takes a password only for the first one, because nobody may know a colleague's password.
func (c staffCreateCommand) Run(ctx context.Context, con *console) error {
	if c.Name == "" {
		c.Name = c.Username
	}
	staff, err := parseStaff(models.Staff{Username: c.Username, Name: c.Name, Role: models.Role(c.Role), Email: c.Email})
	if err != nil {
		return err
	}
	if !c.PasswordStdin {
		return withLinks(ctx, con, func(s *store.Store, settings linkSettings) error {
			made, err := s.CreateStaff(ctx, c.actor(), staff)
			if err != nil {
				return err
			}
			return settings.send(ctx, con, s, c.actor(), made)
		})
	}
	if staff.Role != models.Administrator {
		return errors.New("--password-stdin is only for the first administrator; leave it out to make a link")
	}
	password, err := bufio.NewReader(con.in).ReadString('\n')
	if err != nil && password == "" {
		return errors.New("there is no password on standard input; try: read -rs p; echo \"$p\" | pitboss staff create ... " +
			"--password-stdin")
	}
	if staff, err = withPassword(staff, strings.TrimRight(password, "\r\n")); err != nil {
		return err
	}
	s, err := openLedger(ctx, con)
	if err != nil {
		return err
	}
	defer s.Close()
	staff.MustChangePassword = true
	made, err := s.CreateFirstStaff(ctx, c.actor(), staff)
	if errors.Is(err, models.ErrStaffExists) {
		return errors.New("there are staff accounts already, so --password-stdin is refused: leave it out to make a link through " +
			"which the owner sets a password")
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(con.out, "%s (%s) can sign in, and must then choose another password\n", made.Username, made.Role)
	return nil
}

type staffLinkCommand struct {
	Username string `required:"" help:"The member of staff who will set a password."`
	actorFlag
}

// Run makes the link.
func (c staffLinkCommand) Run(ctx context.Context, con *console) error {
	return withLinks(ctx, con, func(s *store.Store, settings linkSettings) error {
		staff, found, err := s.StaffNamed(ctx, strings.ToLower(c.Username))
		if err == nil && !found {
			err = models.ErrStaffUnknown
		}
		if err != nil {
			return fmt.Errorf("%s: %w", c.Username, err)
		}
		return settings.send(ctx, con, s, c.actor(), staff)
	})
}

// linkSettings are the settings needed to make a link.
type linkSettings struct {
	Database config.Database
	Site     config.Site
	Notices  config.Notices
}

func (s linkSettings) Check() config.Problems {
	problems := slices.Concat(s.Database.Check(), s.Site.Check(), s.Notices.Check())
	if s.Site.PublicURL.Host == "" {
		problems = append(problems, errors.New("PITBOSS_PUBLIC_URL is not set, but the link needs it"))
	}
	return problems
}

func withLinks(ctx context.Context, con *console, do func(*store.Store, linkSettings) error) error {
	settings, err := config.Load[linkSettings](con.environ)
	if err != nil {
		return err
	}
	s, err := openLedger(ctx, con)
	if err != nil {
		return err
	}
	defer s.Close()
	return do(s, settings)
}

// send makes a link and sends it to its owner, or prints it if there is no mail server. Either way an administrator confirms
// the account, because nobody knows who is at the command line: see models/given.go.
func (l linkSettings) send(ctx context.Context, con *console, s *store.Store, by models.Actor, member models.Staff) error {
	mail := l.Notices.Service(s, l.Site, slog.New(slog.DiscardHandler))
	delivery := models.LinkShown
	if mail.Mails() {
		if delivery = models.LinkMailed; member.Email == "" {
			return fmt.Errorf("%s has no e-mail address to send the link to: an administrator can enter one under Staff, and "+
				"--email sets it for a new account", member.Username)
		}
	}
	code, link := staff.NewStaffLink([]byte(l.Site.SessionKey), member.ID, delivery,
		time.Now().Add(models.LinkLasts))
	if err := s.MakeStaffLink(ctx, by, link); err != nil {
		return err
	}
	address := staff.StaffLinkURL(&l.Site.PublicURL, code)
	if delivery == models.LinkMailed {
		subject, text := staff.StaffLinkMail(member.Username, address, code, link.ExpiresAt)
		if err := mail.Mail(ctx, member.Email, subject, text); err != nil {
			return fmt.Errorf("the link was made but could not be sent: %w. Make another when mail works again", err)
		}
		fmt.Fprintf(con.out, "a link was sent to %s\n", member.Email)
	} else {
		fmt.Fprintf(con.out, "%s\nThis link is shown once. Give it only to %s: it sets the password of %s, "+
			"once, until %s UTC.\n",
			address, member.Name, member.Username, link.ExpiresAt.Format("2006-01-02 15:04"))
	}
	member, _, err := s.Staff(ctx, member.ID)
	if err == nil && len(member.Unconfirmed) > 0 {
		fmt.Fprintf(con.err, "%s can view pages, and change nothing until an administrator confirms the account under Staff.\n",
			member.Username)
	}
	return err
}

// parseStaff checks the fields of a member of staff and returns them in their stored form.
func parseStaff(staff models.Staff) (_ models.Staff, err error) {
	var nameErr, usernameErr, roleErr, emailErr error
	staff.Username, usernameErr = models.ParseUsername(staff.Username)
	staff.Name, nameErr = models.ParseName(staff.Name)
	staff.Role, roleErr = models.ParseRole(string(staff.Role))
	staff.Email, emailErr = models.ParseEmail(staff.Email)
	return staff, errors.Join(usernameErr, nameErr, roleErr, emailErr)
}

// withPassword returns the member of staff with the password, which must meet the rules.
func withPassword(staff models.Staff, password string) (_ models.Staff, err error) {
	if err := models.CheckPassword(staff.Username, password); err != nil {
		return staff, err
	}
	staff.PasswordHash, err = credentials.HashPassword(password)
	return staff, err
}
