package dedup

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/dedup/internal/address"
	"github.com/slicewright/slicewright/dedup/internal/content"
	"github.com/slicewright/slicewright/dedup/internal/store"
	"github.com/slicewright/slicewright/dedup/internal/view"
)

// Index holds state: the endpoints of all service ports, while slices come and go. Only one goroutine at
// a time may call its methods. Any number may read the views that it returns. Flush it once for each
// update that you send, not for each event. It keeps only strings of slices, and nothing of a slice that
// was deleted.
//
// The zero value is ready for use with zero Options. NewIndex returns a nil Index with its error, and
// Flush and View of a nil Index return a Problem that says so.
type Index struct{ store *store.Store }

// NewIndex returns an empty index, or no index and an error for an address type that this version does not know or a
// label key that is none: the error joins one *field.Error for each.
func NewIndex(o Options) (*Index, error) {
	if problems := o.problems(); problems != nil {
		return nil, joined(problems)
	}
	return &Index{newStore(o)}, nil
}

func newStore(o Options) *store.Store {
	s := content.Options{
		Service: o.Service, Families: address.Families(o.AddressTypes),
		AllAddresses: o.AllAddresses, KeepAnyPort: o.KeepAnyPort, AllPorts: o.AllPorts, Labels: slices.Clone(o.Labels),
	}
	if s.Service == nil {
		s.Service, s.Label = byServiceName, discoveryv1.LabelServiceName
	}
	return store.New(s)
}

// prepare makes the zero Index ready. Without an Index it returns a store for one call, whose problem says so.
func (ix *Index) prepare() *store.Store {
	if ix == nil {
		s := newStore(Options{})
		s.SetAside(content.NilIndex())
		return s
	}
	if ix.store == nil {
		ix.store = newStore(Options{})
	}
	return ix.store
}

// Upsert notes that a slice was added or changed. It is cheap; the work is done by Flush, once for the last of several
// events of one slice. Until then the slice must not change, as objects of an informer's cache never do; afterwards
// nothing of it is kept but strings. A nil slice, or one without name or namespace, is set aside.
//
// It is false where nothing can have changed, so that no Flush is needed: the index has this version of the slice, by UID and
// resourceVersion, as a resync says it again; or the slice does not count and did not before.
func (ix *Index) Upsert(slice *discoveryv1.EndpointSlice) bool { return ix.prepare().Upsert(slice) }

// Delete notes that a slice is gone. It needs neither the object nor its labels. A slice that is not there is ignored: then
// it is false, and no Flush is needed.
func (ix *Index) Delete(namespace, name string) bool {
	return ix.prepare().Delete(types.NamespacedName{Namespace: namespace, Name: name})
}

// Replace notes that these slices, in any order, are all there are, as a relist says: what else the index holds is
// gone, and events since the last Flush are forgotten. Until the next Flush the slices must not change. Of several
// slices of one name the newest counts (of equally new ones the one with the smallest encoding).
// nil and empty: there are none. A slice that the index has in this version, by UID and resourceVersion, costs nothing.
func (ix *Index) Replace(list []*discoveryv1.EndpointSlice) { ix.prepare().Replace(list) }

// Flush does what was noted since the last one. It returns what it changed, and the problems that are new: those of things
// without a name, then those of slices, by namespace and name, that the last View did not have. The problems are the caller's,
// nil if there are none.
func (ix *Index) Flush() (Changes, Problems) {
	var c Changes
	problems := ix.prepare().Flush(func(service types.NamespacedName, p *view.Port, appeared, gone bool, change view.Change) {
		switch {
		case p != nil:
			port := ServicePort{Service: service, Port: p.Name, Protocol: p.Protocol, AllPorts: p.All}
			c.Ports = append(c.Ports, Delta{Port: port, Appeared: appeared, Gone: gone, change: change})
		case appeared:
			c.Appeared = append(c.Appeared, service)
		default:
			c.Gone = append(c.Gone, service)
		}
	})
	return c, problemsOf(problems)
}

// View returns the endpoints as of the last Flush. It never changes, and shares with other views what is the same. Two
// views are equal with == when nothing changed between them.
func (ix *Index) View() View {
	if ix == nil {
		return View{&view.Root{Unnamed: []content.Problem{content.NilIndex()}}}
	}
	return View{ix.prepare().Root()}
}

// Merge joins slices, in any order, into the unique endpoints of every service port. The result depends on their
// content only, is what an Index shows after any events that lead to the same slices, and shares nothing with them but
// strings. What cannot be used is set aside, see View.Problems. Of several slices of one name the newest counts. nil
// and empty give an empty View. With an option that this version does not know, nothing is read, and Problems say so.
func Merge(list []*discoveryv1.EndpointSlice, o Options) View {
	if problems := o.problems(); problems != nil {
		return View{&view.Root{Unnamed: problems}}
	}
	s := newStore(o)
	s.Replace(list)
	s.Flush(nil)
	return View{s.Root()}
}

