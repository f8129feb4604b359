package slicer_test

import (
	"fmt"
	"slices"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"pgregory.net/rapid"

	check "github.com/slicewright/slicewright/internal/test/check/slices"
	"github.com/slicewright/slicewright/internal/test/given"
	"github.com/slicewright/slicewright/internal/test/sim"
	"github.com/slicewright/slicewright/slicer"
)

// TestMachine runs a controller against an API server through a stale cache, while its Pods come and go and it crashes.
// What must hold is looked up on the server alone: no endpoint that is there and that all plans since the cache's view
// want is ever missing (G6, G12), a plan on the truth leaves nothing to write (G3), and with stable names no view makes
// two plans create for one group.
func TestMachine(t *testing.T) { rapid.Check(t, machineProperty) }

func machineProperty(t *rapid.T) {
	m := newMachine(drawDesired(t))
	t.Repeat(map[string]func(*rapid.T){
		"scale up":       m.scaleUp,
		"scale down":     m.scaleDown,
		"roll":           m.roll,
		"ready":          m.flipReady,
		"re-port":        m.rePort,
		"split ports":    m.splitPorts,
		"resize":         m.resize,
		"others":         m.others,
		"fail over":      func(*rapid.T) { m.failOver() },
		"see a bit":      m.catchUpABit,
		"see a bit more": m.catchUpABit,
		"see all":        func(*rapid.T) { m.cache.CatchUp() },
		"sync":           func(t *rapid.T) { m.sync(t, all) },
		"sync again":     func(t *rapid.T) { m.sync(t, all) },
		"sync and crash": func(t *rapid.T) { m.sync(t, rapid.IntRange(0, 3).Draw(t, "writes")) },
		"converge":       func(t *rapid.T) { m.converge(t) },
	})
	m.converge(t)
}

// TestDeleteOfWhatChanged is a story that the machine hardly ever finds: without the resourceVersion among a delete's
// preconditions, a controller that sees one slice as it was and another as it is would delete the only copy of Pod 2.
func TestDeleteOfWhatChanged(t *testing.T) {
	m := newMachine(desired{
		types: []discoveryv1.AddressType{discoveryv1.AddressTypeIPv4}, port: 80,
		options: slicer.Options{MaxEndpointsPerSlice: 2, NoPlaceholder: true},
	})
	m.want(1)
	m.sync(t, all)
	m.cache.CatchUp() // [1]
	m.want(1, 2, 3)
	m.sync(t, all) // [1] [2 3]
	m.want(1, 2)
	m.sync(t, all) // [1 2] [2 3], made without having seen the second slice
	m.failOver()
	m.cache.CatchUp()
	m.want(1, 2, 3)
	m.sync(t, all) // [1 2] [3]
	m.failOver()
	for _, name := range m.cache.Behind() {
		if s := m.server.Get(name); len(s.Endpoints) == 1 {
			m.cache.Step(name) // seen as [2 3]; the other is still seen as [1]
		}
	}
	m.want(2, 3)
	m.sync(t, all)
	if have := len(m.truth()); have != 3 {
		t.Fatalf("%d endpoints are there, want 1, 2 and 3:\n%s", have, m.describe())
	}
	m.converge(t)
}

// all is a limit on steps that none reaches.
const all = 1 << 30

// run is a plan as far as it was applied.
type run struct {
	wants map[string]bool // pairs
	owner int
	last  int // the server's clock after its last write; 0: it wrote nothing
}

// machine is a server, and a controller of two replicas, each with a cache of its own, of which one is at work.
type machine struct {
	server       *sim.Server
	cache, spare *sim.Cache
	desired      desired
	runs         []run
	created      map[string]int // by view and group: the run that created
}

func newMachine(d desired) *machine {
	server := &sim.Server{}
	return &machine{
		server: server, cache: &sim.Cache{Server: server}, spare: &sim.Cache{Server: server},
		desired: d, created: map[string]int{},
	}
}

// failOver lets the other replica work, with what it has seen so far.
func (m *machine) failOver() { m.cache, m.spare = m.spare, m.cache }

// sync plans on the cache's view and applies at most limit steps.
func (m *machine) sync(t rapid.TB, limit int) {
	in, view := m.desired.input(m.cache.List()), m.cache.View()
	plan, err := check.Compute(in)
	if err != nil {
		t.Fatalf("%v", err)
	}
	wants := m.desired.pairs(given.Skips(plan, slicer.NoRoom))
	common := m.common(wants)
	m.runs = append(m.runs, run{wants: wants, owner: m.desired.owner})
	for i, step := range plan.Steps {
		if i >= limit {
			return
		}
		before := m.truth()
		err := check.Apply(m.server, step)
		switch {
		case err == nil:
			m.runs[len(m.runs)-1].last = m.server.Writes()
			m.checkNames(t, step, view)
		case apierrors.IsAlreadyExists(err):
			m.cache.Catch(step.New.Name) // what a create collides with is there for the next plan
			return
		case apierrors.IsConflict(err), apierrors.IsNotFound(err):
			if len(m.cache.Behind()) == 0 {
				t.Fatalf("step %d on the truth: %v\n%s", i, err, check.Describe(in, plan))
			}
			return
		default:
			t.Fatalf("step %d: %v\n%s", i, err, check.Describe(in, plan))
		}
		after := m.truth()
		for pair := range before {
			if common[pair] && !after[pair] {
				t.Fatalf("G12: step %d lost %s\n%s\ntruth now:\n%s", i, pair, check.Describe(in, plan), m.describe())
			}
		}
	}
}

