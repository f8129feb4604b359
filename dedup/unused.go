package dedup

import (
	"cmp"
	"errors"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup/internal/address"
	"github.com/slicewright/slicewright/dedup/internal/content"
	"github.com/slicewright/slicewright/internal/quote"
)

// notice returns a Notice. slice is zero if it is about the whole Service.
func notice(slice types.NamespacedName, reason, text string) Notice {
	return Notice{Slice: slice, Reason: reason, Err: errors.New(text)}
}

// unused returns what gets no traffic although it may have endpoints. slices are all slices of the
// Service. Ports of which a problem says why they are not used are not listed.
func (r *serviceRules) unused(list []*content.Slice, label string) (all Notices) {
	if len(list) == 0 {
		return Notices{notice(types.NamespacedName{}, "NoSlices", "no slice in namespace "+quote.Text(r.Namespace)+
			" has the label "+label+" with the value "+quote.Text(r.Name))}
	}
	if !slices.ContainsFunc(list, func(s *content.Slice) bool { return len(s.API.Endpoints) > 0 }) {
		return Notices{notice(types.NamespacedName{}, "NoEndpoints", "no slice of the Service has endpoints")}
	}
	var used []*content.Slice
	for _, s := range list {
		if len(s.API.Endpoints) == 0 {
			continue
		}
		if reason, text := r.unusedSlice(s); text != "" {
			all = append(all, notice(s.Name, reason, text))
			continue
		}
		if len(s.Ports) == 0 && s.Read {
			all = append(all, notice(s.Name, "NoPorts", "the slice has no ports"))
		}
		if s.Read {
			used = append(used, s)
			all = append(all, r.otherPorts(s)...)
		}
	}
	return append(all, r.missingPorts(used)...)
}

// unusedSlice returns why the reader uses nothing of a slice, or "".
func (r *serviceRules) unusedSlice(s *content.Slice) (reason, text string) {
	t := s.API.AddressType
	switch {
	case address.FamilyOf(t) == 0: // a problem says so
		return "", ""
	case s.Headless && r.kind == forProxy:
		return "HeadlessSlice", "the slice has the label " + corev1.IsHeadlessService +
			", so kube-proxy does not read it"
	case t == discoveryv1.AddressTypeFQDN && r.kind == forProxy:
		return "OtherFamily", "kube-proxy reads no FQDN slices"
	case t == discoveryv1.AddressTypeFQDN:
		return "OtherFamily", "the API gives no meaning to FQDN slices; View.Endpoints has them if " +
			"Options.AddressTypes has FQDN"
	case !slices.Contains(r.families, t) && r.kind == forProxy:
		return "OtherFamily", "the Service has no " + string(t) + " cluster IP"
	case !slices.Contains(r.families, t):
		return "OtherFamily", "spec.ipFamilies of the Service has no " + string(t)
	case !s.Read:
		return "OtherFamily", "Options.AddressTypes has no " + string(t)
	default:
		return "", ""
	}
}

// otherPorts lists the ports of a slice that the Service does not have.
func (r *serviceRules) otherPorts(s *content.Slice) (all Notices) {
	for i := range s.Ports {
		name := s.Ports[i].PortName
		if _, known := slices.BinarySearchFunc(r.ports, name, content.PortName.Compare); !known {
			all = append(all, notice(s.Name, "NoServicePort", "the Service has no port "+name.String()+"; it has "+
				quote.ServicePorts(r.Spec.Ports)))
		}
	}
	return all
}

// missingPorts lists the ports of the Service that no used slice has, and those that only some of
// them have.
func (r *serviceRules) missingPorts(used []*content.Slice) (all Notices) {
	if len(used) == 0 {
		return nil
	}
	for _, name := range slices.Compact(slices.Clone(r.ports)) {
		var without []*content.Slice
		for _, s := range used {
			if s.PortIndex(name) < 0 {
				without = append(without, s)
			}
		}
		if len(without) == len(used) {
			all = append(all, notice(types.NamespacedName{}, "NoSlicePort", "no slice with endpoints has the port "+
				name.String()+"; the slices have "+portsOf(used)))
			continue
		}
		for _, s := range without {
			if len(s.Ports) > 0 {
				all = append(all, notice(s.Name, "NoSlicePort", "the slice does not have the port "+name.String()+
					"; it has "+portsOf([]*content.Slice{s})))
			}
		}
	}
	return all
}

// portsOf returns the ports of slices as text.
func portsOf(list []*content.Slice) string {
	var texts []string
	for _, s := range list {
		for i := range s.Ports {
			texts = append(texts, s.Ports[i].PortName.String())
		}
	}
	return cmp.Or(quote.Few(texts), "no ports")
}
