package dedup_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/internal/test/scenario"
)

func TestResolvePort(t *testing.T) {
	for _, row := range []struct {
		why, ports string
		name       string
		protocol   corev1.Protocol
		number     int32
		match      dedup.PortMatch
	}{
		{"the number of the name", "http:80,https:443", "https", "TCP", 443, dedup.MatchNumber},
		{"an empty protocol is TCP", "http:80", "http", "", 80, dedup.MatchNumber},
		{"a nil protocol is TCP", "http:80/?", "http", "TCP", 80, dedup.MatchNumber},
		{"a nil name is empty", "80", "", "TCP", 80, dedup.MatchNumber},
		{"a name without a number means all ports", "http:*", "http", "TCP", 0, dedup.MatchAny},
		{"all ports of another name do not matter (nginx-gateway-fabric stumbles there)", "metrics:*,http:8080", "http", "TCP", 8080, dedup.MatchNumber},
		{"protocols are told apart", "dns:53,dns:5353/udp", "dns", "UDP", 5353, dedup.MatchNumber},
		{"another protocol is no match", "dns:53", "dns", "UDP", 0, dedup.NoProtocol},
		{"another name is no match, whatever its number", "http:80", "web", "TCP", 0, dedup.NoName},
		{"a port of the protocol has another name, and one of the name another protocol", "web:80/udp,http:80", "web", "TCP", 0, dedup.NoName},
		{"no port has the protocol, whatever its name", "dns:53/udp", "web", "TCP", 0, dedup.NoProtocol},
		{"the protocol is there under several names", "http:80,grpc:81", "web", "TCP", 0, dedup.NoName},
		{"the name under another protocol first", "dns:53,dns:5353/udp", "dns", "UDP", 5353, dedup.MatchNumber},
		{"no ports are something else than no match", "-", "http", "TCP", 0, dedup.NoPorts},
		{"an empty list is as nil", "[]", "http", "TCP", 0, dedup.NoPorts},
		{"port 0 is nobody's", "http:0", "http", "TCP", 0, dedup.MatchBad},
		{"above the last port", "http:65536", "http", "TCP", 0, dedup.MatchBad},
		{"the last port", "http:65535", "http", "TCP", 65535, dedup.MatchNumber},
		{"a negative number is not all ports", "http:-1", "http", "TCP", 0, dedup.MatchBad},
		{"two numbers of one name are anybody's guess", "http:80,http:81", "http", "TCP", 0, dedup.MatchBad},
		{"three numbers of one name, too", "http:80,http:80,http:82", "http", "TCP", 0, dedup.MatchBad},
		{"all ports do not count beside a number", "http:*,http:81,http:*", "http", "TCP", 81, dedup.MatchNumber},
		{"a bad number does not count beside a good one", "http:0,http:81,http:70000", "http", "TCP", 81, dedup.MatchNumber},
		{"a bad number does not count beside all ports", "http:0,http:*,http:0", "http", "TCP", 0, dedup.MatchAny},
		{"another protocol does not hide a bad number", "http:0,http:80/udp", "http", "TCP", 0, dedup.MatchBad},
		{"said twice is said once", "http:80,http:80", "http", "TCP", 80, dedup.MatchNumber},
	} {
		ports, err := scenario.ParsePorts(row.ports)
		if err != nil {
			t.Fatal(err)
		}
		number, match := dedup.ResolvePort(&discoveryv1.EndpointSlice{Ports: ports}, row.name, row.protocol)
		if number != row.number || match != row.match {
			t.Errorf("%s: got %d %v, want %d %v", row.why, number, match, row.number, row.match)
		}
	}
}
