package cluster

import (
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/slicewright/slicewright/examples/programs/multus/network"
)

// electing makes a replica take part in the election, with short leases that it keeps when it ends.
// No other test has one at the same time.
func electing(o *manager.Options) {
	lease, renew, retry := 3*time.Second, 2*time.Second, 200*time.Millisecond
	o.LeaderElection, o.LeaderElectionNamespace = true, account
	o.LeaseDuration, o.RenewDeadline, o.RetryPeriod = &lease, &renew, &retry
}

// wrote reports whether a controller of that name wrote a slice that is there.
func (c *cluster) wrote(name string) bool {
	for _, s := range c.ours() {
		if slices.ContainsFunc(s.ManagedFields, func(f metav1.ManagedFieldsEntry) bool { return f.Manager == name }) {
			return true
		}
	}
	return false
}

// TestHandOver runs two replicas. Only the leader writes; when it ends, the other goes on.
func TestHandOver(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.service("web")
	c.pods("first", 5)
	stop := c.start("first", electing)
	c.converge(5)
	c.start("second", electing)
	c.pods("more", 4)
	c.converge(9)
	if !c.wrote("first") || c.wrote("second") {
		t.Errorf("the leader wrote: %v, the other one did: %v", c.wrote("first"), c.wrote("second"))
	}
	stop()
	c.remove("more-0", "more-1")
	c.converge(7)
	if !c.wrote("second") {
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
	c.start("controller")
	c.event("AddressesUnread", "Pod "+c.namespace+"/garbled: ")
}
