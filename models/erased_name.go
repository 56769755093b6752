package models

import "strconv"

// ErasedName returns the name that replaces an erased player's. What an erasure takes out of the database is in
// store/proof/erase.go.
func ErasedName(player int64) UserID { return UserID("erased-" + strconv.FormatInt(player, 10)) }
