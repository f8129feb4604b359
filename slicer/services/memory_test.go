package services_test

import (
	"runtime"
	"testing"
	"weak"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/internal/test/check/memory"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// TestPlanMemory plans for one Service after the other, of Pods and of Backends, in memory that the
// calls share. Each plan is that of Input and Compute, and the plans before it stay as they were,
// whatever the caller does with them.
func TestPlanMemory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plans := map[*slicer.Plan]string{}
		for range rapid.IntRange(2, 5).Draw(t, "calls") {
			w := drawPublished(t)
			have := comparePlans(t, w)
			if backends := backendsOf(w.pods); rapid.Bool().Draw(t, "backends") {
				have = compareWays(t, w.existing, func() (slicer.Input, error) {
					return services.BackendsInput(w.service, backends, w.options)
				}, func() (slicer.Plan, error) {
					return services.PlanBackends(w.service, backends, w.existing, w.options)
				})
			}
			plans[&have] = jsonText(have)
			for plan, text := range plans {
				if now := jsonText(*plan); now != text {
					t.Fatalf("an earlier plan changed from\n%s\nto\n%s", text, now)
				}
			}
			for i := range have.Steps {
				if object := have.Steps[i].New; object != nil && rapid.Bool().Draw(t, "overwritten") {
					overwrite(object.Endpoints)
					plans[&have] = jsonText(have)
				}
			}
		}
	})
}

// backendsOf makes Backends of Pods, with targets that have more to them than those of Pods.
func backendsOf(pods []*corev1.Pod) []services.Backend {
	var backends []services.Backend
	for i, pod := range pods {
		if pod == nil {
			continue
		}
		b := services.Backend{Ready: i%2 == 0, Node: pod.Spec.NodeName, Zone: "z", Hostname: pod.Spec.Hostname,
			Subdomain: pod.Spec.Subdomain}
		for _, ip := range pod.Status.PodIPs {
			b.Addresses = append(b.Addresses, ip.IP)
		}
		if i%3 > 0 {
			b.TargetRef = corev1.ObjectReference{APIVersion: "v2", Kind: "VM", Name: pod.Name, FieldPath: "spec",
				ResourceVersion: "7"}
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

// TestPlanKeepsNoPod: Pods and slices that are gone from everywhere else can be collected, also
// where the slices' endpoints are so many that Plan takes them as they are.
func TestPlanKeepsNoPod(t *testing.T) {
	for _, n := range []int{1, 20} {
		gone := func() (weak.Pointer[corev1.Pod], weak.Pointer[discoveryv1.EndpointSlice],
			weak.Pointer[discoveryv1.Endpoint]) {
			o := services.Options{ManagedBy: manager}
			var pods []*corev1.Pod
			for i := range n {
				pods = append(pods, aPod(i+1))
			}
			first, err := services.Plan(aService(), pods, nil, nil, o)
			if err != nil {
				t.Fatal(err)
			}
			existing := first.After()
			if _, err := services.Plan(aService(), pods, nil, existing, o); err != nil {
				t.Fatal(err)
			}
			return weak.Make(pods[0]), weak.Make(existing[0]), weak.Make(&existing[0].Endpoints[0])
		}
		pod, slice, endpoint := gone()
		runtime.GC() // a pool lets go of what it has only after the second
		if pod.Value() != nil || slice.Value() != nil || endpoint.Value() != nil {
			t.Errorf("of %d Pods, still alive: %v %v %v", n, pod.Value() != nil, slice.Value() != nil,
				endpoint.Value() != nil)
		}
	}
}

// TestReleaseInProportion plans for many Pods and then for three in the same memory, which touches
// no more of it than three Pods need.
func TestReleaseInProportion(t *testing.T) {
	m := &services.Memory{}
	plan := func(n int) {
		c := newServiceCluster(n)
		if _, err := m.Plan(c.service, c.pods, c.node, nil, services.Options{ManagedBy: manager}); err != nil {
			t.Fatal(err)
		}
	}
	plan(10000)
	touched := memory.Untouched(m)
	plan(3)
	if n := touched(); n > 100 {
		t.Errorf("a plan for 3 Pods touches %d elements of memory that a plan for 10000 left", n)
	}
}
