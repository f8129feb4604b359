package hints_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/gen"
)

func node(name, zone, cpu string) *corev1.Node {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{}}}
	if zone != "" {
		n.Labels[corev1.LabelTopologyZone] = zone
	}
	n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}
	if cpu != "" {
		n.Status.Allocatable = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu)}
	}
	return n
}

// endpointIn is a ready endpoint in a zone.
func endpointIn(zone, address string) discoveryv1.Endpoint {
	return discoveryv1.Endpoint{
		Addresses: []string{address}, Conditions: conditions.New(true, false, false).API(), Zone: &zone,
	}
}

// TestReasons: the package comment lists the reasons that the code has.
func TestReasons(t *testing.T) {
	read := func(pattern, words string) map[string]bool {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]bool{}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, match := range regexp.MustCompile(words).FindAllStringSubmatch(string(text), -1) {
				found[match[1]] = true
			}
		}
		return found
	}
	listed := read("doc.go", `(?m)^//   - (\w+):`)
	used := read("../internal/hinting/*.go", `(?:because\(|Reason: )"(\w+)"`)
	for file := range read("../internal/hinting/*_test.go", `(?:because\(|Reason: )"(\w+)"`) {
		t.Errorf("a test makes a Decision with %s, so this test cannot tell what the code makes", file)
	}
	if d := cmp.Diff(used, listed); d != "" || len(used) < 10 {
		t.Errorf("reasons (-code +comment):\n%s", d)
	}
}

// TestWeightsAreBounded: no Node counts for more than 2^27 thousandths of a CPU, so that the sum
// for any cluster is a valid weight, and none for less than nothing.
func TestWeightsAreBounded(t *testing.T) {
	for cpu, want := range map[string]int64{"9Ei": 1 << 27, "134217": 134217000, "134218": 1 << 27, "1m": 1} {
		got := hints.NodeWeights([]*corev1.Node{node("n", "a", cpu)}, nil)
		if _, _, err := hints.Assign(hints.Options{Weights: got}, nil); got.Zones["a"] != want || err != nil {
			t.Errorf("CPU %s: weights %v, want %d, %v", cpu, got.Zones, want, err)
		}
	}
}

// TestAssign: the hints come in the order of the endpoints, in whatever order that is; the result
// shares no memory with the endpoints or with itself; and a second call changes nothing.
func TestAssign(t *testing.T) {
	modes := []hints.Mode{hints.None, hints.PreferSameZone, hints.PreferSameNode, hints.Auto, hints.Given, hints.Keep}
	for n := range 2000 {
		r := rand.New(rand.NewPCG(1, uint64(n)))
		o := hints.Options{
			Mode: modes[r.IntN(len(modes))], Limit: []int{0, 50}[r.IntN(2)],
			Weights: hints.Weights{Zones: map[string]int64{"a": 1 + r.Int64N(3), "b": 1, "c": 1}},
		}
		endpoints := make([]discoveryv1.Endpoint, r.IntN(40))
		for i := range endpoints {
			endpoints[i] = endpointIn(string(rune('a'+r.IntN(3))), fmt.Sprintf("10.0.0.%d", i))
			if r.IntN(2) == 0 {
				zone := string(rune('a' + r.IntN(3)))
				endpoints[i].Hints = &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: zone}}}
			}
		}
		before := (&discoveryv1.EndpointSlice{Endpoints: endpoints}).DeepCopy().Endpoints
		list, d, err := hints.Assign(o, endpoints)
		if err != nil || len(list) != len(endpoints) || d.Mode != o.Mode || d.Reason == "" || d.Message == "" {
			t.Fatalf("case %d: %d hints, %+v, %v", n, len(list), d, err)
		}
		turned := slices.Clone(endpoints)
		slices.Reverse(turned)
		other, _, _ := hints.Assign(o, turned)
		if slices.Reverse(other); !cmp.Equal(list, other) {
			t.Fatalf("case %d: in another order:\n%s", n, cmp.Diff(list, other))
		}
		after := slices.Clone(endpoints)
		for i := range after {
			after[i].Hints = list[i].DeepCopy()
		}
		if again, _, _ := hints.Assign(o, after); !cmp.Equal(list, again) {
			t.Fatalf("case %d: a second call:\n%s", n, cmp.Diff(list, again))
		}
		for i, h := range list {
			if h != nil && len(h.ForZones) > 0 {
				h.ForZones[0].Name = fmt.Sprint(i)
				h.ForZones = append(h.ForZones, discoveryv1.ForZone{Name: "more"})
			}
		}
		for i, h := range list {
			if h != nil && len(h.ForZones) > 0 && h.ForZones[0].Name != fmt.Sprint(i) {
				t.Fatalf("case %d: the hints of endpoint %d share memory", n, i)
			}
		}
		if diff := cmp.Diff(before, endpoints); diff != "" {
			t.Fatalf("case %d: the endpoints changed:\n%s", n, diff)
		}
	}
}

