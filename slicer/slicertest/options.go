package slicertest

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/test/kit"
)

// Options say what a writer supports. The zero value is for a writer with all features except those
// for Also, and without a maximum. The package comment names the guarantees. KIT.md names the
// features, and the guarantees for Also. An unknown name is an error.
type Options struct {
	// ManagedBy is the value of the label endpointslice.kubernetes.io/managed-by on the writer's
	// slices. If empty, the writer does not set the label.
	ManagedBy string
	// NameLabel is the label of the writer's slices that has the name of the Service. If empty,
	// kubernetes.io/service-name.
	NameLabel string
	// MaxEndpointsPerSlice is the largest number of endpoints that the writer puts into one slice.
	// Configure the writer with 3, because small slices find more bugs faster. If zero, the maximum
	// is not judged, and no Service has more than a few Pods.
	MaxEndpointsPerSlice int
	// Want returns what the slices must hold when all is quiet. If nil, it is what Kubernetes
	// publishes for the Service and its Pods, each endpoint in a slice with all its ports. It is
	// called only for a Service that has a selector and is no ExternalName.
	Want func(State) []Want
	// Without lists features that the writer does not support. Histories that need them are not
	// tried.
	Without []string
	// Also lists features and guarantees that are used only on request.
	Also []string
	// Known maps causes that you accept, as a failing test prints them, to reasons. If a known
	// cause no longer occurs, the test fails until the cause is removed from Known.
	Known map[string]string
	// Histories is the number of histories. Zero means all events alone, all pairs of them, and
	// some hundred random histories.
	Histories int
}

var flags = kit.NewFlags("slicertest")

var theKit = kit.Kit{
	Name: "slicertest",
	Guarantees: []kit.Guarantee{
		{Name: "accepted", Sentence: "the API server accepts every write"},
		{Name: "no-collision", Sentence: "a write from an up-to-date view gets no AlreadyExists, Conflict or NotFound",
			Follows: []string{"accepted"}},
		{Name: "within-max", Sentence: "no slice grows above the maximum"},
		{Name: "complete", Sentence: "when all is quiet, the slices hold exactly the wanted endpoints, with ports, " +
			"readiness and hostname",
			Follows: []string{"accepted", "converges", "reports", kit.Returns}},
		{Name: "nothing-false", Sentence: "when all is quiet, everything that the slices say about an endpoint is true",
			Follows: []string{"converges"}},
		{Name: "detailed", Sentence: "when all is quiet, the slices have each detail that Options.Also " +
			"names, such as Zone; see KIT.md"},
		{Name: "once", Sentence: "when all is quiet, each endpoint is in one slice only"},
		{Name: "tidy", Sentence: "when all is quiet, at most one slice of a family and list of ports has no endpoints",
			Follows: []string{"converges"}},
		{Name: "no-gap", Sentence: "a wanted endpoint that is published on its ports stays so after every single " +
			"write"},
		{Name: "no-port-gap", Sentence: "an endpoint whose ports change is published on the old or new ones after " +
			"every single write", Follows: []string{"no-gap"}},
		{Name: "foreign-kept", Sentence: "slices of other managers, Services and namespaces are not changed"},
		{Name: "metadata-kept", Sentence: "annotations, finalizers and owners that others put on a slice stay"},
		{Name: "labels", Sentence: "after any history, the slices have the labels that the same writer would give on " +
			"an empty API server"},
		{Name: "same-as-fresh", Sentence: "after any history, the slices say what the same writer would write on an " +
			"empty API server",
			Follows: []string{"complete", "once", "nothing-false", "detailed", "foreign-kept"}},
		{Name: "fixed-point", Sentence: "a sync that finds nothing to do sends no write"},
		{Name: "converges", Sentence: "after the last fault, a sync succeeds within a few calls", Explains: true,
			Follows: []string{"accepted", "no-collision", kit.NoPanic}},
		{Name: "reports", Sentence: "a sync whose write failed returns an error"},
		{Name: kit.NoPanic, Sentence: "no sync panics", Explains: true},
		{Name: kit.Returns, Sentence: "a sync returns in time, after all its writes", Explains: true},
		{Name: "pure", Sentence: "a sync does not change the objects that it is given, because informers share them"},
		{Name: "deterministic", Sentence: "the same history, with lists in another order, leads to the same writes",
			OnRequest: true},
		{Name: "fewest-writes", Sentence: "a sync makes at most one write for each slice that must change and " +
			"each new slice that is needed", OnRequest: true},
		{Name: "no-moves", Sentence: "an endpoint stays in its slice", OnRequest: true},
	},
	Features: kit.Features("IPv6 DualStack<IPv6 Spelling<IPv6 NamedPorts SeveralPorts Protocols AppProtocol Headless "+
		"NotReady Terminating PublishNotReady LostNodes ReusedAddresses ServiceLabels Hints OwnHints<Hints Hostnames "+
		"Recreated Gone<Recreated Unmanaged Namespaces Others SlowDeletes<Others Leftovers Oversized<Leftovers Faults "+
		"LateViews Crashes Replicas",
		"Zone NodeName TargetRef HeadlessLabel Owner Withdraws<Unmanaged LateCaches<LateViews CachedReads Apply"),
}

