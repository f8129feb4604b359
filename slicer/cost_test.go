package slicer_test

import (
	"bytes"
	"fmt"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/watch"
	"pgregory.net/rapid"

	check "github.com/slicewright/slicewright/internal/test/check/slices"
	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/internal/test/given"
	"github.com/slicewright/slicewright/slicer"
)

// TestCostIsWhatGoesOverTheWire encodes every object of random plans with the serializers of an API server, for storage
// and for a watch, and adds up the bytes.
func TestCostIsWhatGoesOverTheWire(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := gen.World(t)
		plan, err := in.Compute()
		if check.Mistake(err) && in.Options.Invalid == slicer.Fail {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		watchers := rapid.IntRange(0, 3).Draw(t, "watchers")
		if have, want := plan.Cost(watchers), encoded(t, plan, watchers); have != want {
			t.Fatalf("cost %+v, encoding gives %+v\n%v", have, want, plan)
		}
	})
	// Lengths of one, two and three bytes.
	for _, n := range []int{0, 1, 100, 1000} {
		in := gen.First(gen.Service(n))
		in.Options.MaxEndpointsPerSlice = 1000
		plan, err := in.Compute()
		if err != nil {
			t.Fatal(err)
		}
		if have, want := plan.Cost(7), encoded(t, plan, 7); have != want {
			t.Errorf("%d endpoints: cost %+v, encoding gives %+v", n, have, want)
		}
	}
}

type fataler interface{ Fatal(args ...any) }

// encoded is the cost as the bytes of real encodings.
func encoded(t fataler, plan slicer.Plan, watchers int) slicer.Cost {
	c := slicer.Cost{Writes: len(plan.Steps), Objects: len(plan.After()), WatchEvents: len(plan.Steps) * watchers}
	for _, s := range plan.Steps {
		event, object := watch.Modified, s.New
		if s.Old == nil {
			event = watch.Added
		} else if s.New == nil {
			event, object = watch.Deleted, s.Old
		}
		c.SentBytes += int64(watchers * len(onTheWire(t, event, object)))
		if s.New != nil {
			stored := s.New.DeepCopy()
			stored.ResourceVersion = "" // etcd has it beside the object
			size := len(inStorage(t, stored))
			c.StoredBytes += int64(size)
			c.LargestObject = max(c.LargestObject, size)
		}
	}
	return c
}

