package slicertest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"net/http"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/internal/test/kit"
	"github.com/slicewright/slicewright/internal/test/nightly"
	"github.com/slicewright/slicewright/internal/test/sim"
	"github.com/slicewright/slicewright/slicer"
)

const ownKey = "slices.example.com/name"

// rightWriters write in different ways, each of which is right.
var rightWriters = []struct {
	name  string
	o     Options
	start writer
}{
	{"by hand", Options{Also: details}, newKeeper().start},
	{"a key label of its own", Options{NameLabel: ownKey}, keeping(func(k *keeper) { k.key = ownKey })},
	{"one slice for each port", Options{Want: eachPort}, keeping(func(k *keeper) { k.want = eachPort })},
	{"fails while a Node is missing", Options{}, keeping(func(k *keeper) {
		k.apply = func(c call, todo []change) error {
			lost := func(p *corev1.Pod) bool { return p.Spec.NodeName != "" && nodeOf(c.Nodes, p.Spec.NodeName) == nil }
			if err := writeAll(c, todo); err != nil || !slices.ContainsFunc(c.Pods, lost) {
				return err
			}
			return errors.New("a Node is missing")
		}
	})},
	{"one write for each sync", Options{}, keeping(func(k *keeper) {
		k.apply = func(c call, todo []change) error { return writeAll(c, todo[:min(1, len(todo))]) }
	})},
	{"all of IPv6 before all of IPv4, deletes of other families before creates", Options{}, keeping(func(k *keeper) {
		k.apply = func(c call, todo []change) error {
			slices.SortStableFunc(todo, func(a, b change) int { return len(b.addressType()) - len(a.addressType()) })
			slices.SortStableFunc(todo, func(a, b change) int { return int(b.addressType()[3]) - int(a.addressType()[3]) })
			return writeAll(c, todo)
		}
	})},
	{"deletes its slices when the Service is gone or not managed", Options{Also: []string{"Withdraws"}},
		keeping(func(k *keeper) { k.gone = call.deleteAll })},
	{"leaves the slices of a Service that is not managed", Options{}, keeping(func(k *keeper) {
		k.apply = func(c call, todo []change) error {
			if s := c.Service.Spec; s.Selector == nil || s.Type == corev1.ServiceTypeExternalName {
				return nil
			}
			return writeAll(c, todo)
		}
	})},
	{"keeps a slice without endpoints", Options{}, keeping(keepsPlaceholder)},
	{"never updates", Options{MaxEndpointsPerSlice: 5, Without: []string{"Oversized"}}, keeping(neverUpdates)},
	{"applies, one endpoint for each slice, named by its hash",
		Options{Without: []string{"Oversized", "SlowDeletes"}, Also: []string{"Apply"}}, keeping(applies)},
	{"waits until a slice that is being deleted is gone", Options{}, keeping(func(k *keeper) {
		k.apply = func(c call, todo []change) error {
			if slices.ContainsFunc(c.Own, func(s *discoveryv1.EndpointSlice) bool { return s.DeletionTimestamp != nil }) {
				return errors.New("a slice is being deleted")
			}
			return writeAll(c, todo)
		}
	})},
	{"tries again after a conflict, with a live list", Options{}, keeping(func(k *keeper) {
		k.apply = func(c call, todo []change) error {
			err := writeAll(c, todo)
			for range 3 {
				if err == nil {
					return nil
				}
				list, failed := c.slices.List(c, metav1.ListOptions{LabelSelector: fmt.Sprintf("%s=%s,%s=%s",
					discoveryv1.LabelServiceName, c.Service.Name, discoveryv1.LabelManagedBy, manager)})
				if failed != nil {
					return failed
				}
				c.Own = slicer.Pointers(list.Items)
				err = writeAll(c, k.plan(c))
			}
			return err
		}
	})},
	{"says no more than it must", Options{}, keeping(onWanted(func(_ State, w *Want) {
		if !*w.Endpoint.Conditions.Terminating {
			w.Endpoint.Conditions.Serving = nil
		}
		w.Endpoint.TargetRef.UID = ""
	}))},
	{"numbers its slices in a label", Options{}, keeping(func(k *keeper) {
		k.labels = func(c call, s *discoveryv1.EndpointSlice, i int) {
			s.Labels["example.com/index"] = fmt.Sprint(i)
			for _, old := range c.Own {
				if old.Name == s.Name && old.Labels["example.com/index"] != "" {
					s.Labels["example.com/index"] = old.Labels["example.com/index"]
				}
			}
		}
	})},
	{"gives hints", Options{}, keeping(hinting(func(w *Want) string { return *w.Endpoint.Zone },
		func(w *Want) string { return *w.Endpoint.NodeName }))},
}

