package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/models"
)

// Every actor that the program makes names its channel.
func TestEveryActorHasAChannel(t *testing.T) {
	made := 0
	require.NoError(t, filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
			strings.Contains(path, "node_modules") || strings.Contains(path, "/testing/") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.CompositeLit)
			if !ok {
				return true
			}
			of, ok := literal.Type.(*ast.SelectorExpr)
			if !ok || of.Sel.Name != "Actor" || len(literal.Elts) == 0 {
				return true
			}
			if pkg, ok := of.X.(*ast.Ident); !ok || pkg.Name != "models" {
				return true
			}
			made++
			named := false
			for _, e := range literal.Elts {
				if field, ok := e.(*ast.KeyValueExpr); ok && field.Key.(*ast.Ident).Name == "Channel" {
					named = true
				}
			}
			require.True(t, named, "%s makes an actor without a channel", path)
			return true
		})
		return nil
	}))
	require.Greater(t, made, 3)
}

// A name given at the command line is stored together with the system's user.
func TestCommandLineActor(t *testing.T) {
	by := actorFlag{As: "farid"}.actor()
	require.Equal(t, "farid", by.Name)
	require.Equal(t, models.ChannelCommandLine, by.Channel)
	require.NotEmpty(t, by.OSUser)
	require.Equal(t, "command line as "+by.OSUser, by.Via())
	require.Equal(t, by.OSUser, actorFlag{}.actor().Name)
}
