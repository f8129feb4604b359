package cluster

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/slicewright/slicewright/examples/controller/network"
)

// electing makes a replica take part in the election of its namespace, with short leases.
func (c *cluster) electing(_ *network.Controller, o *manager.Options) {
	c.permitLease()
	lease, renew, retry := 3*time.Second, 2*time.Second, 200*time.Millisecond
	o.LeaderElection, o.LeaderElectionNamespace, o.LeaderElectionReleaseOnCancel = true, c.namespace, true
	o.LeaseDuration, o.RenewDeadline, o.RetryPeriod = &lease, &renew, &retry
}

// TestHandOver runs two replicas. Only the leader writes; when it dies, the other goes on.
func TestHandOver(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.service("web")
	c.pods("first", 5)
	first := c.start(&wire{}, c.electing)
	c.converge()
	second := c.start(&wire{}, c.electing)
	c.pods("more", 4)
	c.converge()
	if first.wire.written() == 0 || second.wire.written() != 0 {
		t.Errorf("the leader wrote %d times, the other one %d times", first.wire.written(), second.wire.written())
	}
	first.kill()
	c.remove("more-0", "more-1")
	c.converge()
	if second.wire.written() == 0 {
		t.Error("the second replica did nothing")
	}
}

// TestEvents: the API server takes the controller's event about a Pod that is not published.
func TestEvents(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.service("web")
	c.pod("garbled", "a")
	pod := &corev1.Pod{}
	pod.Namespace, pod.Name = c.namespace, "garbled"
	change(c, pod, func(pod *corev1.Pod) { pod.Annotations[network.Status] = "[{" })
	c.start(&wire{})
	wait(t, "no event", func() string {
		var events eventsv1.EventList
		c.do(c.admin.List(c.Context(), &events, client.InNamespace(c.namespace)))
		all := ""
		for _, e := range events.Items {
			all += e.Reason + " " + e.Note + "\n"
		}
		if !strings.Contains(all, "AddressesUnread Pod "+c.namespace+"/garbled: ") {
			return all
		}
		return ""
	})
}
