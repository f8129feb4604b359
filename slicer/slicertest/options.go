package slicertest

import (
	"cmp"
	"errors"
	"flag"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/test/kit"
)

// Options say what a writer claims to do. The zero value claims everything except a maximum.
// Guarantees have the names in the package comment, and features those in KIT.md. An unknown name
// is an error.
type Options struct {
	// ManagedBy is the value of the label endpointslice.kubernetes.io/managed-by on the writer's
	// slices. If empty, the writer does not set the label, and a slice is the writer's if it has
	// the label kubernetes.io/service-name.
	ManagedBy string
	// Max is the largest number of endpoints that the writer puts into one slice. Configure the
	// writer with 3, because small slices find more bugs faster. If zero, the maximum is not
	// judged, and no Service has more than a few Pods.
	Max int
	// Want returns what the slices must hold when all is quiet. If nil, it is what Kubernetes
	// publishes for the Service and its Pods.
	Want func(State) []Want
	// Without lists features that the writer does not support. Histories that need them are not
	// tried.
	Without []string
	// Also lists features and guarantees that are used only on request.
	Also []string
	// Known maps known causes, as in Finding.Cause, to reasons. They do not fail the test. If a
	// known cause no longer occurs, the test fails until the cause is removed from Known.
	Known map[string]string
	// Histories is the number of histories. Zero means all events alone, all pairs of them, and
	// 1200 random histories.
	Histories int
	// Seed is the seed of random histories. The same seed gives the same histories.
	Seed uint64
	// Replay is the only history to run, as in Finding.Replay. If empty, it is the flag
	// -slicertest.replay of the test.
	Replay string
}

var replayFlag = flag.String("slicertest.replay", "", "the only `history` that package slicertest runs")

var theKit = kit.Kit{
	Name: "slicertest",
	Guarantees: []kit.Guarantee{
		{Name: "accepted", Sentence: "the API server accepts every write"},
		{Name: "no-collision", Sentence: "a write from an up-to-date view gets no AlreadyExists, Conflict or NotFound",
			Follows: []string{"accepted"}},
		{Name: "within-max", Sentence: "no slice grows above the maximum"},
		{Name: "complete", Sentence: "when all is quiet, the slices hold exactly the wanted endpoints, with ports, " +
			"readiness and hostname",
			Follows: []string{"accepted", "converges", kit.Returns}},
		{Name: "nothing-false", Sentence: "when all is quiet, everything that the slices say about an endpoint is true",
			Follows: []string{"converges"}},
		{Name: "detailed", Sentence: "when all is quiet, the slices have each detail that Options.Also " +
			"names, such as Zone; see KIT.md"},
		{Name: "once", Sentence: "when all is quiet, each endpoint is in one slice only"},
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
		{Name: "converges", Sentence: "after the last fault, a sync succeeds within a few calls",
			Follows: []string{"accepted", "no-collision", kit.NoPanic}},
		{Name: "reports", Sentence: "a sync whose write failed returns an error"},
		{Name: kit.NoPanic, Sentence: "no sync panics"},
		{Name: kit.Returns, Sentence: "a sync returns in time, after all its writes"},
		{Name: "pure", Sentence: "a sync does not change the objects that it is given, because informers share them"},
		{Name: "deterministic", Sentence: "the same history, with lists in another order, leads to the same writes",
			OnRequest: true},
		{Name: "fewest-writes", Sentence: "a sync makes at most one write for each slice that must change and " +
			"each new slice that is needed", OnRequest: true},
		{Name: "no-moves", Sentence: "an endpoint stays in its slice", OnRequest: true},
	},
	Features: []kit.Feature{
		{Name: "IPv6"}, {Name: "DualStack", Needs: "IPv6"}, {Name: "Spelling", Needs: "IPv6"}, {Name: "NamedPorts"},
		{Name: "SeveralPorts"},
		{Name: "Protocols"}, {Name: "AppProtocol"}, {Name: "Headless"}, {Name: "NotReady"}, {Name: "Terminating"},
		{Name: "PublishNotReady"},
		{Name: "LostNodes"}, {Name: "ReusedAddresses"}, {Name: "ServiceLabels"}, {Name: "Hints"},
		{Name: "OwnHints", Needs: "Hints"}, {Name: "Hostnames"}, {Name: "Recreated"}, {Name: "Namespaces"},
		{Name: "Others"}, {Name: "SlowDeletes", Needs: "Others"}, {Name: "Leftovers"},
		{Name: "Oversized", Needs: "Leftovers"}, {Name: "Faults"}, {Name: "LateViews"}, {Name: "Crashes"},
		{Name: "Replicas"},
		{Name: "Zone", OnRequest: true}, {Name: "NodeName", OnRequest: true}, {Name: "TargetRef", OnRequest: true},
		{Name: "HeadlessLabel", OnRequest: true}, {Name: "Owner", OnRequest: true},
		{Name: "LateCaches", OnRequest: true, Needs: "LateViews"}, {Name: "CachedReads", OnRequest: true},
		{Name: "Apply", OnRequest: true},
	},
}

