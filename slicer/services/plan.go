package services

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/slicer"
)

// Plan returns the writes that make the existing slices hold the endpoints that the Service
// publishes. The result is the same as that of [Input] followed by slicer.Compute.
//
// existing are the Service's slices: those that have the labels of Options.Key. All slices of the
// namespace may be given as well. They may be of any manager and in any order, but none may be nil.
// The plan ignores the slices of other managers. If the caller lists by label, a slice that has
// lost the label is not in the list. It stays until it is deleted by hand, and a new slice with the
// same name cannot be created (AlreadyExists). A publish.Syncer gives such a slice its labels back
// when that create fails.
//
// Plan.Skips lists what is not published, with the reasons. Step.Old, Plan.Unchanged and
// Plan.Ignored have the caller's own pointers. The plan shares nothing else with the inputs.
//
// Plan returns the same errors as Input. In addition, a mistake in existing, Options.Annotations,
// Options.Hints or Options.Slices is an error of slicer.Compute, with its path in Options
// (options.slices.maxEndpointsPerSlice).
func Plan(
	svc *corev1.Service, pods []*corev1.Pod, node func(name string) *corev1.Node,
	existing []*discoveryv1.EndpointSlice, o Options,
) (slicer.Plan, error) {
	d := pool.Get().(*derivation)
	defer pool.Put(d)
	return d.plan(subject{service: svc, bySelector: true}, pods, existing, o, func() { d.readPods(pods, node) })
}

// PlanBackends is [Plan] for endpoints that are not Pods. The Service may have a selector or not,
// but it may not be an ExternalName. backends may be in any order. nil and empty mean that there
// are none.
//
// The slices of this ManagedBy and KeyLabel hold only these Backends, so the plan removes all other
// endpoints from these slices. If the Service has a selector, read the comment of Options.KeyLabel
// first. Errors and shared memory are as in Plan.
func PlanBackends(
	svc *corev1.Service, backends []Backend, existing []*discoveryv1.EndpointSlice, o Options,
) (slicer.Plan, error) {
	o.Addresses = nil
	d := pool.Get().(*derivation)
	defer pool.Put(d)
	return d.plan(subject{service: svc}, nil, existing, o, func() { d.readBackends(backends) })
}

// plan derives the Input in the memory of d, and computes the plan, which shares no memory with d.
// d must be clear, and is clear again afterwards.
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
		d.toCaller(&plan.Skips[i])
	}
	return plan, withPaths(err, d.callerPath)
}

// Input returns what Kubernetes' own controller would publish for a Service: one endpoint for each
// Pod and address. Endpoints are grouped by address type and by the numbers to which the Service's
// targetPorts resolve in the Pod. To publish something else, change the Input and give it to
// slicer.Compute. Otherwise call [Plan].
//
//   - Pods: Pods of another namespace and Pods that the selector does not match are left out
//     without a Skip. Pods that have Failed or Succeeded and Pods without an address get a Skip.
//     Terminating Pods stay as long as they have an address.
//   - Zone: it is the label topology.kubernetes.io/zone of the Pod's Node. If the Node is not
//     found, the Pod is not published and gets a Skip. If the Service sets
//     publishNotReadyAddresses, the Pod is published without a zone instead (kubernetes#110639).
//   - Hostname: it is published if the Pod has one and its subdomain is the Service's name. If the
//     Pod has a hostname but no subdomain and the Service is headless, there is a routine Skip.
//   - Ports: a Pod that does not have a named port of the Service is published with the other
//     ports, and without ports if none resolves. Endpoints without ports are in a group of their
//     own.
//   - Address types: Options.AddressTypes, or the Service's ipFamilies if that is empty. If
//     ipFamilies is unset, the families of clusterIPs are used; a headless Service then has IPv4
//     and IPv6. Addresses of other families are left out. A Pod without an address of one of these
//     families gets a Skip for that family.
//   - Labels: they are the Service's labels without the labels that have a meaning on slices.
//     Slices of a headless Service get the label service.kubernetes.io/headless.
//   - Owner: it is the Service, as controller and with blockOwnerDeletion. The API server refuses
//     an owner without a UID. If the Service has none, for example in a test, Compute adds a Skip
//     (slicer.OwnerWithoutUID) and plans slices without an owner.
//
// node returns the Node with a name, or nil if it does not exist. For a Node whose Pods should be
// published without a zone, return &corev1.Node{}. A Pod without spec.nodeName is handled as if its
// Node did not exist, and node is not called for it. If node itself is nil, no Pod is skipped
// because of its Node, and no endpoint has a zone unless ZoneFromPod is set.
//
// Pods may be in any order: groups are sorted, and their endpoints are in the order of the Pods.
// Input.Skips lists what is not published, with the reasons, in the order of the Pods. If
// everything is published, Input.Skips is nil. A plan that is computed from the Input has these
// Skips as well.
//
// There are three kinds of error (errors.Is, errors.As). With each of them, the Input is zero:
//
//   - [ErrNodesUnknown]: the Pods that would be published name two or more Nodes and none of these
//     is found, so every endpoint would be removed. Call again when the cache of Nodes is filled.
//   - [ErrNotManaged]: the Service's endpoints must not be published. Check for this error first,
//     because it contains a *field.Error as well.
//   - *field.Error: the call or the Service is wrong. Examples of mistakes in the call are a nil
//     Service, a nil Pod (pods[3]), no ManagedBy, and a list in which every Pod is of another
//     namespace. Examples of mistakes in the Service are two ports with one name
//     (service.spec.ports[1].name), even if no Pod has these ports, and a missing cluster IP, which
//     the API server fills in. Only the cluster IP None makes a Service headless. Calling again
//     with the same values does not help.
//
// An empty list of Pods is not an error and removes every endpoint, so wait until the caches are
// synced before the first call.
//
// The inputs are never changed, and the Input shares no memory with them except strings. Endpoints
// may share values such as a node name with each other.
func Input(
	svc *corev1.Service, pods []*corev1.Pod, node func(name string) *corev1.Node, o Options,
) (slicer.Input, error) {
	d := &derivation{}
	return owned(d.derive(subject{service: svc, bySelector: true}, pods, o, func() { d.readPods(pods, node) }))
}

// BackendsInput is [Input] for Backends, see [PlanBackends].
func BackendsInput(svc *corev1.Service, backends []Backend, o Options) (slicer.Input, error) {
	o.Addresses = nil
	d := &derivation{}
	return owned(d.derive(subject{service: svc}, nil, o, func() { d.readBackends(backends) }))
}
