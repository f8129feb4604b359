package hints

// Same reports whether two decisions about one address type say the same to people: their Mode, On and Reason are equal,
// whatever their numbers and names are. A decision that is not the same as the last one is worth an event. For the first
// decision, compare with the zero Decision, which stands for no hints.
func (d Decision) Same(other Decision) bool {
	return d.Mode == other.Mode && d.On == other.On && d.Reason == other.Reason
}

// Transitions returns the decisions of next that are worth an event after prev, the decisions of the last plan: those that
// are not the Same as the decision of prev about their address type, or as the zero Decision where prev has none. The
// order is that of next; nil when there are none. The list is the caller's, and its decisions share the memory of next.
func Transitions(prev, next []Decision) []Decision {
	var news []Decision
	for _, now := range next {
		var before Decision
		for _, d := range prev {
			if d.AddressType == now.AddressType {
				before = d
			}
		}
		if !now.Same(before) {
			news = append(news, now)
		}
	}
	return news
}
