package accept

import (
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// TestIP: an IP is taken in any spelling and family, unless no other node can reach it.
func TestIP(t *testing.T) {
	for text, want := range map[string]string{
		"10.0.0.1": "", "010.0.0.1": "", "fd00::1": "", "FD00::1": "", "224.0.1.1": "",
		"": "ip: Required value: give an IP", "web": `ip: Invalid value: "web": is not an IP: give one without port, prefix length and leading zeros`, "10.0.0.1/8": `ip: Invalid value: "10.0.0.1/8": is not an IP: give one without port, prefix length and leading zeros`,
		"0.0.0.0": `ip: Invalid value: "0.0.0.0": the API server refuses unspecified`, "::1": `ip: Invalid value: "::1": the API server refuses unspecified`,
		"ff02::1": `ip: Invalid value: "ff02::1": the API server refuses link-local multicast`,
	} {
		err := IP(field.NewPath("ip"), text)
		if (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestPort: for each rule a port that breaks it, in one field alone, and ports at the edges that
// break none.
func TestPort(t *testing.T) {
	good := endpoint.Port{Name: "http", Protocol: "TCP", Number: 80}
	app := func(text string) *string { return &text }
	for _, row := range []struct {
		change func(*endpoint.Port)
		app    *string
		want   string // the start of the error; "" for none
	}{
		{func(*endpoint.Port) {}, nil, ""},
		{func(p *endpoint.Port) { p.Name = "" }, app("kubernetes.io/h2c"), ""},
		{func(p *endpoint.Port) { p.Name = strings.Repeat("a", 63) }, nil, ""},
		{func(p *endpoint.Port) { p.Name = "a.b" }, nil, "name: Invalid value"},
		{func(p *endpoint.Port) { p.Protocol = "ICMP" }, nil, "protocol: Unsupported value"},
		{func(p *endpoint.Port) { p.Number = endpoint.AnyPort }, nil, ""},
		{func(p *endpoint.Port) { p.Number = 1 }, nil, ""},
		{func(p *endpoint.Port) { p.Number = 65535 }, nil, ""},
		{func(p *endpoint.Port) { p.Number = 0 }, nil, "port: Invalid value: 0: use 1 to 65535"},
		{func(p *endpoint.Port) { p.Number = 65536 }, nil, "port: Invalid value: 65536: use 1 to 65535"},
		{func(*endpoint.Port) {}, app("a b"), `appProtocol: Invalid value: "a b"`},
		{func(*endpoint.Port) {}, app(""), `appProtocol: Invalid value: ""`},
	} {
		p := good
		row.change(&p)
		var faults Faults
		faults.Port(p, row.app, func(name string) *field.Path { return field.NewPath(name) })
		err := fmt.Sprint(faults.Err())
		if row.want == "" && faults != nil || row.want != "" && !strings.HasPrefix(err, row.want) {
			t.Errorf("%+v: %s, want %q", p, err, row.want)
		}
	}
}
