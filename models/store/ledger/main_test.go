package ledger_test

import (
	"os"
	"testing"

	"pitboss/models/store/storetest"
)

func TestMain(m *testing.M) {
	if url := os.Getenv(applyInto); url != "" {
		applyUntilKilled(url)
		return
	}
	storetest.Main(m)
}
