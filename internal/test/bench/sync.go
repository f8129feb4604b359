package bench

//lint:file-ignore SA1019 Endpoints are deprecated, and people still write them.

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// Sync is what one sync of a Service is given.
type Sync struct {
	Service *corev1.Service
	Pods    []*corev1.Pod                // the Pods that the Service selects
	Nodes   map[string]*corev1.Node      // of the cluster, by name
	Slices  []*discoveryv1.EndpointSlice // those of the Service

	Before *Sync // when the slices were written
	Change Change

	first int // the number of its first Pod
}

// Options are those of a controller that takes the place of Kubernetes' own, which names slices
// alike.
func Options() services.Options {
	return services.Options{ManagedBy: services.KubernetesManager, Slices: slicer.Options{GeneratedNames: true}}
}

// Node finds a Node by name, nil if there is none.
func (s *Sync) Node(name string) *corev1.Node { return s.Nodes[name] }

// Input returns what slicer.Compute is given.
func (s *Sync) Input() slicer.Input {
	return must(services.Input(s.Service, s.Pods, s.Node, Options()))
}

// Plan returns what services.Plan plans.
func (s *Sync) Plan() (slicer.Plan, error) {
	return services.Plan(s.Service, s.Pods, s.Node, s.Slices, Options())
}

// Wrote fails a benchmark if a call fails, if nothing changed and something is written, or the
// other way round.
func (s *Sync) Wrote(b *testing.B, plan slicer.Plan, err error) {
	if err != nil || (len(plan.Steps) == 0) != (s.Change == Nothing) {
		b.Fatal(s.Change, " changed, and the plan has ", len(plan.Steps), " steps: ", err)
	}
}

// Backends returns the Pods as Backends.
func (s *Sync) Backends() []services.Backend {
	list := make([]services.Backend, len(s.Pods))
	for i, pod := range s.Pods {
		zone := s.Nodes[pod.Spec.NodeName].Labels[corev1.LabelTopologyZone]
		list[i] = services.Backend{
			Name: pod.Name, Ready: true, Changed: pod.Status.Conditions[1].LastTransitionTime.Time,
			Node: pod.Spec.NodeName, Zone: zone, TargetRef: *target(pod),
		}
		for _, ip := range pod.Status.PodIPs {
			list[i].Addresses = append(list[i].Addresses, ip.IP)
		}
	}
	return list
}

// Endpoints returns the Pods as an Endpoints object, and a Service without selector that it is
// mirrored for.
func (s *Sync) Endpoints() (*corev1.Endpoints, *corev1.Service) {
	e := &corev1.Endpoints{ObjectMeta: s.Service.ObjectMeta}
	svc := s.Service.DeepCopy()
	svc.Spec.Selector = nil
	port := &svc.Spec.Ports[0]
	subset := corev1.EndpointSubset{Ports: []corev1.EndpointPort{{Name: port.Name, Port: port.TargetPort.IntVal,
		Protocol: port.Protocol}}}
	for _, pod := range s.Pods {
		subset.Addresses = append(subset.Addresses, corev1.EndpointAddress{
			IP: pod.Status.PodIP, NodeName: &pod.Spec.NodeName, TargetRef: target(pod),
		})
	}
	e.Subsets = []corev1.EndpointSubset{subset}
	return e, svc
}

func target(pod *corev1.Pod) *corev1.ObjectReference {
	return &corev1.ObjectReference{Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID}
}

// Hinted returns copies of the slices in which each endpoint has a hint for its own zone.
func (s *Sync) Hinted() []*discoveryv1.EndpointSlice {
	list := make([]*discoveryv1.EndpointSlice, len(s.Slices))
	for i, from := range s.Slices {
		list[i] = decoded(from, &discoveryv1.EndpointSlice{})
		for k := range list[i].Endpoints {
			e := &list[i].Endpoints[k]
			e.Hints = endpoint.Hints([]discoveryv1.ForZone{{Name: endpoint.Text(e.Zone)}}, nil)
		}
	}
	return list
}

// EndpointsOf lists the endpoints of slices.
func EndpointsOf(list []*discoveryv1.EndpointSlice) []*discoveryv1.Endpoint {
	var all []*discoveryv1.Endpoint
	for _, s := range list {
		for i := range s.Endpoints {
			all = append(all, &s.Endpoints[i])
		}
	}
	return all
}
