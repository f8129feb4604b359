package meta

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// A stable name has a prefix, a hash of the set, an address type and, from the second slice on, an
// ordinal, as in web-x7k2qbn4-ipv4 and web-x7k2qbn4-ipv4-2. Plans from the same existing slices
// give the same names. So if two plans are made from one late cache, the creates of the second one
// fail with AlreadyExists, and no endpoint is published twice. Because of the hash, two managers,
// or two sets of one Service, use different names, even if each of them lists only its own slices
// by label.

const (
	hashLength      = 8
	maxOrdinal      = 7   // characters that an ordinal and its dash may take
	maxPrefixLength = 233 // 253 characters, less the hash, "-fqdn" and the ordinal
)

// Prefix returns the start of the names of slices: the given name and a dash. A prefix that leaves
// no room for the rest of a name is cut, and a hash of the whole prefix is put at its end.
func Prefix(name string) string {
	prefix := name + "-"
	if len(prefix) <= maxPrefixLength {
		return prefix
	}
	sum := fnv.New32a()
	sum.Write([]byte(prefix))
	tail := fmt.Sprintf("-%08x-", sum.Sum32())
	return strings.TrimRight(prefix[:maxPrefixLength-len(tail)], "-.") + tail
}

// setHash returns a hash of the labels that distinguish the set's slices from all others. It has
// hashLength characters. There are 656 billion hashes, so two sets with the same prefix practically
// never get the same hash. If they do, the API server refuses the second create of a name. The
// alphabet has no vowels, so that no hash is a word.
func setHash(key []Label) string {
	const alphabet = "0123456789bcdfghjklmnpqrstvwxz"
	sum := fnv.New64a()
	byName := func(a, b Label) int { return strings.Compare(a.Name, b.Name) }
	for _, l := range slices.SortedFunc(slices.Values(key), byName) {
		fmt.Fprintf(sum, "%s=%s,", l.Name, l.Value) // labels contain neither = nor ,
	}
	rest := sum.Sum64()
	text := make([]byte, hashLength)
	for i := range text {
		text[i] = alphabet[rest%uint64(len(alphabet))]
		rest /= uint64(len(alphabet))
	}
	return string(text)
}

// Namer returns a function that returns the next name of a new slice of an address type. This is
// the stable name with the lowest number that no existing slice has and no earlier call has
// returned. The names of slices of other managers, and of slices that are being deleted, are taken
// as well. key are the labels that distinguish the set's slices from all others.
func Namer(prefix string, key []Label, existing []*discoveryv1.EndpointSlice) func(discoveryv1.AddressType) string {
	prefix += setHash(key) + "-"
	taken, ordinals := map[string]bool{}, map[discoveryv1.AddressType]int{}
	for _, s := range existing {
		if strings.HasPrefix(s.Name, prefix) {
			taken[s.Name] = true
		}
	}
	return func(t discoveryv1.AddressType) string {
		for {
			ordinals[t]++
			name := prefix + strings.ToLower(string(t))
			if ordinals[t] > 1 {
				name += "-" + strconv.Itoa(ordinals[t])
			}
			if !taken[name] {
				return name
			}
		}
	}
}
