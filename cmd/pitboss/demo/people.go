package demo

import (
	"context"
	"errors"
	"fmt"

	"pitboss/app/credentials"
	"pitboss/models"
	"pitboss/models/store"
)

// players are those whom the simulated platform plays, and test players for people to use.
var players = []models.NewPlayer{
	{UserID: "anna", Currency: "EUR", Balance: 10000},
	{UserID: "bertold", Currency: "EUR", Balance: 25000},
	{UserID: "chiara", Currency: "EUR", Balance: 8050},
	{UserID: "deniz", Currency: "TRY", Balance: 400000},
	{UserID: "elif", Currency: "TRY", Balance: 125000},
	{UserID: "fedir", Currency: "UAH", Balance: 300000},
	{UserID: "gabriela", Currency: "BRL", Balance: 60000},
	{UserID: "hugo", Currency: "BRL", Balance: 45000},
	{UserID: "ines", Currency: "EUR", Balance: 300},
	{UserID: "jan", Currency: "EUR", Balance: 100000},
	{UserID: "test-eur", Currency: "EUR", Balance: 50000, Test: true},
	{UserID: "golive", Currency: "EUR", Balance: 10000, Test: true},
	{UserID: "test-try", Currency: "TRY", Balance: 500000, Test: true},
}

func createPlayers(ctx context.Context, s *store.Store, list []models.NewPlayer) error {
	for _, p := range list {
		_, err := s.CreatePlayer(ctx, models.System, p)
		if err != nil && !errors.Is(err, models.ErrPlayerExists) {
			return err
		}
	}
	return nil
}

// Password is the password of all demo staff. The demo only listens on loopback.
const Password = "seven-lucky-horseshoes"

// Staff are the people who work in the demo.
var Staff = []models.Staff{
	{Username: "ada", Name: "Ada Lindqvist", Role: models.Administrator},
	{Username: "adam", Name: "Adam Okafor", Role: models.Administrator},
	{Username: "bruno", Name: "Bruno Keller", Role: models.Bonus},
	{Username: "sofia", Name: "Sofia Marchetti", Role: models.Support},
	{Username: "farid", Name: "Farid Haddad", Role: models.Finance},
	{Username: "mira", Name: "Mira Novak", Role: models.Finance},
	{Username: "chloe", Name: "Chloe Martin", Role: models.Compliance},
}

// CreateStaff creates the demo's staff in the name of the system, so that no account depends on another one's confirmation. At
// the first start it lets all of them sign in without a second factor.
func CreateStaff(ctx context.Context, s *store.Store) error {
	_, set, err := s.Setting(ctx, models.SignInRulesSetting)
	if err != nil {
		return err
	}
	if !set {
		rules := models.DefaultSignInRules
		rules.SecondFactorRoles = nil
		if err := s.SetSignInRules(ctx, models.System, rules); err != nil {
			return err
		}
	}
	for _, member := range Staff {
		if member.PasswordHash, err = credentials.HashPassword(Password); err != nil {
			return err
		}
		if _, err := s.CreateStaff(ctx, models.System, member); err != nil && !errors.Is(err, models.ErrStaffExists) {
			return err
		}
	}
	return nil
}

// crowdOf returns n players without a story, the same ones every time.
func crowdOf(n int) (crowd []models.NewPlayer) {
	names := []string{"alma", "bora", "carlos", "dana", "emre", "flora", "goran", "ida", "joao", "lara", "marek", "nadia", "olena", "petra",
		"rosa", "selin", "taras", "yasmin"}
	wallets := []models.NewPlayer{{Currency: "EUR", Balance: 12000}, {Currency: "EUR", Balance: 30000}, {Currency: "TRY", Balance: 350000},
		{Currency: "UAH", Balance: 240000}, {Currency: "BRL", Balance: 50000}}
	for i := range n {
		next := wallets[i%len(wallets)]
		next.UserID = models.UserID(fmt.Sprint(names[i%len(names)], 10+i/len(names)))
		crowd = append(crowd, next)
	}
	return crowd
}

// Playing returns the players whom the platform plays, starting with those without a story.
func Playing(size Size) []string { return userIDs(append(crowdOf(size.Crowd), players...)) }

// userIDs returns the IDs of real players. Test players are left for people to use.
func userIDs(list []models.NewPlayer) (users []string) {
	for _, p := range list {
		if !p.Test {
			users = append(users, string(p.UserID))
		}
	}
	return users
}
