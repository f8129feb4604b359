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

// nameLimit is how many names are kept.
const nameLimit = 10

// firstNames returns the first few of many names in order, each once, and how many are under other names. The list is sorted.
func firstNames(list []string) (names []string, more int) {
	slices.Sort(list)
	for i, name := range list {
		switch {
		case i > 0 && name == list[i-1]:
		case len(names) == nameLimit:
			return names, len(list) - i
		default:
			names = append(names, name)
		}
	}
	return names, 0
}
