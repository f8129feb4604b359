package mirror

import (
	"cmp"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/mirror/internal/source"
	"github.com/slicewright/slicewright/slicer"
)

// FromSlices returns copies of slices of another cluster, network or Service. Hints are in the
// Groups; they are published only if Input.Hints.Mode is hints.Given.
//
// Labels and annotations are not copied: set Input.Meta. A slice that ManagedBy of the Key wrote is
// left out, because copies of copies would never end. An endpoint that several slices have on the
// same ports is copied once. If no slice has an endpoint any more, a plan deletes its copy.
func FromSlices(k slicer.Key, from []*discoveryv1.EndpointSlice, o CopyOptions) (slicer.Input, error) {
	var faults accept.Faults
	if k.ManagedBy == "" {
		faults.Add(field.Required(field.NewPath("key", "managedBy"),
			"choose a name that no other manager of EndpointSlices uses"))
	}
	for i, s := range from {
		if s == nil {
			faults.Add(field.Required(source.Path(i), "is nil: leave it out"))
		}
	}
	if len(faults) > 0 {
		return slicer.Input{}, faults.Err()
	}
	in := slicer.Input{Key: k}
	in.Options.NoPlaceholder = true
	c := copier{options: o, groups: map[string]int{}, copied: map[copiedEndpoint]int{}}
	for i, s := range from {
		c.read(i, s, k.ManagedBy)
	}
	in.Groups = c.result()
	in.Pending = c.pending
	in.Warnings = c.warnings
	in.Normal = c.normal
	if len(from) == 0 {
		in.Normal = slicer.Notices{*notice("NoSlices", field.Required(field.NewPath("slices"),
			"there are no slices to copy, so there are no copies"))}
	}
	if c.failed != nil {
		in.Retry = fmt.Errorf("mirror: %d endpoints are not known at the moment, the first of them %s: %w",
			c.failures, c.failedAt, c.failed)
	}
	return in, nil
}

// copier copies the ports and endpoints of slices.
type copier struct {
	options CopyOptions
	slice   int // the index of the current slice
	from    *discoveryv1.EndpointSlice

	lists   []copiedGroup
	groups  map[string]int         // by address type and ports: the index in lists
	copied  map[copiedEndpoint]int // the index in the group's endpoints
	pending []slicer.Pending
	// untargeted says that pending has all endpoints without a targetRef.
	untargeted bool
	notices

	failed   error // the first error of Transform
	failedAt string
	failures int
}

// copiedGroup is a Group with the place of each endpoint in the arguments.
type copiedGroup struct {
	slicer.Group
	at []position
}

// copiedEndpoint identifies a copy.
type copiedEndpoint struct {
	group int
	endpoint.Identity
}

// read copies a slice, or adds a Warning.
func (c *copier) read(i int, s *discoveryv1.EndpointSlice, managedBy string) {
	c.slice = i
	c.from = s
	if s.Labels[discoveryv1.LabelManagedBy] == managedBy {
		c.warn("OwnOutput", field.Forbidden(source.Path(i), "is managed by the copy's own manager"))
		return
	}
	if !slices.Contains(endpoint.AddressTypes[:], s.AddressType) {
		c.warn("OtherAddressType", field.NotSupported(source.Path(i).Child("addressType"), string(s.AddressType),
			endpoint.AddressTypes[:]))
		return
	}
	ports, ok := c.ports()
	if !ok {
		return
	}
	list := endpoint.Ports(nil, ports)
	text := endpoint.PortsKey(list)
	copies := endpoint.CopiesOf(len(s.Endpoints))
	for j := range s.Endpoints {
		var e discoveryv1.Endpoint
		if !c.copy(&copies, &e, j) {
			continue
		}
		addressType := s.AddressType
		if c.options.Transform != nil {
			addressType = endpoint.AddressType(e.Addresses[0])
		}
		if no := accept.Refuse(endpoint.OnlyIPv4(&e), &e, addressType, false); no != nil {
			err := no.Err(endpointPath(position{i, j}))
			c.warnOf(&e, string(no.Part), err.Field, err)
			continue
		}
		key := string(addressType) + " " + text
		g, known := c.groups[key]
		if !known {
			g = len(c.lists)
			c.groups[key] = g
			group := slicer.Group{AddressType: addressType, Ports: endpoint.APIPorts(list)}
			c.lists = append(c.lists, copiedGroup{Group: group})
		}
		c.add(g, &e, position{i, j})
	}
}

