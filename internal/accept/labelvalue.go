package accept

import (
	"crypto/sha256"
	"encoding/base32"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// A short form is the beginning of a text, an underscore and a hash of the whole text. It is as
// long as the value of a label may be:
//
//	orders-db.very-very-very-very-very-ver_75i2pypwnnhzaevne74tyrgz
//	|------------- shortStart -------------|------- HashLen -----|
const (
	HashLen    = 24 // characters of 5 bits
	shortStart = validation.LabelValueMaxLength - 1 - HashLen
	shortMark  = '_' // names of Kubernetes objects contain no underscore
	alphabet   = "abcdefghijklmnopqrstuvwxyz234567"
)

var encoding = base32.NewEncoding(alphabet)

// LabelValue returns the label value that stands for a text, by the rules of mirror.LabelValue.
func LabelValue(text string) string {
	if len(text) <= validation.LabelValueMaxLength && !looksShort(text) {
		return text
	}
	return text[:shortStart] + string(shortMark) + Hash(text)
}

// looksShort reports whether a text of at most 63 characters looks like a short form. Whether the
// hash in it is right makes no difference.
func looksShort(text string) bool {
	return len(text) == validation.LabelValueMaxLength &&
		text[shortStart] == shortMark && LooksHashed(text[shortStart+1:])
}

// Hash returns 120 bits of the SHA-256 hash of a text, as HashLen characters that any name may
// contain.
func Hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return encoding.EncodeToString(sum[:HashLen*5/8])
}

// LooksHashed reports whether a text looks like what Hash returns.
func LooksHashed(s string) bool {
	return len(s) == HashLen && strings.Trim(s, alphabet) == ""
}
