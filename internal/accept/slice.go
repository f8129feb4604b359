package accept

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/quote"
)

// Slice returns everything that the API server would refuse in a slice that is created. The rules
// are those of ValidateEndpointSliceCreate, applied after missing names and protocols of ports have
// got their defaults.
func Slice(s *discoveryv1.EndpointSlice) Faults {
	var f Faults
	f.metadata(&s.ObjectMeta)
	if !slices.Contains(endpoint.AddressTypes[:], s.AddressType) {
		f.Add(field.NotSupported(field.NewPath("addressType"), string(s.AddressType), endpoint.AddressTypes[:]))
	}
	path := field.NewPath("endpoints")
	if n := len(s.Endpoints); n > MaxEndpoints {
		f.Add(field.TooMany(path, n, MaxEndpoints)) // the API server then checks no endpoint
	} else {
		for i := range s.Endpoints {
			f.endpoint(&s.Endpoints[i], s.AddressType, path.Index(i))
		}
	}
	f.Ports(s.Ports, false, func() *field.Path { return field.NewPath("ports") })
	return f
}

func (f *Faults) metadata(m *metav1.ObjectMeta) {
	path := field.NewPath("metadata")
	errs := apivalidation.ValidateObjectMeta(m, true, apivalidation.NameIsDNSSubdomain, path)
	f.List(slices.DeleteFunc(errs, func(err *field.Error) bool { // the API server generates the name before it checks
		return m.GenerateName != "" && err.Type == field.ErrorTypeRequired && err.Field == path.Child("name").String()
	}))
	known := []string{
		string(corev1.FinalizerKubernetes), metav1.FinalizerOrphanDependents, metav1.FinalizerDeleteDependents,
	}
	for i, name := range m.Finalizers {
		if !strings.Contains(name, "/") && !slices.Contains(known, name) {
			f.Add(field.Invalid(path.Child("finalizers").Index(i), name,
				"put a domain in front: example.com/"+quote.Text(name)))
		}
	}
}

func (f *Faults) endpoint(e *discoveryv1.Endpoint, t discoveryv1.AddressType, path *field.Path) {
	addresses := path.Child("addresses")
	switch n := len(e.Addresses); {
	case n == 0:
		f.Add(field.Required(addresses, "an endpoint needs an address"))
	case n > MaxAddresses:
		f.Add(field.TooMany(addresses, n, MaxAddresses))
	}
	for i, a := range e.Addresses {
		*f = append(*f, AddressFaults(addresses, i, a, t)...)
	}
	if e.NodeName != nil {
		f.Invalid(path.Child("nodeName"), *e.NodeName, refuseSubdomain(*e.NodeName))
	}
	if e.Hostname != nil {
		f.Invalid(path.Child("hostname"), *e.Hostname, validation.IsDNS1123Label(*e.Hostname))
	}
	if e.Hints != nil {
		f.hints(e.Hints, path.Child("hints"))
	}
}

func refuseSubdomain(name string) []string { return apivalidation.NameIsDNSSubdomain(name, false) }

func (f *Faults) hints(h *discoveryv1.EndpointHints, path *field.Path) {
	zones, nodes := endpoint.HintNames(h)
	// If there are too many zones, the API server does not check the Nodes.
	if f.names(zones, path.Child("forZones"), validation.IsValidLabelValue) {
		f.names(nodes, path.Child("forNodes"), refuseSubdomain)
	}
}

// names adds what refuse finds wrong with the names of hints. It returns false if there are too
// many names.
func (f *Faults) names(names []string, path *field.Path, refuse func(name string) []string) bool {
	if len(names) > MaxHints {
		f.Add(field.TooMany(path, len(names), MaxHints))
		return false
	}
	for i, name := range names {
		at := path.Index(i).Child("name")
		if slices.Contains(names[:i], name) {
			f.Add(Duplicate(at, name, "give each name once"))
		}
		f.Invalid(at, name, refuse(name))
	}
	return true
}
