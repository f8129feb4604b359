package routing

import (
	"errors"
	"math"
	"math/big"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// ZoneWeights returns how the clients of each zone should divide their traffic among the zones of
// endpoints, for weights of localities in Envoy's EDS. The weights of each zone add up to total.
// clients is the traffic that each zone sends, and endpoints the number of endpoints that it has.
// No zone carries more than limit percent above the mean of all endpoints, apart from rounding; 0
// means no limit.
//
// As much traffic as possible stays in its zone. Traffic that a zone cannot take goes to the zones
// with room, in proportion to their room; without a limit, in proportion to their endpoints. A
// number that is not positive counts as 0. Weights of 0 are left out. A client zone without traffic
// has no entry. The result is nil if no zone sends traffic, or if none has endpoints.
//
// It is an error if limit is negative, or total is not positive.
func ZoneWeights(clients, endpoints map[string]int64, limit, total int) (map[string]map[string]int, error) {
	if err := validateWeights(limit, total); err != nil {
		return nil, err
	}
	from, sent := positive(clients)
	zones, taken := positive(endpoints)
	if len(from) == 0 || len(zones) == 0 {
		return nil, nil
	}
	// All numbers below are scaled by the same factor, so that none of them has a fraction.
	traffic := func(zone string) *big.Int { return times(taken, clients[zone], 100) }
	takes := func(zone string) *big.Int {
		return times(sent, endpoints[zone], 100+int64(min(limit, math.MaxInt-100)))
	}
	if limit == 0 { // each zone with endpoints takes all of the traffic
		all := times(taken, 100, 1)
		all.Mul(all, sent)
		takes = func(zone string) *big.Int { return times(all, endpoints[zone], 1) }
	}
	room, all := make([]*big.Int, len(zones)), new(big.Int)
	for i, zone := range zones {
		room[i] = rest(takes(zone), traffic(zone))
		if limit == 0 {
			room[i] = big.NewInt(endpoints[zone])
		}
		all.Add(all, room[i])
	}
	if all.Sign() == 0 { // no zone has room, so no zone needs any either; avoid a division by zero
		all.SetInt64(1)
	}
	weights := map[string]map[string]int{}
	for _, client := range from {
		leaves, parts := rest(traffic(client), takes(client)), make([]*big.Int, len(zones))
		for i, zone := range zones {
			if parts[i] = new(big.Int).Mul(leaves, room[i]); zone == client {
				parts[i].Mul(all, rest(traffic(client), leaves))
			}
		}
		weights[client] = apportion(zones, parts, total)
	}
	return weights, nil
}

func validateWeights(limit, total int) error {
	var errs []error
	if limit < 0 {
		errs = append(errs, field.Invalid(field.NewPath("limit"), limit,
			"must be a percentage of 0 or more: 0 means no limit"))
	}
	if total <= 0 {
		errs = append(errs, field.Invalid(field.NewPath("total"), total,
			"must be positive: give what the weights of a zone add up to, such as 100"))
	}
	return errors.Join(errs...)
}

// apportion divides total in proportion to parts, in integers. Each share is rounded down first.
// The rest of total goes to the zones with the largest remainders, one for each.
func apportion(zones []string, parts []*big.Int, total int) map[string]int {
	shares := map[string]int{}
	order := make([]int, len(zones))
	all := new(big.Int)
	for _, part := range parts {
		all.Add(all, part)
	}
	left := total
	for i, zone := range zones {
		order[i] = i
		down, _ := new(big.Int).QuoRem(times(parts[i], int64(total), 1), all, parts[i])
		if n := int(down.Int64()); n > 0 {
			shares[zone], left = n, left-n
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return parts[b].Cmp(parts[a]) })
	for _, i := range order[:left] {
		shares[zones[i]]++
	}
	return shares
}

// times multiplies a by two numbers. A negative number counts as 0.
func times(a *big.Int, b, c int64) *big.Int {
	product := new(big.Int).Mul(big.NewInt(max(b, 0)), big.NewInt(max(c, 0)))
	return product.Mul(product, a)
}

// rest returns a - b, or 0 if that is negative.
func rest(a, b *big.Int) *big.Int {
	if a.Cmp(b) < 0 {
		return new(big.Int)
	}
	return new(big.Int).Sub(a, b)
}

// positive returns the zones with a positive number, sorted, and the sum of these numbers.
func positive(by map[string]int64) (zones []string, sum *big.Int) {
	sum = new(big.Int)
	for zone, n := range by {
		if n > 0 {
			zones = append(zones, zone)
			sum.Add(sum, big.NewInt(n))
		}
	}
	slices.Sort(zones)
	return zones, sum
}
