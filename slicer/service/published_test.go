package service_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/hints"
	check "github.com/slicewright/slicewright/internal/test/check/slices"
	"github.com/slicewright/slicewright/internal/test/given"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/service"
)

// comparePlans holds Plan against Input and Compute, on inputs that neither changes.
func comparePlans(t *rapid.T, w podWorld) {
	in, err := service.Input(w.service, w.pods, w.node, w.options)
	if err != nil {
		t.Fatal(err)
	}
	want, wantErr := slicer.Compute(in, w.existing)
	before, pods := check.Copy(given.World{Input: in, Existing: w.existing}), copyPods(w.pods)
	for range 2 {
		plan, err := service.Plan(w.service, w.pods, w.node, w.existing, w.options)
		if fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Fatalf("errors %v, and of Input and Compute %v", err, wantErr)
		}
		d := cmp.Diff(check.Text(want), check.Text(plan)) + cmp.Diff(want.Hints, plan.Hints) + cmp.Diff(texts(want), texts(plan))
		if d != "" {
			t.Fatalf("-Input and Compute +Plan:\n%s", d)
		}
	}
	if d := cmp.Diff(before.Existing, w.existing) + cmp.Diff(pods, w.pods); d != "" {
		t.Fatalf("slices or Pods changed:\n%s", d)
	}
}

func texts(plan slicer.Plan) []string {
	var texts []string
	for _, s := range plan.Skips {
		texts = append(texts, s.Path+" "+s.Err.Error())
	}
	return texts
}

// FuzzPlan looks for a world in which they differ.
func FuzzPlan(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(planProperty))
}

func planProperty(t *rapid.T) {
	w := drawPodWorld(t)
	comparePlans(t, w)
}

// TestPlanGivenHints: hints that a slice has and nobody wants go, also where the slice is as it is wanted otherwise.
func TestPlanGivenHints(t *testing.T) {
	c := newServiceCluster(40)
	existing := c.slices(t)
	hint := &existing[0].Endpoints[20].Hints
	*hint = &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: "zone-a"}}}
	o := benchOptions
	o.Slices.Hints.Mode = hints.Given
	plan, err := service.Plan(c.service, c.pods, c.node, existing, o)
	if err != nil || len(plan.Steps) != 1 || plan.Steps[0].Changed != 1 || *hint == nil {
		t.Errorf("error %v, plan\n%v", err, plan)
	}
}

// TestPlanByTargetUID: a Pod that two slices hold is wanted once, so that its UID is its own.
func TestPlanByTargetUID(t *testing.T) {
	c := newServiceCluster(20)
	existing := c.slices(t)
	second := existing[0].DeepCopy()
	second.Name, second.Endpoints = "second", second.Endpoints[:1]
	c.pods[7].Status.PodIPs[0].IP = "10.9.9.9"
	o := benchOptions
	o.Slices.ByTargetUID = true
	plan, err := service.Plan(c.service, c.pods, c.node, append(existing, second), o)
	if err != nil || len(given.Steps(plan, slicer.Update)) != 1 || given.Steps(plan, slicer.Update)[0].Changed != 1 || given.Steps(plan, slicer.Update)[0].Added != 0 {
		t.Errorf("error %v, plan\n%v", err, plan)
	}
}

// TestPlanTriggerTime: what only a slice holds that is not the Service's own, or not for long, is news.
func TestPlanTriggerTime(t *testing.T) {
	for name, change := range map[string]func(*discoveryv1.EndpointSlice){
		"an earlier Service":   func(s *discoveryv1.EndpointSlice) { s.OwnerReferences[0].UID = "earlier" },
		"another address type": func(s *discoveryv1.EndpointSlice) { s.AddressType = discoveryv1.AddressTypeIPv6 },
		"another manager":      func(s *discoveryv1.EndpointSlice) { s.Labels[discoveryv1.LabelManagedBy] = "other.example.com" },
		"another Service":      func(s *discoveryv1.EndpointSlice) { s.Labels[discoveryv1.LabelServiceName] = "other" },
		"what is being deleted": func(s *discoveryv1.EndpointSlice) {
			deletion := at(7)
			s.DeletionTimestamp = &deletion
		},
	} {
		c := newServiceCluster(20)
		other := c.slices(t)[0]
		live := other.DeepCopy()
		live.Name, live.Endpoints = "live", live.Endpoints[:1]
		change(other)
		existing := []*discoveryv1.EndpointSlice{other, live}
		have, err := c.plan(existing)
		if err != nil {
			t.Fatal(err)
		}
		want, err := c.input(existing)
		if d := cmp.Diff(check.Text(want), check.Text(have)); d != "" || err != nil {
			t.Errorf("a slice of %s: error %v, -Input and Compute +Plan:\n%s", name, err, d)
		}
		if at := given.Steps(have, slicer.Update)[0].New.Annotations[corev1.EndpointsLastChangeTriggerTime]; at == "" {
			t.Errorf("a slice of %s: no trigger time", name)
		}
	}
}

