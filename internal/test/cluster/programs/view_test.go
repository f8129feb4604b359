package cluster

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/slicewright/slicewright/examples/controller/network"
)

// view is what somebody sees who watches the controller's slices in a namespace: one event after the other.
type view struct {
	mu     sync.Mutex
	slices map[string]*discoveryv1.EndpointSlice
	stay   map[string]bool // addresses that may never be missing; false: once they were seen
	gaps   []string
	events []string
}

// newView watches until the context ends. A watch that is cut begins again with a list, which counts as one event.
func newView(ctx context.Context, config *rest.Config, namespace string) *view {
	v := &view{slices: map[string]*discoveryv1.EndpointSlice{}, stay: map[string]bool{}}
	client := kubernetes.NewForConfigOrDie(config).DiscoveryV1().EndpointSlices(namespace)
	o := metav1.ListOptions{LabelSelector: discoveryv1.LabelManagedBy + "=" + network.ManagedBy}
	go func() {
		for ; ctx.Err() == nil; time.Sleep(50 * time.Millisecond) {
			list, err := client.List(ctx, o)
			if err != nil {
				continue
			}
			v.replace(list.Items)
			from := o
			from.ResourceVersion = list.ResourceVersion
			if w, err := client.Watch(ctx, from); err == nil {
				for event := range w.ResultChan() {
					if s, ok := event.Object.(*discoveryv1.EndpointSlice); ok {
						v.see(event.Type, s)
					}
				}
			}
		}
	}()
	return v
}

func (v *view) replace(list []discoveryv1.EndpointSlice) {
	v.mu.Lock()
	defer v.mu.Unlock()
	clear(v.slices)
	for i := range list {
		v.slices[list[i].Name] = &list[i]
	}
	v.note("LISTED")
}

func (v *view) see(kind watch.EventType, s *discoveryv1.EndpointSlice) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if kind == watch.Deleted {
		delete(v.slices, s.Name)
	} else {
		v.slices[s.Name] = s
	}
	v.note(fmt.Sprintf("%s %s %v", kind, s.Name, addressesOf(s)))
}

// note checks for gaps after an event.
func (v *view) note(event string) {
	v.events = append(v.events, event)
	seen := map[string]bool{}
	for _, s := range v.slices {
		for _, a := range addressesOf(s) {
			seen[a] = true
			if _, followed := v.stay[a]; followed {
				v.stay[a] = true
			}
		}
	}
	for a, now := range v.stay {
		if now && !seen[a] {
			recent := v.events[max(0, len(v.events)-10):]
			v.gaps = append(v.gaps, fmt.Sprintf("%s is missing after\n\t%s", a, strings.Join(recent, "\n\t")))
		}
	}
}

// expect adds an address that, once seen, may never be missing.
func (v *view) expect(address string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.stay[address] = false
}

// release takes addresses back: from now on they may go.
func (v *view) release(addresses ...string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, a := range addresses {
		delete(v.stay, a)
	}
}

// shows reports whether the view is of exactly these slices.
func (v *view) shows(list []discoveryv1.EndpointSlice) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, s := range list {
		if seen := v.slices[s.Name]; seen == nil || seen.ResourceVersion != s.ResourceVersion {
			return false
		}
	}
	return len(list) == len(v.slices)
}

func (v *view) missed() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Clone(v.gaps)
}

func addressesOf(s *discoveryv1.EndpointSlice) (list []string) {
	for _, e := range s.Endpoints {
		list = append(list, e.Addresses[0])
	}
	return list
}
