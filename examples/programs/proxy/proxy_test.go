package proxy

import (
	"fmt"
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
	w := waiting(t, at.NodeName)
	w.nodes.tell(t, nil, nodeIn(at.NodeName, at.Zone), false)
	w.begin()
	return w
}

// waiting returns a Proxy whose first lists are not complete.
func waiting(t *testing.T, node string) *cluster {
	w := &cluster{T: t, slices: sliceInformer{newInformer()}, services: serviceInformer{newInformer()},
		nodes: nodeInformer{newInformer()}, rules: map[types.NamespacedName][]Rule{}}
	var err error
	w.proxy, err = New(w.slices, w.services, w.nodes, node, func(name types.NamespacedName, rules []Rule) {
		w.rules[name] = rules
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *cluster) begin() {
	w.proxy.synced = nil // so that Run does not wait
	if err := w.proxy.Run(w.Context()); err != nil {
		w.Error(err)
	}
}

func nodeIn(name, zone string) *corev1.Node {
	return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name,
		Labels: map[string]string{corev1.LabelTopologyZone: zone}}}
}

// inside returns the addresses for traffic to the cluster IP.
func (w *cluster) inside() (list []string) {
	for _, rules := range w.rules {
		for _, r := range rules {
			for _, e := range r.Internal {
				list = append(list, e.Host())
			}
		}
	}
	slices.Sort(list)
	return list
}

func (w *cluster) want(want ...string) {
	w.Helper()
	if got := w.inside(); !slices.Equal(got, want) {
		w.Errorf("traffic goes to %q, want %q", got, want)
	}
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

// slice has one endpoint.
func slice(name, address string) *discoveryv1.EndpointSlice {
	port, number, tcp := "http", int32(8080), corev1.ProtocolTCP
	return &discoveryv1.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name,
			Labels: map[string]string{discoveryv1.LabelServiceName: "web"}},
		AddressType: discoveryv1.AddressTypeIPv4,
		Ports:       []discoveryv1.EndpointPort{{Name: &port, Port: &number, Protocol: &tcp}},
		Endpoints:   []discoveryv1.Endpoint{{Addresses: []string{address}}},
	}
}

// TestServices: slices that come before their Service wait for it, and what kube-proxy makes no
// rules for has no endpoints.
func TestServices(t *testing.T) {
	for name, change := range map[string]func(*corev1.Service){
		"headless":        func(s *corev1.Service) { s.Spec.ClusterIP = corev1.ClusterIPNone },
		"ExternalName":    func(s *corev1.Service) { s.Spec.Type, s.Spec.ClusterIP = corev1.ServiceTypeExternalName, "" },
		"another proxy's": func(s *corev1.Service) { s.Labels = map[string]string{"service.kubernetes.io/service-proxy-name": "x"} },
		"no port http any more": func(s *corev1.Service) {
			s.Spec.Ports = []corev1.ServicePort{{Name: "web", Protocol: corev1.ProtocolTCP}}
		},
		"no IPv4 cluster IP":  func(s *corev1.Service) { s.Spec.ClusterIPs = []string{"", "fd00:1::1"} },
		"gone":                nil,
		"gone by a tombstone": nil,
	} {
		t.Run(name, func(t *testing.T) {
			w := newCluster(t, routing.Location{})
			w.slices.tell(t, nil, slice("web-4", "10.0.0.1"), false)
			w.want()
			published := clusterIP("shop", "web")
			w.services.tell(t, nil, published, false)
			w.want("10.0.0.1")
			if change == nil {
				w.services.tell(t, published, nil, name != "gone")
			} else {
				changed := published.DeepCopy()
				change(changed)
				w.services.tell(t, published, changed, false)
			}
			w.want()
		})
	}
}

// TestKindsOfTraffic: for a load balancer whose traffic policies are both Local, traffic stays on
// the node, except that of clients inside the cluster to the load balancer's address.
func TestKindsOfTraffic(t *testing.T) {
	w := newCluster(t, routing.Location{NodeName: "n1"})
	s, local := slice("web-4", "10.0.0.1"), corev1.ServiceInternalTrafficPolicyLocal
	for i, node := range []string{"n1", "n2"} {
		s.Endpoints = append(s.Endpoints[:i],
			discoveryv1.Endpoint{Addresses: []string{fmt.Sprintf("10.0.0.%d", i+1)}, NodeName: &node})
	}
	w.slices.tell(t, nil, s, false)
	svc := clusterIP("shop", "web")
	w.services.tell(t, nil, svc, false)
	check := func(inside, outside, around int) {
		t.Helper()
		for _, rules := range w.rules {
			for _, r := range rules {
				if len(r.Internal) != inside || len(r.External) != outside || len(r.Around) != around {
					t.Errorf("rules are %+v, want %d, %d and %d endpoints", r, inside, outside, around)
				}
			}
		}
	}
	check(2, 0, 0)
	changed := svc.DeepCopy()
	changed.Spec.Type = corev1.ServiceTypeLoadBalancer
	changed.Spec.ExternalTrafficPolicy = corev1.ServiceExternalTrafficPolicyLocal
	changed.Spec.InternalTrafficPolicy = &local
	w.services.tell(t, svc, changed, false)
	check(1, 1, 2)
}

// TestStart: nothing is programmed before the first lists are complete, and then everything is.
func TestStart(t *testing.T) {
	w := waiting(t, "n1")
	w.slices.tell(t, nil, slice("web-4", "10.0.0.1"), false)
	w.services.tell(t, nil, clusterIP("shop", "web"), false)
	w.nodes.tell(t, nil, nodeIn("n1", "a"), false)
	if len(w.rules) > 0 {
		t.Errorf("rules before the first lists are complete: %v", w.rules)
	}
	w.begin()
	w.want("10.0.0.1")
}

// TestZone: the zone of the Node may come late and change.
func TestZone(t *testing.T) {
	w := newCluster(t, routing.Location{NodeName: "n1"})
	s := slice("web-4", "10.0.0.1")
	s.Endpoints = append(s.Endpoints, discoveryv1.Endpoint{Addresses: []string{"10.0.0.2"}})
	for i, zone := range []string{"a", "b"} {
		s.Endpoints[i].Hints = &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: zone}}}
	}
	w.services.tell(t, nil, clusterIP("shop", "web"), false)
	w.slices.tell(t, nil, s, false)
	w.want("10.0.0.1", "10.0.0.2")
	late, other := nodeIn("n1", "b"), nodeIn("n2", "a")
	w.nodes.tell(t, nodeIn("n1", ""), late, false)
	w.want("10.0.0.2")
	w.nodes.tell(t, nil, other, false)
	w.nodes.tell(t, late, nodeIn("n1", "a"), false)
	w.want("10.0.0.1")
}
