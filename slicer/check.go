package slicer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/quote"
)

// Unread: the API server accepts it, and kube-proxy and other readers do not use it. Only [Check]
// gives this reason.
const Unread SkipReason = "Unread"

// Check says what is wrong with one slice that somebody wrote by hand: for an admission webhook, or
// before a manifest is applied. It does not change the slice.
//
// err is what the API server would refuse if the slice were created, as *field.Errors joined by
// errors.Join. The rules are those of ValidateEndpointSliceCreate in Kubernetes 1.37, after the
// defaults for the names and protocols of ports. nil: the API server accepts the slice.
//
// unread is what the API server accepts and readers drop, for example every address of an endpoint
// but the first. Each has the reason [Unread]. A slice for readers of another label than
// kubernetes.io/service-name, or of FQDN addresses, may be right although some of it is listed.
// nil: there is nothing.
//
// The paths of both begin in the slice, such as endpoints[3].addresses[0]. A nil slice is an error.
func Check(slice *discoveryv1.EndpointSlice) (unread Skips, err error) {
	if slice == nil {
		return nil, field.Required(field.NewPath("slice"), "is nil: give a slice")
	}
	c := checker{slice: slice}
	c.metadata()
	if !slices.Contains(endpoint.AddressTypes[:], slice.AddressType) {
		c.Add(field.NotSupported(field.NewPath("addressType"), string(slice.AddressType), endpoint.AddressTypes[:]))
	}
	c.endpoints()
	c.ports()
	c.dropped()
	return c.unread, c.Err()
}

// checker collects what Check finds.
type checker struct {
	accept.Faults
	slice  *discoveryv1.EndpointSlice
	unread Skips
}

func (c *checker) drop(path *field.Path, value any, why string) {
	err := field.Invalid(path, value, why)
	c.unread = append(c.unread, Skip{Reason: Unread, AddressType: c.slice.AddressType, Path: err.Field, Err: err})
}

func (c *checker) metadata() {
	path := field.NewPath("metadata")
	c.List(apivalidation.ValidateObjectMeta(&c.slice.ObjectMeta, true, apivalidation.NameIsDNSSubdomain, path))
	known := []string{string(corev1.FinalizerKubernetes), metav1.FinalizerOrphanDependents, metav1.FinalizerDeleteDependents}
	for i, f := range c.slice.Finalizers {
		if !strings.Contains(f, "/") && !slices.Contains(known, f) {
			c.Add(field.Invalid(path.Child("finalizers").Index(i), f,
				"put a domain in front: example.com/"+quote.Text(f)))
		}
	}
}

func (c *checker) endpoints() {
	path := field.NewPath("endpoints")
	if n := len(c.slice.Endpoints); n > accept.MaxEndpoints {
		c.Add(field.TooMany(path, n, accept.MaxEndpoints))
		return
	}
	for i := range c.slice.Endpoints {
		c.endpoint(&c.slice.Endpoints[i], path.Index(i))
	}
}

func (c *checker) endpoint(e *discoveryv1.Endpoint, path *field.Path) {
	addresses := path.Child("addresses")
	switch n := len(e.Addresses); {
	case n == 0:
		c.Add(field.Required(addresses, "an endpoint needs an address"))
	case n > accept.MaxAddresses:
		c.Add(field.TooMany(addresses, n, accept.MaxAddresses))
	}
	for i, a := range e.Addresses {
		c.Faults = append(c.Faults, accept.AddressFaults(addresses, i, a, c.slice.AddressType)...)
	}
	if e.NodeName != nil {
		c.Invalid(path.Child("nodeName"), *e.NodeName, apivalidation.NameIsDNSSubdomain(*e.NodeName, false))
	}
	if e.Hostname != nil {
		c.Invalid(path.Child("hostname"), *e.Hostname, validation.IsDNS1123Label(*e.Hostname))
	}
	if e.Hints != nil {
		c.hints(e.Hints, path.Child("hints"))
	}
}

// hints stops after too many zones, as the API server does.
func (c *checker) hints(h *discoveryv1.EndpointHints, path *field.Path) {
	var zones, nodes []string
	for _, z := range h.ForZones {
		zones = append(zones, z.Name)
	}
	for _, n := range h.ForNodes {
		nodes = append(nodes, n.Name)
	}
	if c.names(zones, path.Child("forZones"), validation.IsValidLabelValue) {
		c.names(nodes, path.Child("forNodes"), func(name string) []string { return apivalidation.NameIsDNSSubdomain(name, false) })
	}
}

func (c *checker) names(names []string, path *field.Path, refuse func(name string) []string) bool {
	if len(names) > accept.MaxHints {
		c.Add(field.TooMany(path, len(names), accept.MaxHints))
		return false
	}
	for i, name := range names {
		at := path.Index(i).Child("name")
		if slices.Contains(names[:i], name) {
			c.Add(accept.Duplicate(at, name, "give each name once"))
		}
		c.Invalid(at, name, refuse(name))
	}
	return true
}

