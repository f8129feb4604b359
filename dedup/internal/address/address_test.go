package address

import (
	"bytes"
	"cmp"
	"net/netip"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/internal/endpoint"
	_ "github.com/slicewright/slicewright/internal/test/nightly" // properties fail soon
)

// texts are addresses in several spellings, and what is none.
var texts = []string{
	"10.0.0.1", "010.0.0.1", "0.0.0.0", "255.255.255.255", "::ffff:10.0.0.1", "::10.0.0.1", "::fffe:a00:1",
	"1::ffff:a00:1", "fd00::1", "FD00:0::1", "fd00::", "::", "0:0::0",
	"::1", "fe80::1%eth0", "", "10.0.0", "10.0.0.256", "db.example.com", "10.0.0.1.",
}

// TestRead compares what is read with what package netip makes of the text: the number, the family,
// the order and the spelling.
func TestRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom(texts).Draw(t, "text")
		if rapid.Bool().Draw(t, "any address") {
			text = netip.AddrFrom16([16]byte(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "bytes"))).String()
		}
		f := rapid.SampledFrom([]Family{IPv4, IPv6, IPv4 | IPv6}).Draw(t, "family")
		addr, ok := endpoint.Addr(text)
		family := IPv6
		if addr.Is4() {
			family = IPv4
		}
		ok = ok && addr != netip.IPv6Unspecified() && f&family != 0
		h, got := Read(text, f)
		if got != ok {
			t.Fatalf("%q is an address of family %d: %v, want %v", text, f, got, ok)
		}
		if !ok {
			return
		}
		if h.Addr() != addr || h != Of(addr) || h.Family() != family || h.IsName() {
			t.Fatalf("%q is %v of family %d, want %v", text, h.Addr(), h.Family(), addr)
		}
		if o, ok := Read(rapid.SampledFrom(texts).Draw(t, "other"), IPv4|IPv6); ok {
			a, b := addr.As16(), o.Addr().As16()
			if h.Compare(o) != bytes.Compare(a[:], b[:]) {
				t.Fatalf("%v and %v are in the order %d", addr, o.Addr(), h.Compare(o))
			}
		}
	})
}

// TestSort compares sorting by digits with the standard library's stable sort. Of names that are
// one any may come first.
func TestSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hosts := rapid.SliceOfN(rapid.Uint64(), 0, 4).Draw(t, "numbers")
		names := []string{"b.example.com", "a.example.com"}
		l := Order{Name: func(index int32) string { return names[index%2] }}
		for i := range rapid.IntRange(0, 3*radixFrom).Draw(t, "length") {
			p := Entry{Index: int32(i)}
			if pick := rapid.IntRange(0, len(hosts)).Draw(t, "host"); pick < len(hosts) {
				p.Host = Host{hi: hosts[pick] >> 7, lo: hosts[pick] * uint64(i%3+1)}
			}
			l.List = append(l.List, p)
		}
		compare := func(a, b Entry) int {
			if a.Host.IsName() && b.Host.IsName() {
				return cmp.Compare(l.Name(a.Index), l.Name(b.Index))
			}
			return cmp.Or(cmp.Compare(a.Host.hi, b.Host.hi), cmp.Compare(a.Host.lo, b.Host.lo))
		}
		want := slices.Clone(l.List)
		slices.SortStableFunc(want, compare)
		l.Sort()
		if !slices.EqualFunc(l.List, want,
			func(a, b Entry) bool { return compare(a, b) == 0 && (a.Host.IsName() || a == b) }) {
			t.Fatalf("got %v, want %v", l.List, want)
		}
		distinct := slices.CompactFunc(want, func(a, b Entry) bool { return compare(a, b) == 0 })
		var runs []Entry
		for list := l.List; len(list) > 0; list = list[l.Same(list):] {
			runs = append(runs, list[0])
		}
		if !slices.EqualFunc(runs, distinct, func(a, b Entry) bool { return compare(a, b) == 0 }) {
			t.Fatalf("distinct are %v, want %v", runs, distinct)
		}
	})
}
