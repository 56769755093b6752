package db

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
	"gorm.io/gorm"
)

// TestOnceTogether has several parts of one page ask for the same thing at the same time.
func TestOnceTogether(t *testing.T) {
	for name, first := range map[string]func() (int, error){
		"the first one reads it":      func() (int, error) { return 7, nil },
		"the first one's read fails":  func() (int, error) { return 0, errors.New("lost connection") },
		"the first one's read panics": func() (int, error) { panic("out of range") },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				page := &gorm.DB{Statement: &gorm.Statement{Context: ReadingOnce(context.Background())}}
				fails := name != "the first one reads it"
				asked := make(chan struct{})
				go func() {
					defer func() { require.Equal(t, name == "the first one's read panics", recover() != nil) }()
					_, err := Once(page, "open cases", func() (int, error) {
						<-asked
						return first()
					})
					require.Equal(t, fails, err != nil)
				}()
				synctest.Wait()
				var reads atomic.Int64
				for range 3 {
					go func() {
						n, err := Once(page, "open cases", func() (int, error) {
							reads.Add(1)
							return 7, nil
						})
						require.NoError(t, err)
						require.Equal(t, 7, n)
					}()
				}
				synctest.Wait()
				require.Zero(t, reads.Load(), "they wait for the first read")
				close(asked)
				synctest.Wait()
				if fails {
					require.EqualValues(t, 3, reads.Load(), "they read for themselves")
				} else {
					require.Zero(t, reads.Load())
				}
			})
		})
	}
}
