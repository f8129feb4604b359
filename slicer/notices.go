package slicer

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/quote"
	"github.com/slicewright/slicewright/slicer/internal/timeline"
)

var errNoRoom = errors.New("no slice has room, and none is created while the parent is being deleted")

// warnings returns the Warnings of the Input, and then those of the plan.
func (p *placement) warnings(plan *Plan) Notices {
	own := slices.Clone(p.wanted.rejected)
	for _, items := range p.unplaced {
		for _, i := range items {
			n := p.req.notice(p.items[i].source)
			n.Reason, n.Err = "NoRoom", errNoRoom
			own = append(own, n)
		}
	}
	for _, i := range p.present.claimed {
		own = append(own, claimedNotice(p.req.existing[i], i))
	}
	own = append(own, p.req.otherService()...)
	own = append(own, p.hintWarnings()...)
	own = append(own, p.missingDuringUpdate(plan)...)
	if len(own) == 0 {
		return p.req.Warnings
	}
	sortNotices(own)
	return slices.Concat(p.req.Warnings, own)
}

// normal returns Normal of the Input, and a Notice for each slice that Options.Adopt names and that
// is not taken over.
func (p *placement) normal() Notices {
	if len(p.req.Options.Adopt) == 0 {
		return p.req.Normal
	}
	byName := map[string]*discoveryv1.EndpointSlice{}
	for _, s := range p.req.existing {
		byName[s.Name] = s
	}
	list := slices.Clip(p.req.Normal)
	for i, name := range p.req.Options.Adopt {
		s := byName[name]
		err := errors.New("no such slice is among the existing ones")
		if s != nil {
			if p.req.meta.Ours(s) || p.req.adopted(s) {
				continue
			}
			err = errors.New("it has a label of the Key with another value, or another object controls it")
		}
		list = append(list, Notice{
			Reason: "NothingAdopted", Path: field.NewPath("options", "adopt").Index(i).String(), Err: err,
			Object: sliceReference(&discoveryv1.EndpointSlice{
				ObjectMeta: metav1.ObjectMeta{Namespace: p.req.Key.Namespace, Name: name},
			}),
		})
	}
	return list
}

// notice returns a Notice about a wanted endpoint. The caller sets its Reason and Err. If the
// endpoint is in no Group of the caller, Path is empty.
func (req *request) notice(at source) Notice {
	e := &req.Groups[at.group].Endpoints[at.endpoint].API
	n := Notice{Object: endpoint.TargetOf(e)}
	if int(at.group) < req.given {
		n.Path = at.path().String()
	}
	if len(e.Addresses) > 0 {
		n.Address = endpoint.Canonical(e.Addresses[0])
	}
	return n
}

// otherService returns a Notice if slices get the label of a Service that is neither their parent
// nor one of their owners.
func (req *request) otherService() Notices {
	path := field.NewPath("key", "matchLabels")
	name, ok := req.Key.MatchLabels[discoveryv1.LabelServiceName]
	if !ok && len(req.Key.MatchLabels) > 0 {
		path = field.NewPath("meta", "labels")
		name, ok = req.Meta.Labels[discoveryv1.LabelServiceName]
	}
	owned := func(o metav1.OwnerReference) bool { return o.Kind == "Service" && o.Name == name }
	if _, imported := req.Key.MatchLabels[endpoint.LabelImport]; imported {
		return nil // it is the derived Service of a ServiceImport
	}
	if !ok || name == accept.LabelValue(req.Key.Name) || slices.ContainsFunc(req.Meta.OwnerReferences, owned) {
		return nil
	}
	cause := field.Invalid(path.Key(discoveryv1.LabelServiceName), name,
		"readers join these slices with those of this Service, and it is neither the parent nor an owner: "+
			"give a label of your own, or make the Service an owner")
	return Notices{{
		Reason: "OtherService", Path: cause.Field, Err: cause,
		Object: corev1.ObjectReference{APIVersion: "v1", Kind: "Service", Namespace: req.Key.Namespace, Name: name},
	}}
}

