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
	traffic := func(zone string) *big.Rat { return new(big.Rat).SetFrac(positive(from[zone]), sent) }
	room := func(zone string) *big.Rat {
		part := new(big.Rat).SetFrac(positive(to[zone]), taken)
		return part.Mul(part, big.NewRat(100+int64(max(limit, 0)), 100))
	}
	zones, free, all := sortedZones(to), map[string]*big.Rat{}, new(big.Rat)
	for _, zone := range zones {
		if free[zone] = room(zone); free[zone].Cmp(traffic(zone)) < 0 {
			free[zone] = traffic(zone)
		}
		free[zone].Sub(free[zone], traffic(zone))
		all.Add(all, free[zone])
	}
	shares := map[string]map[string]int{}
	for _, client := range sortedZones(from) {
		whole, leaves, exact := traffic(client), new(big.Rat), make([]*big.Rat, len(zones))
		if leaves.Sub(whole, room(client)); leaves.Sign() < 0 {
			leaves.SetInt64(0)
		}
		for i, zone := range zones {
			exact[i] = new(big.Rat)
			if zone == client {
				exact[i].Sub(whole, leaves)
			} else if leaves.Sign() > 0 {
				exact[i].Mul(leaves, exact[i].Quo(free[zone], all))
			}
			exact[i].Mul(exact[i].Quo(exact[i], whole), new(big.Rat).SetInt64(int64(total)))
		}
		shares[client] = apportion(zones, exact, total)
	}
	return shares
}

// apportion rounds exact shares to integers that sum to total: down, and up where the remainder is largest.
func apportion(zones []string, exact []*big.Rat, total int) map[string]int {
	shares, order := map[string]int{}, make([]int, len(zones))
	for i, zone := range zones {
		down := new(big.Int).Quo(exact[i].Num(), exact[i].Denom())
		exact[i].Sub(exact[i], new(big.Rat).SetInt(down))
		if order[i] = i; down.Sign() > 0 {
			shares[zone] = int(down.Int64())
		}
		total -= int(down.Int64())
	}
	slices.SortStableFunc(order, func(a, b int) int { return exact[b].Cmp(exact[a]) })
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
