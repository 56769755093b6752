package store_test

import (
	"testing"

	"pitboss/models/store/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }
