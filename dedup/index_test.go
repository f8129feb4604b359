package dedup_test

import (
	"fmt"
	"iter"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/internal/test/nightly"
)

// TestNothingIsKept: after a flush the caller may do with the slices what it likes, and the view
// stays.
func TestNothingIsKept(t *testing.T) {
	s := slice("web-a", "10.0.0.1")
	e := &s.Endpoints[0]
	e.Zone, e.NodeName, e.Hostname = ptr("zone-a"), ptr("node-a"), ptr("host-a")
	e.Conditions.Ready = ptr(true)
	e.Hints = &discoveryv1.EndpointHints{
		ForZones: []discoveryv1.ForZone{{Name: "zone-a"}}, ForNodes: []discoveryv1.ForNode{{Name: "node-a"}},
	}
	ix := newIndex(dedup.Options{})
	ix.Upsert(s)
	ix.Flush()
	view := ix.View()
	before := print(view)
	*e.Zone, *e.NodeName, *e.Hostname, *e.Conditions.Ready = "x", "x", "x", false
	e.Hints.ForZones[0].Name, e.Hints.ForNodes[0].Name = "x", "x"
	*s.Ports[0].Name, *s.Ports[0].Port, s.Labels[discoveryv1.LabelServiceName] = "x", 1, "x"
	s.Name, e.Addresses[0] = "x", "x"
	if got := print(view); got != before {
		t.Errorf("the view was\n%s\nand is\n%s", before, got)
	}
}

// TestReadersAndWriter: readers of views and deltas need no lock, whatever the writer does (run
// with -race).
func TestReadersAndWriter(t *testing.T) {
	nightly.Slow(t)
	list := manySlices(1000)
	ix := newIndex(dedup.Options{})
	ix.Replace(list)
	added := flushed(ix)
	var changed atomic.Pointer[[]dedup.Delta]
	changed.Store(&added)
	var current atomic.Pointer[dedup.View]
	first := ix.View()
	current.Store(&first)
	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 4 {
		readers.Add(1)
		go func() {
			defer readers.Done()
			for {
				select {
				case <-done:
					return
				default:
				}
				view := *current.Load()
				text := print(view)
				for group := range view.ByTarget(webHTTP.Service) {
					text += group[0].Endpoint.String()
				}
				for _, d := range slices.Concat(added, *changed.Load()) {
					text += d.String()
				}
				if text == "" {
					t.Error("nothing to read")
					return
				}
			}
		}()
	}
	for i := range 200 {
		s := list[i%len(list)].DeepCopy()
		s.Endpoints[i%50].Conditions.Ready = ptr(i%3 == 0)
		s.Endpoints[i%50+1] = list[(i+1)%len(list)].Endpoints[0]
		ix.Upsert(s)
		deltas, view := flushed(ix), ix.View()
		changed.Store(&deltas)
		current.Store(&view)
	}
	close(done)
	readers.Wait()
}

func flushed(ix *dedup.Index) []dedup.Delta { return portsOf(ix.Flush()) }

// portsOf returns the deltas of a Flush.
func portsOf(c dedup.Changes, _ dedup.Problems) []dedup.Delta { return c.Ports }

func nothing(c dedup.Changes) bool { return c.Appeared == nil && c.Gone == nil && c.Ports == nil }

