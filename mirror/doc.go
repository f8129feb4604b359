// Package mirror converts between Endpoints, EndpointSlices and slicer's input: Endpoints to slices and back, and slices
// to slices. It converts and does no more; package slicer plans what to write.
package mirror
