package mirror

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/slicewright/slicewright/slicer"
)

// LabelValue returns a text itself if it fits into the value of a label, 63 characters. A longer one, such as the name
// of an object that a copy remembers, is cut and ends in a hash of the whole, so that different texts stay different and
// the same one is always shortened to the same value. Characters that a label value may not have are not looked at.
func LabelValue(text string) string {
	if len(text) <= validation.LabelValueMaxLength {
		return text
	}
	sum := sha256.Sum256([]byte(text))
	tail := "-" + hex.EncodeToString(sum[:5])
	return strings.TrimRight(text[:validation.LabelValueMaxLength-len(tail)], "-._") + tail
}

// shortenKey gives a set whose name is too long for a label a key that is not.
func shortenKey(set *slicer.Set) {
	if len(set.Key) == 0 && len(set.Name) > validation.LabelValueMaxLength {
		set.Key = map[string]string{discoveryv1.LabelServiceName: LabelValue(set.Name)}
	}
}

// shortenLabels returns the labels themselves, or a copy in which every value fits.
func shortenLabels(labels map[string]string) map[string]string {
	out, cloned := labels, false
	for k, v := range labels {
		if len(v) <= validation.LabelValueMaxLength {
			continue
		}
		if !cloned {
			out, cloned = maps.Clone(labels), true
		}
		out[k] = LabelValue(v)
	}
	return out
}