// TestNoOpKeepsView: the view is the very same when nothing changed, even where slices disagree or
// have problems, and are written again.
func TestNoOpKeepsView(t *testing.T) {
	b, broken, unowned := slice("web-b", "10.0.0.1"), slice("web-a", "10.0.0.1", "x", "10.0.0.2", "y"), slice("web-a",
		"10.0.0.1")
	b.Endpoints[0].Zone = ptr("zone-b")
	one := slice("web-c", "10.0.0.3", "10.0.0.1")
	one.Endpoints[1].TargetRef = &corev1.ObjectReference{Kind: "Pod", UID: "1"}
	b.Endpoints[0].TargetRef = one.Endpoints[1].TargetRef
	delete(unowned.Labels, discoveryv1.LabelServiceName)
	for _, row := range []struct {
		why string
		a   *discoveryv1.EndpointSlice
	}{
		{"slices disagree", slice("web-a", "10.0.0.1")},
		{"a slice has problems", broken},
		{"a slice has no Service", unowned},
		{"slices that are equally new disagree about a Pod", one},
	} {
		ix := newIndex(dedup.Options{})
		ix.Replace([]*discoveryv1.EndpointSlice{row.a, b})
		ix.Flush()
		before := ix.View()
		again := row.a.DeepCopy()
		ix.Upsert(row.a.DeepCopy())
		if changes, news := ix.Flush(); !nothing(changes) || news != nil || ix.View() != before {
			t.Errorf("%s, and it comes again: got %v and another view", row.why, changes)
		}
		if row.a == one {
			continue // it would be the newer one
		}
		again.Annotations = map[string]string{corev1.EndpointsLastChangeTriggerTime: "2026-11-20T06:00:00Z"}
		ix.Upsert(again)
		if changes, news := ix.Flush(); !nothing(changes) || news != nil || ix.View() != before {
			t.Errorf("%s, and it has another trigger time: got %v and another view", row.why, changes)
		}
	}
}

// TestViewEndpoint: an address that no endpoint has is not found, whatever else the service port
// has.
func TestViewEndpoint(t *testing.T) {
	names, ips := slice("web-n", "a.example.com", "b.example.com"), slice("web-4", "10.0.0.1")
	names.AddressType = discoveryv1.AddressTypeFQDN
	v := dedup.Merge([]*discoveryv1.EndpointSlice{names, ips}, dedup.Options{
		AddressTypes: []discoveryv1.AddressType{discoveryv1.AddressTypeFQDN, discoveryv1.AddressTypeIPv4},
	})
	for text, want := range map[string]bool{
		"10.0.0.1:8080": true, "[::ffff:10.0.0.1]:8080": true,
		"10.0.0.1:80": false, "10.0.0.2:8080": false, "[::]:8080": false, "0.0.0.0:8080": false, "[fe80::1%eth0]:8080": false,
	} {
		if _, got := v.Endpoint(webHTTP, netip.MustParseAddrPort(text)); got != want {
			t.Errorf("%s: found %v", text, got)
		}
	}
}

// TestZeroValues: views and indexes that never saw a slice answer everything.
func TestZeroValues(t *testing.T) {
	var ix dedup.Index
	for name, v := range map[string]dedup.View{"zero": {}, "merged": dedup.Merge(nil, dedup.Options{}),
		"index": ix.View()} {
		if got := print(v); got != "" {
			t.Errorf("%s: %s", name, got)
		}
		if _, ok := v.Endpoint(webHTTP, netip.AddrPort{}); ok || v.Has(webHTTP.Service) {
			t.Errorf("%s: has something", name)
		}
		if n, known := v.Len(webHTTP); n != 0 || known {
			t.Errorf("%s: knows a port with %d endpoints", name, n)
		}
		for range v.ByTarget(webHTTP.Service) {
			t.Errorf("%s: has a target", name)
		}
	}
	if c := (dedup.Endpoint{}).Candidate(); c.AddressType != "" {
		t.Errorf("the zero Endpoint has address type %s", c.AddressType)
	}
	ix.Delete("default", "web-a")
	ix.Replace(nil)
	if d, p := ix.Flush(); !nothing(d) || p != nil {
		t.Errorf("got %v", d)
	}
}

// first reads one element, and breaks off.
func first[T any](t *testing.T, what string, seq iter.Seq[T]) (e T) {
	n := 0
	for e = range seq {
		n++
		break
	}
	if n != 1 {
		t.Errorf("%s: nothing to read", what)
	}
	return e
}

