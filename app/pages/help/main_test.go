package help_test

import (
	"testing"

	"pitboss/cmd/testing/apptest"
)

func TestMain(m *testing.M) { apptest.Main(m) }
