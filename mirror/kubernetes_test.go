package mirror_test

//lint:file-ignore SA1019 Endpoints are deprecated, and people still write them.

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	check "github.com/slicewright/slicewright/internal/test/check/mirror"
	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/slicer"
)

// TestKubernetesManagerRests: what the control plane's own controller wrote we leave alone, and what we write it leaves alone.
func TestKubernetesManagerRests(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e, service := drawStored(t), &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: gen.Namespace, Name: gen.Name}}
		service.Spec.ClusterIP = pick(t, "cluster ip", "10.96.0.1", corev1.ClusterIPNone)
		in, err := check.Mirror(e, service, mirror.Options{ManagedBy: mirror.KubernetesManager, MaxAddressesPerSubset: inTreeLimit})
		if err != nil {
			t.Fatal(err)
		}
		if plan, err := slicer.Compute(in, inTree(e)); err != nil || !plan.Empty() {
			t.Fatalf("we write what they wrote: %v %v %v", plan, in.Skips, err)
		}
		plan, err := slicer.Compute(in, nil)
		if err != nil {
			t.Fatal(err)
		}
		if ours, theirs := say(plan.After()), say(inTree(e)); !reflect.DeepEqual(ours, theirs) {
			t.Fatalf("they would write what we wrote:\n%s\ntheirs\n%s", ours, theirs)
		}
	})
}

const inTreeLimit = 3

// inTree is what k8s.io/kubernetes/pkg/controller/endpointslicemirroring writes for Endpoints that an API server stored: a slice
// for each subset and family, of its first addresses.
func inTree(e *corev1.Endpoints) []*discoveryv1.EndpointSlice {
	var all []*discoveryv1.EndpointSlice
	for i, subset := range e.Subsets {
		for _, family := range []discoveryv1.AddressType{discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6} {
			s := &discoveryv1.EndpointSlice{AddressType: family}
			s.Namespace, s.Name, s.UID, s.ResourceVersion = e.Namespace, fmt.Sprint(e.Name, "-", family, i), "u", "1"
			s.Labels, s.Annotations = maps.Clone(e.Labels), maps.Clone(e.Annotations)
			metav1.SetMetaDataLabel(&s.ObjectMeta, discoveryv1.LabelServiceName, e.Name)
			metav1.SetMetaDataLabel(&s.ObjectMeta, discoveryv1.LabelManagedBy, mirror.KubernetesManager)
			delete(s.Annotations, corev1.EndpointsLastChangeTriggerTime)
			delete(s.Annotations, corev1.LastAppliedConfigAnnotation)
			s.OwnerReferences = []metav1.OwnerReference{
				{APIVersion: "v1", Kind: "Endpoints", Name: e.Name, UID: e.UID, Controller: ptr(true), BlockOwnerDeletion: ptr(true)},
			}
			for _, p := range subset.Ports {
				p.Protocol = cmp.Or(p.Protocol, corev1.ProtocolTCP)
				s.Ports = append(s.Ports, discoveryv1.EndpointPort{Name: &p.Name, Port: &p.Port, Protocol: &p.Protocol, AppProtocol: p.AppProtocol})
			}
			taken := 0
			for list, addresses := range [][]corev1.EndpointAddress{subset.Addresses, subset.NotReadyAddresses} {
				for _, a := range addresses {
					if taken++; taken > inTreeLimit || (family == discoveryv1.AddressTypeIPv6) != (a.IP[0] == 'f') {
						continue
					}
					out := discoveryv1.Endpoint{Addresses: []string{a.IP}, NodeName: a.NodeName, TargetRef: a.TargetRef}
					out.Conditions.Ready = ptr(list == 0)
					if a.Hostname != "" {
						out.Hostname = &a.Hostname
					}
					s.Endpoints = append(s.Endpoints, out)
				}
			}
			if len(s.Endpoints) > 0 {
				all = append(all, s)
			}
		}
	}
	return all
}

// say prints what the in-tree controller compares: labels, annotations, ports, and endpoints with their pointers.
func say(all []*discoveryv1.EndpointSlice) (lines []string) {
	for _, s := range all {
		ports := slices.Clone(s.Ports)
		slices.SortFunc(ports, func(a, b discoveryv1.EndpointPort) int { return cmp.Compare(*a.Port, *b.Port) })
		line := fmt.Sprint(s.AddressType, s.Labels, s.Annotations)
		for _, p := range ports {
			line += fmt.Sprint(" ", *p.Name, *p.Port, *p.Protocol)
		}
		var endpoints []string
		for _, e := range s.Endpoints {
			endpoints = append(endpoints, e.String())
		}
		slices.Sort(endpoints)
		lines = append(lines, line+fmt.Sprint(endpoints))
	}
	slices.Sort(lines)
	return lines
}

// drawStored draws Endpoints as an API server stores them: no list of ports twice, and no address twice in a subset.
func drawStored(t *rapid.T) *corev1.Endpoints {
	e := &corev1.Endpoints{ObjectMeta: metav1.ObjectMeta{Namespace: gen.Namespace, Name: gen.Name, UID: "e1"}}
	drawMetadata(t, e)
	port := func(name string, number int32) corev1.EndpointPort {
		return corev1.EndpointPort{Name: name, Port: number, Protocol: corev1.ProtocolTCP}
	}
	for _, list := range [][]corev1.EndpointPort{{port("http", 80)}, {port("http", 80), port("https", 443)}, {port("http", 81)}, nil} {
		if !chance(t, 2, "subset") {
			continue
		}
		s := corev1.EndpointSubset{Ports: list}
		for _, ip := range []string{"10.0.0.1", "10.0.0.10", "10.0.0.2", "fd00::1", "fd00::2"} {
			a := drawAddress(t, false)
			if a.IP = ip; a.NodeName != nil && *a.NodeName == "" {
				a.NodeName = nil
			}
			if a.TargetRef != nil {
				a.TargetRef.ResourceVersion = "" // they copy it and compare it, we do neither
			}
			switch rapid.IntRange(0, 2).Draw(t, "address") {
			case 1:
				s.Addresses = append(s.Addresses, a)
			case 2:
				s.NotReadyAddresses = append(s.NotReadyAddresses, a)
			}
		}
		e.Subsets = append(e.Subsets, s)
	}
	return e
}
