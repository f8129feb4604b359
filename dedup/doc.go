// Package dedup joins EndpointSlices into one list of unique endpoints for each port of a Service.
//
//	view := dedup.Merge(slices, dedup.Options{}) // or an Index, which follows a watch
//	for e := range view.Endpoints(dedup.ServicePortName{Service: name, Port: "http"}) {
//		if e.Conditions.Ready {
//			use(e.AddrPort())
//		}
//	}
//	if w := view.Warnings(); len(w) > 0 {
//		log.Print(w) // mistakes in slices; the rest is right
//	}
//
// Package routing chooses among the endpoints of a port: by their conditions, hints and place.
//
// # Which copy wins
//
// If several slices have an address on a port, one copy wins, whatever the order of slices or
// events:
//
//  1. For one target, such as a Pod, the copy in the newest slice wins. A target is identified by
//     the UID in targetRef, or else by kind, namespace and name.
//  2. If several targets have the address, a copy that is not terminating wins, then a ready one,
//     then a serving one, then the slice whose name sorts first.
//
// The newest slice has the highest resourceVersion. A slice whose resourceVersion is not a number
// is older than all others, and such slices are ordered by their annotation
// endpoints.kubernetes.io/last-change-trigger-time. So all slices must come from one API server.
//
// Endpoints are sorted by address and port number. [PROMISES.md] has all promises, and the
// differences from kube-proxy.
//
// # Reasons
//
// Of Warnings: BadAddress BadNumber BadOption MixedServices MoreAddresses NoNumber NoPort NoService
// NoSlice SameName UnknownAddressType. Of Service.Unused: HeadlessSlice IsExternalName NoClusterIP
// NoEndpoints NoPorts NoServicePort NoSlicePort NoSlices OtherFamily OtherProxy. A released reason
// is never renamed, and new ones may be added.
//
// [PROMISES.md]: https://github.com/slicewright/slicewright/blob/main/dedup/PROMISES.md
package dedup
