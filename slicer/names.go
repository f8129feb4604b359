package slicer

import (
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strconv"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Stable names: prefix, hash of the set, address type, ordinal, as in web-x7k2q-ipv4 and web-x7k2q-ipv4-2. Every plan on
// the same existing slices gives the same names, so that the second of two plans made from one stale cache fails with
// AlreadyExists instead of publishing endpoints twice. The hash keeps the names of two managers, or of two sets of one
// Service, apart even where Existing was listed by label and shows only one's own.

const (
	maxName         = 253 // characters, https://kubernetes.io/docs/concepts/overview/working-with-objects/names
	hashLength      = 5
	maxOrdinal      = 7 // characters that an ordinal and its dash may take
	maxPrefixLength = maxName - hashLength - len("-fqdn") - maxOrdinal
)

// namePrefix is what new names begin with. A prefix that leaves no room for what follows is cut and ends in its own hash.
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

// refusePrefix returns why no name can begin with the set's prefix. It matters only where something is created.
func refusePrefix(s *Set) error {
	prefix := namePrefix(s)
	msgs := apivalidation.NameIsDNSSubdomain(prefix, true)
	if len(msgs) == 0 { // so far "_-" passes, of which no name can be made
		msgs = apivalidation.NameIsDNSSubdomain(prefix+"x", false)
	}
	var f faults
	f.messages(field.NewPath("set", "namePrefix"), prefix, msgs)
	return f.err()
}

// setHash returns hashLength characters that depend on the labels that tell the set's slices from all others. Vowels are
// left out, so that no hash is a word.
func setHash(key map[string]string) string {
	const alphabet = "0123456789bcdfghjklmnpqrstvwxz"
	sum := fnv.New64a()
	for _, k := range slices.Sorted(maps.Keys(key)) {
		fmt.Fprintf(sum, "%s=%s,", k, key[k]) // no label has = or , in it
	}
	rest := sum.Sum64()
	text := make([]byte, hashLength)
	for i := range text {
		text[i] = alphabet[rest%uint64(len(alphabet))]
		rest /= uint64(len(alphabet))
	}
	return string(text)
}

// namer gives the lowest stable names that no existing slice of any manager has, dying ones included.
type namer struct {
	prefix string
	taken  map[string]bool
	next   [len(addressTypes)]int
}

func newNamer(prefix string, key map[string]string, existing []*discoveryv1.EndpointSlice) *namer {
	n := &namer{prefix: prefix + setHash(key) + "-", taken: make(map[string]bool, len(existing))}
	for _, s := range existing {
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
