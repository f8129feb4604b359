package deduptest

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/test/kit"
)

// Options say what a reader supports. The zero value is for a reader that shows ready endpoints and
// handles every event of an informer. An unknown name is an error. Without can leave out the
// guarantee "order", and these features:
//
//	FQDN           slices of host names. What is seen of them is not judged
//	IPv6           slices of IPv6 addresses
//	Spelling       one IPv6 address in two spellings
//	UDP            a port of another protocol with the name of a TCP port
//	AnyPort        ports without a number, which need not be seen, or are seen with number 0
//	SeveralNumbers a port whose number is not the same in all slices of a Service
//	Relabelling    a slice that goes from one Service to another, or to none
//	DoubledDeletes the deletion of a slice that is gone already
//	LostDeletes    tombstones, and slices that were deleted and created again without events
//	OlderVersions  an older version of a known slice, as in a relist from an API server that lags
//	NodeHints      hints for nodes
//	UnnamedPort    on request (Options.Also): a port without a name beside one that has a name
type Options struct {
	// ShowsAll is true for a reader that shows all endpoints, whatever their state. If false, it
	// shows the ready ones. If a service port has no ready endpoint, it may also show draining
	// ones.
	ShowsAll bool
	// Without lists what the reader does not support: features, which the histories then do not
	// use, and the guarantee named "order". Then it is not judged which copy is seen.
	Without []string
	// Also lists features and guarantees that are used only on request.
	Also []string
	// Known maps causes that you accept, as a failing test prints them, to reasons. If a known
	// cause no longer occurs, the test fails until the cause is removed from Known.
	Known map[string]string
	// Histories is the number of histories. Zero means all changes alone, all pairs of them, and
	// some hundred random histories.
	Histories int
}

var flags = kit.NewFlags("deduptest")

var theKit = kit.Kit{
	Name: "deduptest",
	Guarantees: []kit.Guarantee{
		{Name: "all", Sentence: "an endpoint that its slices show ready is seen"},
		{Name: "only", Sentence: "what is seen is held by a slice, in that state"},
		{Name: "once", Sentence: "an address and port number is seen once behind a service port"},
		{Name: "steady", Sentence: "what is seen of a place stays the same until a slice that holds it changes"},
		{Name: kit.NoPanic, Sentence: "nothing panics", Explains: true},
		{Name: kit.Returns, Sentence: "all calls return in time", Explains: true},
		{Name: "pure", Sentence: "the slices of events stay as they are"},
		{Name: "hints", Sentence: "hints are obeyed for a service port as a whole, for each address family alone"},
		{Name: "order", Sentence: "where slices disagree, the newest copy of one target counts, then the most useful " +
			"copy", Waivable: true, Follows: []string{"all", kit.NoPanic}},
		{Name: "same-list", Sentence: "the same slices give the same list, in the same order", OnRequest: true},
	},
	Features: kit.Features("FQDN IPv6 Spelling<IPv6 UDP AnyPort SeveralNumbers Relabelling DoubledDeletes LostDeletes "+
		"OlderVersions NodeHints", "UnnamedPort"),
}

// suite has the Options, validated, and the function that starts a reader.
type suite struct {
	Options
	*kit.Claims
	start func() Reader
	shown bool // whether a reader has shown an endpoint in any history
}

func newSuite(o Options, f kit.Flags, start func() Reader) (*suite, error) {
	claims, err := theKit.Claims(kit.Options{
		Without: o.Without, Also: o.Also, Known: o.Known, Histories: o.Histories, Flags: f,
	}, kit.Needs(append(groups, beginKinds)...))
	if start == nil {
		err = errors.Join(err, field.Required(field.NewPath("start"), "say how a reader is made"))
	} else if err == nil {
		err = incomplete(start)
	}
	return &suite{Options: o, Claims: claims, start: start}, err
}

// incomplete returns an error if the Reader does not have a function that it needs. If start
// panics, it returns nil, and the first history reports the panic.
func incomplete(start func() Reader) error {
	defer func() { _ = recover() }()
	if r := start(); r.Event == nil || r.See == nil {
		return field.Required(field.NewPath("reader"), "say in Event and See what the reader does")
	}
	return nil
}

