package endpoint

// IPv6 parses an IPv6 address in its canonical spelling (RFC 5952), as two numbers of 64 bits; false for anything else,
// such as another spelling, an IPv4-mapped address or a zone. It is the fast path of Addr.
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
	if !shortest(groups[:n], gap) {
		return 0, 0, false
	}
	if gap >= 0 {
		copy(groups[8-(n-gap):], groups[gap:n])
		clear(groups[gap : 8-(n-gap)])
	}
	hi = uint64(groups[0])<<48 | uint64(groups[1])<<32 | uint64(groups[2])<<16 | uint64(groups[3])
	lo = uint64(groups[4])<<48 | uint64(groups[5])<<32 | uint64(groups[6])<<16 | uint64(groups[7])
	return hi, lo, hi != 0 || lo>>32 != 0xffff
}

// group parses the hexadecimal number that a text begins with, and returns how many digits it has: 0 where there is none, or
// where it is not in lower case, has leading zeros or more than four digits.
func group(s string) (value uint16, digits int) {
	for digits < len(s) && digits < 5 {
		c := s[digits]
		switch {
		case c-'0' <= 9:
			value = value<<4 | uint16(c-'0')
		case c-'a' <= 5:
			value = value<<4 | uint16(c-'a'+10)
		default:
			if digits > 1 && s[0] == '0' {
				return 0, 0
			}
			return value, digits
		}
		digits++
	}
	if digits > 4 || digits > 1 && s[0] == '0' {
		return 0, 0
	}
	return value, digits
}

// shortest reports whether "::" stands in the right place, after gap of the groups that are written out, or is rightly
// missing (gap < 0): it replaces the longest run of at least two zeros, and the first of equally long ones.
func shortest(written []uint16, gap int) bool {
	left := 8 - len(written) // groups in the gap
	if gap < 0 && left != 0 || gap >= 0 && left < 2 {
		return false
	}
	for i, run := 0, 0; i < len(written); i++ {
		if i == gap {
			run = 0
		}
		if written[i] != 0 {
			run = 0
			continue
		}
		run++
		switch beside := i == gap-1 || i-run+1 == gap; {
		case gap < 0 && run > 1, gap >= 0 && beside:
			return false
		case gap >= 0 && (run > left || run == left && i < gap):
			return false
		}
	}
	return true
}
