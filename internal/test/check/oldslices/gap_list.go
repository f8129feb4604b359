package slices

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/test/check/form"
)

// seen is an endpoint on one port, as readers see it.
type seen struct {
	typ                             discoveryv1.AddressType
	addresses                       string // canonical, sorted, each with a comma behind it
	hostname, kind, namespace, name string
	port                            string // name and protocol; " " for slices without ports
}

// checkGapList: Plan.Gaps lists exactly the endpoints that are missing on a port between two steps,
// and there before and after. It applies the plan step by step and looks at what readers see then.
func (o *outcome) checkGapList() {
	var views []map[seen]bool // by the number of steps that are done
	for done := range len(o.plan.Steps) + 1 {
		views = append(views, o.published(done))
	}
	type absence struct {
		what         seen
		after, until int
	}
	want := map[absence]int{}
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
			want[absence{s, done, until}]++
		}
	}
	for _, g := range o.plan.Gaps() {
		ports := g.Ports
		if ports == nil {
			ports = []string{" "}
		}
		for _, port := range ports {
			found := false
			for a := range want {
				s := a.what
				if a.after == g.After && a.until == g.Until && s.typ == g.AddressType && s.port == port &&
					s.kind == g.Object.Kind && s.namespace == g.Object.Namespace &&
					s.name == g.Object.Name && slices.Contains(addressesOf(s), form.Canonical(g.Address)) {
					delete(want, a)
					found = true
					break
				}
			}
			if !found {
				o.fail("G6", "Plan.Gaps has %q, but it is there all the time, or listed twice", g)
			}
		}
	}
	for a := range want {
		o.fail("G6", "Plan.Gaps lacks %q, missing after step %d until step %d", a.what, a.after, a.until)
	}
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
	one := seen{typ: s.AddressType, hostname: form.Text(e.Hostname), port: " "}
	for _, a := range form.CanonicalSet(e.Addresses) {
		one.addresses += a + ","
	}
	if ref := e.TargetRef; ref != nil {
		one.kind = ref.Kind
		one.namespace = ref.Namespace
		one.name = ref.Name
	}
	for _, p := range s.Ports {
		one.port = form.Text(p.Name)
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
