package network

import (
	"errors"
	"strings"
	"testing"

	"github.com/go-logr/logr/funcr"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/service"
)

// TestSkipsAreReported: each cause is an event and a line of the log, once, however many Pods it keeps from being published,
// and again when it comes back.
func TestSkipsAreReported(t *testing.T) {
	recorder := events.NewFakeRecorder(100)
	var logged []string
	ctx := log.IntoContext(t.Context(), funcr.New(func(_, args string) { logged = append(logged, args) }, funcr.Options{}))
	c, svc := &Controller{events: recorder}, &corev1.Service{}
	pod := func(name string) corev1.ObjectReference { return corev1.ObjectReference{Kind: "Pod", Name: name} }
	broken := errors.New("unexpected end of JSON input")
	missing := errors.New("no address")
	for i, row := range []struct {
		skips []slicer.Skip
		want  []string // beginnings of the events
	}{
		{
			[]slicer.Skip{{Object: pod("b"), Reason: service.NoAddress, Err: missing}, {Object: pod("c"), Reason: service.AddressesUnread, Err: broken},
				{Object: pod("a"), Reason: service.NoAddress, Err: missing}, {Object: pod("a"), Reason: service.NoAddressOfType, AddressType: discoveryv1.AddressTypeIPv6, Err: errors.New("it has no IPv6 address")}},
			[]string{
				"Warning NoAddress 2 Pods, such as a: the Pod has no address on this network",
				"Warning AddressesUnread Pod c: the annotation k8s.v1.cni.cncf.io/network-status cannot be read: unexpected end",
				"Warning NoAddressOfType Pod a: it has no IPv6 address",
			},
		},
		{[]slicer.Skip{{Object: pod("z"), Reason: service.NoAddress, Err: missing}}, nil}, // still so
		{nil, nil},
		{[]slicer.Skip{{Object: pod("z"), Reason: service.NoAddress, Err: missing}}, []string{"Warning NoAddress Pod z: the Pod"}},
	} {
		logged = nil
		c.report(ctx, svc, slicer.Stats{}, slicer.Plan{Skips: row.skips})
		var got []string
		for len(recorder.Events) > 0 {
			got = append(got, <-recorder.Events)
		}
		if len(got) != len(row.want) || len(logged) != len(row.want) {
			t.Errorf("%d: %d events and %d lines: %s\n%s", i, len(got), len(logged), strings.Join(got, "\n"), strings.Join(logged, "\n"))
			continue
		}
		for j := range got {
			if !strings.HasPrefix(got[j], row.want[j]) {
				t.Errorf("%d: got %s\nwant %s", i, got[j], row.want[j])
			}
		}
	}
}

// TestAddresses: whatever is in the annotation, addresses are those of the network named, or none. What is no status at
// all is an error.
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
		if malformed := strings.HasPrefix(row.why, "not "); malformed != (err != nil) {
			t.Errorf("%s: error %v", row.why, err)
		}
	}
}
