package cluster

import (
	"fmt"
	"hash/crc32"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/cache"
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

// TestHandOver runs two replicas. Only the leader writes; when it stops, and when the next one dies, the other goes on.
func TestHandOver(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.service("web")
	stay := c.pods("stay", 5)
	first := c.start(&wire{}, c.electing)
	c.converge()
	second := c.start(&wire{}, c.electing)
	c.view.keep(stay...)
	c.pods("more", 4)
	c.converge()
	if first.wire.written() == 0 || second.wire.written() != 0 {
		t.Errorf("the leader wrote %d times, the other one %d times", first.wire.written(), second.wire.written())
	}
	first.stop()
	c.remove("more-0", "more-1")
	c.converge()
	if second.wire.written() == 0 {
		t.Error("the second replica did nothing")
	}
	third := c.start(&wire{}, c.electing)
	second.kill()
	c.pods("yet-more", 3)
	c.converge()
	if third.wire.written() == 0 {
		t.Error("the third replica did nothing")
	}
}

// TestShards runs two shards over some namespaces: each has its Services published, by the shard that its name picks.
func TestShards(t *testing.T) {
	t.Parallel()
	const shards = 2
	clusters, config := []*cluster{}, map[string]cache.Config{}
	for picked := map[uint32]int{}; picked[0] < 2 || picked[1] < 2; {
		c := newCluster(t)
		picked[crc32.ChecksumIEEE([]byte(c.namespace))%shards]++
		clusters, config[c.namespace] = append(clusters, c), cache.Config{}
	}
	var mu sync.Mutex
	writers := map[string]bool{}
	for shard := range uint(shards) {
		w := &wire{beforeWrite: func(_ int, r *http.Request) error {
			mu.Lock()
			defer mu.Unlock()
			writers[fmt.Sprintf("%s %d", strings.Split(r.URL.Path, "/")[5], shard)] = true
			return nil
		}}
		clusters[0].start(w, func(r *network.Controller, o *manager.Options) {
			r.Shards, r.Shard, o.Cache.DefaultNamespaces = shards, shard, config
		})
	}
	for _, c := range clusters {
		c.service("web")
		c.pods("web", 4)
	}
	want := map[string]bool{}
	for _, c := range clusters {
		c.converge()
		want[fmt.Sprintf("%s %d", c.namespace, crc32.ChecksumIEEE([]byte(c.namespace))%shards)] = true
	}
	mu.Lock()
	defer mu.Unlock()
	if fmt.Sprint(writers) != fmt.Sprint(want) {
		t.Errorf("namespaces and the shards that wrote there: %v, want %v", writers, want)
	}
}
