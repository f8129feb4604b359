package dedup_test

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/dedup"
)

// TestDeltaStops: the readers of a Delta stop when the caller breaks off, and may read it again.
func TestDeltaStops(t *testing.T) {
	ix, list := newIndex(dedup.Options{}), manySlices(10)
	first := func(list ...iter.Seq[dedup.Endpoint]) (all []string) {
		for _, seq := range list {
			for range 2 {
				for e := range seq {
					all = append(all, e.NodeName)
					break
				}
			}
		}
		return all
	}
	ix.Upsert(list[0])
	added := flushed(ix)[0]
	other := list[0].DeepCopy()
	for i := range other.Endpoints {
		other.Endpoints[i].NodeName = ptr("other")
	}
	ix.Upsert(other)
	changed := flushed(ix)[0]
	ix.Delete(other.Namespace, other.Name)
	removed := flushed(ix)[0]
	if got := first(added.Added(), added.Removed(), changed.Added(), removed.Removed()); !slices.Equal(got, []string{"node-0", "node-0", "other", "other"}) {
		t.Errorf("got %v", got)
	}
	n := 0
	for c := range changed.Changed() {
		if n++; c.Old.NodeName != "node-0" || c.New.NodeName != "other" || c.Fields != dedup.FieldNodeName {
			t.Errorf("got %+v", c)
		}
		break
	}
	if n != 1 {
		t.Errorf("read %d changes", n)
	}
	for d, want := range map[*dedup.Delta]string{&added: "10 0 0", &changed: "0 0 10", &removed: "0 10 0"} {
		if got := fmt.Sprintln(d.Counts()); got != want+"\n" {
			t.Errorf("%s: counts %s", d, got)
		}
	}
}

// TestDeltaOfAsMany: where as many come as go, or change, that is still a delta.
func TestDeltaOfAsMany(t *testing.T) {
	ix := newIndex(dedup.Options{})
	ix.Upsert(slice("web-a", "10.0.0.1", "10.0.0.2"))
	ix.Flush()
	s := slice("web-a", "10.0.0.2", "10.0.0.3")
	ix.Upsert(s)
	if deltas := flushed(ix); len(deltas) != 1 || deltas[0].String() != "default/web:http/TCP +10.0.0.3:8080 -10.0.0.1:8080" {
		t.Errorf("got %v", deltas)
	}
	s = slice("web-a", "10.0.0.2")
	s.Endpoints[0].Zone = ptr("z")
	ix.Upsert(s)
	if deltas := flushed(ix); len(deltas) != 1 || deltas[0].String() != "default/web:http/TCP ~10.0.0.2:8080(zone) -10.0.0.3:8080" {
		t.Errorf("got %v", deltas)
	}
	s = slice("web-a", "10.0.0.2", "10.0.0.4")
	ix.Upsert(s)
	if deltas := flushed(ix); len(deltas) != 1 || deltas[0].String() != "default/web:http/TCP +10.0.0.4:8080 ~10.0.0.2:8080(zone)" {
		t.Errorf("got %v", deltas)
	}
}

// TestOriginIsAChange: that a port has another application protocol, or the slice another label that is asked for, is a change of
// its endpoints; of another port or label it is none.
func TestOriginIsAChange(t *testing.T) {
	ix := newIndex(dedup.Options{Labels: []string{labelCluster}})
	s := slice("web-a", "10.0.0.1")
	s.Labels[labelCluster] = "east"
	s.Ports = append(s.Ports, discoveryv1.EndpointPort{Name: ptr("metrics"), Port: ptr(int32(9090))})
	ix.Upsert(s)
	ix.Flush()
	old := ix.View()
	for _, row := range []struct {
		why    string
		change func(*discoveryv1.EndpointSlice)
		want   string
	}{
		{"a label that nobody asks for", func(s *discoveryv1.EndpointSlice) { s.Labels["team"] = "blue" }, ""},
		{"an application protocol", func(s *discoveryv1.EndpointSlice) { s.Ports[0].AppProtocol = ptr("kubernetes.io/h2c") },
			"default/web:http/TCP ~10.0.0.1:8080(appProtocol)"},
		{"that of another port", func(s *discoveryv1.EndpointSlice) { s.Ports[1].AppProtocol = ptr("http") },
			"default/web:metrics/TCP ~10.0.0.1:9090(appProtocol)"},
		{"the cluster", func(s *discoveryv1.EndpointSlice) { s.Labels[labelCluster] = "west" },
			"default/web:http/TCP ~10.0.0.1:8080(labels) default/web:metrics/TCP ~10.0.0.1:9090(labels)"},
		{"no cluster", func(s *discoveryv1.EndpointSlice) { delete(s.Labels, labelCluster) },
			"default/web:http/TCP ~10.0.0.1:8080(labels) default/web:metrics/TCP ~10.0.0.1:9090(labels)"},
	} {
		s = s.DeepCopy()
		row.change(s)
		ix.Upsert(s)
		texts := []string{}
		for _, d := range flushed(ix) {
			texts = append(texts, d.String())
		}
		if got := strings.Join(texts, " "); got != row.want {
			t.Errorf("%s: got %q, want %q", row.why, got, row.want)
		}
	}
	for e := range old.Endpoints(webHTTP) {
		if e.Labels[labelCluster] != "east" || e.AppProtocol != "" {
			t.Errorf("an old view has another endpoint now: %+v", e)
		}
	}
	for e := range ix.View().Endpoints(webHTTP) {
		if e.Labels != nil || e.AppProtocol != "kubernetes.io/h2c" {
			t.Errorf("got %+v", e)
		}
	}
}
