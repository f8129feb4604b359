package hinting

// Allocation is what Proportional, and SameZone with a limit, counted to decide over all slices.
// The Decision of any other mode has the zero value.
type Allocation struct {
	// Ready is the number of ready endpoints in all slices.
	Ready int
	// Zoneless is the number of ready endpoints without a zone. If it is not 0, the hints of
	// Proportional are off. In SameZone with a limit, endpoints with a zone that cannot be a hint
	// count as well. All of these endpoints serve the zones that need endpoints most.
	Zoneless int
	// Threshold is the percentage for which the minimums of Zones are computed:
	//
	//   - In Proportional, if hints are on, it is the first of Aim, Start and Stop that can be met.
	//     Stop is tried only if hints were on before. While Held is true, Threshold is Stop.
	//   - In Proportional, if hints are off, it is the threshold that could not be met: Stop if
	//     hints were on before, else Start.
	//   - In SameZone with a limit it is the limit.
	Threshold int
	// Held says that the hints of clean slices were good enough, so that no slice was rewritten for
	// its hints, although an allocation from scratch might be better. In SameZone with a limit, it
	// says that nothing changed, and that no endpoint is more than 10 percentage points above the
	// limit.
	Held bool
	// Zones has a row for each zone with a weight, sorted by name. In SameZone with a limit, it is
	// nil if Reason is TooManyZones or NoWeights.
	Zones []Zone
}

// Zone is one row of an Allocation.
type Zone struct {
	// Name is the name of the zone.
	Name string
	// Weight is the weight of the zone in the Weights, in their unit. The unit of NodeWeights is a
	// thousandth of a CPU.
	Weight int64
	// Minimum is the number of ready endpoints that the zone needs at the Allocation's threshold:
	// the smallest x with 100*weight*ready <= (100+threshold)*x*total, where total is the sum of
	// all weights.
	Minimum int
	// Local is the number of ready endpoints in the zone.
	Local int
	// Hinted is the number of ready endpoints with a hint for the zone. It is 0 if hints are off.
	Hinted int
	// Overload is how far the traffic of an endpoint with a hint for the zone is expected to be
	// above its fair share. In SameZone with a limit, it is the overload of the busiest such
	// endpoint. It is negative if the endpoint gets less. It is 0 for a fair share, and if hints
	// are off.
	Overload Overload
}

// Overload is the difference between a load and the fair share, in hundredths of a percent, rounded
// up: 3334 for a third more, 0 for a fair share.
type Overload int64
