package deduptest

import (
	"errors"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/test/kit"
)

// Options say what a reader supports. The zero value is for a reader that shows ready endpoints and
// handles every event of an informer. Features and guarantees have the names in the package
// comment. An unknown name is an error.
type Options struct {
	// ShowsAll is true for a reader that shows all endpoints, whatever their state. If false, it
	// shows the ready ones. If a service port has no ready endpoint, it may also show draining
	// ones.
	ShowsAll bool
	// Without lists what the reader does not support: features, which the histories then do not
	// use, and the guarantee named "order".
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
		{Name: "all", Sentence: "an endpoint that a slice holds is seen"},
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
	Features: []kit.Feature{
		{Name: "FQDN"}, {Name: "IPv6"}, {Name: "Spelling", Needs: "IPv6"}, {Name: "UDP"}, {Name: "AnyPort"},
		{Name: "SeveralNumbers"},
		{Name: "Relabelling"}, {Name: "DoubledDeletes"}, {Name: "LostDeletes"}, {Name: "OlderVersions"},
		{Name: "NodeHints"}, {Name: "UnnamedPort", OnRequest: true},
	},
}

const randomHistories = 500

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
	}, func(name string) ([]string, bool) {
		if k := kindOf(name); k != nil {
			return k.needs, true
		}
		return nil, false
	})
	if start == nil {
		err = errors.Join(err, field.Required(field.NewPath("start"), "say how a reader is made"))
	} else if err == nil {
		err = incomplete(start)
	}
	return &suite{Options: o, Claims: claims, start: start}, err
}

// incomplete returns an error if the Reader does not have a function that it needs. If start
// panics, it returns nil, and the first history reports the panic as a Finding.
func incomplete(start func() Reader) error {
	defer func() { _ = recover() }()
	r := start()
	var errs []error
	if r.Event == nil {
		errs = append(errs, field.Required(field.NewPath("reader", "event"), "say what the reader does with an event"))
	}
	if r.See == nil {
		errs = append(errs, field.Required(field.NewPath("reader", "see"), "say what the reader sees"))
	}
	return errors.Join(errs...)
}

// mustShow reports whether an endpoint in this state has to be shown.
func (k *suite) mustShow(state string) bool { return k.ShowsAll || state == isReady }

// mayVary reports whether the reader may show or hide these claims because of other endpoints.
func (k *suite) mayVary(claims []claim) bool {
	return slices.ContainsFunc(claims, func(c claim) bool { return c.optional || !k.ShowsAll && c.state == isDraining })
}
