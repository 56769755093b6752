package models

import (
	"errors"
	"regexp"
	"strconv"
)

// erasedName matches the names of erased players, which no other player may have.
var erasedName = regexp.MustCompile(`(?i)^erased-[0-9]+$`)

// ErrUserErased refuses the ID of an erased player for a new one.
var ErrUserErased = errors.New("IDs such as erased-2 are reserved for players whose personal data were erased")

// ErasedName returns the user ID that replaces that of an erased player. store/proof/erase.go says what an erasure deletes.
func ErasedName(player int64) UserID { return UserID("erased-" + strconv.FormatInt(player, 10)) }
