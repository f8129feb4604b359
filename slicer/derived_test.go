package slicer_test

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"weak"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/hints"
	check "github.com/slicewright/slicewright/internal/test/check/slices"
	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/slicer"
)

// TestDerivedTouched is TestDerived where slices hold just what is wanted, but for a touch.
func TestDerivedTouched(t *testing.T) {
	scratch := &slicer.Scratch{}
	rapid.Check(t, func(t *rapid.T) {
		svc := podService()
		var pods []*corev1.Pod
		for i := range rapid.IntRange(1, 5).Draw(t, "pods") {
			pod := aPod(i + 1)
			pod.Namespace, pod.Spec.NodeName = svc.Namespace, rapid.SampledFrom([]string{"node-a", "node-b"}).Draw(t, "node")
			pod.Spec.Containers = []corev1.Container{{Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: 80}}}}
			pods = append(pods, pod)
		}
		in, _, err := slicer.FromService(svc, pods, podWorld{}.node, slicer.ServiceOptions{})
		if err != nil {
			t.Fatal(err)
		}
		plan, err := slicer.Compute(in)
		if err != nil {
			t.Fatal(err)
		}
		in.Existing = plan.After()
		held := in.Existing[0].Endpoints
		for range 2 {
			gen.Touch(t, &held[rapid.IntRange(0, len(held)-1).Draw(t, "touched")])
		}
		if rapid.Bool().Draw(t, "in another order") {
			slices.Reverse(held)
		}
		in.Options.MaxEndpointsPerSlice = rapid.SampledFrom([]int{0, 2, 3}).Draw(t, "max")
		in.Options.SplitOversize = rapid.Bool().Draw(t, "oversize")
		in.Options.ExplicitConditions = rapid.Bool().Draw(t, "explicit conditions")
		in.Options.Hints.Mode = rapid.SampledFrom([]hints.Mode{hints.None, hints.Keep, hints.Given, hints.SameZone}).Draw(t, "mode")
		in.Set.Terminating = rapid.Bool().Draw(t, "terminating")
		later, _, err := slicer.FromService(svc, pods, podWorld{}.node, slicer.ServiceOptions{Scratch: scratch})
		if err != nil || later.Derived == nil {
			t.Fatal(err)
		}
		later.Set, later.Existing, later.Options = in.Set, in.Existing, in.Options
		comparePlans(t, in, later)
	})
}

// comparePlans holds the plans for two Inputs against each other that should say the same.
func comparePlans(t *rapid.T, made, later slicer.Input) {
	want, wantErr := slicer.Compute(made)
	for range 2 {
		plan, err := slicer.Compute(later)
		if fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Fatalf("errors %v, and made one by one %v", err, wantErr)
		}
		d := cmp.Diff(check.Text(want), check.Text(plan)) + cmp.Diff(want.Hints, plan.Hints) + cmp.Diff(faults(want), faults(plan))
		if d != "" {
			t.Fatalf("-made one by one +derived:\n%s", d)
		}
	}
}

func faults(plan slicer.Plan) []string {
	var texts []string
	for _, r := range plan.Rejected {
		texts = append(texts, r.Err.Error())
	}
	return texts
}

// TestDerived plans for Pods whose endpoints FromService has left in a Scratch, over slices that hold all kinds of things,
// and for the same endpoints made one by one: the plans and errors are equal to the letter.
func TestDerived(t *testing.T) {
	rapid.Check(t, derivedProperty)
}

// FuzzDerived looks for a world in which they differ.
func FuzzDerived(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(derivedProperty))
}

func derivedProperty(t *rapid.T) {
	w := drawPodWorld(t)
	scratch := &slicer.Scratch{}
	more := w.in.Groups
	inputs := [2]slicer.Input{}
	for i, o := range []slicer.ServiceOptions{{}, {Scratch: scratch, Selected: true}} {
		o.MissingNode, o.Addresses = w.options.MissingNode, w.options.Addresses
		in, _, err := slicer.FromService(w.service, w.pods, w.node, o)
		if err != nil {
			t.Fatal(err)
		}
		inputs[i] = w.in
		inputs[i].Groups, inputs[i].Derived = append(in.Groups, more...), in.Derived
	}
	made, later := inputs[0], inputs[1]
	before, pods := check.Copy(made), copyPods(w.pods)
	comparePlans(t, made, later)
	if d := cmp.Diff(before.Existing, made.Existing) + cmp.Diff(pods, w.pods); d != "" {
		t.Fatalf("slices or Pods changed:\n%s", d)
	}
}

