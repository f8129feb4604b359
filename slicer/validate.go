package slicer

import (
	"errors"
	"fmt"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/slicer/internal/meta"
)

const (
	defaultMaxEndpoints = 100
	maxMaxEndpoints     = 1000
	maxPorts            = 20000
)

var addressTypes = [...]discoveryv1.AddressType{
	discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6, discoveryv1.AddressTypeFQDN,
}

// faults collects a caller's mistakes.
type faults []error

func (f *faults) add(err *field.Error) { *f = append(*f, err) }

// duplicated is field.Duplicate with a word on what to do.
func duplicated(path *field.Path, value any, advice string) *field.Error {
	err := field.Duplicate(path, value)
	err.Detail = advice
	return err
}

func (f *faults) list(errs field.ErrorList) {
	for _, err := range errs {
		f.add(err)
	}
}

func (f faults) err() error { return errors.Join(f...) }

func (f *faults) options(o *Options) {
	path := field.NewPath("options")
	if o.MaxEndpointsPerSlice < 0 || o.MaxEndpointsPerSlice > maxMaxEndpoints {
		f.add(field.Invalid(path.Child("maxEndpointsPerSlice"), o.MaxEndpointsPerSlice,
			fmt.Sprintf("use 1 to %d, or 0 for %d", maxMaxEndpoints, defaultMaxEndpoints)))
	}
	unknown(f, path.Child("packing"), o.Packing, InPlace, Compact)
	if o.ExtraWrites < 0 {
		f.add(field.Invalid(path.Child("extraWrites"), o.ExtraWrites, "use 0 or more writes"))
	}
	if o.DissolveUpTo < 0 || o.DissolveUpTo > 100 {
		f.add(field.Invalid(path.Child("dissolveUpTo"), o.DissolveUpTo, "use 1 to 100 percent, or 0 for 100"))
	}
	unknown(f, path.Child("invalid"), o.Invalid, SetAside, Fail, Pass)
	if err := o.Hints.Validate(path.Child("hints")); err != nil {
		*f = append(*f, err)
	}
}

// unknown adds a fault where v is none of the package's constants.
func unknown[E ~string](f *faults, path *field.Path, v E, known ...E) {
	if !slices.Contains(known, v) {
		f.add(field.NotSupported(path, v, known))
	}
}

func (f *faults) set(s *Set) {
	path := field.NewPath("set")
	if s.Namespace == "" {
		f.add(field.Required(path.Child("namespace"), "say which namespace the slices are in"))
	} else {
		f.messages(path.Child("namespace"), s.Namespace, apivalidation.ValidateNamespaceName(s.Namespace, false))
	}
	if s.Name == "" {
		f.add(field.Required(path.Child("name"), "say whose slices these are"))
	}
	if s.ManagedBy == "" {
		f.add(field.Required(path.Child("managedBy"), "choose a name that no other manager of EndpointSlices uses"))
	} else {
		f.messages(path.Child("managedBy"), s.ManagedBy, validation.IsValidLabelValue(s.ManagedBy))
	}
	if len(s.Key) == 0 {
		for _, msg := range validation.IsValidLabelValue(s.Name) {
			f.add(field.Invalid(path.Child("name"), s.Name, "is no label value, so Set.Key must be given: "+msg))
		}
	}
	f.list(metav1validation.ValidateLabels(s.Key, path.Child("key")))
	if _, ok := s.Key[discoveryv1.LabelManagedBy]; ok {
		f.add(field.Forbidden(path.Child("key").Key(discoveryv1.LabelManagedBy), "use Set.ManagedBy"))
	}
	f.list(metav1validation.ValidateLabels(s.Labels, path.Child("labels")))
	f.list(apivalidation.ValidateAnnotations(s.Annotations, path.Child("annotations")))
	if _, ok := s.Annotations[meta.TriggerTimeKey]; ok {
		f.add(field.Forbidden(path.Child("annotations").Key(meta.TriggerTimeKey), "use Set.TriggerTime"))
	}
	f.owners(s.Owners, path.Child("owners"))
	for i, t := range s.AddressTypes {
		if typeIndex(t) < 0 {
			f.add(field.NotSupported(path.Child("addressTypes").Index(i), t, addressTypes[:]))
		}
	}
}

