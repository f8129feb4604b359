package hints

import "log/slog"

// LogValue is the decision as attributes for log/slog: mode, whether hints are on, and in Proportional the reason, what it is
// about, and the counts that decided. Rows of zones are not listed: String has them.
func (d Decision) LogValue() slog.Value {
	attrs := []slog.Attr{slog.String("mode", d.Mode.String()), slog.Bool("on", d.On)}
	if d.Reason != 0 {
		attrs = append(attrs, slog.String("reason", d.Reason.String()))
	}
	if len(d.Names) > 0 {
		attrs = append(attrs, slog.Any("names", d.Names))
	}
	if d.Mode == Proportional {
		attrs = append(attrs, slog.Int("ready", d.Ready), slog.Int("threshold", d.Threshold))
	}
	if d.Opened > 0 {
		attrs = append(attrs, slog.Int("opened", d.Opened))
	}
	return slog.GroupValue(attrs...)
}
