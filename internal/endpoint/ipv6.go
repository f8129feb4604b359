package endpoint

// IPv6 parses an IPv6 address in its canonical spelling (RFC 5952), as two numbers of 64 bits; false for anything else,
// such as another spelling, an IPv4-mapped address or a zone. Readers of many addresses ask it before Addr.
func IPv6(s string) (hi, lo uint64, ok bool) {
	var groups [8]uint16
	n, gap := 0, -1 // groups so far, and how many of them come before "::"
	if len(s) >= 2 && s[0] == ':' && s[1] == ':' {
		gap, s = 0, s[2:]
	}
	for s != "" {
		value, digits := group(s)
		if digits == 0 || n == len(groups) {
			return 0, 0, false
		}
		groups[n] = value
		n, s = n+1, s[digits:]
		switch {
		case s == "":
		case s[0] != ':' || len(s) == 1:
			return 0, 0, false
		case s[1] != ':':
			s = s[1:]
		case gap >= 0:
			return 0, 0, false
		default:
			gap, s = n, s[2:]
		}
	}
	if gap >= 0 {
		copy(groups[8-(n-gap):], groups[gap:n])
		clear(groups[gap : 8-(n-gap)])
	}
	hi = uint64(groups[0])<<48 | uint64(groups[1])<<32 | uint64(groups[2])<<16 | uint64(groups[3])
	lo = uint64(groups[4])<<48 | uint64(groups[5])<<32 | uint64(groups[6])<<16 | uint64(groups[7])
	first, longest := -1, 1 // of the runs of at least two zeros
	for i, run := 0, 0; i < len(groups); i++ {
		if run++; groups[i] != 0 {
			run = 0
		}
		if run > longest {
			first, longest = i-run+1, run
		}
	}
	written := gap < 0 && n == len(groups) || gap >= 0 && n == len(groups)-longest
	return hi, lo, written && gap == first && (hi != 0 || lo>>32 != 0xffff)
}

// group parses the hexadecimal number that a text begins with, and returns how many digits it has: 0 where there is none, or
// where it is not in lower case, has leading zeros or more than four digits.
func group(s string) (value uint16, digits int) {
digits:
	for ; digits < len(s) && digits < 5; digits++ {
		switch c := s[digits]; {
		case c-'0' <= 9:
			value = value<<4 | uint16(c-'0')
		case c-'a' <= 5:
			value = value<<4 | uint16(c-'a'+10)
		default:
			break digits
		}
	}
	if digits > 4 || digits > 1 && s[0] == '0' {
		return 0, 0
	}
	return value, digits
}
