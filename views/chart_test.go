package views

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestScale(t *testing.T) {
	for _, row := range []struct {
		steps       int
		least, high float64
		labels      []string
	}{
		{3, 1, 0, []string{"3", "2", "1", "0"}},
		{3, 1, 3, []string{"3", "2", "1", "0"}},
		{3, 1, 4, []string{"6", "4", "2", "0"}},
		{3, 1, 2412, []string{"3,000", "2,000", "1,000", "0"}},
		{2, 1, 151, []string{"200", "100", "0"}},
		{2, 1, 900_000, []string{"1,000,000", "500,000", "0"}},
		{2, 0.5, 0.7, []string{"1", "0.5", "0"}},
		{2, 0.5, 38, []string{"40", "20", "0"}},
		{2, 0.5, 4.1, []string{"10", "5", "0"}},
	} {
		require.Equal(t, row.labels, NewScale(row.steps, row.least, []float64{0, row.high, Gap}, []float64{Gap}).Labels(""),
			row.high)
	}
	require.Equal(t, "10 ms", NewScale(2, 1, []float64{9}).Labels(" ms")[0])
}

func TestFigure(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 7: "7", 999: "999", 1000: "1,000", 48190512: "48,190,512",
		-1234.5: "−1,234.5", 0.125: "0.13"} {
		require.Equal(t, want, Figure(v))
	}
}

func TestShapes(t *testing.T) {
	s := Scale{Top: 10, Steps: 2}
	c := NewChart("", "", "", s)
	require.Equal(t, []string{"M0 0H600", "M0 50H600", "M0 100H600"}, c.Lines)
	values := []float64{0, 5, Gap, 10}
	c.Line("ln", s, values)
	c.Area("ar", s, values)
	c.Bars("b6", s, []float64{0, 5, Gap, 2}, []float64{1, 0, 3, 8})
	c.Bars("bx", s, []float64{0, 0, 0, 0}, nil)
	c.Line("over", s, values)
	require.Equal(t, []Shape{
		{"ln", "M0 100L200 50M600 0h0.1"},
		{"ar", "M0 100L200 50V100H0zM600 0V100H600z"},
		{"b6", "M171 50h108V100h-108zM471 0h108V20h-108z"},
		{"over", "M75 100L225 50M525 0h0.1"},
	}, c.Shapes, "a gap interrupts a line, a zero is not drawn as a bar, and a line goes through the middles of bars")
	highest, ok := Highest(values)
	require.True(t, ok)
	require.Equal(t, 10.0, highest)
	_, ok = Highest([]float64{Gap})
	require.False(t, ok)
}
