package dedup

import (
	"cmp"
	"iter"
	"slices"
	"sync"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup/internal/address"
	"github.com/slicewright/slicewright/dedup/internal/content"
	"github.com/slicewright/slicewright/dedup/internal/decide"
	"github.com/slicewright/slicewright/dedup/internal/table"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// View has the endpoints of all Services at one moment. It never changes, and any number of
// goroutines may use it. Services are sorted by namespace and name, ports by name and protocol, and
// endpoints by address and number. The zero value is empty.
type View struct{ data *viewData }

// viewData is what a View shows.
type viewData struct {
	options  content.Options
	problems []content.Problem // those that are not inside a slice
	root     *table.Root       // of a list: nil until it is needed
	list     []*discoveryv1.EndpointSlice
	once     sync.Once
}

// Merge returns the endpoints in a list of slices. It keeps the list, which must not change, and
// computes only what is asked for. If an option is wrong, the View is empty, and a Warning says so.
func Merge(list []*discoveryv1.EndpointSlice, o Options) View {
	d := &viewData{}
	d.options, d.problems = o.read()
	if d.problems != nil {
		return View{d}
	}
	order := content.Distinct(list, true, func(p content.Problem) { d.problems = append(d.problems, p) })
	d.list = make([]*discoveryv1.EndpointSlice, len(order))
	for i, index := range order {
		d.list[i] = list[index]
	}
	return View{d}
}

var noData = viewData{options: content.Options{Label: discoveryv1.LabelServiceName}, root: &table.Root{}}

func (v View) at() *viewData { return cmp.Or(v.data, &noData) }

// all returns all Services.
func (d *viewData) all() *table.Root {
	d.once.Do(func() {
		if d.root != nil {
			return
		}
		var edits []table.Edit
		for _, slice := range d.list {
			if s := contentOf(slice, &d.options); s != nil {
				edits = append(edits, table.Edit{After: s})
			}
		}
		d.root = new(table.Root).Apply(edits, nil)
	})
	return d.root
}

// service returns a Service. Of a list, it reads only the slices of this Service.
func (d *viewData) service(name types.NamespacedName) *table.Service {
	if d.list == nil {
		return d.all().Service(name)
	}
	s := &table.Service{Name: name}
	if name.Name == "" {
		return s
	}
	own := make([]*discoveryv1.EndpointSlice, 0, min(len(d.list), 16))
	for _, slice := range d.list {
		if slice.Namespace == name.Namespace && slice.Labels[d.options.Label] == name.Name {
			own = append(own, slice)
		}
	}
	reader := content.NewReader(&d.options, own)
	s.Slices = make([]*content.Slice, len(own))
	for i, slice := range own {
		s.Slices[i] = reader.Of(nil, slice, name.Name)
	}
	return s
}

// Services yields the Services that have slices.
func (v View) Services() iter.Seq[types.NamespacedName] {
	return func(yield func(types.NamespacedName) bool) {
		for _, s := range v.at().all().Services {
			if s.Name.Name != "" && !yield(s.Name) {
				return
			}
		}
	}
}

// Has reports whether a Service has slices, with endpoints or without.
func (v View) Has(service types.NamespacedName) bool {
	return service.Name != "" && len(v.at().service(service).Slices) > 0
}

// Ports yields the ports of a Service that slices have, with endpoints or without.
func (v View) Ports(service types.NamespacedName) iter.Seq[ServicePortName] {
	return func(yield func(ServicePortName) bool) {
		for _, name := range v.at().service(service).PortNames() {
			if !yield(portName(service, name)) {
				return
			}
		}
	}
}

// Endpoints yields the endpoints of a port, each once.
func (v View) Endpoints(port ServicePortName) iter.Seq[Endpoint] {
	return func(yield func(Endpoint) bool) {
		var sorter table.Sorter
		_, all := v.at().service(port.Service).Copies(port.name(), &sorter)
		yieldWinners(all, yield)
	}
}

func yieldWinners(all iter.Seq[[]table.Claim], yield func(Endpoint) bool) bool {
	var choose table.Chooser
	for copies := range all {
		if !yield(endpointOf(choose.Winner(copies))) {
			return false
		}
	}
	return true
}

// Addresses yields the addresses of a Service, each once, whatever the port, with Port 0: for A and
// AAAA records, and for readers that ask which nodes have a ready endpoint. Slices without ports
// count, too.
// Endpoints that are not ready are among them: DNS answers with those that have Conditions.Ready.
func (v View) Addresses(service types.NamespacedName) iter.Seq[Endpoint] {
	return func(yield func(Endpoint) bool) { yieldWinners(v.at().service(service).Addresses, yield) }
}

// Targets yields the addresses of a Service, each once for each target and hostname: for the
// records of Pod names. Two Pods with one address are both there.
func (v View) Targets(service types.NamespacedName) iter.Seq[Endpoint] {
	return func(yield func(Endpoint) bool) {
		for copies := range v.at().service(service).Addresses {
			for _, c := range targetsOf(copies) {
				if !yield(endpointOf(c)) {
					return
				}
			}
		}
	}
}

// targetsOf returns the winner of each target and hostname among copies of one address. They are
// sorted by the target's namespace and name.
func targetsOf(copies []table.Claim) (winners []table.Claim) {
	compare := func(a, b table.Claim) int {
		x, y := a.Endpoint(), b.Endpoint()
		return cmp.Or(decide.CompareTargets(x.TargetRef, y.TargetRef),
			cmp.Compare(endpoint.Text(x.Hostname), endpoint.Text(y.Hostname)))
	}
	copies = slices.Clone(copies)
	slices.SortStableFunc(copies, compare)
	var choose table.Chooser
	for same := range address.Runs(copies, func(a, b *table.Claim) bool { return compare(*a, *b) == 0 }) {
		winners = append(winners, choose.Winner(same))
	}
	slices.SortStableFunc(winners, func(a, b table.Claim) int {
		return endpoint.CompareReference(a.Endpoint().TargetRef, b.Endpoint().TargetRef)
	})
	return winners
}

// All yields every endpoint with its port.
func (v View) All() iter.Seq2[ServicePortName, Endpoint] {
	return func(yield func(ServicePortName, Endpoint) bool) {
		for _, s := range v.at().all().Services {
			for _, p := range s.Ports {
				name := portName(s.Name, p.PortName)
				if !yieldWinners(p.Copies, func(e Endpoint) bool { return yield(name, e) }) {
					return
				}
			}
		}
	}
}

// Warnings returns the mistakes in slices. Those of nil slices, and of names that are in the list
// twice, come first; an Index has those of the last Flush. The others are sorted by slice.
func (v View) Warnings() Notices {
	d := v.at()
	var problems []content.Problem
	if d.list == nil {
		for _, s := range d.all().Services {
			for _, slice := range s.Slices {
				problems = append(problems, slice.Problems...)
			}
		}
	}
	for _, slice := range d.list { // this needs less time than all tables
		if s := contentOf(slice, &d.options); s != nil {
			problems = append(problems, s.Problems...)
		}
	}
	slices.SortStableFunc(problems, func(a, b content.Problem) int { return content.CompareNames(a.Slice, b.Slice) })
	return noticesOf(d.problems, problems)
}
