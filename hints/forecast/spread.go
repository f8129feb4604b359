package forecast

import (
	"errors"
	"math"
	"math/big"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Spread returns the shares by which each client zone should divide its traffic among endpoint
// zones, for proxies that take weights, such as locality weights in Envoy's EDS. The keys are
// client zones, then endpoint zones. The shares of a client zone are integers that add up to total.
//
// As much traffic as possible stays in its zone, provided that no zone's endpoints carry more than
// limit percent above the mean. Traffic that a zone cannot take goes to the zones with room, in
// proportion to their room. If limit is math.MaxInt, there is no limit. If limit is 0, the shares
// are the same as in Envoy's zone-aware routing. Envoy uses them only if a cluster has a minimum
// number of endpoints (min_cluster_size). Spread has no such minimum.
//
// from is the traffic of each client zone. to is what each endpoint zone can take, such as the
// number of its ready endpoints. Only the ratios matter. A number that is not positive has the
// effect of 0.
//
// Shares of 0 are left out. Each share differs from the exact one by less than 1. Rounding can
// therefore put a zone above the limit, by at most 1/total of the traffic of each client zone. A
// client zone without traffic has no entry, because nothing is known about it. Configure it to use
// its own zone, or all zones. The result is nil if no zone sends traffic, or if none can take any.
// The time is linear in client zones times endpoint zones.
//
// The error consists of *field.Error values, in these cases: limit is below 0; total is not
// positive.
func Spread(from, to map[string]int64, limit, total int) (map[string]map[string]int, error) {
	if err := validateSpread(limit, total); err != nil {
		return nil, err
	}
	clients, sent := positive(from)
	zones, taken := positive(to)
	if len(clients) == 0 || len(zones) == 0 {
		return nil, nil
	}
	// All numbers below are scaled by the same factor, so that none of them has a fraction.
	traffic := func(zone string) *big.Int { return times(taken, from[zone], 100) }
	takes := func(zone string) *big.Int {
		return times(sent, to[zone], 100+int64(min(limit, math.MaxInt-100)))
	}
	room, all := make([]*big.Int, len(zones)), new(big.Int)
	for i, zone := range zones {
		room[i] = rest(takes(zone), traffic(zone))
		all.Add(all, room[i])
	}
	if all.Sign() == 0 { // no zone has room, so no zone needs any either; avoid a division by zero
		all.SetInt64(1)
	}
	shares := map[string]map[string]int{}
	for _, client := range clients {
		leaves, parts := rest(traffic(client), takes(client)), make([]*big.Int, len(zones))
		for i, zone := range zones {
			if parts[i] = new(big.Int).Mul(leaves, room[i]); zone == client {
				parts[i].Mul(all, rest(traffic(client), leaves))
			}
		}
		shares[client] = apportion(zones, parts, total)
	}
	return shares, nil
}

func validateSpread(limit, total int) error {
	var errs []error
	if limit < 0 {
		errs = append(errs, field.Invalid(field.NewPath("limit"), limit,
			"must be a percentage of 0 or more: 0 keeps every zone at the mean"))
	}
	if total <= 0 {
		errs = append(errs, field.Invalid(field.NewPath("total"), total,
			"must be positive: give what the shares of a zone add up to, such as 100"))
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
