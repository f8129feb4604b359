package slicertest_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/internal/test/nightly"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/service"
	"github.com/slicewright/slicewright/slicer/slicertest"
)

// TestFairToWriters checks that right writers of many habits are not blamed.
func TestFairToWriters(t *testing.T) {
	o := slicertest.Options{ManagedBy: manager, Max: 3, Histories: 150}
	without := func(fs ...string) slicertest.Options {
		o := o
		o.Without = fs
		return o
	}
	cached, lost := o, o
	lost.Replay = "pods=1 / node remove-all add-pod add-pod remove-pod node remove-all add-pod add-pod add-pod remove-pod=1"
	cached.Also = []string{"CachedReads"}
	swapping := without("IPv6", "Others", "Leftovers", "Recreated", "LostNodes")
	swapping.Want, swapping.Max = swappedPorts, 0
	byHand := slicertest.Options{ManagedBy: manager, Max: 3, Without: []string{"Hints"}, Histories: histories}
	noLarge, applies := byHand, byHand
	noLarge.Without = append(noLarge.Without, "Oversized")
	applies.Without, applies.Also = noLarge.Without, []string{"Apply"}
	for _, row := range []struct {
		name  string
		o     slicertest.Options
		start slicertest.Writer
	}{
		{"lists with its client", o, styled(style{list: true})},
		{"lists with a client that has a cache", cached, styled(style{list: true})},
		{"writes patches", o, styled(style{patch: true})},
		{"fails while a Node is missing", o, styled(style{fail: true})},
		{"fails while none of several Nodes is known", lost, styled(style{})},
		{"has names from the API server", o, styled(style{o: slicer.Options{GeneratedNames: true}})},
		{"has no placeholder", o, styled(style{o: slicer.Options{NoPlaceholder: true}})},
		{"splits slices above the maximum", o, styled(style{o: slicer.Options{SplitOversize: true}})},
		{"publishes no Pod that is not ready", without("NotReady", "Terminating", "PublishNotReady"),
			styled(style{pods: usable})},
		{"starts over when the Service is another one", o, startsOver},
		{"swaps ports slice by slice", swapping, swapPorts.writer()},
		{"by hand", byHand, newKeeper().start},
		{"creates all anew and deletes all old", byHand, recreating(newKeeper()).start},
		{"one endpoint for each slice, named by its hash", noLarge, hashNamed(newKeeper()).start},
		{"applies, one endpoint for each slice", applies, applying(hashNamed(newKeeper())).start},
		{"one write for each sync", byHand, oneWrite(newKeeper()).start},
		{"works in every second call", byHand, everySecond(newKeeper())},
		{"numbers its slices in a label", byHand, numbering(newKeeper()).start},
		{"has no labels but its own", slicertest.Options{Histories: 150}, styled(style{})},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			for _, f := range check(t, row.o, row.start) {
				t.Error(f)
			}
		})
	}
}

// style is how a writer works that decides as Slicewright does.
type style struct {
	list, patch, fail bool
	o                 slicer.Options
	pods              func(*corev1.Service, []*corev1.Pod) []*corev1.Pod
}

func styled(s style) slicertest.Writer { return each(s.sync) }

func (s style) sync(c call) error {
	if s.list {
		list, err := c.api.List(c, metav1.ListOptions{LabelSelector: discoveryv1.LabelServiceName + "=" + c.Service.Name})
		if err != nil {
			return err
		}
		c.All = slicer.Pointers(list.Items)
	}
	svc, pods := c.Service.DeepCopy(), c.Pods
	if s.pods != nil {
		pods = s.pods(svc, pods)
	}
	o := service.Options{ManagedBy: manager, Slices: s.o}
	o.Slices.MaxEndpointsPerSlice = 3
	plan, err := service.Plan(svc, pods, c.Node, inNamespace(svc, c.All), o)
	if err != nil {
		return err
	}
	w := c.writes()
	if s.patch {
		w.Update = c.patchSlice
	}
	err = plan.Apply(w)
	for _, skip := range plan.Skips {
		if err == nil && s.fail && skip.Reason == service.NodeMissing {
			err = errors.New(skip.String())
		}
	}
	return err
}

// patchSlice writes what the writer owns of a slice, if that is still of the version that was read.
func (c call) patchSlice(s *discoveryv1.EndpointSlice) error {
	labels := map[string]any{}
	for _, old := range c.All {
		for key := range old.Labels {
			if old.Name == s.Name {
				labels[key] = nil
			}
		}
	}
	for key, value := range s.Labels {
		labels[key] = value
	}
	data, err := json.Marshal(map[string]any{
		"metadata":  map[string]any{"resourceVersion": s.ResourceVersion, "labels": labels, "ownerReferences": s.OwnerReferences},
		"endpoints": s.Endpoints, "ports": s.Ports,
	})
	if err != nil {
		return err
	}
	_, err = c.api.Patch(c, s.Name, types.MergePatchType, data, metav1.PatchOptions{})
	return err
}

// usable are the Pods that are ready and stay.
func usable(svc *corev1.Service, pods []*corev1.Pod) []*corev1.Pod {
	return slices.DeleteFunc(slices.Clone(pods), func(p *corev1.Pod) bool {
		return p.DeletionTimestamp != nil || p.Status.Conditions[0].Status != corev1.ConditionTrue
	})
}

// wants are the IPv4 addresses of running Pods.
func wants(s slicertest.State, ports func(*corev1.Pod) []discoveryv1.EndpointPort) (list []slicertest.Want) {
	for _, pod := range s.Pods {
		if pod.Status.Phase == corev1.PodRunning {
			list = append(list, slicertest.Want{
				AddressType: discoveryv1.AddressTypeIPv4, Optional: s.Node(pod.Spec.NodeName) == nil, Ports: ports(pod),
				Endpoint: discoveryv1.Endpoint{Addresses: []string{pod.Status.PodIP}},
			})
		}
	}
	return list
}

