package slicer

import (
	"sync"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer/internal/packing"
)

// Compute plans the writes that make the existing slices hold exactly the wanted endpoints. The same values give the
// same plan whatever the order of groups, endpoints, ports and slices; nothing of the input is changed, and new objects
// share no memory with it. nil and empty Groups want nothing; nil and empty Existing start from nothing.
//
// A caller's mistake (no ManagedBy, a nil slice, a bad port list, an unknown option) is an error of *field.Errors joined
// by errors.Join, with the path of each; then the plan is empty. A bad endpoint is no error but set aside in
// Plan.Rejected, unless Options.Invalid says otherwise.
//
// Compute is fastest where the wanted endpoints of each group come in the order in which the existing slices hold them, and
// fastest of all where they are those slices' own values. What it returns depends on neither.
func Compute(in Input) (Plan, error) {
	if err := validate(&in); err != nil {
		return Plan{}, err
	}
	p := planners.Get().(*planner)
	defer p.release()
	p.start(&in)
	p.collect()
	if err := p.failed(); err != nil {
		return Plan{}, err
	}
	p.sortExisting()
	for attempt := 0; ; attempt++ {
		p.match()
		p.place()
		if p.hint(attempt) {
			break
		}
		p.startOver()
	}
	p.emit()
	return p.plan, nil
}

func validate(in *Input) error {
	var f faults
	f.options(&in.Options)
	f.set(&in.Set)
	f.groups(in)
	f.existing(in)
	return f.err()
}

// planner is the scratch memory of one Compute. Nothing of it outlives the call but the plan.
type planner struct {
	in     *Input
	plan   Plan
	limits packing.Limits          // of each slice
	meta   metadata                // what every slice carries
	types  [len(addressTypes)]bool // address types that slices may have
	hasher endpoint.Hasher

	groups     []group
	groupIDs   map[string]int32
	lastGroup  int32   // that of the input group before, if that has an address type
	order      []int32 // groups in the plan's order
	items      []item
	hashes     []uint64 // of the items' identities within their groups
	ascending  bool     // the items' addresses ascend in each group, so that none can be there twice
	table      table
	addresses  addressSet
	distinct   bool // no two items share an address, and the set has all of them
	indexed    bool // the table is filled
	searches   int  // made without it
	clashes    int  // items that the last find looked at for nothing
	duplicates []duplicate

	slices  []slice // ours, live, the one with the highest resourceVersion first
	stale   []*discoveryv1.EndpointSlice
	creates []create
	copies  []copied // of items that live slices hold more than once on their ports; see noteCopy

	wantersIndex *wanters // nil until it is needed
	listed       contents
	assigned     map[int32]hints.Hint // hints of items that Proportional decided anew

	buf             []byte
	ports           []endpoint.Port
	guesses         []guess    // of one slice's endpoints
	found           []found    // of one slice's endpoints
	compared        []compared // of one slice's endpoints
	scratch         []int32    // items, for the length of one loop
	keys, keysAside []uint64   // of items that are sorted
	sink            int        // see prefetch.go
}

var planners = sync.Pool{New: func() any { return &planner{groupIDs: map[string]int32{}} }}

func (p *planner) start(in *Input) {
	p.in, p.plan = in, Plan{prefix: namePrefix(&in.Set)}
	p.limits = packing.Limits{Max: in.Options.MaxEndpointsPerSlice, NoCreates: in.Set.Terminating}
	if p.limits.Max == 0 {
		p.limits.Max = defaultMaxEndpoints
	}
	p.plan.max = p.limits.Max
	p.meta = metadataOf(&in.Set, &in.Options)
	p.types = typeSet(in.Set.AddressTypes)
	p.hasher = endpoint.NewHasher()
	p.hasher.AddressesOnly = true
}

// release gives the scratch memory back, without a pointer to anything of the caller's.
func (p *planner) release() {
	clear(p.groups)
	clear(p.groupIDs)
	clear(p.items)
	clear(p.duplicates)
	clear(p.slices)
	clear(p.stale)
	clear(p.creates)
	clear(p.copies)
	clear(p.ports[:cap(p.ports)])
	*p = planner{
		groups: p.groups[:0], groupIDs: p.groupIDs, order: p.order[:0], items: p.items[:0], hashes: p.hashes[:0],
		table: p.table, addresses: p.addresses,
		duplicates: p.duplicates[:0], slices: p.slices[:0], stale: p.stale[:0], creates: p.creates[:0], copies: p.copies[:0],
		buf: p.buf[:0], ports: p.ports[:0], scratch: p.scratch[:0],
		guesses: p.guesses[:0], found: p.found[:0], compared: p.compared[:0], keys: p.keys[:0], keysAside: p.keysAside[:0],
		listed: contents{ends: p.listed.ends, items: p.listed.items},
	}
	planners.Put(p)
}

// failed returns the rejections as an error where the options want that.
func (p *planner) failed() error {
	p.sortRejected()
	if p.in.Options.Invalid != Fail {
		return nil
	}
	var f faults
	for i := range p.plan.Rejected {
		f.add(p.plan.Rejected[i].Err)
	}
	return f.err()
}
