package mirror_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/test/check/memory"
	"github.com/slicewright/slicewright/mirror"
)

// export is a cluster's export, made a number of seconds after others.
func export(cluster string, seconds int64, ports ...corev1.ServicePort) mirror.Export {
	return mirror.Export{Cluster: cluster, Created: time.Unix(seconds, 0), Ports: ports}
}

func tcp(name string, number int32) corev1.ServicePort {
	return corev1.ServicePort{Name: name, Port: number, Protocol: corev1.ProtocolTCP}
}

func udp(name string, number int32) corev1.ServicePort {
	return corev1.ServicePort{Name: name, Port: number, Protocol: corev1.ProtocolUDP}
}

func sctp(name string, number int32) corev1.ServicePort {
	return corev1.ServicePort{Name: name, Port: number, Protocol: corev1.ProtocolSCTP}
}

func withApp(p corev1.ServicePort, app string) corev1.ServicePort {
	p.AppProtocol = &app
	return p
}

// TestMergeExports: what several exports come to, port by port. The rows of mcs-api are the Required checks of its conformance tests
// about ports; a conflict is a condition of each ServiceExport.
func TestMergeExports(t *testing.T) {
	for _, row := range []struct {
		why     string
		exports []mirror.Export
		want    string // the merged ports, what each cluster serves, and the conflicts
	}{
		{"nothing is exported", nil, "[] map[] "},
		{"a headless Service without ports", []mirror.Export{export("east", 1), export("west", 2)}, "[] map[east:[] west:[]] "},
		{"no protocol is TCP", []mirror.Export{export("east", 1, corev1.ServicePort{Port: 80}), export("west", 2, tcp("", 80))},
			"[80] map[east:[80] west:[80]] "},
		{"targetPort and nodePort are the cluster's own", []mirror.Export{
			export("east", 1, corev1.ServicePort{Name: "http", Port: 80, NodePort: 30080}), export("west", 2, tcp("http", 80)),
		}, "[http:80] map[east:[http:80] west:[http:80]] "},
		{"mcs-api: should expose the union of the constituent service ports; nothing is lost, and the Services differ", []mirror.Export{export("east", 1, tcp("http", 80)), export("west", 2, tcp("http", 80), sctp("s", 142))},
			"[http:80 s:142/SCTP] map[east:[http:80] west:[http:80 s:142/SCTP]] east: lacks s:142/SCTP "},
		{"mcs-api: should apply the conflict resolution policy: the oldest export wins a name", []mirror.Export{export("west", 2, tcp("http", 81)), export("east", 1, tcp("http", 80))},
			"[http:80] map[east:[http:80] west:[]] west: http:81 gives way to http:80 of east; lacks http:80 "},
		{"the oldest export wins a number", []mirror.Export{export("east", 1, tcp("http", 80)), export("west", 2, tcp("web", 80), udp("web", 80))},
			"[http:80 web:80/UDP] map[east:[http:80] west:[web:80/UDP]] east: lacks web:80/UDP west: web:80 gives way to http:80 of east; lacks http:80 "},
		{"exports of one time: the first name", []mirror.Export{export("b", 1, tcp("http", 81)), export("a", 1, tcp("http", 80))},
			"[http:80] map[a:[http:80] b:[]] b: http:81 gives way to http:80 of a; lacks http:80 "},
		{"a port that lost takes no other one's place", []mirror.Export{
			export("a", 1, tcp("http", 80)), export("b", 2, tcp("http", 81)), export("c", 3, tcp("web", 81)),
		}, "[http:80 web:81] map[a:[http:80] b:[] c:[web:81]] a: lacks web:81 b: http:81 gives way to http:80 of a; lacks http:80; lacks web:81 c: lacks http:80 "},
		{"a port without name stands alone", []mirror.Export{export("a", 1, tcp("", 80)), export("b", 2, tcp("https", 443))},
			"[80] map[a:[80] b:[]] b: https:443 gives way to 80 of a; lacks 80 "},
		{"nor does it join others", []mirror.Export{export("a", 1, tcp("http", 80)), export("b", 2, tcp("", 443))},
			"[http:80] map[a:[http:80] b:[]] b: 443 gives way to http:80 of a; lacks http:80 "},
		{"another appProtocol is the same port, and a conflict", []mirror.Export{
			export("a", 1, withApp(tcp("http", 80), "kubernetes.io/h2c")), export("b", 2, tcp("http", 80)),
		}, `[http:80] map[a:[http:80] b:[http:80]] b: appProtocol "" of http:80 gives way to "kubernetes.io/h2c" of a `},
		{"mcs-api: the ports should match those of the exported service, in any order", []mirror.Export{
			export("a", 1, tcp("http", 80), tcp("https", 443)), export("b", 2, tcp("https", 443), tcp("http", 80)),
		}, "[http:80 https:443] map[a:[http:80 https:443] b:[http:80 https:443]] "},
		{"what no Service may have takes no place", []mirror.Export{
			export("a", 1, tcp("http", 0), tcp("Bad_Name", 1), tcp("http", -1)), export("b", 2, tcp("http", 80)),
		}, "[http:80] map[a:[] b:[http:80]] a: http:0 is no port of a Service: Invalid value: 0: use 1 to 65535"},
	} {
		merged, err := mirror.MergeExports(row.exports)
		if err != nil {
			t.Errorf("%s: %v", row.why, err)
			continue
		}
		shown := map[string][]string{}
		for cluster, ports := range merged.ByCluster {
			shown[cluster] = showPorts(ports)
		}
		got := fmt.Sprint(showPorts(merged.Ports), " ", shown, " ")
		for _, c := range merged.Conflicts {
			got += c.Cluster + ": " + c.Err.Error() + " "
		}
		if len(got) > len(row.want) && row.want[len(row.want)-1] != ' ' { // the beginning
			got = got[:len(row.want)]
		}
		if got != row.want {
			t.Errorf("%s:\n%s, want\n%s", row.why, got, row.want)
		}
	}
}

