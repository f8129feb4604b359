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
// and again when it comes back. What every Pod goes through is none.
func TestSkipsAreReported(t *testing.T) {
	t.Parallel()
	recorder := events.NewFakeRecorder(100)
	var logged []string
	ctx := log.IntoContext(t.Context(), funcr.New(func(_, args string) { logged = append(logged, args) }, funcr.Options{}))
	r, svc := &reconciler{events: recorder}, &corev1.Service{}
	pod := func(name string) *corev1.Pod {
		p := &corev1.Pod{}
		p.Name, p.Status.PodIP = name, "10.0.0.1"
		return p
	}
	broken := errors.New("unexpected end of JSON input")
	starting := pod("starting")
	starting.Status.PodIP = ""
	for i, row := range []struct {
		skips []service.Skip
		want  []string // beginnings of the events
	}{
		{[]service.Skip{{Pod: starting, Reason: service.NoAddress}, {Pod: pod("done"), Reason: service.PodFinished}}, nil},
		{
			[]service.Skip{{Pod: pod("b"), Reason: service.NoAddress}, {Pod: pod("c"), Reason: service.AddressesUnread, Err: broken},
				{Pod: pod("a"), Reason: service.NoAddress}, {Pod: pod("a"), Reason: service.NoAddressOfType, AddressType: discoveryv1.AddressTypeIPv6}},
			[]string{
				"Warning PodSkipped 2 Pods, such as a: no-address: the Pod has no address on this network",
				"Warning PodSkipped Pod c: addresses-unread: the annotation k8s.v1.cni.cncf.io/network-status cannot be read: unexpected end",
				"Warning PodSkipped Pod a: no-address-of-type IPv6",
			},
		},
		{[]service.Skip{{Pod: pod("z"), Reason: service.NoAddress}}, nil}, // still so
		{nil, nil},
		{[]service.Skip{{Pod: pod("z"), Reason: service.NoAddress}}, []string{"Warning PodSkipped Pod z: no-address"}},
	} {
		logged = nil
		r.report(ctx, svc, slicer.Stats{}, slicer.Plan{}, row.skips)
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
		return c.lacks("PodSkipped 2 Pods, such as garbled-0: addresses-unread", "PodSkipped Pod elsewhere: no-address")
	})
}
