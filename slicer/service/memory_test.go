package service_test

import (
	"encoding/json"
	"runtime"
	"slices"
	"testing"
	"weak"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	check "github.com/slicewright/slicewright/internal/test/check/slices"
	"github.com/slicewright/slicewright/internal/test/given"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/service"
)

// TestPlanMemory plans for one Service after the other, of Pods and of Backends, in memory that the calls share. Each plan
// is that of Input and Compute, and the plans before it stay as they were, whatever the caller does with them.
func TestPlanMemory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plans := map[*slicer.Plan]string{}
		for range rapid.IntRange(2, 5).Draw(t, "calls") {
			w := drawServiceWorld(t)
			w.options.JoinAddresses = rapid.Bool().Draw(t, "joinAddresses")
			backends := rapid.Bool().Draw(t, "backends")
			in := deriveWith(t, w, backends)
			first, err := slicer.Compute(in, nil)
			if err != nil {
				t.Fatal(err)
			}
			var existing []*discoveryv1.EndpointSlice
			if rapid.Bool().Draw(t, "published before") {
				existing = first.After()
				corruptSome(t, existing)
			}
			want, err := slicer.Compute(in, existing)
			if err != nil {
				t.Fatal(err)
			}
			have := planWith(t, w, backends, existing)
			if d := cmp.Diff(check.Text(want), check.Text(have)); d != "" {
				t.Fatalf("-Input and Compute +Plan:\n%s", d)
			}
			plans[&have] = planText(t, have)
			for plan, text := range plans {
				if now := planText(t, *plan); now != text {
					t.Fatalf("an earlier plan changed from\n%s\nto\n%s", text, now)
				}
			}
			for i := range have.Steps {
				if object := have.Steps[i].New; object != nil && rapid.Bool().Draw(t, "overwritten") {
					overwrite(object.Endpoints)
					plans[&have] = planText(t, have)
				}
			}
		}
	})
}

func deriveWith(t *rapid.T, w serviceWorld, backends bool) slicer.Input {
	var in slicer.Input
	var err error
	if backends {
		in, err = service.BackendsInput(w.service, backendsOf(w.pods), w.options)
	} else {
		in, err = service.Input(w.service, w.pods, w.node(), w.options)
	}
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func planWith(t *rapid.T, w serviceWorld, backends bool, existing []*discoveryv1.EndpointSlice) slicer.Plan {
	var plan slicer.Plan
	var err error
	if backends {
		plan, err = service.PlanBackends(w.service, backendsOf(w.pods), existing, w.options)
	} else {
		plan, err = service.Plan(w.service, w.pods, w.node(), existing, w.options)
	}
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// corruptSome changes some of what slices hold.
func corruptSome(t *rapid.T, existing []*discoveryv1.EndpointSlice) {
	for _, s := range existing {
		if s.UID = "u"; len(s.Endpoints) > 0 && rapid.Bool().Draw(t, "changed") {
			overwrite(s.Endpoints[:1])
		}
		if rapid.Bool().Draw(t, "turned round") {
			slices.Reverse(s.Endpoints)
		}
	}
}

// backendsOf makes Backends of Pods, with targets that have more to them than those of Pods.
func backendsOf(pods []*corev1.Pod) []service.Backend {
	var backends []service.Backend
	for i, pod := range pods {
		if pod == nil {
			continue
		}
		b := service.Backend{Ready: i%2 == 0, Node: pod.Spec.NodeName, Zone: "z", Hostname: pod.Spec.Hostname, Subdomain: pod.Spec.Subdomain}
		for _, ip := range pod.Status.PodIPs {
			b.Addresses = append(b.Addresses, ip.IP)
		}
		if i%3 > 0 {
			b.TargetRef = corev1.ObjectReference{APIVersion: "v2", Kind: "VM", Name: pod.Name, FieldPath: "spec", ResourceVersion: "7"}
		}
		backends = append(backends, b)
	}
	return backends
}

// overwrite gives endpoints what no Pod's has.
func overwrite(endpoints []discoveryv1.Endpoint) {
	for i := range endpoints {
		e := &endpoints[i]
		if e.TargetRef != nil {
			e.TargetRef.FieldPath, e.TargetRef.APIVersion, e.TargetRef.ResourceVersion = "spec", "v2", "7"
		}
		e.DeprecatedTopology = map[string]string{"topology.kubernetes.io/zone": "z"}
		e.Hints = &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: "z"}}}
		e.Hostname = &[]string{"other"}[0]
	}
}

