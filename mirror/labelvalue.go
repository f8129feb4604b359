package mirror

import (
	"maps"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/slicer"
)

// LabelValue returns a label value that stands for a text, such as the name of an object. A text of
// at most 63 characters is returned unchanged. A longer text gets a short form of exactly 63
// characters: its first 38 characters, an underscore, and 120 bits of its SHA-256 hash. There is
// one exception: a text that already looks like a short form is shortened as well, so that it does
// not equal the short form of another text. Therefore do not apply LabelValue twice: it changes a
// short form.
//
// Different texts have different label values, unless 120 bits of their hashes are equal. That does
// not happen by chance, and finding two such texts on purpose takes about 2^60 tries. No DNS name
// has an underscore, so a name of at most 63 characters is always its own label value.
//
// Equal texts have equal label values, in this and in later versions. LabelValue does not check for
// characters that a label value may not have.
func LabelValue(text string) string { return accept.LabelValue(text) }

// If the name of a set cannot be the value of the default key's label, shortenKey sets the key of
// the set.
func shortenKey(set *slicer.Set) {
	if value := LabelValue(set.Name); len(set.Key) == 0 && value != set.Name {
		set.Key = map[string]string{discoveryv1.LabelServiceName: value}
	}
}

// shortenLabels returns a copy of the labels with LabelValue of each value.
func shortenLabels(labels map[string]string) map[string]string {
	labels = maps.Clone(labels)
	for k, v := range labels {
		labels[k] = LabelValue(v)
	}
	return labels
}