func inStorage(t fataler, s *discoveryv1.EndpointSlice) []byte {
	scheme := runtime.NewScheme()
	s = s.DeepCopy()
	s.APIVersion, s.Kind = "discovery.k8s.io/v1", "EndpointSlice"
	var out bytes.Buffer
	if err := protobuf.NewSerializer(scheme, scheme).Encode(s, &out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// onTheWire is a frame of a response with content type application/vnd.kubernetes.protobuf;stream=watch.
func onTheWire(t fataler, event watch.EventType, s *discoveryv1.EndpointSlice) []byte {
	scheme := runtime.NewScheme()
	var message, out bytes.Buffer
	e := &metav1.WatchEvent{Type: string(event), Object: runtime.RawExtension{Raw: inStorage(t, s)}}
	if err := protobuf.NewRawSerializer(scheme, scheme).Encode(e, &message); err != nil {
		t.Fatal(err)
	}
	if _, err := protobuf.LengthDelimitedFramer.NewFrameWriter(&out).Write(message.Bytes()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestLargestObjectFitsIntoStorage: the largest slices there are stay far below what etcd takes (S31).
func TestLargestObjectFitsIntoStorage(t *testing.T) {
	in := gen.First(gen.Service(1000))
	in.Options.MaxEndpointsPerSlice = 1000
	if largest := computed(t, in).Cost(1).LargestObject; largest < 100_000 || largest > 1_500_000/4 {
		t.Errorf("a slice of 1000 endpoints has %d bytes", largest)
	}
}

// TestKEP752 reproduces the estimation of KEP-752: writes, objects and watch events to the letter, bytes within their
// order of magnitude. The KEP's endpoints have 100 bytes each; these have 120, with a target, a node and a zone.
func TestKEP752(t *testing.T) {
	const kB, MB, GB = 1000, 1000 * 1000, 1000 * 1000 * 1000
	for _, c := range []struct {
		why                     string
		endpoints, perSlice     int
		nodes                   int
		do                      func(given.World) given.World
		times                   int // the plan is one of so many
		writes, objects, events int
		object, sent            int64
	}{
		{why: "20 000 endpoints are created in 200 writes", endpoints: 20000, perSlice: 100, nodes: 5000,
			do: gen.First, writes: 200, objects: 200, events: 1_000_000, object: 10 * kB, sent: 10 * GB},
		{why: "one to a slice, in 20 000", endpoints: 20000, perSlice: 1, nodes: 5000,
			do: gen.First, writes: 20000, objects: 20000, events: 100_000_000, object: 1 * kB, sent: 10 * GB},
		{why: "one endpoint changes", endpoints: 20000, perSlice: 100, nodes: 5000,
			do: oneChanged, writes: 1, objects: 200, events: 5000, object: 10 * kB, sent: 50 * MB},
		{why: "one endpoint changes, one to a slice", endpoints: 2000, perSlice: 1, nodes: 5000,
			do: oneChanged, writes: 1, objects: 2000, events: 5000, object: 1 * kB, sent: 5 * MB},
		{why: "a rolling update that changes each endpoint alone: 20 000 writes", endpoints: 20000, perSlice: 100, nodes: 5000,
			do: oneReplaced, times: 20000, writes: 20000, objects: 200, events: 5000 * 20000, object: 10 * kB, sent: 1000 * GB},
		{why: "20 endpoints are created in one write", endpoints: 20, perSlice: 100, nodes: 10,
			do: gen.First, writes: 1, objects: 1, events: 10, object: 1 * kB, sent: 10 * kB},
		{why: "20 endpoints, one to a slice", endpoints: 20, perSlice: 1, nodes: 10,
			do: gen.First, writes: 20, objects: 20, events: 200, object: 1 * kB, sent: 200 * kB},
		{why: "one of 20 changes: an event to each of ten nodes, where the KEP's table has 1 in all", endpoints: 20, perSlice: 100,
			nodes: 10, do: oneChanged, writes: 1, objects: 1, events: 10, object: 1 * kB, sent: 10 * kB},
		{why: "a rolling update of 20", endpoints: 20, perSlice: 100, nodes: 10,
			do: oneReplaced, times: 20, writes: 20, objects: 1, events: 200, object: 1 * kB, sent: 200 * kB},
	} {
		in := kepService(t, c.endpoints, c.perSlice)
		have := computedUnchecked(t, c.do(in)).Cost(c.nodes)
		times := max(1, c.times)
		if w, o, e := have.Writes*times, have.Objects, have.WatchEvents*times; w != c.writes || o != c.objects || e != c.events {
			t.Errorf("%s: %d writes, %d objects, %d events", c.why, w, o, e)
		}
		if object, sent := int64(have.LargestObject), have.SentBytes*int64(times); !sameOrder(object, c.object) || !sameOrder(sent, c.sent) {
			t.Errorf("%s: objects of %d bytes, %d bytes sent", c.why, object, sent)
		}
	}
}

// kepService is a Service with one port, and endpoints as the control plane derives them.
func kepService(t *testing.T, endpoints, perSlice int) given.World {
	in := gen.First(gen.Service(endpoints))
	in.Options.MaxEndpointsPerSlice = perSlice
	in.Existing = computedUnchecked(t, in).After()
	return in
}

func computedUnchecked(t *testing.T, in given.World) slicer.Plan {
	t.Helper()
	plan, err := in.Compute()
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

func oneChanged(in given.World) given.World {
	*in.Groups[0].Endpoints[7].Conditions.Ready = false
	return in
}

func oneReplaced(in given.World) given.World {
	in.Groups[0].Endpoints[7].Addresses = []string{"192.0.2.1"}
	return in
}

// sameOrder allows for a factor of five either way.
func sameOrder(a, b int64) bool { return a < 5*b && b < 5*a }

func ExampleCost() {
	in := gen.First(gen.Service(250))
	plan, err := in.Compute()
	c := plan.Cost(5000)
	fmt.Println(c.Writes, "writes of at most", c.LargestObject, "bytes,", c.SentBytes/1_000_000, "MB to 5000 nodes", err)
	// Output: 3 writes of at most 12005 bytes, 149 MB to 5000 nodes <nil>
}