const (
	randomHistories = 1200
	serverMax       = 1000 // the largest number of endpoints that the API server allows in a slice
)

// suite has the Options, and the values that are kept from one history to the next.
type suite struct {
	Options
	*kit.Claims
	start Writer
	// mine counts the created slices that have Options.ManagedBy, and others counts all other
	// created slices. stranger is the manager of the last one of the others. sent counts all
	// writes.
	played, mine, others, sent int
	stranger                   string
}

func newSuite(o Options, start Writer) (*suite, error) {
	o.Replay = cmp.Or(o.Replay, *replayFlag)
	claims, err := theKit.Claims(kit.Options{
		Without: o.Without, Also: o.Also, Known: o.Known, Histories: o.Histories, Seed: o.Seed, Replay: o.Replay,
	}, func(name string) bool { return eventOf(name) != nil })
	errs := []error{err}
	if start == nil {
		errs = append(errs, field.Required(field.NewPath("start"), "say how a writer is made"))
	}
	if o.Max < 0 || o.Max > serverMax {
		errs = append(errs, field.Invalid(field.NewPath("options", "max"), o.Max, "must be 0 to 1000"))
	}
	k := &suite{Options: o, Claims: claims, start: start}
	if k.Want == nil {
		k.Want = k.want
	}
	return k, errors.Join(errs...)
}

// ours reports whether a slice is the writer's. Only the names of Services under test start with
// web.
func (k *suite) ours(s *discoveryv1.EndpointSlice) bool {
	return s.Namespace == namespace && strings.HasPrefix(s.Labels[discoveryv1.LabelServiceName], serviceName) &&
		(k.ManagedBy == "" || s.Labels[discoveryv1.LabelManagedBy] == k.ManagedBy) &&
		s.Labels[discoveryv1.LabelManagedBy] != otherManager
}

// own removes all slices that are not the writer's from a list.
func (k *suite) own(list []*discoveryv1.EndpointSlice) []*discoveryv1.EndpointSlice {
	return slices.DeleteFunc(list, func(s *discoveryv1.EndpointSlice) bool { return !k.ours(s) })
}

// many returns a number of Pods that need two slices, if Max is at most 100.
func (k *suite) many() int {
	if k.Max > 0 && k.Max <= 100 {
		return k.Max + 1
	}
	return 4
}

// Finding is one cause for which a guarantee does not hold, or a cause of Options.Known that did
// not occur.
type Finding struct {
	// Guarantee is the name of the guarantee in the package comment.
	Guarantee string
	// Cause is what the failures have in common, starting with the guarantee. Options.Known lists
	// such texts.
	Cause string
	// Known is the reason in Options.Known for this cause.
	Known string
	// Failed is the number of Histories that showed the cause. It is zero if Options.Known lists a
	// cause that did not occur.
	Failed, Histories int
	// Replay is a short form of History, for Options.Replay.
	Replay string
	// History is the shortest history found, in several lines.
	History string
}

// String returns what a failing test prints.
func (f Finding) String() string { return kit.Finding(f).Text() }

// Check runs writers through histories, and returns a Finding for each cause, in the order of the
// guarantees. If all guarantees hold, the list is nil. The error joins a *field.Error for each
// mistake in the options, or says that the writer under test never wrote a slice of its own.
func Check(o Options, start Writer) ([]Finding, error) {
	k, err := newSuite(o, start)
	if err != nil {
		return nil, err
	}
	var all []Finding
	found, err := k.Claims.Check(k.menu(), k.play)
	for _, f := range found {
		all = append(all, Finding(f))
	}
	return all, err
}

// Run runs Check as a test, with one subtest for each guarantee. A subtest fails with the history
// of each cause that Options.Known does not list.
func Run(t *testing.T, o Options, start Writer) {
	t.Helper()
	k, err := newSuite(o, start)
	if err != nil {
		t.Fatalf("slicertest: %v", err)
	}
	k.Claims.Run(t, func() ([]kit.Finding, error) { return k.Claims.Check(k.menu(), k.play) })
}

// menu returns the events and faults that the writer claims to handle.
func (k *suite) menu() kit.Menu {
	starts := k.claimed(begins)
	return kit.Menu{
		Happen: k.claimed(happenings), Arm: k.claimed(faultEvents), Random: randomHistories,
		Number: func(r *rand.Rand, _ bool) int { return r.IntN(12) },
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
}

// claimed returns the names of the events that the writer claims to handle.
func (k *suite) claimed(events []event) (names []string) {
	for _, e := range events {
		if k.Can(e.needs...) {
			names = append(names, e.name)
		}
	}
	return names
}
