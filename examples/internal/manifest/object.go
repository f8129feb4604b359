//lint:file-ignore SA1019 Endpoints are deprecated, and still what a Service without selector has.

package manifest

import (
	"bytes"
	"cmp"
	"fmt"
	"reflect"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	runtimeschema "k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// mostLists is how many lists may be inside each other.
const mostLists = 8

// typeMeta is what an item of a list such as PodList does not repeat.
type typeMeta struct{ apiVersion, kind string }

// envelope is what must be known of a JSON object before its type is.
type envelope struct {
	typeMeta
	namespace, name string
	items           []byte // nil if there are none
	event           string // of a watch: ADDED and so on
	object          []byte // of the event
	extra           string // the first field that no list has
}

// readEnvelope reads as much of an object as any kind has. each is the type of an object that does
// not say it.
func readEnvelope(at place, raw []byte, each typeMeta) (envelope, error) {
	c := check{at: at}
	if raw[0] != '{' {
		return envelope{}, c.mistyped("", raw, "an object with apiVersion and kind, or a list of kind List")
	}
	var e envelope
	seen := map[string]bool{}
	for key, value := range members(raw) {
		into := map[string]*string{"apiVersion": &e.apiVersion, "kind": &e.kind, "type": &e.event}[key]
		switch {
		case seen[key]:
			return e, at.problem(key, givenTwice)
		case into != nil && value[0] == '"':
			*into = text(value)
		case into != nil && key != "type" && string(value) != "null":
			return e, c.mistyped(key, value, "a string")
		case key == "items":
			e.items = value
		case key == "object":
			e.object = value
		case key == "metadata":
			for name, value := range members(value) {
				if into := map[string]*string{"namespace": &e.namespace, "name": &e.name}[name]; into != nil {
					*into = text(value)
				}
			}
		case e.extra == "":
			e.extra = key
		}
		seen[key] = true
	}
	if e.apiVersion == "" && e.kind == "" {
		e.typeMeta = each
	}
	return e, nil
}

// typed refuses an object that does not say its type.
func (e envelope) typed(at place) error {
	const missing = "missing; give each object an apiVersion and a kind"
	switch {
	case strings.Contains(e.kind, "{{"):
		return at.problem("kind", unrendered)
	case strings.Contains(e.apiVersion, "{{"):
		return at.problem("apiVersion", unrendered)
	case e.kind == "":
		return at.problem("kind", missing)
	case e.apiVersion == "":
		return at.problem("apiVersion", missing)
	}
	return nil
}

// list returns what the items of a list are if they do not say it. It reports whether the object is
// a list.
func (e envelope) list() (each typeMeta, ok bool) {
	item, ok := strings.CutSuffix(e.kind, "List")
	if !ok || e.items == nil && item != "" && newObject(typeMeta{e.apiVersion, item}) == nil {
		return typeMeta{}, false
	}
	if item == "" {
		return typeMeta{}, true
	}
	return typeMeta{e.apiVersion, item}, true
}

// object reads one JSON value: an object, a list of them, or an event of a watch.
func (s *stream) object(at place, raw []byte, each typeMeta) error {
	e, err := readEnvelope(at, raw, each)
	if err != nil {
		return err
	}
	if e.kind == "" && e.event != "" && e.object != nil {
		return s.watched(at, e)
	}
	if err := e.typed(at); err != nil {
		return err
	}
	if each, ok := e.list(); ok {
		if err := s.listBegins(at, e); err != nil {
			return err
		}
		at.line += bytes.Count(raw[:offset(raw, e.items)], newline)
		return s.list(at, e.items, each)
	}
	return s.single(at.of(e), raw, e, "")
}

// listBegins checks all of a list but its items.
func (s *stream) listBegins(at place, e envelope) error {
	if err := s.misnamed(at.of(e), e.typeMeta, "List"); err != nil {
		return err
	}
	switch {
	case at.lists >= mostLists:
		return at.problem("", fmt.Sprintf("more than %d lists inside each other; give the innermost alone", mostLists))
	case e.extra != "" && !s.Lenient:
		return at.problem(e.extra, unknownField)
	case e.items == nil:
		return at.problem("items", "missing; a list needs items, even if only []")
	}
	return s.visit(Entry{At: at.String(), List: true})
}

// list reads the items of a list.
func (s *stream) list(at place, all []byte, each typeMeta) error {
	if all[0] != '[' && string(all) != "null" {
		return check{at: at}.mistyped("items", all, "a list")
	}
	i, counted := 0, 0
	for item := range items(all) {
		begin := offset(all, item)
		at.line += bytes.Count(all[counted:begin], newline)
		if err := s.object(at.item(i), item, each); err != nil {
			return err
		}
		i, counted = i+1, begin
	}
	return nil
}

// watched reads an event of a watch.
func (s *stream) watched(at place, e envelope) error {
	if e.event == "BOOKMARK" {
		return nil
	}
	inner, err := readEnvelope(at, e.object, typeMeta{})
	if err != nil {
		return err
	}
	if err := inner.typed(at); err != nil && e.event != "ERROR" {
		return err
	}
	inner.kind = cmp.Or(inner.kind, "Status") // an error need not say it
	return s.single(at.of(inner), e.object, inner, e.event)
}

// single reads an object that is not a list.
func (s *stream) single(at place, raw []byte, e envelope, event string) error {
	if status := (metav1.Status{}); e.kind == "Status" && utiljson.Unmarshal(raw, &status) == nil {
		return at.problem("", fmt.Sprintf("the API server answered with an error, %q; correct it and get the objects "+
			"again",
			cmp.Or(status.Message, status.Status, event)))
	}
	into := newObject(e.typeMeta)
	if into == nil {
		if err := s.misnamed(at, e.typeMeta, ""); err != nil {
			return err
		}
		return s.visit(Entry{At: at.String(), Event: event, Other: e.apiVersion + " " + e.kind})
	}
	checked := check{at: at, lenient: s.Lenient, weight: &s.weight}
	if err := checked.take("", foundBytes); err != nil {
		return err
	}
	if err := checked.value("", raw, reflect.TypeOf(into)); err != nil {
		return err
	}
	if err := utiljson.Unmarshal(raw, into); err != nil {
		return at.problem("", oneLine(err))
	}
	object, err := meta.Accessor(into)
	if err != nil || object.GetName() == "" {
		return at.problem("metadata.name", "missing; give the object as the API server has it")
	}
	if _, cluster := into.(*corev1.Node); !cluster && object.GetNamespace() == "" {
		object.SetNamespace(metav1.NamespaceDefault)
	}
	// two prints of them differ in white space
	object.SetManagedFields(nil)
	into.GetObjectKind().SetGroupVersionKind(runtimeschema.GroupVersionKind{}) // items of a PodList have none
	at.object = ""                                                             // the object says it
	return s.visit(Entry{At: at.String(), Event: event, Object: into})
}

// kinds are the kinds that the commands read.
var kinds = []typeMeta{
	{"v1", "Service"}, {"v1", "Pod"}, {"v1", "Node"}, {"v1", "Endpoints"}, {"discovery.k8s.io/v1", "EndpointSlice"},
}

// newObject returns an empty object of one of the kinds; nil for all others.
func newObject(t typeMeta) runtime.Object {
	switch t {
	case kinds[0]:
		return &corev1.Service{}
	case kinds[1]:
		return &corev1.Pod{}
	case kinds[2]:
		return &corev1.Node{}
	case kinds[3]:
		return &corev1.Endpoints{}
	case kinds[4]:
		return &discoveryv1.EndpointSlice{}
	}
	return nil
}

// groupOf returns the group of a type, empty for v1.
func groupOf(t typeMeta) string {
	group, _, named := strings.Cut(t.apiVersion, "/")
	if !named {
		return ""
	}
	return group
}

// misnamed refuses what seems to be one of the kinds, or a list of one with the suffix List, but
// has another group, version or case: if it were skipped, it would look as if it were not there.
// Another API may have a kind of the same name.
func (s *stream) misnamed(at place, t typeMeta, suffix string) error {
	if t.kind != "List" && strings.EqualFold(t.kind, "List") {
		return at.problem("kind", fmt.Sprintf("want List, got %s; correct it", t.kind))
	}
	for _, want := range kinds {
		if suffix != "" || strings.EqualFold(t.kind, want.kind+"List") {
			want.kind += "List"
		}
		group := groupOf(t)
		foreign := strings.Contains(group, ".") && !strings.HasSuffix(group, ".k8s.io")
		switch {
		case !strings.EqualFold(t.kind, want.kind), foreign && s.Lenient:
		case t.apiVersion != want.apiVersion && foreign:
			return at.problem("apiVersion",
				fmt.Sprintf("want %s, got %s; correct it, or skip objects of other APIs with -lenient",
					want.apiVersion, t.apiVersion))
		case t.apiVersion != want.apiVersion && groupOf(t) == groupOf(want):
			return at.problem("apiVersion", fmt.Sprintf("want %s, got %s; get the object from a cluster that has %[1]s",
				want.apiVersion, t.apiVersion))
		case t.apiVersion != want.apiVersion:
			return at.problem("apiVersion", fmt.Sprintf("want %s, got %s; correct it", want.apiVersion, t.apiVersion))
		case t.kind != want.kind:
			return at.problem("kind", fmt.Sprintf("want %s, got %s; correct it", want.kind, t.kind))
		}
	}
	return nil
}

// assumedIPs are addresses for documentation (RFC 5737, RFC 3849). No command prints them.
var assumedIPs = map[corev1.IPFamily]string{corev1.IPv4Protocol: "192.0.2.1", corev1.IPv6Protocol: "2001:db8::1"}

// Answered returns the Service as the API server would return it, as far as slices and their
// readers depend on that: with cluster IPs and their families. It reports whether it had to assume
// them, because the Service is from a manifest that was not applied. Then the Service is a copy, of
// IPv4 unless its fields say more.
func Answered(svc *corev1.Service) (*corev1.Service, bool) {
	if svc.Spec.Type == corev1.ServiceTypeExternalName || svc.Spec.ClusterIP != "" || len(svc.Spec.ClusterIPs) > 0 {
		return svc, false
	}
	svc = svc.DeepCopy()
	spec := &svc.Spec
	if len(spec.IPFamilies) == 0 {
		spec.IPFamilies = []corev1.IPFamily{corev1.IPv4Protocol}
		if policy := spec.IPFamilyPolicy; policy != nil && *policy == corev1.IPFamilyPolicyRequireDualStack {
			spec.IPFamilies = append(spec.IPFamilies, corev1.IPv6Protocol)
		}
	}
	for _, family := range spec.IPFamilies {
		spec.ClusterIPs = append(spec.ClusterIPs, assumedIPs[family])
	}
	spec.ClusterIP = spec.ClusterIPs[0]
	return svc, true
}