// TestPlanOfNilSlice: a nil slice is an error with its path, and nothing panics.
func TestPlanOfNilSlice(t *testing.T) {
	c := newServiceCluster(3)
	_, err := c.plan([]*discoveryv1.EndpointSlice{c.slices(t)[0], nil})
	if err == nil || !strings.Contains(err.Error(), "existing[1]") {
		t.Errorf("error %v", err)
	}
}

// TestPlanByKey: with a Key of the caller's, slices of another Key are none of the set, whatever their Service.
func TestPlanByKey(t *testing.T) {
	o := service.Options{ManagedBy: manager, Key: map[string]string{"network": "blue"}}
	var backends []service.Backend
	for i := range 3 {
		backends = append(backends, service.Backend{Addresses: []string{fmt.Sprintf("10.0.0.%d", i+1)}, Ready: true, Changed: at(int64(200 + i)).Time})
	}
	svc := aService()
	all, err := service.PlanBackends(svc, backends, nil, o)
	if err != nil {
		t.Fatal(err)
	}
	mine := given.Steps(all, slicer.Create)[0].New
	other := mine.DeepCopy()
	mine.Endpoints, other.Name, other.Labels["network"] = mine.Endpoints[:1], "other", "green"
	existing := []*discoveryv1.EndpointSlice{mine, other}
	have, err := service.PlanBackends(svc, backends, existing, o)
	if err != nil {
		t.Fatal(err)
	}
	in, err := service.BackendsInput(svc, backends, o)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(check.Text(planned(t, in, existing...)), check.Text(have)); d != "" {
		t.Errorf("-Input and Compute +Plan:\n%s", d)
	}
	if at := given.Steps(have, slicer.Update)[0].New.Annotations[corev1.EndpointsLastChangeTriggerTime]; at == "" {
		t.Error("no trigger time")
	}
}

// TestPlanComparesTargets: all that a target says is compared, also where its name and UID are the same.
func TestPlanComparesTargets(t *testing.T) {
	o, svc := service.Options{ManagedBy: manager}, aService()
	was := corev1.ObjectReference{Kind: "VM", Namespace: "shop", Name: "web-1", APIVersion: "v1", FieldPath: "spec"}
	backend := service.Backend{Addresses: []string{"10.0.0.1"}, Ready: true, TargetRef: was}
	before, err := service.PlanBackends(svc, []service.Backend{backend}, nil, o)
	if err != nil {
		t.Fatal(err)
	}
	for what, change := range map[string]func(ref *corev1.ObjectReference){
		"kind":       func(ref *corev1.ObjectReference) { ref.Kind = "Pod" },
		"namespace":  func(ref *corev1.ObjectReference) { ref.Namespace = "other" },
		"apiVersion": func(ref *corev1.ObjectReference) { ref.APIVersion = "v2" },
		"fieldPath":  func(ref *corev1.ObjectReference) { ref.FieldPath = "status" },
	} {
		backend.TargetRef = was
		change(&backend.TargetRef)
		plan, err := service.PlanBackends(svc, []service.Backend{backend}, before.After(), o)
		if err != nil || len(given.Steps(plan, slicer.Update)) != 1 || *given.Steps(plan, slicer.Update)[0].New.Endpoints[0].TargetRef != backend.TargetRef {
			t.Errorf("another %s: error %v, plan\n%v", what, err, plan)
		}
	}
}

// TestPlanComparesPods: a slice whose endpoint names another object than the Pod is mended, whatever the difference.
func TestPlanComparesPods(t *testing.T) {
	o, svc, pods := service.Options{ManagedBy: manager}, aService(), []*corev1.Pod{aPod(1)}
	for what, change := range map[string]func(ref *corev1.ObjectReference){
		"kind":       func(ref *corev1.ObjectReference) { ref.Kind = "VM" },
		"namespace":  func(ref *corev1.ObjectReference) { ref.Namespace = "other" },
		"name":       func(ref *corev1.ObjectReference) { ref.Name = "web-2" },
		"UID":        func(ref *corev1.ObjectReference) { ref.UID = "u2" },
		"apiVersion": func(ref *corev1.ObjectReference) { ref.APIVersion = "v1" },
		"fieldPath":  func(ref *corev1.ObjectReference) { ref.FieldPath = "spec" },
	} {
		before, err := service.Plan(svc, pods, nodes, nil, o)
		if err != nil {
			t.Fatal(err)
		}
		existing := before.After()
		want := *existing[0].Endpoints[0].TargetRef
		change(existing[0].Endpoints[0].TargetRef)
		after, err := service.Plan(svc, pods, nodes, existing, o)
		if err != nil || len(given.Steps(after, slicer.Update)) != 1 || *given.Steps(after, slicer.Update)[0].New.Endpoints[0].TargetRef != want {
			t.Errorf("another %s: error %v, plan\n%v", what, err, after)
		}
	}
}

