package scenario

import (
	"fmt"
	"strings"
	"testing"

	"github.com/slicewright/slicewright/internal/notation"
	"github.com/slicewright/slicewright/slicer"
)

var set = slicer.Set{Namespace: "ns", Name: "web", ManagedBy: "test"}

// TestSliceRoundTrip: what is printed reads back as the same, whatever the slice holds.
func TestSliceRoundTrip(t *testing.T) {
	for _, row := range []struct{ why, line string }{
		{"a placeholder", `web-a ipv4 | - | -`},
		{"runs", `web-a ipv4 rv=7 | http:80 | 10.0.0.1..9 10.0.0.250..10.0.1.3`},
		{"every kind of port", `web-a ipv4 | *,80/?,:80,dns:53/udp,web:443(kubernetes.io/h2c) | 10.0.0.1`},
		{"every field of an endpoint",
			`web-a ipv6 | - | fd00::1,fd00::2{host=h,pod=p,uid=u,ref-rv=5,node=n,zone=z,!ready,` +
				`serving,terminating,hints=z1+z2,node-hints=n1,topology.k=v}`},
		{"references elsewhere", `web-a fqdn | - | a.example.com{ref=VM/x} b.example.com{pod=far/p} c.example.com{ref=VM/far/x}`},
		{"bad addresses", `web-a ipv4 | - | [] "" "a b" "1{"{host=""}`},
		{"metadata", `web-a ipv4 ns=far rv=7 uid=x dying finalizer=f label:app=web -label:kubernetes.io/service-name ` +
			`annotation:foo="a b" owner=Service/web/u1* owner=VM/x/u2 | - | -`},
	} {
		s, err := ParseSlice(row.line, set)
		if err != nil {
			t.Errorf("%s: %v", row.why, err)
			continue
		}
		if got := FormatSlice(s, set); got != row.line {
			t.Errorf("%s:\n got %s\nwant %s", row.why, got, row.line)
		}
	}
}

func TestParseGroup(t *testing.T) {
	g, err := ParseGroup("ipv6 http:80 | fd00::1..fd00::3", "ns")
	if got := fmt.Sprintf("%s %s %d %v", g.AddressType, notation.Ports(g.Ports), len(g.Endpoints),
		err); got != "IPv6 http:80 3 <nil>" {
		t.Errorf("got %s", got)
	}
	for _, bad := range []string{"http:80", "a | b | c | d", "http:x | -", "- | 10.0.0.1{nonsense}",
		"- | 10.0.0.1{a=b}", "- | x..y"} {
		if g, err := ParseGroup(bad, "ns"); err == nil {
			t.Errorf("ParseGroup(%q) = %+v, want an error", bad, g)
		}
	}
}

type report struct{ errors []string }

func (r *report) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

// TestRunner: a scenario without a heading, another output than expected, output that is not
// expected, an error of the handler, and an output that breaks a line assert: fail the scenario.
// What comes back holds the outputs as they are, and may be written only where no command failed
// and what must hold does.
func TestRunner(t *testing.T) {
	echo := func(c Command) (string, error) {
		if c.Name == "bad" {
			return "worse\n", fmt.Errorf("bad command")
		}
		return strings.Join(append(c.Args, c.Block...), "\n") + "\n", nil
	}
	block := func(c string) bool { return c == "block" }
	const head = "== one: A scenario that is right.\n\n"
	for _, row := range []struct{ why, text, after, failure string }{
		{"expected output", head + "say a\n----\na\n\nblock\nb\n  c\n# d\n----\nb  c", "", ""},
		{"no heading", "== : say a\n----\na", "no", "begins with == name"},
		{"too short a heading", "== one: Scenario\nsay a\n----\na", "no", "begins with == name"},
		{"other output", head + "say a\n----\nb", head + "say a\n----\na", "want\nb"},
		{"missing output", head + "say a", head + "say a\n----\na", "got\na"},
		{"error", head + "bad\n----\nbetter", "no", "bad command"},
		{"what must hold", head + "say abc b\nassert: bc before b\nassert: no d\nassert: abc\n----\nabc\nb", "no", "bc before b"},
		{"what must hold in this order", head + "say ac b\nassert: c before b\nassert: no d\nassert: ac\n----\nac\nb", "", ""},
		{"what must not be there", head + "say a bc\nassert: no c\n----\na", "no", "no c"},
		{"what must be there", head + "block\na\nassert: b\n----\na", "no", "does not: b"},
		{"what must be there before", head + "say b\nassert: a before b\n----\nb", "no", "a before b"},
	} {
		r := &report{}
		after, ok := runScenario(r, "x.txt", 1, row.text, echo, block)
		if row.after == "" {
			row.after = row.text
		}
		if ok != (row.after != "no") || ok && after != row.after {
			t.Errorf("%s: may be written: %v, and becomes\n%s", row.why, ok, after)
		}
		if failures := strings.Join(r.errors, "\n"); (row.failure == "") != (failures == "") ||
			!strings.Contains(failures, row.failure) {
			t.Errorf("%s: failures %q, want %q", row.why, failures, row.failure)
		}
	}
}
