package slicertest

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/slicewright/slicewright/internal/notation"
)

// telling is what is kept of a history for those who read it.
type telling struct {
	told     bool   // the story is kept
	story    []line // what happened
	recorded bool   // the writes are kept
	writes   []entry
}

// breach is how a guarantee was broken, and after which line of the story.
type breach struct {
	text string
	line int
}

// line is one line of a story. Those that tell of a breach have its guarantee.
type line struct {
	breach Guarantee
	text   string
}

func (r *replay) line(breach Guarantee, text string) {
	if r.telling.told {
		r.telling.story = append(r.telling.story, line{breach, text})
	}
}

// upTo is the story up to the breach of a guarantee, without other breaches. Of lines that repeat themselves there is one.
func (r *replay) upTo(g Guarantee) []string {
	var lines []string
	last, times := "", 0
	for _, l := range r.telling.story[:r.failures[g].line] {
		if l.breach != "" && l.breach != g {
			continue
		}
		if l.text != last {
			lines, last, times = append(lines, l.text), l.text, 1
			continue
		}
		times++
		lines[len(lines)-1] = fmt.Sprintf("%s (%d times)", last, times)
	}
	return lines
}

// entry is a write as two runs are compared by it.
type entry struct {
	what, data string
	sent       *discoveryv1.EndpointSlice
}

func (e entry) same(f entry) bool { return e.what == f.what && e.data == f.data }

// difference shows the first write in which two runs differ: in short, or whole where that is the same.
func difference(one, two []entry) []string {
	for i := range min(len(one), len(two)) {
		a, b := one[i], two[i]
		if a.same(b) {
			continue
		}
		if a.sent != nil && b.sent != nil && sliceText(a.sent) != sliceText(b.sent) {
			a.data, b.data = sliceText(a.sent), sliceText(b.sent)
		}
		return []string{"  once:  " + a.what + " " + a.data, "  again: " + b.what + " " + b.data}
	}
	return []string{fmt.Sprintf("  once %s, again %d", count(len(one), "write"), len(two))}
}

// tell adds a write to the story, and to the journal that two runs are compared by.
func (r *replay) tell(q *request) {
	if r.telling.recorded {
		data, err := json.Marshal(q.sent)
		if err != nil {
			panic(err) // a slice can always be encoded
		}
		r.telling.writes = append(r.telling.writes, entry{q.verb + " " + q.name, string(data), q.sent})
	}
	if !r.telling.told {
		return
	}
	text := "      " + q.verb + " " + q.name
	if q.stored != nil && q.err == nil {
		text = "      " + q.verb + " " + sliceText(q.stored)
	} else if q.sent != nil {
		text = "      " + q.verb + " " + sliceText(q.sent)
	}
	if q.err != nil {
		text += " ! " + errorText(q.err)
	}
	r.line("", text)
}

// sliceText prints a slice: its name, address type and ports, and of each endpoint its addresses and how usable it is.
func sliceText(s *discoveryv1.EndpointSlice) string {
	list := make([]discoveryv1.Endpoint, len(s.Endpoints))
	for i := range s.Endpoints {
		e := plain(&s.Endpoints[i])
		list[i] = discoveryv1.Endpoint{Addresses: s.Endpoints[i].Addresses}
		if !*e.Conditions.Ready {
			list[i].Conditions.Ready = e.Conditions.Ready
		}
		if *e.Conditions.Terminating {
			list[i].Conditions.Terminating = e.Conditions.Terminating
		}
	}
	return fmt.Sprintf("%s = %s [%s] %s", nameOf(s), notation.AddressType(s.AddressType), notation.Ports(s.Ports),
		notation.Endpoints(notation.Sorted(list), s.Namespace))
}

func errorText(err error) string {
	switch {
	case errors.Is(err, errLost), errors.Is(err, errKilled):
		return strings.TrimPrefix(err.Error(), "slicertest: ")
	case apierrors.IsConflict(err):
		return "conflict"
	case apierrors.IsAlreadyExists(err):
		return "already exists"
	case apierrors.IsNotFound(err):
		return "not found"
	}
	return err.Error()
}
