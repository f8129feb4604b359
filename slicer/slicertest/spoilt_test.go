package slicertest_test

import (
	"cmp"
	"fmt"
	"maps"
	"net/netip"
	"os"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/slicer/slicertest"
)

// spoilt is a right writer with one mistake, and the guarantee that names it.
type spoilt struct {
	mistake string
	spoil   func(k *keeper)
	breaks  string
}

func (s spoilt) writer() slicertest.Writer {
	k := newKeeper()
	s.spoil(k)
	return k.start
}

// TestSpoiltWriters has the mistakes that writers were seen to make or could make, each under the guarantee that names it. One more is
// none: a create that is made twice heals itself, because the next sync deletes the second slice, and readers bear an endpoint in two.
func TestSpoiltWriters(t *testing.T) {
	o := slicertest.Options{
		ManagedBy: manager, Max: 3, Without: []string{"Hints"}, Histories: histories,
		Also: details,
	}
	for _, f := range check(t, o, newKeeper().start) {
		t.Errorf("the writer is not right: %v", f)
	}
	for _, row := range knownMistakes {
		t.Run(row.mistake, func(t *testing.T) {
			t.Parallel()
			o := o
			if slices.Contains(strict, row.breaks) {
				o.Also = strict
			}
			found := breaking(t, o, row.writer(), row.breaks)
			if f := finding(found, row.breaks); f.Failed == 0 {
				var names []string
				for _, f := range found {
					names = append(names, f.Cause)
				}
				t.Errorf("%s is not found broken: %q", row.breaks, names)
			} else {
				t.Log(f)
			}
		})
	}
}

// breaking is what is found in the history of testdata/replays.txt, or where this does not break the guarantee, and with
// SLICEWRIGHT_FULL=1, in a few histories, which most mistakes need, or in all. Each found history is logged with its replay.
func breaking(t *testing.T, o slicertest.Options, start slicertest.Writer, guarantee string) (found []slicertest.Finding) {
	t.Helper()
	if known := replays(t)[t.Name()[strings.Index(t.Name(), "/")+1:]]; known != "" && os.Getenv("SLICEWRIGHT_FULL") == "" {
		replayed := o
		replayed.Replay = known
		if found = check(t, replayed, start); finding(found, guarantee).Failed > 0 {
			return found
		}
	}
	for _, o.Histories = range []int{100, 0} {
		if found = check(t, o, start); finding(found, guarantee).Failed > 0 {
			break
		}
	}
	return found
}

// replays has by the name of a mistake a history that shows it.
func replays(t *testing.T) map[string]string {
	text, err := os.ReadFile("testdata/replays.txt")
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, history, _ := strings.Cut(strings.TrimSpace(line), ": ")
		list[name] = history
	}
	return list
}

// finding is the one of a guarantee, zero if there is none.
func finding(all []slicertest.Finding, g string) slicertest.Finding {
	for _, f := range all {
		if f.Guarantee == g {
			return f
		}
	}
	return slicertest.Finding{}
}

func onEndpoint(change func(c call, p *corev1.Pod, e *discoveryv1.Endpoint)) func(*keeper) {
	return func(k *keeper) { k.endpoint = change }
}

func onWrite(write func(c call, w change) error) func(*keeper) {
	return func(k *keeper) { k.write = write }
}

func onPort(change func(c call, p *discoveryv1.EndpointPort)) func(*keeper) {
	return func(k *keeper) {
		k.ports = func(c call, p *corev1.Pod) []discoveryv1.EndpointPort {
			ports := podPorts(c.Service, p)
			for i := range ports {
				change(c, &ports[i])
			}
			return ports
		}
	}
}

func onSame(same func(old, s *discoveryv1.EndpointSlice) bool) func(*keeper) {
	return func(k *keeper) { k.same = same }
}

// onMerge changes what an update writes, once the metadata of the old slice are kept.
func onMerge(change func(old, s *discoveryv1.EndpointSlice, wanted metav1.ObjectMeta)) func(*keeper) {
	return func(k *keeper) {
		merge := k.merge
		k.merge = func(old, s *discoveryv1.EndpointSlice) {
			wanted := s.ObjectMeta
			merge(old, s)
			change(old, s, wanted)
		}
	}
}

// spoilWith changes each slice that is to be written.
func spoilWith(spoil func(c call, old, s *discoveryv1.EndpointSlice)) func(*keeper) {
	return onWrite(func(c call, w change) error {
		if w.s != nil {
			spoil(c, w.old, w.s)
		}
		return w.do(c)
	})
}

