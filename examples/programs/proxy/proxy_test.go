package proxy

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	corelisters "k8s.io/client-go/listers/core/v1"
	discoverylisters "k8s.io/client-go/listers/discovery/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/dedup/deduptest"
	"github.com/slicewright/slicewright/dedup/routing"
)

// informer calls the handler that it is given when the test says so.
type informer struct {
	cache.SharedIndexInformer
	store   cache.Indexer
	handler cache.ResourceEventHandler
}

func newInformer() *informer {
	return &informer{store: cache.NewIndexer(cache.MetaNamespaceKeyFunc,
		cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})}
}

func (i *informer) AddEventHandler(h cache.ResourceEventHandler) (cache.ResourceEventHandlerRegistration, error) {
	i.handler = h
	return i, nil
}

// HasSynced makes the informer the registration of its handler.
func (i *informer) HasSynced() bool { return true }

// tell stores an object, and tells of it as an informer does. A tombstone has the object as it was
// when it was last seen.
func (i *informer) tell(t *testing.T, old, now metav1.Object, tombstone bool) {
	var err error
	switch {
	case now == nil && tombstone:
		err = i.store.Delete(old)
		i.handler.OnDelete(cache.DeletedFinalStateUnknown{Key: old.GetNamespace() + "/" + old.GetName(), Obj: old})
	case now == nil:
		err = i.store.Delete(old)
		i.handler.OnDelete(old)
	case old == nil:
		err = i.store.Add(now)
		i.handler.OnAdd(now, false)
	default:
		err = i.store.Update(now)
		i.handler.OnUpdate(old, now)
	}
	if err != nil {
		t.Error(err)
	}
}

type serviceInformer struct{ *informer }

func (i serviceInformer) Informer() cache.SharedIndexInformer { return i.informer }
func (i serviceInformer) Lister() corelisters.ServiceLister {
	return corelisters.NewServiceLister(i.store)
}

type sliceInformer struct{ *informer }

func (i sliceInformer) Informer() cache.SharedIndexInformer { return i.informer }
func (i sliceInformer) Lister() discoverylisters.EndpointSliceLister {
	return discoverylisters.NewEndpointSliceLister(i.store)
}

type nodeInformer struct{ *informer }

func (i nodeInformer) Informer() cache.SharedIndexInformer { return i.informer }
func (i nodeInformer) Lister() corelisters.NodeLister      { return corelisters.NewNodeLister(i.store) }

// cluster is a Proxy with what it has programmed.
type cluster struct {
	*testing.T
	proxy    *Proxy
	slices   sliceInformer
	services serviceInformer
	nodes    nodeInformer
	rules    map[types.NamespacedName][]Rule
}

// newCluster returns a Proxy on a Node in a zone, whose first lists are complete.
func newCluster(t *testing.T, at routing.Location) *cluster {
	w := &cluster{T: t, slices: sliceInformer{newInformer()}, services: serviceInformer{newInformer()},
		nodes: nodeInformer{newInformer()}, rules: map[types.NamespacedName][]Rule{}}
	var err error
	w.proxy, err = New(w.slices, w.services, w.nodes, at.NodeName, func(name types.NamespacedName, rules []Rule) {
		w.rules[name] = rules
	})
	if err != nil {
		t.Fatal(err)
	}
	w.nodes.tell(t, nil, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: at.NodeName,
		Labels: map[string]string{corev1.LabelTopologyZone: at.Zone}}}, false)
	w.proxy.synced = nil // so that Run does not wait
	if err := w.proxy.Run(t.Context()); err != nil {
		t.Error(err)
	}
	return w
}

// TestProxyUnderTheKit tells the proxy of slices as an informer may: tombstones, relists that are
// late, doubled deletes.
func TestProxyUnderTheKit(t *testing.T) {
	o := deduptest.Options{Histories: 400}
	deduptest.Run(t, o, func() deduptest.Reader {
		clusters, told := map[routing.Location]*cluster{{}: newCluster(t, routing.Location{})}, []deduptest.Event(nil)
		tell := func(w *cluster, e deduptest.Event) {
			var old, now metav1.Object
			if e.Old != nil {
				old = e.Old
			}
			if e.New != nil {
				now = e.New
				w.publish(e.New)
			}
			w.slices.tell(t, old, now, e.Tombstone)
		}
		seen := func(w *cluster) (list []deduptest.Seen) {
			for service, rules := range w.rules {
				for _, r := range rules {
					for _, e := range r.Internal {
						s := "ready"
						if e.Conditions != (conditions.State{Ready: true, Serving: true}) {
							s = ""
						}
						list = append(list, deduptest.Seen{Service: service, Port: r.Port.Name, Protocol: r.Port.Protocol,
							Address: e.Host(), Number: e.Port, State: s})
					}
				}
			}
			return list
		}
		return deduptest.Reader{
			Event: func(e deduptest.Event) {
				told = append(told, e)
				for _, w := range clusters {
					tell(w, e)
				}
			},
			See: func() []deduptest.Seen { return seen(clusters[routing.Location{}]) },
			Use: func(at routing.Location) []deduptest.Seen {
				if clusters[at] == nil {
					clusters[at] = newCluster(t, at)
					for _, e := range told {
						tell(clusters[at], e)
					}
				}
				return seen(clusters[at])
			},
		}
	})
}

// publish gives the Service of a slice the slice's ports.
func (w *cluster) publish(s *discoveryv1.EndpointSlice) {
	name := s.Labels[discoveryv1.LabelServiceName]
	if name == "" {
		return
	}
	svc := clusterIP(s.Namespace, name)
	svc.Spec.Ports = nil
	if old, err := w.services.Lister().Services(s.Namespace).Get(name); err == nil {
		svc.Spec.Ports = slices.Clone(old.Spec.Ports)
	}
	for _, p := range s.Ports {
		port := corev1.ServicePort{Protocol: corev1.ProtocolTCP}
		if p.Name != nil {
			port.Name = *p.Name
		}
		if p.Protocol != nil {
			port.Protocol = *p.Protocol
		}
		if !slices.Contains(svc.Spec.Ports, port) {
			svc.Spec.Ports = append(svc.Spec.Ports, port)
		}
	}
	if err := w.services.store.Add(svc); err != nil {
		w.Error(err)
	}
}

// clusterIP is a dual-stack Service with port http.
func clusterIP(namespace, name string) *corev1.Service {
	return &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}, Spec: corev1.ServiceSpec{
		Type: corev1.ServiceTypeClusterIP, ClusterIP: "10.96.0.1", ClusterIPs: []string{"10.96.0.1", "fd00:1::1"},
		IPFamilies: []corev1.IPFamily{corev1.IPv4Protocol, corev1.IPv6Protocol},
		Ports:      []corev1.ServicePort{{Name: "http", Protocol: corev1.ProtocolTCP}},
	}}
}
