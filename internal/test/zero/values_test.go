//lint:file-ignore SA1019 Endpoints are what package mirror converts

package zero_test

import (
	"context"
	"fmt"
	"iter"
	"net/netip"
	"reflect"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/dedup/deduptest"
	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/hints/forecast"
	"github.com/slicewright/slicewright/hints/routing"
	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/mirror/mcs"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/services"
	"github.com/slicewright/slicewright/slicer/slicertest"
)

const manager = "zero"

// usual makes a value of each type that is not made of usual parts. With usual arguments calls
// work.
var usual = map[reflect.Type]func() any{}

func of[T any](f func() T) { usual[reflect.TypeFor[T]()] = func() any { return f() } }

func init() {
	of(func() string { return "web" })
	of(func() netip.Addr { return netip.MustParseAddr("10.0.0.1") })
	of(func() netip.AddrPort { return netip.MustParseAddrPort("10.0.0.1:8080") })
	of(time.Now)
	of(context.Background)
	of(func() error { return field.Required(field.NewPath("web"), "give one") })
	of(func() types.NamespacedName { return types.NamespacedName{Namespace: "shop", Name: "web"} })
	of(func() *field.Path { return field.NewPath("options") })
	of(func() corev1.Protocol { return corev1.ProtocolTCP })
	of(func() discoveryv1.AddressType { return discoveryv1.AddressTypeIPv4 })
	of(service)
	of(pod)
	of(node)
	of(func() []*corev1.Node { return []*corev1.Node{node()} })
	of(slice)
	of(func() *discoveryv1.Endpoint { return &slice().Endpoints[0] })
	of(endpoints)
	of(func() metav1.ObjectMeta { return metav1.ObjectMeta{Namespace: "shop", Name: "copy"} })
	of(func() any { return slice() })
	ofWriters()
	ofReaders()
}

func ofWriters() {
	of(func() func(string) *corev1.Node { return services.NodesByName([]*corev1.Node{node()}) })
	of(func() slicer.Options { return slicer.Options{MaxEndpointsPerSlice: 3} })
	of(func() hints.Options {
		return hints.Options{Mode: hints.Proportional, Weights: hints.Weights{Zones: map[string]int64{"a": 1, "b": 2}}}
	})
	of(func() services.Options {
		o := services.Options{ManagedBy: manager, KeyLabel: "example.com/pool", Labels: map[string]string{"a": "b"}}
		o.Addresses = func(p *corev1.Pod) ([]string, error) { return []string{p.Status.PodIP}, nil }
		return o
	})
	of(func() services.Backend { return services.Backend{Addresses: []string{"10.0.0.1"}, Ready: true} })
	of(func() services.Selection {
		return services.Selection{
			Parent:   metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "1"},
			Selector: metav1.SetAsLabelSelector(labels.Set{"app": "web"}), Ports: service().Spec.Ports,
		}
	})
	of(func() slicer.Set {
		return slicer.Set{
			Namespace: "shop", Name: "web", ManagedBy: manager,
			Key:          map[string]string{discoveryv1.LabelServiceName: "web"},
			AddressTypes: []discoveryv1.AddressType{discoveryv1.AddressTypeIPv4},
		}
	})
	of(func() slicer.Input {
		o := services.Options{ManagedBy: manager, SkipUnresolved: true}
		in, _ := services.Input(service(), []*corev1.Pod{pod()}, nil, o)
		return in
	})
	of(func() slicer.Plan {
		other := slice()
		other.Endpoints[0].Addresses[0] = "10.0.0.9"
		plan, _ := slicer.Compute(made[slicer.Input](), list{other})
		return plan
	})
	of(func() func(list) (slicer.Plan, error) {
		return func(existing list) (slicer.Plan, error) { return slicer.Compute(made[slicer.Input](), existing) }
	})
	of(func() mirror.Options { return mirror.Options{ManagedBy: manager} })
	of(func() mirror.CopyOptions { return mirror.CopyOptions{} })
	of(func() mirror.ViewOptions { return mirror.ViewOptions{Service: service()} })
	of(func() mcs.Families { return mcs.Union })
	of(func() mcs.Import {
		return mcs.Import{Namespace: "shop", Name: "web", Cluster: "east", ManagedBy: manager}
	})
	of(func() mcs.Traffic { return mcs.Traffic{} })
	of(func() []corev1.IPFamily { return []corev1.IPFamily{corev1.IPv4Protocol} })
	of(func() []corev1.ServicePort { return service().Spec.Ports })
	of(func() publish.Slices {
		return publish.ClientSlices(func(string) client { return client{} }, func(string) lister { return lister{} },
			nil)
	})
	of(func() *publish.Syncer { return publish.New(made[publish.Slices](), made[services.Options]()) })
	of(func() interface {
		Create(context.Context, *discoveryv1.EndpointSlice, metav1.CreateOptions) (*discoveryv1.EndpointSlice, error)
		Update(context.Context, *discoveryv1.EndpointSlice, metav1.UpdateOptions) (*discoveryv1.EndpointSlice, error)
		Delete(context.Context, string, metav1.DeleteOptions) error
	} {
		return client{}
	})
	of(func() publish.Writer { return publish.ClientWriter(context.Background(), client{}) })
	of(func() slicertest.Options { return slicertest.Options{ManagedBy: manager, Max: 3, Histories: 2} })
	of(func() slicertest.Writer {
		return func(*slicertest.API) slicertest.Sync {
			return func(context.Context, slicertest.State) error { return nil }
		}
	})
	of(func() slicertest.State { return slicertest.State{Nodes: []*corev1.Node{node()}} })
}

