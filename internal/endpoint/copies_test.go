package endpoint

import (
	"reflect"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

// TestCopies: copies are equal to what is published of the endpoints. A change of one endpoint
// changes neither another one nor what was copied, also if the arrays are too small.
func TestCopies(t *testing.T) {
	full := func() *discoveryv1.Endpoint {
		return &discoveryv1.Endpoint{
			Addresses: []string{"10.0.0.1", "10.0.0.2"},
			Conditions: discoveryv1.EndpointConditions{
				Ready: pointer(true), Serving: pointer(true), Terminating: pointer(false),
			},
			Hostname: pointer("web-1"), NodeName: pointer("node-1"), Zone: pointer("a"),
			TargetRef: &corev1.ObjectReference{Name: "web-1"},
			Hints: &discoveryv1.EndpointHints{
				ForZones: []discoveryv1.ForZone{{Name: "a"}}, ForNodes: []discoveryv1.ForNode{{Name: "n"}},
			},
		}
	}
	for _, n := range []int{1, 3, 9} { // 3 endpoints are copied
		from, copies, to := full(), CopiesOf(n), make([]discoveryv1.Endpoint, 3)
		from.TargetRef.ResourceVersion = "7"
		for i := range to {
			copies.Put(&to[i], from, true)
			to[i].Hints = copies.Hints(*from.Hints, "", "")
		}
		changed := &to[1]
		changed.Addresses[0] = "x"
		changed.Addresses = append(changed.Addresses, "y")
		*changed.Conditions.Ready = false
		*changed.Conditions.Serving = false
		*changed.Conditions.Terminating = true
		*changed.Hostname = "x"
		*changed.NodeName = "x"
		*changed.Zone = "x"
		changed.TargetRef.Name = "x"
		changed.Hints.ForZones[0].Name = "x"
		changed.Hints.ForNodes[0].Name = "x"
		changed.Hints.ForZones = append(changed.Hints.ForZones, discoveryv1.ForZone{Name: "y"})
		from.TargetRef.ResourceVersion = ""
		for _, e := range []*discoveryv1.Endpoint{&to[0], &to[2], from} {
			if !reflect.DeepEqual(e, full()) {
				t.Errorf("for %d endpoints: %+v", n, e)
			}
		}
	}
	copies, to := CopiesOf(1), discoveryv1.Endpoint{}
	from := &discoveryv1.Endpoint{Addresses: []string{"FD00::1"}, Hostname: pointer(""), Zone: pointer("")}
	copies.Put(&to, from, false)
	if !reflect.DeepEqual(to, discoveryv1.Endpoint{Addresses: []string{"fd00::1"}}) {
		t.Errorf("%+v", to)
	}
	if got := copies.Hints(discoveryv1.EndpointHints{}, "", ""); got != nil {
		t.Errorf("%+v", got)
	}
	if got := copies.Hints(discoveryv1.EndpointHints{}, "a", "n"); !reflect.DeepEqual(got, full().Hints) {
		t.Errorf("%+v", got)
	}
}