func showPorts(ports []corev1.ServicePort) []string {
	list := []string{}
	for _, p := range ports {
		list = append(list, endpoint.Port{Name: p.Name, Protocol: p.Protocol, Number: int64(p.Port)}.String())
	}
	return list
}

// Clusters that cannot be told apart are a mistake.
func TestMergeExportsMistakes(t *testing.T) {
	merged, err := mirror.MergeExports([]mirror.Export{export("", 1), export("east", 1), export("-", 1), export("east", 2, tcp("http", 80))})
	if merged.Ports != nil || merged.ByCluster != nil {
		t.Errorf("a result beside an error: %v", merged)
	}
	if got, want := paths(err), "exports[0].cluster exports[2].cluster exports[3].cluster"; got != want {
		t.Errorf("errors at %s, want %s", got, want)
	}
}

func drawExports(t *rapid.T, unnamed bool) []mirror.Export {
	var exports []mirror.Export
	for _, cluster := range []string{"a", "b", "c", "d"}[:rapid.IntRange(0, 4).Draw(t, "exports")] {
		e := export(cluster, int64(rapid.IntRange(1, 3).Draw(t, "created")))
		for range rapid.IntRange(0, 4).Draw(t, "ports") {
			p := pick(t, "port", tcp, udp)(pick(t, "name", "http", "https", "dns"), pick(t, "number", int32(80), 81, 443))
			if unnamed {
				p.Name = pick(t, "name", "", "http", "Bad_Name")
				p.Port = pick(t, "number", int32(80), 81, 0, 65536)
			}
			if chance(t, 4, "app") {
				p = withApp(p, pick(t, "which", "a/b", "", "c"))
			}
			e.Ports = append(e.Ports, p)
		}
		exports = append(exports, e)
	}
	return exports
}