func ofReaders() {
	of(func() dedup.Options { return dedup.Options{} })
	of(func() dedup.PortOptions { return dedup.PortOptions{Port: "http"} })
	of(func() dedup.AddressOptions { return dedup.AddressOptions{} })
	of(func() dedup.ServicePort {
		return dedup.ServicePort{Service: made[types.NamespacedName](), Port: "http", Protocol: corev1.ProtocolTCP}
	})
	of(func() *dedup.Index {
		ix, _ := dedup.NewIndex(dedup.Options{})
		ix.Replace(list{slice()})
		ix.Flush()
		return ix
	})
	of(func() dedup.View {
		other := slice()
		other.Name, other.UID, other.Endpoints[0].TargetRef = "web-b", "2", nil
		return dedup.Merge(list{slice(), other}, dedup.Options{})
	})
	of(func() dedup.Delta {
		ix, _ := dedup.NewIndex(dedup.Options{})
		ix.Replace(list{slice()})
		changes, _ := ix.Flush()
		return changes.Ports[0]
	})
	of(func() served { return dedup.OfService(service(), list{slice()}) })
	of(func() *cache {
		c := dedup.NewCache[string, string](func(int) dedup.Rank { return dedup.Rank{} })
		c.Put("web", dedup.SourceOf(slice()), func(yield func(string, int) bool) { yield("a", 1) })
		return c
	})
	of(func() func(int) dedup.Rank { return func(int) dedup.Rank { return dedup.Rank{} } })
	of(func() iter.Seq2[string, int] { return func(yield func(string, int) bool) { yield("a", 2) } })
	of(func() conditions.State { return conditions.State{Ready: true, Serving: true} })
	of(func() deduptest.Options { return deduptest.Options{Histories: 2} })
	of(func() func() deduptest.Reader {
		return func() deduptest.Reader {
			see := func() []deduptest.Seen { return []deduptest.Seen{{}} }
			return deduptest.Reader{Event: func(deduptest.Event) {}, See: see}
		}
	})
	of(func() func(one) routing.Candidate { return routing.CandidatesOf(discoveryv1.AddressTypeIPv4) })
	of(func() routing.Location { return routing.Location{NodeName: "n1", Zone: "a", Region: "r"} })
	of(func() routing.Policy { return routing.Policy{} })
	of(func() []forecast.Source { return []forecast.Source{{Weight: 1}} })
	of(func() map[string]int64 { return map[string]int64{"a": 1, "b": 2} })
}

// made is the usual value of a type.
func made[T any]() T {
	v := reflect.New(reflect.TypeFor[T]()).Elem()
	fill(v)
	return v.Interface().(T)
}

