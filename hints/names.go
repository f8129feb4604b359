package hints

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
