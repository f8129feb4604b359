// Package manifest reads Kubernetes objects from files for the commands: YAML or JSON, one document
// or many, single objects or lists, whatever kubectl prints.
//
// Decoding is strict, because a misspelt field that is skipped looks like a planner that does the
// wrong thing. Kinds that the commands have no use for are counted. A kind that they read is an
// error in another group, version or case. The memory is limited in proportion to a file's size, and
// aliases of YAML are refused.
package manifest

//lint:file-ignore SA1019 Endpoints are deprecated, and still what a Service without selector has.

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Objects is what was read, each list in the order of the input. The zero value is ready for use.
// An object without a namespace is in "default", as kubectl has it.
type Objects struct {
	Services       []*corev1.Service
	Pods           []*corev1.Pod
	Nodes          []*corev1.Node
	EndpointSlices []*discoveryv1.EndpointSlice
	Endpoints      []*corev1.Endpoints
	// Others counts the objects of other kinds, such as "apps/v1 Deployment".
	Others map[string]int
	// Repeated counts the objects that were read before.
	Repeated int

	seen map[string]entry // by kind, namespace and name
}

// entry is an object and where it was read.
type entry struct {
	object metav1.Object
	at     string
}

func key(o metav1.Object) string { return fmt.Sprintf("%T %s/%s", o, o.GetNamespace(), o.GetName()) }

// Where returns where an object of these lists was read: "web.yaml: line 8: items[3]". It is empty
// for any other object.
func (o *Objects) Where(object metav1.Object) string { return o.seen[key(object)].at }

// add takes an object. One that was read before counts once; it is an error if it differs.
func (o *Objects) add(at string, object metav1.Object) error {
	before, again := o.seen[key(object)]
	switch {
	case again && reflect.DeepEqual(before.object, object):
		o.Repeated++
		return nil
	case again:
		return fmt.Errorf("%s: %s/%s differs from the same object in %s; remove one", at, object.GetNamespace(),
			object.GetName(), before.at)
	}
	o.seen[key(object)] = entry{object, at}
	switch object := object.(type) {
	case *corev1.Service:
		o.Services = append(o.Services, object)
	case *corev1.Pod:
		o.Pods = append(o.Pods, object)
	case *corev1.Node:
		o.Nodes = append(o.Nodes, object)
	case *discoveryv1.EndpointSlice:
		o.EndpointSlices = append(o.EndpointSlices, object)
	case *corev1.Endpoints:
		o.Endpoints = append(o.Endpoints, object)
	}
	return nil
}

// Left returns a line for the objects that no command reads, and one for objects given twice.
func (o *Objects) Left() (lines []string) {
	var kinds []string
	for kind, n := range o.Others {
		kinds = append(kinds, fmt.Sprintf("%d %s", n, kind))
	}
	slices.Sort(kinds)
	if len(kinds) > 0 {
		lines = append(lines, "objects of other kinds, which are not read: "+strings.Join(kinds, ", "))
	}
	if o.Repeated > 0 {
		lines = append(lines, fmt.Sprintf("objects that are in the input twice and count once: %d; give each file once",
			o.Repeated))
	}
	return lines
}

// assumedIPs are addresses for documentation (RFC 5737, RFC 3849). No command prints them.
var assumedIPs = map[corev1.IPFamily]string{corev1.IPv4Protocol: "192.0.2.1", corev1.IPv6Protocol: "2001:db8::1"}

// Completed returns the Service as the API server would return it, as far as slices and their
// readers depend on that: with cluster IPs and their families. It reports whether it had to assume
// an IP, because the Service is from a manifest that was not applied. The Service is not changed.
func Completed(svc *corev1.Service) (*corev1.Service, bool) {
	spec := svc.Spec.DeepCopy()
	if spec.Type == corev1.ServiceTypeExternalName {
		return svc, false
	}
	if spec.ClusterIP != "" && len(spec.ClusterIPs) == 0 {
		spec.ClusterIPs = []string{spec.ClusterIP}
	}
	if len(spec.ClusterIPs) == 0 && len(spec.IPFamilies) == 0 {
		spec.IPFamilies = []corev1.IPFamily{corev1.IPv4Protocol}
		if p := spec.IPFamilyPolicy; p != nil && *p == corev1.IPFamilyPolicyRequireDualStack {
			spec.IPFamilies = append(spec.IPFamilies, corev1.IPv6Protocol)
		}
	}
	assumed := false
	for i := len(spec.ClusterIPs); i < len(spec.IPFamilies) && spec.ClusterIP != corev1.ClusterIPNone; i++ {
		spec.ClusterIPs = append(spec.ClusterIPs, assumedIPs[spec.IPFamilies[i]])
		assumed = true
	}
	if len(spec.ClusterIPs) > 0 {
		spec.ClusterIP = spec.ClusterIPs[0]
	}
	out := *svc
	out.Spec = *spec
	return &out, assumed
}

// PortName returns the name and the protocol of a port, by which ports of Services and of slices
// belong together: http/TCP, or TCP without a name.
func PortName(p corev1.ServicePort) string {
	return strings.TrimPrefix(p.Name+"/"+string(cmp.Or(p.Protocol, corev1.ProtocolTCP)), "/")
}

// PortOf returns the port of a Service to which the port of a slice belongs.
func PortOf(p discoveryv1.EndpointPort) corev1.ServicePort {
	out := corev1.ServicePort{Port: 1}
	if p.Name != nil {
		out.Name = *p.Name
	}
	if p.Protocol != nil {
		out.Protocol = *p.Protocol
	}
	return out
}

// Named reports whether a flag names an object: by its name, or by namespace/name.
func Named(flag string, object metav1.Object) bool {
	return flag == object.GetName() || flag == object.GetNamespace()+"/"+object.GetName()
}