// TestDerivedOnce: endpoints whose Scratch has been used again are refused, with a word on what to do.
func TestDerivedOnce(t *testing.T) {
	const again = `derived: Invalid value: "(endpoints)": its Scratch has been used again since: ` +
		`compute each plan before the next call of FromService, or use two`
	const own = `derived: Invalid value: "(none)": is for FromService to make: put endpoints of your own into groups`
	o := slicer.ServiceOptions{Scratch: &slicer.Scratch{}}
	for name, derive := range map[string]func(i int) (slicer.Input, []slicer.Skip, error){
		"IPv4": func(i int) (slicer.Input, []slicer.Skip, error) {
			return slicer.FromService(aService(), []*corev1.Pod{aPod(i)}, nil, o)
		},
		"IPv6": func(i int) (slicer.Input, []slicer.Skip, error) {
			pod := aPod(i, withIPs(fmt.Sprintf("fd00::%d", i)))
			return slicer.FromService(aService(withFamilies(corev1.IPv6Protocol)), []*corev1.Pod{pod}, nil, o)
		},
		"backends": func(i int) (slicer.Input, []slicer.Skip, error) {
			return slicer.FromBackends(aService(), []slicer.Backend{{Addresses: []string{fmt.Sprintf("10.0.0.%d", i)}}}, o)
		},
	} {
		first, _, err := derive(1)
		if err != nil {
			t.Fatal(err)
		}
		if plan, err := slicer.Compute(first); err != nil || len(plan.Creates()) != 1 {
			t.Errorf("%s: %v\n%v", name, err, plan)
		}
		second, _, err := derive(2)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range []struct {
			derived *slicer.Derived
			want    string
		}{{first.Derived, again}, {&slicer.Derived{}, own}} {
			second := second
			second.Derived = row.derived
			plan, err := slicer.Compute(second)
			_, expanding := second.Expanded()
			if fmt.Sprint(err) != row.want || fmt.Sprint(expanding) != row.want || !plan.Empty() {
				t.Errorf("%s: %v\n%v\n%v", name, err, expanding, plan)
			}
		}
		if _, err := slicer.Compute(second); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDerivedIsWhole: once it is derived, nothing that it is derived from counts any more, not even by a call.
func TestDerivedIsWhole(t *testing.T) {
	svc, pods := aService(), []*corev1.Pod{aPod(1), aPod(2)}
	pods[1].Spec.Hostname, pods[1].Spec.Subdomain = "h", svc.Name
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{corev1.LabelTopologyZone: "z"}}}
	calls := 0
	o := slicer.ServiceOptions{Scratch: &slicer.Scratch{}, Addresses: func(pod *corev1.Pod) ([]string, error) {
		calls++
		return []string{pod.Status.PodIPs[0].IP}, nil
	}}
	in, _, err := slicer.FromService(svc, pods, func(string) *corev1.Node { calls++; return node }, o)
	if err != nil {
		t.Fatal(err)
	}
	want, err := slicer.Compute(in)
	if err != nil {
		t.Fatal(err)
	}
	before := calls
	*svc, *pods[0], *pods[1], *node = corev1.Service{}, corev1.Pod{}, corev1.Pod{}, corev1.Node{}
	clear(pods)
	for _, byUID := range []bool{false, true} { // the second has all made first
		in.Options.ByTargetUID = byUID
		plan, err := slicer.Compute(in)
		if d := cmp.Diff(check.Text(want), check.Text(plan)); err != nil || d != "" || calls != before {
			t.Errorf("by UID %v: %d more calls, %v, -before +after:\n%s", byUID, calls-before, err, d)
		}
	}
}

