package manifest

import (
	"flag"
	"fmt"
	"strconv"
	"strings"
)

// Limits bound what reading costs, so that a small file cannot take all memory or time.
type Limits struct {
	// Depth is how many lists and mappings may stand inside each other, Lists of Lists included.
	Depth int
	// Object is the most bytes that one object may have as JSON, once YAML aliases are expanded. A YAML document that
	// cannot be read object by object counts as one object: one in flow style, or with aliases from one object to another.
	Object Bytes
	// Total is the most bytes that all files may have together.
	Total Bytes
}

// DefaultLimits are far above what an API server stores and answers: it refuses objects above 3 MB.
var DefaultLimits = Limits{Depth: 100, Object: 4 << 20, Total: 4 << 30}

// Flags lets a command's user change the limits.
func (l *Limits) Flags(flags *flag.FlagSet) {
	*l = DefaultLimits
	flags.IntVar(&l.Depth, "limit-depth", l.Depth, "`number` of lists and mappings inside each other, at most")
	flags.TextVar(&l.Object, "limit-object", l.Object, "`size` of an object at most, with YAML aliases expanded")
	flags.TextVar(&l.Total, "limit-total", l.Total, "`size` of all files together at most")
}

// withDefaults fills in what is zero.
func (l Limits) withDefaults() Limits {
	if l.Depth == 0 {
		l.Depth = DefaultLimits.Depth
	}
	if l.Object == 0 {
		l.Object = DefaultLimits.Object
	}
	if l.Total == 0 {
		l.Total = DefaultLimits.Total
	}
	return l
}

// The limits' errors say which it was and how to raise it.
func (l Limits) depthError() error {
	return limitError(fmt.Sprintf("more than %d lists and mappings inside each other; -limit-depth allows more", l.Depth))
}

func (l Limits) objectError() error {
	return limitError(fmt.Sprintf("an object of more than %v, with YAML aliases expanded; -limit-object allows more", l.Object))
}

func (l Limits) documentError() error {
	return limitError(fmt.Sprintf("a document of more than %v that cannot be read object by object; -limit-object allows more", l.Object))
}

func (l Limits) aliasError() error {
	return limitError(fmt.Sprintf("YAML aliases that may expand to more than %v; -limit-object allows more", l.Object))
}

func (l Limits) totalError() error {
	return limitError(fmt.Sprintf("more than %v in all files; -limit-total allows more", l.Total))
}

// limitError is a limit that was hit.
type limitError string

func (e limitError) Error() string { return string(e) }

// Bytes is a size such as 4MiB.
type Bytes int64

var units = []struct {
	name string
	size Bytes
}{{"GiB", 1 << 30}, {"GB", 1e9}, {"MiB", 1 << 20}, {"MB", 1e6}, {"KiB", 1 << 10}, {"kB", 1e3}, {"B", 1}}

// String gives the largest unit that leaves no rest.
func (b Bytes) String() string {
	for _, u := range units {
		if b%u.size == 0 && b != 0 {
			return fmt.Sprintf("%d%s", b/u.size, u.name)
		}
	}
	return fmt.Sprintf("%dB", int64(b))
}

// MarshalText gives what String gives.
func (b Bytes) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// UnmarshalText takes a number with a unit, or without one for bytes.
func (b *Bytes) UnmarshalText(text []byte) error {
	number, size := string(text), Bytes(1)
	for _, u := range units {
		if rest, ok := strings.CutSuffix(number, u.name); ok {
			number, size = rest, u.size
			break
		}
	}
	n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
	if err != nil || n < 1 || n > 1<<50/int64(size) {
		return fmt.Errorf("want a size such as 4MiB")
	}
	*b = Bytes(n) * size
	return nil
}
