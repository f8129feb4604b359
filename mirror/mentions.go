package mirror

import (
	"cmp"
	"encoding/binary"
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// mention is one place of the input that lists an address: the address has these ports and is ready for them or not. It
// holds no pointer, so that sorting many is cheap.
type mention struct {
	high, low uint64 // the address as a number; IPv4 as the IPv6 address that maps it
	ports     int32  // in portLists
	at        place
	ready     bool
	canonical bool // the IP is spelt so
}

// place is where in the input something stands: which list of addresses, and where in it. -1 is before the first.
type place struct{ list, index int32 }

func (p place) compare(q place) int {
	return cmp.Or(cmp.Compare(p.list, q.list), cmp.Compare(p.index, q.index))
}

// listing is an address as it will be published in one list of ports: what all of its mentions say, brought together.
type listing struct {
	mention int32 // in mentions.list; the mention whose hostname, node and target are taken
	ports   int32 // a list that is its own only part
	ready   bool
}

// mentions brings together what the input says about each address, so that the result depends on which address serves
// which ports, and not on how the input spells it.
type mentions struct {
	addresses [][]corev1.EndpointAddress // the input, read-only
	list      []mention
	sorting   []mention // scratch memory
	ascending bool      // each address is higher than the one before, so that none is there twice
	apart     bool      // an address of several lists of ports is several addresses, as Kubernetes mirrors it
	ports     portLists
	listings  []listing
	twice     []int32              // mentions in list that say nothing new
	joined    map[string]readiness // what several mentions about one address come to
	lastRun   []int32              // by ports: the last run of mentions with them, by the end of the run
	buf       []byte
}

// readiness are the ports on which an address is ready, and those on which it is not, as lists that are their own only part.
type readiness struct{ ready, notReady []int32 }

var pool = sync.Pool{New: func() any { return &mentions{joined: map[string]readiness{}, ports: newPortLists()} }}

func newMentions(room int) *mentions {
	c := pool.Get().(*mentions)
	c.list, c.listings, c.ascending = slices.Grow(c.list, room), slices.Grow(c.listings, room), true
	return c
}

// release gives the memory back, without a pointer to anything of the caller's.
func (c *mentions) release() {
	clear(c.addresses)
	clear(c.joined)
	clear(c.ports.ids)
	clear(c.lastRun)
	*c = mentions{
		addresses: c.addresses[:0], list: c.list[:0], sorting: c.sorting[:0], ports: portLists{ids: c.ports.ids, buf: c.ports.buf},
		listings: c.listings[:0], twice: c.twice[:0], joined: c.joined, lastRun: c.lastRun[:0], buf: c.buf[:0],
	}
	pool.Put(c)
}

// address is what a mention is about.
func (c *mentions) address(it *mention) *corev1.EndpointAddress {
	return &c.addresses[it.at.list][it.at.index]
}

// ip is the address of a mention in canonical spelling.
func (c *mentions) ip(it *mention) string {
	if it.canonical {
		return c.address(it).IP
	}
	return endpoint.Canonical(c.address(it).IP)
}

func (c *mentions) add(it mention) {
	if n := len(c.list); n > 0 {
		last := &c.list[n-1]
		c.ascending = c.ascending && (it.high > last.high || it.high == last.high && it.low > last.low)
	}
	c.list = append(c.list, it)
}

// gather fills the listings, in the order of addresses.
func (c *mentions) gather() {
	if !c.ascending {
		c.sort()
	}
	for i := 0; i < len(c.list); {
		n := 1
		for !c.ascending && i+n < len(c.list) && c.sameAddress(&c.list[i], &c.list[i+n]) {
			n++
		}
		if parts := c.ports.split(c.list[i].ports); n == 1 && len(parts) == 1 {
			c.listings = append(c.listings, listing{mention: int32(i), ports: parts[0], ready: c.list[i].ready})
		} else {
			c.gatherOne(int32(i), c.list[i:i+n])
		}
		i += n
	}
}

// gatherOne adds the listings of one address. The first of the mentions is the one whose content is taken.
func (c *mentions) gatherOne(first int32, all []mention) {
	c.buf = c.buf[:0]
	c.lastRun = slices.Grow(c.lastRun, len(c.ports.lists))[:len(c.ports.lists)]
	run := first + int32(len(all))
	for i := range all {
		ports := all[i].ports
		if c.lastRun[ports] == run {
			c.twice = append(c.twice, first+int32(i))
			continue
		}
		c.lastRun[ports] = run
		sign := int64(ports)
		if !all[i].ready {
			sign = -1 - sign
		}
		c.buf = binary.AppendVarint(c.buf, sign)
	}
	parts, ok := c.joined[string(c.buf)]
	if !ok {
		parts = c.join(all)
		c.joined[string(c.buf)] = parts
	}
	for _, list := range parts.ready {
		c.listings = append(c.listings, listing{mention: first, ports: list, ready: true})
	}
	for _, list := range parts.notReady {
		c.listings = append(c.listings, listing{mention: first, ports: list})
	}
}

// join sorts all ports that are mentioned for one address into those for which a mention says ready, and the others. No
// ports at all are something to be ready with, too.
func (c *mentions) join(all []mention) readiness {
	ready := map[endpoint.Port]bool{}
	var ports []endpoint.Port
	portless := map[bool]bool{} // mentions without ports, by ready
	for _, it := range all {
		for _, p := range c.ports.lists[it.ports] {
			if _, ok := ready[p]; !ok {
				ports = append(ports, p)
			}
			ready[p] = ready[p] || it.ready
		}
		if len(c.ports.lists[it.ports]) == 0 {
			portless[it.ready] = true
		}
	}
	return readiness{
		ready:    c.lists(ports, ready, true, portless[true]),
		notReady: c.lists(ports, ready, false, portless[false] && !portless[true]),
	}
}

// lists returns the parts of those ports that are as wanted.
func (c *mentions) lists(ports []endpoint.Port, ready map[endpoint.Port]bool, wanted, portless bool) []int32 {
	var some []endpoint.Port
	for _, p := range ports {
		if ready[p] == wanted {
			some = append(some, p)
		}
	}
	var lists []int32
	if portless {
		lists = append(lists, c.ports.number(nil))
	}
	if len(some) > 0 {
		lists = append(lists, c.ports.split(c.ports.number(canonical(some)))...)
	}
	return lists
}

// sameAddress reports whether two mentions are about one address: IP, hostname, and the targetRef's kind, namespace and
// name, as slicer identifies endpoints.
func (c *mentions) sameAddress(a, b *mention) bool {
	return a.high == b.high && a.low == b.low && endpoint.CompareIdentity(c.address(a), c.address(b)) == 0 &&
		(!c.apart || a.ports == b.ports)
}

// compare orders mentions by address; those about one address the ready ones first, then by content, so that the first
// says what is published.
func (c *mentions) compare(a, b *mention) int {
	if a.high != b.high {
		return cmp.Compare(a.high, b.high)
	}
	if a.low != b.low {
		return cmp.Compare(a.low, b.low)
	}
	if d := endpoint.CompareIdentity(c.address(a), c.address(b)); d != 0 {
		return d
	}
	if c.apart && a.ports != b.ports {
		return cmp.Compare(a.ports, b.ports)
	}
	if a.ready != b.ready {
		return map[bool]int{true: -1, false: 1}[a.ready]
	}
	return cmp.Or(endpoint.CompareContent(c.address(a), c.address(b)), cmp.Compare(a.ports, b.ports))
}
