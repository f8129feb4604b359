// Package hints decides which zone or node may use an endpoint.
package hints
