package slicertest

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/internal/test/kit"
)

const manager = "slices.example.com"

// keeper is a right writer by hand: endpoints stay in their slices, new ones fill places that are
// free, creates come before updates and updates before deletes. It publishes what the kit wants.
// Slicewright, which is under test beside it, decides that by itself. Each test changes one habit
// of a keeper.
type keeper struct {
	max      int
	want     func(State) []Want
	labels   func(c call, s *discoveryv1.EndpointSlice, i int)
	name     func(c call, s *discoveryv1.EndpointSlice)
	same     func(old, s *discoveryv1.EndpointSlice) bool
	merge    func(old, s *discoveryv1.EndpointSlice) // what an update keeps of the old slice
	write    func(c call, w change) error
	apply    func(c call, todo []change) error
	refills  bool                                            // slices that have lost all their endpoints take others
	twice    bool                                            // endpoints stay in all slices that have them
	anyOwner bool                                            // slices of an earlier Service are taken over
	key      string                                          // the label with the name of the Service
	gone     func(c call) error                              // what it does when the Service is gone
	dying    bool                                            // slices that are being deleted are used like others
	choose   func(c call, s *discoveryv1.EndpointSlice) bool // which of all slices are its own; nil: State.Own
}

// change is one write: without old a create, without s a delete.
type change struct{ old, s *discoveryv1.EndpointSlice }

var claimsAll, _ = newSuite(Options{}, kit.Flags{}, idle)

func newKeeper() *keeper {
	return &keeper{
		max:    3,
		want:   claimsAll.want,
		labels: func(call, *discoveryv1.EndpointSlice, int) {},
		name:   func(c call, s *discoveryv1.EndpointSlice) { s.GenerateName = c.Service.Name + "-" },
		same:   same,
		merge: func(old, s *discoveryv1.EndpointSlice) {
			labels := s.Labels
			s.ObjectMeta = old.DeepCopy().ObjectMeta
			s.Labels = labels
		},
		write: func(c call, w change) error { return w.do(c) },
		apply: writeAll,
		gone:  func(call) error { return nil },
	}
}

func same(a, b *discoveryv1.EndpointSlice) bool {
	return apiequality.Semantic.DeepEqual(a.Endpoints, b.Endpoints) &&
		apiequality.Semantic.DeepEqual(a.Ports, b.Ports) &&
		maps.Equal(a.Labels, b.Labels)
}

func writeAll(c call, todo []change) error {
	for _, w := range todo {
		if err := c.keeper.write(c, w); err != nil {
			return err
		}
	}
	return nil
}

func (w change) do(c call) error {
	switch {
	case w.old == nil:
		return c.create(w.s)
	case w.s == nil:
		return c.delete(w.old)
	}
	_, err := c.slices.Update(c, w.s, metav1.UpdateOptions{})
	return err
}

func (k *keeper) start(rt http.RoundTripper) func(context.Context, State) error {
	return k.sync(rt.(*server))
}

func (k *keeper) sync(api *server) func(context.Context, State) error {
	return each(func(c call) error {
		if c.keeper = k; c.Service == nil {
			return k.gone(c)
		}
		return k.apply(c, k.plan(c))
	})(api)
}

// group is what the endpoints of one slice share.
type group struct {
	family discoveryv1.AddressType
	ports  []discoveryv1.EndpointPort
	left   []discoveryv1.Endpoint // not placed yet
}

func (g *group) holds(s *discoveryv1.EndpointSlice) bool {
	return s.AddressType == g.family && portsOf(s.Ports) == portsOf(g.ports)
}

// groups are those of the endpoints that are wanted, Pod by Pod in the order of their names.
func (k *keeper) groups(s State) (groups []*group) {
	s.Pods = slices.SortedFunc(slices.Values(s.Pods), func(a, b *corev1.Pod) int { return cmp.Compare(a.Name, b.Name) })
	var wanted []Want
	if s.Service.Spec.Selector != nil && s.Service.Spec.Type != corev1.ServiceTypeExternalName {
		wanted = k.want(s)
	}
	slices.SortStableFunc(wanted, func(a, b Want) int { return cmp.Compare(a.AddressType, b.AddressType) })
	for _, w := range wanted {
		s := &discoveryv1.EndpointSlice{AddressType: w.AddressType, Ports: w.Ports}
		at := slices.IndexFunc(groups, func(g *group) bool { return g.holds(s) })
		if at < 0 {
			at, groups = len(groups), append(groups, &group{family: w.AddressType, ports: w.Ports})
		}
		if w.Endpoint.Hostname != nil && *w.Endpoint.Hostname == "" {
			w.Endpoint.Hostname = nil
		}
		groups[at].left = append(groups[at].left, w.Endpoint)
	}
	return groups
}

