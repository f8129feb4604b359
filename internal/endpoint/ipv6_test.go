package endpoint

import (
	"encoding/binary"
	"net/netip"
	"testing"

	"pgregory.net/rapid"
)

// checkIPv6 holds the parser against the standard library's, which takes the same texts and more.
func checkIPv6(t interface{ Fatalf(string, ...any) }, text string) {
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

func TestIPv6(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b [16]byte
		for i := range b { // mostly zeros, so that there are runs to replace
			b[i] = rapid.SampledFrom([]byte{0, 0, 0, 0, 1, 0x10, 0xff, 0xfd}).Draw(t, "byte")
		}
		text := netip.AddrFrom16(b).String()
		checkIPv6(t, text)
		// One character more, fewer or another one, somewhere.
		at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
		put := rapid.SampledFrom([]string{"", "0", "1", "f", "g", "F", ":", "::", ".", "%", ":0", "0:"}).Draw(t, "put")
		checkIPv6(t, text[:at]+put+text[at+rapid.IntRange(0, 1).Draw(t, "drop"):])
		checkIPv6(t, rapid.StringMatching(`([0-9a-f]{0,5}:{1,2}){0,9}[0-9a-fA-F%]{0,4}`).Draw(t, "text"))
	})
}

// TestIPv6Edges has texts that are no address, or another one, but for one character.
func TestIPv6Edges(t *testing.T) {
	for _, text := range []string{
		"::ffff:1:2", "::fffe:1:2", "::1:ffff:1:2", "1::ffff:1:2", // IPv4-mapped or not
		"1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:",
		":", "", "1", "1::2::3", "::1::2", ":1:2:3:4:5:6:7", ":::",
		"1:2:3:4:5:6:7:01", "1:2:3:4:5:6:7:12345", "1:2:3:4:5:6:7:F", "1:2:3:4:5:6:7:g",
		"1:2:3:4:5:6:7:0", "1:2:3:4:5:6:7:00", "1:2:3:4:5:6:7:ffff", "1:2:3:4:5:6:7:af90", "1:2:3:4:5:6:7:/",
		"1:2:3:4:5:6:7g8", "1:2:3:4:5:6:7.8", "::0:0:3:4:5:6:7:8",
	} {
		checkIPv6(t, text)
	}
}
