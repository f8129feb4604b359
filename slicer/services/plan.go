package services

import (
	"errors"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/slicer"
)

// Plan plans the writes that make the existing slices hold what the Service publishes: it derives
// the Input and computes the plan in one call, in memory of its own. A sync that finds nothing to
// do allocates the same few times for any number of Pods. The result is that of Input and
// slicer.Compute.
//
// existing are the slices with the label kubernetes.io/service-name of the Service, or with the
// KeyLabel, or all of the namespace: of any manager, in any order, without nil. The plan ignores
// those of others. Who lists by a label does not see a slice that has lost it: it stays until
// somebody deletes it, and a create that would get its name fails with AlreadyExists. The plan's
// Old, Unchanged and Ignored are these very pointers; of all else the plan shares nothing with its
// inputs. Plan.Skips says what is not published and why. Errors are those of Input; a mistake in
// existing, Options.Annotations, Options.Hints or Options.Slices is an error of slicer.Compute,
// with the path in Options (options.slices.maxEndpointsPerSlice).
func Plan(
	svc *corev1.Service, pods []*corev1.Pod, node func(name string) *corev1.Node,
	existing []*discoveryv1.EndpointSlice, o Options,
) (slicer.Plan, error) {
	d := pool.Get().(*derivation)
	defer pool.Put(d)
	return d.plan(subject{service: svc, bySelector: true}, pods, existing, o, func() { d.readPods(pods, node) })
}

// PlanBackends is [Plan] for Backends: instances in any order, nil and empty for none, of any
// Service but an ExternalName, with a selector or without. What it plans is all that the slices of
// this ManagedBy and KeyLabel hold: other endpoints there are removed. Of a Service with a selector
// see Options.KeyLabel. Errors and ownership are those of Plan.
func PlanBackends(
	svc *corev1.Service, backends []Backend, existing []*discoveryv1.EndpointSlice, o Options,
) (slicer.Plan, error) {
	o.Addresses = nil
	d := pool.Get().(*derivation)
	defer pool.Put(d)
	return d.plan(subject{service: svc}, nil, existing, o, func() { d.readBackends(backends) })
}

// plan derives the Input in the memory of d, and computes the plan, which has none of this memory.
// d is clear before and afterwards.
func (d *derivation) plan(
	of subject, pods []*corev1.Pod, existing []*discoveryv1.EndpointSlice, o Options, read func(),
) (slicer.Plan, error) {
	defer d.release()
	in, err := d.derive(of, pods, o, read)
	if err != nil {
		return slicer.Plan{}, err
	}
	plan, err := slicer.Compute(in, existing)
	for i := range plan.Skips {
		d.name(&plan.Skips[i])
	}
	return plan, renamed(err, d.ofCall)
}

// renames are how paths begin, and how they begin where the caller looks.
type renames [][2]string

// options has the paths of slicer.Compute in Options.
var options = renames{
	{"options.", "options.slices."}, {"hints.", "options.hints."}, {"set.managedBy", "options.managedBy"},
	{"set.key", "options.keyLabel"},
	{"set.namePrefix", "options.namePrefix"}, {"set.annotations", "options.annotations"},
	{"set.name", "service.metadata.name"},
}

func (r renames) path(of string) string {
	for _, path := range r {
		if rest, ok := strings.CutPrefix(of, path[0]); ok {
			return path[1] + rest
		}
	}
	return of
}

// renamed returns an error with other paths. An error that has none stays.
func renamed(err error, path func(of string) string) error {
	switch e := err.(type) {
	case *field.Error:
		of := *e
		of.Field = path(e.Field)
		return &of
	case interface{ Unwrap() []error }:
		var all []error
		for _, err := range e.Unwrap() {
			all = append(all, renamed(err, path))
		}
		return errors.Join(all...)
	default:
		return err
	}
}

// Input derives what Kubernetes' own controller would publish for a Service: one endpoint per Pod
// and address, grouped by address type and by the port numbers that the Pod's named ports resolve
// to. Change what is to be changed, and give the result to slicer.Compute; a caller who changes
// nothing calls Plan.
//
//   - Pods of another namespace, and Pods that the selector does not match, are left out without a
//     word, because they are none of the Service's. Pods that have Failed or Succeeded and those
//     without address are skipped. Terminating Pods stay as long as they have an address.
//   - A Pod's Node gives the zone (label topology.kubernetes.io/zone). Without that Node the Pod is
//     left out, except that publishNotReadyAddresses publishes regardless (kubernetes#110639).
//   - The hostname is set when the Pod has one and its subdomain is the Service's name. Without any
//     subdomain there is a routine Skip, if the Service is headless.
//   - A Pod without a named port that the Service wants is published with the others, and without
//     any port where none resolves; a group without ports never mixes with one that has some.
//   - Address types are those of the options, else those of ipFamilies; where it is unset, those of
//     clusterIPs; for headless Services both. An address of another family is left out, without a
//     Skip where its Pod has one that is published.
//   - Labels are the Service's without the reserved ones; headless Services' slices get
//     service.kubernetes.io/headless.
//   - The Service is the owner, as controller and with blockOwnerDeletion. The API server refuses
//     an owner without UID, so of such a Service, as fake clients give it, Compute makes a Skip
//     (slicer.OwnerWithoutUID) and slices without owner.
//
// node finds a Node by name and returns nil for one that does not exist, or an empty Node if its
// Pods are to be published all the same, without zone. A nil func says that there are no Nodes to
// ask: no Pod is skipped because of its Node, and no endpoint has a zone unless ZoneFromPod.
//
// Two views are an error, because they would remove every endpoint: Pods that are all of other
// namespaces, and Pods to publish that name several Nodes, none of which is found. The latter is
// [ErrNodesUnknown]. No Pods at all are no error, so fill the caches before the first call.
//
// Pods and the map behind node may be in any order: groups are sorted, their endpoints are in the
// order of the Pods. Input.Skips, which are in that order too and nil when there are none, say what
// is not published and why; they go into the plan.
//
// Any other error is made of *field.Error (errors.As), and calling again with the same values does
// not help. It is ErrNotManaged (errors.Is) when the Service is not to be managed at all; anything
// else is a mistake in the call, such as a nil Service, a nil Pod (pods[3]) or no ManagedBy, or in
// the Service, such as two ports of one name (service.spec.ports[1].name), though no Pod has them
// yet, or no cluster IP: the API server has not answered such a Service yet, and only the cluster
// IP None is headless. With an error the Input is zero.
//
// Nothing that svc, pods or Nodes hold is changed, and the Input shares none of their memory but
// strings. Endpoints may share values such as a node name with each other.
func Input(
	svc *corev1.Service, pods []*corev1.Pod, node func(name string) *corev1.Node, o Options,
) (slicer.Input, error) {
	d := &derivation{}
	return owned(d.derive(subject{service: svc, bySelector: true}, pods, o, func() { d.readPods(pods, node) }))
}

// BackendsInput is [Input] for Backends, as [PlanBackends] has them.
func BackendsInput(svc *corev1.Service, backends []Backend, o Options) (slicer.Input, error) {
	o.Addresses = nil
	d := &derivation{}
	return owned(d.derive(subject{service: svc}, nil, o, func() { d.readBackends(backends) }))
}