func (c *checker) ports() {
	path := field.NewPath("ports")
	if n := len(c.slice.Ports); n > maxPorts {
		c.Add(field.TooMany(path, n, maxPorts))
		return
	}
	seen := map[string]bool{}
	for i := range c.slice.Ports {
		p := endpoint.PortOf(&c.slice.Ports[i])
		if seen[p.Name] {
			c.Add(accept.Duplicate(path.Index(i).Child("name"), p.Name, "give each port a name of its own"))
		}
		seen[p.Name] = true
		if p.Number < 1 || p.Number > 65535 { // also no number: the API server does not look at it
			c.drop(path.Index(i).Child("port"), c.slice.Ports[i].Port, "readers leave out a port without a number of 1 to 65535: give one")
			p.Number = endpoint.AnyPort
		}
		c.Port(p, c.slice.Ports[i].AppProtocol, func(name string) *field.Path { return path.Index(i).Child(name) })
	}
}

// dropped lists what readers do not use, except for the numbers of ports.
func (c *checker) dropped() {
	s := c.slice
	if s.Labels[discoveryv1.LabelServiceName] == "" {
		c.drop(field.NewPath("metadata", "labels").Key(discoveryv1.LabelServiceName), "", "readers find slices by this label: give it the name of the Service")
	}
	if s.AddressType == discoveryv1.AddressTypeFQDN {
		c.drop(field.NewPath("addressType"), s.AddressType, "kube-proxy reads IPv4 and IPv6 only")
	}
	if len(s.Ports) == 0 && len(s.Endpoints) > 0 {
		c.drop(field.NewPath("ports"), len(s.Ports), "only a headless Service uses endpoints without ports: list the ports of the Pods")
	}
	seen := map[string]bool{}
	for i := range s.Endpoints {
		e, path := &s.Endpoints[i], field.NewPath("endpoints").Index(i)
		if n := len(e.Addresses); n > 1 {
			c.drop(path.Child("addresses"), n, "readers use the first address only: make an endpoint of each")
		}
		if n := len(e.DeprecatedTopology); n > 0 {
			c.drop(path.Child("deprecatedTopology"), n, "the API server removes it: use nodeName and zone")
		}
		if e.Hints != nil {
			for j, z := range e.Hints.ForZones {
				if z.Name == "" {
					c.drop(path.Child("hints", "forZones").Index(j).Child("name"), "", "no reader is in a zone without name: name the zone")
				}
			}
		}
		if len(e.Addresses) == 0 {
			continue
		}
		address := endpoint.Canonical(e.Addresses[0])
		if seen[address] {
			c.drop(path.Child("addresses").Index(0), e.Addresses[0], "an endpoint before it has this address, and readers use one of them: list it once")
		}
		seen[address] = true
	}
}

// Orphans returns the slices of a manager whose parent is gone, sorted by namespace and name: slices
// that no sync will delete, because nothing syncs their parent any more. They stay behind if owner
// references are missing, or point to another object than the parent. Delete each with its UID and
// resourceVersion as preconditions. Orphans deletes nothing and changes nothing.
//
// managedBy is the value of the label endpointslice.kubernetes.io/managed-by. Slices of other
// managers and slices that are being deleted are left out; nil slices are, too. alive reports
// whether the parent of a slice exists: usually whether a cache has the Service that the label
// kubernetes.io/service-name names. It is called once for each slice, in the order of existing.
//
// If the manager has slices and no parent is alive, the result is an error: the cache of the parents
// is then probably not filled yet. An empty managedBy and a nil alive are a *field.Error. No slices:
// nil.
func Orphans(
	managedBy string, existing []*discoveryv1.EndpointSlice, alive func(slice *discoveryv1.EndpointSlice) bool,
) ([]*discoveryv1.EndpointSlice, error) {
	var f accept.Faults
	if managedBy == "" {
		f.Add(field.Required(field.NewPath("managedBy"), "name the manager whose slices are looked at"))
	}
	if alive == nil {
		f.Add(field.Required(field.NewPath("alive"), "give a function that reports whether the parent of a slice exists"))
	}
	if len(f) > 0 {
		return nil, f.Err()
	}
	var orphans []*discoveryv1.EndpointSlice
	ours := 0
	for _, s := range existing {
		if s == nil || s.Labels[discoveryv1.LabelManagedBy] != managedBy || s.DeletionTimestamp != nil {
			continue
		}
		if ours++; !alive(s) {
			orphans = append(orphans, s)
		}
	}
	if ours > 0 && len(orphans) == ours {
		return nil, fmt.Errorf("slicer: no parent of the %d slices of %q is alive: wait until the cache of the parents is filled", ours, managedBy)
	}
	slices.SortFunc(orphans, func(a, b *discoveryv1.EndpointSlice) int {
		return cmp.Or(strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name))
	})
	return orphans, nil
}
