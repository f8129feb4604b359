package dedup_test

import (
	"encoding"
	"fmt"
	"testing"

	"github.com/slicewright/slicewright/dedup"
)

type enum[T any] interface {
	*T
	encoding.TextUnmarshaler
}

// roundTrip reads back what each value prints, and refuses the first value without a name and an unknown name.
func roundTrip[T interface {
	~uint8
	fmt.Stringer
	encoding.TextMarshaler
}, P enum[T]](t *testing.T, values int) {
	t.Helper()
	for v := range values {
		text, err := T(v).MarshalText()
		if err != nil || string(text) != T(v).String() {
			t.Errorf("%T %d: %q, %v", T(v), v, text, err)
		}
		var back T
		if err := P(&back).UnmarshalText(text); err != nil || back != T(v) {
			t.Errorf("%T %q: %v, %v", back, text, back, err)
		}
	}
	if _, err := T(values).MarshalText(); err == nil {
		t.Errorf("%T %d has a text", T(values), values)
	}
	var v T
	if err := P(&v).UnmarshalText([]byte("Nonsense")); err == nil {
		t.Errorf("%T takes Nonsense", v)
	}
	if want := fmt.Sprintf("(%d)", values); T(values).String()[len(T(values).String())-len(want):] != want {
		t.Errorf("%v does not show its number", T(values))
	}
}

func TestEnums(t *testing.T) {
	roundTrip[dedup.Addresses, *dedup.Addresses](t, 2)
	roundTrip[dedup.AnyPort, *dedup.AnyPort](t, 2)
	roundTrip[dedup.Freshness, *dedup.Freshness](t, 2)
	roundTrip[dedup.LossReason, *dedup.LossReason](t, 6)
	roundTrip[dedup.ProblemReason, *dedup.ProblemReason](t, 11)
	roundTrip[dedup.PortMatch, *dedup.PortMatch](t, 5)
}
