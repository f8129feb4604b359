// Package slicer plans EndpointSlices: which to create, update and delete so that they hold the
// wanted endpoints. The steps have an order in which no endpoint is missing in between.
//
// A function whose name starts with From says which endpoints are wanted (packages services, mirror
// and mcs). A controller gives its result to a Syncer of package publish:
//
//	in, err := services.FromPods(svc, pods, nodes, options)
//	if err != nil {
//		return err
//	}
//	plan, err := syncer.Sync(ctx, in)
//
// Compute only plans, and does no I/O. Before either call the program may change any field of the
// Input: the Input shares no memory with the arguments of the From function. Replace pointers, such
// as those of conditions, and do not write through them: endpoints may share what they point to.
//
// # Reasons
//
// A reason is a CamelCase word, as in Events. A released reason is never renamed, and new ones may
// be added. Reasons of Warnings:
//
//	slicer    DifferingDuplicate InvalidAddress InvalidHints InvalidHostname InvalidNodeName InvalidPorts
//	          LimitUnused MissingDuringUpdate NoRoom NoWeights OtherOwner OtherService OwnerWithoutUID
//	          UnknownZones Unread UnwantedAddressType
//	services  AddressesUnread NoAddressOfType NoClusterIP NodeMissing NoServicePort NoZones NotAnIP PortLeftOut
//	          UnknownTopologyMode UnknownTrafficDistribution
//	mirror    Dropped InvalidIPAddress InvalidPort LeaderElection NoPorts NoServicePort
//	          OtherAddressType OwnOutput PortsFiltered TooManyAddressesToMirror
//
// Reasons of Normal:
//
//	services  ExternalName HostnameLeftOut NoAddress NoSelector PodFinished, NoAddressOfType for
//	          Backends, and NodeMissing for Pods that are not ready
//	mirror    Duplicate NoEndpoints NoService NoSlices ServiceHasSelector SkipMirror Terminating
//	Remove    NothingRemoved
//	Adopt     NothingAdopted
//
// Reasons of a Step: AddressTypeGone AnnotationsChanged Compacted DuplicatesRemoved EndpointsAdded
// EndpointsChanged EndpointsRemoved HintsChanged LabelsChanged NothingLeft OwnerStale OwnersChanged
// PlaceholderWanted PortsChanged.
package slicer
