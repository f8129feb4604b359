package scenario

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/internal/notation"
	"github.com/slicewright/slicewright/internal/quote"
	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/internal/test/kit"
	"github.com/slicewright/slicewright/slicer"
)

// deletedAt is when every slice that is being deleted was deleted.
var deletedAt = metav1.NewTime(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))

// columns cuts a line at its bars: head | ports | endpoints.
func columns(line string) (head []string, ports, endpoints string, err error) {
	parts := strings.Split(line, "|")
	if len(parts) < 2 || len(parts) > 3 {
		return nil, "", "", fmt.Errorf("%q: want name | ports | endpoints, or ports | endpoints", line)
	}
	if len(parts) == 2 {
		parts = []string{parts[0], parts[0], parts[1]}
		words := fields(parts[0])
		parts[1] = words[len(words)-1]
		return words[:len(words)-1], parts[1], parts[2], nil
	}
	return fields(parts[0]), strings.TrimSpace(parts[1]), parts[2], nil
}

// ParseGroup reads "ports | endpoints" or "ipv4 ports | endpoints".
func ParseGroup(line, namespace string) (slicer.Group, error) {
	head, ports, endpoints, err := columns(line)
	if err != nil {
		return slicer.Group{}, err
	}
	var g slicer.Group
	if len(head) > 0 {
		g.AddressType = addressType(head[0], nil)
	}
	if g.Ports, err = ParsePorts(ports); err != nil {
		return g, err
	}
	list, err := ParseEndpoints(endpoints, namespace)
	g.Endpoints = gen.Want(list...)
	return g, err
}

// ParseSlice reads "name attributes | ports | endpoints". What is not said is as the set wants it:
// labels, annotations and owners. Attributes: ipv4, ipv6, fqdn; ns= rv= uid=; dying; finalizer=;
// label:k=v -label:k annotation:k=v (short: managed-by= -managed-by service= -service);
// owner=Kind/name/uid with a * for the controller, -owners.
func ParseSlice(line string, in *slicer.Input) (*discoveryv1.EndpointSlice, error) {
	head, ports, endpoints, err := columns(line)
	if err != nil || len(head) == 0 {
		return nil, fmt.Errorf("%q: want name | ports | endpoints (%v)", line, err)
	}
	name, err := unquote(head[0])
	if err != nil {
		return nil, err
	}
	s := dressed(in, name)
	typed, words := "-", head[1:]
	if len(words) > 0 && (words[0] == "ipv4" || words[0] == "ipv6" || words[0] == "fqdn") {
		typed, words = words[0], words[1:]
	}
	if err := Words(&s.ObjectMeta, words, metaWords); err != nil {
		return nil, err
	}
	if s.Ports, err = ParsePorts(ports); err != nil {
		return nil, err
	}
	if s.Endpoints, err = ParseEndpoints(endpoints, s.Namespace); err != nil {
		return nil, err
	}
	s.AddressType = addressType(typed, s.Endpoints)
	return s, nil
}

// dressed is a slice without endpoints that carries what the set wants.
func dressed(in *slicer.Input, name string) *discoveryv1.EndpointSlice {
	s := &discoveryv1.EndpointSlice{ObjectMeta: metav1.ObjectMeta{
		Namespace: in.Key.Namespace, Name: name, UID: types.UID("u-" + name),
		Labels: map[string]string{}, Annotations: map[string]string{},
		OwnerReferences: slices.Clone(in.Meta.OwnerReferences),
	}}
	maps.Copy(s.Labels, in.Meta.Labels)
	maps.Copy(s.Annotations, in.Meta.Annotations)
	maps.Copy(s.Labels, keyOf(in))
	s.Labels[discoveryv1.LabelManagedBy] = in.Key.ManagedBy
	return s
}

func keyOf(in *slicer.Input) map[string]string {
	if len(in.Key.MatchLabels) > 0 {
		return in.Key.MatchLabels
	}
	return map[string]string{discoveryv1.LabelServiceName: in.Key.Name}
}

