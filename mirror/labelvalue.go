package mirror

import (
	"crypto/sha256"
	"encoding/base32"
	"maps"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/slicewright/slicewright/slicer"
)

// A short form is the beginning of a text, an underscore and a hash of the whole text, together as long as a label's value
// may be:
//
//	orders-db.very-very-very-very-very-ver_75i2pypwnnhzaevne74tyrgz
//	|------------- shortStart -------------|------- shortHash -----|
const (
	shortHash  = 24 // characters of 5 bits
	shortStart = validation.LabelValueMaxLength - 1 - shortHash
	shortMark  = '_' // no name of a Kubernetes object has one
)

var shortAlphabet = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567")

// LabelValue returns a label value that stands for a text, such as the name of an object that a copy remembers: the text
// itself if it has at most 63 characters, else a short form of exactly 63 characters. A short form consists of the first
// 38 characters of the text, an underscore, and 120 bits of the text's SHA-256 hash.
//
// Different texts have different label values, unless 120 bits of their hashes are equal: two such texts do not
// occur by chance, and finding two on purpose takes about 2^60 tries. A text that looks like a short form is therefore
// shortened too, so that LabelValue(LabelValue(text)) differs from LabelValue(text) where that is a short form. No DNS name
// has an underscore, so that a name of at most 63 characters is always its own label value.
//
// Equal texts have equal label values, in this and in later versions. LabelValue does not look for characters that a label
// value may not have.
func LabelValue(text string) string {
	if len(text) <= validation.LabelValueMaxLength && !looksShort(text) {
		return text
	}
	sum := sha256.Sum256([]byte(text))
	return text[:shortStart] + string(shortMark) + shortAlphabet.EncodeToString(sum[:shortHash*5/8])
}

// looksShort reports whether a text of at most 63 characters has the form of a short form, whatever its hash.
func looksShort(text string) bool {
	return len(text) == validation.LabelValueMaxLength && text[shortStart] == shortMark && looksHashed(text[shortStart+1:])
}

// shortenKey sets the key of a set whose name cannot be the value of the default key's label.
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
