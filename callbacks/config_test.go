package callbacks_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"pitboss/callbacks"
)

func TestNewNamesEveryProblemAtOnce(t *testing.T) {
	_, err := callbacks.New(callbacks.Config{
		PreviousSecretKey: "TOP-SECRET", Deadline: -1, OutageStatus: 500, Path: "/a/", MaxConnections: -1,
	}, untouched{t})
	for _, problem := range []string{
		"agent ID", "secret key is missing", "deadline", "outage status", "callback path", "connections",
	} {
		assert.ErrorContains(t, err, problem)
	}
	assert.NotContains(t, err.Error(), "TOP-SECRET")
}

func TestNoDefaultOfRequiredSettings(t *testing.T) {
	_, err := callbacks.New(callbacks.Config{}, untouched{t})
	for _, problem := range []string{"agent ID", "secret key", "deadline", "outage status"} {
		assert.ErrorContains(t, err, problem)
	}
}

func TestPaths(t *testing.T) {
	for path, ok := range map[string]bool{
		"": true, "/a": true, "/WalletService": true, "/v1/wallet-service_2.0~x": true,
		"/": false, "a": false, "/a/": false, "//a": false, "/a//b": false, "/:id": false, "/*": false, "/a?": false,
		"/a+": false, "/é": false, "/a b": false, "/..": false, "/%41": false,
	} {
		config := required()
		config.Path = path
		_, err := callbacks.New(config, untouched{t})
		assert.Equal(t, ok, err == nil, path)
	}
}
