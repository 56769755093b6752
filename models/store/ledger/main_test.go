package ledger_test

import (
	"os"
	"testing"

	"pitboss/cmd/testing/storetest"
)

func TestMain(m *testing.M) {
	if url := os.Getenv(applyInto); url != "" {
		applyUntilKilled(url)
		return
	}
	storetest.Main(m)
}
