package mcs

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// Export is a Service that a cluster exports.
type Export struct {
	// Cluster is the name of the cluster, a label value. Required.
	Cluster string
	// CreationTimestamp is that of the ServiceExport. The oldest one wins. If exports are equally
	// old, the first one in the alphabetical order of Cluster wins.
	CreationTimestamp time.Time
	// Spec is that of the Service. Only these fields are read: ports, ipFamilies, clusterIP (None
	// is headless), sessionAffinity, sessionAffinityConfig, internalTrafficPolicy and
	// trafficDistribution. An export with empty ipFamilies does not affect families.
	Spec corev1.ServiceSpec
}

// Merged is what a ServiceImport has. It shares no memory with the exports.
type Merged struct {
	// Spec has the fields that Export.Spec names. IPFamilies are those that at least one export
	// has. A program that publishes only families that all exports have, as Cilium does, replaces
	// them.
	Spec corev1.ServiceSpec
	// ByCluster has the ports of each cluster that were accepted.
	ByCluster map[string][]corev1.ServicePort
	// Conflicts have an entry for each export that differs from the result, the oldest first. If
	// there is one, set the condition Conflict on the ServiceExports of all clusters.
	Conflicts []Conflict
}

// Conflict is an export that differs from the result: the condition Conflict of its ServiceExport.
type Conflict struct {
	// Cluster is that of the export.
	Cluster string
	// Reasons are those of mcs-api, such as PortConflict and TypeConflict. There is at least one.
	// If there are several, join them with commas for the reason of the condition.
	Reasons []string
	// Message is that of the condition, as in "https:443 gives way to web:443 of east".
	Message string
}

// MergeExports merges the exports of a Service. The oldest export wins, as the section "Constraints
// and Conflict Resolution" of [KEP-1645] says. The ports are the union: a port is added unless the
// result already has a port with the same name, or with the same protocol and number. A port
// without a name is added only if the result has no other port.
//
// The order of exports makes no difference. The errors are *field.Errors, joined by errors.Join: a
// cluster is missing, is not a label value, or is there twice.
//
// [KEP-1645]: https://github.com/kubernetes/enhancements/tree/master/keps/sig-multicluster/1645-multi-cluster-services-api
func MergeExports(exports []Export) (Merged, error) {
	if err := checkExports(exports); err != nil {
		return Merged{}, err
	}
	ordered := slices.SortedFunc(slices.Values(exports), func(a, b Export) int {
		return cmp.Or(a.CreationTimestamp.Compare(b.CreationTimestamp), strings.Compare(a.Cluster, b.Cluster))
	})
	m := merge{taken: map[endpoint.Port]mergedPort{}}
	differences := make([]difference, len(ordered))
	merged := Merged{ByCluster: map[string][]corev1.ServicePort{}}
	for i := range ordered {
		differences[i] = m.add(&ordered[i])
		merged.Spec.IPFamilies = distinct(slices.Concat(merged.Spec.IPFamilies, ordered[i].Spec.IPFamilies))
	}
	merged.Spec.Ports = servicePorts(m.ports)
	for i := range ordered {
		e, oldest, d := &ordered[i], &ordered[0], &differences[i]
		if i == 0 {
			setTraffic(&merged.Spec, &e.Spec)
		}
		merged.ByCluster[e.Cluster] = servicePorts(d.served(m.ports))
		d.addType(&e.Spec, oldest)
		d.addFamilies(e.Spec.IPFamilies, merged.Spec.IPFamilies)
		d.addTraffic(&e.Spec, oldest)
		if len(d.words) > 0 {
			merged.Conflicts = append(merged.Conflicts, Conflict{
				Cluster: e.Cluster, Reasons: d.reasons, Message: strings.Join(d.words, "; "),
			})
		}
	}
	return merged, nil
}

func checkExports(exports []Export) error {
	var faults accept.Faults
	seen := map[string]bool{}
	for i, e := range exports {
		path := field.NewPath("exports").Index(i).Child("cluster")
		if err := checkCluster(e.Cluster, path); err != nil {
			faults = append(faults, err)
		} else if seen[e.Cluster] {
			faults.Add(accept.Duplicate(path, e.Cluster, "give one export for each cluster"))
		}
		seen[e.Cluster] = true
	}
	return faults.Err()
}

// checkCluster returns what is wrong with the id of a cluster.
func checkCluster(id string, path *field.Path) error {
	if id == "" {
		return field.Required(path, "give the id of the cluster that exports")
	}
	if msgs := validation.IsValidLabelValue(id); len(msgs) > 0 {
		return field.Invalid(path, id, "is the value of a label and part of DNS names: "+msgs[0])
	}
	return nil
}

