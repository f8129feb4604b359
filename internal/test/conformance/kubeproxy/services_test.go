package kubeproxy

import (
	"fmt"
	"io"
	"log"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/kubernetes/pkg/proxy"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/dedup/routing"
	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/internal/test/nightly"
)

// TestServicesBesideKubeProxy draws Services and slices, and gives them to kube-proxy's own
// trackers, once for each family, and to ForProxy, of a list and of an Index. They have the same
// ports in the same families, with the same endpoints. SLICEWRIGHT_CASES says how many are drawn,
// 5000 without it, and SLICEWRIGHT_SEED which.
func TestServicesBesideKubeProxy(t *testing.T) {
	cases, seed := nightly.Cases(t, 5000), nightly.Seed(t, 3)
	rules := 0
	for n := range cases {
		svc, list := gen.Served(rand.New(rand.NewPCG(uint64(seed), uint64(n))))
		var index dedup.Index
		for _, slice := range list {
			index.Handle(nil, slice)
			index.Flush()
		}
		theirs := ruled(svc, list)
		for call, view := range map[string]dedup.View{"Merge": dedup.Merge(list, dedup.Options{}), "Index": index.View()} {
			ours := rulesOf(view.ForProxy(svc), theirs)
			if !maps.Equal(ours, theirs) {
				t.Fatalf("SLICEWRIGHT_SEED=%d, case %d: by %s\n%s\nby kube-proxy\n%s", seed, n, call, sorted(ours),
					sorted(theirs))
			}
		}
		rules += len(theirs)
	}
	if rules < cases/2 {
		t.Errorf("%d rules of %d Services: the draw tests too little", rules, cases)
	}
}

// README's reader as it is printed.

// Endpoints returns where a proxy sends traffic for a port of a Service.
func Endpoints(svc *corev1.Service, list []*discoveryv1.EndpointSlice, port string, at routing.Location) []dedup.Endpoint {
	view := dedup.Merge(list, dedup.Options{})
	if w := view.Warnings(); len(w) > 0 {
		log.Print(w) // mistakes in slices; everything else is used
	}
	p, _ := view.ForProxy(svc).Port(port) // if p has no endpoints, Unused of ForProxy says why
	return routing.Route(p.Endpoints, at, routing.Internal(svc))
}

