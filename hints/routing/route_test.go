package routing_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/hints/routing"
	"github.com/slicewright/slicewright/internal/test/scenario"
)

// TestRouteScenarios runs the scenarios in testdata/route. The commands:
//
//	endpoints    in the block, those of one service port, a line for each slice
//	route zone=a node=n1 internal-local external external-local ignore-hints prefer-zone any-family no-vote=10.0.0.1+10.0.0.2
//
// TestRouteOracle checks routes against kube-proxy's rules, written down once more.
func TestRouteScenarios(t *testing.T) {
	block := func(command string) bool { return command == "endpoints" }
	scenario.Run(t, "../../testdata/route/*.txt", func() scenario.Handler { return new(routeHandler).handle }, block)
}

type routeHandler struct{ endpoints []discoveryv1.Endpoint }

func (s *routeHandler) handle(c scenario.Command) (string, error) {
	switch c.Name {
	case "endpoints":
		s.endpoints = nil
		for _, line := range c.Block {
			list, err := scenario.ParseEndpoints(line, "default")
			if err != nil {
				return "", err
			}
			s.endpoints = append(s.endpoints, list...)
		}
		return "", nil
	case "route":
		return s.route(c.Args)
	}
	return "", fmt.Errorf("unknown command %s", c.Name)
}

func (s *routeHandler) route(words []string) (string, error) {
	var at routing.Location
	var policy routing.Policy
	var silent []string
	err := scenario.Words(&policy, words, map[string]func(p *routing.Policy, key, value string){
		"zone":           func(_ *routing.Policy, _, value string) { at.Zone = value },
		"node":           func(_ *routing.Policy, _, value string) { at.NodeName = value },
		"no-vote":        func(_ *routing.Policy, _, value string) { silent = strings.Split(value, "+") },
		"internal-local": func(p *routing.Policy, _, _ string) { p.InternalLocal = true },
		"external":       func(p *routing.Policy, _, _ string) { p.External = true },
		"external-local": func(p *routing.Policy, _, _ string) { p.ExternalLocal = true },
		"prefer-zone":    func(p *routing.Policy, _, _ string) { p.PreferZone = true },
		"any-family":     func(p *routing.Policy, _, _ string) { p.AnyFamily = true },
		"ignore-hints":   func(p *routing.Policy, _, _ string) { p.IgnoreHints = true },
	})
	if err != nil {
		return "", err
	}
	list := make([]string, len(s.endpoints))
	candidates := map[string]routing.Candidate{}
	for i := range s.endpoints {
		list[i] = s.endpoints[i].Addresses[0]
		family := discoveryv1.AddressTypeIPv4
		if strings.Contains(list[i], ":") {
			family = discoveryv1.AddressTypeIPv6
		}
		c := routing.CandidatesOf(family)(&s.endpoints[i])
		c.NoVote = slices.Contains(silent, list[i])
		candidates[list[i]] = c
	}
	r := routing.Route(list, func(name string) routing.Candidate { return candidates[name] }, at, policy)
	text := ""
	for _, f := range r.Families {
		text += familyText(list, candidates, policy, r, f)
	}
	return text, nil
}

// familyText prints what was decided for a family; its name only if there are others.
func familyText(list []string, candidates map[string]routing.Candidate, p routing.Policy, r routing.Routes[string], f routing.Family) string {
	of := func(list []string) string {
		return names(keep(list, func(name string) bool { return p.AnyFamily || candidates[name].AddressType == f.AddressType }))
	}
	text := ""
	if len(r.Families) > 1 {
		text = string(f.AddressType) + ": "
	}
	text += fmt.Sprintf("cluster %s | %s", of(r.Cluster), cmp.Or(f.Scope, "-"))
	for _, kind := range []struct {
		name    string
		reason  routing.HintUse
		missing int
	}{{"node", f.NodeHints, f.NodeMissing}, {"zone", f.ZoneHints, f.ZoneMissing}} {
		text += fmt.Sprintf(", %s %s", kind.name, cmp.Or(kind.reason, "-"))
		if kind.missing >= 0 {
			text += " at " + list[kind.missing]
		}
	}
	text += "\n"
	if p.InternalLocal || p.ExternalLocal {
		text += "local " + of(r.Local)
		if f.LocalDraining {
			text += " draining"
		}
		text += fmt.Sprintf(" | all %s\n", of(r.All))
	}
	if f.Scope == routing.ScopeNone {
		text += "unreachable\n"
	}
	return text
}

func names(list []string) string {
	if list == nil {
		return "-"
	}
	return strings.Join(list, " ")
}

func TestPolicyOf(t *testing.T) {
	local, cluster := corev1.ServiceInternalTrafficPolicyLocal, corev1.ServiceInternalTrafficPolicyCluster
	for _, row := range []struct {
		why  string
		spec corev1.ServiceSpec
		want routing.Policy
	}{
		{"nothing said", corev1.ServiceSpec{}, routing.Policy{}},
		{"said the default", corev1.ServiceSpec{InternalTrafficPolicy: &cluster, ExternalTrafficPolicy: "Cluster", Type: "ClusterIP"}, routing.Policy{}},
		{"internal", corev1.ServiceSpec{InternalTrafficPolicy: &local}, routing.Policy{InternalLocal: true}},
		{"a node port is reached from outside", corev1.ServiceSpec{Type: "NodePort", ExternalTrafficPolicy: "Local"},
			routing.Policy{External: true, ExternalLocal: true}},
		{"so is a load balancer", corev1.ServiceSpec{Type: "LoadBalancer"}, routing.Policy{External: true}},
		{"and any type with external IPs", corev1.ServiceSpec{Type: "ClusterIP", ExternalIPs: []string{"192.0.2.1"}}, routing.Policy{External: true}},
	} {
		if got := routing.PolicyOf(&corev1.Service{Spec: row.spec}); got != row.want {
			t.Errorf("%s: got %+v, want %+v", row.why, got, row.want)
		}
	}
	if got := routing.PolicyOf(nil); got != (routing.Policy{}) {
		t.Errorf("nil: got %+v", got)
	}
	if c := routing.CandidatesOf("IPv6")(nil); c.State.Ready || c.ForZones != nil || c.AddressType != "IPv6" {
		t.Errorf("nil: got %+v", c)
	}
}

// TestNilCandidate: without a function that reads endpoints, calls panic with a text that says so.
func TestNilCandidate(t *testing.T) {
	for name, call := range map[string]func(){
		"Route":    func() { routing.Route([]int{1}, nil, routing.Location{}, routing.Policy{}) },
		"Failover": func() { routing.Failover([]int(nil), nil, routing.Location{}, routing.Policy{}) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if text, _ := recover().(string); !strings.Contains(text, "candidate function is nil") {
					t.Errorf("a nil candidate function: %q", text)
				}
			}()
			call()
		})
	}
}

// TestManyFamilies: however many address types there are, each is decided alone, wherever its endpoints stand in the list.
func TestManyFamilies(t *testing.T) {
	all := make([]int, 40)
	for i := range all {
		all[i] = i
	}
	routes := routing.Route(all, func(i int) routing.Candidate {
		ready := i >= 20 || i == 7
		return routing.Candidate{AddressType: discoveryv1.AddressType(fmt.Sprint(i % 20)), State: conditions.State{Ready: ready, Serving: true, Terminating: !ready}}
	}, routing.Location{}, routing.Policy{})
	if want := append([]int{7}, all[20:]...); len(routes.Families) != 20 || !slices.Equal(routes.Cluster, want) {
		t.Errorf("%d families, and the endpoints %v", len(routes.Families), routes.Cluster)
	}
}
