package slicertest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// Options say what a writer claims. The zero value claims everything except a maximum.
type Options struct {
	// ManagedBy is the value of the label endpointslice.kubernetes.io/managed-by on the writer's slices. Empty: the writer
	// sets none, and slices count as its own by the label kubernetes.io/service-name alone.
	ManagedBy string
	// Max is how many endpoints the writer puts into one slice. Configure it with 3: small slices find more bugs, and find
	// them faster. Zero: the maximum is not judged, and no Service has more than a few Pods.
	Max int
	// Without lists what the writer does not claim to do. Histories that need it are not drawn.
	Without []Feature
	// Want says what the slices must hold when all is quiet. nil: what Kubernetes publishes for the Service and its Pods.
	Want func(State) []Want
	// Ours reports whether a slice is one of the writer's for the Service under test. nil: by the labels managed-by and
	// service-name.
	Ours func(*discoveryv1.EndpointSlice) bool
	// Known has guarantees that the writer is known to break, each with the reason. They do not fail the test until they
	// hold: then they must come off the list.
	Known map[Guarantee]string
	// Also asks for guarantees of the stricter grade.
	Also []Guarantee
	// CachedReads lets get and list of slices answer from the view that State.All shows, as controller-runtime's default
	// client does. False: they answer from the newest state.
	CachedReads bool
	// Histories is how many histories are tried. Zero: all pairs of events, and as many random ones as make 1200 in all.
	Histories int
	// Seed draws the random part of the histories. The same seed draws the same histories.
	Seed uint64
}

// Feature is something that not every writer claims to do.
type Feature string

// What a writer may do without.
const (
	DualStack       Feature = "DualStack"       // a Service with IPv4 and IPv6 at once
	IPv6            Feature = "IPv6"            // IPv6 at all
	NamedPorts      Feature = "NamedPorts"      // target ports by name, which Pods give different numbers
	SeveralPorts    Feature = "SeveralPorts"    // a Service with more than one port
	Headless        Feature = "Headless"        // a Service without cluster IP
	NotReady        Feature = "NotReady"        // Pods that are not ready are published as not ready
	Terminating     Feature = "Terminating"     // Pods that terminate are published as not ready, if there is no other rule
	PublishNotReady Feature = "PublishNotReady" // publishNotReadyAddresses
	LostNodes       Feature = "LostNodes"       // the Node of a Pod goes while the Pod stays
	ServiceLabels   Feature = "ServiceLabels"   // slices have the labels of the Service
	Hints           Feature = "Hints"           // trafficDistribution
	Recreated       Feature = "Recreated"       // a Service is deleted and created under the same name
	Others          Feature = "Others"          // other people create, change and delete slices
	Leftovers       Feature = "Leftovers"       // slices as an older version or a second instance of the writer left them
	Oversized       Feature = "Oversized"       // slices above the maximum, as an older version with a higher one left them
	Spelling        Feature = "Spelling"        // Pods whose IPv6 address is not in its canonical spelling
	LateViews       Feature = "LateViews"       // State shows slices as they were before the last writes
	Crashes         Feature = "Crashes"         // the writer is killed between two writes
)

var features = []Feature{
	DualStack, IPv6, NamedPorts, SeveralPorts, Headless, NotReady, Terminating, PublishNotReady, LostNodes, ServiceLabels,
	Hints, Recreated, Others, Leftovers, Oversized, Spelling, LateViews, Crashes,
}

const (
	defaultHistories = 1200
	serverMax        = 1000 // endpoints in a slice that the API server takes
)

// kit is the Options in the form that the rest of the package reads.
type kit struct {
	Options
	start   Writer
	without map[Feature]bool
	judged  []Guarantee
}

func newKit(o Options, start Writer) (*kit, error) {
	k := &kit{Options: o, start: start, without: map[Feature]bool{}, judged: slices.Clone(defaults)}
	for _, f := range o.Without {
		if !slices.Contains(features, f) {
			return nil, fmt.Errorf("Options.Without: there is no feature %q", f)
		}
		k.without[f] = true
	}
	if k.without[IPv6] {
		k.without[DualStack], k.without[Spelling] = true, true
	}
	for _, g := range o.Also {
		if !slices.Contains(stricter, g) {
			return nil, fmt.Errorf("Options.Also: %q is not a guarantee of the stricter grade: %v", g, stricter)
		}
		k.judged = append(k.judged, g)
	}
	for _, g := range slices.Sorted(maps.Keys(o.Known)) {
		if !slices.Contains(k.judged, g) {
			return nil, fmt.Errorf("Options.Known: %q is not judged", g)
		}
	}
	switch {
	case start == nil:
		return nil, fmt.Errorf("the Writer is nil")
	case o.Max < 0 || o.Max > serverMax:
		return nil, fmt.Errorf("Options.Max is %d: want 0 to %d", o.Max, serverMax)
	case o.Histories < 0:
		return nil, fmt.Errorf("Options.Histories is %d: want 0 or more", o.Histories)
	}
	if k.Histories == 0 {
		k.Histories = defaultHistories
	}
	if k.Ours == nil {
		k.Ours = k.labelled
	}
	if k.Want == nil {
		k.Want = k.want
	}
	return k, nil
}

// labelled is the default of Options.Ours. The names of Services under test start with web, and nobody else's do.
func (k *kit) labelled(s *discoveryv1.EndpointSlice) bool {
	return strings.HasPrefix(s.Labels[discoveryv1.LabelServiceName], serviceName) &&
		(k.ManagedBy == "" || s.Labels[discoveryv1.LabelManagedBy] == k.ManagedBy) &&
		s.Labels[discoveryv1.LabelManagedBy] != otherManager
}

func (k *kit) judges(g Guarantee) bool { return slices.Contains(k.judged, g) }

// can reports whether the writer claims all of the features.
func (k *kit) can(fs []Feature) bool {
	return !slices.ContainsFunc(fs, func(f Feature) bool { return k.without[f] })
}

// many is a number of Pods that need two slices, where the maximum allows that.
func (k *kit) many() int {
	if k.Max > 0 && k.Max <= 100 {
		return k.Max + 1
	}
	return 4
}
