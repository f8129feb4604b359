package mirror

//lint:file-ignore SA1019 Endpoints are deprecated, and people still read them.

import (
	corev1 "k8s.io/api/core/v1"
)

// share returns how many addresses each subset shows, and whether any address is not shown.
//
//	limit 10, three subsets with 6, 3 and 3 ready addresses: 12 are too many, so the subsets show
//	5 = ceil(6*10/12), 3 = ceil(3*10/12) and 2, which is the rest of the limit. No address that is
//	not ready is shown.
//
//	limit 10, three subsets with 2, 3 and 3 ready addresses, and 0, 4 and 4 that are not ready: all
//	ready addresses are shown, and 0, 1 and 1 of the others.
func (v *view) share() (quotas [][2]int, cut bool) {
	quotas = v.counts()
	limit := v.limit
	for unready := range 2 {
		total := 0
		for i := range quotas {
			total += quotas[i][unready]
		}
		if total <= limit {
			limit -= total
			continue
		}
		cut = true
		left := limit
		for _, list := range v.ports.order() {
			n := &quotas[list][unready]
			*n = min(left, int((int64(*n)*int64(limit)+int64(total)-1)/int64(total)))
			left -= *n
		}
		limit = left
	}
	return quotas, cut
}

// subsets turns the entries into subsets, which share no memory with the slices. It returns nil if
// there are none.
func (v *view) subsets() []corev1.EndpointSubset {
	byList := make([]corev1.EndpointSubset, len(v.ports.lists))
	for _, e := range v.entries {
		a := *e.address.from.DeepCopy()
		a.IP = e.address.number.Unmap().String()
		if a.NodeName != nil && *a.NodeName == "" {
			a.NodeName = nil
		}
		if s := &byList[e.ports]; e.unready == 0 {
			s.Addresses = append(s.Addresses, a)
		} else {
			s.NotReadyAddresses = append(s.NotReadyAddresses, a)
		}
	}
	var subsets []corev1.EndpointSubset
	for _, list := range v.ports.order() {
		if s := byList[list]; len(s.Addresses)+len(s.NotReadyAddresses) > 0 {
			for _, p := range slicePorts(v.ports.lists[list].ports) {
				s.Ports = append(s.Ports,
					corev1.EndpointPort{Name: *p.Name, Port: *p.Port, Protocol: *p.Protocol,
						AppProtocol: p.AppProtocol})
			}
			subsets = append(subsets, s)
		}
	}
	return subsets
}
