package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/dedup"
)

// TestForeignSlices: slices without a Service are one line of the log, however many, and once.
func TestForeignSlices(t *testing.T) {
	var text bytes.Buffer
	log.SetOutput(&text)
	t.Cleanup(func() { log.SetOutput(os.Stderr) })
	c, s := newCaches(1), newStore(&dedup.Index{})
	for i := range 50 {
		foreign := sliceOf(t, fmt.Sprint("other-", i), "", "1 a ++-")
		delete(foreign.Labels, discoveryv1.LabelServiceName)
		if err := s.Update(foreign); err != nil {
			t.Fatal(err)
		}
	}
	s.publish(c)
	s.publish(c)
	if got := text.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "passed over: 50 now, the first: shop/other-0") {
		t.Errorf("got %s", got)
	}
}

// TestTargetIsNotPushed: that an address stands for another Pod now is no news for clients, and that it is in another zone is.
func TestTargetIsNotPushed(t *testing.T) {
	c, s := newCaches(1), newStore(&dedup.Index{})
	web := sliceOf(t, "web-1", "web", "1 a ++-")
	publish := func(change func(*discoveryv1.EndpointSlice)) *servicePort {
		t.Helper()
		web = web.DeepCopy()
		change(web)
		if err := s.Update(web); err != nil {
			t.Fatal(err)
		}
		s.publish(c)
		return c.endpoints.now.ports["web.shop:grpc"]
	}
	first := publish(func(*discoveryv1.EndpointSlice) {})
	other := corev1.ObjectReference{Kind: "Pod", Name: "another"}
	if publish(func(s *discoveryv1.EndpointSlice) { s.Endpoints[0].TargetRef = &other }) != first {
		t.Error("another Pod makes other resources")
	}
	zone := "b"
	if publish(func(s *discoveryv1.EndpointSlice) { s.Endpoints[0].Zone = &zone }) == first {
		t.Error("another zone makes none")
	}
}