// TestFairness checks that no right writer is blamed: in 3 000 histories if SLICEWRIGHT_FULL is 1.
func TestFairness(t *testing.T) {
	for _, row := range rightWriters {
		t.Run(row.name, func(t *testing.T) {
			nightly.Slow(t)
			t.Parallel()
			o := row.o
			o.ManagedBy, o.MaxEndpointsPerSlice = manager, max(3, o.MaxEndpointsPerSlice)
			o.Histories = nightly.Cases(t, 3000)
			blamesNone(t, o, kit.Flags{}, row.start)
		})
	}
}

// TestFairnessWithLateCaches has writers that read their slices live, while their caches are late
// all the while. The replay joins slices, which a view shows one by one.
func TestFairnessWithLateCaches(t *testing.T) {
	o := Options{
		ManagedBy: manager, MaxEndpointsPerSlice: 5, Also: []string{"LateCaches"}, Histories: nightly.Usual(20, 1000),
		Without: []string{"Others", "Recreated", "Replicas", "ReusedAddresses"},
	}
	byContent := keeping(func(k *keeper) {
		neverUpdates(k)
		k.name = func(c call, s *discoveryv1.EndpointSlice) { s.Name = hashed(c, s) }
	})
	blamesNone(t, o, kit.Flags{Replay: "pods=6 headless=1 second-port=1 / join=1 away=1"}, byContent)
	o.Without = append(o.Without, "Oversized")
	blamesNone(t, o, kit.Flags{}, live(keeping(neverUpdates)))
}

// TestWaitsForALostNode: a writer that fails while a Node is missing is not blamed if the garbage
// collector was late, or another client's finalizer goes, just when all was quiet.
func TestWaitsForALostNode(t *testing.T) {
	for _, replay := range []string{"pods=2 / node=1 late delete-slowly=1 recreate=1",
		"pods=5 / recreate-other-family=1 mark=1 join node"} {
		o := Options{ManagedBy: manager, MaxEndpointsPerSlice: 3}
		blamesNone(t, o, kit.Flags{Replay: replay}, waiting(with(nil)))
	}
}

// TestDeletesAgain: a writer is not blamed if it deletes once more a slice of a deleted Service that
// a finalizer keeps.
func TestDeletesAgain(t *testing.T) {
	o := Options{ManagedBy: manager, MaxEndpointsPerSlice: 3, Also: []string{"Withdraws"}}
	blamesNone(t, o, kit.Flags{Replay: "pods=1 / late delete-slowly=4 gone"},
		keeping(func(k *keeper) { k.gone = call.deleteAll }))
}

func (w change) addressType() discoveryv1.AddressType {
	if w.s != nil {
		return w.s.AddressType
	}
	return w.old.AddressType
}

// eachPort wants each endpoint once for each of its ports.
func eachPort(s State) (list []Want) {
	for _, w := range claimsAll.want(s) {
		for _, p := range w.Ports {
			w.Ports = []discoveryv1.EndpointPort{p}
			list = append(list, w)
		}
	}
	return list
}

