package slicertest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
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
)

// TestFairToWriters checks that right writers of many habits are not blamed.
func TestFairToWriters(t *testing.T) {
	nightly.Slow(t)
	swaps := []string{"IPv6", "Others", "Leftovers", "Recreated", "LostNodes"}
	unready := []string{"NotReady", "Terminating", "PublishNotReady"}
	splits := usualOptions
	splits.Slices.SplitOversize = true
	for _, row := range []struct {
		name  string
		o     Options
		start Writer
	}{
		{"by hand", Options{Also: details}, newKeeper().start},
		{"lists with its client", Options{}, listing},
		{"lists with a client that has a cache", Options{Also: []string{"CachedReads"}}, listing},
		{"writes patches", Options{}, keeping(patches)},
		{"fails while a Node is missing", Options{}, keeping(failsWithoutNode)},
		{"publishes no Pod that is not ready", Options{Without: unready}, keeping(publishesOnlyReady(unready))},
		{"starts over when the Service is another one", Options{}, keeping(startsOver)},
		{"swaps ports slice by slice", Options{Without: swaps, Want: swappedPorts}, keeping(swapsPorts)},
		{"creates all anew and deletes all old", Options{}, keeping(createsAnew)},
		{"applies, one endpoint for each slice, named by its hash",
			Options{Without: []string{"Oversized", "SlowDeletes"}, Also: []string{"Apply"}}, keeping(applies)},
		{"one write for each sync", Options{}, keeping(oneWrite)},
		{"works in every second call", Options{}, everySecond},
		{"says no more than it must", Options{}, keeping(onWanted(saysLittle))},
		{"numbers its slices in a label", Options{}, keeping(numbers)},
		{"splits slices above the maximum", Options{}, slicewright(splits)},
		{"fails while none of several Nodes is known", Options{
			Replay: "pods=1 / node remove-all add-pod add-pod remove-pod node remove-all add-pod add-pod add-pod " +
				"remove-pod=1",
		}, slicewright(usualOptions)},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			row.o.ManagedBy, row.o.Max, row.o.Histories = manager, 3, 300
			row.o.Without = append(row.o.Without, "Hints")
			if row.o.Want != nil {
				row.o.Max = 0
			}
			for _, f := range check(t, row.o, row.start) {
				t.Error(f)
			}
		})
	}
}

func keeping(habit func(*keeper)) Writer {
	k := newKeeper()
	habit(k)
	return k.start
}

// listing is a keeper that asks the API for its slices.
func listing(api *API) Sync {
	right := newKeeper().start(api)
	return func(ctx context.Context, s State) error {
		mine := fmt.Sprintf("%s=%s,%s=%s", discoveryv1.LabelServiceName, s.Service.Name, discoveryv1.LabelManagedBy,
			manager)
		list, err := api.List(ctx, metav1.ListOptions{LabelSelector: mine})
		if err != nil {
			return err
		}
		s.Own = slicer.Pointers(list.Items)
		return right(ctx, s)
	}
}

// patches writes what the writer owns of a slice, if that is still of the version that was read.
func patches(k *keeper) {
	k.write = func(c call, w change) error {
		if w.old == nil || w.s == nil {
			return w.do(c)
		}
		labels := map[string]any{}
		for key := range w.old.Labels {
			labels[key] = nil
		}
		for key, value := range w.s.Labels {
			labels[key] = value
		}
		data, err := json.Marshal(map[string]any{
			"metadata":  map[string]any{"resourceVersion": w.s.ResourceVersion, "labels": labels},
			"endpoints": w.s.Endpoints, "ports": w.s.Ports,
		})
		if err == nil {
			_, err = c.api.Patch(c, w.s.Name, types.MergePatchType, data, metav1.PatchOptions{})
		}
		return err
	}
}