// fill sets a value to the usual one of its type, or makes it of usual parts.
func fill(v reflect.Value) {
	if f := usual[v.Type()]; f != nil {
		v.Set(reflect.ValueOf(f()))
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(80)
	case reflect.Uint8:
		v.SetUint(3)
	case reflect.String:
		v.SetString("web")
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Map:
		key, item := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key)
		fill(item)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, item)
	case reflect.Func:
		v.Set(reflect.MakeFunc(v.Type(), func([]reflect.Value) (results []reflect.Value) {
			for i := range v.Type().NumOut() {
				out := reflect.New(v.Type().Out(i)).Elem()
				if out.Type() != reflect.TypeFor[error]() {
					fill(out)
				}
				results = append(results, out)
			}
			return results
		}))
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i))
			}
		}
	default:
		panic(fmt.Sprintf("no usual value of %v", v.Type()))
	}
}

func ptr[T any](v T) *T { return &v }

func service() *corev1.Service {
	svc := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "1"}}
	svc.Spec = corev1.ServiceSpec{
		Selector: map[string]string{"app": "web"}, ClusterIP: "10.96.0.1", ClusterIPs: []string{"10.96.0.1"},
		IPFamilies: []corev1.IPFamily{corev1.IPv4Protocol}, Type: corev1.ServiceTypeClusterIP,
		TrafficDistribution:   ptr(corev1.ServiceTrafficDistributionPreferSameZone),
		InternalTrafficPolicy: ptr(corev1.ServiceInternalTrafficPolicyCluster),
		Ports: []corev1.ServicePort{
			{Name: "http", Port: 80, Protocol: corev1.ProtocolTCP, TargetPort: intstr.FromString("web")},
		},
	}
	return svc
}

func pod() *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-0", UID: "2"}}
	p.Labels = map[string]string{"app": "web"}
	p.Spec = corev1.PodSpec{NodeName: "n1", Hostname: "h", Subdomain: "web", Containers: []corev1.Container{
		{Name: "c", Ports: []corev1.ContainerPort{{Name: "web", ContainerPort: 8080, Protocol: corev1.ProtocolTCP}}},
	}}
	p.Status = corev1.PodStatus{
		Phase: corev1.PodRunning, PodIP: "10.0.0.1", PodIPs: []corev1.PodIP{{IP: "10.0.0.1"}},
		Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}},
	}
	return p
}

func node() *corev1.Node {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n1",
		Labels: map[string]string{corev1.LabelTopologyZone: "a"}}}
	n.Status.Allocatable = corev1.ResourceList{}
	n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}
	return n
}

func slice() *discoveryv1.EndpointSlice {
	s := &discoveryv1.EndpointSlice{ObjectMeta: metav1.ObjectMeta{
		Namespace: "shop", Name: "web-a", UID: "3", ResourceVersion: "7",
		Labels: map[string]string{discoveryv1.LabelServiceName: "web", discoveryv1.LabelManagedBy: manager},
		OwnerReferences: []metav1.OwnerReference{
			{APIVersion: "v1", Kind: "Service", Name: "web", UID: "1", Controller: ptr(true)},
		},
	}, AddressType: discoveryv1.AddressTypeIPv4}
	s.Ports = []discoveryv1.EndpointPort{{Name: ptr("http"), Port: ptr(int32(8080)), Protocol: ptr(corev1.ProtocolTCP)}}
	s.Endpoints = []discoveryv1.Endpoint{{
		Addresses: []string{"10.0.0.1"}, NodeName: ptr("n1"), Zone: ptr("a"),
		Conditions: discoveryv1.EndpointConditions{Ready: ptr(true)},
		TargetRef:  &corev1.ObjectReference{Kind: "Pod", Namespace: "shop", Name: "web-0", UID: "2"},
		Hints:      &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: "a"}}},
	}}
	return s
}

func endpoints() *corev1.Endpoints {
	e := &corev1.Endpoints{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "4"}}
	e.Subsets = []corev1.EndpointSubset{{
		Addresses: []corev1.EndpointAddress{{IP: "10.0.0.1", NodeName: ptr("n1")}},
		Ports:     []corev1.EndpointPort{{Name: "http", Port: 80}},
	}}
	return e
}
