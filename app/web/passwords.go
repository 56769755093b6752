package web

import (
	"context"
	"fmt"
	"runtime"

	"github.com/alexedwards/argon2id"

	"pitboss/app/credentials"
	"pitboss/models"
)

// hashesAtOnce keeps sign-ins from taking the processors and the memory that callbacks need.
var hashesAtOnce = max(1, runtime.NumCPU()/2)

// PasswordMatches compares, waiting for its turn. An empty hash matches nothing, after as long.
func (s *Site) PasswordMatches(ctx context.Context, password, hash string) (bool, error) {
	done, err := s.turn(ctx)
	if err != nil {
		return false, err
	}
	defer done()
	if hash == "" {
		_, err := argon2id.ComparePasswordAndHash(password, credentials.Nobody)
		return false, err
	}
	return argon2id.ComparePasswordAndHash(password, hash)
}

// HashPassword hashes a password, waiting for its turn.
func (s *Site) HashPassword(ctx context.Context, password string) (string, error) {
	done, err := s.turn(ctx)
	if err != nil {
		return "", err
	}
	defer done()
	return credentials.HashPassword(password)
}

// turn waits for one of the few places in which passwords are hashed.
func (s *Site) turn(ctx context.Context) (done func(), err error) {
	select {
	case s.Hashing <- struct{}{}:
		return func() { <-s.Hashing }, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("wait to hash a password: %w", ctx.Err())
	}
}

// UnreadableSecondFactors counts the second factors that cannot be read with this session key.
func (s *Site) UnreadableSecondFactors(ctx context.Context) (unreadable int, err error) {
	for filter := (models.StaffFilter{Limit: 200}); ; {
		list, more, err := s.store.ListStaff(ctx, filter)
		if err != nil {
			return unreadable, err
		}
		for _, member := range list {
			if _, err := s.Sealer.Open(member.ID, member.TOTPSecret); err != nil && member.HasTOTP() {
				unreadable++
			}
		}
		if !more {
			return unreadable, nil
		}
		filter.After = list[len(list)-1].Username
	}
}