// hintWarnings returns Notices of hints that are asked for and cannot be decided as asked.
func (p *placement) hintWarnings() (list Notices) {
	o := &p.req.Hints
	add := func(reason string, err *field.Error) {
		list = append(list, Notice{Reason: reason, Path: err.Field, Err: err})
	}
	if o.Limit > 0 && o.Mode != hints.PreferSameZone {
		add("LimitUnused", field.Invalid(field.NewPath("hints", "limit"), o.Limit,
			"only the mode PreferSameZone has a limit: choose it, or leave the limit out"))
	}
	if !p.req.allocates {
		return list
	}
	zones := field.NewPath("hints", "weights", "zones")
	if len(o.Weights.Zones) == 0 {
		add("NoWeights", field.Required(zones, "hints by weight need the weights of zones, as hints.NodeWeights "+
			"takes them from the CPU of Nodes"))
		return list
	}
	unknown := map[string]bool{}
	for i := range p.items {
		zone := endpoint.Text(p.items[i].endpoint.Zone)
		if _, has := o.Weights.Zones[zone]; has {
			return list
		}
		if zone != "" {
			unknown[zone] = true
		}
	}
	if len(unknown) > 0 && len(o.Weights.Zones) > 0 {
		var names []string
		for name := range unknown {
			names = append(names, quote.Text(name))
		}
		add("UnknownZones", field.Required(zones, "no endpoint is in a zone that has a weight; endpoints are in "+
			quote.Few(names)))
	}
	return list
}

// sortNotices sorts by what does not depend on the order of the arguments, and then by path.
func sortNotices(list Notices) {
	slices.SortStableFunc(list, func(a, b Notice) int {
		return cmp.Or(
			strings.Compare(a.Reason, b.Reason),
			cmp.Compare(min(len(a.Address), 1), min(len(b.Address), 1)), // Notices without an address come first
			endpoint.CompareAddresses(a.Address, b.Address),
			strings.Compare(a.Object.Namespace, b.Object.Namespace), endpoint.CompareReference(&a.Object, &b.Object),
			strings.Compare(a.cause(), b.cause()), strings.Compare(a.Path, b.Path),
		)
	})
}

// missing returns the text of an absence, such as "not on http after step 1 until step 3".
func missing(ports []string, after, until int) string {
	on := ""
	for i, p := range ports {
		if ports[i] = quote.Text(p); p == "" {
			ports[i] = `""`
		}
	}
	if len(ports) > 0 {
		on = " on " + strings.Join(ports, ", ")
	}
	return fmt.Sprintf("readers miss it%s after step %d until step %d: its slices change their ports, and one must "+
		"be written first", on, after, until)
}

// missingDuringUpdate returns a Notice for each endpoint that readers will miss during some steps,
// although it is published before and after the plan. Steps are ordered so that nearly every plan
// has none. There are three exceptions: slices swap endpoints of different ports; the ports of an
// endpoint were in one slice and are divided among several; or a wait was dropped.
func (p *placement) missingDuringUpdate(plan *Plan) (list Notices) {
	if len(plan.Steps) < 2 || !p.moves() {
		return nil
	}
	steps := make([]timeline.Step, len(plan.Steps))
	for i := range plan.Steps {
		steps[i] = timeline.Step{Old: plan.Steps[i].Old, New: plan.Steps[i].New}
	}
	for _, a := range timeline.Absences(steps, plan.Unchanged) {
		n := Notice{Reason: "MissingDuringUpdate", Err: errors.New(missing(a.Ports, a.After, a.Until))}
		at := endpoint.TargetOf(a.Endpoint)
		n.Object.Kind, n.Object.Namespace, n.Object.Name = at.Kind, at.Namespace, at.Name // copies may differ in more
		if len(a.Endpoint.Addresses) > 0 {
			n.Address = endpoint.Canonical(a.Endpoint.Addresses[0])
		}
		list = append(list, n)
	}
	return list
}

// moves reports whether an endpoint that slices hold may get another slice or other ports. Only such
// an endpoint can be missing for a time. For most plans, this saves the look at all steps.
func (p *placement) moves() bool {
	otherPorts := len(p.wanted.portSets) > 1 || slices.ContainsFunc(p.live(), func(s placedSlice) bool {
		return s.portsBefore == none && len(s.object.Endpoints) > 0
	})
	for i := range p.items {
		it := &p.items[i]
		stays := it.published && it.place == it.current
		if !stays && (otherPorts || it.previous != nil) {
			return true
		}
	}
	return false
}