// TestReadmeReader compares README's reader with kube-proxy's own trackers, for each port of drawn
// Services. It is the program that the README prints. SLICEWRIGHT_CASES says how many are drawn,
// 5000 without it.
func TestReadmeReader(t *testing.T) {
	readme, err := os.ReadFile("../../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	own, err := os.ReadFile("services_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, printed, _ := strings.Cut(string(readme), "## Read slices\n\n```go\n")
	if printed, _, _ = strings.Cut(printed, "```"); printed == "" || !strings.Contains(string(own), printed) {
		t.Fatalf("the README prints another program:\n%s", printed)
	}
	log.SetOutput(io.Discard)
	cases, seed := nightly.Cases(t, 5000), nightly.Seed(t, 4)
	used := 0
	for n := range cases {
		r := rand.New(rand.NewPCG(uint64(seed), uint64(n)))
		svc, list := gen.Served(r)
		at := routing.Location{NodeName: "node-1", Zone: "zone-" + strconv.Itoa(r.IntN(3))}
		for _, port := range svc.Spec.Ports {
			ours, theirs := addresses(Endpoints(svc, list, port.Name, at)), routed(svc, list, port.Name, at)
			if ours != theirs {
				t.Fatalf("SLICEWRIGHT_SEED=%d, case %d, port %q: %s, by kube-proxy %s", seed, n, port.Name, ours,
					theirs)
			}
			if ours != "[]" {
				used++
			}
		}
	}
	if used < cases/5 {
		t.Errorf("%d ports of %d Services have endpoints: the draw tests too little", used, cases)
	}
}

// routed are the endpoints to which kube-proxy on a node sends the traffic of the cluster IP, on
// one port.
func routed(svc *corev1.Service, list []*discoveryv1.EndpointSlice, port string, at routing.Location) string {
	var used []proxy.Endpoint
	selectedService, list := selected(svc, list)
	for family := range families {
		services, endpoints := proxy.ServicePortMap{}, proxy.EndpointsMap{}
		changed := proxy.NewServiceChangeTracker(family, nil, nil)
		changed.Update(nil, selectedService)
		services.Update(changed)
		tracker := proxy.NewEndpointsChangeTracker(family, at.NodeName, nil, nil)
		for _, s := range list {
			tracker.EndpointSliceUpdate(s, false)
		}
		endpoints.Update(tracker)
		for name, service := range services {
			if name.Port != port {
				continue
			}
			cluster, local, _, _ := proxy.CategorizeEndpoints(endpoints[name], service, at.NodeName,
				map[string]string{corev1.LabelTopologyZone: at.Zone})
			if service.InternalPolicyLocal() {
				cluster = local
			}
			used = append(used, cluster...)
		}
	}
	return addresses(used)
}

// selected returns what kube-proxy's informers select, by the selectors that cmd/kube-proxy has
// since 1.36. The Service is nil if it is not selected.
func selected(svc *corev1.Service, list []*discoveryv1.EndpointSlice) (*corev1.Service, []*discoveryv1.EndpointSlice) {
	if _, claimed := svc.Labels["service.kubernetes.io/service-proxy-name"]; claimed ||
		svc.Spec.ClusterIP == corev1.ClusterIPNone {
		svc = nil
	}
	return svc, slices.DeleteFunc(slices.Clone(list), func(s *discoveryv1.EndpointSlice) bool {
		_, headless := s.Labels[corev1.IsHeadlessService]
		return headless
	})
}

// ruled are the rules that kube-proxy makes for a Service: endpoints, by family, port and protocol.
func ruled(svc *corev1.Service, list []*discoveryv1.EndpointSlice) map[string]string {
	rules := map[string]string{}
	svc, list = selected(svc, list)
	for family := range families {
		services, endpoints := proxy.ServicePortMap{}, proxy.EndpointsMap{}
		changed := proxy.NewServiceChangeTracker(family, nil, nil)
		changed.Update(nil, svc)
		services.Update(changed)
		tracker := proxy.NewEndpointsChangeTracker(family, "node-1", nil, nil)
		for _, s := range list {
			tracker.EndpointSliceUpdate(s, false)
		}
		endpoints.Update(tracker)
		for name := range services {
			var texts []string
			for _, e := range endpoints[name] {
				texts = append(texts, e.String())
			}
			slices.Sort(texts)
			rules[fmt.Sprint(family, " ", name.Port, "/", name.Protocol)] = strings.Join(texts, " ")
		}
	}
	return rules
}

// rulesOf are the rules that a reader makes of a Service: for each port and family, even without
// endpoints. Which families those are, the rules of kube-proxy say: a family that it has no rules
// for may have no endpoints.
func rulesOf(s dedup.Service, theirs map[string]string) map[string]string {
	rules := map[string]string{}
	for _, p := range s.Ports {
		texts := map[discoveryv1.AddressType][]string{}
		for _, e := range p.Endpoints {
			family := discoveryv1.AddressTypeIPv4
			if e.Address.Is6() {
				family = discoveryv1.AddressTypeIPv6
			}
			texts[family] = append(texts[family], e.String())
		}
		for _, family := range families {
			rule := fmt.Sprint(family, " ", p.Port.Name, "/", p.Port.Protocol)
			slices.Sort(texts[family])
			if _, has := theirs[rule]; has || texts[family] != nil {
				rules[rule] = strings.Join(texts[family], " ")
			}
		}
	}
	return rules
}

func sorted(rules map[string]string) string {
	var lines []string
	for rule, endpoints := range rules {
		lines = append(lines, rule+": "+endpoints)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
