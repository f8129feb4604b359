package slices_test

import (
	"errors"
	"fmt"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	check "github.com/slicewright/slicewright/internal/test/check/slices"
	"github.com/slicewright/slicewright/internal/test/given"
	"github.com/slicewright/slicewright/slicer"
)

// TestChecksFindWrongPlaces has a world of its own for each rule about places and order: the plan
// is good, and what corrupt makes of it is as complete and as cheap, except for the rule.
func TestChecksFindWrongPlaces(t *testing.T) {
	for _, c := range packings {
		t.Run(c.guarantee+" "+c.why, func(t *testing.T) {
			p := plan(t, c.in)
			if err := check.Plan(c.in, p); err != nil {
				t.Fatalf("the plan is good: %v", err)
			}
			c.corrupt(&p)
			if err := check.Plan(c.in, p); check.Breaks(err, c.guarantee) == c.allowed {
				t.Errorf("noticed: %v", err)
			}
		})
	}
}

var packings = []struct {
	guarantee, why string
	in             given.World
	corrupt        func(p *slicer.Plan)
	allowed        bool // what corrupt does is no fault
}{
	{
		guarantee: "G4", why: "one write more leaves no fewer slices, a create where a clean slice has room",
		in: world(3, wants{80: {1, 2}}, at("a", "1", 80, 1)),
		corrupt: func(p *slicer.Plan) {
			s := update(p, "a")
			s.New.Endpoints = s.New.Endpoints[1:]
			s.New.Name, s.New.UID, s.New.ResourceVersion, s.New.GenerateName = "", "", "", "web-"
			p.Unchanged = append(p.Unchanged, s.Old)
			s.Verb, s.Old = slicer.Create, nil
		},
	},
	{
		guarantee: "G5", why: "a slice whose ports are gone takes those that most of its endpoints want now",
		in:      world(3, wants{81: {1, 2}, 82: {3}}, at("a", "1", 80, 1, 2, 3), at("b", "2", 83)),
		corrupt: func(p *slicer.Plan) { swap(update(p, "a").New, update(p, "b").New) },
	},
	{
		guarantee: "G5", why: "the newest copy is the home",
		in: world(2, wants{80: {1, 2, 3}}, at("a", "1", 80, 1, 2), at("b", "2", 80, 2, 3)),
		corrupt: func(p *slicer.Plan) {
			a, b := update(p, "a").Old, p.Unchanged[0]
			p.Unchanged[0], p.Steps[0].Old, p.Steps[0].New = a, b, b.DeepCopy()
			p.Steps[0].New.Endpoints = p.Steps[0].New.Endpoints[1:]
		},
	},
	{
		guarantee: "G6", why: "an endpoint leaves home only after its new slice was written, which holds a copy " +
			"already",
		in:      world(2, wants{80: {1, 2, 3, 4}}, at("a", "2", 80, 1, 2, 3, 50), at("b", "1", 80, 3, 4, 51)),
		corrupt: func(p *slicer.Plan) { p.Steps[0], p.Steps[1] = p.Steps[1], p.Steps[0] },
	},
	{
		guarantee: "G6", why: "a ready copy goes only after the home is ready, too",
		in:      world(3, wants{80: {1, 2}}, unready(at("a", "2", 80, 1)), at("b", "1", 80, 1, 2)),
		corrupt: func(p *slicer.Plan) { p.Steps[0], p.Steps[1] = p.Steps[1], p.Steps[0] },
	},
	{
		guarantee: "G6", why: "an endpoint that changes ports is on old or new ones",
		in:      world(3, wants{80: {1}, 81: {2, 3}}, at("a", "1", 80, 1, 2), at("b", "2", 81, 3)),
		corrupt: func(p *slicer.Plan) { p.Steps[0], p.Steps[1] = p.Steps[1], p.Steps[0] },
	},
	{
		guarantee: "G6", why: "slices that wait for each other come in any order", allowed: true,
		in:      world(2, wants{80: {1, 4}, 81: {2, 3}}, at("a", "1", 80, 1, 2), at("b", "2", 81, 3, 4)),
		corrupt: func(p *slicer.Plan) { p.Steps[0], p.Steps[1] = p.Steps[1], p.Steps[0] },
	},
	{
		guarantee: "G12", why: "a stable name has the lowest free ordinal",
		in:      stable(world(1, wants{80: {1, 2}}, at("web-x-ipv4", "1", 80, 1))),
		corrupt: func(p *slicer.Plan) { p.Steps[0].New.Name = "web-ipv4-3" },
	},
	{
		guarantee: "G6", why: "what is published and wanted is unplaced while the parent is terminating",
		in:      terminating(world(2, wants{80: {1, 2, 3}}, at("a", "1", 80, 1, 2, 3, 50))),
		corrupt: func(p *slicer.Plan) { unplace(p, "a") },
	},
}

