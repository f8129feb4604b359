package cost

import (
	"bytes"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/watch"
	"pgregory.net/rapid"

	check "github.com/slicewright/slicewright/internal/test/check/slices"
	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/slicer"
)

// TestCostIsWhatGoesOverTheWire encodes every object of random plans with the serializers of an API
// server, for storage and for a watch, and adds up the bytes.
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
		if have, want := Of(plan, watchers), encoded(t, plan, watchers); have != want {
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
		if have, want := Of(plan, 7), encoded(t, plan, 7); have != want {
			t.Errorf("%d endpoints: cost %+v, encoding gives %+v", n, have, want)
		}
	}
}

type fataler interface{ Fatal(args ...any) }

// encoded is the cost as the bytes of real encodings.
func encoded(t fataler, plan slicer.Plan, watchers int) Cost {
	c := Cost{Writes: len(plan.Steps), Objects: len(plan.After())}
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
			c.StoredBytes += int64(len(inStorage(t, stored)))
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

// onTheWire is a frame of a response with content type
// application/vnd.kubernetes.protobuf;stream=watch.
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
