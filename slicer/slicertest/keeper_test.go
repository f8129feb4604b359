package slicertest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/slicewright/slicewright/slicer/slicertest"
)

// keeper is a right writer by hand: endpoints stay in their slices, new ones fill places that are free, creates come before
// updates and updates before deletes. Each test changes one habit of it.
type keeper struct {
	max      int
	publish  func(c call, p *corev1.Pod) bool
	endpoint func(c call, p *corev1.Pod, e *discoveryv1.Endpoint)
	ports    func(c call, p *corev1.Pod) []discoveryv1.EndpointPort
	families func(c call) []corev1.IPFamily
	labels   func(c call, s *discoveryv1.EndpointSlice, i int)
	name     func(c call, s *discoveryv1.EndpointSlice)
	same     func(old, s *discoveryv1.EndpointSlice) bool
	merge    func(old, s *discoveryv1.EndpointSlice) // what an update keeps of the old slice
	write    func(c call, w change) error
	order    func(todo []change) // in which changes are made
	apply    func(c call, todo []change) error
	fresh    bool                                            // all slices are written in each sync
	twice    bool                                            // endpoints stay in all slices that have them
	anyOwner bool                                            // slices of an earlier Service are taken over
	choose   func(c call, s *discoveryv1.EndpointSlice) bool // which of all slices are its own; nil: State.Own
}

// change is one write: without old a create, without s a delete.
type change struct{ old, s *discoveryv1.EndpointSlice }

func newKeeper() *keeper {
	return &keeper{
		max:      3,
		publish:  func(_ call, p *corev1.Pod) bool { return p.Status.Phase == corev1.PodRunning },
		endpoint: func(call, *corev1.Pod, *discoveryv1.Endpoint) {},
		ports:    func(c call, p *corev1.Pod) []discoveryv1.EndpointPort { return podPorts(c.Service, p) },
		families: func(c call) []corev1.IPFamily { return c.Service.Spec.IPFamilies },
		labels:   func(call, *discoveryv1.EndpointSlice, int) {},
		name: func(c call, s *discoveryv1.EndpointSlice) {
			s.GenerateName = c.Service.Name + "-"
		},
		same: same,
		merge: func(old, s *discoveryv1.EndpointSlice) {
			kept := old.DeepCopy().ObjectMeta
			kept.Labels = s.Labels
			s.ObjectMeta = kept
		},
		write: func(c call, w change) error { return w.do(c) },
		order: func([]change) {},
		apply: func(c call, todo []change) error { return writeAll(c, todo) },
	}
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
	_, err := c.api.Update(c, w.s, metav1.UpdateOptions{})
	return err
}

func (k *keeper) start(api *slicertest.API) slicertest.Sync {
	return func(ctx context.Context, s slicertest.State) error {
		c := call{Context: ctx, api: api, State: s, keeper: k}
		todo := k.plan(c)
		k.order(todo)
		return k.apply(c, todo)
	}
}

// group is what the endpoints of one slice share.
type group struct {
	family corev1.IPFamily
	ports  []discoveryv1.EndpointPort
	left   []discoveryv1.Endpoint // not placed yet
}

func (k *keeper) plan(c call) (todo []change) {
	wanted := k.wanted(c)
	var live, updates, deletes []*discoveryv1.EndpointSlice
	if k.choose != nil {
		c.Own = slices.DeleteFunc(slices.Clone(c.All), func(s *discoveryv1.EndpointSlice) bool { return !k.choose(c, s) })
	}
	for _, s := range c.Own {
		owner := metav1.GetControllerOf(s)
		switch {
		case s.DeletionTimestamp != nil:
		case owner != nil && owner.UID != c.Service.UID && !k.anyOwner:
			deletes = append(deletes, s)
		default:
			live = append(live, s)
		}
	}
	slices.SortFunc(live, func(a, b *discoveryv1.EndpointSlice) int { return strings.Compare(a.Name, b.Name) })
	var creates []*discoveryv1.EndpointSlice
	for _, g := range wanted {
		mine := slices.DeleteFunc(slices.Clone(live), func(s *discoveryv1.EndpointSlice) bool { return !g.holds(s) })
		kept := k.keep(c, g, mine)
		for i, old := range mine {
			if s := kept[i]; len(s.Endpoints) == 0 {
				deletes = append(deletes, old)
			} else if k.fresh || !k.same(old, s) {
				updates = append(updates, old, s)
			}
		}
		for len(g.left) > 0 {
			n := min(k.max, len(g.left))
			s := c.slice("", discoveryv1.AddressType(g.family), g.left[:n:n])
			s.Ports, g.left = g.ports, g.left[n:]
			k.labels(c, s, len(mine)+len(creates))
			k.name(c, s)
			creates = append(creates, s)
		}
	}
	for _, s := range live {
		if !slices.ContainsFunc(wanted, func(g *group) bool { return g.holds(s) }) {
			deletes = append(deletes, s)
		}
	}
	for _, s := range creates {
		todo = append(todo, change{nil, s})
	}
	for i := 0; i < len(updates); i += 2 {
		k.merge(updates[i], updates[i+1])
		todo = append(todo, change{updates[i], updates[i+1]})
	}
	for _, s := range deletes {
		todo = append(todo, change{s, nil})
	}
	return todo
}

// keep lets endpoints stay where they are, and fills up.
func (k *keeper) keep(c call, g *group, mine []*discoveryv1.EndpointSlice) (kept []*discoveryv1.EndpointSlice) {
	all := g.left
	for i, old := range mine {
		s := c.slice(old.Name, old.AddressType, nil)
		s.Ports = g.ports
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
		for len(s.Endpoints) > 0 && len(s.Endpoints) < k.max && len(g.left) > 0 {
			s.Endpoints, g.left = append(s.Endpoints, g.left[0]), g.left[1:]
		}
	}
	return kept
}