func planText(t *rapid.T, plan slicer.Plan) string {
	text, err := json.Marshal([]any{plan.Steps, plan.Skips})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestPodsOfOthers: a Pod of another namespace, or that the selector does not match, is none of the Service's: nothing is said of it.
func TestPodsOfOthers(t *testing.T) {
	elsewhere, other := aPod(1), aPod(2)
	elsewhere.Namespace, other.Labels = "bank", nil
	plan, err := service.Plan(aService(), []*corev1.Pod{elsewhere, other}, nil, nil, service.Options{ManagedBy: manager})
	if err != nil || plan.Skips != nil || plan.Err() != nil || plan.Retry() != nil || plan.Stats().Added != 0 {
		t.Errorf("error %v\n%s", err, plan)
	}
}

// TestPlanKeepsNoPod: Pods and slices that are gone from everywhere else can be collected, also where the slices' endpoints
// are so many that Plan takes them as they are.
func TestPlanKeepsNoPod(t *testing.T) {
	for _, n := range []int{1, 20} {
		gone := func() (weak.Pointer[corev1.Pod], weak.Pointer[discoveryv1.EndpointSlice], weak.Pointer[discoveryv1.Endpoint]) {
			o := service.Options{ManagedBy: manager}
			var pods []*corev1.Pod
			for i := range n {
				pods = append(pods, aPod(i+1))
			}
			in, err := service.Input(aService(), pods, nil, o)
			if err != nil {
				t.Fatal(err)
			}
			existing := planned(t, in).After()
			if _, err := service.Plan(aService(), pods, nil, existing, o); err != nil {
				t.Fatal(err)
			}
			return weak.Make(pods[0]), weak.Make(existing[0]), weak.Make(&existing[0].Endpoints[0])
		}
		pod, slice, endpoint := gone()
		runtime.GC() // a pool lets go of what it has only after the second
		if pod.Value() != nil || slice.Value() != nil || endpoint.Value() != nil {
			t.Errorf("of %d Pods, still alive: %v %v %v", n, pod.Value() != nil, slice.Value() != nil, endpoint.Value() != nil)
		}
	}
}

// TestUnplacedIsOwn: the endpoints for which there is no room are those that Compute gives for the Input, also while the pooled memory is
// used again.
func TestUnplacedIsOwn(t *testing.T) {
	svc := aService()
	deletion := metav1.Now()
	svc.DeletionTimestamp = &deletion
	node := func(name string) *corev1.Node {
		return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{corev1.LabelTopologyZone: "zone-of-" + name}}}
	}
	o := service.Options{ManagedBy: manager}
	pods := func(i int) []*corev1.Pod {
		plain, named := aPod(i), aPod(i+1)
		named.Spec.Hostname, named.Spec.Subdomain = plain.Name+"-host", svc.Name
		plain.Spec.NodeName, named.Spec.NodeName = plain.Name+"-node", named.Name+"-node"
		return []*corev1.Pod{plain, named}
	}
	unplaced := func(i int) slicer.Plan {
		plan, err := service.Plan(svc, pods(i), node, nil, o)
		if err != nil || len(given.Skips(plan, slicer.NoRoom)) != 2 {
			t.Fatal(err, plan)
		}
		return plan
	}
	in, err := service.Input(svc, pods(1), node, o)
	if err != nil {
		t.Fatal(err)
	}
	want := check.Text(planned(t, in))
	plan := unplaced(1)
	for i := range 3 {
		if d := cmp.Diff(want, check.Text(plan)); d != "" {
			t.Errorf("-input +after %d other calls:\n%s", i, d)
		}
		unplaced(3 + i)
	}
}