var knownMistakes = []spoilt{
	{"off by one at the maximum", func(k *keeper) { k.max = 4 }, "within-max"},
	{"slices of ports that are gone stay", onWrite(func(c call, w change) error {
		if w.s == nil && len(c.Pods) > 0 {
			return nil
		}
		return w.do(c)
	}), "complete"},
	{"no resourceVersion", onMerge(func(_, s *discoveryv1.EndpointSlice, _ metav1.ObjectMeta) { s.ResourceVersion = "" }), "metadata-kept"},
	{"deletes and creates in place of an update", onWrite(recreates), "no-gap"},
	{"what terminates is ready", onEndpoint(func(c call, p *corev1.Pod, e *discoveryv1.Endpoint) {
		e.Conditions.Ready = e.Conditions.Serving
	}), "complete"},
	{"the second family is lost", func(k *keeper) {
		k.families = func(c call) []corev1.IPFamily { return c.Service.Spec.IPFamilies[:1] }
	}, "complete"},
	{"ignores managed-by", everything(func(c call, s *discoveryv1.EndpointSlice) bool {
		return s.Namespace == c.Service.Namespace && s.Labels[discoveryv1.LabelServiceName] == c.Service.Name
	}), "foreign-kept"},
	{"forgets the namespace", everything(func(c call, s *discoveryv1.EndpointSlice) bool {
		return s.Labels[discoveryv1.LabelManagedBy] == manager && s.Labels[discoveryv1.LabelServiceName] == c.Service.Name
	}), "foreign-kept"},
	{"finished Pods stay", func(k *keeper) { k.publish = func(call, *corev1.Pod) bool { return true } }, "complete"},
	{"a label stays", onMerge(func(old, s *discoveryv1.EndpointSlice, wanted metav1.ObjectMeta) {
		s.Labels = maps.Clone(old.Labels)
		maps.Copy(s.Labels, wanted.Labels)
	}), "labels"},
	{"compares addresses and readiness only", onSame(func(old, s *discoveryv1.EndpointSlice) bool {
		return slices.EqualFunc(old.Endpoints, s.Endpoints, func(a, b discoveryv1.Endpoint) bool {
			return a.Addresses[0] == b.Addresses[0] && *a.Conditions.Ready == *b.Conditions.Ready
		})
	}), "labels"},
	{"what it says of all Pods is not updated", func(k *keeper) {
		k.endpoint = func(c call, _ *corev1.Pod, e *discoveryv1.Endpoint) {
			number := fmt.Sprint("of-", len(c.Pods))
			e.Hostname = &number
		}
		k.same = func(old, s *discoveryv1.EndpointSlice) bool {
			return sameBut(old, s, func(old, e *discoveryv1.Endpoint) { e.Hostname = old.Hostname })
		}
	}, "same-as-fresh"},
	{"changes the cache", func(k *keeper) {
		k.apply = func(c call, todo []change) error {
			for _, s := range c.Own {
				s.Endpoints = nil
			}
			return writeAll(c, todo)
		}
	}, "pure"},
	{"always updates", func(k *keeper) { k.fresh = true }, "fixed-point"},
	{"drops errors of creates", onWrite(func(c call, w change) error {
		if err := w.do(c); w.old != nil {
			return err
		}
		return nil
	}), "reports"},
	{"ignores names of ports", onPort(func(_ call, p *discoveryv1.EndpointPort) { p.Name = new(string) }), "complete"},
	{"deletes before it creates", func(k *keeper) { k.order = slices.Reverse[[]change] }, "no-port-gap"},
	{"says neither serving nor terminating", onEndpoint(func(c call, p *corev1.Pod, e *discoveryv1.Endpoint) {
		e.Conditions.Serving, e.Conditions.Terminating = nil, nil
	}), "nothing-false"},
	{"no zone", onEndpoint(func(c call, p *corev1.Pod, e *discoveryv1.Endpoint) { e.Zone = nil }), "detailed"},
	{"the targetRef of an address stays", onSame(func(old, s *discoveryv1.EndpointSlice) bool {
		for i := range s.Endpoints {
			for _, e := range old.Endpoints {
				if e.Addresses[0] == s.Endpoints[i].Addresses[0] {
					s.Endpoints[i].TargetRef = e.TargetRef
				}
			}
		}
		return same(old, s)
	}), "nothing-false"},
	{"no label for headless", func(k *keeper) {
		k.labels = func(c call, s *discoveryv1.EndpointSlice, _ int) { delete(s.Labels, corev1.IsHeadlessService) }
	}, "detailed"},
	{"no owner", spoilWith(func(_ call, old, s *discoveryv1.EndpointSlice) {
		if old == nil {
			s.OwnerReferences = nil
		}
	}), "detailed"},
	{"does not look at the owner's UID", func(k *keeper) { k.anyOwner = true }, "nothing-false"},
	{"IPv6 spelt in another way", spoilWith(func(_ call, _, s *discoveryv1.EndpointSlice) {
		for i, e := range s.Endpoints {
			s.Endpoints[i].Addresses = []string{netip.MustParseAddr(e.Addresses[0]).String()}
		}
	}), "fixed-point"},
	{"does not see that two slices hold an endpoint", func(k *keeper) { k.twice = true }, "once"},
	{"a version trusted after a conflict", func(k *keeper) {
		known := map[[2]any]string{}
		k.write = func(c call, w change) error {
			if w.old == nil || w.s == nil {
				return w.do(c)
			}
			at := [2]any{c.api, w.s.Name}
			w.s.ResourceVersion = cmp.Or(known[at], w.s.ResourceVersion)
			stored, err := c.api.Update(c, w.s, metav1.UpdateOptions{})
			if err == nil {
				known[at] = stored.ResourceVersion
			}
			return err
		}
	}, "converges"},
	{"moves endpoints to new slices", func(k *keeper) { recreating(k) }, "nobody-moves"},
	{"a Pod that waits for an address fails the sync", onEndpoint(func(c call, p *corev1.Pod, e *discoveryv1.Endpoint) {
		for _, other := range c.Pods {
			_ = other.Status.PodIPs[0]
		}
	}), "no-panic"},
	{"an endpoint has both families", onEndpoint(func(_ call, p *corev1.Pod, e *discoveryv1.Endpoint) {
		e.Addresses = nil
		for _, ip := range p.Status.PodIPs {
			e.Addresses = append(e.Addresses, ip.IP)
		}
	}), "accepted"},
	{"deletes without looking who changed it, and takes any failure for done", onWrite(func(c call, w change) error {
		if w.s == nil {
			_ = w.do(c)
			return nil
		}
		return w.do(c)
	}), "reports"},
	{"tries a conflict again with the old content", onWrite(func(c call, w change) error {
		err := w.do(c)
		if apierrors.IsConflict(err) {
			w.s.ResourceVersion = ""
			err = w.do(c)
		}
		return err
	}), "metadata-kept"},
	{"creates what it saw being deleted", func(k *keeper) {
		seen := map[string]*discoveryv1.EndpointSlice{}
		k.apply = func(c call, todo []change) error {
			for _, s := range c.Own {
				seen[s.Name] = s
			}
			for _, d := range c.Deleted {
				again := d.DeepCopy()
				again.UID, again.ResourceVersion = "", ""
				if _, known := seen[d.Name]; known {
					todo = append([]change{{nil, again}}, todo...)
				}
			}
			return writeAll(c, todo)
		}
	}, "fixed-point"},
	{"names slices by counting those that there are", func(k *keeper) {
		k.name = func(c call, s *discoveryv1.EndpointSlice) { s.Name = "web-" + string(rune('a'+len(c.Own))) }
	}, "no-collision"},
	{"more writes than changes", func(k *keeper) { k.fresh = true }, "fewest-writes"},
	{"the order of the lister", func(k *keeper) {
		k.apply = func(c call, todo []change) error {
			if len(c.Pods) > 1 && c.Pods[0].Name > c.Pods[1].Name {
				slices.Reverse(todo)
			}
			return writeAll(c, todo)
		}
	}, "deterministic"},
}

func recreates(c call, w change) error {
	if w.old == nil || w.s == nil {
		return w.do(c)
	}
	if err := c.delete(w.old); err != nil {
		return err
	}
	w.s.UID, w.s.ResourceVersion = "", ""
	return c.create(w.s)
}

// sameBut compares slices but for what of the old endpoint at the same place is taken over.
func sameBut(old, s *discoveryv1.EndpointSlice, take func(old, e *discoveryv1.Endpoint)) bool {
	s = s.DeepCopy()
	for i := range min(len(s.Endpoints), len(old.Endpoints)) {
		take(&old.Endpoints[i], &s.Endpoints[i])
	}
	return same(old, s)
}

// everything has a writer choose its slices among all that there are.
func everything(own func(c call, s *discoveryv1.EndpointSlice) bool) func(*keeper) {
	return func(k *keeper) { k.choose = own }
}
