package manifest

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/runtime"
	runtimeschema "k8s.io/apimachinery/pkg/runtime/schema"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
)

func checked(kind int, lenient bool, raw string) string {
	weight := 1 << 30
	err := check{lenient: lenient, weight: &weight}.value("", []byte(raw), reflect.TypeOf(newObject(kinds[kind])))
	if err != nil {
		return err.Error()
	}
	return "no error"
}

// TestCheck: each mistake has its path with the index, the value and what would be right.
func TestCheck(t *testing.T) {
	for _, row := range []struct {
		kind    int // in kinds
		lenient bool
		raw     string
		want    string
	}{
		{0, false, `{"spec":{"ports":[{"port":80},{"port":"http"}]}}`, `spec.ports[1].port: want a whole number of at most 32 bits, got "http"; correct it`},
		{0, false, `{"spec":{"ports":[{"port":8000000000}]}}`, "spec.ports[0].port: want a whole number of at most 32 bits, got 8000000000; correct it"},
		{0, false, `{"spec":{"ports":[{"port":80.5}]}}`, "spec.ports[0].port: want a whole number of at most 32 bits, got 80.5; correct it"},
		{0, false, `{"spec":{"ports":{"port":80}}}`, `spec.ports: want a list, got {"port":80}; correct it`},
		{0, false, `{"spec":[]}`, "spec: want an object, got []; correct it"},
		{0, false, `{"spec":{"ports":[{"targetPort":true}]}}`, "spec.ports[0].targetPort: want a number or a name, got true; correct it"},
		{0, false, `{"spec":{"publishNotReadyAddresses":"yes"}}`, `spec.publishNotReadyAddresses: want true or false, got "yes"; correct it`},
		{0, false, `{"spec":{"selector":{"app":true}}}`, "spec.selector.app: want a string, got true; put it in quotes"},
		{0, false, `{"spec":{"selector":{"app.kubernetes.io/name":1}}}`, `spec.selector["app.kubernetes.io/name"]: want a string, got 1; put it in quotes`},
		{0, false, `{"spec":{"selector":{"a":"b","a":"c"}}}`, "spec.selector.a: given twice; remove one"},
		{0, false, `{"spec":{"type":"a","type":"a"}}`, "spec.type: given twice; remove one"},
		{0, false, `{"Spec":{}}`, "Spec: " + unknownField},
		{0, true, `{"Spec":{},"spec":{"type":null,"ports":null}}`, "no error"},
		{1, false, `{"metadata":{"deletionTimestamp":"soon"}}`, `metadata.deletionTimestamp: want a time such as 2026-01-31T12:00:00Z, got "soon"; correct it`},
		{1, false, `{"spec":{"containers":[{"resources":{"limits":{"cpu":"much"}}}]}}`, `spec.containers[0].resources.limits.cpu: want a quantity such as 100m or 1Gi, got "much"; correct it`},
		{1, false, `{"metadata":{"name":"{{ .Name }}"}}`, `metadata.name: "{{ .Name }}" is ` + unrendered},
		{1, false, `{"spec":{"hostNetwork":"{{ .Host }}"}}`, `spec.hostNetwork: "{{ .Host }}" is ` + unrendered},
		{1, false, `{"metadata":{"annotations":{"a":"{{ .b }}"}},"spec":{"initContainers":[{"args":["{{ .c }}"]}]}}`, "no error"},
		{1, false, `{"metadata":{"managedFields":[{"fieldsV1":{"f:a":{"b":1}},"time":"2026-01-31T12:00:00Z"}]}}`, "no error"},
		{4, false, `{"endpoints":[{"addresses":["10.0.0.1"]},{"conditions":{"ready":"` + strings.Repeat("x", 50) +
			`"}}]}`,
			`endpoints[1].conditions.ready: want true or false, got "` + strings.Repeat("x", 39) + "...; correct it"},
		{4, false, `{"ports":[{"port":null,"name":"\u00e4"}]}`, "no error"},
	} {
		if got := checked(row.kind, row.lenient, row.raw); got != row.want {
			t.Errorf("%s\n--- got\n%s\n--- want\n%s", row.raw, got, row.want)
		}
	}
}

var strict = func() runtime.Decoder {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{corev1.AddToScheme, discoveryv1.AddToScheme} {
		if err := add(scheme); err != nil {
			panic(err)
		}
	}
	return serializer.NewSerializerWithOptions(serializer.DefaultMetaFactory, scheme, scheme,
		serializer.SerializerOptions{Strict: true})
}()

// FuzzCheck compares check with the strict decoder of Kubernetes.
func FuzzCheck(f *testing.F) {
	for kind := range kinds {
		for _, raw := range []string{
			`{"metadata":{"name":"a","creationTimestamp":"2026-01-31T12:00:00Z","labels":{"a":"b"},"ownerReferences":[{"controller":true}]}}`,
			`{"spec":{"ports":[{"port":80,"targetPort":"a"}],"selector":{"a":"b"}},"status":{"loadBalancer":{"ingress":[{"ip":"a"}]}}}`,
			`{"spec":{"containers":[{"name":"a","ports":[{"containerPort":1}],"resources":{"limits":{"cpu":"1"}}}]},"status":{"podIPs":[{"ip":"a"}]}}`,
			`{"endpoints":[{"addresses":["a"],"conditions":{"ready":true},"hints":{"forZones":[{"name":"a"}]}}],"subsets":[{"ports":[{"port":1}]}]}`,
		} {
			f.Add(kind, raw)
		}
	}
	f.Fuzz(func(t *testing.T, kind int, raw string) {
		if !json.Valid([]byte(raw)) || !strings.HasPrefix(raw, "{") || strings.Contains(raw, "{{") || kind < 0 ||
			kind >= len(kinds) {
			return
		}
		gvk := runtimeschema.FromAPIVersionAndKind(kinds[kind].apiVersion, kinds[kind].kind)
		_, got, err := strict.Decode([]byte(raw), &gvk, newObject(kinds[kind]))
		if got != nil && *got != gvk {
			return // the text names another type
		}
		if mine := checked(kind, false, raw); (mine == "no error") != (err == nil) {
			t.Errorf("%s\n%s\n%v", raw, mine, err)
		}
	})
}
