package control_test

import (
	"testing"

	"pitboss/cmd/testing/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }
