package routing

import (
	"errors"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/dedup"
)

// Source is a place that sends traffic.
type Source struct {
	// Location is where it is.
	Location Location
	// Weight is how much it sends, in any unit.
	Weight int64
}

// Load is the traffic that endpoints would get.
type Load struct {
	// Endpoints has the load of each endpoint. 1 is the mean of the ready endpoints. If none is
	// ready, 1 is the mean of the endpoints that serve while they terminate, or else of the
	// endpoints that Policy.LastResort uses.
	Endpoints []float64
	// CrossZone is the share of traffic that leaves its zone, from 0 to 1. If a source or an
	// endpoint has no zone, the traffic between them counts.
	CrossZone float64
	// Dropped are sources that no endpoint serves.
	Dropped []Source
}

// Forecast returns the load of endpoints if each source divides its traffic evenly among the
// endpoints that Route chooses. To see the outage of a zone, leave out its endpoints and sources.
//
// It is an error if a weight is negative, and if endpoints have several address types without
// Policy.AnyFamily. The time is proportional to the number of endpoints times the number of Nodes,
// zones and regions. Those count that a source names and also an endpoint or its hints.
func Forecast(endpoints []dedup.Endpoint, from []Source, p Policy) (Load, error) {
	if err := validate(endpoints, from, &p); err != nil {
		return Load{}, err
	}
	load := Load{Endpoints: make([]float64, len(endpoints))}
	var choices []choice
	chosen := map[Location]int{} // an index in choices
	known := placesOf(endpoints)
	sent, crossed := 0.0, 0.0
	for _, s := range from {
		at := known.reduce(s.Location)
		index, ok := chosen[at]
		if !ok {
			index = len(choices)
			chosen[at] = index
			choices = append(choices, choose(endpoints, at, &p))
		}
		c := &choices[index]
		if len(c.used) == 0 {
			load.Dropped = append(load.Dropped, s)
		} else {
			sent += float64(s.Weight)
			crossed += float64(s.Weight) * float64(len(c.used)-c.inZone[s.Location.Zone]) / float64(len(c.used))
			c.weight += float64(s.Weight)
		}
	}
	if sent == 0 {
		return load, nil
	}
	load.CrossZone = crossed / sent
	fair := float64(shared(endpoints, p))
	for _, c := range choices { // in the order of sources, because sums of floats depend on it
		for _, i := range c.used {
			load.Endpoints[i] += c.weight / float64(len(c.used)) * fair / sent
		}
	}
	return load, nil
}

func validate(endpoints []dedup.Endpoint, from []Source, p *Policy) error {
	var errs []error
	for i, s := range from {
		if s.Weight < 0 {
			errs = append(errs, field.Invalid(field.NewPath("from").Index(i).Child("weight"), s.Weight,
				"must not be negative: leave out a source that sends nothing"))
		}
	}
	r := reading{one: p.AnyFamily}
	for i := range endpoints {
		if r.family(&endpoints[i]) != r.family(&endpoints[0]) {
			errs = append(errs, field.Invalid(field.NewPath("endpoints").Index(i), endpoints[i].String(),
				"must have the address type of the first endpoint: "+
					"call Forecast for each address type, or set Policy.AnyFamily"))
			break
		}
	}
	return errors.Join(errs...)
}

// choice is what sources at one place use.
type choice struct {
	used   []int          // indexes of endpoints
	inZone map[string]int // by zone: the number of used endpoints in it
	weight float64        // of all sources at the place
}

func choose(endpoints []dedup.Endpoint, at Location, p *Policy) choice {
	r := read(endpoints, at, p)
	c, used := choice{inZone: map[string]int{}}, r.used()
	for i := range endpoints {
		if r.roles[i]&used[r.family(&endpoints[i])] == 0 {
			continue
		}
		c.used = append(c.used, i)
		if z := endpoints[i].Zone; z != "" {
			c.inZone[z]++
		}
	}
	return c
}

// shared returns the number of endpoints over which the mean is taken: those that a reader uses
// whose place is not known.
func shared(endpoints []dedup.Endpoint, p Policy) int {
	p.Local = false
	c := choose(endpoints, Location{}, &p)
	return len(c.used)
}

// knownPlaces are the places that endpoints and their hints name. All other places are alike for a
// source, so that a choice is made only once for them.
type knownPlaces map[Place]map[string]bool

func placesOf(endpoints []dedup.Endpoint) knownPlaces {
	k := knownPlaces{Node: {}, Zone: {}, Region: {}}
	for i := range endpoints {
		e := &endpoints[i]
		k[Node][e.NodeName] = true
		k[Zone][e.Zone] = true
		k[Region][e.Region] = true
		if e.Hints == nil {
			continue
		}
		for _, h := range e.Hints.ForNodes {
			k[Node][h.Name] = true
		}
		for _, h := range e.Hints.ForZones {
			k[Zone][h.Name] = true
		}
	}
	return k
}

// unknownPlace is the name of a place that no endpoint names. It is not empty, because an endpoint
// of a reader's node whose zone is stated is not in the reader's zone, if that is stated as well.
// No label or name of Kubernetes has this value.
const unknownPlace = "\x00"

func (k knownPlaces) reduce(at Location) Location {
	reduce := func(place Place, name string) string {
		if name != "" && !k[place][name] {
			return unknownPlace
		}
		return name
	}
	return Location{NodeName: reduce(Node, at.NodeName), Zone: reduce(Zone, at.Zone), Region: reduce(Region, at.Region)}
}
