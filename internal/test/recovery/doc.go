// Package recovery plays histories of faults to a program that publishes the Pods of a Service, and
// says whether the program recovers from them. Package model visits every order of events in small
// cases and judges each write; this package runs whole programs as they are printed in README and
// in comments, and judges whether the slices become right.
//
// A history changes the Pods and the Service, loses answers of the API server (the write was
// executed, was not executed, or is executed later), cuts plans off, kills and restarts the
// program, and lets other clients update, delete and unlabel slices, and take their names. The
// cache is up to three events late, and may change between two reads of it.
//
// After each prefix of a history everything stays as it is and the API server answers. Then the
// program is called as a work queue calls it: again after an error, and when the cache shows
// something new. The slices must become right within some calls.
package recovery