// TestPlanComparesTargetsWithNone: a target that comes or goes is a change.
func TestPlanComparesTargetsWithNone(t *testing.T) {
	o, svc := service.Options{ManagedBy: manager}, aService()
	with := service.Backend{Addresses: []string{"10.0.0.1"}, Ready: true, TargetRef: corev1.ObjectReference{Kind: "VM", Name: "web-1"}}
	without := service.Backend{Addresses: []string{"10.0.0.1"}, Ready: true}
	for _, row := range [][2]service.Backend{{with, without}, {without, with}} {
		before, err := service.PlanBackends(svc, row[:1], nil, o)
		if err != nil {
			t.Fatal(err)
		}
		after, err := service.PlanBackends(svc, row[1:], before.After(), o)
		if err != nil || len(given.Steps(after, slicer.Update)) != 1 || (given.Steps(after, slicer.Update)[0].New.Endpoints[0].TargetRef != nil) != (row[1].TargetRef.Name != "") {
			t.Errorf("from target %q to %q: error %v, plan\n%v", row[0].TargetRef.Name, row[1].TargetRef.Name, err, after)
		}
	}
}

// TestPlanComparesAddresses: an address of either family that another backend has now is not taken for the one before.
func TestPlanComparesAddresses(t *testing.T) {
	o := service.Options{ManagedBy: manager}
	svc := aService(withFamilies(corev1.IPv4Protocol, corev1.IPv6Protocol))
	for _, addresses := range [][2]string{{"10.0.0.1", "10.0.0.2"}, {"fd00::1", "fd00::2"}} {
		before, err := service.PlanBackends(svc, []service.Backend{{Addresses: []string{addresses[0]}}}, nil, o)
		if err != nil {
			t.Fatal(err)
		}
		after, err := service.PlanBackends(svc, []service.Backend{{Addresses: []string{addresses[1]}}}, before.After(), o)
		if err != nil || len(given.Steps(after, slicer.Update)) != 1 || given.Steps(after, slicer.Update)[0].New.Endpoints[0].Addresses[0] != addresses[1] {
			t.Errorf("from %s to %s: %v\n%v", addresses[0], addresses[1], err, after)
		}
	}
}

// TestPlanComparesJoinedAddresses: all addresses of an endpoint are compared, also where the first one is the same.
func TestPlanComparesJoinedAddresses(t *testing.T) {
	o, svc := service.Options{ManagedBy: manager, JoinAddresses: true}, aService()
	planJoined := func(existing []*discoveryv1.EndpointSlice, addresses []string) slicer.Plan {
		plan, err := service.PlanBackends(svc, []service.Backend{{Addresses: addresses, Ready: true}}, existing, o)
		if err != nil {
			t.Fatal(err)
		}
		return plan
	}
	for _, row := range []struct{ before, after []string }{
		{[]string{"10.0.0.1", "10.0.0.2"}, []string{"10.0.0.1"}},
		{[]string{"10.0.0.1"}, []string{"10.0.0.1", "10.0.0.2"}},
		{[]string{"10.0.0.1", "10.0.0.2"}, []string{"10.0.0.1", "10.0.0.3"}},
		{[]string{"10.0.0.1", "10.0.0.2"}, []string{"10.0.0.1", "10.0.0.2", "10.0.0.3"}},
	} {
		plan := planJoined(planJoined(nil, row.before).After(), row.after)
		if have := plan.After()[0].Endpoints; len(have) != 1 || !slices.Equal(have[0].Addresses, row.after) {
			t.Errorf("from %v to %v:\n%v", row.before, row.after, plan)
		}
	}
}

// TestPlanUnplaced: endpoints that a slice of an earlier owner holds, and that find no place, are told, and
// not as the slice holds them.
func TestPlanUnplaced(t *testing.T) {
	w := podWorld{service: podService(), options: service.Options{ManagedBy: manager}}
	for i := range 3 {
		pod := aPod(i + 1)
		pod.Namespace = w.service.Namespace
		w.pods = append(w.pods, pod)
	}
	in, err := service.Input(w.service, w.pods, nil, w.options)
	if err != nil {
		t.Fatal(err)
	}
	w.existing = planned(t, in).After()
	w.existing[0].OwnerReferences[0].UID = "earlier"
	for i := range w.existing[0].Endpoints {
		e := &w.existing[0].Endpoints[i]
		e.Hints = &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: "zone-a"}}}
		e.DeprecatedTopology = map[string]string{"example.com/rack": "r1"}
	}
	deletion := at(7)
	w.service.DeletionTimestamp = &deletion
	plan, err := service.Plan(w.service, w.pods, nil, w.existing, w.options)
	unplaced := given.Skips(plan, slicer.NoRoom)
	if err != nil || len(unplaced) != 3 {
		t.Fatal(err, plan)
	}
	for i, s := range unplaced {
		if pod := w.pods[i]; s.Object.Name != pod.Name || s.Object.UID != pod.UID || s.Address != pod.Status.PodIPs[0].IP {
			t.Errorf("no room for %s: %+v", pod.Name, s)
		}
	}
}
