package hints

import "slices"

// So many names at most are kept.
const nameLimit = 10

// nameList keeps the first few of many names in order, each once, and counts what was added under other names.
type nameList struct {
	names  []string
	counts []int
	more   int
}

func (l *nameList) add(name string) {
	i, found := slices.BinarySearch(l.names, name)
	switch {
	case found:
		l.counts[i]++
		return
	case len(l.names) < nameLimit:
	case i == nameLimit:
		l.more++
		return
	default:
		l.more += l.counts[nameLimit-1]
		l.names, l.counts = l.names[:nameLimit-1], l.counts[:nameLimit-1]
	}
	l.names = slices.Insert(l.names, i, name)
	l.counts = slices.Insert(l.counts, i, 1)
}

// total is how many times something was added.
func (l *nameList) total() int {
	sum := l.more
	for _, n := range l.counts {
		sum += n
	}
	return sum
}

func (l *nameList) any() bool { return len(l.names) > 0 }
