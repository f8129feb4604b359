package sim

import (
	"errors"
	"net/http"
	"regexp"

	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
)

// Target is the resource and the object in a path.
type Target struct{ Group, Namespace, Resource, Name string }

// targets matches the paths of resources without subresources, with a capturing group for each
// field of Target.
var targets = regexp.MustCompile(`^apis?/(v1|[^/]+/[^/]+)(?:/namespaces/([^/]+))?/([^/]+)(?:/([^/]+))?$`)

// TargetOf reads a path. It is empty if the path is another one.
func TargetOf(path string) Target {
	parts := targets.FindStringSubmatch(path)
	if parts == nil {
		return Target{}
	}
	return Target{Group: parts[1], Namespace: parts[2], Resource: parts[3], Name: parts[4]}
}

// ListOptions reads the query of a list.
func ListOptions(r *http.Request) metav1.ListOptions {
	q := r.URL.Query()
	return metav1.ListOptions{LabelSelector: q.Get("labelSelector"), FieldSelector: q.Get("fieldSelector")}
}

// Selector returns a function that reports whether the options of a list select an object.
func Selector(o metav1.ListOptions) (func(metav1.Object) bool, error) {
	byLabel, wrongLabels := labels.Parse(o.LabelSelector)
	byField, wrongFields := fields.ParseSelector(o.FieldSelector)
	if err := errors.Join(wrongLabels, wrongFields); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	for _, r := range byField.Requirements() {
		if r.Field != "metadata.name" && r.Field != "metadata.namespace" {
			return nil, apierrors.NewBadRequest("there is no field " + r.Field)
		}
	}
	return func(s metav1.Object) bool {
		known := fields.Set{"metadata.name": s.GetName(), "metadata.namespace": s.GetNamespace()}
		return byLabel.Matches(labels.Set(s.GetLabels())) && byField.Matches(known)
	}, nil
}

// Documents returns, by path, the documents of the discovery API. REST mappers learn the
// resources from them.
func Documents() map[string]runtime.Object {
	v := metav1.GroupVersionForDiscovery{GroupVersion: discoveryv1.SchemeGroupVersion.String(), Version: "v1"}
	group := metav1.APIGroup{
		Name: discoveryv1.GroupName, Versions: []metav1.GroupVersionForDiscovery{v}, PreferredVersion: v,
	}
	read := []string{"get", "list"}
	return map[string]runtime.Object{
		"api":                           &metav1.APIVersions{Versions: []string{"v1"}},
		"apis":                          &metav1.APIGroupList{Groups: []metav1.APIGroup{group}},
		"apis/" + discoveryv1.GroupName: &group,
		"api/v1": &metav1.APIResourceList{GroupVersion: "v1", APIResources: []metav1.APIResource{
			{Name: "services", Kind: "Service", Namespaced: true, Verbs: read},
			{Name: "pods", Kind: "Pod", Namespaced: true, Verbs: read},
			{Name: "nodes", Kind: "Node", Verbs: read},
		}},
		"apis/" + discoveryv1.SchemeGroupVersion.String(): &metav1.APIResourceList{GroupVersion: discoveryv1.SchemeGroupVersion.String(),
			APIResources: []metav1.APIResource{
				{Name: "endpointslices", Kind: "EndpointSlice", Namespaced: true,
					Verbs: append(read, "create", "delete", "patch", "update")},
			}},
	}
}
