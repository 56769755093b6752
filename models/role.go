package models

import (
	"fmt"
	"slices"
	"strings"
)

// Role is what a member of staff is there for. Which role may do what is one table, in the back office.
type Role string

// The roles.
const (
	Administrator Role = "admin"      // staff and settings; neither asks for nor approves money
	Bonus         Role = "bonus"      // free spins
	Support       Role = "support"    // players, test sessions, and asking for corrections
	Finance       Role = "finance"    // asks for money and approves it
	Compliance    Role = "compliance" // reads everything, exports, changes nothing
)

// Roles lists every role, in the order in which forms offer them.
var Roles = []Role{Administrator, Bonus, Support, Finance, Compliance}

// ParseRole reads a role's name. Its error names the roles there are.
func ParseRole(s string) (Role, error) {
	if slices.Contains(Roles, Role(s)) {
		return Role(s), nil
	}
	names := make([]string, len(Roles))
	for i, r := range Roles {
		names[i] = string(r)
	}
	return "", fmt.Errorf("a role is one of %s, not %q", strings.Join(names, ", "), s)
}
