package notation

import (
	"net/netip"
	"strconv"
	"strings"
)

// Item is one printed endpoint in parts, so that a list can span runs of them.
type Item struct {
	Sign      string // what happens to it: one of + - ~ = or nothing
	Addresses string // as Addresses prints them
	Suffix    string // as Braces prints it
}

func (i Item) String() string { return i.Sign + i.Addresses + i.Suffix }

// Join prints a list in the order given. Three or more single addresses that follow each other, with equal sign and
// suffix, are spanned: 10.0.0.1..3, or in full, 10.0.0.254..10.0.1.3, where more than the last number differs. No items
// is a dash.
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

// run counts the items at the front that can be spanned, and returns the last address.
func run(items []Item) (n int, last string) {
	addr, _ := netip.ParseAddr(items[0].Addresses)
	if addr.String() != items[0].Addresses { // a name, or several, or another spelling
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

// shorten leaves of an IPv4 address the last number when all others are those of first. An IPv6 address has no dot, and stays.
func shorten(first, last string) string {
	if i := strings.LastIndexByte(first, '.'); strings.HasPrefix(last, first[:i+1]) {
		return last[i+1:]
	}
	return last
}

// Count prints a number of things, of which one is called so: 1 write, 2 writes.
func Count(n int, one string) string {
	if n != 1 {
		one += "s"
	}
	return strconv.Itoa(n) + " " + one
}
