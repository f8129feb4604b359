package main

import (
	"fmt"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/dedup/routing"
	"github.com/slicewright/slicewright/examples/internal/manifest"
)

// rules are what kube-proxy makes of a Service.
type rules struct {
	endpoints map[string][]dedup.Endpoint // that a rule can send traffic to, by port
	unused    dedup.Notices               // what gets no traffic, and why
}

func rulesOf(s *subject) rules {
	served := dedup.Merge(s.slices, dedup.Options{}).ForProxy(s.Service)
	r := rules{endpoints: map[string][]dedup.Endpoint{}, unused: served.Unused}
	for _, p := range served.Ports {
		r.endpoints[manifest.PortName(p.Port)] = p.Endpoints
	}
	return r
}

// judge says in words what becomes of the endpoints of one port and family, for one kind of traffic:
// what kube-proxy has no rule for, and what routing decides for the others.
type judge struct {
	*section
	subject  *subject
	rules    rules
	policy   routing.Policy
	ruled    []dedup.Endpoint // for which there is a rule
	used     int
	verdicts map[string]routing.Verdict // by host:port
}

func newJudge(s *subject, sec *section, made rules, at routing.Location, policy routing.Policy) *judge {
	j := &judge{section: sec, subject: s, rules: made, policy: policy, verdicts: map[string]routing.Verdict{}}
	for _, e := range made.endpoints[sec.port] {
		if familyOf(e) == sec.family {
			j.ruled = append(j.ruled, e)
		}
	}
	for i, verdict := range routing.Explain(j.ruled, at, policy) {
		if j.verdicts[j.ruled[i].String()] = verdict; verdict.Used {
			j.used++
		}
	}
	return j
}

func familyOf(e dedup.Endpoint) discoveryv1.AddressType {
	if e.Address.Is4() {
		return discoveryv1.AddressTypeIPv4
	}
	return discoveryv1.AddressTypeIPv6
}

// verdict says whether an endpoint is used, and why.
func (j *judge) verdict(e *row) (used, why string) {
	if v, ok := j.verdicts[e.String()]; ok {
		return map[bool]string{true: "yes", false: "no"}[v.Used], v.Message
	}
	switch {
	case j.subject.headless() && j.family == discoveryv1.AddressTypeFQDN:
		return "no", "DNS has no FQDN slices"
	case j.subject.headless() && e.Conditions.Ready:
		return "in DNS", "ready"
	case j.subject.headless():
		return "no", "not ready, so it is not in DNS"
	case j.port == noPort+"/TCP":
		return "no", "the slice has no ports, so no port of the Service leads to it; add the Service's ports to it"
	}
	why = "kube-proxy has no rule for it"
	for _, u := range j.rules.unused {
		if u.Slice.Name == e.Slice {
			return "no", u.Err.Error()
		} else if u.Slice.Name == "" && u.Reason != "NoSlicePort" {
			why = u.Err.Error()
		}
	}
	return "no", why
}

// summary says how many are used.
func (j *judge) summary() string {
	text := fmt.Sprintf("%d of %d used", j.used, len(j.rows))
	switch {
	case j.subject.headless():
		return text + ": the Service is headless, so clients take the endpoints from DNS, and kube-proxy makes no rules"
	case len(j.ruled) == 0:
		return text + ": kube-proxy has no rule for them"
	case j.policy.Local:
		return text + ": those on the node"
	}
	return text
}
