package dedup

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/content"
	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/view"
	"github.com/slicewright/slicewright/internal/quote"
)

// OfService returns the ports of a Service for which kube-proxy makes rules, each with its
// endpoints, as the function [OfService] does (the function of the package, not this method). The
// time is proportional to the endpoints of the Service. Problems are only about the Service.
// View.Problems has the problems of the slices.
//
// The View must come from an Index or Merge with Options.Service: Proxied, and without other
// options that add or drop endpoints. With other options:
//
//   - If the winning copy of an endpoint is in a slice with the label
//     service.kubernetes.io/headless, the endpoint is left out, even if another slice has it, too.
//     The slice is in Unused (HeadlessSlice).
//   - A port without a number (Options.KeepAnyPort) is left out.
func (v View) OfService(svc *corev1.Service) Served[Endpoint] {
	if mistakes := mistakesOf(svc); mistakes != nil {
		return Served[Endpoint]{Problems: problemsOf(mistakes)}
	}
	to, whyNot := rulesFor(forProxy, svc)
	if whyNot != nil {
		return Served[Endpoint]{Unused: whyNot}
	}
	s := viewSearch{root: v.at(), to: to, skipped: map[Unused]bool{}}
	known := s.root.Service(types.NamespacedName{Namespace: svc.Namespace, Name: svc.Name})
	ports := make([]ServedPort[Endpoint], len(svc.Spec.Ports))
	for i := range ports {
		ports[i] = ServedPort[Endpoint]{Port: svc.Spec.Ports[i],
			Endpoints: s.endpoints(known.Port(portNameOf(&svc.Spec.Ports[i])))}
	}
	s.otherPorts(known)
	return Served[Endpoint]{Families: to.families, Ports: ports, Unused: s.unused}
}

// viewSearch is one call of View.OfService.
type viewSearch struct {
	root    *view.Root
	to      serviceRules
	unused  []Unused
	skipped map[Unused]bool // the elements of unused, so that none is added twice
	slice   *content.Slice  // the slice of the last endpoint, because the next one is often in it
}

// endpoints returns the endpoints of a port that kube-proxy reads. It adds an Unused for the other
// endpoints.
func (s *viewSearch) endpoints(p *view.Port) (list []Endpoint) {
	for it := range p.Items.All {
		switch e := endpointOf(it.Claim); {
		case e.Port == 0: // a port without a number, which kube-proxy skips
		case s.isHeadless(e.Slice):
			s.skip(headlessSlice(e.Slice))
		case !slices.Contains(s.to.families, e.addressType()):
			s.skip(s.to.otherFamily("", e.addressType()))
		default:
			list = append(list, e)
		}
	}
	firstFamilyFirst(list, s.to.families, (*Endpoint).addressType)
	return list
}

// isHeadless reports whether a slice in the Service's namespace has the label of headless Services.
func (s *viewSearch) isHeadless(name string) bool {
	if s.slice == nil || s.slice.Name.Name != name {
		probe := &content.Slice{Origin: content.Origin{Name: types.NamespacedName{Namespace: s.to.Namespace,
			Name: name}}}
		// Find does not return nil, because each endpoint of the view is in a slice of the view.
		s.slice = *s.root.Slices.Find(func(other **content.Slice) int { return view.CompareSlices(other, &probe) })
	}
	return s.slice.Headless
}

func (s *viewSearch) skip(u Unused) {
	if !s.skipped[u] {
		s.skipped[u] = true
		s.unused = append(s.unused, u)
	}
}

// otherPorts adds to unused the ports that only the slices have, and the ports that only the
// Service has.
func (s *viewSearch) otherPorts(known *view.Service) {
	var texts []string
	for p := range known.Ports.All {
		if (*p).All {
			continue
		}
		texts = append(texts, portText((*p).PortName))
		if _, has := s.to.ports[(*p).PortName]; !has && (*p).Items.Len() > 0 {
			s.skip(s.to.noServicePort("", (*p).PortName))
		}
	}
	for i := range s.to.Spec.Ports {
		name := portNameOf(&s.to.Spec.Ports[i])
		if known.Port(name).Slices == 0 && len(texts) > 0 {
			s.skip(s.to.noSlicePort(name, quote.Few(texts)))
		}
	}
}
