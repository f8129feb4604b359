package services_test

import (
	"errors"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// annotated reads a Pod's address from an annotation; "{" is an error. It uses its memory again, as
// a caller's function may.
func annotated(pod *corev1.Pod) ([]string, error) {
	switch ip := pod.Annotations["net2"]; ip {
	case "":
		return nil, nil
	case "{":
		return nil, errors.New("the status of net2 ends too soon")
	default:
		annotation[0] = ip
		return annotation, nil
	}
}

var annotation = make([]string, 1)

func annotate(name, value string) func(*corev1.Pod) {
	return func(p *corev1.Pod) { metav1.SetMetaDataAnnotation(&p.ObjectMeta, name, value) }
}
