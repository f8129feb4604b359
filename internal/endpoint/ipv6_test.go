package endpoint

import (
	"encoding/binary"
	"net/netip"
	"testing"

	"pgregory.net/rapid"
)

// TestIPv6 holds the parser against the standard library's, which takes the same texts and more.
func TestIPv6(t *testing.T) {
	check := func(t *rapid.T, text string) {
		addr, err := netip.ParseAddr(text)
		want := err == nil && addr.Is6() && !addr.Is4In6() && addr.Zone() == "" && addr.String() == text
		hi, lo, ok := IPv6(text)
		var b [16]byte
		binary.BigEndian.PutUint64(b[:8], hi)
		binary.BigEndian.PutUint64(b[8:], lo)
		if ok != want || ok && addr != netip.AddrFrom16(b) {
			t.Fatalf("IPv6(%q) = %x, %x, %v; netip has %v, %v", text, hi, lo, ok, addr, err)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		var b [16]byte
		for i := range b { // mostly zeros, so that there are runs to replace
			b[i] = rapid.SampledFrom([]byte{0, 0, 0, 0, 1, 0x10, 0xff, 0xfd}).Draw(t, "byte")
		}
		text := netip.AddrFrom16(b).String()
		check(t, text)
		// One character more, fewer or another one, somewhere.
		at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
		put := rapid.SampledFrom([]string{"", "0", "1", "f", "g", "F", ":", "::", ".", "%", ":0", "0:"}).Draw(t, "put")
		check(t, text[:at]+put+text[at+rapid.IntRange(0, 1).Draw(t, "drop"):])
	})
	rapid.Check(t, func(t *rapid.T) {
		check(t, rapid.StringMatching(`([0-9a-f]{0,5}:{1,2}){0,9}[0-9a-fA-F%]{0,4}`).Draw(t, "text"))
	})
}
