package slicertest

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// What is judged after each request, and after each sync.

// seen is called after each request.
func (r *replay) seen(q *request) {
	r.lose(q)
	if !q.writes() {
		return
	}
	r.tell(q)
	if errors.Is(q.err, errLimit) {
		r.fail(Converges, "one sync made more than %d requests", limit)
	}
	if refusal(q.err) {
		r.fail(Accepted, "%v", q.err)
	}
	if !q.done() {
		return
	}
	if q.verb == "delete" {
		r.release()
	}
	if q.stored != nil {
		r.judgeSize(q)
		r.judgeMetadata(q)
	}
	r.judgeForeign()
	r.gap.after(r)
}

// judgeSize lets slices stay above the maximum that were there before, and does not let them grow.
func (r *replay) judgeSize(q *request) {
	n, had := len(q.stored.Endpoints), 0
	if q.old != nil {
		had = len(q.old.Endpoints)
	}
	if r.kit.Max > 0 && n > r.kit.Max && n > had {
		r.fail(WithinMax, "%s has %d endpoints, and the maximum is %d", q.stored.Name, n, r.kit.Max)
	}
}

func (r *replay) judgeMetadata(q *request) {
	if what := r.lost(q.stored); what != "" {
		r.fail(MetadataKept, "%s has lost %s that somebody else put on it", q.stored.Name, what)
		delete(r.people.marked, q.stored.UID)
		delete(r.people.annotated, q.stored.UID)
	}
}

func (r *replay) judgeForeign() {
	for _, name := range slices.Sorted(maps.Keys(r.people.kept)) {
		was, is := r.people.kept[name], r.api.server.Get(name)
		if is == nil {
			r.fail(ForeignKept, "slice %s of somebody else is deleted", name)
			delete(r.people.kept, name)
		} else if is.ResourceVersion != was.ResourceVersion {
			r.fail(ForeignKept, "slice %s of somebody else is changed", name)
			r.people.kept[name] = is
		}
	}
}

// judgeReport looks for a write that failed and that nothing made good: no later success with this slice, and no later look
// at it. A delete of what is gone has not failed.
func (r *replay) judgeReport() {
	for i, q := range r.api.journal {
		if !q.writes() || q.err == nil || q.verb == "delete" && apierrors.IsNotFound(q.err) {
			continue
		}
		good := slices.ContainsFunc(r.api.journal[i+1:], func(later *request) bool {
			return later.err == nil && (later.name == q.name || later.verb == "list")
		})
		if !good {
			r.fail(Reports, "the sync returns no error, and %s %s has failed: %v", q.verb, q.name, q.err)
		}
	}
}

// changed names the first object that a sync has changed.
func changed(given, was State) string {
	if !reflect.DeepEqual(given.Service, was.Service) {
		return "the Service"
	}
	for i := range given.Pods {
		if !reflect.DeepEqual(given.Pods[i], was.Pods[i]) {
			return "Pod " + was.Pods[i].Name
		}
	}
	for i := range given.Nodes {
		if !reflect.DeepEqual(given.Nodes[i], was.Nodes[i]) {
			return "Node " + was.Nodes[i].Name
		}
	}
	for i := range given.All {
		if !reflect.DeepEqual(given.All[i], was.All[i]) {
			return "slice " + was.All[i].Name
		}
	}
	return "a deleted slice"
}

// culprit finds in a stack where the panic comes from: the file and line, in its directory.
func culprit(stack []byte) string {
	_, below, _ := strings.Cut(string(stack), "panic(")
	for line := range strings.Lines(below) {
		file, isFile := strings.CutPrefix(line, "\t")
		if !isFile || strings.Contains(file, "/runtime/") {
			continue
		}
		file, _, _ = strings.Cut(strings.TrimSpace(file), " ")
		return path.Join(path.Base(path.Dir(file)), path.Base(file))
	}
	return "an unknown place"
}

// fail notes the first breach of a guarantee.
func (r *replay) fail(g Guarantee, format string, args ...any) {
	if r.unjudged || r.failures[g].text != "" || !r.kit.judges(g) {
		return
	}
	text := fmt.Sprintf(format, args...)
	r.line(g, "      ! "+text)
	r.failures[g] = breach{text, len(r.telling.story)}
}
