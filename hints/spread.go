package hints

import (
	"math/big"
	"slices"
)

// Spread says for proxies with weights, such as the localities of EDS, where each zone should send its traffic: of each client zone
// the share for each endpoint zone, in integers that sum to total. As much traffic as possible stays in its zone while no zone's
// endpoints carry more than limit percent above the mean; what a zone cannot take goes to the zones with room, in proportion to
// their room. With limit 0 this is what Envoy computes for zone-aware routing, without its least number of hosts.
//
// from is the traffic of each client zone, and to what each endpoint zone can take, such as the number of its ready endpoints: only
// ratios count, and what is not positive is nothing. Shares of 0 are left out, and every share is less than one away from exact, so
// that a zone may be above the limit by one of total from each client zone. A client zone without traffic has no entry: nothing is known about
// it, so let it use its own zone, or all. The result is nil where nobody sends, nobody can take, or total is not positive. It takes
// time linear in client zones times endpoint zones.
func Spread(from, to map[string]int64, limit, total int) map[string]map[string]int {
	sent, taken := sum(from), sum(to)
	if sent.Sign() == 0 || taken.Sign() == 0 || total <= 0 {
		return nil
	}
	// All traffic is in parts of 100 times what all endpoints can take, so that it is in integers.
	traffic := func(zone string) *big.Int {
		return new(big.Int).Mul(positive(from[zone]), new(big.Int).Mul(taken, big.NewInt(100)))
	}
	room := func(zone string) *big.Int {
		return new(big.Int).Mul(positive(to[zone]), new(big.Int).Mul(sent, big.NewInt(100+int64(max(limit, 0)))))
	}
	zones, free, all := sortedZones(to), map[string]*big.Int{}, new(big.Int)
	for _, zone := range zones {
		if free[zone] = new(big.Int).Sub(room(zone), traffic(zone)); free[zone].Sign() < 0 {
			free[zone].SetInt64(0)
		}
		all.Add(all, free[zone])
	}
	shares := map[string]map[string]int{}
	for _, client := range sortedZones(from) {
		whole, stays := traffic(client), room(client)
		if stays.Cmp(whole) > 0 {
			stays.Set(whole)
		}
		// The share of zone y is stays/whole at home, and (whole-stays)/whole * free/all elsewhere.
		exact, divisor := make([]*big.Int, len(zones)), new(big.Int).Set(whole)
		leaves := new(big.Int).Sub(whole, stays)
		if leaves.Sign() > 0 {
			divisor.Mul(divisor, all)
		}
		for i, zone := range zones {
			exact[i] = new(big.Int)
			switch {
			case leaves.Sign() > 0 && zone == client:
				exact[i].Mul(stays, all)
			case leaves.Sign() > 0:
				exact[i].Mul(leaves, free[zone])
			case zone == client:
				exact[i].Set(stays)
			}
			exact[i].Mul(exact[i], big.NewInt(int64(total)))
		}
		shares[client] = apportion(zones, exact, divisor, total)
	}
	return shares
}

// apportion rounds exact shares, each divided by the divisor, to integers that sum to total: down, and up where the remainder is
// largest.
func apportion(zones []string, exact []*big.Int, divisor *big.Int, total int) map[string]int {
	shares, remainders, order := map[string]int{}, make([]*big.Int, len(zones)), make([]int, len(zones))
	for i, zone := range zones {
		down, rest := new(big.Int).QuoRem(exact[i], divisor, new(big.Int))
		if order[i], remainders[i] = i, rest; down.Sign() > 0 {
			shares[zone] = int(down.Int64())
		}
		total -= int(down.Int64())
	}
	slices.SortStableFunc(order, func(a, b int) int { return remainders[b].Cmp(remainders[a]) })
	for _, i := range order[:total] {
		shares[zones[i]]++
	}
	return shares
}

func positive(n int64) *big.Int { return big.NewInt(max(n, 0)) }

func sum(by map[string]int64) *big.Int {
	total := new(big.Int)
	for _, n := range by {
		total.Add(total, positive(n))
	}
	return total
}

// sortedZones are those with something.
func sortedZones(by map[string]int64) (zones []string) {
	for zone, n := range by {
		if n > 0 {
			zones = append(zones, zone)
		}
	}
	slices.Sort(zones)
	return zones
}
