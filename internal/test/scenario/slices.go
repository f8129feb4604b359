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
	"github.com/slicewright/slicewright/slicer"
)

// deletedAt is when every dying slice was deleted.
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
	g.Endpoints, err = ParseEndpoints(endpoints, namespace)
	return g, err
}

// ParseSlice reads "name attributes | ports | endpoints". What is not said is as the set wants it: labels, annotations
// and owners. Attributes: ipv4, ipv6, fqdn; ns= rv= uid=; dying; finalizer=; label:k=v -label:k annotation:k=v (short:
// managed-by= -managed-by service= -service); owner=Kind/name/uid with a * for the controller, -owners.
func ParseSlice(line string, set slicer.Set) (*discoveryv1.EndpointSlice, error) {
	head, ports, endpoints, err := columns(line)
	if err != nil || len(head) == 0 {
		return nil, fmt.Errorf("%q: want name | ports | endpoints (%v)", line, err)
	}
	name, err := unquote(head[0])
	if err != nil {
		return nil, err
	}
	s := dressed(set, name)
	typed := "-"
	for _, word := range head[1:] {
		if word == "ipv4" || word == "ipv6" || word == "fqdn" {
			typed = word
		} else if err := setMeta(&s.ObjectMeta, word); err != nil {
			return nil, err
		}
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
func dressed(set slicer.Set, name string) *discoveryv1.EndpointSlice {
	s := &discoveryv1.EndpointSlice{ObjectMeta: metav1.ObjectMeta{
		Namespace: set.Namespace, Name: name, UID: types.UID("u-" + name),
		Labels: map[string]string{}, Annotations: map[string]string{}, OwnerReferences: slices.Clone(set.Owners),
	}}
	maps.Copy(s.Labels, set.Labels)
	maps.Copy(s.Annotations, set.Annotations)
	maps.Copy(s.Labels, keyOf(set))
	s.Labels[discoveryv1.LabelManagedBy] = set.ManagedBy
	return s
}

func keyOf(set slicer.Set) map[string]string {
	if len(set.Key) > 0 {
		return set.Key
	}
	return map[string]string{discoveryv1.LabelServiceName: set.Name}
}

func setMeta(m *metav1.ObjectMeta, word string) error {
	name, value, _ := strings.Cut(word, "=")
	value, err := unquote(value)
	if err != nil {
		return err
	}
	kind, key, _ := strings.Cut(name, ":")
	switch kind {
	case "ns":
		m.Namespace = value
	case "rv":
		m.ResourceVersion = strings.Trim(value, "-")
	case "uid":
		m.UID = types.UID(strings.Trim(value, "-"))
	case "dying":
		m.DeletionTimestamp = &deletedAt
	case "finalizer":
		m.Finalizers = append(m.Finalizers, value)
	case "label":
		m.Labels[key] = value
	case "-label":
		delete(m.Labels, key)
	case "annotation":
		m.Annotations[key] = value
	case "-annotation":
		delete(m.Annotations, key)
	case "managed-by":
		m.Labels[discoveryv1.LabelManagedBy] = value
	case "-managed-by":
		delete(m.Labels, discoveryv1.LabelManagedBy)
	case "service":
		m.Labels[discoveryv1.LabelServiceName] = value
	case "-service":
		delete(m.Labels, discoveryv1.LabelServiceName)
	case "owner":
		o, err := parseOwner(value)
		m.OwnerReferences = append(m.OwnerReferences, o)
		return err
	case "-owners":
		m.OwnerReferences = nil
	default:
		return fmt.Errorf("unknown attribute %s", word)
	}
	return nil
}

// parseOwner reads Kind/name/uid, with a star for the controller, whose deletion is blocked too.
func parseOwner(text string) (metav1.OwnerReference, error) {
	text, controller := strings.CutSuffix(text, "*")
	parts := strings.Split(text, "/")
	if len(parts) != 3 {
		return metav1.OwnerReference{}, fmt.Errorf("owner %s: want Kind/name/uid", text)
	}
	o := metav1.OwnerReference{APIVersion: "v1", Kind: parts[0], Name: parts[1], UID: types.UID(parts[2])}
	if parts[0] != "Service" {
		o.APIVersion = "example.com/v1"
	}
	if controller {
		o.Controller, o.BlockOwnerDeletion = &controller, &controller
	}
	return o, nil
}

// FormatSlice prints what ParseSlice reads: what is as the set wants it is left out.
func FormatSlice(s *discoveryv1.EndpointSlice, set slicer.Set) string {
	if s == nil {
		return "nil"
	}
	plain := dressed(set, s.Name)
	words := []string{notation.Quote(s.Name), notation.AddressType(s.AddressType)}
	say := func(format string, args ...any) { words = append(words, fmt.Sprintf(format, args...)) }
	if s.Namespace != plain.Namespace {
		say("ns=%s", notation.Quote(s.Namespace))
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
	for _, d := range notation.Differences(plain.Labels, s.Labels) {
		words = append(words, attribute("label", d))
	}
	for _, d := range notation.Differences(plain.Annotations, s.Annotations) {
		words = append(words, attribute("annotation", d))
	}
	words = append(words, ownerWords(plain.OwnerReferences, s.OwnerReferences)...)
	return strings.Join(words, " ") + " | " + notation.Ports(s.Ports) + " | " + notation.Endpoints(s.Endpoints, s.Namespace)
}

func attribute(kind, difference string) string {
	if difference[0] == '-' {
		return "-" + kind + ":" + difference[1:]
	}
	return kind + ":" + difference[1:]
}

// ownerWords is empty where the owners are as wanted, and else lists those that follow the wanted ones, or all.
func ownerWords(wanted, owners []metav1.OwnerReference) []string {
	var words []string
	extra := owners
	for _, w := range wanted {
		if len(extra) == 0 || notation.Owner(extra[0]) != notation.Owner(w) {
			words, extra = []string{"-owners"}, owners
			break
		}
		extra = extra[1:]
	}
	for _, o := range extra {
		words = append(words, "owner="+notation.Owner(o))
	}
	return words
}
