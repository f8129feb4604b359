package slicer

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/hinting"
	"github.com/slicewright/slicewright/internal/quote"
	"github.com/slicewright/slicewright/slicer/internal/meta"
)

const maxOwners = 100 // each owner is compared with all others

// validate returns a caller's mistakes.
func validate(in *request) error {
	var f faults
	f.options(&in.Options)
	if o := in.hintOptions(); hinting.Validate(o, nil) != nil {
		f.Faults = append(f.Faults, hinting.Validate(o, field.NewPath("hints")))
	}
	f.set(&in.Set)
	f.groups(&in.Input)
	f.existing(in)
	return f.Err()
}

// faults are a caller's mistakes.
type faults struct{ accept.Faults }

func (f *faults) options(o *Options) {
	path := func(name string) *field.Path { return field.NewPath("options", name) }
	if o.MaxEndpointsPerSlice < 0 || o.MaxEndpointsPerSlice > accept.MaxEndpoints {
		f.Add(field.Invalid(path("maxEndpointsPerSlice"), o.MaxEndpointsPerSlice,
			fmt.Sprintf("use 1 to %d, or 0 for %d", accept.MaxEndpoints, defaultMaxEndpoints)))
	}
	unknown(f, "packing", o.Packing, "InPlace", InPlace, Compact)
	if o.DissolveUpTo < 0 || o.DissolveUpTo > 100 {
		f.Add(field.Invalid(path("dissolveUpTo"), o.DissolveUpTo, "use 1 to 100 percent, or 0 for 100"))
	}
	if o.DissolveUpTo > 0 && o.Packing == InPlace {
		f.Add(field.Forbidden(path("dissolveUpTo"),
			"only Compact dissolves slices: set packing to it, or leave this 0"))
	}
	unknown(f, "invalid", o.Invalid, "LeaveOut", LeaveOut, Fail, Pass)
}

// unknown adds a fault if the value of an option is not one of the known constants. zero is the
// name of the constant that is the zero value. The error gets a copy of known: an error that kept
// known itself would make each call allocate it, even a call without a fault.
func unknown[E ~string](f *faults, option string, v E, zero string, known ...E) {
	if !slices.Contains(known, v) {
		f.Add(accept.NotSupported(field.NewPath("options", option), v, zero, slices.Clone(known)))
	}
}

func (f *faults) set(s *Set) {
	path := func(name string) *field.Path { return field.NewPath("set", name) }
	if s.Namespace == "" {
		f.Add(field.Required(path("namespace"), "say which namespace the slices are in"))
	} else if !accept.PlainName(s.Namespace, false) {
		f.Invalid(path("namespace"), s.Namespace, apivalidation.ValidateNamespaceName(s.Namespace, false))
	}
	if s.Name == "" {
		f.Add(field.Required(path("name"), "say whose slices these are"))
	}
	f.managedBy(s.ManagedBy)
	if len(s.Key) == 0 && !accept.PlainValue(s.Name) {
		for _, msg := range validation.IsValidLabelValue(s.Name) {
			f.Add(field.Invalid(path("name"), s.Name, "is no label value, so Set.Key must be given: "+msg))
		}
	}
	f.labels("key", s.Key)
	for name, value := range s.Key {
		if value == "" {
			f.Add(field.Required(path("key").Key(quote.Text(name)),
				"give the name of the parent: an empty value does not tell two sets apart"))
		}
	}
	if _, ok := s.Key[discoveryv1.LabelManagedBy]; ok {
		f.Add(field.Forbidden(path("key").Key(discoveryv1.LabelManagedBy), "use Set.ManagedBy"))
	}
	f.labels("labels", s.Labels)
	if len(s.Annotations) > 0 {
		f.List(apivalidation.ValidateAnnotations(s.Annotations, path("annotations")))
	}
	if _, ok := s.Annotations[corev1.EndpointsLastChangeTriggerTime]; ok {
		f.Add(field.Forbidden(path("annotations").Key(corev1.EndpointsLastChangeTriggerTime), "use Set.TriggerTime"))
	}
	f.owners(s.Owners)
	for i, t := range s.AddressTypes {
		if typeOf(t) == none {
			f.Add(field.NotSupported(path("addressTypes").Index(i), string(t), endpoint.AddressTypes[:]))
		}
	}
}