// keepsPlaceholder empties one slice in place of deleting the last ones.
func keepsPlaceholder(k *keeper) {
	k.refills = true
	k.apply = func(c call, todo []change) error {
		lives := func(s *discoveryv1.EndpointSlice) bool {
			deleted := slices.ContainsFunc(todo, func(w change) bool { return w.old == s && w.s == nil })
			return s.DeletionTimestamp == nil && !deleted
		}
		if slices.ContainsFunc(todo, func(w change) bool { return w.s != nil }) || slices.ContainsFunc(c.Own, lives) {
			return writeAll(c, todo)
		}
		at := slices.IndexFunc(todo, func(w change) bool {
			owner := metav1.GetControllerOf(w.old)
			return owner == nil || owner.UID == c.Service.UID
		})
		if at < 0 {
			return writeAll(c, todo)
		}
		empty := todo[at].old.DeepCopy()
		empty.Endpoints = nil
		if todo[at].s = empty; len(todo[at].old.Endpoints) == 0 {
			todo = slices.Delete(todo, at, at+1)
		}
		return writeAll(c, todo)
	}
}

// neverUpdates replaces a slice by others if anything in it changes. New slices hold up to five
// endpoints, the last ones first.
func neverUpdates(k *keeper) {
	k.max = 5
	k.apply = func(c call, todo []change) error {
		var creates, deletes []change
		for _, w := range todo {
			if w.s != nil {
				slices.Reverse(w.s.Endpoints)
				w.s.ObjectMeta = metav1.ObjectMeta{
					Labels: w.s.Labels, OwnerReferences: c.slice("", &group{}, nil).OwnerReferences,
				}
				k.name(c, w.s)
				creates = append(creates, change{nil, w.s})
			}
			if w.old != nil {
				deletes = append(deletes, change{w.old, nil})
			}
		}
		return writeAll(c, slices.Concat(creates, deletes))
	}
}

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

func hashed(c call, s *discoveryv1.EndpointSlice) string {
	text := fmt.Sprint(c.Service.UID, s.AddressType, s.Endpoints, portsOf(s.Ports))
	return fmt.Sprintf("web-%x", crc32.ChecksumIEEE([]byte(text)))
}

// applies writes by server-side apply what is its own of a slice, whose name is a hash of its
// endpoint and ports.
func applies(k *keeper) {
	k.max = 1
	k.name = func(c call, s *discoveryv1.EndpointSlice) {
		address := *s
		address.Endpoints = []discoveryv1.Endpoint{{Addresses: s.Endpoints[0].Addresses}}
		s.Name = hashed(c, &address)
	}
	force := true
	k.write = func(c call, w change) error {
		if w.s == nil {
			return w.do(c)
		}
		s := c.slice(w.s.Name, &group{family: w.s.AddressType, ports: w.s.Ports}, w.s.Endpoints)
		s.TypeMeta = metav1.TypeMeta{APIVersion: discoveryv1.SchemeGroupVersion.String(), Kind: "EndpointSlice"}
		data, err := json.Marshal(s)
		if err != nil {
			return err
		}
		q, err := c.api.patch(sim.Target{Namespace: s.Namespace, Name: s.Name}, types.ApplyYAMLPatchType, data,
			metav1.PatchOptions{FieldManager: manager, Force: &force})
		if err == nil {
			_, err = c.api.do(c, q, nil)
		}
		return err
	}
}

// live is a writer that reads its slices live in every call.
func live(start writer) writer {
	return func(rt http.RoundTripper) func(context.Context, State) error {
		api, right := rt.(*server), start(rt)
		return func(ctx context.Context, s State) error {
			if s.Service == nil {
				return right(ctx, s)
			}
			list, err := client{api, s.Service.Namespace}.List(ctx, metav1.ListOptions{LabelSelector: fmt.Sprintf(
				"%s=%s,%s=%s", discoveryv1.LabelServiceName, s.Service.Name, discoveryv1.LabelManagedBy, manager)})
			if err != nil {
				return err
			}
			s.Own = slicer.Pointers(list.Items)
			return right(ctx, s)
		}
	}
}