func (f *faults) owners(owners []metav1.OwnerReference, path *field.Path) {
	controller := none
	for i := range owners {
		f.list(apivalidation.ValidateOwnerReferences(owners[i:i+1], path.Index(i)))
		switch {
		case owners[i].Controller == nil || !*owners[i].Controller:
		case controller == none:
			controller = i
		default:
			f.add(field.Invalid(path.Index(i).Child("controller"), true,
				fmt.Sprintf("owners[%d] is the controller already: a slice has one", controller)))
		}
	}
}

func (f *faults) messages(path *field.Path, value string, messages []string) {
	for _, msg := range messages {
		f.add(field.Invalid(path, value, msg))
	}
}

func (f *faults) groups(in *Input) {
	wanted := typesOf(in.Set.AddressTypes)
	for i := range in.Groups {
		g := &in.Groups[i]
		if g.AddressType != "" {
			switch t := typeIndex(g.AddressType); {
			case t < 0:
				f.add(field.NotSupported(groupPath(i).Child("addressType"), g.AddressType, addressTypes[:]))
			case len(in.Set.AddressTypes) > 0 && !wanted[t]:
				f.add(field.Invalid(groupPath(i).Child("addressType"), g.AddressType, "is not among Set.AddressTypes"))
			}
		}
		if len(g.Changed) > 0 && len(g.Changed) != len(g.Endpoints) {
			f.add(field.Invalid(groupPath(i).Child("changed"), len(g.Changed),
				fmt.Sprintf("give a time for each of the %d endpoints, or none at all", len(g.Endpoints))))
		}
		if i == 0 || !sameList(in.Groups[i-1].Ports, g.Ports) {
			f.ports(g.Ports, i)
		}
	}
}

func groupPath(i int) *field.Path { return field.NewPath("groups").Index(i) }

// ports checks what the API server checks, and the range of numbers, which it does not.
func (f *faults) ports(ports []discoveryv1.EndpointPort, group int) {
	if len(ports) == 0 {
		return
	}
	path := groupPath(group).Child("ports")
	if len(ports) > maxPorts {
		f.add(field.TooMany(path, len(ports), maxPorts))
		return
	}
	names := make(map[string]bool, len(ports))
	for i := range ports {
		p, at := &ports[i], path.Index(i)
		name := ""
		if p.Name != nil {
			name = *p.Name
		}
		if name != "" {
			f.messages(at.Child("name"), name, validation.IsDNS1123Label(name))
		}
		if names[name] {
			f.add(duplicated(at.Child("name"), name, "give each port a name of its own"))
		}
		names[name] = true
		if p.Protocol != nil && !supportedProtocol(*p.Protocol) {
			f.add(field.NotSupported(at.Child("protocol"), *p.Protocol, protocols[:]))
		}
		if p.Port != nil && (*p.Port < 1 || *p.Port > 65535) {
			f.add(field.Invalid(at.Child("port"), *p.Port, "use 1 to 65535, or nil for all ports"))
		}
		if p.AppProtocol != nil {
			f.messages(at.Child("appProtocol"), *p.AppProtocol, validation.IsQualifiedName(*p.AppProtocol))
		}
	}
}

func (f *faults) existing(namespace string, existing []*discoveryv1.EndpointSlice) {
	path := field.NewPath("existing")
	names := make(map[string]int, len(existing))
	for i, s := range existing {
		if s == nil {
			f.add(field.Required(path.Index(i), "is nil: leave it out"))
			continue
		}
		at := func(name string) *field.Path { return path.Index(i).Child("metadata", name) }
		if s.Namespace != namespace {
			f.add(field.Invalid(at("namespace"), s.Namespace,
				fmt.Sprintf("list the slices of the set's namespace %q only", namespace)))
		}
		if s.Name == "" {
			f.add(field.Required(at("name"), "an existing slice has a name"))
		} else if first, ok := names[s.Name]; ok {
			f.add(duplicated(at("name"), s.Name, fmt.Sprintf("existing[%d] has this name too: list each slice once", first)))
		}
		names[s.Name] = i
	}
}

// refusePrefix returns why no name can begin with the set's prefix. It matters only where something is created.
func refusePrefix(s *Set) error {
	prefix := meta.Prefix(s.Name, s.NamePrefix)
	msgs := apivalidation.NameIsDNSSubdomain(prefix, true)
	if len(msgs) == 0 { // so far "_-" passes, of which no name can be made
		msgs = apivalidation.NameIsDNSSubdomain(prefix+"x", false)
	}
	var f faults
	f.messages(field.NewPath("set", "namePrefix"), prefix, msgs)
	return f.err()
}
