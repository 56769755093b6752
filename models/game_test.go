package models_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/models"
)

// TestGameChangesHaveWords: a new name is the only change that leaves the platform's list as it is.
func TestGameChangesHaveWords(t *testing.T) {
	for _, kind := range models.GameChangeKinds {
		require.Equal(t, kind == models.GameRenamed, kind.Listed() == "", kind)
	}
}