// add adds a copy to a group. If the group has a copy with the same identity, one of them is left
// out: ready copies are kept before others, and then the order of their content decides. Several
// Pods can have one address for a while, for example during a live migration. If only the targetRef
// that the copy drops tells them apart, that is routine.
func (c *copier) add(g int, e *discoveryv1.Endpoint, at position) {
	group := &c.lists[g]
	key := copiedEndpoint{g, endpoint.IdentityOf(e)}
	n, known := c.copied[key]
	if !known {
		c.copied[key] = len(group.Endpoints)
		group.Endpoints = append(group.Endpoints, slicer.Endpoint{API: *e})
		group.at = append(group.at, at)
		return
	}
	kept := &group.Endpoints[n].API
	same := endpoint.Compare(e, kept) == 0
	lost, lostAt := *e, at
	if endpoint.ReadyFirst(e, kept) < 0 {
		lost, lostAt = *kept, group.at[n]
		*kept = *e
		group.at[n] = at
	}
	if same {
		return
	}
	path := endpointPath(lostAt).String()
	err := accept.Duplicate(endpointPath(lostAt), lost.Addresses[0],
		"another endpoint has the same address and ports, and is copied: "+endpointPath(group.at[n]).String())
	notice := noticeOf(&lost, "Duplicate", path, err)
	c.normal = append(c.normal, notice)
}

// copy copies an endpoint of the current slice. It returns false if the endpoint is left out.
func (c *copier) copy(copies *endpoint.Copies, to *discoveryv1.Endpoint, index int) bool {
	from := &c.from.Endpoints[index]
	e := from
	if c.options.Transform != nil {
		e = from.DeepCopy()
		if err := c.options.Transform(e, c.from); err != nil {
			c.fail(from, index, err)
			return false
		}
		if len(e.Addresses) == 0 {
			return false
		}
	}
	kept := *e
	if !c.options.KeepZones {
		kept.Zone = nil
	}
	if !c.options.KeepNodes {
		kept.NodeName = nil
	}
	if !c.options.KeepTargetRefs {
		kept.TargetRef = nil
	}
	copies.Put(to, &kept, false)
	to.Addresses = distinct(to.Addresses)
	if e.Hints != nil {
		to.Hints = e.Hints.DeepCopy()
	}
	return true
}

// fail notes that Transform failed for an endpoint.
func (c *copier) fail(e *discoveryv1.Endpoint, index int, err error) {
	path := endpointPath(position{c.slice, index}).String()
	c.warnOf(e, "Dropped", path, err)
	if _, mistake := err.(*field.Error); mistake {
		return
	}
	if c.failures++; c.failed == nil {
		c.failed = err
		c.failedAt = path
	}
	if object := endpoint.TargetOf(e); c.options.KeepTargetRefs && object != (corev1.ObjectReference{}) {
		c.pending = append(c.pending, slicer.Pending{Object: object})
	} else if !c.untargeted {
		c.untargeted = true
		c.pending = append(c.pending, slicer.Pending{Untargeted: true})
	}
}

// distinct returns canonical addresses without repetitions. A list that is too long stays as it is,
// because the endpoint is refused.
func distinct(list []string) []string {
	if len(list) < 2 || len(list) > accept.MaxAddresses {
		return list
	}
	out := list[:0]
	for _, a := range list {
		if !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	return out
}

// result returns the Groups, sorted by address type and ports.
func (c *copier) result() []slicer.Group {
	var groups []slicer.Group
	for i := range c.lists {
		groups = append(groups, c.lists[i].Group)
	}
	slices.SortFunc(groups, func(a, b slicer.Group) int {
		return cmp.Or(cmp.Compare(a.AddressType, b.AddressType),
			slices.CompareFunc(endpoint.Ports(nil, a.Ports), endpoint.Ports(nil, b.Ports), endpoint.Port.Compare))
	})
	return groups
}

// ports returns the ports of the copy. If several ports have one name, only the first of them in
// canonical order is copied. ok is false if the slice has ports and the copy has none. ok is true
// if the slice has no ports.
func (c *copier) ports() (copied []discoveryv1.EndpointPort, ok bool) {
	in, at := c.from.Ports, source.Path(c.slice).Child("ports")
	order := make([]int, len(in))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return endpoint.PortOf(&in[a]).Compare(endpoint.PortOf(&in[b])) })
	reason, why := "InvalidPort", "the API server refuses each of these ports: correct them in the source"
	for _, i := range order {
		p, path := endpoint.PortOf(&in[i]), at.Index(i)
		err := accept.RefusePort(p, path)
		if n := len(copied); err == nil && n > 0 && endpoint.Text(copied[n-1].Name) == p.Name {
			err = accept.Duplicate(path.Child("name"), p.Name,
				"the slice has another port of this name, which is copied: give each port a name of its own")
		}
		switch {
		case err != nil:
			c.warn("InvalidPort", err)
		case c.options.Port != nil && !c.options.Port(endpoint.APIPorts([]endpoint.Port{p})[0]):
			reason, why = "PortsFiltered", "CopyOptions.Port takes none of these ports"
		default:
			copied = append(copied, in[i])
		}
	}
	if len(copied) == 0 && len(in) > 0 {
		c.warn(reason, field.Required(at, why))
		return nil, false
	}
	return copied, true
}
