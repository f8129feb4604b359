package main

import (
	"errors"
	"fmt"
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
	t.Parallel()
	recorder := events.NewFakeRecorder(100)
	var logged []string
	ctx := log.IntoContext(t.Context(), funcr.New(func(_, args string) { logged = append(logged, args) }, funcr.Options{}))
	r, svc := &reconciler{events: recorder}, &corev1.Service{}
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
		r.report(ctx, svc, slicer.Stats{}, slicer.Plan{Skips: row.skips})
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

// TestSkipEvents: the API server takes the events, also of several causes at once, and of a network that no Pod has.
func TestSkipEvents(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	for i := range 2 {
		c.pod(fmt.Sprint("garbled-", i), "a", func(pod *corev1.Pod) { pod.Annotations[status] = "[{" })
	}
	c.pod("elsewhere", "a", func(pod *corev1.Pod) {
		pod.Annotations[status] = strings.ReplaceAll(pod.Annotations[status], "/"+second, "/third")
	})
	c.service("web")
	c.service("nowhere", func(svc *corev1.Service) { svc.Annotations[network] = "nobody-has-it" })
	c.start(&wire{})
	c.wait("no events", func() string {
		return c.lacks("AddressesUnread 2 Pods, such as garbled-0: ", "NoAddress Pod elsewhere: ")
	})
}