type wants map[int32][]int

func world(most int, w wants, existing ...*discoveryv1.EndpointSlice) given.World {
	in := given.World{Existing: existing}
	in.Set = slicer.Set{Namespace: "ns", Name: "web", ManagedBy: "test", Owners: everything().Set.Owners}
	in.Options.MaxEndpointsPerSlice, in.Options.GeneratedNames = most, true
	for port, list := range w {
		g := slicer.Group{AddressType: discoveryv1.AddressTypeIPv4, Ports: ports(port)}
		for _, i := range list {
			g.Endpoints = append(g.Endpoints, endpoint(i))
		}
		in.Groups = append(in.Groups, g)
	}
	return in
}

func terminating(in given.World) given.World {
	in.Set.Terminating = true
	return in
}

// unplace takes the last endpoint off a slice that is written, although it is at home there.
func unplace(p *slicer.Plan, name string) {
	s := update(p, name)
	last := len(s.New.Endpoints) - 1
	p.Skips = append(p.Skips, slicer.Skip{Reason: slicer.NoRoom, Err: errors.New("full"),
		AddressType: s.New.AddressType, Path: fmt.Sprintf("groups[0].endpoints[%d]", last)})
	s.New.Endpoints = s.New.Endpoints[:last]
	s.Reasons = append(s.Reasons, slicer.OversizeSplit)
}

func stable(in given.World) given.World {
	in.Options.GeneratedNames = false
	return in
}

func at(name, version string, port int32, list ...int) *discoveryv1.EndpointSlice {
	s := slice(name, version)
	s.Ports = ports(port)
	for _, i := range list {
		s.Endpoints = append(s.Endpoints, endpoint(i))
	}
	return s
}

// unready makes a slice say that its endpoints are not ready.
func unready(s *discoveryv1.EndpointSlice) *discoveryv1.EndpointSlice {
	for i := range s.Endpoints {
		*s.Endpoints[i].Conditions.Ready = false
	}
	return s
}

// give moves an endpoint from one new object to another.
func give(p *slicer.Plan, from, to string, i int) {
	a, b := update(p, from).New, update(p, to).New
	for j, e := range a.Endpoints {
		if e.Addresses[0] == endpoint(i).Addresses[0] {
			a.Endpoints = append(a.Endpoints[:j], a.Endpoints[j+1:]...)
			b.Endpoints = append(b.Endpoints, e)
		}
	}
	order(a, b)
}

// swap exchanges what two new objects serve.
func swap(a, b *discoveryv1.EndpointSlice) {
	a.Ports, b.Ports = b.Ports, a.Ports
	a.Endpoints, b.Endpoints = b.Endpoints, a.Endpoints
}

// TestChecksFindSharedMemory lets new objects share memory in all ways there are (G8).
func TestChecksFindSharedMemory(t *testing.T) {
	for why, corrupt := range map[string]func(in *given.World, p *slicer.Plan){
		"labels of the set": func(in *given.World, p *slicer.Plan) {
			in.Set.Labels = map[string]string{}
			update(p, "full").New.Labels = in.Set.Labels
		},
		"labels of another new object": func(_ *given.World, p *slicer.Plan) {
			update(p, "full").New.Labels = update(p, "roomy").New.Labels
		},
		"endpoints of the old object": func(_ *given.World, p *slicer.Plan) {
			update(p, "full").New.Endpoints = update(p, "full").Old.Endpoints[:1:1]
		},
		"a condition of the wanted endpoint": func(in *given.World, p *slicer.Plan) {
			update(p, "full").New.Endpoints[0].Conditions.Ready = in.Groups[0].Endpoints[0].Conditions.Ready
		},
		"one condition of two endpoints": func(_ *given.World, p *slicer.Plan) {
			e := update(p, "full").New.Endpoints
			e[0].Conditions.Ready = e[1].Conditions.Ready
		},
		"addresses with room that is another's": func(_ *given.World, p *slicer.Plan) {
			e, both := update(p, "full").New.Endpoints, []string{"10.0.0.1", "10.0.0.2"}
			e[0].Addresses, e[1].Addresses = both[:1], both[1:]
		},
		"the Skips of the input": func(in *given.World, p *slicer.Plan) {
			in.Skips = []slicer.Skip{{Reason: "NoAddress"}}
			p.Skips = in.Skips
		},
	} {
		in := everything()
		p := plan(t, in)
		if err := check.Memory(in, p); err != nil {
			t.Fatal(err)
		}
		corrupt(&in, &p)
		if err := check.Memory(in, p); !check.Breaks(err, "G8") {
			t.Errorf("%s: not noticed", why)
		}
	}
	in := everything()
	if p := plan(t, in); !check.Breaks(check.Memory(in, p, p), "G8") {
		t.Error("two plans with one object: not noticed")
	}
}
