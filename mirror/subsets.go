package mirror

//lint:file-ignore SA1019 Endpoints are deprecated, and people still write them.

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// order returns the lists that are listed, sorted by ports.
func (v *view) order(quotas []quota) []int32 {
	var order []int32
	for list, q := range quotas {
		if q.ready+q.notReady > 0 {
			order = append(order, int32(list))
		}
	}
	slices.SortFunc(order, v.mentions.ports.compare)
	return order
}

// share says how many addresses each subset shows, and whether that cuts any.
//
//	max 10   subsets of ready 6, 3 and 3: 12 are too many, so their shares are ceil(6*10/12) 5, ceil(3*10/12) 3 and
//	         what is left, 2; no other address is shown
//	max 10   ready 2, 3 and 3, not ready 0, 4 and 4: 2 places are left for 8; 0, 1 and 1
func (v *view) share() (quotas []quota, cut bool) {
	quotas = v.mentions.quotas(0)
	limit, order := v.options.limit(), v.order(quotas)
	for _, ready := range [2]bool{true, false} {
		total := 0
		for i := range quotas {
			total += *quotas[i].of(ready)
		}
		if total <= limit {
			limit -= total
			continue
		}
		cut = true
		left := limit
		for _, list := range order {
			n := quotas[list].of(ready)
			*n = min(left, int((int64(*n)*int64(limit)+int64(total)-1)/int64(total)))
			left -= *n
		}
		limit = left
	}
	return quotas, cut
}

// subsets turns the listings into subsets; nil for none.
func (v *view) subsets() []corev1.EndpointSubset {
	c := v.mentions
	quotas := c.quotas(0)
	copies := newLeaves(c)
	all := make([]corev1.EndpointAddress, len(c.listings))
	byList := make([]*corev1.EndpointSubset, len(quotas))
	order := v.order(quotas)
	subsets := make([]corev1.EndpointSubset, len(order))
	for i, list := range order {
		q, s := quotas[list], &subsets[i]
		byList[list] = s
		s.Ports = subsetPorts(c.ports.lists[list])
		s.Addresses, all = take(all, q.ready)
		s.NotReadyAddresses, all = take(all, q.notReady)
	}
	for _, l := range c.listings {
		s := byList[l.ports]
		a := copies.address(c.address(&c.list[l.mention]), c.ip(&c.list[l.mention]))
		if l.ready {
			s.Addresses = append(s.Addresses, a)
		} else {
			s.NotReadyAddresses = append(s.NotReadyAddresses, a)
		}
	}
	if len(subsets) == 0 {
		return nil
	}
	return subsets
}

// take cuts room for n addresses off; nil for 0.
func take(all []corev1.EndpointAddress, n int) (room, rest []corev1.EndpointAddress) {
	if n == 0 {
		return nil, all
	}
	return all[:0:n], all[n:]
}

// leaves copies what addresses point to into one array of each kind.
type leaves struct {
	names   []string
	targets []corev1.ObjectReference
}

func newLeaves(c *mentions) *leaves {
	names, targets := 0, 0
	for _, l := range c.listings {
		a := c.address(&c.list[l.mention])
		if endpoint.Text(a.NodeName) != "" {
			names++
		}
		if a.TargetRef != nil {
			targets++
		}
	}
	return &leaves{names: make([]string, 0, names), targets: make([]corev1.ObjectReference, 0, targets)}
}

func (v *leaves) address(from *corev1.EndpointAddress, ip string) corev1.EndpointAddress {
	a := corev1.EndpointAddress{IP: ip, Hostname: from.Hostname}
	if endpoint.Text(from.NodeName) != "" {
		v.names = append(v.names, *from.NodeName)
		a.NodeName = &v.names[len(v.names)-1]
	}
	if from.TargetRef != nil {
		v.targets = append(v.targets, *from.TargetRef)
		a.TargetRef = &v.targets[len(v.targets)-1]
	}
	return a
}

// commonMeta is the metadata on which all slices agree, without what is about slices.
func commonMeta(all []*discoveryv1.EndpointSlice) metav1.ObjectMeta {
	var meta metav1.ObjectMeta
	for i, s := range all {
		if i == 0 {
			meta.Namespace, meta.Name = s.Namespace, s.Labels[discoveryv1.LabelServiceName]
			meta.Labels = without(s.Labels, discoveryv1.LabelServiceName, discoveryv1.LabelManagedBy)
			meta.Annotations = without(s.Annotations, corev1.EndpointsLastChangeTriggerTime, corev1.EndpointsOverCapacity)
			continue
		}
		agree(meta.Labels, s.Labels)
		agree(meta.Annotations, s.Annotations)
	}
	if len(meta.Labels) == 0 {
		meta.Labels = nil
	}
	if len(meta.Annotations) == 0 {
		meta.Annotations = nil
	}
	return meta
}

// agree takes out of m what other does not say too.
func agree(m, other map[string]string) {
	maps.DeleteFunc(m, func(k, v string) bool {
		w, ok := other[k]
		return !ok || w != v
	})
}

func put(m *map[string]string, key, value string) {
	if *m == nil {
		*m = map[string]string{}
	}
	(*m)[key] = value
}
