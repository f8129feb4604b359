package forecast

import (
	"errors"
	"math"
	"math/big"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Spread says for proxies with weights, such as the localities of EDS, where each zone should send its traffic: of each client zone
// the share for each endpoint zone, in integers that sum to total. As much traffic as possible stays in its zone while no zone's
// endpoints carry more than limit percent above the mean; what a zone cannot take goes to the zones with room, in proportion to
// their room. A limit of math.MaxInt is none. With limit 0 this is what Envoy computes for zone-aware
// routing, without its least number of hosts.
//
// from is the traffic of each client zone, and to what each endpoint zone can take, such as the number of its ready endpoints: only
// ratios count, and what is not positive is nothing. Shares of 0 are left out, and every share is less than one away from exact, so
// that a zone may be above the limit by one of total from each client zone. A client zone without traffic has no entry: nothing is
// known about it, so let it use its own zone, or all. The result is nil if no zone sends or none can take. It takes time linear in
// client zones times endpoint zones. The error is made of *field.Error values: a limit below 0, or a total that
// is not positive.
func Spread(from, to map[string]int64, limit, total int) (map[string]map[string]int, error) {
	if err := validateSpread(limit, total); err != nil {
		return nil, err
	}
	clients, sent := positive(from)
	zones, taken := positive(to)
	if len(clients) == 0 || len(zones) == 0 {
		return nil, nil
	}
	// Below all is in parts that leave no fractions.
	traffic := func(zone string) *big.Int { return times(taken, from[zone], 100) }
	takes := func(zone string) *big.Int {
		return times(sent, to[zone], 100+int64(min(limit, math.MaxInt-100)))
	}
	room, all := make([]*big.Int, len(zones)), new(big.Int)
	for i, zone := range zones {
		room[i] = rest(takes(zone), traffic(zone))
		all.Add(all, room[i])
	}
	if all.Sign() == 0 { // and nobody needs it
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
		errs = append(errs, field.Invalid(field.NewPath("limit"), limit, "must be a percentage of 0 or more: 0 keeps every zone at the mean"))
	}
	if total <= 0 {
		errs = append(errs, field.Invalid(field.NewPath("total"), total, "must be positive: give what the shares of a zone add up to, such as 100"))
	}
	return errors.Join(errs...)
}

// apportion divides total in proportion to parts, in integers: rounded down, and up where the remainder is largest.
func apportion(zones []string, parts []*big.Int, total int) map[string]int {
	shares, order, all := map[string]int{}, make([]int, len(zones)), new(big.Int)
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

// times multiplies by two numbers; one that is negative counts as 0.
func times(a *big.Int, b, c int64) *big.Int {
	product := new(big.Int).Mul(big.NewInt(max(b, 0)), big.NewInt(max(c, 0)))
	return product.Mul(product, a)
}

// rest is a without b, at least 0.
func rest(a, b *big.Int) *big.Int {
	if a.Cmp(b) < 0 {
		return new(big.Int)
	}
	return new(big.Int).Sub(a, b)
}

// positive lists the zones with something in order, and adds up what they have.
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
