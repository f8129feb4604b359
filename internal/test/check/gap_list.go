package check

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/test/gen"
)

// seen is an endpoint on one port, as readers see it.
type seen struct {
	typ                             discoveryv1.AddressType
	addresses                       string // canonical, sorted, each with a comma behind it
	hostname, kind, namespace, name string
	port                            string // name and protocol; " " for slices without ports
}

// absence is an endpoint that is missing from one step until another.
type absence struct {
	what         seen
	after, until int
}

// checkGapList: Warnings list exactly the endpoints that are missing on a port between two steps,
// and there before and after.
func (o *outcome) checkGapList() {
	want := o.absences()
	for _, n := range gen.Warnings(o.plan, "MissingDuringUpdate") {
		for _, port := range portsOf(n.Err.Error()) {
			found := false
			for a := range want {
				s := a.what
				if strings.Contains(n.Err.Error(), fmt.Sprintf("after step %d until step %d", a.after, a.until)) &&
					s.port == port && s.kind == n.Object.Kind && s.namespace == n.Object.Namespace &&
					s.name == n.Object.Name && slices.Contains(addressesOf(s), Canonical(n.Address)) {
					delete(want, a)
					found = true
					break
				}
			}
			if !found {
				o.fail("G6", "%v is there all the time, or listed twice", n)
			}
		}
	}
	for a := range want {
		o.fail("G6", "no Warning lists %q, missing after step %d until step %d", a.what, a.after, a.until)
	}
}

// absences applies the plan step by step and looks at what readers see then.
func (o *outcome) absences() map[absence]bool {
	var views []map[seen]bool // by the number of steps that are done
	for done := range len(o.plan.Steps) + 1 {
		views = append(views, o.published(done))
	}
	all := map[absence]bool{}
	for s := range views[0] {
		if !views[len(views)-1][s] {
			continue
		}
		for done := 1; done < len(views); done++ {
			if views[done][s] || !views[done-1][s] {
				continue
			}
			until := done
			for !views[until][s] {
				until++
			}
			all[absence{s, done, until}] = true
		}
	}
	return all
}

// portsOf returns the ports that the text of a Warning names; " " for slices without ports.
func portsOf(text string) []string {
	on, _, _ := strings.Cut(strings.TrimPrefix(text, "readers miss it"), " after step")
	if on = strings.TrimPrefix(on, " on "); on == "" {
		return []string{" "}
	}
	ports := strings.Split(on, ", ")
	for i, p := range ports {
		if ports[i] = p; p == `""` {
			ports[i] = ""
		}
	}
	return ports
}

// published lists what our slices have once so many steps are done.
func (o *outcome) published(done int) map[seen]bool {
	now := slices.Clone(o.plan.Unchanged)
	for i, s := range o.plan.Steps {
		if i < done {
			now = append(now, s.New)
		} else {
			now = append(now, s.Old)
		}
	}
	all := map[seen]bool{}
	for _, s := range now {
		if s != nil {
			for i := range s.Endpoints {
				addSeen(all, s, &s.Endpoints[i])
			}
		}
	}
	return all
}

func addSeen(all map[seen]bool, s *discoveryv1.EndpointSlice, e *discoveryv1.Endpoint) {
	one := seen{typ: s.AddressType, hostname: Text(e.Hostname), port: " "}
	for _, a := range CanonicalSet(e.Addresses) {
		one.addresses += a + ","
	}
	if ref := e.TargetRef; ref != nil {
		one.kind = ref.Kind
		one.namespace = ref.Namespace
		one.name = ref.Name
	}
	for _, p := range s.Ports {
		one.port = Text(p.Name)
		if p.Protocol != nil && *p.Protocol != corev1.ProtocolTCP {
			one.port += "/" + string(*p.Protocol)
		}
		all[one] = true
	}
	if len(s.Ports) == 0 {
		all[one] = true
	}
}

// addressesOf are the addresses of an endpoint; one that has none has the empty one.
func addressesOf(s seen) []string {
	if s.addresses == "" {
		return []string{""}
	}
	return strings.Split(strings.TrimSuffix(s.addresses, ","), ",")
}
