package mcs

import (
	"cmp"
	"errors"
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

// Export is what one cluster exports of a Service (KEP-1645).
type Export struct {
	// Cluster is the id of the cluster, a label value. It is required.
	Cluster string
	// Created is when the cluster's ServiceExport was created. The oldest export wins. If exports
	// are equally old, the first one in the alphabetical order of Cluster wins.
	Created time.Time
	// Ports are the ports of the exported Service. An empty protocol means TCP. targetPort and
	// nodePort are not read.
	Ports []corev1.ServicePort
	// IPFamilies are the families of the exported Service, in its order. nil and empty mean that
	// they are not known, for example because an old version of the cluster's software does not
	// export them. Such an export does not count for the families.
	IPFamilies []corev1.IPFamily
	// Traffic has the traffic fields of the exported Service.
	Traffic Traffic
}

// Merged is the result of merging the exports of a Service. It shares no memory with them.
type Merged struct {
	// Ports are the ports of the ServiceImport, in the order of the exports, the oldest export
	// first. They have names, protocols (never empty), numbers and appProtocols, and the API server
	// accepts them in a Service.
	Ports []corev1.ServicePort
	// ByCluster maps each Export.Cluster to the subset of Ports that the cluster serves. Give it to
	// PlanImport.
	ByCluster map[string][]corev1.ServicePort
	// IPFamilies are the families of the ServiceImport, each once. The families of the oldest
	// export come first. They are nil if no export has any. Give them to PlanImport. If a cluster
	// does not have one of these families, its clients cannot reach the ServiceImport by this
	// family.
	IPFamilies []corev1.IPFamily
	// Traffic has the traffic fields of the oldest export. A field that this export leaves unset
	// has the API server's default. Traffic is zero if there are no exports.
	Traffic Traffic
	// Conflicts has an entry for each export whose ports, families or traffic fields differ from
	// the merged ones, the oldest export first. It is nil if there is none. If there is one, set
	// the condition Conflict on the ServiceExports of all clusters, even of clusters that have no
	// entry.
	Conflicts []Conflict
}

// Conflict is an export whose ports, families or traffic fields differ from the merged ones, even
// if no port is lost.
type Conflict struct {
	// Cluster is the Cluster of the Export.
	Cluster string
	// Reasons are reasons that mcs-api defines for the condition Conflict (the constants in its
	// pkg/apis/v1beta1/serviceexport.go): PortConflict, IPFamilyConflict, SessionAffinityConflict,
	// SessionAffinityConfigConflict, InternalTrafficPolicyConflict, TrafficDistributionConflict.
	// There is at least one. If there are several, join them with commas for the reason of the
	// condition.
	Reasons []string
	// Lost are the export's ports that are not among the merged ports. They have a protocol. Lost
	// is nil if there are none. A port is lost for one of these reasons:
	//
	//   - An older export, or the export itself, has another port with that name, or with that
	//     protocol and number.
	//   - The port has no name and is not the only one.
	//   - No Service may have such a port.
	Lost []corev1.ServicePort
	// Err says what differs, for the message of the condition: "https:443 gives way to web:443 of
	// east; does not have dns:53/UDP". It names the first 20 ports that the export does not have.
	// It is never nil.
	Err error
}

// MergeExports returns the ports, IP families and traffic fields of a Service that several clusters
// export. The oldest export wins, as the section "Constraints and Conflict Resolution" of
// [KEP-1645] says in "Service Port", "Session Affinity", "Internal Traffic Policy" and "Traffic
// Distribution".
//
// The ports are the union. A port is added unless the result already has a port with the same name
// (two empty names are the same), or with the same protocol and number. Traffic to it goes to the
// clusters that export it (ByCluster). A port without a name is added only if the result has no
// other port, because in a Service with two ports each port needs a name. KEP-1645 leaves the IP
// families to the implementation, and the argument families decides.
//
// The order of exports makes no difference. If exports are nil, empty or without ports, there are
// no ports. Errors are made of *field.Errors: the id of a cluster is missing, is not a label value,
// or is there twice, or families is not one of the constants. With an error Merged is zero.
//
// The type ("Headlessness" in KEP-1645), the IPs and the labels of the ServiceImport are out of
// scope, and so are the Conflict reasons that concern them.
//
// [KEP-1645]: https://github.com/kubernetes/enhancements/tree/master/keps/sig-multicluster/1645-multi-cluster-services-api
func MergeExports(exports []Export, families Families) (Merged, error) {
	if err := errors.Join(checkExports(exports), families.validate()); err != nil {
		return Merged{}, err
	}
	ordered := slices.SortedFunc(slices.Values(exports), func(a, b Export) int {
		return cmp.Or(a.Created.Compare(b.Created), strings.Compare(a.Cluster, b.Cluster))
	})
	m := merge{taken: map[endpoint.Port]mergedPort{}}
	differences := make([]difference, len(ordered))
	for i := range ordered {
		differences[i] = m.add(&ordered[i])
	}
	merged := Merged{Ports: servicePorts(m.ports), ByCluster: map[string][]corev1.ServicePort{}}
	known := make([][]corev1.IPFamily, len(ordered))
	for i := range ordered {
		known[i] = distinct(ordered[i].IPFamilies)
	}
	merged.IPFamilies = families.merge(known)
	for i, e := range ordered {
		traffic := e.Traffic.withDefaults()
		if i == 0 {
			merged.Traffic = traffic
		}
		d := &differences[i]
		merged.ByCluster[e.Cluster] = servicePorts(d.served(m.ports))
		d.addFamilies(known[i], merged.IPFamilies)
		d.addTraffic(traffic, merged.Traffic, ordered[0].Cluster)
		if len(d.words) > 0 {
			merged.Conflicts = append(merged.Conflicts, Conflict{
				Cluster: e.Cluster, Reasons: d.reasons, Lost: servicePorts(d.lost),
				Err: errors.New(strings.Join(d.words, "; ")),
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
	lost           []endpoint.Port
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
	for _, port := range e.Ports {
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
		d.lost = append(d.lost, p)
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