// TestReadersMayStop: every reader of a view, a delta and a cache stops when the caller breaks off.
func TestReadersMayStop(t *testing.T) {
	a, b, c := slice("a", "10.0.0.1", "10.0.0.2"), slice("b", "10.0.0.1", "10.0.0.2"), slice("c", "10.0.0.1",
		"10.0.0.2")
	b.Labels[discoveryv1.LabelServiceName] = "other"
	c.Endpoints[0].Zone, c.Endpoints[1].Zone = ptr("z"), ptr("z")
	c.Ports = append(c.Ports, discoveryv1.EndpointPort{Name: ptr("more"), Port: ptr(int32(1))})
	ix := newIndex(dedup.Options{})
	ix.Replace([]*discoveryv1.EndpointSlice{a, b, c})
	first(t, "added", flushed(ix)[0].Added())
	v := ix.View()
	first(t, "services", v.Services())
	first(t, "ports", v.Ports(webHTTP.Service))
	first(t, "endpoints", v.Endpoints(webHTTP))
	first(t, "conflicts", v.Conflicts())
	first(t, "targets", v.ByTarget(webHTTP.Service))
	for range v.All() {
		break
	}
	ix.Replace([]*discoveryv1.EndpointSlice{b, c})
	first(t, "changed", flushed(ix)[0].Changed())
	ix.Replace(nil)
	first(t, "removed", flushed(ix)[0].Removed())
	cache := dedup.NewCache[string, string, string](nil)
	cache.Put("g", dedup.Source{}, keyed([]string{"1", "2", "3"}, strings.Clone))
	for range cache.All("g") {
		break
	}
}

// TestEmptyProtocolIsTCP: a port that is asked for without a protocol is the TCP port, and not the
// UDP port of the same name.
func TestEmptyProtocolIsTCP(t *testing.T) {
	s := slice("web-a", "10.0.0.1")
	s.Ports = append(s.Ports, discoveryv1.EndpointPort{Name: ptr("http"), Protocol: ptr(corev1.ProtocolUDP),
		Port: ptr(int32(53))})
	view := dedup.Merge([]*discoveryv1.EndpointSlice{s}, dedup.Options{})
	port := webHTTP
	port.Protocol = ""
	if e, ok := view.Endpoint(port, netip.MustParseAddrPort("10.0.0.1:8080")); !ok || e.Port != 8080 {
		t.Errorf("got %v, %v", e, ok)
	}
	if n, known := view.Len(port); n != 1 || !known {
		t.Errorf("%d endpoints, known %v", n, known)
	}
	for e := range view.Endpoints(port) {
		if e.Port != 8080 {
			t.Errorf("got %v", e)
		}
	}
	if port.String() != webHTTP.String() || port.Compare(webHTTP) != 0 {
		t.Errorf("%v is not %v", port, webHTTP)
	}
}

// TestByTarget: a target is one by its UID, else by kind, namespace and name, whatever slice and
// family its addresses are of; an address without a target is a group of its own.
func TestByTarget(t *testing.T) {
	v4, v6 := slice("web-4", "10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4"), slice("web-6", "fd00::1", "fd00::2",
		"fd00::3", "fd00::4")
	v6.AddressType = discoveryv1.AddressTypeIPv6
	v4.Ports = append(v4.Ports, discoveryv1.EndpointPort{Name: ptr("admin"), Port: ptr(int32(9090))})
	moved := slice("web-5", "10.0.0.1")
	moved.Ports[0].Port = ptr(int32(8079))
	for _, s := range []*discoveryv1.EndpointSlice{v4, v6, moved} {
		s.Endpoints[0].TargetRef = &corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: s.Name, UID: "u"}
		if s == moved {
			continue
		}
		s.Endpoints[1].TargetRef = &corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "web-0"}
		s.Endpoints[2].TargetRef = &corev1.ObjectReference{Kind: "Pod", Namespace: s.Name, Name: "web-0"}
	}
	var got []string
	view := dedup.Merge([]*discoveryv1.EndpointSlice{v6, v4, moved}, dedup.Options{})
	for group := range view.ByTarget(webHTTP.Service) {
		text := ""
		for _, p := range group {
			text += fmt.Sprint(p.Endpoint, " ")
		}
		got = append(got, text)
	}
	want := []string{
		"10.0.0.1:9090 10.0.0.1:8079 10.0.0.1:8080 [fd00::1]:8080 ", "10.0.0.2:9090 10.0.0.2:8080 [fd00::2]:8080 ",
		"10.0.0.3:9090 10.0.0.3:8080 ", "10.0.0.4:9090 10.0.0.4:8080 ", "[fd00::3]:8080 ", "[fd00::4]:8080 ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
