package campaigns_test

import (
	"testing"

	"pitboss/app/apptest"
)

func TestMain(m *testing.M) { apptest.Main(m) }