func failsWithoutNode(k *keeper) {
	k.apply = func(c call, todo []change) error {
		lost := func(p *corev1.Pod) bool { return p.Spec.NodeName != "" && c.Node(p.Spec.NodeName) == nil }
		if err := writeAll(c, todo); err != nil || !slices.ContainsFunc(c.Pods, lost) {
			return err
		}
		return errors.New("a Node is missing")
	}
}

// publishesOnlyReady leaves out what is optional without the features.
func publishesOnlyReady(without []string) func(*keeper) {
	return func(k *keeper) {
		suite, _ := newSuite(Options{Without: without}, idle)
		k.want = func(s State) []Want {
			return slices.DeleteFunc(suite.want(s), func(w Want) bool { return w.Optional })
		}
	}
}

// startsOver deletes all slices of an earlier Service before it creates others, which leaves a gap
// that nobody can blame on it: without the Service there was nothing to reach.
func startsOver(k *keeper) {
	k.apply = func(c call, todo []change) error {
		earlier := func(s *discoveryv1.EndpointSlice) bool { return s.OwnerReferences[0].UID != c.Service.UID }
		if slices.ContainsFunc(c.Own, earlier) {
			return c.deleteAll()
		}
		return writeAll(c, todo)
	}
}

// swappedPorts gives even and odd Pods different ports, which they swap when the Service has the
// label. While Pods swap theirs, some are in neither of the two slices, because one of these is
// written first.
func swappedPorts(s State) (list []Want) {
	for _, w := range claimsAll.want(s) {
		name, tcp, number := "http", corev1.ProtocolTCP, int32(portNumber)
		if address := w.Endpoint.Addresses[0]; (address[len(address)-1]%2 == 0) == (len(s.Service.Labels) > 0) {
			number = otherNumber
		}
		w.Ports = []discoveryv1.EndpointPort{{Name: &name, Protocol: &tcp, Port: &number}}
		list = append(list, w)
	}
	return list
}

func swapsPorts(k *keeper) { k.max, k.want, k.refills = 1000, swappedPorts, true }

func createsAnew(k *keeper) {
	k.apply = func(c call, todo []change) error {
		if len(todo) == 0 {
			return nil
		}
		anew := c
		anew.Own = nil
		if err := writeAll(c, k.plan(anew)); err != nil {
			return err
		}
		return c.deleteAll()
	}
}

// applies writes by server-side apply what is its own of a slice, whose name is a hash of its
// endpoint and ports.
func applies(k *keeper) {
	k.max = 1
	k.name = func(c call, s *discoveryv1.EndpointSlice) {
		text := fmt.Sprint(c.Service.UID, s.AddressType, s.Endpoints[0].Addresses, portsOf(s.Ports))
		s.Name = fmt.Sprintf("web-%x", crc32.ChecksumIEEE([]byte(text)))
	}
	force := true
	k.write = func(c call, w change) error {
		if w.s == nil {
			return w.do(c)
		}
		s := c.slice(w.s.Name, &group{family: w.s.AddressType, ports: w.s.Ports}, w.s.Endpoints)
		s.TypeMeta = metav1.TypeMeta{APIVersion: discoveryv1.SchemeGroupVersion.String(), Kind: "EndpointSlice"}
		data, err := json.Marshal(s)
		if err == nil {
			o := metav1.PatchOptions{FieldManager: manager, Force: &force}
			_, err = c.api.Patch(c, s.Name, types.ApplyYAMLPatchType, data, o)
		}
		return err
	}
}

// oneWrite makes the first of its writes, and is woken by it.
func oneWrite(k *keeper) {
	k.apply = func(c call, todo []change) error { return writeAll(c, todo[:min(1, len(todo))]) }
}

func everySecond(api *API) Sync {
	right, calls := newKeeper().start(api), 0
	return func(ctx context.Context, s State) error {
		if calls++; calls%2 != 0 {
			return errors.New("later")
		}
		return right(ctx, s)
	}
}