// TestMergedPortsAreAService: a Service may have the merged ports, each is of an export, and none that fits is missing; the order of
// the exports makes no difference, and nothing is changed or shared.
func TestMergedPortsAreAService(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		exports := drawExports(t, chance(t, 2, "unnamed"))
		before, reversed := slices.Clone(exports), slices.Clone(exports)
		for i := range before {
			before[i].Ports = slices.Clone(exports[i].Ports)
		}
		slices.Reverse(reversed)
		merged, err := mirror.MergeExports(exports)
		if err != nil {
			t.Fatal(err)
		}
		again, _ := mirror.MergeExports(reversed)
		if d := cmp.Diff(show(merged), show(again)); d != "" {
			t.Fatalf("in reversed order:\n%s", d)
		}
		if d := cmp.Diff(before, exports); d != "" {
			t.Fatalf("changed:\n%s", d)
		}
		if a, b, shared := memory.Shared(memory.Value{Owner: "the exports", Of: &exports}, memory.Value{Owner: "the result", Of: &merged}); shared {
			t.Fatalf("%s and %s share memory", a, b)
		}
		if fault := serviceFault(merged.Ports); fault != "" {
			t.Fatalf("no Service may have %v: %s", merged.Ports, fault)
		}
		for _, e := range exports {
			for _, p := range e.Ports {
				if serviceFault(append(slices.Clone(merged.Ports), p)) == "" {
					t.Fatalf("%v could stand beside %v", p, merged.Ports)
				}
			}
		}
	})
}

func show(m mirror.Merged) string {
	text := fmt.Sprint(showPorts(m.Ports))
	for _, cluster := range []string{"a", "b", "c", "d"} {
		text += cluster + fmt.Sprint(showPorts(m.ByCluster[cluster]))
	}
	for _, c := range m.Conflicts {
		text += fmt.Sprint(c.Cluster, showPorts(c.Lost), c.Err)
	}
	return text
}

// serviceFault is what the validation of a Service has against ports.
func serviceFault(ports []corev1.ServicePort) string {
	names, numbers := map[string]bool{}, map[string]bool{}
	for _, p := range ports {
		number := fmt.Sprint(p.Protocol, p.Port)
		switch {
		case len(ports) > 1 && p.Name == "":
			return "a name is missing"
		case p.Name != "" && len(validation.IsDNS1123Label(p.Name)) > 0:
			return "bad name"
		case names[p.Name], numbers[number]:
			return "twice"
		case p.Port < 1 || p.Port > 65535:
			return "bad number"
		}
		names[p.Name], numbers[number] = true, true
	}
	return ""
}

// TestMergeAsCilium: where all ports have names and are good, cilium's clustermesh merges to the same ports, and finds a conflict
// where we do. It also finds one where the ports of two exports stand in another order, which no reader sees.
func TestMergeAsCilium(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		exports := drawExports(t, false)
		merged, err := mirror.MergeExports(exports)
		if err != nil {
			t.Fatal(err)
		}
		slices.SortStableFunc(exports, func(a, b mirror.Export) int { return a.Created.Compare(b.Created) }) // a to d are sorted
		ports, conflict := ciliumMerge(exports)
		if got, want := showPorts(merged.Ports), showPorts(ports); !slices.Equal(got, want) {
			t.Fatalf("%v, and cilium has %v", got, want)
		}
		if (len(merged.Conflicts) > 0) != conflict {
			t.Fatalf("conflicts %v, and cilium says %v", merged.Conflicts, conflict)
		}
	})
}

// ciliumMerge is the rule of cilium's mergePorts: a port is left out if an older one has its name and is another, or its protocol
// and number. There is a conflict if one was left out that differs, or if the ports of an export are not the merged ones.
func ciliumMerge(ordered []mirror.Export) (merged []corev1.ServicePort, conflict bool) {
	app := func(p corev1.ServicePort) string { return endpoint.Text(p.AppProtocol) }
	same := func(a, b corev1.ServicePort) bool { return a.Port == b.Port && a.Protocol == b.Protocol }
	equal := func(a, b corev1.ServicePort) bool { return a.Name == b.Name && same(a, b) && app(a) == app(b) }
	for _, e := range ordered {
		for _, p := range e.Ports {
			i := slices.IndexFunc(merged, func(m corev1.ServicePort) bool { return m.Name == p.Name && !same(m, p) })
			k := slices.IndexFunc(merged, func(m corev1.ServicePort) bool { return same(m, p) })
			switch {
			case i >= 0:
				conflict = true
			case k >= 0:
				conflict = conflict || !equal(merged[k], p)
			default:
				merged = append(merged, p)
			}
		}
	}
	for _, e := range ordered {
		all := len(e.Ports) == len(merged)
		for _, m := range merged {
			all = all && slices.ContainsFunc(e.Ports, func(p corev1.ServicePort) bool { return equal(p, m) })
		}
		conflict = conflict || !all
	}
	return merged, conflict
}
