package callbacks

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A quiet listener logs every line. A busy one logs a sample that is spread over the second, and the lines say how many are
// missing.
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
	assert.Len(t, second(101, 1000), 20, "the first busy second comes without warning: its first lines")
	busy := second(102, 1000)
	assert.Len(t, busy, 20)
	assert.Equal(t, []int{0, 50, 100}, busy[:3], "the next one: every 50th")
	assert.Len(t, second(103, 5000), 20, "never more than the rate")
	assert.Equal(t, []int{0}, second(104, 10), "the first line of a second is always written")
	assert.Len(t, second(105, 10), 10)
	assert.Len(t, second(110, 10), 10, "after a pause")
	assert.Equal(t, seen, told, "every line was written or counted")
}
