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

	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/address"
	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/content"
	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/store"
	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/view"
)

// Index holds state: the endpoints of all service ports, while slices are added, changed and
// deleted. Note each event with Handle, Upsert, Delete or Replace. Call Flush once for each update
// that you send, not for each event, and then read View.
//
//   - Only one goroutine at a time may call the methods. Any number may read the views.
//   - An Index keeps strings of a slice, but no other memory of it. After the slice was deleted, it
//     keeps nothing of it.
//   - The zero value is ready for use with zero Options.
//   - If NewIndex returns an error, the Index is nil. Flush and View of a nil Index return a
//     Problem that says so.
type Index struct{ store *store.Store }

// NewIndex returns an empty index. If the options have an unknown address type or a malformed label
// key, it returns a nil Index and an error, which joins one *field.Error for each mistake.
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

// prepare returns the store of the Index. It creates the store of a zero Index. For a nil Index it
// returns a new store, with the problem that the Index is nil.
func (ix *Index) prepare() *store.Store {
	if ix == nil {
		s := newStore(Options{})
		s.AddProblem(content.NilIndex())
		return s
	}
	if ix.store == nil {
		ix.store = newStore(Options{})
	}
	return ix.store
}

// Upsert notes that a slice was added or changed, and reports whether a Flush is needed. It is
// cheap, because Flush does the work. If a slice has several events, Flush reads only its last
// version.
//
// Upsert returns false if nothing can have changed:
//
//   - The index has this version of the slice, by UID and resourceVersion, as after a resync.
//   - Options.Service says that the slice does not count, and no version of the slice is in the
//     index.
//
// A nil slice, and one without a name or namespace, is a problem of the next Flush (NoSlice). The
// slice must not change until that Flush. Objects of an informer's cache never change. After the
// Flush, the index keeps only strings of the slice.
func (ix *Index) Upsert(slice *discoveryv1.EndpointSlice) bool { return ix.prepare().Upsert(slice) }

// Delete notes that a slice was deleted, and reports whether a Flush is needed. The result is false
// if the index does not know the slice. Delete needs neither the object nor its labels.
func (ix *Index) Delete(namespace, name string) bool {
	return ix.prepare().Delete(types.NamespacedName{Namespace: namespace, Name: name})
}

// Replace notes that these slices, in any order, are all that exist, as after a relist. All other
// slices of the index are deleted, and all that was noted since the last Flush is dropped.
//
//   - nil and an empty list mean that there are no slices.
//   - If slices have the same name, the newest one is read. If they are equally new, the slice with
//     the smallest serialized form is read. The other slices are problems (SameName).
//   - A nil slice, and one without a name or namespace, is a problem (NoSlice).
//   - A slice that the index has in this version, by UID and resourceVersion, costs nothing.
//   - The slices must not change until the next Flush.
func (ix *Index) Replace(list []*discoveryv1.EndpointSlice) { ix.prepare().Replace(list) }

