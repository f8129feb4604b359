package slicer_test

import (
	"testing"

	"github.com/slicewright/slicewright/slicer"
)

func TestStatsByType(t *testing.T) {
	s := planned(t, input(t, `options max=2
set types=ipv4,ipv6

slices
web-a ipv4 rv=3 | http:80 | 10.0.0.1
web-b ipv4 rv=4 | http:80 | 10.0.0.2

want
http:80 | 10.0.0.1 10.0.0.2
http:81 | 10.0.0.1 10.0.0.3 10.0.0.4`)).Stats()
	if want := (slicer.TypeStats{Endpoints: 5, Slices: 4, Fewest: 3}); s.IPv4 != want {
		t.Errorf("IPv4: %+v, want %+v", s.IPv4, want)
	}
	if want := (slicer.TypeStats{Slices: 1, Fewest: 1}); s.IPv6 != want {
		t.Errorf("a placeholder: %+v, want %+v", s.IPv6, want)
	}
	if s.FQDN != (slicer.TypeStats{}) {
		t.Errorf("FQDN: %+v, want none", s.FQDN)
	}
}