// saysLittle leaves out the serving condition of what does not terminate, and the UIDs of Pods.
func saysLittle(_ State, w *Want) {
	if !*w.Endpoint.Conditions.Terminating {
		w.Endpoint.Conditions.Serving = nil
	}
	ref := *w.Endpoint.TargetRef
	ref.UID = ""
	w.Endpoint.TargetRef = &ref
}

// numbers has a label that differs from slice to slice.
func numbers(k *keeper) {
	const index = "example.com/index"
	k.labels = func(c call, s *discoveryv1.EndpointSlice, i int) {
		s.Labels[index] = fmt.Sprint(i)
		for _, old := range c.Own {
			if old.Name == s.Name {
				s.Labels[index] = cmp.Or(old.Labels[index], s.Labels[index])
			}
		}
	}
}

// check is Check of options without mistakes.
func check(t *testing.T, o Options, start Writer) []Finding {
	t.Helper()
	o.Seed = cmp.Or(o.Seed, seed(t))
	found, err := Check(o, start)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// seed draws other histories where the environment says so.
func seed(t *testing.T) uint64 { return uint64(nightly.Seed(t, 0)) }

// TestMistakesInOptions checks that each mistake is reported, and nothing is run.
func TestMistakesInOptions(t *testing.T) {
	nightly.Slow(t)
	never := func(*API) Sync { panic("it is run") }
	for _, row := range []struct {
		o     Options
		start Writer
		want  string
	}{
		{Options{Max: -1}, never, "options.max"},
		{Options{Max: 1001}, never, "options.max"},
		{Options{Histories: -1}, never, "options.histories"},
		{Options{Without: []string{"IPv5"}}, never, `options.without[0]: Unsupported value: "IPv5"`},
		{Options{Also: []string{"complete"}}, never, `options.also[0]: Unsupported value: "complete"`},
		{Options{Known: map[string]string{"no-moves: x": ""}}, never, "options.known[no-moves: x]"},
		{Options{Replay: "add-pod"}, never, "options.replay"},
		{Options{Replay: "pods=1 / ad-pod"}, never, `no event "ad-pod"`},
		{Options{}, nil, "start: Required"},
		{Options{}, func(*API) Sync { return nil }, "start: Required value: returned nil"},
		{Options{ManagedBy: manager}, idle, "the writer never wrote a slice"},
		{Options{ManagedBy: "misspelt.example.com"}, newKeeper().start,
			`no slice of yours was ever written: managed-by is "slices.example.com", and Options.ManagedBy is "misspelt.example.com"`},
	} {
		if found, err := Check(row.o, row.start); found != nil || err == nil ||
			!strings.Contains(err.Error(), row.want) {
			t.Errorf("want %q, got %v", row.want, err)
		}
	}
}

// TestGapsAfterOthersDelete has a writer that deletes a slice before it creates it anew. That is a
// gap, for which it is not blamed after somebody else has deleted a slice, until all is quiet.
func TestGapsAfterOthersDelete(t *testing.T) {
	gaps := keeping(func(k *keeper) { k.write = recreates })
	for history, breach := range map[string]bool{"pods=4 / delete": false, "pods=4 / add-pod": true,
		"pods=4 / delete add-pod": true} {
		o := Options{ManagedBy: manager, Max: 3, Replay: history}
		if f := finding(check(t, o, gaps), "no-gap"); f.Failed > 0 != breach {
			t.Errorf("%s: want a breach %t, got %v", history, breach, f)
		}
	}
}

// TestRandomWriter finds a mistake that a writer makes now and then, and nothing else that follows
// from it.
func TestRandomWriter(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	found := check(t, Options{ManagedBy: manager, Max: 3, Histories: 60}, keeping(func(k *keeper) {
		k.apply = func(c call, todo []change) error {
			if random.IntN(40) == 0 {
				panic("now and then")
			}
			return writeAll(c, todo)
		}
	}))
	if len(found) != 1 || !strings.Contains(found[0].History, "! now and then, in slicertest/fair_test.go:") {
		t.Errorf("%v", found)
	}
}
