package hints

import "slices"

// validZone reports whether the API server takes a name as a zone hint: a label value, and not the empty one, which
// means nothing. It is spelled out because the general check costs a regular expression for each endpoint.
func validZone(name string) bool {
	if len(name) == 0 || len(name) > 63 {
		return false
	}
	for i := range len(name) {
		c := name[i]
		switch {
		case isLower(c) || isDigit(c) || (c >= 'A' && c <= 'Z'):
		case (c == '-' || c == '_' || c == '.') && i > 0 && i < len(name)-1:
		default:
			return false
		}
	}
	return true
}

// validNode reports whether the API server takes a name as a node hint: a DNS subdomain.
func validNode(name string) bool {
	if len(name) == 0 || len(name) > 253 {
		return false
	}
	label := 0 // where the label starts
	for i := range len(name) {
		c := name[i]
		switch {
		case isLower(c) || isDigit(c):
		case c == '-' && i > label:
		case c == '.' && i > label && name[i-1] != '-':
			label = i + 1
		default:
			return false
		}
	}
	last := name[len(name)-1]
	return isLower(last) || isDigit(last)
}

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }

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