func (g *group) holds(s *discoveryv1.EndpointSlice) bool {
	return string(s.AddressType) == string(g.family) && samePorts(s.Ports, g.ports)
}

func samePorts(a, b []discoveryv1.EndpointPort) bool {
	return fmt.Sprint(texts(a)) == fmt.Sprint(texts(b))
}

func texts(ports []discoveryv1.EndpointPort) (list []string) {
	for _, p := range ports {
		app := ""
		if p.AppProtocol != nil {
			app = *p.AppProtocol
		}
		list = append(list, fmt.Sprint(*p.Name, *p.Protocol, *p.Port, app))
	}
	slices.Sort(list)
	return list
}

// wanted are the groups of endpoints, Pod by Pod in the order of their names.
func (k *keeper) wanted(c call) (groups []*group) {
	pods := slices.SortedFunc(slices.Values(c.Pods), func(a, b *corev1.Pod) int { return strings.Compare(a.Name, b.Name) })
	for _, family := range k.families(c) {
		for _, pod := range pods {
			if !k.publish(c, pod) {
				continue
			}
			ports := k.ports(c, pod)
			for _, ip := range pod.Status.PodIPs {
				if strings.Contains(ip.IP, ":") != (family == corev1.IPv6Protocol) {
					continue
				}
				e := c.endpoint(pod, ip.IP)
				k.endpoint(c, pod, &e)
				at := slices.IndexFunc(groups, func(g *group) bool { return g.family == family && samePorts(g.ports, ports) })
				if at < 0 {
					at = len(groups)
					groups = append(groups, &group{family: family, ports: ports})
				}
				groups[at].left = append(groups[at].left, e)
			}
		}
	}
	return groups
}

func podPorts(svc *corev1.Service, pod *corev1.Pod) (list []discoveryv1.EndpointPort) {
	for _, p := range svc.Spec.Ports {
		number := p.TargetPort.IntVal
		for _, declared := range pod.Spec.Containers[0].Ports {
			if p.TargetPort.Type == intstr.String && declared.Name == p.TargetPort.StrVal && declared.Protocol == p.Protocol {
				number = declared.ContainerPort
			}
		}
		list = append(list, discoveryv1.EndpointPort{Name: &p.Name, Protocol: &p.Protocol, Port: &number, AppProtocol: p.AppProtocol})
	}
	return list
}

// histories are more than all single events and some hundred pairs.
const histories = 500

func recreating(k *keeper) *keeper {
	k.apply = func(c call, todo []change) error {
		if len(todo) == 0 {
			return nil
		}
		c.Own = slices.DeleteFunc(slices.Clone(c.Own), func(s *discoveryv1.EndpointSlice) bool { return s.DeletionTimestamp != nil })
		old := c.Own
		c.Own = nil
		for _, w := range k.plan(c) {
			if err := w.do(c); err != nil {
				return err
			}
		}
		c.Own = old
		return c.deleteAll()
	}
	return k
}

// hashNamed names a slice by its endpoint and ports.
func hashNamed(k *keeper) *keeper {
	k.max = 1
	k.name = func(c call, s *discoveryv1.EndpointSlice) {
		s.Name = fmt.Sprintf("web-%x", hash(fmt.Sprint(c.Service.UID, s.AddressType, s.Endpoints[0].Addresses, texts(s.Ports))))
	}
	return k
}

// applying writes by server-side apply what is its own of a slice.
func applying(k *keeper) *keeper {
	force := true
	k.write = func(c call, w change) error {
		if w.s == nil {
			return w.do(c)
		}
		s := c.slice(w.s.Name, w.s.AddressType, w.s.Endpoints)
		s.Ports, s.Labels = w.s.Ports, w.s.Labels
		s.TypeMeta = metav1.TypeMeta{APIVersion: discoveryv1.SchemeGroupVersion.String(), Kind: "EndpointSlice"}
		data, err := json.Marshal(s)
		if err == nil {
			_, err = c.api.Patch(c, s.Name, types.ApplyYAMLPatchType, data, metav1.PatchOptions{FieldManager: manager, Force: &force})
		}
		return err
	}
	return k
}

func hash(text string) (sum uint32) {
	for _, b := range []byte(text) {
		sum = sum*16777619 ^ uint32(b)
	}
	return sum
}

// oneWrite makes the first of its writes, and is woken by it.
func oneWrite(k *keeper) *keeper {
	k.apply = func(c call, todo []change) error {
		if len(todo) == 0 {
			return nil
		}
		return todo[0].do(c)
	}
	return k
}

func everySecond(k *keeper) slicertest.Writer {
	return func(api *slicertest.API) slicertest.Sync {
		right, calls := k.start(api), 0
		return func(ctx context.Context, s slicertest.State) error {
			if calls++; calls%2 != 0 {
				return errors.New("later")
			}
			return right(ctx, s)
		}
	}
}

// numbering has a label that differs from slice to slice.
func numbering(k *keeper) *keeper {
	k.labels = func(c call, s *discoveryv1.EndpointSlice, i int) {
		s.Labels["example.com/index"] = fmt.Sprint(i)
		for _, old := range c.Own {
			if index := old.Labels["example.com/index"]; old.Name == s.Name && index != "" {
				s.Labels["example.com/index"] = index
			}
		}
	}
	return k
}
