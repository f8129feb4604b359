package gen

import (
	discoveryv1 "k8s.io/api/discovery/v1"
	"pgregory.net/rapid"
)

// Change changes one thing about an endpoint in one of two draws, as other writers of a slice may: something that counts,
// or something that does not.
func Change(t *rapid.T, e *discoveryv1.Endpoint) {
	if !rapid.Bool().Draw(t, "changed") {
		return
	}
	switch rapid.IntRange(0, 14).Draw(t, "change") {
	case 0:
		e.Conditions.Ready = nil
	case 1:
		e.Conditions.Ready = ptr(false)
	case 2:
		e.Conditions.Serving = ptr(false)
	case 3:
		e.Conditions.Terminating = ptr(true)
	case 4:
		e.NodeName = ptr("node-z")
	case 5:
		e.Zone = ptr("")
	case 6:
		e.Hostname = ptr("host-0")
	case 7:
		e.Hints = someHints(t)
	case 8:
		e.DeprecatedTopology = map[string]string{"example.com/rack": "r1"}
	case 9:
		e.TargetRef = nil
	case 10:
		if e.TargetRef != nil {
			e.TargetRef.ResourceVersion = "7"
		}
	case 11:
		if e.TargetRef != nil {
			e.TargetRef.Name = "pod-z"
		}
	case 12:
		if e.TargetRef != nil {
			e.TargetRef.UID = "uid-z"
		}
	case 13:
		if e.TargetRef != nil {
			e.TargetRef.FieldPath = "spec"
		}
	case 14:
		e.Addresses = []string{"10.0.0.01"}
	}
}
