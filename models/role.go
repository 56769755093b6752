package models

import (
	"fmt"
	"slices"
	"strings"
)

// Role is a staff member's role. app/web/permission.go has the table of permissions.
type Role string

// The roles.
const (
	Administrator Role = "admin"      // staff and settings; neither requests nor approves money
	Bonus         Role = "bonus"      // free spins
	Support       Role = "support"    // players, test sessions, and requesting corrections
	Finance       Role = "finance"    // requests and approves money
	Compliance    Role = "compliance" // reads everything, exports, signs days; moves no money
)

// Roles lists every role, in the order of forms.
var Roles = []Role{Administrator, Bonus, Support, Finance, Compliance}

// ParseRole parses a role's name. Its error lists the roles.
func ParseRole(s string) (Role, error) {
	if slices.Contains(Roles, Role(s)) {
		return Role(s), nil
	}
	names := make([]string, len(Roles))
	for i, r := range Roles {
		names[i] = string(r)
	}
	return "", fmt.Errorf("the role must be one of %s, not %q", strings.Join(names, ", "), s)
}
