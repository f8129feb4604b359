package slicer

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
)

const (
	maxName         = 253
	maxOrdinal      = 7 // digits and dash that an ordinal may take
	maxPrefixLength = maxName - len("fqdn-") - maxOrdinal
)

// namePrefix is what new names begin with. One that leaves no room for family and ordinal is cut and ends in its hash.
func namePrefix(s *Set) string {
	prefix := s.NamePrefix
	if prefix == "" {
		prefix = s.Name + "-"
	}
	if len(prefix) <= maxPrefixLength {
		return prefix
	}
	sum := fnv.New32a()
	sum.Write([]byte(prefix))
	tail := fmt.Sprintf("-%08x-", sum.Sum32())
	return strings.TrimRight(prefix[:maxPrefixLength-len(tail)], "-.") + tail
}

// namer gives the lowest names that no existing slice of any manager holds, dying ones included.
type namer struct {
	prefix string
	taken  map[string]bool
	next   [len(addressTypes)]int
}

func (p *planner) newNamer() *namer {
	n := &namer{prefix: p.plan.prefix, taken: make(map[string]bool, len(p.in.Existing))}
	for _, s := range p.in.Existing {
		n.taken[s.Name] = true
	}
	return n
}

func (n *namer) name(t int32) string {
	for {
		n.next[t]++
		name := n.prefix + strings.ToLower(string(addressTypes[t]))
		if ordinal := n.next[t]; ordinal > 1 {
			name += "-" + strconv.Itoa(ordinal)
		}
		if !n.taken[name] {
			return name
		}
	}
}
