package mirror

//lint:file-ignore SA1019 Endpoints are deprecated, and people still write them.

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/quote"
	"github.com/slicewright/slicewright/slicer"
)

// addUnserved adds a Warning for each port that is published and that the Service does not have. It
// adds none for a headless Service, whose clients do not use its ports.
func addUnserved(in *slicer.Input, endpoints *corev1.Endpoints, service *corev1.Service) {
	if len(service.Spec.Ports) == 0 || service.Spec.ClusterIP == corev1.ClusterIPNone {
		return
	}
	names, served := map[string]bool{}, map[string]bool{}
	for i := range service.Spec.Ports {
		p := &service.Spec.Ports[i]
		names[p.Name], served[quote.Port(p.Name, string(endpoint.Protocol(p.Protocol)))] = true, true
	}
	unserved := map[string]bool{}
	for i := range in.Groups {
		for _, p := range in.Groups[i].Ports { // names and protocols are set
			text := quote.Port(*p.Name, string(*p.Protocol))
			unserved[text] = !served[text]
		}
	}
	for i := range endpoints.Subsets {
		for j := range endpoints.Subsets[i].Ports {
			p, at := portOf(&endpoints.Subsets[i].Ports[j]), field.NewPath("subsets").Index(i).Child("ports").Index(j)
			text := quote.Port(p.Name, string(p.Protocol))
			if !unserved[text] {
				continue
			}
			unserved[text] = false // one Warning is enough
			detail := "the Service has no port " + text + "; it has " + quote.ServicePorts(service.Spec.Ports) +
				": give both the same name and protocol, because clients of the Service do not reach this port"
			err := field.Invalid(at.Child("name"), p.Name, detail)
			if names[p.Name] {
				err = field.Invalid(at.Child("protocol"), p.Protocol, detail)
			}
			in.Warnings = append(in.Warnings, slicer.Notice{Reason: "NoServicePort", Path: err.Field, Err: err})
		}
	}
}
