package models

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRedactAddress(t *testing.T) {
	for address, want := range map[string]string{
		"https://play.example/en/play/20001?lang=en&token=abc#frag": "https://play.example/***",
		"https://anna:pw@play.example:8443/x":                       "https://play.example:8443/***",
		"https://play.example/8f3a9c41e7b2a05d4d18":                 "https://play.example/***",
		"no address": "",
		"https://":   "",
		"":           "",
	} {
		require.Equal(t, want, RedactAddress(address), address)
	}
}

func TestOfferedGamesAreMadeToFit(t *testing.T) {
	g, err := NewOfferedGame("g1", " A\tname\x00 "+strings.Repeat("ж", 300), "slots", "\xff", "javascript:alert(1)")
	require.NoError(t, err)
	require.Len(t, []rune(g.Name), 255)
	require.True(t, strings.HasPrefix(g.Name, "A name"))
	require.Equal(t, "\uFFFD", g.Provider)
	require.Empty(t, g.Thumbnail)
	require.LessOrEqual(t, len(g.SearchText()), maxSearchBytes)
	for _, id := range []string{"", "a\x00", "\xff", strings.Repeat("x", 256)} {
		_, err := NewOfferedGame(id, "", "", "", "")
		require.ErrorIs(t, err, ErrID)
	}
	for _, address := range []string{"https://img.example/a b.png", "http://img.example/x", "data:image/png;base64,AA",
		"//img.example/x", "https:///x"} {
		g, _ := NewOfferedGame("g1", "", "", "", address)
		require.Equal(t, strings.HasPrefix(address, "http") && !strings.HasPrefix(address, "https:///"), g.Thumbnail != "",
			address)
	}
}
