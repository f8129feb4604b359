// Package forecast says what hints, or the loss of a zone, would do to endpoints, and which weights a proxy needs.
//
// # What to call
//
//	I want                                             I call
//	what hints or an outage would do to endpoints      Forecast
//	weights of zones for a proxy, such as in EDS       Spread
//
// All functions are safe for concurrent use. They change none of their inputs and keep nothing.
package forecast
