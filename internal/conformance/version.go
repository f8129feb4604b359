package conformance

import "runtime/debug"

const reference = "k8s.io/endpointslice"

// ReferenceVersion is the reference's module and version, as far as the binary knows.
func ReferenceVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return reference
	}
	for _, m := range info.Deps {
		if m.Path == reference {
			return m.Path + " " + m.Version
		}
	}
	return reference
}
