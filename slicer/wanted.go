package slicer

import (
	"cmp"
	"errors"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/notation"
	"github.com/slicewright/slicewright/slicer/internal/identity"
)

// wanted is what the Groups of an Input ask for. Nothing of it changes once collect has filled it.
type wanted struct {
	portSets identity.Groups  // finds groups
	groups   []identity.Group // in the plan's order; each has an item
	items    []identity.Item
	ids      identity.Items // finds items
	types    typeSet        // those of Set.AddressTypes, or else of Groups
	rejected []Skip
}

func (w *wanted) release() {
	clear(w.items)
	w.portSets.Release()
	w.ids.Release()
	*w = wanted{portSets: w.portSets, items: w.items[:0], ids: w.ids}
}

// collect merges the wanted groups and sets bad endpoints aside. It leaves in ids how items are found.
func collect(in *Input, r *rules, w *wanted) {
	c := collector{in: in, r: r, w: w}
	w.types = typesOf(in.Set.AddressTypes)
	c.owners()
	total := 0
	for i := range in.Groups {
		total += len(in.Groups[i].Endpoints)
	}
	w.items = slices.Grow(w.items, total)
	for i := range in.Groups {
		c.group(&in.Groups[i], int32(i))
	}
	if numbers := w.portSets.Sort(); numbers != nil {
		for i := range w.items {
			w.items[i].Group = numbers[w.items[i].Group]
		}
	}
	w.groups = w.portSets.All()
	if in.Options.ByTargetUID {
		identity.IdentifyByUID(w.items, w.groups)
	}
	kept, duplicates := w.ids.Take(w.items, w.groups)
	w.items = kept
	c.resolveDuplicates(duplicates)
}

// collector fills a wanted.
type collector struct {
	in *Input
	r  *rules
	w  *wanted

	// Of the ports of the input group before:
	ids [len(endpoint.AddressTypes)]int32 // the group of each address type; none: not yet known
	bad bool                              // the API server would refuse them
}

func (c *collector) group(in *Group, i int32) {
	c.w.types.add(in.AddressType)
	if i == 0 || c.bad || !sameList(c.in.Groups[i-1].Ports, in.Ports) {
		for t := range c.ids {
			c.ids[t] = none
		}
		c.bad = c.refusesPorts(in, i)
	}
	if c.bad {
		return
	}
	for j := range in.Endpoints {
		e, at := &in.Endpoints[j], identity.Source{Group: i, Endpoint: int32(j)}
		t, ip, ok := c.accept(in, e, at)
		if !ok {
			continue
		}
		c.w.types[t] = true
		if c.ids[t] == none {
			c.ids[t] = c.w.portSets.Intern(t, in.Ports)
		}
		c.w.items = append(c.w.items, identity.Item{Endpoint: e, Source: at, IP: ip, Group: c.ids[t]})
	}
}

// owners sets owners without UID aside.
func (c *collector) owners() {
	for i := range c.in.Set.Owners {
		if o := &c.in.Set.Owners[i]; o.UID == "" {
			cause := field.Required(field.NewPath("set", "owners").Index(i).Child("uid"), "use the object as the API server has it")
			c.w.rejected = append(c.w.rejected, Skip{Reason: OwnerWithoutUID, Path: cause.Field, Err: cause, Object: corev1.ObjectReference{
				APIVersion: o.APIVersion, Kind: o.Kind, Namespace: c.in.Set.Namespace, Name: o.Name,
			}})
		}
	}
}

// refusesPorts reports whether the API server would refuse the ports of a group, and sets the group aside.
func (c *collector) refusesPorts(in *Group, i int32) bool {
	faults := refusePorts(in.Ports, i).Faults
	for _, err := range faults {
		cause := err.(*field.Error)
		c.w.rejected = append(c.w.rejected, Skip{
			Reason: InvalidPorts, AddressType: in.AddressType, Port: notation.Ports(notation.Defaulted(in.Ports)), Path: cause.Field, Err: cause,
		})
	}
	return len(faults) > 0
}