// TestScratchKeepsNoPod: a Pod that is gone from everywhere else can be collected.
func TestScratchKeepsNoPod(t *testing.T) {
	scratch := &slicer.Scratch{}
	gone := func() weak.Pointer[corev1.Pod] {
		pod := aPod(1)
		in, _, err := slicer.FromService(aService(), []*corev1.Pod{pod}, nil, slicer.ServiceOptions{Scratch: scratch})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := slicer.Compute(in); err != nil {
			t.Fatal(err)
		}
		return weak.Make(pod)
	}()
	for range 3 { // the planner's memory is in a pool, which takes two rounds to let go
		runtime.GC()
	}
	if gone.Value() != nil {
		t.Error("it is alive")
	}
	runtime.KeepAlive(scratch)
}

// TestDerivedAfterwards: Unplaced endpoints of a plan, as they are and with hostnames, outlive the Scratch.
func TestDerivedAfterwards(t *testing.T) {
	svc := aService()
	deletion := metav1.Now()
	svc.DeletionTimestamp = &deletion
	scratch := &slicer.Scratch{}
	unplaced := func(i int, scratch *slicer.Scratch) slicer.Plan {
		plain, named := aPod(i), aPod(i+1)
		named.Spec.Hostname, named.Spec.Subdomain = fmt.Sprint("h", i), svc.Name
		plain.Spec.NodeName, named.Spec.NodeName = fmt.Sprint("node-", i), fmt.Sprint("node-", i+1)
		node := func(name string) *corev1.Node {
			return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{corev1.LabelTopologyZone: "zone-of-" + name}}}
		}
		in, _, err := slicer.FromService(svc, []*corev1.Pod{plain, named}, node, slicer.ServiceOptions{Scratch: scratch})
		if err != nil || (in.Derived == nil) != (scratch == nil) {
			t.Fatal(err)
		}
		plan, err := slicer.Compute(in)
		if err != nil || len(plan.Unplaced) != 2 {
			t.Fatal(err, plan)
		}
		return plan
	}
	want := check.Text(unplaced(1, nil))
	unplaced(5, scratch) // it has all the memory it needs after this
	plan := unplaced(1, scratch)
	for range 2 {
		if d := cmp.Diff(want, check.Text(plan)); d != "" {
			t.Errorf("-without Scratch, +with a Scratch:\n%s", d)
		}
		unplaced(3, scratch)
	}
}

// TestDerivedUnplaced: an endpoint that has to leave a crowded slice and finds no place is told as it is wanted, and not
// as the slice holds it.
func TestDerivedUnplaced(t *testing.T) {
	svc := podService()
	var pods []*corev1.Pod
	for i := range 3 {
		pod := aPod(i + 1)
		pod.Namespace = svc.Namespace
		pods = append(pods, pod)
	}
	var plans [][]string
	for _, scratch := range []*slicer.Scratch{nil, {}} {
		in, _, err := slicer.FromService(svc, pods, nil, slicer.ServiceOptions{Scratch: scratch})
		if err != nil {
			t.Fatal(err)
		}
		plan, err := slicer.Compute(in)
		if err != nil {
			t.Fatal(err)
		}
		in.Existing = plan.After()
		for i := range in.Existing[0].Endpoints {
			e := &in.Existing[0].Endpoints[i]
			e.Hints = &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: "zone-a"}}}
			e.DeprecatedTopology = map[string]string{"example.com/rack": "r1"}
			e.TargetRef.ResourceVersion = "7"
		}
		in.Existing[0].Endpoints = in.Existing[0].Endpoints[:2]
		in.Options.MaxEndpointsPerSlice, in.Set.Terminating = 2, true
		plan, err = slicer.Compute(in)
		if err != nil || len(plan.Unplaced) != 1 {
			t.Fatal(err, plan)
		}
		plans = append(plans, check.Text(plan))
	}
	if d := cmp.Diff(plans[0], plans[1]); d != "" {
		t.Errorf("-without Scratch, +with a Scratch:\n%s", d)
	}
}
