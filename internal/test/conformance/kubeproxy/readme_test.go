package kubeproxy

import (
	"cmp"
	"io"
	"log"
	"maps"
	"os"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup/deduptest"
	"github.com/slicewright/slicewright/dedup/routing"
)

// TestReadmeReaderInTheKit runs README's reader with the kit for readers. It reads a map that the
// events fill, for a Service with the ports of its slices.
func TestReadmeReaderInTheKit(t *testing.T) {
	log.SetOutput(io.Discard)
	defer log.SetOutput(os.Stderr)
	without := []string{"FQDN", "AnyPort", "SeveralNumbers", "UDP"}
	deduptest.Run(t, deduptest.Options{Without: without}, func() deduptest.Reader {
		stored := map[types.NamespacedName]*discoveryv1.EndpointSlice{}
		use := func(at routing.Location) (all []deduptest.Seen) {
			list := slices.Collect(maps.Values(stored))
			for name, svc := range servicesOf(list) {
				for _, port := range svc.Spec.Ports {
					for _, found := range Endpoints(svc, list, port.Name, at) {
						all = append(all, deduptest.Seen{Service: name, Port: port.Name, Protocol: port.Protocol,
							Address: found.Address.String(), Number: found.Port})
					}
				}
			}
			return all
		}
		return deduptest.Reader{
			Event: func(e deduptest.Event) {
				slice := cmp.Or(e.New, e.Old)
				name := types.NamespacedName{Namespace: slice.Namespace, Name: slice.Name}
				if delete(stored, name); e.New != nil {
					stored[name] = e.New
				}
			},
			See: func() []deduptest.Seen { return use(routing.Location{}) },
			Use: use,
		}
	})
}

// servicesOf returns a Service of both families for each label of slices.
func servicesOf(list []*discoveryv1.EndpointSlice) map[types.NamespacedName]*corev1.Service {
	all := map[types.NamespacedName]*corev1.Service{}
	for _, slice := range list {
		name := types.NamespacedName{Namespace: slice.Namespace, Name: slice.Labels[discoveryv1.LabelServiceName]}
		svc := all[name]
		if svc == nil && name.Name != "" {
			svc = &corev1.Service{}
			svc.Namespace, svc.Name = name.Namespace, name.Name
			svc.Spec.ClusterIP, svc.Spec.ClusterIPs = "10.96.0.1", []string{"10.96.0.1", "fd00:96::1"}
			svc.Spec.IPFamilies = []corev1.IPFamily{corev1.IPv4Protocol, corev1.IPv6Protocol}
			all[name] = svc
		}
		for _, p := range slice.Ports {
			port := corev1.ServicePort{Name: *p.Name, Protocol: corev1.ProtocolTCP, Port: 80}
			if svc != nil && !slices.Contains(svc.Spec.Ports, port) {
				svc.Spec.Ports = append(svc.Spec.Ports, port)
			}
		}
	}
	return all
}
