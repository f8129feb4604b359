package timeline

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// TestAbsences carries out drawn steps one by one and looks, after each step, on which ports slices
// hold each endpoint. Absences lists the same.
func TestAbsences(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	met := 0
	for range 10_000 {
		steps, kept := drawSteps(r)
		var got []string
		for _, a := range Absences(steps, kept) {
			ports := a.Ports
			if ports == nil {
				ports = []string{"none"}
			}
			for _, port := range ports {
				got = append(got, fmt.Sprint(a.Endpoint.Addresses[0], " ", port, " ", a.After, " ", a.Until))
			}
		}
		slices.Sort(got)
		want := absencesByState(steps, kept)
		if !slices.Equal(got, want) {
			t.Fatalf("steps %v, kept %v: %q, want %q", steps, kept, got, want)
		}
		met += len(want)
	}
	if met < 1000 {
		t.Errorf("only %d absences were drawn", met)
	}
}

// absencesByState is the slow reference: an endpoint is absent on a port from the first step after
// which no slice has it there until the step that brings it back, if slices have it there at first
// and at last.
func absencesByState(steps []Step, kept []*discoveryv1.EndpointSlice) []string {
	states := make([]map[string]bool, len(steps)+1)
	for done := range states {
		states[done] = map[string]bool{}
		now := slices.Clone(kept)
		for i, step := range steps {
			if i < done {
				now = append(now, step.New)
			} else {
				now = append(now, step.Old)
			}
		}
		for _, s := range now {
			if s == nil {
				continue
			}
			for _, e := range s.Endpoints {
				if len(s.Ports) == 0 {
					states[done][e.Addresses[0]+" none"] = true
				}
				for _, p := range s.Ports {
					states[done][e.Addresses[0]+" "+*p.Name] = true
				}
			}
		}
	}
	var list []string
	for there := range states[0] {
		if !states[len(steps)][there] {
			continue
		}
		first := slices.IndexFunc(states, func(state map[string]bool) bool { return !state[there] })
		if first < 0 {
			continue
		}
		last := len(states) - 1
		for states[last][there] {
			last--
		}
		list = append(list, fmt.Sprint(there, " ", first, " ", last+1))
	}
	slices.Sort(list)
	return list
}

// drawSteps draws steps as plans have them: no slice that is written holds an endpoint in between
// that it holds neither before nor after its step.
func drawSteps(r *rand.Rand) (steps []Step, kept []*discoveryv1.EndpointSlice) {
	draw := func() *discoveryv1.EndpointSlice {
		if r.IntN(6) == 0 {
			return nil
		}
		var addresses []string
		for _, a := range []string{"10.0.0.1", "10.0.0.2", "10.0.0.3"} {
			if r.IntN(3) == 0 {
				addresses = append(addresses, a)
			}
		}
		s := slice([][]string{nil, {"http"}, {"http", "dns"}}[r.IntN(3)]...)
		for _, a := range addresses {
			s.Endpoints = append(s.Endpoints, discoveryv1.Endpoint{Addresses: []string{a}})
		}
		return s
	}
	for range r.IntN(5) {
		steps = append(steps, Step{draw(), draw()})
	}
	if r.IntN(3) == 0 {
		kept = append(kept, draw())
	}
	return steps, kept
}

func slice(ports ...string) *discoveryv1.EndpointSlice {
	s := &discoveryv1.EndpointSlice{AddressType: discoveryv1.AddressTypeIPv4}
	for i := range ports {
		s.Ports = append(s.Ports, discoveryv1.EndpointPort{Name: &ports[i]})
	}
	return s
}
