package network

import (
	"errors"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/event"

	"github.com/slicewright/slicewright/slicer"
)

// TestWarningsAreReported: a warning is an event if it differs from what was reported last.
func TestWarningsAreReported(t *testing.T) {
	recorder := events.NewFakeRecorder(100)
	c, svc := &Controller{events: recorder}, &corev1.Service{}
	broken := slicer.Notice{Reason: "AddressesUnread", Err: errors.New("why"),
		Object: corev1.ObjectReference{Kind: "Pod", Name: "b"}}
	for i, row := range []struct {
		warnings slicer.Notices
		want     string
	}{
		{nil, ""},
		{slicer.Notices{broken}, "Warning AddressesUnread Pod b: AddressesUnread: why"},
		{slicer.Notices{broken}, ""}, // still so
		{nil, ""},
		{slicer.Notices{broken}, "Warning AddressesUnread Pod b: AddressesUnread: why"},
	} {
		c.report(t.Context(), svc, slicer.Plan{Warnings: row.warnings})
		got := ""
		for len(recorder.Events) > 0 {
			got += <-recorder.Events
		}
		if got != row.want {
			t.Errorf("%d: got %q, want %q", i, got, row.want)
		}
	}
}

// TestAddresses: whatever is in the annotation, addresses are those of the network named, or none.
// A status without any is an error.
func TestAddresses(t *testing.T) {
	for _, row := range []struct{ why, network, status, want string }{
		{"no annotation yet", "net", ``, ""},
		{"not JSON", "net", `[{`, ""},
		{"not a list", "net", `{"name":"ns/net","ips":["10.0.0.1"]}`, ""},
		{"Multus puts the namespace in front", "net", `[{"name":"ns/net","ips":["10.0.0.1","fd00::1"]}]`, "10.0.0.1 fd00::1"},
		{"another namespace's network of that name", "net", `[{"name":"other/net","ips":["10.0.0.1"]}]`, ""},
		{"a network of another namespace", "other/net", `[{"name":"other/net","ips":["10.0.0.1"]}]`, "10.0.0.1"},
		{"the cluster's own network has no namespace", "cbr0", `[{"name":"cbr0","ips":["10.0.0.1"],"default":true}]`, "10.0.0.1"},
		{"two interfaces", "net", `[{"name":"ns/net","ips":["10.0.0.1"]},{"name":"ns/net","ips":["10.0.0.2"]}]`, "10.0.0.1 10.0.0.2"},
		{"no addresses", "net", `[{"name":"ns/net"}]`, ""},
	} {
		pod := &corev1.Pod{}
		pod.Namespace, pod.Annotations = "ns", map[string]string{Status: row.status}
		ips, err := addresses(row.network)(pod)
		if got := strings.Join(ips, " "); got != row.want {
			t.Errorf("%s: %q, want %q", row.why, got, row.want)
		}
		if missing := row.status != "" && row.want == ""; missing != errors.As(err, new(*field.Error)) {
			t.Errorf("%s: error %v", row.why, err)
		}
	}
}

// TestPodChanges: a change of the network status causes a sync, and one of another annotation does
// not.
func TestPodChanges(t *testing.T) {
	for annotation, want := range map[string]bool{Status: true, "backup.example.com/last": false} {
		was, is := &corev1.Pod{}, &corev1.Pod{}
		is.Annotations = map[string]string{annotation: "now"}
		if got := podChanges.Update(event.UpdateEvent{ObjectOld: was, ObjectNew: is}); got != want {
			t.Errorf("%s: causes a sync: %t", annotation, got)
		}
	}
}