// metaWords are the attributes of a slice.
var metaWords = map[string]func(m *metav1.ObjectMeta, key, value string){
	"ns":          func(m *metav1.ObjectMeta, _, value string) { m.Namespace = value },
	"rv":          func(m *metav1.ObjectMeta, _, value string) { m.ResourceVersion = strings.Trim(value, "-") },
	"uid":         func(m *metav1.ObjectMeta, _, value string) { m.UID = types.UID(strings.Trim(value, "-")) },
	"dying":       func(m *metav1.ObjectMeta, _, _ string) { m.DeletionTimestamp = &deletedAt },
	"finalizer":   func(m *metav1.ObjectMeta, _, value string) { m.Finalizers = append(m.Finalizers, value) },
	"label":       func(m *metav1.ObjectMeta, key, value string) { m.Labels[key] = value },
	"-label":      func(m *metav1.ObjectMeta, key, _ string) { delete(m.Labels, key) },
	"annotation":  func(m *metav1.ObjectMeta, key, value string) { m.Annotations[key] = value },
	"-annotation": func(m *metav1.ObjectMeta, key, _ string) { delete(m.Annotations, key) },
	"managed-by":  func(m *metav1.ObjectMeta, _, value string) { m.Labels[discoveryv1.LabelManagedBy] = value },
	"-managed-by": func(m *metav1.ObjectMeta, _, _ string) { delete(m.Labels, discoveryv1.LabelManagedBy) },
	"service":     func(m *metav1.ObjectMeta, _, value string) { m.Labels[discoveryv1.LabelServiceName] = value },
	"-service":    func(m *metav1.ObjectMeta, _, _ string) { delete(m.Labels, discoveryv1.LabelServiceName) },
	"owner": func(m *metav1.ObjectMeta, _, value string) {
		m.OwnerReferences = append(m.OwnerReferences, parseOwner(value))
	},
	"-owners": func(m *metav1.ObjectMeta, _, _ string) { m.OwnerReferences = nil },
}

// parseOwner reads Kind/name/uid, with a star for the controller, whose deletion is blocked too. It
// panics on anything else.
func parseOwner(text string) metav1.OwnerReference {
	text, controller := strings.CutSuffix(text, "*")
	parts := strings.Split(text, "/")
	o := metav1.OwnerReference{APIVersion: "v1", Kind: parts[0], Name: parts[1], UID: types.UID(parts[2])}
	if o.Kind != "Service" {
		o.APIVersion = "example.com/v1"
	}
	if controller {
		o.Controller, o.BlockOwnerDeletion = &controller, &controller
	}
	return o
}

// FormatSlice prints what ParseSlice reads: what is as the set wants it is left out.
func FormatSlice(s *discoveryv1.EndpointSlice, in *slicer.Input) string {
	if s == nil {
		return "nil"
	}
	plain := dressed(in, s.Name)
	words := []string{quote.Text(s.Name), notation.AddressType(s.AddressType)}
	say := func(format string, args ...any) { words = append(words, fmt.Sprintf(format, args...)) }
	if s.Namespace != plain.Namespace {
		say("ns=%s", quote.Text(s.Namespace))
	}
	if s.ResourceVersion != "" {
		say("rv=%s", s.ResourceVersion)
	}
	if s.UID != plain.UID {
		say("uid=%s", s.UID)
	}
	if s.DeletionTimestamp != nil {
		say("dying")
	}
	for _, f := range s.Finalizers {
		say("finalizer=%s", f)
	}
	for _, d := range kit.Differences(plain.Labels, s.Labels) {
		words = append(words, attribute("label", d))
	}
	for _, d := range kit.Differences(plain.Annotations, s.Annotations) {
		words = append(words, attribute("annotation", d))
	}
	words = append(words, ownerWords(plain.OwnerReferences, s.OwnerReferences)...)
	return strings.Join(words, " ") + " | " + notation.Ports(s.Ports) + " | " +
		notation.Endpoints(s.Endpoints, s.Namespace)
}

func attribute(kind, difference string) string {
	if difference[0] == '-' {
		return "-" + kind + ":" + difference[1:]
	}
	return kind + ":" + difference[1:]
}

// ownerWords is empty if the owners are the wanted ones. Otherwise it lists the owners after the
// wanted ones, or all.
func ownerWords(wanted, owners []metav1.OwnerReference) []string {
	var words []string
	extra := owners
	for _, w := range wanted {
		if len(extra) == 0 || owner(extra[0]) != owner(w) {
			words, extra = []string{"-owners"}, owners
			break
		}
		extra = extra[1:]
	}
	for _, o := range extra {
		words = append(words, "owner="+owner(o))
	}
	return words
}

// owner prints the kind, name and UID of an owner reference. A star follows if the owner is the
// controller.
func owner(o metav1.OwnerReference) string {
	text := quote.Text(o.Kind) + "/" + quote.Text(o.Name) + "/" + quote.Text(string(o.UID))
	if o.Controller != nil && *o.Controller {
		text += "*"
	}
	return text
}