// startsOver deletes all slices of an earlier Service before it creates others, which leaves a gap that nobody can blame on it:
// without the Service there was nothing to reach.
func startsOver(api *slicertest.API) slicertest.Sync {
	right := styled(style{})(api)
	return func(ctx context.Context, s slicertest.State) error {
		c := call{Context: ctx, api: api, State: s}
		earlier := slices.ContainsFunc(s.Own, func(s *discoveryv1.EndpointSlice) bool {
			return s.OwnerReferences[0].UID != c.Service.UID
		})
		if earlier {
			return c.deleteAll()
		}
		return right(ctx, s)
	}
}

// portOf gives even and odd Pods different ports, which they swap when the Service has the label.
func portOf(svc *corev1.Service, pod *corev1.Pod) []discoveryv1.EndpointPort {
	name, tcp, number := "http", corev1.ProtocolTCP, int32(8080)
	if last := pod.Status.PodIP[len(pod.Status.PodIP)-1]; (last%2 == 0) == (len(svc.Labels) > 0) {
		number = 9090
	}
	return []discoveryv1.EndpointPort{{Name: &name, Protocol: &tcp, Port: &number}}
}

func swappedPorts(s slicertest.State) []slicertest.Want {
	return wants(s, func(p *corev1.Pod) []discoveryv1.EndpointPort { return portOf(s.Service, p) })
}

// swapPorts has a slice for each of the two ports. While Pods swap theirs, some are in neither: one of the slices is written
// first.
var swapPorts = spoilt{spoil: func(k *keeper) {
	k.max = 1000
	k.ports = func(c call, p *corev1.Pod) []discoveryv1.EndpointPort { return portOf(c.Service, p) }
}}

// TestMistakesInOptions checks that each mistake is reported, and nothing is run.
func TestMistakesInOptions(t *testing.T) {
	never := func(*slicertest.API) slicertest.Sync { panic("it is run") }
	for _, row := range []struct {
		o     slicertest.Options
		start slicertest.Writer
		want  string
	}{
		{slicertest.Options{Max: -1}, never, "options.max"},
		{slicertest.Options{Max: 1001}, never, "options.max"},
		{slicertest.Options{Histories: -1}, never, "options.histories"},
		{slicertest.Options{Without: []string{"IPv5"}}, never, `options.without[0]: Unsupported value: "IPv5"`},
		{slicertest.Options{Also: []string{"complete"}}, never, `options.also[0]: Unsupported value: "complete"`},
		{slicertest.Options{Known: map[string]string{"nobody-moves: x": ""}}, never, "options.known[nobody-moves: x]"},
		{slicertest.Options{Replay: "add-pod"}, never, "options.replay"},
		{slicertest.Options{Replay: "pods=1 / ad-pod"}, never, `no event "ad-pod"`},
		{slicertest.Options{}, nil, "start: Required"},
		{slicertest.Options{}, func(*slicertest.API) slicertest.Sync { return nil }, "start: Required value: returned nil"},
	} {
		if found, err := slicertest.Check(row.o, row.start); found != nil || err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("want %q, got %v", row.want, err)
		}
	}
}

// check is Check of options without mistakes.
func check(t *testing.T, o slicertest.Options, start slicertest.Writer) []slicertest.Finding {
	t.Helper()
	o.Seed = cmp.Or(o.Seed, seed(t))
	found, err := slicertest.Check(o, start)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// seed draws other histories where the environment says so.
func seed(t *testing.T) uint64 { return uint64(nightly.Seed(t, 0)) }

// TestGapsAfterOthersDelete has a writer that deletes all slices before it creates them anew. That is a gap, for which it is not
// blamed after somebody else has deleted a slice, until all is quiet.
func TestGapsAfterOthersDelete(t *testing.T) {
	gaps := spoilt{spoil: func(k *keeper) {
		k.apply = func(c call, todo []change) error {
			if len(todo) == 0 {
				return nil
			}
			err := c.deleteAll()
			c.Own = nil
			return errors.Join(err, writeAll(c, k.plan(c)))
		}
	}}
	for history, breach := range map[string]bool{"pods=4 / delete": false, "pods=4 / add-pod": true, "pods=4 / delete add-pod": true} {
		o := slicertest.Options{ManagedBy: manager, Max: 3, Replay: history}
		if f := finding(check(t, o, gaps.writer()), "no-gap"); f.Failed > 0 != breach {
			t.Errorf("%s: want a breach %t, got %v", history, breach, f)
		}
	}
}

// TestRandomWriter finds a mistake that a writer makes now and then, and tells it.
func TestRandomWriter(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	found := check(t, slicertest.Options{ManagedBy: manager, Max: 3, Histories: 60}, func(api *slicertest.API) slicertest.Sync {
		right := slicewright(service.Options{ManagedBy: manager, Slices: slicer.Options{MaxEndpointsPerSlice: 3}})(api)
		return func(ctx context.Context, s slicertest.State) error {
			if random.IntN(40) == 0 {
				panic("now and then")
			}
			return right(ctx, s)
		}
	})
	if f := finding(found, "no-panic"); f.Failed == 0 || !strings.Contains(f.History, "! now and then, in slicertest/fair_test.go:") {
		t.Errorf("%v", found)
	}
	if len(found) != 1 {
		t.Errorf("one mistake hides or causes others: %v", found)
	}
}
