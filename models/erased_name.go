package models

import "strconv"

// ErasedName returns the user ID that replaces that of an erased player. store/proof/erase.go says what an erasure deletes.
func ErasedName(player int64) UserID { return UserID("erased-" + strconv.FormatInt(player, 10)) }
