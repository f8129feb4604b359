package deduptest

import (
	"errors"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Options say what a reader does not claim. The zero value is a reader that shows ready endpoints and meets all that an
// informer can tell it.
type Options struct {
	// Shows says which endpoints the reader shows.
	Shows Shows
	// Without lists what histories leave out, because the reader does not claim it.
	Without []Feature
	// Also lists guarantees that are judged on request only.
	Also []Guarantee
	// Known are guarantees that are known to fail, each with the reason. They do not fail the test until they hold.
	Known map[Guarantee]string
	// Histories is the number of random histories that follow all pairs of changes. 0 means 500; a negative number means none.
	Histories int
	// Seed chooses the random histories. A failure tells the seed that repeats it.
	Seed uint64
}

const defaultHistories = 500

// Shows says which endpoints a reader shows. The zero value is ShowsReady.
type Shows uint8

const (
	// ShowsReady: ready endpoints. Where a service port has none, draining ones may be shown, and need not be.
	ShowsReady Shows = iota
	// ShowsAll: all endpoints, whatever their state.
	ShowsAll
)

// Feature is something that histories can leave out.
type Feature string

const (
	// FQDN: slices of host names, which the API gives no meaning. What is seen of them is not judged.
	FQDN Feature = "fqdn"
	// IPv6: slices of IPv6 addresses.
	IPv6 Feature = "ipv6"
	// Spelling: one IPv6 address in two spellings.
	Spelling Feature = "spelling"
	// UDP: a port of another protocol with the name of a TCP port.
	UDP Feature = "udp"
	// AnyPort: ports without a number. Nothing has to be seen of them; a reader may show them with number 0.
	AnyPort Feature = "any-port"
	// Relabelling: a slice that goes from one Service to another, or to none.
	Relabelling Feature = "relabelling"
	// DoubledDeletes: the deletion of a slice that is gone already.
	DoubledDeletes Feature = "doubled-deletes"
	// LostDeletes: tombstones, and slices that were deleted and made anew unnoticed.
	LostDeletes Feature = "lost-deletes"
	// OlderVersions: a slice in an older version than the one known, as a relist from an API server that lags behind tells it.
	OlderVersions Feature = "older-versions"
	// SeveralNumbers: a port whose number is not the same in all slices of a Service, for good or while it changes.
	SeveralNumbers Feature = "several-numbers"
)

var features = []Feature{
	FQDN, IPv6, Spelling, UDP, AnyPort, Relabelling, DoubledDeletes, LostDeletes, OlderVersions, SeveralNumbers,
}

// mistakes joins a *field.Error for each value that this version does not know.
func (o *Options) mistakes() error {
	var errs []error
	path := field.NewPath("options")
	if o.Shows > ShowsAll {
		errs = append(errs, field.NotSupported(path.Child("shows"), o.Shows, []string{"ShowsReady", "ShowsAll"}))
	}
	for i, f := range o.Without {
		if !slices.Contains(features, f) {
			errs = append(errs, field.NotSupported(path.Child("without").Index(i), f, features))
		}
	}
	var names []Guarantee
	for _, g := range guarantees {
		names = append(names, g.name)
	}
	for i, g := range o.Also {
		if !slices.Contains(names, g) {
			errs = append(errs, field.NotSupported(path.Child("also").Index(i), g, names))
		}
	}
	for _, g := range slices.Sorted(maps.Keys(o.Known)) {
		if !slices.Contains(o.judged(), g) {
			errs = append(errs, field.NotSupported(path.Child("known").Key(string(g)), g, o.judged()))
		}
	}
	return errors.Join(errs...)
}
