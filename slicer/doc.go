// Package slicer plans EndpointSlices: wanted endpoints and existing slices in, creates, updates and deletes out.
package slicer
