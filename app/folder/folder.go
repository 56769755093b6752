// Package folder gives each folder of files a name of its own, to tell folders apart: programs that share a database need not
// share a disk, and a folder may be restored empty.
package folder

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// naming is how long Name waits if another caller has created the mark file but not yet written to it.
const naming = time.Second

// Name returns the folder's name: a random text in its file mark, which the first caller writes. It creates the folder if it is
// missing, for this user alone because the files contain players' data. If several callers, even in several programs, are first
// at the same time, all get the same name.
func Name(dir, mark string) (string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	f, err := os.OpenFile(filepath.Join(dir, mark), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.WriteString(rand.Text())
		// if the disk is full: an empty mark file would be in the way once there is room again
		if err = errors.Join(err, f.Close()); err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	} else if errors.Is(err, fs.ErrExist) {
		err = nil
	}
	if err != nil {
		return "", err
	}
	for end := time.Now().Add(naming); ; time.Sleep(naming / 100) {
		name, err := Marked(dir, mark)
		if err != nil || name != "" {
			return name, err
		}
		if time.Now().After(end) {
			return "", fmt.Errorf("%s is empty: delete it", mark)
		}
	}
}

// Marked returns the name of a folder that already has one.
func Marked(dir, mark string) (string, error) {
	name, err := os.ReadFile(filepath.Join(dir, mark))
	return string(name), err
}