// accept returns the address type of an endpoint, and its endpoint.OnlyIPv4. It rejects endpoints that must not be published.
func (c *collector) accept(in *Group, e *discoveryv1.Endpoint, at identity.Source) (t int, ip uint32, ok bool) {
	ip = endpoint.OnlyIPv4(e)
	addressType := in.AddressType
	if addressType == "" && len(e.Addresses) > 0 {
		addressType = endpoint.AddressType(e.Addresses[0])
	}
	t = typeIndex(addressType)
	no := accept.Refuse(ip, e, addressType, c.r.mode == hints.Given)
	if no != nil && (c.in.Options.Invalid != Pass || t == none) {
		c.reject(at, addressType, SkipReason(no.Part), no.Err(endpointPath(at)))
		return t, ip, false
	}
	if len(c.in.Set.AddressTypes) > 0 && !c.w.types[t] {
		types := slices.Sorted(slices.Values(c.in.Set.AddressTypes))
		c.reject(at, addressType, UnwantedAddressType, field.NotSupported(endpointPath(at).Child("addresses").Index(0), e.Addresses[0], types))
		return t, ip, false
	}
	return t, ip, true
}

// reject sets a wanted endpoint aside. t is its address type, empty where it has none.
func (c *collector) reject(at identity.Source, t discoveryv1.AddressType, reason SkipReason, cause *field.Error) {
	c.w.rejected = append(c.w.rejected, skipOf(c.in, at, t, reason, cause, cause.Field))
}

// resolveDuplicates lets the best endpoint of each identity stay: a ready one, then the first by content, then by its change. Of the others
// those that differ from it are rejected.
func (c *collector) resolveDuplicates(duplicates []identity.Duplicate) {
	for i := range duplicates {
		d := &duplicates[i]
		it := &c.w.items[d.Item]
		order := better(d.Endpoint, it.Endpoint)
		if order < 0 || order == 0 && changedEarlier(c.in.Groups, d.Source, it.Source) {
			d.Endpoint, it.Endpoint = it.Endpoint, d.Endpoint
			d.Source, it.Source = it.Source, d.Source
			it.IP = endpoint.OnlyIPv4(it.Endpoint) // it may be spelt otherwise
		}
	}
	for i := range duplicates {
		d := &duplicates[i]
		it := &c.w.items[d.Item]
		if c.r.sameContent(d.Endpoint, it.Endpoint) && (c.r.mode != hints.Given || endpoint.SameHints(d.Endpoint.Hints, it.Endpoint.Hints)) {
			continue
		}
		c.reject(d.Source, endpoint.AddressTypes[c.w.groups[it.Group].Type], DifferingDuplicate, accept.Duplicate(
			endpointPath(d.Source), notation.Addresses(d.Endpoint.Addresses),
			"another wanted endpoint has the same addresses, hostname and targetRef but differs in content: list it once",
		))
	}
}

// better orders endpoints, the best one first.
func better(a, b *discoveryv1.Endpoint) int {
	x, y := conditions.Of(a.Conditions), conditions.Of(b.Conditions)
	return cmp.Or(endpoint.TrueFirst(x.Ready, y.Ready), endpoint.Compare(a, b))
}

// skipOf is a wanted endpoint that is not published. t is its address type, empty where it has none.
func skipOf(in *Input, at identity.Source, t discoveryv1.AddressType, reason SkipReason, err error, path string) Skip {
	g := &in.Groups[at.Group]
	e := &g.Endpoints[at.Endpoint]
	s := Skip{Reason: reason, Err: err, Path: path, AddressType: t, Object: endpoint.TargetOf(e)}
	if len(g.Ports) > 0 {
		s.Port = notation.Ports(notation.Defaulted(g.Ports))
	}
	if len(e.Addresses) > 0 {
		s.Address = endpoint.Canonical(e.Addresses[0])
	}
	return s
}

// mistakes returns what is rejected as an error.
func (w *wanted) mistakes() error {
	sortSkips(w.rejected)
	var errs []error
	for i := range w.rejected {
		errs = append(errs, w.rejected[i].Err)
	}
	return errors.Join(errs...)
}

func changedAt(groups []Group, at identity.Source) time.Time {
	if changed := groups[at.Group].Changed; len(changed) > 0 {
		return changed[at.Endpoint]
	}
	return time.Time{}
}

// changedEarlier reports whether the first of two wanted endpoints changed before the second, so that of two that are equal
// the order does not count.
func changedEarlier(groups []Group, a, b identity.Source) bool {
	x, y := changedAt(groups, a), changedAt(groups, b)
	return !x.IsZero() && (y.IsZero() || x.Before(y))
}

func endpointPath(at identity.Source) *field.Path {
	return groupPath(int(at.Group)).Child("endpoints").Index(int(at.Endpoint))
}
