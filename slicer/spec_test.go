package slicer_test

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"

	check "github.com/slicewright/slicewright/internal/test/check/slices"
	"github.com/slicewright/slicewright/internal/test/given"
	"github.com/slicewright/slicewright/internal/test/scenario"
	"github.com/slicewright/slicewright/slicer"
)

// The tests of this file pin what the Kubernetes documentation says about EndpointSlices, one sentence each, by the
// numbers S1 to S15 of testdata/spec.md. Where the package deviates, the test says by which number of the package
// comment. S16 to S19 are package conditions', S20 to S24 hints', S25 to S28 mirror's.

// input reads a world in the notation of the scenario files.
func input(t *testing.T, world string) given.World {
	t.Helper()
	in, err := scenario.Input(world)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// planned computes with all checks.
func planned(t *testing.T, in given.World) slicer.Plan {
	t.Helper()
	plan, err := check.Compute(in)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// expect compares the lines of the plan for a world, except for the total, with those given.
func expect(t *testing.T, world string, lines ...string) slicer.Plan {
	t.Helper()
	plan := planned(t, input(t, world))
	got := strings.Split(strings.TrimSpace(plan.String()), "\n")
	got = got[:len(got)-1]
	if strings.Join(got, "\n") != strings.Join(lines, "\n") {
		t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(lines, "\n\t"))
	}
	return plan
}

func TestS1MaximumIs100AndUpTo1000(t *testing.T) {
	expect(t, "want\nhttp:80 | 10.0.0.1..101",
		"create web-* ipv4 http:80: +10.0.0.1..100 (EndpointsAdded)",
		"create web-* ipv4 http:80: +10.0.0.101 (EndpointsAdded)")
	expect(t, "options max=1000\nwant\nhttp:80 | 10.0.0.1..10.0.3.232",
		"create web-* ipv4 http:80: +10.0.0.1..10.0.3.232 (EndpointsAdded)")
	if plan, err := input(t, "options max=1001\nwant\nhttp:80 | 10.0.0.1").Compute(); err == nil {
		t.Errorf("a maximum of 1001 is taken:\n%s", plan)
	}
}

func TestS2ManyPodsFewSlices(t *testing.T) {
	expect(t, "want\nhttp:80 | 10.0.0.1..250",
		"create web-* ipv4 http:80: +10.0.0.1..100 (EndpointsAdded)",
		"create web-* ipv4 http:80: +10.0.0.101..200 (EndpointsAdded)",
		"create web-* ipv4 http:80: +10.0.0.201..250 (EndpointsAdded)")
	in := input(t, "options stable-names\nwant\nhttp:80 | 10.0.0.1..10.0.3.232")
	if in.Existing = planned(t, in).After(); len(in.Existing) != 10 {
		t.Errorf("1000 Pods make %d slices", len(in.Existing))
	}
	if plan := planned(t, in); !plan.Empty() || len(plan.Unchanged) != 10 {
		t.Errorf("a reconcile of 10 slices that are right:\n%s", plan)
	}
}

func TestS3GroupedByServiceFamilyAndPorts(t *testing.T) {
	expect(t, `
slices
other service=db | http:8080 | 10.0.0.9

want
http:8080 | 10.0.0.1 fd00::1
http:9090 | 10.0.0.2`,
		"create web-* ipv4 http:8080: +10.0.0.1 (EndpointsAdded)",
		"create web-* ipv4 http:9090: +10.0.0.2 (EndpointsAdded)",
		"create web-* ipv6 http:8080: +fd00::1 (EndpointsAdded)")
}

func TestS4PortsOncePerSlice(t *testing.T) {
	plan := expect(t, "want\ndns:53/udp,web:443(kubernetes.io/h2c),any:*,sctp:9/sctp | 10.0.0.1",
		"create web-* ipv4 any:*,dns:53/udp,sctp:9/sctp,web:443(kubernetes.io/h2c): +10.0.0.1 (EndpointsAdded)")
	for _, p := range plan.Steps[0].New.Ports {
		if p.Name == nil || p.Protocol == nil {
			t.Errorf("port %+v leaves name or protocol to the API server", p)
		}
		if (*p.Name == "any") != (p.Port == nil) {
			t.Errorf("port %s has number %v", *p.Name, p.Port)
		}
	}
	expect(t, "want\n- | 10.0.0.1", "create web-* ipv4 none: +10.0.0.1 (EndpointsAdded)")
}

func TestS5AddressTypesAreForEver(t *testing.T) {
	expect(t, `
slices
web-a | http:80 | 10.0.0.1

want
http:80 | fd00::1 web.example.com`,
		"create web-* ipv6 http:80: +fd00::1 (EndpointsAdded)",
		"create web-* fqdn http:80: +web.example.com (EndpointsAdded)",
		"delete web-a: -10.0.0.1 (AddressTypeGone)")
	in := input(t, "slices\nweb-a | http:80 | 10.0.0.1\n\nwant\nhttp:80 | 10.0.0.2 fd00::2")
	for _, s := range given.Steps(planned(t, in), slicer.Update) {
		if s.Old.AddressType != s.New.AddressType {
			t.Errorf("%v changes the address type", s)
		}
	}
}

func TestS6NamesAndOwners(t *testing.T) {
	for _, generated := range []bool{false, true} {
		in := input(t, "want\nhttp:80 | 10.0.0.1")
		in.Options.GeneratedNames = generated
		s := planned(t, in).Steps[0].New
		if !strings.HasPrefix(s.Name+s.GenerateName, "web-") {
			t.Errorf("generated %v: name %q, generateName %q", generated, s.Name, s.GenerateName)
		}
		if s.Labels[discoveryv1.LabelServiceName] != "web" {
			t.Errorf("labels are %v", s.Labels)
		}
		o := s.OwnerReferences[0]
		if o.Kind != "Service" || o.UID != "u1" || !*o.Controller || !*o.BlockOwnerDeletion {
			t.Errorf("the owner is %+v", o)
		}
	}
}

func TestS7ManagersKeepToTheirOwn(t *testing.T) {
	expect(t, `
slices
theirs managed-by=endpointslice-controller.k8s.io | http:80 | 10.0.0.9
copies managed-by=endpointslicemirroring-controller.k8s.io | http:80 | 10.0.0.1

want
http:80 | 10.0.0.1`,
		"create web-* ipv4 http:80: +10.0.0.1 (EndpointsAdded)",
		"ignored copies (Foreign)",
		"ignored theirs (Foreign)")
}

func TestS8LabelsAndTriggerTime(t *testing.T) {
	plan := planned(t, input(t, `
set label:app=web label:service.kubernetes.io/headless= trigger=2026-11-01T10:00:00Z

want
http:80 | 10.0.0.1`))
	s := plan.Steps[0].New
	if _, headless := s.Labels[corev1.IsHeadlessService]; s.Labels["app"] != "web" || !headless {
		t.Errorf("labels are %v", s.Labels)
	}
	if got := s.Annotations[corev1.EndpointsLastChangeTriggerTime]; got != "2026-11-01T10:00:00Z" {
		t.Errorf("the trigger time is %q", got)
	}
}

func TestS9EndpointFields(t *testing.T) {
	in := input(t, `
options hints=Given
want
http:80 | 10.0.0.1,10.0.0.2{host=web-1,pod=web-1,uid=p1,node=n1,zone=z1,ready,serving,!terminating,hints=z1}`)
	got := planned(t, in).Steps[0].New.Endpoints
	if !apiequality.Semantic.DeepEqual(got, in.Groups[0].Endpoints) {
		t.Errorf("published\n%+v\nwanted\n%+v", got, in.Groups[0].Endpoints)
	}
	for n, accepted := range map[int]int{1: 1, 100: 1, 101: 0} {
		e := discoveryv1.Endpoint{}
		for i := range n {
			e.Addresses = append(e.Addresses, fmt.Sprintf("10.0.1.%d", i))
		}
		in.Groups = []slicer.Group{{AddressType: discoveryv1.AddressTypeIPv4, Endpoints: []discoveryv1.Endpoint{e}}}
		if s := planned(t, in).Stats(); s.Added != accepted || s.Skipped != 1-accepted {
			t.Errorf("%d addresses: %+v", n, s)
		}
	}
}

// S10's three steps: remove and update, fill up what is written anyway, then open or create. Deviation 5: several clean
// slices may be opened where that saves as many creates.
func TestS10RemoveThenFillThenOpen(t *testing.T) {
	expect(t, `
options max=3

slices
web-a | http:80 | 10.0.0.1..3
web-b | http:80 | 10.0.0.11..12
web-c | http:80 | 10.0.0.21..23

want
http:80 | 10.0.0.1..2 10.0.0.11..12 10.0.0.21..23 10.0.0.31..32`,
		"update web-a: -10.0.0.3 +10.0.0.31 (EndpointsAdded, EndpointsRemoved)",
		"update web-b: +10.0.0.32 (EndpointsAdded)",
		"unchanged web-c")
	expect(t, `
options max=3

slices
web-a | http:80 | 10.0.0.1..2
web-b | http:80 | 10.0.0.11..13

want
http:80 | 10.0.0.1..2 10.0.0.11..13 10.0.0.31..34`,
		"create web-* ipv4 http:80: +10.0.0.32..34 (EndpointsAdded)",
		"update web-a: +10.0.0.31 (EndpointsAdded)",
		"unchanged web-b")
}

func TestS11OneCreateBeatsTwoUpdates(t *testing.T) {
	expect(t, `
options max=10

slices
web-a | http:80 | 10.0.0.1..5
web-b | http:80 | 10.0.0.11..15

want
http:80 | 10.0.0.1..5 10.0.0.11..15 10.0.0.21..30`,
		"create web-* ipv4 http:80: +10.0.0.21..30 (EndpointsAdded)",
		"unchanged web-a web-b")
}

// S12: no active rebalancing, and a rolling update that starts new Pods before it stops old ones repacks by itself.
func TestS12RolloutRepacks(t *testing.T) {
	in := input(t, `
options max=10 stable-names

slices
web-a | http:80 | 10.0.0.1
web-b | http:80 | 10.0.0.2
web-c | http:80 | 10.0.0.3

want
http:80 | 10.0.0.1..3`)
	if plan := planned(t, in); !plan.Empty() {
		t.Errorf("three sparse slices are rewritten:\n%s", plan)
	}
	for _, wanted := range []string{
		"10.0.0.1..3 10.0.1.1", "10.0.0.2..3 10.0.1.1", "10.0.0.2..3 10.0.1.1..2", "10.0.0.3 10.0.1.1..2",
		"10.0.0.3 10.0.1.1..3", "10.0.1.1..3",
	} {
		in.Groups = input(t, "want\nhttp:80 | "+wanted).Groups
		in.Existing = planned(t, in).After()
	}
	if len(in.Existing) != 1 {
		t.Errorf("after a rolling update of three Pods there are %d slices", len(in.Existing))
	}
}

func TestS13OnlyTheSliceThatHeldIt(t *testing.T) {
	expect(t, `
slices
web-a | http:80 | 10.0.0.1 10.0.0.2
web-b | http:80 | 10.0.0.3 10.0.0.4

want
http:80 | 10.0.0.1..3`,
		"update web-b: -10.0.0.4 (EndpointsRemoved)",
		"unchanged web-a")
	expect(t, `
slices
web-a | http:80 | 10.0.0.1 10.0.0.2
web-b | http:80 | 10.0.0.3 10.0.0.4

want
http:80 | 10.0.0.1..2`,
		"delete web-b: -10.0.0.3 -10.0.0.4 (NothingLeft)",
		"unchanged web-a")
}

// S14: by targetRef.uid is an option; the zero value goes by address, hostname and targetRef as the reference does, and
// counts the kind (deviation 3).
func TestS14Identity(t *testing.T) {
	const world = `
slices
web-a | http:80 | 10.0.0.1{pod=web-1,uid=p1}

want
http:80 | 10.0.0.2{pod=web-1,uid=p1}`
	if s := expect(t, "options by-target-uid\n"+world, "update web-a: ~10.0.0.1->10.0.0.2 (EndpointsChanged)").Stats(); s.Changed != 1 {
		t.Errorf("by UID: %+v", s)
	}
	if s := expect(t, world, "update web-a: -10.0.0.1 +10.0.0.2 (EndpointsAdded, EndpointsRemoved)").Stats(); s.Changed != 0 {
		t.Errorf("by address: %+v", s)
	}
	expect(t, "slices\nweb-a | http:80 | 10.0.0.1{pod=x}\n\nwant\nhttp:80 | 10.0.0.1{pod=x} 10.0.0.1{ref=VM/x}",
		"update web-a: +10.0.0.1{ref=VM/x} (EndpointsAdded)")
}

// S15: all state is in the slices: after a restart, with everything read anew, a plan carries on where the last one
// stopped, wherever that was.
func TestS15StateIsInTheSlices(t *testing.T) {
	const world = `
options max=3 stable-names

slices
web-a | http:80 | 10.0.0.1..3
web-b | http:81 | 10.0.0.4..6

want
http:80 | 10.0.0.1 10.0.0.4
http:81 | 10.0.0.2..3 10.0.0.5..7`
	whole := planned(t, input(t, world)).Stats()
	writes := whole.Creates + whole.Updates + whole.Deletes
	for k := range writes + 1 {
		in := input(t, world)
		cut := planned(t, in)
		cut.Steps = cut.Steps[:k]
		in.Existing = survivors(in.Existing, cut)
		again := planned(t, in)
		if got := len(again.Steps); got != writes-k {
			t.Errorf("after %d of %d writes there are %d left:\n%s", k, writes, got, again)
		}
	}
}

// survivors are the slices after some steps: what they write, and what they leave alone.
func survivors(existing []*discoveryv1.EndpointSlice, plan slicer.Plan) []*discoveryv1.EndpointSlice {
	var after []*discoveryv1.EndpointSlice
	written := map[string]bool{}
	for _, s := range plan.Steps {
		if s.Old != nil {
			written[s.Old.Name] = true
		}
		if s.New != nil {
			stored := s.New.DeepCopy()
			stored.ResourceVersion = "99"
			after = append(after, stored)
		}
	}
	for _, s := range existing {
		if !written[s.Name] {
			after = append(after, s)
		}
	}
	return after
}
