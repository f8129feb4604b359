package mcs_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/test/check"
	"github.com/slicewright/slicewright/mirror/mcs"
)

func ptr[T any](v T) *T { return &v }

func chance(t *rapid.T, n int, label string) bool {
	return rapid.IntRange(0, n-1).Draw(t, label) == n-1
}

func pick[E any](t *rapid.T, label string, from ...E) E {
	return from[rapid.IntRange(0, len(from)-1).Draw(t, label)]
}

// export is a cluster's export, made a number of seconds after others.
func export(cluster string, seconds int64, ports ...corev1.ServicePort) mcs.Export {
	return mcs.Export{Cluster: cluster, CreationTimestamp: time.Unix(seconds, 0), Spec: corev1.ServiceSpec{Ports: ports}}
}

func tcp(name string, number int32) corev1.ServicePort {
	return corev1.ServicePort{Name: name, Port: number, Protocol: corev1.ProtocolTCP}
}

func udp(name string, number int32) corev1.ServicePort {
	return corev1.ServicePort{Name: name, Port: number, Protocol: corev1.ProtocolUDP}
}

func showPorts(ports []corev1.ServicePort) []string {
	list := []string{}
	for _, p := range ports {
		list = append(list, endpoint.Port{Name: p.Name, Protocol: p.Protocol, Number: int64(p.Port)}.String())
	}
	return list
}

func drawExports(t *rapid.T, unnamed bool) []mcs.Export {
	var exports []mcs.Export
	for _, cluster := range []string{"a", "b", "c", "d"}[:rapid.IntRange(0, 4).Draw(t, "exports")] {
		e := export(cluster, int64(rapid.IntRange(1, 3).Draw(t, "created")))
		for range rapid.IntRange(0, 4).Draw(t, "ports") {
			p := pick(t, "port", tcp, udp)(pick(t, "name", "http", "https", "dns"),
				pick(t, "number", int32(80), 81, 443))
			if unnamed {
				p.Name = pick(t, "name", "", "http", "Bad_Name")
				p.Port = pick(t, "number", int32(80), 81, 0, 65536)
			}
			if chance(t, 4, "app") {
				p.AppProtocol = ptr(pick(t, "which", "a/b", "", "c"))
			}
			p.NodePort = pick(t, "node port", int32(0), 30080) // the cluster's own
			e.Spec.Ports = append(e.Spec.Ports, p)
		}
		if unnamed {
			e.Spec.SessionAffinity = pick(t, "affinity", "", corev1.ServiceAffinityClientIP)
			readSpec(&e.Spec, pick(t, "field", "", "timeout=10", "policy=Local", "distribution=PreferSameZone"))
		}
		e.Spec.IPFamilies = pick(t, "families", nil, []corev1.IPFamily{"IPv4"}, []corev1.IPFamily{"IPv6"},
			[]corev1.IPFamily{"IPv4", "IPv6"},
			[]corev1.IPFamily{"IPv6", "IPv4", "IPv6"}, []corev1.IPFamily{"IPv8"})
		exports = append(exports, e)
	}
	return exports
}

// TestExportsInAnyOrder: the order of the exports makes no difference, and nothing is changed or
// shared. Which ports and fields win is said by the scenario exports.
func TestExportsInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		exports := drawExports(t, chance(t, 2, "unnamed"))
		before, reversed := slices.Clone(exports), slices.Clone(exports)
		for i := range before {
			before[i].Spec = *exports[i].Spec.DeepCopy()
		}
		slices.Reverse(reversed)
		merged, err := mcs.MergeExports(exports)
		if err != nil {
			t.Fatal(err)
		}
		again, _ := mcs.MergeExports(reversed)
		if d := cmp.Diff(merged, again) + cmp.Diff(before, exports); d != "" {
			t.Fatalf("in reversed order, or the exports changed:\n%s", d)
		}
		if a, b, shared := check.Shared(check.Memories{Owner: "the exports", Of: &exports},
			check.Memories{Owner: "the result", Of: &merged}); shared {
			t.Fatalf("%s and %s share memory", a, b)
		}
	})
}

// TestClientIPWithoutTimeout: an export that says nothing about the timeout of ClientIP has the API
// server's default, however it says nothing, and disagrees with one that has another timeout.
func TestClientIPWithoutTimeout(t *testing.T) {
	hours := func(n int32) *corev1.SessionAffinityConfig {
		seconds := n * 3600
		return &corev1.SessionAffinityConfig{ClientIP: &corev1.ClientIPConfig{TimeoutSeconds: &seconds}}
	}
	for _, config := range []*corev1.SessionAffinityConfig{nil, {}, {ClientIP: &corev1.ClientIPConfig{}}} {
		for other, conflicts := range map[*corev1.SessionAffinityConfig]int{hours(3): 0, hours(1): 1} {
			a, b := export("a", 1, tcp("http", 80)), export("b", 2, tcp("http", 80))
			a.Spec.SessionAffinity = corev1.ServiceAffinityClientIP
			b.Spec.SessionAffinity = corev1.ServiceAffinityClientIP
			a.Spec.SessionAffinityConfig, b.Spec.SessionAffinityConfig = config, other
			merged, err := mcs.MergeExports([]mcs.Export{a, b})
			if err != nil || *merged.Spec.SessionAffinityConfig.ClientIP.TimeoutSeconds != 10800 ||
				len(merged.Conflicts) != conflicts {
				t.Errorf("%v and %v: %v, error %v", config, other, merged, err)
			}
		}
	}
}

// TestManyPortsThatAnExportDoesNotHave: the message names twenty of them, and says how many more
// there are.
func TestManyPortsThatAnExportDoesNotHave(t *testing.T) {
	for n, want := range map[int]string{20: "p19:20", 21: "1 more", 50: "30 more"} {
		all := export("a", 1)
		for i := range n {
			all.Spec.Ports = append(all.Spec.Ports, tcp(fmt.Sprint("p", i), int32(1+i)))
		}
		merged, err := mcs.MergeExports([]mcs.Export{all, export("b", 2, tcp("z", 80))})
		if err != nil {
			t.Fatal(err)
		}
		got, want := merged.Conflicts[1].Message, "; does not have "+want
		if !strings.HasSuffix(got, want) || strings.Count(got, ";") > 20 {
			t.Errorf("%d ports: %s", n, got)
		}
	}
}