func (k *keeper) plan(c call) (todo []change) {
	var live []*discoveryv1.EndpointSlice
	var creates, updates, deletes []change
	if k.choose != nil {
		c.Own = slices.DeleteFunc(slices.Clone(c.Slices), func(s *discoveryv1.EndpointSlice) bool {
			return !k.choose(c, s)
		})
	}
	groups := k.groups(c.State)
	for _, s := range c.Own {
		owner := metav1.GetControllerOf(s)
		stale := owner != nil && owner.UID != c.Service.UID && !k.anyOwner
		wanted := slices.ContainsFunc(groups, func(g *group) bool { return g.holds(s) })
		switch {
		case s.DeletionTimestamp != nil && !k.dying:
		case stale || !wanted:
			deletes = append(deletes, change{s, nil})
		default:
			live = append(live, s)
		}
	}
	slices.SortFunc(live, func(a, b *discoveryv1.EndpointSlice) int { return strings.Compare(a.Name, b.Name) })
	for _, g := range groups {
		mine := slices.DeleteFunc(slices.Clone(live), func(s *discoveryv1.EndpointSlice) bool { return !g.holds(s) })
		for i, s := range k.keep(c, g, mine) {
			if old := mine[i]; len(s.Endpoints) == 0 {
				deletes = append(deletes, change{old, nil})
			} else if !k.same(old, s) {
				k.merge(old, s)
				updates = append(updates, change{old, s})
			}
		}
		for len(g.left) > 0 {
			n := min(k.max, len(g.left))
			s := c.slice("", g, g.left[:n:n])
			g.left = g.left[n:]
			k.labels(c, s, len(mine)+len(creates))
			k.name(c, s)
			creates = append(creates, change{nil, s})
		}
	}
	return slices.Concat(creates, updates, deletes)
}

// keep lets endpoints stay where they are, and fills up.
func (k *keeper) keep(c call, g *group, mine []*discoveryv1.EndpointSlice) (kept []*discoveryv1.EndpointSlice) {
	all := g.left
	for i, old := range mine {
		s := c.slice(old.Name, g, nil)
		k.labels(c, s, i)
		for _, e := range old.Endpoints {
			is := func(w discoveryv1.Endpoint) bool { return w.Addresses[0] == e.Addresses[0] }
			if at := slices.IndexFunc(all, is); at >= 0 && (k.twice || slices.ContainsFunc(g.left, is)) {
				s.Endpoints = append(s.Endpoints, all[at])
				g.left = slices.DeleteFunc(slices.Clone(g.left), is)
			}
		}
		kept = append(kept, s)
	}
	for _, s := range kept {
		for (k.refills || len(s.Endpoints) > 0) && len(s.Endpoints) < k.max && len(g.left) > 0 {
			s.Endpoints, g.left = append(s.Endpoints, g.left[0]), g.left[1:]
		}
	}
	return kept
}

// call is one call of a writer's Sync, and what writers have in common.
type call struct {
	context.Context
	api    *server
	slices client // of the Service's namespace
	State
	keeper *keeper
}

// each makes a writer without memory of a function.
func each(sync func(c call) error) writer {
	return func(rt http.RoundTripper) func(context.Context, State) error {
		api := rt.(*server)
		return func(ctx context.Context, s State) error {
			c := call{Context: ctx, api: api, slices: client{api, namespace}, State: s}
			if s.Service != nil {
				c.slices = client{api, s.Service.Namespace}
			}
			return sync(c)
		}
	}
}

func (c call) slice(name string, g *group, es []discoveryv1.Endpoint) *discoveryv1.EndpointSlice {
	s := &discoveryv1.EndpointSlice{AddressType: g.family, Ports: g.ports, Endpoints: es}
	s.Name, s.Namespace = name, c.Service.Namespace
	s.Labels = maps.Clone(c.Service.Labels)
	for _, key := range []string{corev1.IsHeadlessService, discoveryv1.LabelServiceName, discoveryv1.LabelManagedBy} {
		delete(s.Labels, key)
	}
	metav1.SetMetaDataLabel(&s.ObjectMeta, cmp.Or(c.keeper.key, discoveryv1.LabelServiceName), c.Service.Name)
	metav1.SetMetaDataLabel(&s.ObjectMeta, discoveryv1.LabelManagedBy, manager)
	if c.Service.Spec.ClusterIP == corev1.ClusterIPNone {
		s.Labels[corev1.IsHeadlessService] = ""
	}
	s.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(c.Service,
		corev1.SchemeGroupVersion.WithKind("Service"))}
	return s
}

// deleteAll deletes the writer's slices.
func (c call) deleteAll() error {
	for _, s := range c.Own {
		if err := c.delete(s); err != nil {
			return err
		}
	}
	return nil
}

func (c call) create(s *discoveryv1.EndpointSlice) error {
	_, err := c.slices.Create(c, s, metav1.CreateOptions{})
	return err
}

func (c call) delete(old *discoveryv1.EndpointSlice) error {
	if err := (client{c.api, old.Namespace}).Delete(c, old.Name, metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
		return err
	}
	return nil
}
