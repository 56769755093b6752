// Package folder tells the folders apart in which files are kept: programs that share a database need not share a disk, and a
// folder may be put back empty.
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

// naming is how long Name waits for whoever has made the mark file and not yet written to it.
const naming = time.Second

// Name makes the folder where it is missing, for this user alone since files hold players' data, and returns what it is called:
// a random text in its file mark, which the first caller writes. Several callers, in several programs, may be first at the same
// time: all get the same name.
func Name(dir, mark string) (string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	f, err := os.OpenFile(filepath.Join(dir, mark), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.WriteString(rand.Text())
		// a full disk: an empty mark would be in the way when there is room again
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

// Marked returns what a folder is called that is there already.
func Marked(dir, mark string) (string, error) {
	name, err := os.ReadFile(filepath.Join(dir, mark))
	return string(name), err
}
