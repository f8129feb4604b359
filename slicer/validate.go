package slicer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

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
func validate(req *request) error {
	var f faults
	f.options(&req.Options)
	if o := req.hintOptions(); hinting.Validate(o, nil) != nil {
		f.Faults = append(f.Faults, hinting.Validate(o, field.NewPath("hints")))
	}
	f.key(&req.Key)
	f.meta(&req.Meta)
	f.groups(&req.Input)
	f.Faults = append(f.Faults, mistakesInPending(&req.Input)...)
	f.existing(req)
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
	for i, t := range o.AddressTypes {
		if typeOf(t) == none {
			f.Add(field.NotSupported(path("addressTypes").Index(i), string(t), endpoint.AddressTypes[:]))
		}
	}
}

func (f *faults) key(k *Key) {
	path := func(name string) *field.Path { return field.NewPath("key", name) }
	if k.Namespace == "" {
		f.Add(field.Required(path("namespace"), "say which namespace the slices are in"))
	} else if !accept.PlainName(k.Namespace, false) {
		f.Invalid(path("namespace"), k.Namespace, apivalidation.ValidateNamespaceName(k.Namespace, false))
	}
	if k.Name == "" {
		f.Add(field.Required(path("name"), "say whose slices these are"))
	}
	f.managedBy(k.ManagedBy)
	if len(k.MatchLabels) == 0 && !accept.PlainValue(k.Name) {
		for _, msg := range validation.IsValidLabelValue(k.Name) {
			f.Add(field.Invalid(path("name"), k.Name, "is no label value, so MatchLabels must be given: "+msg))
		}
	}
	f.labels(k.MatchLabels, "key", "matchLabels")
	for name, value := range k.MatchLabels {
		if value == "" {
			f.Add(field.Required(path("matchLabels").Key(quote.Text(name)),
				"give the name of the parent: an empty value does not tell two parents apart"))
		}
	}
	if _, ok := k.MatchLabels[discoveryv1.LabelManagedBy]; ok {
		f.Add(field.Forbidden(path("matchLabels").Key(discoveryv1.LabelManagedBy), "use ManagedBy"))
	}
}

func (f *faults) meta(m *Meta) {
	f.labels(m.Labels, "meta", "labels")
	if len(m.Annotations) > 0 {
		f.List(apivalidation.ValidateAnnotations(m.Annotations, field.NewPath("meta", "annotations")))
	}
	f.owners(m.OwnerReferences)
}

func (f *faults) managedBy(name string) {
	if name != "" && accept.PlainValue(name) {
		return // the usual case: no path is built
	}
	path := field.NewPath("key", "managedBy")
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

// labels checks labels at a path, which is built only if something is wrong.
func (f *faults) labels(labels map[string]string, name, child string) {
	if !accept.PlainLabels(labels) {
		f.List(metav1validation.ValidateLabels(labels, field.NewPath(name, child)))
	}
}

func (f *faults) owners(owners []metav1.OwnerReference) {
	path := func(i int) *field.Path { return field.NewPath("meta", "ownerReferences").Index(i) }
	if len(owners) > maxOwners {
		f.Add(field.TooMany(field.NewPath("meta", "ownerReferences"), len(owners), maxOwners))
		return
	}
	for i := range owners {
		if o := &owners[i]; o.APIVersion != "v1" || o.Kind != "Service" || o.Name == "" {
			f.Owner(o, path(i)) // an owner without UID is a Notice
		}
		uid := owners[i].UID
		same := func(o metav1.OwnerReference) bool { return o.UID == uid }
		if j := slices.IndexFunc(owners[:i], same); uid != "" && j >= 0 {
			f.Add(field.Invalid(path(i).Child("uid"), uid,
				fmt.Sprintf("is that of ownerReferences[%d]: a slice has one reference for each owner", j)))
		}
		if j := slices.IndexFunc(owners[:i], meta.Controls); meta.Controls(owners[i]) && j >= 0 {
			f.Add(field.Invalid(path(i).Child("controller"), true,
				fmt.Sprintf("ownerReferences[%d] is the controller already: a slice has one", j)))
		}
	}
}

func (f *faults) groups(in *Input) {
	for i := range in.Groups {
		if t := in.Groups[i].AddressType; typeOf(t) == none {
			f.Add(field.NotSupported(groupPath(i).Child("addressType"), string(t), endpoint.AddressTypes[:]))
		}
	}
}

// existing checks the existing slices.
func (f *faults) existing(req *request) {
	path := func(i int, name string) *field.Path {
		return field.NewPath("existing").Index(i).Child("metadata", name)
	}
	first := map[int]int32{} // by the index of a slice whose name an earlier slice has: the index of that slice
	for n := 1; n < len(req.related); n++ {
		if at, again := req.related[n-1], req.related[n]; req.existing[again].Name == req.existing[at].Name {
			first[int(again)] = at
		}
	}
	for i, s := range req.existing {
		if s == nil {
			f.Add(field.Required(field.NewPath("existing").Index(i), "is nil: leave it out"))
			continue
		}
		if s.Namespace != req.Key.Namespace {
			f.Add(field.Invalid(path(i, "namespace"), s.Namespace,
				fmt.Sprintf("list the slices of the namespace %q only", req.Key.Namespace)))
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
// prefix.
func refusePrefix(p *placement) error {
	if len(p.created()) == 0 {
		return nil
	}
	prefix := p.req.prefix()
	msgs := apivalidation.NameIsDNSSubdomain(prefix, true)
	if len(msgs) == 0 { // the first check accepts "_-", with which no valid name begins
		msgs = apivalidation.NameIsDNSSubdomain(prefix+"x", false)
	}
	var f faults
	f.Invalid(field.NewPath("meta", "namePrefix"), prefix, msgs)
	return f.Err()
}

// prefix returns the start of the names of new slices.
func (req *request) prefix() string {
	return meta.Prefix(cmp.Or(strings.TrimSuffix(req.Meta.NamePrefix, "-"), req.Key.Name))
}
