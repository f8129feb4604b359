package endpoint

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"strings"
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

// TestIPv6Gaps writes every pattern of zeros without "::" and with it in every place where it may stand: one of these spellings
// is canonical.
func TestIPv6Gaps(t *testing.T) {
	for pattern := range 1 << 8 {
		var b [16]byte
		var groups [8]string
		for i := range groups {
			groups[i] = "0"
			if pattern>>i&1 == 1 {
				b[2*i], b[2*i+1], groups[i] = 0x2a, byte(i), fmt.Sprintf("2a%02x", i)
			}
		}
		want := netip.AddrFrom16(b).String()
		texts := []string{strings.Join(groups[:], ":")}
		for from := range groups {
			for to := from; to < 8 && groups[to] == "0"; to++ {
				texts = append(texts, strings.Join(groups[:from], ":")+"::"+strings.Join(groups[to+1:], ":"))
			}
		}
		canonical := 0
		for _, text := range texts {
			hi, lo, ok := IPv6(text)
			if ok != (text == want) {
				t.Errorf("IPv6(%q) is %v, canonical is %q", text, ok, want)
			}
			if ok {
				canonical++
				if hi != binary.BigEndian.Uint64(b[:8]) || lo != binary.BigEndian.Uint64(b[8:]) {
					t.Errorf("IPv6(%q) = %x, %x", text, hi, lo)
				}
			}
		}
		if canonical != 1 {
			t.Errorf("%d of %q are canonical", canonical, texts)
		}
	}
	for text, want := range map[string]bool{
		"::ffff:1:2": false, "::fffe:1:2": true, "::1:ffff:1:2": true, "1::ffff:1:2": true, // IPv4-mapped or not
		"1:2:3:4:5:6:7": false, "1:2:3:4:5:6:7:8": true, "1:2:3:4:5:6:7:8:9": false, "1:2:3:4:5:6:7:": false,
		":": false, "": false, "1": false, "1::2::3": false, "::1::2": false, ":1:2:3:4:5:6:7": false, ":::": false,
		"1:2:3:4:5:6:7:01": false, "1:2:3:4:5:6:7:12345": false, "1:2:3:4:5:6:7:F": false, "1:2:3:4:5:6:7:g": false,
		"1:2:3:4:5:6:7:0": true, "1:2:3:4:5:6:7:00": false, "1:2:3:4:5:6:7:ffff": true, "1:2:3:4:5:6:7:af90": true, "1:2:3:4:5:6:7:/": false,
		"1:2:3:4:5:6:7g8": false, "1:2:3:4:5:6:7.8": false,
	} {
		if _, _, ok := IPv6(text); ok != want {
			t.Errorf("IPv6(%q) is %v", text, ok)
		}
	}
}
