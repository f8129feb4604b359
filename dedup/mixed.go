package dedup

import (
	"cmp"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/dedup/internal/content"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// owner is what slices say about the Service that they belong to. An empty field says nothing.
type owner struct {
	namespace, service, imported string

	serviceAlone, importAlone bool // a slice names a Service and no import, or the other way round
}

func ownerOf(slice *discoveryv1.EndpointSlice) owner {
	o := owner{namespace: slice.Namespace, service: slice.Labels[discoveryv1.LabelServiceName], imported: slice.Labels[endpoint.LabelImport]}
	o.serviceAlone, o.importAlone = o.service != "" && o.imported == "", o.service == "" && o.imported != ""
	return o
}

func (o owner) String() string {
	if o.importAlone {
		return "import " + o.namespace + "/" + o.imported
	}
	return o.namespace + "/" + o.service
}

// join returns what both say together, and whether they agree: they do not name two Services or imports, nor one a Service alone and
// the other an import alone.
func (o owner) join(p owner) (owner, bool) {
	differ := func(a, b string) bool { return a != "" && b != "" && a != b }
	both := owner{cmp.Or(o.namespace, p.namespace), cmp.Or(o.service, p.service), cmp.Or(o.imported, p.imported),
		o.serviceAlone || p.serviceAlone, o.importAlone || p.importAlone}
	return both, !differ(o.namespace, p.namespace) && !differ(o.service, p.service) && !differ(o.imported, p.imported) &&
		!(both.serviceAlone && both.importAlone)
}

// ofOneService returns which of the slices in order the search is about. If no Service is named and the slices disagree about it, it
// adds a problem and returns none.
func (s *search) ofOneService(order []int32) []int32 {
	if s.options.Service != (types.NamespacedName{}) {
		return s.ofNamed(order)
	}
	if len(order) == 1 { // has nobody to disagree with
		return order
	}
	var all owner
	for _, i := range order {
		of := ownerOf(s.slices[i])
		both, agree := all.join(of)
		if !agree {
			s.problem(int(i), content.Problem{Reason: string(MixedServices), Err: field.Invalid(s.path(int(i), "metadata"), of.String(),
				"other slices are of "+all.String()+": give the slices of one Service, or name it in options.service")})
			return nil
		}
		all = both
	}
	return order
}

// ofNamed keeps the slices of the Service that the options name. If there is none, it keeps those of the import of that name. If
// none is kept, and there are slices of other Services, it adds a problem.
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
			s.problem(int(i), content.NoService(s.path(int(i), "metadata"), discoveryv1.LabelServiceName))
		default:
			others = append(others, i)
		}
	}
	if len(kept) == 0 && len(others) > 0 {
		texts := make([]string, len(others))
		for k, i := range others {
			texts[k] = ownerOf(s.slices[i]).String()
		}
		s.notFound("service", want.String(), MixedServices, "the slices are of "+few(texts))
	}
	return kept
}
