package address

import (
	"net/netip"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestSort compares sorting by digits with sorting by comparisons.
func TestSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hosts := rapid.SliceOfN(rapid.Uint64(), 1, 4).Draw(t, "numbers")
		names := []string{"b.example.com", "a.example.com"}
		l := Ports{Name: func(index int32) string { return names[index%2] }}
		for i := range rapid.IntRange(0, 3*radixFrom).Draw(t, "length") {
			p := Port{Index: int32(i), Number: uint16(rapid.IntRange(0, 70000).Draw(t, "port"))}
			if pick := rapid.IntRange(0, len(hosts)).Draw(t, "host"); pick < len(hosts) {
				p.Host = Host{hi: hosts[pick] >> 7, lo: hosts[pick] * uint64(i%3+1)}
			}
			l.List = append(l.List, p)
		}
		compare := l.compare
		want := slices.Clone(l.List)
		slices.SortFunc(want, compare)
		l.Sort()
		if !slices.EqualFunc(l.List, want, func(a, b Port) bool { return compare(a, b) == 0 }) {
			t.Fatalf("got %v, want %v", l.List, want)
		}
		distinct := len(slices.CompactFunc(want, func(a, b Port) bool { return compare(a, b) == 0 }))
		n := 0
		for range l.Runs {
			n++
		}
		if n != distinct {
			t.Fatalf("%d distinct, want %d", n, distinct)
		}
	})
}

// TestRead reads texts as addresses of each family.
func TestRead(t *testing.T) {
	for _, row := range []struct {
		text   string
		family Family
		want   Result
		addr   string
	}{
		{"10.0.0.1", IPv4, Canonical, "10.0.0.1"},
		{"10.0.0.1", IPv4 | IPv6, Canonical, "10.0.0.1"},
		{"010.0.0.1", IPv4, Respelled, "10.0.0.1"},
		{"10.0.0.1", IPv6, WrongFamily, "10.0.0.1"},
		{"fd00::1", IPv6, Canonical, "fd00::1"},
		{"FD00:0::1", IPv6, Respelled, "fd00::1"},
		{"fd00::1", IPv4, WrongFamily, "fd00::1"},
		{"::", IPv6, Bad, ""},
		{"x", IPv4 | IPv6, Bad, ""},
		{"", IPv4, Bad, ""},
		{"a.example.com", FQDN, Canonical, ""},
		{"a.example.com.", FQDN, Respelled, ""},
		{".", FQDN, Bad, ""},
		{"10.0.0.1", FQDN, Canonical, ""},
	} {
		h, result := Read(row.text, row.family)
		if result != row.want {
			t.Errorf("%q of %b: %v, want %v", row.text, row.family, result, row.want)
		}
		if row.addr != "" && h.Addr() != netip.MustParseAddr(row.addr) {
			t.Errorf("%q is %v, want %s", row.text, h.Addr(), row.addr)
		}
		if row.addr == "" && !h.IsName() {
			t.Errorf("%q is %v", row.text, h)
		}
	}
}
