package slicer

import (
	"fmt"
	"log/slog"
)

// Summary is the plan on one line, without a newline, as the last line of String: "total 3 writes (1 create, 2 updates),
// endpoints +3 -1 ~1", followed by the number of Skips, as in ", 2 skipped". The zero plan is "total 0 writes".
func (p Plan) Summary() string {
	s := p.Stats()
	text := total(s)
	if s.Skipped > 0 {
		text += fmt.Sprintf(", %d skipped", s.Skipped)
	}
	return text
}

// LogValue is the plan as attributes for log/slog: the counts of Stats that are not zero, and a group hints with the
// decision for each address type. Endpoints and slices are not listed: log Steps one by one to have them.
func (p Plan) LogValue() slog.Value {
	s := p.Stats()
	attrs := []slog.Attr{slog.Int("writes", len(p.Steps))}
	for _, c := range [...]struct {
		name  string
		count int
	}{
		{"creates", s.Creates}, {"updates", s.Updates}, {"deletes", s.Deletes},
		{"unchanged", s.Unchanged}, {"ignored", s.Ignored},
		{"added", s.Added}, {"removed", s.Removed}, {"changed", s.Changed},
		{"skipped", s.Skipped},
	} {
		if c.count != 0 {
			attrs = append(attrs, slog.Int(c.name, c.count))
		}
	}
	var decisions []slog.Attr
	for _, d := range p.Hints {
		decisions = append(decisions, slog.Any(string(d.AddressType), d))
	}
	if len(decisions) > 0 {
		attrs = append(attrs, slog.Attr{Key: "hints", Value: slog.GroupValue(decisions...)})
	}
	return slog.GroupValue(attrs...)
}