func TestAssignMistakes(t *testing.T) {
	o := hints.Options{Mode: "auto", Weights: hints.Weights{Zones: map[string]int64{"a": 0}}}
	list, d, err := hints.Assign(o, nil)
	if err == nil || list != nil || d.Reason != "" || !strings.Contains(err.Error(), "weights.zones[a]") {
		t.Errorf("%v, %+v, %v", list, d, err)
	}
}

func ExampleNodeWeights() {
	nodes := []*corev1.Node{node("n1", "a", "8"), node("n2", "b", "3920m"), node("n3", "", "4")}
	w := hints.NodeWeights(nodes, nil)
	fmt.Println(w.Zones, w.Missing)

	hasZone := func(n *corev1.Node) bool { return n.Labels[corev1.LabelTopologyZone] != "" }
	later := hints.NodeWeights(nodes, hasZone)
	fmt.Println(later.Zones, later.Missing, later.Equal(w))
	// Output:
	// map[a:8000 b:3920] [n3]
	// map[a:8000 b:3920] [] false
}

func ExampleModeOf() {
	near := "PreferClose"
	service := &corev1.Service{Spec: corev1.ServiceSpec{TrafficDistribution: &near}}
	fmt.Println(hints.ModeOf(service))

	service.Annotations = map[string]string{"service.kubernetes.io/topology-mode": "Auto"}
	fmt.Println(hints.ModeOf(service))
	// Output:
	// PreferSameZone
	// Auto
}

// Zone a has twice the CPU of zone b.
func ExampleAssign() {
	nodes := []*corev1.Node{node("n1", "a", "8"), node("n2", "b", "4")}
	endpoints := []discoveryv1.Endpoint{
		endpointIn("a", "10.0.0.1"), endpointIn("b", "10.0.0.2"), endpointIn("b", "10.0.0.3"),
	}
	o := hints.Options{Mode: hints.Auto, Weights: hints.NodeWeights(nodes, nil)}
	list, decision, err := hints.Assign(o, endpoints)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(decision)
	for i, h := range list {
		fmt.Println(endpoints[i].Addresses[0], "is for zone", h.ForZones[0].Name)
	}
	// Output:
	// TopologyAwareHintsEnabled: 3 ready endpoints, no zone overloaded by more than 20%
	//   a: weight 8000, 1 ready, 2 hinted
	//   b: weight 4000, 2 ready, 1 hinted
	// 10.0.0.1 is for zone a
	// 10.0.0.2 is for zone a
	// 10.0.0.3 is for zone b
}

// BenchmarkAssign measures the modes that decide over all endpoints: for endpoints that have no
// hints yet, and for endpoints that have them.
func BenchmarkAssign(b *testing.B) {
	_, _, nodes := gen.Pods(0, 1)
	weights := hints.NodeWeights(nodes, nil)
	for name, o := range map[string]hints.Options{
		"auto":  {Mode: hints.Auto, Weights: weights},
		"limit": {Mode: hints.PreferSameZone, Limit: 50, Weights: weights},
	} {
		for _, n := range []int{3, 100, 1000} {
			var endpoints []discoveryv1.Endpoint
			for _, s := range gen.Service(n).Existing {
				endpoints = append(endpoints, s.Endpoints...)
			}
			for _, hinted := range []string{"none", "all"} {
				var list []*discoveryv1.EndpointHints
				b.Run(fmt.Sprintf("mode=%s/endpoints=%d/hinted=%s", name, n, hinted), func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						var err error
						if list, _, err = hints.Assign(o, endpoints); err != nil {
							b.Fatal(err)
						}
					}
				})
				for i := range list {
					endpoints[i].Hints = list[i]
				}
			}
		}
	}
}