// mergedPort is a merged port and the cluster that exports it.
type mergedPort struct {
	endpoint.Port
	cluster string
	at      int // its index in merge.ports
}

// merge has the merged ports of the exports so far.
type merge struct {
	ports []endpoint.Port
	taken map[endpoint.Port]mergedPort // each port twice: by named and by front
}

// named stands for a name in merge.taken.
func named(name string) endpoint.Port { return endpoint.Port{Name: name} }

// front stands for the protocol and number of a port in merge.taken. No two ports of a Service have
// the same protocol and number, and no two have the same name.
func front(p endpoint.Port) endpoint.Port {
	return endpoint.Port{Protocol: p.Protocol, Number: p.Number}
}

// bare returns a port of a Service in the form of a ServiceImport: without targetPort and nodePort.
func bare(p corev1.ServicePort) endpoint.Port {
	return endpoint.Port{
		Name: p.Name, Protocol: endpoint.Protocol(p.Protocol), Number: int64(p.Port),
		AppProtocol: endpoint.Text(p.AppProtocol),
	}
}

// servicePorts returns ports in the form of a Service. They share no memory with the list. The
// result is nil if there are none.
func servicePorts(list []endpoint.Port) (ports []corev1.ServicePort) {
	for _, p := range list {
		port := corev1.ServicePort{Name: p.Name, Protocol: p.Protocol, Port: int32(p.Number)}
		if p.AppProtocol != "" {
			port.AppProtocol = &p.AppProtocol
		}
		ports = append(ports, port)
	}
	return ports
}

// portConflict is the reason of all conflicts of ports.
const portConflict = "PortConflict"

// difference lists in what an export differs from the merged Service.
type difference struct {
	reasons, words []string
	serves         map[int]bool // by the indexes of the merged ports
}

// add adds what differs, and the reason of the condition Conflict.
func (d *difference) add(reason, format string, args ...any) {
	if !slices.Contains(d.reasons, reason) {
		d.reasons = append(d.reasons, reason)
	}
	d.words = append(d.words, fmt.Sprintf(format, args...))
}

// add adds the ports of an export, except for ports that conflict with ports of older exports.
func (m *merge) add(e *Export) difference {
	d := difference{serves: map[int]bool{}}
	for _, port := range e.Spec.Ports {
		p := bare(port)
		winner, taken := m.inTheWay(p)
		bad := accept.RefusePort(p, nil)
		if bad == nil && !taken {
			winner = mergedPort{p, e.Cluster, len(m.ports)}
			m.ports = append(m.ports, p)
			m.taken[named(p.Name)], m.taken[front(p)] = winner, winner
		}
		switch {
		case bad != nil:
			d.add(portConflict, "%s is no port of a Service: %s", p, bad.ErrorBody())
		case p.Name != winner.Name || front(p) != front(winner.Port) || d.serves[winner.at]:
			d.add(portConflict, "%s gives way to %s of %s", p, winner.Port, winner.cluster)
		default:
			if a, b := p.AppProtocol, winner.AppProtocol; a != b {
				d.add(portConflict, "appProtocol %q of %s gives way to %q of %s", a, p, b, winner.cluster)
			}
			d.serves[winner.at] = true
			continue
		}
	}
	return d
}

// inTheWay returns the merged port that is equal to p, or because of which p cannot be added.
func (m *merge) inTheWay(p endpoint.Port) (mergedPort, bool) {
	for _, key := range []endpoint.Port{named(p.Name), front(p), named("")} {
		if other, ok := m.taken[key]; ok {
			return other, true
		}
	}
	if p.Name != "" || len(m.ports) == 0 {
		return mergedPort{}, false
	}
	return m.taken[named(m.ports[0].Name)], true
}

// served returns the merged ports that the export serves. It adds to d the merged ports that the
// export does not have. It names only few of these, because the message of a condition has a limit.
func (d *difference) served(merged []endpoint.Port) (served []endpoint.Port) {
	const few = 20
	missing, named := len(merged)-len(d.serves), 0
	for at := 0; named < min(missing, few); at++ {
		if !d.serves[at] {
			d.add(portConflict, "does not have %s", merged[at])
			named++
		}
	}
	if missing > named {
		d.add(portConflict, "does not have %d more", missing-named)
	}
	for _, at := range slices.Sorted(maps.Keys(d.serves)) {
		served = append(served, merged[at])
	}
	return served
}
