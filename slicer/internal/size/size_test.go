package size

import "testing"

// TestFieldSize pins where the length of a protobuf field takes one byte more.
func TestFieldSize(t *testing.T) {
	for n, head := range map[int]int{0: 2, 1: 2, 127: 2, 128: 3, 16383: 3, 16384: 4, 1<<21 - 1: 4, 1 << 21: 5} {
		if have := fieldSize(n); have != n+head {
			t.Errorf("a field of %d bytes takes %d, want %d", n, have, n+head)
		}
	}
}
