package accept

// plainName reports whether a text is surely a DNS label or, with dots, a DNS subdomain: false asks for a closer look. It
// looks at eight bytes at a time, because there is a node name for each endpoint: at names like
// ip-10-20-0-11.eu-central-1.compute.internal a loop over bytes took four times as long (BenchmarkPlainName).
func plainName(s string, dots bool) bool {
	if len(s) == 0 || len(s) > 63 {
		return false
	}
	if last := s[len(s)-1]; last == '-' || last == '.' {
		return false
	}
	beforeDot, beforeDash := uint64(0x80), uint64(0) // of the byte before the word; the first one begins a label
	for len(s) > 0 {
		w, all := uint64(0), uint64(highBits)
		switch n := len(s); {
		case n >= 8:
			w, s = half(s)|half(s[4:])<<32, s[8:]
		case n >= 4: // the halves overlap
			w, all, s = half(s)|half(s[n-4:])<<(8*n-32), all>>(64-8*n), ""
		default:
			for i := n - 1; i >= 0; i-- {
				w = w<<8 | uint64(s[i])
			}
			all, s = all>>(64-8*n), ""
		}
		dash, dot := between(w, '-', '-'), between(w, '.', '.')
		if between(w, 'a', 'z')|between(w, '0', '9')|dash|dot != all || dot != 0 && !dots {
			return false
		}
		afterDot, afterDash := dot<<8|beforeDot, dash<<8|beforeDash
		if dot&(afterDot|afterDash)|dash&afterDot != 0 {
			return false
		}
		beforeDot, beforeDash = dot>>56, dash>>56
	}
	return true
}

const (
	eachByte = 0x0101010101010101
	highBits = 0x80 * eachByte
)

// half returns the first four bytes of a text, the first one as the lowest.
func half(s string) uint64 {
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24
}

// between sets the high bit of each byte that is from first to last. A byte of 0x80 or more is not, and what is said of the
// bytes after it may be wrong.
func between(w uint64, first, last byte) uint64 {
	return (w + eachByte*uint64(0x80-first)) &^ (w + eachByte*uint64(0x7f-last)) & highBits
}
