package slicer_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/slicer"
)

// TestScratch derives one Service after the other in the same memory, of Pods and of Backends. Each Input is what memory
// of its own gives, whatever the caller did to the one before; and plans made of those before stay as they were.
func TestScratch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scratch := &slicer.Scratch{}
		plans := map[*slicer.Plan]string{}
		for range rapid.IntRange(2, 5).Draw(t, "calls") {
			w := drawServiceWorld(t)
			backends := rapid.Bool().Draw(t, "backends")
			want, wantSkips := deriveWith(t, w, backends)
			w.options.Scratch = scratch
			in, skips := deriveWith(t, w, backends)
			whole, err := in.Expanded()
			if d := cmp.Diff(want, whole); err != nil || d != "" {
				t.Fatalf("the Input differs (%v, -own memory +scratch):\n%s", err, d)
			}
			if d := cmp.Diff(wantSkips, skips); d != "" {
				t.Fatalf("the Skips differ (-own memory +scratch):\n%s", d)
			}
			plan, err := slicer.Compute(in)
			if err != nil {
				t.Fatal(err)
			}
			plans[&plan] = stepsText(t, plan)
			for plan, text := range plans {
				if now := stepsText(t, *plan); now != text {
					t.Fatalf("an earlier plan changed from\n%s\nto\n%s", text, now)
				}
			}
			if rapid.Bool().Draw(t, "spoil") {
				spoil(in)
			} else {
				adorn(in)
			}
		}
	})
}

func deriveWith(t *rapid.T, w serviceWorld, backends bool) (slicer.Input, []slicer.Skip) {
	var in slicer.Input
	var skips []slicer.Skip
	var err error
	if backends {
		in, skips, err = slicer.FromBackends(w.service, backendsOf(w.pods), w.options)
	} else {
		in, skips, err = slicer.FromService(w.service, w.pods, w.node(), w.options)
	}
	if err != nil {
		t.Fatal(err)
	}
	return in, skips
}

// backendsOf makes Backends of Pods, with targets that have more to them than those of Pods.
func backendsOf(pods []*corev1.Pod) []slicer.Backend {
	var backends []slicer.Backend
	for i, pod := range pods {
		if pod == nil {
			continue
		}
		b := slicer.Backend{Ready: i%2 == 0, Node: pod.Spec.NodeName, Zone: "z", Hostname: pod.Spec.Hostname, Subdomain: pod.Spec.Subdomain}
		for _, ip := range pod.Status.PodIPs {
			b.Addresses = append(b.Addresses, ip.IP)
		}
		if i%3 > 0 {
			b.TargetRef = &corev1.ObjectReference{APIVersion: "v2", Kind: "VM", Name: pod.Name, FieldPath: "spec", ResourceVersion: "7"}
		}
		backends = append(backends, b)
	}
	return backends
}

// adorn gives endpoints what FromService never does, and puts them into another order.
func adorn(in slicer.Input) {
	for _, g := range in.Groups {
		for i := range g.Endpoints {
			e := &g.Endpoints[i]
			if e.TargetRef != nil {
				e.TargetRef.FieldPath, e.TargetRef.APIVersion, e.TargetRef.ResourceVersion = "spec", "v2", "7"
			}
			e.DeprecatedTopology = map[string]string{"topology.kubernetes.io/zone": "z"}
			e.Hints = &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: "z"}}}
			e.Hostname = &e.Addresses[0]
		}
		slices.Reverse(g.Endpoints)
	}
}

func stepsText(t *rapid.T, plan slicer.Plan) string {
	text, err := json.Marshal(plan.Steps)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestScratchAllocatesOnce: from the second call on there is next to nothing left to allocate.
func TestScratchAllocatesOnce(t *testing.T) {
	c := newServiceCluster(5000)
	o := slicer.ServiceOptions{Scratch: &slicer.Scratch{}}
	derive := func() {
		if _, _, err := slicer.FromService(c.service, c.pods, c.node, o); err != nil {
			t.Fatal(err)
		}
	}
	derive()
	derive()
	if n := testing.AllocsPerRun(5, derive); n > 40 {
		t.Errorf("%v allocations", n)
	}
}

// TestSelected: on Pods that a lister found by the Service's selector the check makes no difference, and on others it is
// the only one that does.
func TestSelected(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawServiceWorld(t)
		w.pods = slices.DeleteFunc(w.pods, func(pod *corev1.Pod) bool {
			return pod != nil && (pod.Namespace != w.service.Namespace || pod.Labels == nil)
		})
		want, wantSkips := deriveWith(t, w, false)
		w.options.Selected = true
		in, skips := deriveWith(t, w, false)
		if d := cmp.Diff(want, in) + cmp.Diff(wantSkips, skips); d != "" {
			t.Fatalf("-checked +selected:\n%s", d)
		}
	})
	pod := aPod(1)
	pod.Labels = nil
	for selected, want := range map[bool]int{false: 0, true: 1} {
		in, skips, err := slicer.FromService(aService(), []*corev1.Pod{pod}, nil, slicer.ServiceOptions{Selected: selected})
		if got := len(endpointLines(in)); err != nil || got != want || len(skips) != 1-want {
			t.Errorf("selected %v: %d endpoints, %v, %v", selected, got, skips, err)
		}
	}
}

// TestTouch: Pods and endpoints that lack what others have are read like any others, in every place of a block.
func TestTouch(t *testing.T) {
	for n := range 70 {
		c := newServiceCluster(n)
		for i := range c.pods {
			switch i % 7 {
			case 0:
				c.pods[i] = nil
			case 1:
				c.pods[i].Status.PodIPs = nil
			case 2:
				c.pods[i].Status.Conditions = nil
			case 3:
				c.pods[i].Spec.NodeName = ""
			case 4:
				c.pods[i].Status = corev1.PodStatus{}
			}
		}
		slices.Reverse(c.pods)
		in, skips, err := slicer.FromService(c.service, c.pods, c.node, slicer.ServiceOptions{MissingNode: slicer.PublishWithoutZone})
		if err != nil {
			t.Fatal(err)
		}
		published := len(endpointLines(in))
		if published+len(skips) != n {
			t.Errorf("%d Pods: %d endpoints and %d skips", n, published, len(skips))
		}
		if published == 0 {
			continue
		}
		strip(in.Groups[0].Endpoints)
		in.Existing = []*discoveryv1.EndpointSlice{existingSlice(in)}
		plan, err := slicer.Compute(in)
		if err != nil || len(plan.Steps) > 0 {
			t.Errorf("%d Pods: %v\n%s", n, err, plan)
		}
	}
}

// strip takes what an endpoint may lack from some of them.
func strip(endpoints []discoveryv1.Endpoint) {
	for i := range endpoints {
		e := &endpoints[i]
		switch i % 5 {
		case 0:
			e.TargetRef = nil
		case 1:
			e.NodeName, e.Zone = nil, nil
		case 2:
			e.Conditions = discoveryv1.EndpointConditions{}
		case 3:
			e.TargetRef = &corev1.ObjectReference{}
		}
	}
}

// existingSlice holds what is wanted, in the opposite order.
func existingSlice(in slicer.Input) *discoveryv1.EndpointSlice {
	c := in
	c.Options.MaxEndpointsPerSlice = 1000
	plan, err := slicer.Compute(c)
	if err != nil || len(plan.Steps) != 1 {
		panic(fmt.Sprint(plan, err))
	}
	s := plan.Steps[0].New
	s.Name = "web-1"
	slices.Reverse(s.Endpoints)
	return s
}
