package kit

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Guarantee is something that the code under test must keep.
type Guarantee struct {
	Name, Sentence string
	OnRequest      bool // judged only where Options.Also asks for it
	Waivable       bool // not judged where Options.Without lists it
	Explains       bool // a breach may be the reason why the code under test does nothing at all
	// Follows are guarantees whose breach, earlier in the same history, explains one of this
	// guarantee, which is not reported then.
	Follows []string
}

// Feature is something that not all code under test claims to do.
type Feature struct {
	Name      string
	OnRequest bool   // claimed only where Options.Also asks for it
	Needs     string // another feature, without which this one is out as well; empty: none
}

// Features reads two lists of names, of which the second has those on request. A name may be
// followed by < and the feature that it needs.
func Features(usual, onRequest string) (list []Feature) {
	for i, names := range []string{usual, onRequest} {
		for _, text := range strings.Fields(names) {
			name, needs, _ := strings.Cut(text, "<")
			list = append(list, Feature{Name: name, Needs: needs, OnRequest: i == 1})
		}
	}
	return list
}

// Kit is one of the two.
type Kit struct {
	Name       string
	Guarantees []Guarantee
	Features   []Feature
}

// Options are the options that both kits have. The kits document them.
type Options struct {
	Without, Also []string
	Known         map[string]string
	Histories     int
	Flags
}

// Flags are the flags of go test for a kit: the seed of random histories, and the only history to
// play.
type Flags struct {
	Seed   uint64
	Replay string
}

// NewFlags registers the flags of a kit. A package calls it when it is initialized.
func NewFlags(kit string) *Flags {
	f := &Flags{}
	flag.Uint64Var(&f.Seed, kit+".seed", 0, "the `seed` of random histories of package "+kit)
	flag.StringVar(&f.Replay, kit+".replay", "", "the only `history` that package "+kit+" plays")
	return f
}

// Claims are valid Options, as a run reads them.
type Claims struct {
	Kit
	Options
	judged []Guarantee
	off    map[string]bool // features
	replay *History        // the one to repeat; nil: none

	announced bool // the file of the trace is named
}

// Names are those of all guarantees and features.
func (k Kit) Names() (names []string) {
	for _, g := range k.Guarantees {
		names = append(names, g.Name)
	}
	for _, f := range k.Features {
		names = append(names, f.Name)
	}
	return names
}

// Claims joins a *field.Error for each mistake in the options.
//
// needs returns the features that an event needs, and false for an unknown one.
func (k Kit) Claims(o Options, needs func(event string) ([]string, bool)) (*Claims, error) {
	c := &Claims{Kit: k, Options: o, off: map[string]bool{}}
	var errs []error
	path := field.NewPath("options")
	allow := func(option string, names, supported []string) {
		for i, name := range names {
			if !slices.Contains(supported, name) {
				errs = append(errs, field.NotSupported(path.Child(option).Index(i), name, supported))
			}
		}
	}
	var features, onRequest []string
	for _, f := range k.Features {
		if features = append(features, f.Name); f.OnRequest {
			onRequest = append(onRequest, f.Name)
		}
	}
	for _, g := range k.Guarantees {
		if (!g.OnRequest || slices.Contains(o.Also, g.Name)) && !(g.Waivable && slices.Contains(o.Without, g.Name)) {
			c.judged = append(c.judged, g)
		}
		if g.Waivable {
			features = append(features, g.Name)
		}
		if g.OnRequest {
			onRequest = append(onRequest, g.Name)
		}
	}
	allow("without", o.Without, features)
	allow("also", o.Also, onRequest)
	for _, f := range k.Features {
		c.off[f.Name] = slices.Contains(o.Without, f.Name) || f.OnRequest && !slices.Contains(o.Also, f.Name) ||
			c.off[f.Needs]
	}
	errs = append(errs, c.mistakesInKnown(path.Child("known"))...)
	if o.Histories < 0 {
		errs = append(errs, field.Invalid(path.Child("histories"), o.Histories, "must be 0 or more"))
	}
	if o.Replay != "" {
		errs = append(errs, c.readReplay(needs))
	}
	return c, errors.Join(errs...)
}

func (c *Claims) mistakesInKnown(path *field.Path) (errs []error) {
	for _, cause := range slices.Sorted(maps.Keys(c.Known)) {
		if name, _, found := strings.Cut(cause, ": "); !found || !c.Judges(name) {
			errs = append(errs, field.Invalid(path.Key(cause), cause,
				fmt.Sprintf("must begin with a guarantee that is judged, and have the cause that its history shows: %q",
					c.names())))
		}
	}
	return errs
}

// readReplay reads the history of the flag. All tests of all packages that go test runs get the
// same flag.
func (c *Claims) readReplay(needs func(event string) ([]string, bool)) error {
	h, err := Parse(c.Replay)
	if err != nil {
		return fmt.Errorf("-%s.replay: %w", c.Kit.Name, err)
	}
	for _, s := range slices.Concat(h.Setup, h.Steps) {
		if features, known := needs(s.Event); !known || !c.Can(features...) {
			return fmt.Errorf("-%s.replay: this test has no event %q: run only the test that has printed the "+
				"history, as in go test -run '^TestName$' ./its/package", c.Kit.Name, s.Event)
		}
	}
	c.replay = &h
	return nil
}

func (c *Claims) names() []string {
	var names []string
	for _, g := range c.judged {
		names = append(names, g.Name)
	}
	return names
}

// Judges reports whether a guarantee is judged.
func (c *Claims) Judges(name string) bool { return slices.Contains(c.names(), name) }

// Can reports whether all of the features are claimed.
func (c *Claims) Can(features ...string) bool {
	return !slices.ContainsFunc(features, func(f string) bool { return c.off[f] })
}

func (c *Claims) guarantee(name string) Guarantee {
	return c.Guarantees[c.rank(name)]
}

func (c *Claims) rank(name string) int {
	return slices.IndexFunc(c.Guarantees, func(g Guarantee) bool { return g.Name == name })
}