// Flush applies what was noted since the last Flush. It returns what changed, and the new problems.
// First come the problems of the events themselves, such as a nil slice, or a name that is in a
// list twice. Then come the problems inside slices, by namespace and name, without the problems
// that the last View already had. The problems are the caller's, and nil if there are none.
func (ix *Index) Flush() (Changes, Problems) {
	var c Changes
	problems := ix.prepare().Flush(func(service types.NamespacedName, p *view.Port, appeared, gone bool,
		change view.Change) {
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

// View returns the endpoints as of the last Flush. A View never changes, and shares memory with
// other views of the Index. Two views are equal with == if nothing changed between them.
func (ix *Index) View() View {
	if ix == nil {
		return View{&view.Root{Unnamed: []content.Problem{content.NilIndex()}}}
	}
	return View{ix.prepare().Root()}
}

// Merge returns the endpoints of every service port, each once, from slices in any order. The
// result depends only on the content of the slices. It is what an Index shows for the same slices.
//
//   - The View shares only strings with the slices.
//   - View.Problems has what was skipped, and why.
//   - If slices have the same name, the newest one is read.
//   - nil and an empty list give an empty View.
//   - If an option is wrong, nothing is read, and View.Problems says so (BadOption).
func Merge(list []*discoveryv1.EndpointSlice, o Options) View {
	if problems := o.problems(); problems != nil {
		return View{&view.Root{Unnamed: problems}}
	}
	s := newStore(o)
	s.Replace(list)
	s.Flush(nil)
	return View{s.Root()}
}

// Options say which slices and endpoints an Index or Merge reads. The zero value reads the first
// address of each endpoint, in IPv4 and IPv6 slices of Services, as kube-proxy does. Unlike
// kube-proxy it also reads slices of headless Services; see Proxied.
//
// For an unknown address type or a malformed label key, NewIndex returns an error, and Merge
// returns a View that has Problems and no endpoints.
type Options struct {
	// Service returns the name of the Service that a slice belongs to, in the slice's namespace,
	// and whether the slice counts.
	//
	//   - A slice that does not count is ignored, as if it did not exist.
	//   - A slice that counts and has an empty name is a problem (NoService).
	//   - The result must depend on the slice alone. The function may be called several times for a
	//     slice, and must not change it.
	//
	// nil means the label kubernetes.io/service-name. Slices without that label then do not count,
	// because they belong to something else, for example to a ServiceImport. A slice that has no
	// label, apart from the label of its manager, is a problem (NoService).
	Service func(*discoveryv1.EndpointSlice) (name string, counts bool)
	// AddressTypes are the types of slices whose endpoints are read. If empty, they are IPv4 and
	// IPv6. To read the names in FQDN slices, include FQDN; the API gives no meaning to these
	// names. A slice of another type counts for View.Has and View.Services, and adds no endpoints.
	AddressTypes []discoveryv1.AddressType
	// AllAddresses makes each address of an endpoint an endpoint of its own. If false, only the
	// first address is read, because the API defines no meaning for the others. A slice that has
	// endpoints with more addresses is then a problem (MoreAddresses).
	AllAddresses bool
	// KeepAnyPort also reads the endpoints of a port that has no number, and gives them the port
	// number 0. discovery/v1 does not define such a port; in v1beta1 it meant all ports. The caller
	// decides which number to use. If false, such a port is skipped, as kube-proxy does, and is a
	// problem (NoNumber).
	KeepAnyPort bool
	// AllPorts gives each Service one more port, ServicePort.AllPorts, for readers of addresses
	// such as DNS servers. Its endpoints are the addresses of the Service, whatever the port, with
	// port number 0. They are the addresses that the function Addresses returns.
	//
	// Endpoints in slices without ports are behind this port only. Such slices belong to headless
	// Services without ports, or their Pods have none of the Service's targetPorts: all targetPorts
	// are names of container ports, and these Pods have no container port of these names.
	AllPorts bool
	// Labels are the keys of the slices' labels that Endpoint.Labels shows, such as
	// multicluster.kubernetes.io/source-cluster. If empty, it shows none.
	Labels []string
}

// problems returns the mistakes in the options of an Index or of Merge.
func (o *Options) problems() []content.Problem {
	all := addressTypeProblems(o.AddressTypes)
	for i, key := range o.Labels {
		if faults := validation.IsQualifiedName(key); len(faults) > 0 {
			all = append(all, content.BadOption(field.Invalid(field.NewPath("options", "labels").Index(i), key,
				strings.Join(faults, "; "))))
		}
	}
	return all
}

// byServiceName is the default of Options.Service.
func byServiceName(slice *discoveryv1.EndpointSlice) (name string, counts bool) {
	name = slice.Labels[discoveryv1.LabelServiceName]
	return name, name != "" || unlabelled(slice)
}

// unlabelled reports whether no label says what a slice belongs to. Any label may say this, because
// slicer.Set.Key may have any label.
func unlabelled(slice *discoveryv1.EndpointSlice) bool {
	for key := range slice.Labels {
		if key != discoveryv1.LabelServiceName && key != discoveryv1.LabelManagedBy {
			return false
		}
	}
	return true
}

// Proxied is a value for Options.Service. It reads the slices that kube-proxy reads: all slices
// without the label service.kubernetes.io/headless. The label kubernetes.io/service-name names the
// Service. A nil slice does not count.
//
// kube-proxy 1.33 to 1.35 also skips slices with the label
// service.kubernetes.io/service-proxy-name. View.OfService returns only the ports and families that
// kube-proxy serves.
func Proxied(slice *discoveryv1.EndpointSlice) (name string, counts bool) {
	if slice == nil {
		return "", false
	}
	_, headless := slice.Labels[corev1.IsHeadlessService]
	name, counts = byServiceName(slice)
	return name, counts && !headless
}

// ByLabel returns a function for Options.Service: the value of the label is the name of the
// Service. Every slice counts, except for nil, so a slice without the label is a problem
// (NoService). Multi-cluster services use multicluster.kubernetes.io/service-name.
func ByLabel(label string) func(*discoveryv1.EndpointSlice) (name string, counts bool) {
	return func(slice *discoveryv1.EndpointSlice) (string, bool) {
		if slice == nil {
			return "", false
		}
		return slice.Labels[label], true
	}
}

// Handle notes an event with the arguments of an informer's handler: Handle(nil, added),
// Handle(old, changed) or Handle(deleted, nil). It does what Upsert and Delete do, and returns what
// they return.
//
//   - deleted may be a tombstone, which client-go passes if the watch missed the delete. It is a
//     cache.DeletedFinalStateUnknown or a pointer to one. Its Key must be the slice's
//     namespace/name.
//   - Any other object, a nil slice, and a tombstone with another Key are problems (NoSlice).
//   - If both arguments are nil, nothing is noted, and the result is false.
//
// The handlers:
//
//	handler := cache.ResourceEventHandlerFuncs{
//		AddFunc:    func(added any) { handle(nil, added) },
//		UpdateFunc: func(old, changed any) { handle(old, changed) },
//		DeleteFunc: func(deleted any) { handle(deleted, nil) },
//	}
//
// The informer calls the handlers on its own goroutine. So the function handle, which calls
// ix.Handle, must hold the lock under which the program calls Flush.
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
			what = fmt.Sprintf("a tombstone with Key %q: the Key must be namespace/name", key)
		}
	}
	ix.prepare().AddProblem(content.NotASlice(cmp.Or(what, fmt.Sprintf("%T", object))))
	return true
}

// keyOf returns the Key of a tombstone, namespace/name, and false for anything else. It uses
// reflection, because this module does not import client-go.
func keyOf(tombstone any) (key string, ok bool) {
	v := reflect.Indirect(reflect.ValueOf(tombstone))
	if v.Kind() != reflect.Struct {
		return "", false
	}
	_, hasObject := v.Type().FieldByName("Obj")
	keyField, hasKey := v.Type().FieldByName("Key")
	if !hasObject || !hasKey || keyField.Type.Kind() != reflect.String {
		return "", false
	}
	value, err := v.FieldByIndexErr(keyField.Index) // this is an error if the field is behind a nil pointer
	return value.String(), err == nil
}