// checkNames: with stable names no two plans on one view both create for one group. It counts from the last delete on,
// for a name whose slice another plan deleted is free again.
func (m *machine) checkNames(t rapid.TB, step slicer.Step, view string) {
	if step.Verb == slicer.Delete {
		clear(m.created)
	}
	if step.Verb != slicer.Create || m.desired.options.GeneratedNames {
		return
	}
	key := fmt.Sprintln(step.New.AddressType, pairPorts(step.New), view)
	if by, ok := m.created[key]; ok && by != len(m.runs) {
		t.Fatalf("G12: two plans on one view both created for %s", key)
	}
	m.created[key] = len(m.runs)
}

// common is the pairs that the plans want which the cache's view may lack, and the present one; none if one of them was
// made for another owner.
func (m *machine) common(wants map[string]bool) map[string]bool {
	horizon := m.cache.Horizon()
	all := wants
	for _, r := range m.runs {
		if r.last < horizon {
			continue
		}
		if r.owner != m.desired.owner {
			return nil
		}
		all = intersect(all, r.wants)
	}
	return all
}

// converge plans on the truth and checks that this leaves nothing to write.
func (m *machine) converge(t rapid.TB) {
	m.cache.CatchUp()
	m.sync(t, all)
	m.cache.CatchUp()
	in := m.desired.input(m.cache.List())
	if plan, err := check.Compute(in); err != nil {
		t.Fatalf("%v", err)
	} else if !plan.Empty() {
		t.Fatalf("G12: a plan on the truth left something to write\n%s", check.Describe(in, plan))
	}
}

// truth is the pairs that our slices on the server hold, dying ones not counted.
func (m *machine) truth() map[string]bool {
	pairs := map[string]bool{}
	for _, s := range m.server.List() {
		if s.DeletionTimestamp == nil && s.Labels[discoveryv1.LabelManagedBy] == machineManager {
			for i := range s.Endpoints {
				pairs[pairName(s, &s.Endpoints[i])] = true
			}
		}
	}
	return pairs
}

func (m *machine) describe() string {
	text := ""
	for _, s := range m.server.List() {
		text += fmt.Sprintln(s.Name, s.ResourceVersion, s.AddressType, pairNames(s))
	}
	return text
}

func (m *machine) catchUpABit(t *rapid.T) {
	if behind := m.cache.Behind(); len(behind) > 0 {
		name := rapid.SampledFrom(behind).Draw(t, "slice")
		for range rapid.IntRange(1, 2).Draw(t, "states") {
			m.cache.Step(name)
		}
	}
}

// others is what happens less often.
func (m *machine) others(t *rapid.T) {
	action := rapid.SampledFrom([]func(*rapid.T){
		m.relabel, m.nodeLoss, m.annotate, m.occupy, m.recreateOwner, m.terminate, m.recreateOwner,
	}).Draw(t, "action")
	action(t)
}

// annotate is somebody else's annotation on one of our slices.
func (m *machine) annotate(t *rapid.T) {
	list := m.server.List()
	if len(list) == 0 {
		return
	}
	s := rapid.SampledFrom(list).Draw(t, "slice")
	s.Annotations = map[string]string{"changed": fmt.Sprint(m.server.Writes())}
	if _, err := m.server.Update(s); err != nil {
		t.Fatal(err)
	}
}

// occupy is somebody else's slice with a name that ours may have wanted.
func (m *machine) occupy(t *rapid.T) {
	s := &discoveryv1.EndpointSlice{AddressType: discoveryv1.AddressTypeIPv4}
	s.Namespace = machineNamespace
	s.Name = rapid.SampledFrom([]string{"web-ipv4", "web-ipv4-2", "web-ipv6"}).Draw(t, "name")
	if _, err := m.server.Create(s); err != nil && !apierrors.IsAlreadyExists(err) {
		t.Fatal(err)
	}
}

func intersect(a, b map[string]bool) map[string]bool {
	some := map[string]bool{}
	for k := range a {
		if b[k] {
			some[k] = true
		}
	}
	return some
}

func pairNames(s *discoveryv1.EndpointSlice) []string {
	var names []string
	for i := range s.Endpoints {
		names = append(names, pairName(s, &s.Endpoints[i]))
	}
	slices.Sort(names)
	return names
}