// Options say which slices and endpoints count. The zero value reads the first address of each endpoint in IPv4 and IPv6 slices
// of Services, as kube-proxy does; other than kube-proxy it reads slices of headless Services, too (see Proxied). An unknown
// address type or a malformed label key is a mistake: NewIndex returns it as an error, and Merge as a Problem of a View without endpoints.
type Options struct {
	// Service says which Service of its namespace a slice belongs to, and whether the slice counts: one that does not is as if
	// it did not exist. A slice that counts and has no Service is a problem. Service must not change its argument, must
	// answer by the slice alone, and may be asked several times. nil means the label kubernetes.io/service-name. Slices without that
	// label then do not count, because they belong to something else, for example to an import. If a slice has no label at all but
	// that of its manager, it is a problem (NoService).
	Service func(*discoveryv1.EndpointSlice) (name string, counts bool)
	// AddressTypes are those whose endpoints are read. nil and empty mean IPv4 and IPv6: the API gives no meaning to
	// names, so FQDN must be asked for. A slice of another type makes its Service known and adds nothing else.
	AddressTypes []discoveryv1.AddressType
	// AllAddresses makes each address of an endpoint an endpoint of its own. Without it the first is read, because the API
	// defines no meaning for the others; a slice that has others is a problem (MoreAddresses).
	AllAddresses bool
	// KeepAnyPort reads the endpoints of a port whose number is nil, which means all ports, with port number 0, for the caller
	// to put in what it means. Without it such a port is set aside, as kube-proxy does, and is a problem (NoNumber).
	KeepAnyPort bool
	// AllPorts gives each Service a further port, ServicePort.AllPorts. Its endpoints are the Service's addresses whatever the port,
	// with port number 0, as Addresses finds them. It is for readers of addresses, such as DNS servers. It is the only port of
	// endpoints of a slice without ports, as slices of headless Services can be, and of Pods that do not have a named port.
	AllPorts bool
	// Labels are the keys of slices' labels that endpoints show (Endpoint.Labels), such as
	// multicluster.kubernetes.io/source-cluster. nil and empty: none.
	Labels []string
}

// problems are the mistakes in the options of an Index or of Merge.
func (o *Options) problems() []content.Problem {
	all := addressTypeProblems(o.AddressTypes)
	for i, key := range o.Labels {
		if faults := validation.IsQualifiedName(key); len(faults) > 0 {
			all = append(all, content.BadOption(field.Invalid(field.NewPath("options", "labels").Index(i), key, strings.Join(faults, "; "))))
		}
	}
	return all
}

// byServiceName is what Options.Service is without one.
func byServiceName(slice *discoveryv1.EndpointSlice) (name string, counts bool) {
	name = slice.Labels[discoveryv1.LabelServiceName]
	return name, name != "" || unlabelled(slice)
}

// unlabelled reports whether no label says what a slice belongs to. Labels of any key may say it (slicer.Set.Key).
func unlabelled(slice *discoveryv1.EndpointSlice) bool {
	for key := range slice.Labels {
		if key != discoveryv1.LabelServiceName && key != discoveryv1.LabelManagedBy {
			return false
		}
	}
	return true
}

// Proxied is for Options.Service. It takes the slices that kube-proxy takes, which are all without the label
// service.kubernetes.io/headless, and the Service that their label kubernetes.io/service-name names. kube-proxy 1.33 to 1.35 also
// skips slices with the label service.kubernetes.io/service-proxy-name. Which ports and families of a Service kube-proxy serves,
// View.OfService says.
func Proxied(slice *discoveryv1.EndpointSlice) (name string, counts bool) {
	if slice == nil {
		return "", false
	}
	_, headless := slice.Labels[corev1.IsHeadlessService]
	name, counts = byServiceName(slice)
	return name, counts && !headless
}

// ByLabel is for Options.Service: every slice counts, and a label's value is its Service. Multi-cluster services use
// multicluster.kubernetes.io/service-name.
func ByLabel(label string) func(*discoveryv1.EndpointSlice) (name string, counts bool) {
	return func(slice *discoveryv1.EndpointSlice) (string, bool) {
		if slice == nil {
			return "", false
		}
		return slice.Labels[label], true
	}
}

// Handle notes an event as the handlers of an informer get it: Handle(nil, added), Handle(old, changed) and Handle(deleted, nil).
// It does what Upsert and Delete do, and returns what they return. A deleted object may be a tombstone, as client-go makes it
// where the watch missed the delete: cache.DeletedFinalStateUnknown, or a pointer to one, whose Key has the slice's name. Any
// other object is a problem (NoSlice), as a nil slice and a tombstone with another Key are. With both nil nothing is noted.
//
//	handler := cache.ResourceEventHandlerFuncs{
//		AddFunc:    func(added any) { handle(nil, added) },
//		UpdateFunc: func(old, changed any) { handle(old, changed) },
//		DeleteFunc: func(deleted any) { handle(deleted, nil) },
//	}
//
// The informer calls them on a goroutine of its own, so that handle holds the lock under which Flush is called.
func (ix *Index) Handle(old, changed any) bool {
	object := cmp.Or(changed, old)
	what := ""
	switch slice, ok := object.(*discoveryv1.EndpointSlice); {
	case object == nil:
		return false
	case ok && (changed != nil || slice == nil):
		return ix.Upsert(slice)
	case ok:
		return ix.Delete(slice.Namespace, slice.Name)
	case changed == nil:
		if key, ok := keyOf(old); ok {
			namespace, name, _ := strings.Cut(key, "/")
			if namespace != "" && name != "" && !strings.Contains(name, "/") {
				return ix.Delete(namespace, name)
			}
			what = fmt.Sprintf("a tombstone of %q: its Key is namespace/name", key)
		}
	}
	ix.prepare().SetAside(content.NotASlice(cmp.Or(what, fmt.Sprintf("%T", object))))
	return true
}

// keyOf returns the Key of a tombstone, namespace/name, and false for anything else. It does without the type of client-go, which
// this module does not import.
func keyOf(tombstone any) (key string, ok bool) {
	v := reflect.Indirect(reflect.ValueOf(tombstone))
	if v.Kind() != reflect.Struct {
		return "", false
	}
	_, hasObject := v.Type().FieldByName("Obj")
	field, hasKey := v.Type().FieldByName("Key")
	if !hasObject || !hasKey || field.Type.Kind() != reflect.String {
		return "", false
	}
	value, err := v.FieldByIndexErr(field.Index) // an error if it is in a nil pointer
	return value.String(), err == nil
}