// mustShow reports whether an endpoint in this state has to be shown.
func (k *suite) mustShow(state string) bool { return k.ShowsAll || state == isReady }

// mayVary reports whether the reader may show or hide these claims because of other endpoints.
func (k *suite) mayVary(claims []claim) bool {
	return slices.ContainsFunc(claims, func(c claim) bool { return c.optional || !k.ShowsAll && c.state == isDraining })
}

// Run tests readers with histories. It has a subtest for each guarantee. start returns a new reader
// for each history. A subtest fails with the shortest history of each cause that is not in
// Options.Known, for example:
//
//	all: an endpoint that its slices show ready is seen
//	  1. slice web-a is created
//	      added shop/web-a of web ipv4 rv=1 | http:8080 | 10.0.0.1{pod=pod-1,uid=1} 10.0.0.2{pod=pod-2,uid=2}
//	  2. 10.0.0.1 moves from slice web-a to web-b, copied first
//	      added shop/web-b of web ipv4 rv=2 | http:8080 | 10.0.0.1{pod=pod-1,uid=1}
//	      updated shop/web-a of web ipv4 rv=3 | http:8080 | 10.0.0.2{pod=pod-2,uid=2}
//	      ! not seen: shop/web:http/TCP 10.0.0.1:8080
//	  seen: shop/web:http/TCP 10.0.0.2:8080 ready
//	  cause: "all: not seen: …"
//	  broken in 35 of 400 histories; this one alone: -deduptest.replay="web-a / move-copied-first"
func Run(t *testing.T, o Options, start func() Reader) {
	t.Helper()
	k, err := newSuite(o, *flags, start)
	if err != nil {
		t.Fatalf("deduptest: %v", err)
	}
	k.Claims.Run(t, k.check)
}

// check plays the histories. If the reader shows nothing in any of them, the function See of the
// caller is wrong, and check returns an error.
func (k *suite) check() ([]kit.Finding, error) {
	found, err := k.Claims.Check(k.menu(), k.play)
	silent := !k.shown && slices.ContainsFunc(found, func(f kit.Finding) bool {
		return f.Guarantee == "all" && f.Failed == f.Histories
	})
	if err == nil && silent && !slices.ContainsFunc(found,
		func(f kit.Finding) bool { return f.Guarantee == kit.NoPanic || f.Guarantee == kit.Returns }) {
		return nil, field.Required(field.NewPath("reader", "see"),
			"returned nothing in any history: return what the reader shows after an event")
	}
	return found, err
}

// menu returns the changes from which the histories for the reader are made. All histories begin
// with the same slices. Each change is played alone in each of its ways. The changes of a pair are
// about the same slice and address if possible.
func (k *suite) menu() kit.Menu {
	begins := k.begins()
	m := kit.Menu{
		Setup: func(*rand.Rand, bool) []kit.Step { return begins }, Ways: k.ways, Alike: true, Random: 150,
	}
	for _, list := range groups {
		m.Groups = append(m.Groups, kit.Claimed(k.Claims, list))
	}
	return m
}

// ways returns the number of ways in which a kind of change can happen at the beginning of a
// history, which is at most 36.
func (k *suite) ways(name string) int {
	w, all := cluster{slices: map[sliceName]*record{}}, 1
	for _, s := range k.begins() {
		kindOf(s.Event).do(&w, chosen(0))
	}
	kindOf(name).do(&w, func(of int) int {
		all *= of
		return 0
	})
	return min(all, 36)
}

func (k *suite) begins() (steps []kit.Step) {
	for _, name := range kit.Claimed(k.Claims, beginKinds) {
		steps = append(steps, kit.Step{Event: name})
	}
	return steps
}

// live plays a history to an informer. It returns the texts of the steps, and the moments.
func live(h kit.History) (texts []string, moments []moment) {
	w := cluster{slices: map[sliceName]*record{}}
	for i, s := range slices.Concat(h.Setup, h.Steps) {
		w.step = i
		texts = append(texts, kindOf(s.Event).do(&w, chosen(s.N)))
	}
	return texts, w.moments
}

// chosen returns a function that makes choices. n determines all of them.
func chosen(n int) choose {
	return func(of int) int {
		choice := n % of
		n /= of
		return choice
	}
}
