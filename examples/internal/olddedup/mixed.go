package dedup

import (
	"cmp"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/content"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/quote"
)

// owner is the Service or ServiceImport that a slice belongs to, by its labels. Empty fields are
// unknown.
type owner struct{ namespace, service, imported string }

func ownerOf(slice *discoveryv1.EndpointSlice) owner {
	return owner{namespace: slice.Namespace, service: slice.Labels[discoveryv1.LabelServiceName],
		imported: slice.Labels[endpoint.LabelImport]}
}

func (o owner) String() string {
	if o.service == "" && o.imported != "" {
		return "import " + quote.Name(o.namespace, o.imported)
	}
	return quote.Name(o.namespace, o.service)
}

// ofOneService returns the slices that belong to the Service of the search. The parameter order and
// the result are lists of indexes of slices. If the slices belong to several Services, ofOneService
// adds a problem and returns none.
func (s *search) ofOneService(order []int32) []int32 {
	if s.options.Service != (types.NamespacedName{}) {
		order = s.ofNamed(order)
	}
	if len(order) < 2 { // a single slice cannot disagree with another one
		return order
	}
	if i, others := s.stranger(order); i >= 0 {
		s.problem(i, content.Problem{Reason: string(MixedServices),
			Err: field.Invalid(s.path(i, "metadata"), ownerOf(s.slices[i]).String(),
				"other slices belong to "+others.String()+": pass the slices of one Service, or set options.service")})
		return nil
	}
	return order
}

// stranger looks for a slice whose labels name another owner than the labels of the other slices.
// It returns the index of this slice, or -1 if there is none, and the owner that the other slices
// have.
//
//   - Slices that name a Service must name the same Service, whatever imports they name.
//   - If no slice names a Service, all slices that name an import must name the same import.
//   - If some slices name a Service and other slices name only an import, each slice that names the
//     Service must name an import as well. The import of each other slice must be one of these.
//
// A slice that names neither a Service nor an import is never a stranger because of that.
func (s *search) stranger(order []int32) (index int, others owner) {
	var one owner                // the namespace, Service and import that the slices read so far name
	first := ""                  // the first import that any slice names
	imports := map[string]bool{} // named by slices that name a Service; if no slice does, the import in first
	for _, i := range order {
		of := ownerOf(s.slices[i])
		if disagree(one.namespace, of.namespace) || disagree(one.service, of.service) {
			return int(i), one
		}
		one.namespace = cmp.Or(one.namespace, of.namespace)
		one.service = cmp.Or(one.service, of.service)
		first = cmp.Or(first, of.imported)
		if of.service != "" {
			imports[of.imported] = true
		}
	}
	if one.service == "" {
		one.imported, imports[first] = first, true
	}
	for _, i := range order {
		if of := ownerOf(s.slices[i]); of.service == "" && of.imported != "" && (imports[""] || !imports[of.imported]) {
			return int(i), one
		}
	}
	return -1, one
}

func disagree(a, b string) bool { return a != "" && b != "" && a != b }

// ofNamed keeps the slices of the Service that the options name. If there are none, it keeps the
// slices of the ServiceImport with the same name. If it keeps no slice although there are slices of
// other Services, it adds a problem.
func (s *search) ofNamed(order []int32) []int32 {
	want, label := s.options.Service, endpoint.LabelImport
	for _, i := range order {
		if of := ownerOf(s.slices[i]); of.namespace == want.Namespace && of.service == want.Name {
			label = discoveryv1.LabelServiceName
		}
	}
	var others []int32
	kept := order[:0]
	for _, i := range order {
		slice := s.slices[i]
		switch of := ownerOf(slice); {
		case of.namespace == want.Namespace && slice.Labels[label] == want.Name:
			kept = append(kept, i)
		case of.service == "" && of.imported == "":
			if unlabelled(slice) {
				s.problem(int(i), content.NoService(s.path(int(i), "metadata"), discoveryv1.LabelServiceName))
			}
		default:
			others = append(others, i)
		}
	}
	if len(kept) == 0 && len(others) > 0 {
		texts := make([]string, len(others))
		for k, i := range others {
			texts[k] = ownerOf(s.slices[i]).String()
		}
		s.notFound("service", want.String(), MixedServices, "the slices belong to "+quote.Few(texts))
	}
	return kept
}