// writer makes an instance of the code under test.
type writer = func(http.RoundTripper) func(context.Context, State) error

// suite has the Options, and the values that are kept from one history to the next.
type suite struct {
	Options
	*kit.Claims
	start writer
	// mine counts the created slices that are the writer's, and others counts all other created
	// slices. stranger has the labels of the last one of the others. sent counts all writes.
	played, mine, others, sent int
	stranger                   map[string]string
}

func newSuite(o Options, f kit.Flags, start writer) (*suite, error) {
	claims, err := theKit.Claims(kit.Options{
		Without: o.Without, Also: o.Also, Known: o.Known, Histories: o.Histories, Flags: f,
	}, kit.Needs(allEvents()...))
	errs := []error{err}
	if start == nil {
		errs = append(errs, field.Required(field.NewPath("start"), "say how a writer is made"))
	}
	if o.MaxEndpointsPerSlice < 0 || o.MaxEndpointsPerSlice > 1000 { // the API server's limit
		errs = append(errs, field.Invalid(field.NewPath("options", "maxEndpointsPerSlice"), o.MaxEndpointsPerSlice,
			"must be 0 to 1000"))
	}
	o.NameLabel = cmp.Or(o.NameLabel, discoveryv1.LabelServiceName)
	k := &suite{Options: o, Claims: claims, start: start}
	if k.Want == nil {
		k.Want = k.want
	}
	return k, errors.Join(errs...)
}

// ours reports whether a slice is the writer's. Only the names of Services under test start with
// web.
func (k *suite) ours(s *discoveryv1.EndpointSlice) bool {
	return strings.HasPrefix(s.Labels[k.NameLabel], serviceName) &&
		(k.ManagedBy == "" || s.Labels[discoveryv1.LabelManagedBy] == k.ManagedBy) &&
		s.Labels[discoveryv1.LabelManagedBy] != otherManager
}

// many returns a number of Pods that need two slices, if the maximum is at most 100.
func (k *suite) many() int {
	if most := k.MaxEndpointsPerSlice; most > 0 && most <= 100 {
		return most + 1
	}
	return 4
}

// Run tests writers with histories. It has a subtest for each guarantee. A subtest fails with the
// shortest history of each cause that is not in Options.Known: its events, and the writes after
// each of them. For example:
//
//	no-gap: a wanted endpoint that is published on its ports stays so after every single write
//	  at first: 1 Pod
//	      create web = ipv4 [http:8080] 10.0.0.2
//	  1. 1 Pod is added
//	      delete web
//	      ! 10.0.0.2 on [http:8080] is wanted, was published, and is in no slice now
//	  cause: "no-gap: … is wanted, was published, and is in no slice now"
//	  broken in 17 of 60 histories; this one alone: -slicertest.replay="pods=1 / add-pod=1"
//
// start returns a new instance of the code under test, whose client sends its requests to server. A
// rest.Config serves client-go and controller-runtime. start is called at the beginning of each
// history, after an instance was killed or has panicked, and when a history runs a second instance.
// Its result reconciles the slices of one Service once, like a worker that takes the Service from
// its queue. It is called again after an error, and after each write that succeeds, because a
// controller gets events of its own slices. A writer that asks for a later call without an error,
// for example with a Result with Requeue, must return an error here. When it returns, all its
// requests must have been answered.
//
// The flag -slicertest.replay of go test plays one history, and -slicertest.seed draws other random
// histories.
func Run(t *testing.T, o Options, start func(server http.RoundTripper) func(context.Context, State) error) {
	t.Helper()
	k, err := newSuite(o, *flags, start)
	if err != nil {
		t.Fatalf("slicertest: %v", err)
	}
	k.Claims.Run(t, k.check)
}

func (k *suite) check() ([]kit.Finding, error) { return k.Claims.Check(k.menu(), k.play) }

// menu returns the events and faults that the writer claims to handle.
func (k *suite) menu() kit.Menu {
	starts := kit.Claimed(k.Claims, begins)
	m := kit.Menu{
		Arm: kit.Claimed(k.Claims, faultEvents), Random: 1000,
		Setup: func(r *rand.Rand, alone bool) (list []kit.Step) {
			for _, name := range starts {
				n := r.IntN(k.many() + 2)
				if name == "pods" && alone {
					n = max(n, 1)
				}
				if name == "pods" || r.IntN(6) == 0 {
					list = append(list, kit.Step{Event: name, N: n})
				}
			}
			return list
		},
	}
	for _, list := range groups {
		m.Groups = append(m.Groups, kit.Claimed(k.Claims, list))
	}
	return m
}
