package callbacks

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A quiet listener logs every line. A busy one logs the first of a second, and the next line says how many are missing.
func TestLineBudget(t *testing.T) {
	b := lineBudget{rate: 20}
	seen, told := 0, 0
	second := func(number int64, lines int) (admitted []int) {
		for i := range lines {
			if leftOut, ok := b.admit(number); ok {
				admitted = append(admitted, i)
				told += int(leftOut) + 1
			}
		}
		seen += lines
		return admitted
	}
	assert.Len(t, second(100, 20), 20, "a quiet second")
	assert.Equal(t, []int{0, 1, 2}, second(101, 1000)[:3], "the first lines of a busy second")
	assert.Len(t, second(103, 5000), 20, "never more than the rate")
	assert.Len(t, second(105, 10), 10)
	assert.Len(t, second(110, 10), 10, "after a pause")
	assert.Equal(t, seen, told, "every line was written or counted")
}
