package slicer_test

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
)

// TestTargetRefIsContent changes each field of a targetRef. Every change is written, except that of the resourceVersion,
// and what is written is what is wanted.
func TestTargetRefIsContent(t *testing.T) {
	for name, change := range map[string]func(*corev1.ObjectReference){
		"kind":            func(r *corev1.ObjectReference) { r.Kind = "VirtualMachine" },
		"namespace":       func(r *corev1.ObjectReference) { r.Namespace = "other" },
		"name":            func(r *corev1.ObjectReference) { r.Name = "other" },
		"uid":             func(r *corev1.ObjectReference) { r.UID = "other" },
		"apiVersion":      func(r *corev1.ObjectReference) { r.APIVersion = "v1" },
		"fieldPath":       func(r *corev1.ObjectReference) { r.FieldPath = "spec.containers{app}" },
		"resourceVersion": func(r *corev1.ObjectReference) { r.ResourceVersion = "7" },
	} {
		in := input(t, "slices\nweb-a | http:80 | 10.0.0.1{pod=web-1,uid=p1} 10.0.0.2\n\nwant\nhttp:80 | 10.0.0.1{pod=web-1,uid=p1} 10.0.0.2\n")
		ref := in.Groups[0].Endpoints[0].TargetRef
		change(ref)
		plan := planned(t, in)
		if name == "resourceVersion" {
			if !plan.Empty() {
				t.Errorf("%s is written: %v", name, plan)
			}
			continue
		}
		if len(plan.Steps) != 1 || *plan.Steps[0].New.Endpoints[0].TargetRef != *ref {
			t.Errorf("%s: want an update with %v, got\n%v", name, ref, plan)
		}
	}
}

// TestFurtherAddressesAreContent: with ByTargetUID an address beside the first one that comes or goes is written. Their
// order and spelling are not.
func TestFurtherAddressesAreContent(t *testing.T) {
	for _, c := range []struct {
		held, wanted []string
		write        bool
	}{
		{[]string{"10.0.0.1"}, []string{"10.0.0.1", "10.0.0.2"}, true},
		{[]string{"10.0.0.1", "10.0.0.2"}, []string{"10.0.0.1"}, true},
		{[]string{"10.0.0.1", "10.0.0.2"}, []string{"10.0.0.1", "10.0.0.3"}, true},
		{[]string{"10.0.0.1", "10.0.0.2"}, []string{"10.0.0.2", "10.0.0.1"}, true}, // the first one counts as such
		{[]string{"10.0.0.1", "10.0.0.2", "10.0.0.3"}, []string{"10.0.0.1", "10.0.0.3", "10.0.0.2"}, false},
		{[]string{"10.0.0.1", "10.0.0.2"}, []string{"10.0.0.1", "010.0.0.2"}, false},
	} {
		in := input(t, "options by-target-uid\n\nslices\nweb-a | http:80 | 10.0.0.1{pod=web-1,uid=p1}\n\nwant\nhttp:80 | 10.0.0.1{pod=web-1,uid=p1}\n")
		in.Existing[0].Endpoints[0].Addresses, in.Groups[0].Endpoints[0].Addresses = c.held, c.wanted
		if plan := planned(t, in); plan.Empty() == c.write {
			t.Errorf("held %v, wanted %v: want a write: %t, got\n%v", c.held, c.wanted, c.write, plan)
		}
	}
}

// TestDecisionNamesRefusedHints: SameZone and SameNode name the zones and Nodes that cannot be hints, each address type its own.
func TestDecisionNamesRefusedHints(t *testing.T) {
	for _, mode := range []hints.Mode{hints.SameZone, hints.SameNode} {
		in := input(t, "want\nipv4 http:80 | 10.0.0.1{zone=\"zone a\"} 10.0.0.2{zone=z2}\nipv6 http:80 | fd00::1{zone=z1}\n")
		in.Options.Hints.Mode = mode
		plan := planned(t, in)
		named := map[discoveryv1.AddressType][]string{}
		for _, d := range plan.Hints {
			if (d.Reason == hints.InvalidName) != (len(d.Names) > 0) {
				t.Errorf("%v: reason %v with names %v", mode, d.Reason, d.Names)
			}
			named[d.AddressType] = d.Names
		}
		if !slices.Equal(named[discoveryv1.AddressTypeIPv4], []string{"zone a"}) || len(named[discoveryv1.AddressTypeIPv6]) > 0 || len(named) != 2 {
			t.Errorf("%v: named %v", mode, named)
		}
	}
}
