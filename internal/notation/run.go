package notation

import (
	"net/netip"
	"strconv"
	"strings"
)

// Item has the parts of one printed endpoint. Join makes ranges from them.
type Item struct {
	Sign      string // what happens to the endpoint: one of + - ~ or empty
	Addresses string // as Addresses prints them
	Suffix    string // the fields, as Braces prints them
}

func (i Item) String() string { return i.Sign + i.Addresses + i.Suffix }

// Join prints a list in the given order, or a dash if it is empty. Three or more items with
// consecutive single addresses and the same sign and suffix are printed as a range: 10.0.0.1..3, or
// 10.0.0.254..10.0.1.3 if more than the last number differs.
func Join(items []Item) string {
	var words []string
	for i := 0; i < len(items); {
		n, last := run(items[i:])
		if n < 3 {
			words = append(words, items[i].String())
			i++
			continue
		}
		first := items[i]
		words = append(words, first.Sign+first.Addresses+".."+shorten(first.Addresses, last)+first.Suffix)
		i += n
	}
	return orDash(strings.Join(words, " "))
}

// run returns how many of the first items make a range, and the last address of the range.
func run(items []Item) (n int, last string) {
	addr, _ := netip.ParseAddr(items[0].Addresses)
	if addr.String() != items[0].Addresses { // not one IP in its canonical spelling
		return 1, ""
	}
	for n = 1; n < len(items); n++ {
		next := addr.Next()
		same := items[n].Sign == items[0].Sign && items[n].Suffix == items[0].Suffix
		if !same || !next.IsValid() || items[n].Addresses != next.String() {
			break
		}
		addr = next
	}
	return n, addr.String()
}

// shorten returns the end of a range as it is printed: only the last number of an IPv4 address if
// its other numbers are those of first. An IPv6 address has no dot, and is returned whole.
func shorten(first, last string) string {
	if i := strings.LastIndexByte(first, '.'); strings.HasPrefix(last, first[:i+1]) {
		return last[i+1:]
	}
	return last
}

// Count prints a number of things: 1 write, 2 writes. one is the word for a single thing.
func Count(n int, one string) string {
	if n != 1 {
		one += "s"
	}
	return strconv.Itoa(n) + " " + one
}
