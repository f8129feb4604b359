// Package mirror makes EndpointSlices from Endpoints or from slices of another cluster, and
// Endpoints from slices. All functions are pure, and safe for concurrent use.
//
// A mirroring controller does this when Endpoints or a Service without a selector change:
//
//	in, err := mirror.FromEndpoints(endpoints, service, o)
//	if err != nil {
//		return err
//	}
//	plan, err := syncer.Sync(ctx, in)
//
// # What Endpoints mean
//
// A subset says that each of its addresses serves each of its ports. In canonical form, an address
// is listed once with all ports on which it is ready, and once with the other ports:
//
//	subsets                            canonical            slices
//	http:80    ready .1 .2             http:80,https:443    .1 ready
//	https:443  ready .1 not ready .2   http:80              .2 ready
//	                                   https:443            .2 not ready
//
// Endpoints have been deprecated since Kubernetes 1.33 (KEP-4974). A program that reads them calls
// OnePort of package dedup instead. A program that writes them calls FromBackends of package
// services. Delete Endpoints only when another manager writes the slices, because the garbage
// collector deletes mirrors together with the Endpoints.
//
// The comment of package slicer lists the reasons of Warnings and of Normal. [PROMISES.md] has all
// promises and differences from Kubernetes.
//
// [PROMISES.md]: https://github.com/slicewright/slicewright/blob/main/mirror/PROMISES.md
package mirror