func (f *faults) managedBy(name string) {
	if name != "" && accept.PlainValue(name) {
		return // the usual case: no path is built
	}
	path := field.NewPath("set", "managedBy")
	switch {
	case name == "":
		f.Add(field.Required(path, "choose a name that no other manager of EndpointSlices uses"))
	case strings.Contains(name, "/"):
		f.Add(field.Invalid(path, name,
			"is the value of a label, which has no slash: write slices.example.com, not example.com/slices"))
	default:
		f.Invalid(path, name, validation.IsValidLabelValue(name))
	}
}

func (f *faults) labels(name string, labels map[string]string) {
	if !accept.PlainLabels(labels) {
		f.List(metav1validation.ValidateLabels(labels, field.NewPath("set", name)))
	}
}

func (f *faults) owners(owners []metav1.OwnerReference) {
	path := func(i int) *field.Path { return field.NewPath("set", "owners").Index(i) }
	if len(owners) > maxOwners {
		f.Add(field.TooMany(field.NewPath("set", "owners"), len(owners), maxOwners))
		return
	}
	for i := range owners {
		if o := &owners[i]; o.APIVersion != "v1" || o.Kind != "Service" || o.Name == "" {
			f.Owner(o, path(i)) // an owner without UID is a Skip
		}
		uid := owners[i].UID
		same := func(o metav1.OwnerReference) bool { return o.UID == uid }
		if j := slices.IndexFunc(owners[:i], same); uid != "" && j >= 0 {
			f.Add(field.Invalid(path(i).Child("uid"), uid,
				fmt.Sprintf("is that of owners[%d]: a slice has one reference for each owner", j)))
		}
		if j := slices.IndexFunc(owners[:i], meta.Controls); meta.Controls(owners[i]) && j >= 0 {
			f.Add(field.Invalid(path(i).Child("controller"), true,
				fmt.Sprintf("owners[%d] is the controller already: a slice has one", j)))
		}
	}
}

func (f *faults) groups(in *Input) {
	wanted := typesOf(in.Set.AddressTypes)
	for i := range in.Groups {
		g := &in.Groups[i]
		switch t := typeOf(g.AddressType); {
		case g.AddressType == "":
		case t == none:
			path := groupPath(i).Child("addressType")
			f.Add(field.NotSupported(path, string(g.AddressType), endpoint.AddressTypes[:]))
		case len(in.Set.AddressTypes) > 0 && !wanted[t]:
			f.Add(field.Invalid(groupPath(i).Child("addressType"), g.AddressType, "is not among Set.AddressTypes"))
		}
		if len(g.Changed) > 0 && len(g.Changed) != len(g.Endpoints) {
			f.Add(field.Invalid(groupPath(i).Child("changed"), len(g.Changed),
				fmt.Sprintf("give a time for each of the %d endpoints, or none at all", len(g.Endpoints))))
		}
	}
}

// existing checks the existing slices.
func (f *faults) existing(in *request) {
	path := func(i int, name string) *field.Path {
		return field.NewPath("existing").Index(i).Child("metadata", name)
	}
	first := map[int]int32{} // by the index of a slice whose name an earlier slice has: the index of that slice
	for n := 1; n < len(in.related); n++ {
		if at, again := in.related[n-1], in.related[n]; in.existing[again].Name == in.existing[at].Name {
			first[int(again)] = at
		}
	}
	for i, s := range in.existing {
		if s == nil {
			f.Add(field.Required(field.NewPath("existing").Index(i), "is nil: leave it out"))
			continue
		}
		if s.Namespace != in.Set.Namespace {
			f.Add(field.Invalid(path(i, "namespace"), s.Namespace,
				fmt.Sprintf("list the slices of the set's namespace %q only", in.Set.Namespace)))
		}
		if s.Name == "" {
			f.Add(field.Required(path(i, "name"), "an existing slice has a name"))
		} else if at, again := first[i]; again {
			f.Add(accept.Duplicate(path(i, "name"), s.Name,
				fmt.Sprintf("existing[%d] has this name too: list each slice once", at)))
		}
	}
}

// refusePrefix returns an error if the plan creates a slice and no valid name can begin with the
// set's prefix.
func refusePrefix(p *placement) error {
	if len(p.created()) == 0 {
		return nil
	}
	prefix := meta.Prefix(p.in.Set.Name, p.in.Set.NamePrefix)
	msgs := apivalidation.NameIsDNSSubdomain(prefix, true)
	if len(msgs) == 0 { // the first check accepts "_-", with which no valid name begins
		msgs = apivalidation.NameIsDNSSubdomain(prefix+"x", false)
	}
	var f faults
	f.Invalid(field.NewPath("set", "namePrefix"), prefix, msgs)
	return f.Err()
}
