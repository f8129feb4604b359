package mirror

import (
	"fmt"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/slicewright/slicewright/internal/accept"
)

// CopyName returns a name for the copy of a slice. It is for [CopySlice], with one copy for each
// source. suffix distinguishes sources with the same name, for example by the id of their cluster.
// If from is nil, its name and namespace are taken as empty.
//
// The name consists of the source's name, its namespace and the suffix, as in web-x7k2q.shop.east.
// It is a valid name of at most 253 characters. If the three parts are too long or are not valid
// names, it ends in 120 bits of their hash. Two sources never get the same name, except with the
// probability that [LabelValue] describes.
//
// Equal arguments give equal names, in this and in later versions.
func CopyName(from *discoveryv1.EndpointSlice, suffix string) string {
	var name, namespace string
	if from != nil {
		name, namespace = from.Name, from.Namespace
	}
	// A DNS label has no dot. So if namespace and suffix are DNS labels, the last two dots separate
	// the three parts.
	isName := len(apivalidation.NameIsDNSSubdomain(name, false)) == 0
	plain := name + "." + namespace + "." + suffix
	if isName && isLabel(namespace) && isLabel(suffix) && len(plain) <= validation.DNS1123SubdomainMaxLength &&
		!accept.LooksHashed(suffix) {
		return plain
	}
	hash := accept.Hash(fmt.Sprintf("%q %q %q", name, namespace, suffix))
	if !isName {
		return hash
	}
	start := name[:min(len(name), validation.DNS1123SubdomainMaxLength-1-accept.HashLen)]
	return strings.TrimRight(start, "-.") + "." + hash
}

// isLabel reports whether a text is a DNS label.
func isLabel(s string) bool { return len(validation.IsDNS1123Label(s)) == 0 }
