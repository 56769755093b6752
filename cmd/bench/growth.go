package main

import (
	"context"
	"errors"
)

func (b *bench) compareGrowth(ctx context.Context) error { return errors.New("to come") }
