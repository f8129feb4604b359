package size

import (
	"bytes"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
)

// TestFieldSize pins where the length of a protobuf field takes one byte more.
func TestFieldSize(t *testing.T) {
	for n, head := range map[int]int{0: 2, 1: 2, 127: 2, 128: 3, 16383: 3, 16384: 4, 1<<21 - 1: 4, 1 << 21: 5} {
		if have := fieldSize(n); have != n+head {
			t.Errorf("a field of %d bytes takes %d, want %d", n, have, n+head)
		}
	}
}

// TestSizes encodes slices of all sizes around a limit with the serializers of an API server.
func TestSizes(t *testing.T) {
	for _, n := range []int{0, 1, 40, 90, 100, 110, 127, 128, 200, 16_200, 16_300, 16_384} {
		s := &discoveryv1.EndpointSlice{ObjectMeta: metav1.ObjectMeta{Name: strings.Repeat("a", n), ResourceVersion: "7"}}
		watched, err := encoded(s)
		if err != nil {
			t.Fatal(err)
		}
		event, err := frame("MODIFIED", watched)
		if err != nil {
			t.Fatal(err)
		}
		if have := Event("MODIFIED", s); have != len(event) {
			t.Errorf("a name of %d bytes: an event of %d, want %d", n, have, len(event))
		}
		have := Stored(s)
		s.ResourceVersion = "" // etcd has it beside the object
		stored, err := encoded(s)
		if err != nil {
			t.Fatal(err)
		}
		if have != len(stored) {
			t.Errorf("a name of %d bytes: stored as %d, want %d", n, have, len(stored))
		}
	}
}

// encoded is a slice as it is in storage.
func encoded(s *discoveryv1.EndpointSlice) ([]byte, error) {
	s = s.DeepCopy()
	s.APIVersion, s.Kind = "discovery.k8s.io/v1", "EndpointSlice"
	var out bytes.Buffer
	scheme := runtime.NewScheme()
	err := protobuf.NewSerializer(scheme, scheme).Encode(s, &out)
	return out.Bytes(), err
}

// frame is a frame of a response with content type application/vnd.kubernetes.protobuf;stream=watch.
func frame(event string, object []byte) ([]byte, error) {
	var message, out bytes.Buffer
	scheme := runtime.NewScheme()
	e := &metav1.WatchEvent{Type: event, Object: runtime.RawExtension{Raw: object}}
	if err := protobuf.NewRawSerializer(scheme, scheme).Encode(e, &message); err != nil {
		return nil, err
	}
	_, err := protobuf.LengthDelimitedFramer.NewFrameWriter(&out).Write(message.Bytes())
	return out.Bytes(), err
}
